/** Finished files that a run takes away, since nothing goes into them any more: found before it. */
import type { PlanSummary } from "../plan/tally.ts";
import type { StateRow } from "../state/row.ts";
import type { State } from "../state/state.ts";
import type { PlanNote } from "./results.ts";
import type { Spool } from "./spool.ts";
import { toSheetGroup } from "./stages/sheets.ts";
import { toZipFiles } from "./stages/zip.ts";
import type { WorkJob } from "./work.ts";

type GroupKind = "sheets" | "zip";

interface Given {
  readonly job: Pick<WorkJob, "output">;
  readonly state: State;
  readonly summary: PlanSummary;
  /** Undefined where all rows are as the last run left them. */
  readonly spool: Spool | undefined;
}

const filesOf = (kind: GroupKind, result: unknown): readonly { readonly file: string }[] =>
  kind === "sheets" ? toSheetGroup(result).volumes : toZipFiles(result);

/** Rows that the plan doesn't name: one of them may be the bad row without a key. */
function listUnnamed(state: State, spool: Spool): StateRow[] {
  const named = new Set([...spool.good()].map(({ key }) => key));
  return [...state.rows(), ...state.goneRows()].filter(({ key }) => !named.has(key));
}

/** Groups in which a row that is bad now has lain: their files stay. */
function findBadGroups(
  { state, spool }: Given & { readonly spool: Spool },
  kind: GroupKind,
): ReadonlySet<string | null | undefined> {
  const bad = [...spool.bad()].map(({ key }) => key);
  const rows = bad.includes(undefined)
    ? listUnnamed(state, spool)
    : bad.map((key = "") => state.row(key));
  return new Set(rows.map((row) => row?.placing[kind]));
}

/** What a plan says of them. */
export function noteRemoved(given: Given): PlanNote[] {
  const { job, state, summary, spool } = given;
  const wanted = { sheets: summary.sheets, zip: summary.zips };
  // A job that has no sheets any more leaves its old ones alone.
  const kinds = job.output.sheets === null ? (["zip"] as const) : (["sheets", "zip"] as const);
  const files = kinds.flatMap((kind) => {
    const today = new Set(wanted[kind].map(({ name }) => name));
    const gone = state.allPackaged(kind).filter(({ name }) => !today.has(name));
    const bad = gone.length > 0 && spool ? findBadGroups({ ...given, spool }, kind) : undefined;
    return gone
      .filter(({ name }) => bad?.has(name) !== true)
      .flatMap(({ result }) => filesOf(kind, result).map(({ file }) => file));
  });
  return files.length === 0 ? [] : [{ code: "files-removed", files }];
}
