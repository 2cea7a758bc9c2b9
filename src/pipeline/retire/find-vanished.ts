/** Which rows have vanished, by today's spreadsheet and by the last run: both must say so. */
import { closing } from "../../base/flow/closing.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import { findShown } from "../reprint/asked-keys.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { quoteText } from "../../base/text/words.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { retiring, type Retiring } from "../../kinds/retire.ts";
import { toRowPlace } from "../../plan/row-place.ts";
import { toGoneRow, type GoneRow } from "../../plan/gone-row.ts";
import type { Source } from "../../read/source.ts";
import { toFolderPaths } from "../../run/folders.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { VANISHED_DELETED, VANISHED_FILED, VANISHED_WITH_CODE } from "../../state/which-rows.ts";
import { refuseChangedKey, refuseEmpty } from "../checks/confirm.ts";
import type { RetireAction, RetirePlan, RetireRequest } from "./retire-plan.ts";
import type { Ports } from "../ports.ts";
import { findMovedAddress, sayMovedAddress } from "../address/public-address.ts";
import { refuseOtherSerials } from "../rows/serial-origin.ts";
import { refuseOtherJob } from "../rows/whose-state.ts";
import type { ServerChoice } from "../address/server.ts";
import { listSilenced } from "../units/list-void.ts";
import { planRows, type PlannedJob } from "../rows/read-plan.ts";

export interface Vanished {
  readonly rows: readonly StateRow[];
  readonly plan: RetirePlan;
}

export const retiringOf = ({ kind }: RowJob): Retiring => retiring[kind];

/** A row whose key can't be read may be one of those that seem to have vanished. */
function refuseNameless({ spool }: PlannedJob, job: RowJob): void {
  const nameless = [...spool.bad()].find(({ key }) => key === undefined);
  if (nameless === undefined) return;
  throw new AppError(
    "row-invalid",
    "rows must name their keys before codes are deleted, got one that can't be read",
    {
      where: toRowPlace(job.source, nameless),
      hint: "mend the row: it may be one of those that seem to have vanished",
    },
  );
}

/** Why a row of the job has no code to be retired; undefined where the job knows no such row. */
function whyKept(state: State, gone: ReadonlySet<string>, key: string): string | undefined {
  if (gone.has(key) && !state.isGone(key))
    return "which is gone since the last run: run the job first";
  if (!state.isGone(key)) return state.row(key) && "which the job still has";
  if (state.is(key, VANISHED_FILED)) return "whose code is filed already";
  return state.is(key, VANISHED_DELETED) ? "whose code is deleted already" : undefined;
}

function pickRows(
  { state, gone }: { readonly state: State; readonly gone: ReadonlySet<string> },
  rows: readonly StateRow[],
  keys: readonly string[],
): readonly StateRow[] {
  if (keys.length === 0) return rows;
  const known = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key) => {
    const own = known.has(key) ? key : findShown(rows, key);
    const row = own === undefined ? undefined : known.get(own);
    if (row !== undefined) return row;
    const why = whyKept(state, gone, key);
    const near = why === undefined ? didYouMean(key, [...known.keys()].map(showKey)) : "";
    throw badUsage(
      `a key must be that of a vanished row, got ${quoteText(key)}${why === undefined ? "" : `, ${why}`}`,
      near || "vanished-rows.csv has the keys",
    );
  });
}

/** Refuses what the API can't do for the kind of job. */
export function refuseImpossible(job: RowJob, action: RetireAction | undefined): void {
  const { toFiled, remove } = retiringOf(job);
  const isPossible = action?.does === "delete" ? remove : toFiled;
  if (action === undefined || isPossible !== undefined) return;
  const [flag, kinds] =
    action.does === "delete"
      ? ["--delete", "codes, products, links, pdfs"]
      : ["--folder", "codes, products, pdfs, pages, forms"];
  throw new AppError("bad-usage", `${flag} takes a job of kind ${kinds}, got ${job.kind}`, {
    where: { file: job.file, field: "kind" },
    hint:
      action.does === "delete"
        ? "the API deletes no pages and no forms: file their codes with --folder"
        : "short links lie in no folder: --delete, or leave them",
  });
}

interface Reading {
  readonly job: RowJob;
  readonly server: ServerChoice;
  readonly source: Source;
  readonly state: State;
  readonly nowMs: number;
  readonly ports: Pick<Ports, "commandOf">;
}

/** Reads the spreadsheet. Throws when it says too little for codes to be touched. */
export async function findVanished(
  { job, server, source, state, nowMs, ports }: Reading,
  { action, keys = [] }: Pick<RetireRequest, "action" | "keys">,
): Promise<Vanished> {
  refuseImpossible(job, action);
  refuseOtherJob(state, job);
  refuseOtherSerials(state, source);
  const planned = await planRows({ job, server, source, state, nowMs, retryFailed: false });
  return closing(planned.spool, () => {
    refuseEmpty(planned.summary.rows, job.source.file);
    refuseChangedKey(planned.changedKey);
    if (action?.does === "delete") refuseNameless(planned, job);
    const today = new Set(planned.gone);
    const known = state.goneRows(VANISHED_WITH_CODE).filter(({ key }) => today.has(key));
    const rows = pickRows({ state, gone: today }, known, keys);
    const waiting = today.size - known.length;
    const silenced = listSilenced({ job, server }, state);
    const other = findMovedAddress(server, state);
    const moved = other && sayMovedAddress(other, ports);
    const { overwritten } = planned;
    const plan = toPlan(job, { rows, waiting, silenced, overwritten, action });
    return { rows, plan: { ...plan, moved } };
  });
}

type Row = Pick<StateRow, "made" | "wanted">;

/** The resolver answers a printed Digital Link for its product, which outlives the code. */
export const isProduct = ({ made, wanted }: Row): boolean => (made ?? wanted).type === "GS1";

export const hasShortLink = (row: Row): boolean =>
  !isProduct(row) && (row.made ?? row.wanted).dynamic;

/** A code that has no id, or lies in the folder already, takes no write. */
function countWrites(
  { toFiled }: Retiring,
  rows: readonly StateRow[],
  action: RetireAction | undefined,
): Pick<RetirePlan, "writes" | "folderWrites"> {
  const folder = action?.does === "file" ? action.folder : undefined;
  const sent = rows.filter((row) => {
    const id = toFiled === undefined ? row.remoteId : toFiled(row);
    const lies = (row.made ?? row.wanted).folder;
    return (id ?? null) !== null && (folder === undefined || lies !== folder);
  });
  const folderWrites =
    folder === undefined || rows.length === 0 ? 0 : toFolderPaths([folder]).length;
  return { writes: sent.length + folderWrites, folderWrites };
}

function toPlan(
  job: RowJob,
  found: {
    readonly rows: readonly StateRow[];
    readonly waiting: number;
    readonly silenced: ReadonlySet<string>;
    readonly overwritten: PlannedJob["overwritten"];
    readonly action: RetireAction | undefined;
  },
): RetirePlan {
  const { rows, waiting, silenced, overwritten, action } = found;
  const linked = rows.filter((row) => hasShortLink(row));
  const voided = linked.filter(({ key }) => silenced.has(key)).length;
  const way = retiringOf(job);
  const { toFiled, remove } = way;
  const listed: GoneRow[] = rows.flatMap((row) => toGoneRow(job.source, row, overwritten));
  return {
    job: job.name,
    kind: job.kind,
    input: job.source.file,
    from: job.source.from,
    rows: listed,
    dynamic: linked.length - voided,
    voided,
    products: rows.filter((row) => isProduct(row)).length,
    waiting,
    canFile: toFiled !== undefined,
    canDelete: remove !== undefined,
    action,
    ...countWrites(way, rows, action),
  };
}
