import { countVolumes, toVolumeName } from "../../pack/group-zip.ts";
import type { ListedRow } from "../../state/row.ts";
import type { VolumesPlan } from "../paper/paper-figures.ts";
import type { ZipFile } from "./stage.ts";

/** Groups that one archive won't hold. */
export const planVolumes = (
  zips: readonly { readonly name: string; readonly rows: number }[],
  filesPerRow: number,
): VolumesPlan[] =>
  zips
    .map(({ name, rows }) => ({ name, count: countVolumes(rows, filesPerRow) }))
    .filter(({ count }) => count > 1)
    .map(({ name, count }) => ({ name, count, last: toVolumeName(name, count) }));

function toGroups(zips: readonly ZipFile[]): ReadonlyMap<string, readonly ZipFile[]> {
  const groups = new Map<string, ZipFile[]>();
  for (const zip of zips) {
    const name = zip.group ?? zip.file;
    groups.set(name, [...(groups.get(name) ?? []), zip]);
  }
  return groups;
}

/** The archive that holds a row: of its group, the first one whose last row is not before it. */
export function toZipFinder(zips: readonly ZipFile[]): (row: ListedRow) => string | undefined {
  const groups = toGroups(zips);
  return ({ placing }) => {
    const volumes = (placing.zip === null ? undefined : groups.get(placing.zip)) ?? [];
    if (volumes.length < 2) return placing.zip ?? undefined;
    // Byte by byte, as the state sorts them.
    const base = Buffer.from(placing.fileBase);
    const holds = ({ lastName = "" }: ZipFile): boolean =>
      Buffer.compare(base, Buffer.from(lastName)) <= 0;
    return (volumes.find(holds) ?? volumes.at(-1))?.file;
  };
}
