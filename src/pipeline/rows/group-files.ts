/** Whose the finished PDFs and archives are, by groups: two groups may wish for one name. */
import type { GroupFile, GroupNames } from "../../plan/group-names.ts";
import type { State } from "../../state/state.ts";
import type { Spool } from "../spool.ts";

/** Meta: files of the groups of the last plan that was carried out, as JSON; an older makeready wrote none. */
const GROUP_FILES = "group_files";

const toPackage = ({ kind, name }: GroupFile): string => `${kind} ${name}`;

/** Finished files whose groups are known. */
export function readGroupFiles(state: State | undefined): GroupFile[] {
  const known = state?.meta(GROUP_FILES);
  if (state === undefined || known === undefined) return [];
  return (JSON.parse(known) as GroupFile[]).filter(
    (file) => state.packaged(toPackage(file)) !== undefined,
  );
}

/** Of a plan that is carried out; files of other groups that are still there stay known. */
export function rememberGroupFiles(state: State, groups: readonly GroupFile[]): void {
  const names = new Set(groups.map(toPackage));
  const others = readGroupFiles(state).filter((file) => !names.has(toPackage(file)));
  state.setMeta(GROUP_FILES, JSON.stringify([...groups, ...others]));
}

/**
 * Of files whose names other groups were numbered for: those that go, since no row of theirs is left.
 * The names are free once the same rows are planned without these.
 */
export function findLeaving(
  state: State | undefined,
  groups: Pick<GroupNames, "awaited">,
  spool: Spool,
): GroupFile[] {
  const awaited = groups.awaited();
  if (state === undefined || awaited.length === 0) return [];
  const groupsWithBad = state.bad.foresee(spool.good(), spool.bad());
  const withBad = { sheets: groupsWithBad("sheets"), zip: groupsWithBad("zip") };
  return awaited.filter(({ kind, name }) => !withBad[kind].has(name));
}
