/** What was measured of a printer, kept for the jobs of a folder, and undone by one of them. */
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { toDiskError } from "../../base/files/disk-error.ts";
import { findOutside, readPrinters, writePrinter } from "../../print/layout/calibration.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { openJob } from "../open.ts";
import { editManifest } from "./edit-manifest.ts";

export const PRINTER = ["output", "sheets", "printer"] as const;

export interface MeasuredPrinter {
  /** A name of one's own. */
  readonly printer: string;
  /** Field of `printers.json` -> number; the others stay as they are. */
  readonly measures: Readonly<Record<string, unknown>>;
}

/**
 * Writes `printers.json` beside a manifest, and the printer's name into the manifest. Throws `bad-usage`
 * for a measure that no printer has and for a job without label sheets, `manifest-invalid` where a run would
 * refuse the manifest; then nothing is written.
 *
 * @param file the manifest, absolute
 */
export async function measurePrinter(
  file: string,
  { printer, measures }: MeasuredPrinter,
  access: Parameters<typeof editManifest>[2],
): Promise<void> {
  if (printer === "") throw badUsage("the printer must have a name, got none");
  const [outside] = findOutside(measures);
  if (outside !== undefined) {
    const { field, least, most, value } = outside;
    throw badUsage(
      `${field} must be a number from ${least} to ${most}, got ${JSON.stringify(value)}`,
      "print the page of `makeready sheets align` at 100% on paper that lies straight, and measure again",
    );
  }
  const { job } = await openJob(file, access, access);
  if (!isRowJob(job) || job.output.sheets === null) {
    throw badUsage(
      "the job must print label sheets, got one without any",
      "name them in output.sheets; makeready sheets lists them",
    );
  }
  const folder = path.dirname(file);
  await readPrinters(folder);
  await editManifest(file, [{ path: PRINTER, value: printer }], access);
  try {
    await writePrinter(folder, printer, measures);
  } catch (cause) {
    throw toDiskError(cause) ?? cause;
  }
}
