/** The PDF that labels and sheets are printed again from: one of the job, or one volume of it. */
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import type { SheetGroup } from "../stages/stage.ts";

/** One of the job's PDFs. */
export interface FromPdf {
  readonly group: SheetGroup;
  /** A later volume that is meant; undefined where all of the PDF is, as its own name says. */
  readonly volume: string | undefined;
}

/** The name of a PDF that is given by name, or by path: then it lies in the output folder `dir`. */
export function toPdfName(
  given: string,
  { dir, cwd }: { readonly dir: string; readonly cwd: string },
) {
  if (path.basename(given) === given) return given;
  const name = path.relative(dir, path.resolve(cwd, given));
  return name === "" || name.startsWith("..") || path.isAbsolute(name) ? given : name;
}

/** Throws `bad-usage` where it isn't clear which PDF is meant. */
export function findFrom(groups: readonly SheetGroup[], from: string | undefined): FromPdf {
  const names = groups.map(({ name }) => name);
  const [only] = groups;
  if (from === undefined && groups.length === 1 && only !== undefined)
    return { group: only, volume: undefined };
  for (const group of groups) {
    if (group.name === from) return { group, volume: undefined };
    const volume = group.volumes.find(({ file }) => file === from)?.file;
    if (volume !== undefined) return { group, volume };
  }
  throw badUsage(
    `--from must name one of the job's PDFs, got ${from === undefined ? "nothing" : JSON.stringify(from)}`,
    didYouMean(from ?? "", names) || `PDFs: ${names.join(", ")}`,
  );
}

/** The sheets of each volume; all are numbered through. */
function listVolumes({ volumes }: SheetGroup, faces: number) {
  let last = 0;
  return volumes.map(({ file, pages }) => {
    const first = last + 1;
    last += pages / faces;
    return { file, first, last };
  });
}

/** The volumes that have these sheets. Throws `bad-usage` for sheets that the PDF or the volume lacks. */
export function findSheetFiles(
  sheets: ReadonlySet<number>,
  { group, volume }: FromPdf,
  faces: number,
): string[] {
  const all = listVolumes(group, faces);
  const meant = all.filter(({ file }) => volume === undefined || file === volume);
  const [first, last] = [meant[0]?.first ?? 1, meant.at(-1)?.last ?? 0];
  const foreign = [...sheets].find((sheet) => sheet < first || sheet > last);
  if (foreign !== undefined) {
    const names = [...new Set([meant[0]?.file ?? group.name, meant.at(-1)?.file ?? group.name])];
    const lies = all.find((one) => foreign >= one.first && foreign <= one.last)?.file;
    throw badUsage(
      `--sheets must be from ${first} to ${last}, the sheets of ${names.join(" to ")}, got ${foreign}`,
      lies && `sheet ${foreign} is in ${lies}: --from ${lies}`,
    );
  }
  return meant
    .filter((one) => [...sheets].some((sheet) => sheet >= one.first && sheet <= one.last))
    .map(({ file }) => file);
}
