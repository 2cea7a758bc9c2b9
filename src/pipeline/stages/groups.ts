/** What is made per group of rows, each under a fingerprint of all that goes in: PDFs and ZIPs. */
import { existsSync } from "node:fs";
import path from "node:path";

import { hashFile } from "../../base/files/hash-file.ts";
import { showStage } from "../events.ts";
import type { State } from "../../state/state.ts";
import type { Work } from "./work.ts";
import { removeFiles, type OwnFile } from "./sweep.ts";

interface Group {
  readonly name: string;
  readonly rows: number;
  /** Null where the rows don't say how many. */
  readonly labels: number | null;
}

/** Equal to none that is computed. */
const NO_PRINT = "";

interface GroupMaker<Kept> {
  readonly kind: "sheets" | "zip";
  /** Name of the stage while it runs. */
  readonly shownAs: string;
  /** Changes whenever the files would. */
  readonly fingerprint: (group: Group) => Promise<string>;
  /** Writes the group's files; answers what the state keeps of them. */
  readonly write: (group: Group) => Promise<Kept>;
  readonly filesOf: (kept: Kept) => readonly OwnFile[];
  /** False where the state lacks something of files that still hold. Default: true. */
  readonly isKnown?: (group: Group) => boolean;
  /** Groups that are made after all others. Default: none. */
  readonly isLater?: (group: Group) => boolean;
}

interface MadeGroup<Kept> {
  readonly kept: Kept;
  /** False when the files of an earlier run still hold. */
  readonly isNew: boolean;
}

/** A run has ended while it wrote the files of a group: some are of that run, some of the one before. */
export const isHalfWritten = (
  state: State,
  kind: GroupMaker<unknown>["kind"],
  { name }: Pick<Group, "name">,
): boolean => state.packaged(`${kind} ${name}`)?.fingerprint === NO_PRINT;

/** All groups, and the files that went because no group has them any more, absolute. */
interface MadeGroups<Kept> {
  readonly groups: readonly MadeGroup<Kept>[];
  readonly swept: readonly string[];
}

/** Takes files away, and never in silence. */
async function sweepFiles({ folder, log }: Work, files: readonly OwnFile[]): Promise<string[]> {
  const removed = await removeFiles(folder, files);
  for (const file of removed) log.info({ file }, "file removed");
  return removed.map((file) => path.join(folder, file));
}

/** True when every file is there with the bytes that were written. */
async function isIntact(folder: string, files: readonly OwnFile[]): Promise<boolean> {
  for (const { file, sha256: expected } of files) {
    const full = path.join(folder, file);
    if (!existsSync(full) || (await hashFile(full)) !== expected) return false;
  }
  return files.length > 0;
}

async function makeGroup<Kept>(
  work: Work,
  { kind, fingerprint, write, filesOf, isKnown = () => true }: GroupMaker<Kept>,
  group: Group,
): Promise<MadeGroup<Kept> & { readonly swept: readonly string[] }> {
  const { state, folder } = work;
  const name = `${kind} ${group.name}`;
  const print = await fingerprint(group);
  const known = state.packaged(name);
  const before = known?.result as Kept | undefined;
  if (before !== undefined && known?.fingerprint === print && isKnown(group)) {
    if (await isIntact(folder, filesOf(before))) return { kept: before, isNew: false, swept: [] };
  }
  // A run that ends while it writes leaves files and places of labels that no fingerprint stands for.
  if (before !== undefined) state.setPackaged(name, NO_PRINT, before);
  const kept = await write(group);
  const files = new Set(filesOf(kept).map(({ file }) => file));
  const old = before === undefined ? [] : filesOf(before);
  const swept = await sweepFiles(
    work,
    old.filter(({ file }) => !files.has(file)),
  );
  state.setPackaged(name, print, kept);
  return { kept, isNew: true, swept };
}

/** Earlier groups that have no good row now, but bad ones: their files may still be wanted. */
export const listUnreplaced = (
  state: State,
  kind: "sheets" | "zip",
): { readonly name: string; readonly result: unknown }[] => {
  const made = state.allPackaged(kind);
  if (made.length === 0) return [];
  const wanted = new Set(state.groups(kind).map(({ name }) => name));
  const gone = made.filter(({ name }) => !wanted.has(name));
  if (gone.length === 0) return [];
  const withBad = state.bad.groups(kind);
  return gone.filter(({ name }) => withBad.has(name));
};

/**
 * Removes the files of groups that the job no longer has, and volumes that it no longer needs, so
 * that they aren't printed by mistake. Files whose rows are bad stay: only a finished file replaces
 * a finished file.
 */
async function sweepGroups<Kept>(
  work: Work,
  { kind, filesOf }: GroupMaker<Kept>,
  made: ReadonlyMap<string, Kept>,
): Promise<string[]> {
  const { state } = work;
  const swept: string[] = [];
  const unreplaced = new Set(listUnreplaced(state, kind).map(({ name }) => name));
  const files = new Set(
    [...made.values()].flatMap((kept) => filesOf(kept).map(({ file }) => file)),
  );
  for (const { name, result } of state.allPackaged(kind)) {
    if (made.has(name) || unreplaced.has(name)) continue;
    const old = filesOf(result as Kept).filter(({ file }) => !files.has(file));
    swept.push(...(await sweepFiles(work, old)));
    // No list must point to labels of a file that is gone.
    if (kind === "sheets") state.labels.clear(name);
    state.forgetPackaged(`${kind} ${name}`);
  }
  return swept;
}

/** Of fewer groups, a look at all rows for each costs less than an index. */
const MANY_GROUPS = 8;

/** Makes every group that has to be made anew. Stops between two of them when it has to. */
export async function makeGroups<Kept>(
  work: Work,
  maker: GroupMaker<Kept>,
): Promise<MadeGroups<Kept>> {
  const wanted = work.state.groups(maker.kind);
  if (wanted.length > MANY_GROUPS) work.state.indexGroups(maker.kind);
  const made = new Map<string, MadeGroup<Kept>>();
  const swept: string[] = [];
  const { isLater = () => false } = maker;
  for (const group of wanted.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)))) {
    if (work.signal.aborted) break;
    showStage(work.on, maker.shownAs, made.size, wanted.length);
    const { swept: old, ...one } = await makeGroup(work, maker, group);
    swept.push(...old);
    made.set(group.name, one);
  }
  const groups = wanted.flatMap(({ name }) => made.get(name) ?? []);
  if (work.signal.aborted) return { groups, swept };
  const kept = new Map([...made].map(([name, group]) => [name, group.kept]));
  swept.push(...(await sweepGroups(work, maker, kept)));
  return { groups, swept };
}
