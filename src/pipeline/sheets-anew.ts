/** Finished PDFs that the next run makes anew though nothing of their rows or their manifest has changed. */
import path from "node:path";

import { makeOwnSheet } from "../print/layout/own-sheet.ts";
import type { SheetOptions } from "../print/sheets.ts";
import type { State } from "../state/state.ts";
import type { AnewReason, SheetsAnew } from "./results.ts";
import { examineSheets } from "./stages/sheet-records.ts";
import { atStart } from "./stages/sheet-start.ts";
import type { WorkJob } from "./work.ts";

interface Finished {
  readonly job: Pick<WorkJob, "kind" | "file" | "output">;
  readonly state: State;
  readonly writer: string;
}

/** The margin that makeready 0.1.0 kept on rolls, too. */
const OLD_MARGIN_MM = 5;

/** The options as they were before rolls had no margin; undefined where they are the same. */
function beforeMargins(
  { output }: Finished["job"],
  options: SheetOptions,
): SheetOptions | undefined {
  const own = output.sheets?.sheet;
  if (own === undefined || typeof own === "string") return undefined;
  if (own.roll === null || own.margin !== null) return undefined;
  try {
    const sheet = makeOwnSheet({ ...own, margin: OLD_MARGIN_MM });
    return sheet.columns === options.sheet.columns ? undefined : { ...options, sheet };
  } catch {
    // It was refused before.
    return undefined;
  }
}

async function findReasons(
  finished: Finished & { readonly folder: string },
  common: SheetOptions,
  name: string,
): Promise<readonly AnewReason[]> {
  const known = finished.state.packaged(`sheets ${name}`);
  if (known === undefined) return [];
  const options = await atStart(finished, common, name);
  const { before, isNew } = await examineSheets(finished, options, name);
  if (known.fingerprint === before) return isNew;
  const old = beforeMargins(finished.job, options);
  if (old === undefined) return [];
  const margins = await examineSheets(finished, old, name);
  return known.fingerprint === margins.before ? ["roll-margin", ...isNew] : [];
}

/** Those that an older makeready made otherwise, by the reason for it. */
export async function findSheetsAnew(
  finished: Finished,
  options: SheetOptions,
): Promise<SheetsAnew[]> {
  const byReason = new Map<string, { reasons: readonly AnewReason[]; files: string[] }>();
  const at = { ...finished, folder: path.resolve(finished.job.output.dir) };
  for (const { name } of finished.state.groups("sheets")) {
    const reasons = await findReasons(at, options, name);
    if (reasons.length === 0) continue;
    const found = byReason.get(reasons.join()) ?? { reasons, files: [] };
    byReason.set(reasons.join(), found);
    found.files.push(name);
  }
  return [...byReason.values()];
}
