/**
 * GS1 products that lead elsewhere at the service than their job made them, and those that a new row
 * would make lead elsewhere: a GTIN is registered once, whoever does it.
 */
import type { Problem } from "../../base/errors.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import { inParts } from "../../base/flow/parts.ts";
import { formatMany, quoteText } from "../../base/text/words.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { SEEDED_TYPE, toDigitalLinkOf } from "../../plan/product-wish.ts";
import { sayRow } from "../../plan/row-place.ts";
import type { PlannedRow, Wanted } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import type { Ports } from "../ports.ts";
import type { Asking } from "./other-looks.ts";
import { findUpdated, listFirst, type Moved, sayMoved, SHOWN, withLines } from "./other-targets.ts";

type Place = Omit<Moved, "now" | "destination">;
type Links = ReadonlyMap<string, string>;

const hasProducts = (job: RowJob): boolean =>
  job.kind === "products" || (job.kind === "codes" && job.code.type === "GS1");

const toPath = (wanted: Wanted): string => toDigitalLinkOf(wanted)?.split("?")[0] ?? "";

/** Link type and destination of each link. */
function toLinks({ product, gs1Product }: Wanted): readonly (readonly [string, string])[] {
  if (product !== undefined)
    return product.links.map(({ link_type: type, destination_url: url }) => [type, url]);
  const url = gs1Product?.["destination_url"];
  return url === undefined ? [] : [[SEEDED_TYPE, url]];
}

/** The first link that leads elsewhere. */
function findMoved(row: Place, wanted: Wanted, now: Links): Moved[] {
  for (const [type, destination] of toLinks(wanted)) {
    const url = now.get(type);
    if (url !== undefined && url !== destination) return [{ ...row, destination, now: url }];
  }
  return [];
}

/** Rows that register a product which this job has not registered yet. */
function* findNew({ state, planned }: Asking): Iterable<PlannedRow> {
  for (const row of planned?.spool.good() ?? []) {
    const known = state?.row(row.key);
    if (known?.made === undefined && known?.parts.productId === undefined) yield row;
  }
}

function sayTaken({ source }: RowJob, taken: readonly Moved[]): Problem {
  const count = taken.length;
  const isOne = count === 1;
  const shown = taken
    .slice(0, SHOWN)
    .map((row) => `${sayRow(source, row)} from ${row.now} to ${row.destination}`);
  const [is, its, leads] = isOne ? ["is", "its", "leads"] : ["are", "their", "lead"];
  return {
    message: `${formatMany(count, "product")} ${is} registered already and ${leads} elsewhere; this run changes where ${its} printed codes lead: ${listFirst(count, shown)}`,
    hint: `to keep this, take ${isOne ? "the row" : "the rows"} out of the spreadsheet`,
  };
}

/** A run sends less for them than for products that nobody has registered. */
function sayThere({ source }: RowJob, there: readonly Place[]): Problem {
  const count = there.length;
  const shown = there.slice(0, SHOWN).map((row) => sayRow(source, row));
  return {
    message: `${formatMany(count, "product")} ${count === 1 ? "is" : "are"} registered already: ${listFirst(count, shown)}; the run sends at most the writes that are counted here`,
  };
}

/** The first products that were there already, by the places of their rows. */
function nameThere({ source }: RowJob, state: State): string[] {
  return state.found.first(SHOWN).map((key) => {
    const row = state.isGone(key) ? undefined : state.row(key);
    return row === undefined ? quoteText(showKey(key)) : sayRow(source, row);
  });
}

/**
 * Products that a remote server had before this run, or one before it that did not end, registered
 * them: only their creates tell. Of those of our own service the plan has said so.
 */
export function warnOfThere({
  job,
  server: { baseUrl },
  state,
  ports: { on, signal },
}: Pick<Asking, "job" | "server"> & {
  readonly state: State;
  readonly ports: Pick<Ports, "on" | "signal">;
}): Problem[] {
  if (job.kind !== "products" || baseUrl === undefined || signal.aborted) return [];
  const { count } = state.found;
  if (count === 0) return [];
  const named = listFirst(count, nameThere(job, state));
  const problem =
    count === 1
      ? {
          message: `1 product was there already on the server, and its links lead now where its row says: ${named}`,
          hint: "another job, a person, or a request whose answer was lost registered it; codes of it that are printed lead there, too: if that is wrong, put its destination back on the server, and take the row out of the spreadsheet",
        }
      : {
          message: `${formatMany(count, "product")} were there already on the server, and their links lead now where their rows say: ${named}`,
          hint: "another job, a person, or requests whose answers were lost registered them; codes of them that are printed lead there, too: if that is wrong, put their destinations back on the server, and take the rows out of the spreadsheet",
        };
  on({ type: "warning", problem });
  return [problem];
}

/** @param there gets the rows whose product is registered */
async function compare<Row extends Place>(
  { server, ports }: Asking,
  rows: Iterable<Row>,
  toWanted: (row: Row) => Wanted,
  there: Place[] = [],
): Promise<Moved[]> {
  const found: Moved[] = [];
  for (const part of inParts(rows)) {
    const paths = part.map((row) => toPath(toWanted(row)));
    const now = await ports.server.products(server.dataDir, paths);
    for (const [at, row] of part.entries()) {
      const links = now.get(paths[at] ?? "");
      const { key, line, cells } = row;
      if (links === undefined) continue;
      there.push({ key, line, cells });
      found.push(...findMoved({ key, line, cells }, toWanted(row), links));
    }
  }
  return found;
}

interface OtherProducts {
  readonly problems: readonly Problem[];
  /** Rows register products that are there: the run sends at most what its plan counts. */
  readonly isThere: boolean;
}

/** Asks the data folder of the embedded service; of other servers it is not known. */
export async function findOtherProducts(asking: Asking): Promise<OtherProducts> {
  const { job, server, state, planned } = asking;
  if (server.baseUrl !== undefined || !hasProducts(job)) return { problems: [], isThere: false };
  const updated = state === undefined ? new Set() : findUpdated(state, planned);
  const moved = await compare(asking, state?.listing.products() ?? [], ({ made }) => made);
  const left = moved.filter(({ key }) => !updated.has(key));
  const there: Place[] = [];
  const taken = await compare(asking, findNew(asking), ({ wanted }) => wanted, there);
  const isThere = there.length > 0 && job.kind === "products";
  const problems = [
    ...(left.length === 0 ? [] : [sayMoved(job, "product", withLines(left, asking.planned))]),
    ...(taken.length === 0 ? [] : [sayTaken(job, taken)]),
    ...(isThere ? [sayThere(job, there)] : []),
  ];
  return { problems, isThere };
}
