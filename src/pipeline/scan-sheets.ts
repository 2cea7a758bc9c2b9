/** The pages of a job that may lie in a scan: those of its PDFs, and labels that were printed once more. */
import { badUsage } from "../base/errors.ts";
import { sha256 } from "../base/ids.ts";
import type { Calibration } from "../print/layout/calibration.ts";
import type { ScanCell, ScanSheet } from "../scan/scan.ts";
import { refuseCutShort } from "./last-result.ts";
import { areLinksToCome } from "./link-origins.ts";
import { toPayload } from "./payload.ts";
import type { Ports } from "./ports.ts";
import { listReprints, toPaperFrame } from "./reprints.ts";
import { makeSheetOptions } from "./stages/sheet-options.ts";
import { readSheetGroups } from "./stages/sheets.ts";
import type { Work } from "./work.ts";

/** A cell of the job with what people know it by. */
export interface JobCell extends ScanCell {
  readonly line: number;
  readonly caption: string;
}

export interface JobSheet extends ScanSheet {
  readonly cells: JobCell[];
}

interface Expected {
  readonly sheets: readonly JobSheet[];
  readonly symbols: number;
  readonly calibration: Calibration | undefined;
}

/** Every page with codes, in the order of the PDFs. Throws `bad-usage` where there is none. */
export async function expectSheets(work: Work, ports: Pick<Ports, "commandOf">): Promise<Expected> {
  const options = await makeSheetOptions(work.job, work);
  const groups = readSheetGroups(work);
  const isUnfinished = groups.length === 0 || areLinksToCome(work.state);
  if (options !== undefined && isUnfinished) refuseCutShort("scan", work.state, ports);
  if (options === undefined || groups.length === 0)
    throw badUsage("the job must have sheets, got none");
  const frame = toPaperFrame(options);
  const sheets = new Map<string, JobSheet>();
  let symbols = 0;
  for (const { name } of groups) {
    for (const row of work.state.sheetRows(name)) {
      const [payloadHash, caption] = [sha256(toPayload(row)), row.placing.caption.join(" · ")];
      for (const { file, page, symbol, ...place } of row.labels) {
        if (symbol !== undefined) {
          symbols += 1;
          continue;
        }
        const id = `${file} ${page}`;
        const sheet = sheets.get(id) ?? { file, page, ...frame, cells: [] };
        sheets.set(id, sheet);
        const { row: across, column, version, xMm, label, code } = place;
        const at = { row: across, column, version, xMm, label, code };
        sheet.cells.push({ ...at, key: row.key, line: row.line, caption, payloadHash });
      }
    }
  }
  if (sheets.size === 0) refuseCutShort("scan", work.state, ports);
  const order = groups.flatMap(({ volumes }) => volumes.map(({ file }) => file));
  const sorted = [...sheets.values()].toSorted(
    (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.page - b.page,
  );
  const again = expectReprints(work);
  return { sheets: [...sorted, ...again], symbols, calibration: options.calibration };
}

/** Pages of labels that were printed once more. */
function expectReprints({ state }: Work): JobSheet[] {
  const sheets: JobSheet[] = [];
  for (const { file, pages, pageMm, offsetMm, cells } of listReprints(state)) {
    for (let page = 1; page <= pages; page += 1) {
      const own = cells.flatMap((cell): JobCell[] => {
        const row = cell.page === page && cell.symbol === undefined && state.row(cell.key);
        if (!row) return [];
        return [{ ...cell, line: row.line, caption: row.placing.caption.join(" · ") }];
      });
      if (own.length > 0)
        sheets.push({ file, page, pageMm, offsetMm, cells: own, isReprint: true });
    }
  }
  return sheets;
}
