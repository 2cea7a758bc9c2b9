/** Finished files that a run takes away, since nothing goes into them any more: found before it. */
import { toVolumeName } from "../pack/group-zip.ts";
import type { PlanSummary } from "../plan/tally.ts";
import type { State } from "../state/state.ts";
import type { PlanNote } from "./plan-notes.ts";
import type { Spool } from "./spool.ts";
import { toSheetGroup } from "./stages/sheets.ts";
import { toZipFiles } from "./stages/zip.ts";
import { planVolumes } from "./stages/zip-places.ts";
import type { WorkJob } from "./work.ts";

type GroupKind = "sheets" | "zip";

interface Finished {
  readonly state: State;
  readonly summary: PlanSummary;
  /** Undefined where all rows are as the last run left them. */
  readonly spool: Spool | undefined;
}

interface Given extends Finished {
  readonly job: Pick<WorkJob, "output">;
}

const filesOf = (kind: GroupKind, result: unknown): readonly { readonly file: string }[] =>
  kind === "sheets" ? toSheetGroup(result).volumes : toZipFiles(result);

/** Groups in which a row has lain that is bad once the run begins: their files stay. */
const findWithBad = ({ state, spool }: Finished): ((kind: GroupKind) => ReadonlySet<string>) =>
  spool === undefined
    ? (kind) => state.bad.groups(kind)
    : state.bad.foresee(spool.good(), spool.bad());

/** Finished files of groups that have no good row now, by whether a bad row has lain in them. */
function findGone(given: Finished, kinds: readonly GroupKind[]) {
  const { state, summary } = given;
  const wanted = { sheets: summary.sheets, zip: summary.zips };
  const gone = kinds.flatMap((kind) => {
    const today = new Set(wanted[kind].map(({ name }) => name));
    const groups = state.allPackaged(kind).filter(({ name }) => !today.has(name));
    return groups.map((group) => ({ kind, ...group }));
  });
  if (gone.length === 0) return { removed: [], keptOf: () => [] };
  const groupsOf = findWithBad(given);
  const withBad = { sheets: groupsOf("sheets"), zip: groupsOf("zip") };
  const listFiles = (groups: typeof gone): string[] =>
    groups.flatMap(({ kind, result }) => filesOf(kind, result).map(({ file }) => file));
  const isKept = ({ kind, name }: (typeof gone)[number]): boolean => withBad[kind].has(name);
  return {
    removed: listFiles(gone.filter((group) => !isKept(group))),
    keptOf: (asked: GroupKind) =>
      listFiles(gone.filter((group) => group.kind === asked && isKept(group))),
  };
}

interface KeptFiles {
  readonly sheets: readonly string[];
  readonly zips: readonly string[];
}

/** Finished files that a run leaves as they are, since the rows of their groups are bad. */
export function listKeptFiles({
  state,
  ...given
}: Omit<Finished, "state"> & { readonly state: State | undefined }): KeptFiles {
  if (state === undefined || given.summary.bad === 0) return { sheets: [], zips: [] };
  const { keptOf } = findGone({ ...given, state }, ["sheets", "zip"]);
  return { sheets: keptOf("sheets"), zips: keptOf("zip") };
}

/** What a plan says of them. PDFs that other groups write anew as volumes are among them. */
export function noteRemoved(given: Given): PlanNote[] {
  const { job, summary } = given;
  // A job that has no sheets any more leaves its old ones alone.
  const kinds = job.output.sheets === null ? (["zip"] as const) : (["sheets", "zip"] as const);
  const made = new Set([
    ...[...summary.sheets, ...summary.zips].map(({ name }) => name),
    ...planVolumes(summary.zips, job.output.files.length).flatMap(({ name, count }) =>
      Array.from({ length: count }, (_, at) => toVolumeName(name, at + 1)),
    ),
  ]);
  const files = findGone(given, kinds).removed.filter((file) => !made.has(file));
  return files.length === 0 ? [] : [{ code: "files-removed", files }];
}
