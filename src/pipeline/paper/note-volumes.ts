/** Notes of a plan name each PDF of a group that comes in several volumes, and none as removed that is written anew. */
import { volumeFile } from "../../print/sheets.ts";
import type { VolumesPlan } from "./paper-figures.ts";
import type { PlanNote } from "./plan-notes.ts";

/** What is gone or damaged is named as the very file that it is. */
const isOfGroups = (note: PlanNote): note is Extract<PlanNote, { readonly files: unknown }> =>
  note.code === "sheets-anew" ||
  (note.code === "files-remade" && note.why !== "missing" && note.why !== "damaged");

/** @param volumes of the groups that have several */
export function withVolumes(
  notes: readonly PlanNote[],
  volumes: readonly VolumesPlan[] = [],
): PlanNote[] {
  const counts = new Map(volumes.map(({ name, count }) => [name, count]));
  const listAll = (name: string): string[] =>
    Array.from({ length: counts.get(name) ?? 1 }, (_, at) => volumeFile(name, at + 1));
  const made = new Set([...counts.keys()].flatMap(listAll));
  return notes.flatMap((note): PlanNote[] => {
    if (note.code === "files-removed") {
      const files = note.files.filter((file) => !made.has(file));
      return files.length === 0 ? [] : [{ ...note, files }];
    }
    return [isOfGroups(note) ? { ...note, files: note.files.flatMap(listAll) } : note];
  });
}
