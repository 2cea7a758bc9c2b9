/** Codes that lead elsewhere than their job made them: an answer was lost, or somebody has moved them since. */
import type { Problem } from "../../base/errors.ts";
import { cutKey, formatCount, formatMany, quoteText } from "../../base/text/words.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { sayRow } from "../../plan/row-place.ts";
import type { MadeTarget } from "../../state/listing.ts";
import type { State } from "../../state/state.ts";
import type { Asking } from "./other-looks.ts";

/** A row, and where its code or product leads now. */
export interface Moved extends Omit<MadeTarget, "id"> {
  readonly now: string;
  /** The source has its row no longer, or as a bad one: its line was that of another time. */
  readonly isUnlisted?: boolean;
}

/** Where a plan has the rows; the state has them where the last run found them. */
export function withLines(moved: readonly Moved[], planned: Asking["planned"]): readonly Moved[] {
  if (planned === undefined || moved.length === 0) return moved;
  const keys = new Set(moved.map(({ key }) => key));
  const lines = new Map<string, number>();
  for (const { key, line } of planned.spool.good()) if (keys.has(key)) lines.set(key, line);
  return moved.map((row) => {
    const line = lines.get(row.key);
    return line === undefined ? { ...row, isUnlisted: true } : { ...row, line };
  });
}

export const SHOWN = 3;

/** The first of so many, and how many there are besides. */
export const listFirst = (count: number, shown: readonly string[]): string =>
  [...shown, ...(count > SHOWN ? [`${formatCount(count - SHOWN)} more`] : [])].join(", ");

/** Rows whose code the plan gives the content that they want. */
export function findUpdated(state: State, planned: Asking["planned"]): ReadonlySet<string> {
  const found = new Set<string>();
  if (planned === undefined || planned.summary.updates === 0) return found;
  for (const { key, wantedHash } of planned.spool.good()) {
    if (state.known(key)?.madeHash !== wantedHash) found.add(key);
  }
  return found;
}

/** A product that another job has registered as well can't be undone there: its links were not replaced. */
const TO_TAKE_BACK = {
  code: "undo the other job; if there is none, write the new destination into the rows, run the job, and write the old one again",
  hosted: "make it lead to the old destination again, in the console or by a job of kind retarget",
  product:
    "write the old destination into the rows of the job that has changed it, and run that job",
} as const;

const nameOf = (source: RowJob["source"], row: Moved): string =>
  row.isUnlisted === true ? quoteText(cutKey(row.key)) : sayRow(source, row);

/** Pages and forms have no destination that a row could name. */
function hintMoved(kind: RowJob["kind"], thing: "code" | "product"): string {
  if (thing === "code" && (kind === "pages" || kind === "forms"))
    return `to take it back, ${TO_TAKE_BACK.hosted}`;
  return `to keep this, write the new destination into the rows; to take it back, ${TO_TAKE_BACK[thing]}`;
}

export function sayMoved(
  { source, output, kind }: RowJob,
  thing: "code" | "product",
  moved: readonly Moved[],
): Problem {
  const count = moved.length;
  const isOne = count === 1;
  const shown = moved
    .slice(0, SHOWN)
    .map((row) => `${nameOf(source, row)} to ${row.now} instead of ${row.destination}`);
  const index = output.index.length === 0 ? "" : "; the index has the old destination";
  const leads = isOne ? "leads" : "lead";
  const it = isOne ? "it" : "them";
  return {
    message: `${formatMany(count, thing)} ${leads} elsewhere than this job made ${it}: ${listFirst(count, shown)}. The answer to a change was lost, or another job or a person has changed ${it} since${index}`,
    hint: hintMoved(kind, thing),
  };
}

/** Asks the data folder of the embedded service; of other servers it is not known. */
export async function findOtherTargets(asking: Asking): Promise<Problem[]> {
  const { job, server, ports, state, planned } = asking;
  if (server.baseUrl !== undefined || state === undefined) return [];
  const now = await ports.server.moved(server.dataDir);
  if (now.size === 0) return [];
  const updated = findUpdated(state, planned);
  const moved = state.listing.targets([...now.keys()]).flatMap((row) => {
    const to = now.get(row.id);
    return to === undefined || to === row.destination || updated.has(row.key)
      ? []
      : [{ ...row, now: to }];
  });
  return moved.length === 0 ? [] : [sayMoved(job, "code", withLines(moved, planned))];
}
