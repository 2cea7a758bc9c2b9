/** Finished files that a run takes away, since nothing goes into them any more: found before it. */
import type { PlanSummary } from "../plan/tally.ts";
import type { State } from "../state/state.ts";
import type { PlanNote } from "./plan-notes.ts";
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

/** Groups in which a row has lain that is bad once the run begins: their files stay. */
const findWithBad = ({ state, spool }: Given): ((kind: GroupKind) => ReadonlySet<string>) =>
  spool === undefined
    ? (kind) => state.bad.groups(kind)
    : state.bad.foresee(spool.good(), spool.bad());

/** What a plan says of them. */
export function noteRemoved(given: Given): PlanNote[] {
  const { job, state, summary } = given;
  const wanted = { sheets: summary.sheets, zip: summary.zips };
  // A job that has no sheets any more leaves its old ones alone.
  const kinds = job.output.sheets === null ? (["zip"] as const) : (["sheets", "zip"] as const);
  const gone = kinds.flatMap((kind) => {
    const today = new Set(wanted[kind].map(({ name }) => name));
    const groups = state.allPackaged(kind).filter(({ name }) => !today.has(name));
    return groups.map((group) => ({ kind, ...group }));
  });
  if (gone.length === 0) return [];
  const groupsOf = findWithBad(given);
  const withBad = { sheets: groupsOf("sheets"), zip: groupsOf("zip") };
  const files = gone
    .filter(({ kind, name }) => !withBad[kind].has(name))
    .flatMap(({ kind, result }) => filesOf(kind, result).map(({ file }) => file));
  return files.length === 0 ? [] : [{ code: "files-removed", files }];
}
