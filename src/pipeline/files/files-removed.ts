/** Finished files that a run takes away, since nothing goes into them any more: found before it. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";

import { toNameKey } from "../../base/files/file-name.ts";
import { toVolumeName } from "../../pack/group-zip.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { State } from "../../state/state.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import type { Spool } from "../rows/spool.ts";
import { toSheetGroup } from "../stages/sheets.ts";
import { toZipFiles } from "../stages/zip.ts";
import { planVolumes } from "../stages/zip-places.ts";
import type { KeptOf } from "../paper/volume-names.ts";
import type { WorkJob } from "../stages/work.ts";

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

const statOf = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false });

/** Names that differ by case are one file on some disks, and two on others. */
function isSameFile(file: string, other: string): boolean {
  if (file === other) return true;
  const [one, two] = [statOf(file), statOf(other)];
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}

function toKeptOf(folder: string, names: readonly string[]): KeptOf | undefined {
  const there = names.filter((name) => existsSync(path.join(folder, name)));
  if (there.length === 0) return undefined;
  const byKey = new Map<string, string[]>();
  for (const name of there) {
    const key = toNameKey(name);
    byKey.set(key, [...(byKey.get(key) ?? []), name]);
  }
  return (wanted) =>
    byKey
      .get(toNameKey(wanted))
      ?.find((name) => isSameFile(path.join(folder, name), path.join(folder, wanted)));
}

interface KeptFiles {
  readonly sheets?: KeptOf | undefined;
  readonly zips?: KeptOf | undefined;
}

/** Finished files that a run leaves as they are, since bad rows may belong to their groups. */
export function listKeptFiles({
  job,
  state,
  ...given
}: Omit<Given, "state"> & { readonly state: State | undefined }): KeptFiles {
  if (state === undefined || given.summary.bad === 0) return {};
  const { keptOf } = findGone({ ...given, state }, ["sheets", "zip"]);
  const { dir } = job.output;
  return { sheets: toKeptOf(dir, keptOf("sheets")), zips: toKeptOf(dir, keptOf("zip")) };
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
