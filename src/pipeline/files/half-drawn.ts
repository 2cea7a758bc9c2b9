/** Sheets of a run that was stopped or killed: they can be held to nothing until a run draws them anew. */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { planSheets } from "../../print/sheets.ts";
import { CHANGED } from "../../verify/proof/prove-sheets.ts";
import { findCutShort } from "../standing/last-result.ts";
import { isHalfWritten } from "../stages/groups.ts";
import { examineSheets } from "../stages/sheet-records.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";
import { atStart } from "../stages/sheet-start.ts";
import type { SheetGroup } from "../stages/stage.ts";
import type { Work } from "../stages/work.ts";

/** PDFs that a run which did not end has left, relative to the output folder. */
export interface HalfDrawn {
  /** Names of their groups. */
  readonly names: ReadonlySet<string>;
  /** It was cut while it drew them. */
  readonly isCutThere: boolean;
  /** Drawn by that run, and never proven. */
  readonly drawn: readonly string[];
  /** As they were before that run: it had not come to them. */
  readonly older: readonly string[];
  /** Gone, or changed by something else than that run. */
  readonly faults: readonly Problem[];
}

type Volume = SheetGroup["volumes"][number];

/** A PDF that is there: what it holds. */
const isAsBefore = async (full: string, { sha256 }: Volume): Promise<boolean> =>
  (await hashFile(full)) === sha256;

/** Whole, but of other rows or settings than those of today. */
async function isOutOfDate(work: Work, { name }: SheetGroup): Promise<boolean> {
  const known = work.state.packaged(`sheets ${name}`)?.fingerprint;
  const options = await makeSheetOptions(work.job, work);
  if (options === undefined || known === undefined) return false;
  const today = await examineSheets(work, await atStart(work, options, name), name);
  return today.fingerprint !== known;
}

/** PDFs of a half-written group, without those that the run has taken away since today's rows need no more. */
async function listNeeded(work: Work, { name, volumes }: SheetGroup): Promise<readonly Volume[]> {
  const common = await makeSheetOptions(work.job, work);
  const today = work.state.groups("sheets").find((group) => group.name === name);
  if (common === undefined || today === undefined) return volumes;
  const { rows: count, labels } = today;
  const options = await atStart(work, common, name);
  const needed = planSheets(options, { count, labels: labels ?? undefined, maxVersion: 1 }).volumes;
  return volumes.filter(({ file }, at) => at < needed || existsSync(path.join(work.folder, file)));
}

/** Undefined where every PDF is that of today's rows. */
export async function findHalfDrawn(
  work: Work,
  groups: readonly SheetGroup[],
): Promise<HalfDrawn | undefined> {
  if (findCutShort(work.state) !== "run") return undefined;
  const names = new Set<string>();
  const [drawn, older, faults]: [string[], string[], Problem[]] = [[], [], []];
  let isCutThere = false;
  for (const group of groups) {
    const isHalf = isHalfWritten(work.state, "sheets", group);
    if (!isHalf && !(await isOutOfDate(work, group))) continue;
    names.add(group.name);
    isCutThere ||= isHalf;
    const volumes = isHalf ? await listNeeded(work, group) : group.volumes;
    for (const volume of volumes) {
      const file = path.join(work.folder, volume.file);
      if (!existsSync(file))
        faults.push({ message: "file must be there, got none", where: { file } });
      else if (await isAsBefore(file, volume)) older.push(volume.file);
      else if (isHalf) drawn.push(volume.file);
      else faults.push({ message: CHANGED, where: { file } });
    }
  }
  return names.size === 0 ? undefined : { names, isCutThere, drawn, older, faults };
}

const sayFiles = ([first = "", ...others]: readonly string[], rest: string): string[] => {
  if (first === "") return [];
  const [last] = others.slice(-1);
  if (last === undefined) return [`${first} is ${rest}`];
  return [`${first} to ${last} (${others.length + 1} files) are ${rest}`];
};

/** What of the run's end is told of its sheets, once for all of them; undefined where none is there. */
export function sayHalfDrawn({ isCutThere, drawn, older }: HalfDrawn): string | undefined {
  if (drawn.length + older.length === 0) return undefined;
  const how = isCutThere ? "was cut while it drew sheets" : "did not end";
  const what = [
    ...sayFiles(drawn, "drawn anew and not proven"),
    ...sayFiles(older, "still of the run before"),
  ];
  return `the last run ${how}: ${what.join("; ")}. Print none of them`;
}
