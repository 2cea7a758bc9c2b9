/** Spoiled sheets and lost labels, printed once more: the same bytes of every label, proven again. */
import path from "node:path";

import { AppError } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { RowJob } from "../kinds/any-job.ts";
import type { SheetOptions, SheetRecord } from "../print/sheets.ts";
import { writeSheets } from "../print/sheets.ts";
import { verifySheets } from "../verify/verify.ts";
import { toFinishedJob, withFinishedJob } from "./finished-job.ts";
import type { Ports } from "./ports.ts";
import { makeSheetOptions } from "./stages/sheet-options.ts";
import { atStart } from "./stages/sheet-start.ts";
import { readSheetGroups, toRecords } from "./stages/sheets.ts";
import type { SheetGroup } from "./stages/stage.ts";
import type { Work } from "./work.ts";

export interface ReprintOptions {
  /** Sheets of the PDF, from 1, as their slugs have them; they lie as they lay. */
  readonly sheets?: ReadonlySet<number> | undefined;
  /** Rows of the spreadsheet, from 1; their labels fill new sheets. */
  readonly rows?: ReadonlySet<number> | undefined;
  /** Keys of rows, as the sheet map has them. */
  readonly keys?: readonly string[] | undefined;
  /** First cell of the first new sheet. */
  readonly start?: number | undefined;
  /** Name of a PDF of the job; needed where it has several. */
  readonly from?: string | undefined;
  /** Absolute; default: beside the PDF, its name with `-reprint`. */
  readonly file?: string | undefined;
}

export interface Reprint {
  readonly files: readonly string[];
  readonly codes: number;
  readonly decoded: number;
  readonly pages: number;
  readonly isReady: boolean;
  readonly findings: readonly { readonly rule: string; readonly message: string }[];
}

function findGroup(groups: readonly SheetGroup[], from: string | undefined): SheetGroup {
  const names = groups.map(({ name }) => name);
  const [only] = groups;
  if (only === undefined) throw new AppError("bad-usage", "the job must have sheets, got none");
  if (from === undefined && groups.length === 1) return only;
  const found = groups.find(
    ({ name, volumes }) => name === from || volumes.some(({ file }) => file === from),
  );
  if (found !== undefined) return found;
  throw new AppError(
    "bad-usage",
    `--from must name one of the job's PDFs, got ${from === undefined ? "nothing" : JSON.stringify(from)}`,
    { hint: didYouMean(from ?? "", names) || `PDFs: ${names.join(", ")}` },
  );
}

/** Rows that are asked for and not there are told, not left out in silence. */
function pickRecords(
  work: Work,
  group: SheetGroup,
  { rows, keys }: Pick<ReprintOptions, "rows" | "keys">,
  artwork: SheetOptions["artwork"],
): SheetRecord[] {
  const wantedKeys = new Set(keys);
  const found: SheetRecord[] = [];
  const missingRows = new Set(rows);
  const numbers = new Map<string, number>();
  for (const row of work.state.sheetRows(group.name)) numbers.set(row.key, row.seq + 1);
  for (const record of toRecords(work, group.name, artwork)) {
    const number = numbers.get(record.key) ?? 0;
    if (!wantedKeys.has(record.key) && rows?.has(number) !== true) continue;
    wantedKeys.delete(record.key);
    missingRows.delete(number);
    found.push(record);
  }
  const missing = [
    ...[...missingRows].map((row) => `row ${row}`),
    ...[...wantedKeys].map((key) => JSON.stringify(key)),
  ];
  if (missing.length === 0) return found;
  throw new AppError(
    "bad-usage",
    `rows to print again must be in ${group.name}, got ${missing.slice(0, 10).join(", ")}`,
    { hint: "sheet-map.json lists the keys of every cell; --from chooses another PDF" },
  );
}

function checkSheets(
  sheets: ReadonlySet<number>,
  { name, volumes }: SheetGroup,
  faces: number,
): void {
  const count = volumes.reduce((sum, { pages }) => sum + pages, 0) / faces;
  const foreign = [...sheets].find((sheet) => sheet > count);
  if (foreign === undefined) return;
  throw new AppError(
    "bad-usage",
    `--sheets must be from 1 to ${count}, the sheets of ${name}, got ${foreign}`,
  );
}

interface Wanted {
  readonly options: SheetOptions;
  readonly records: Iterable<SheetRecord>;
}

function toWanted(
  work: Work,
  group: SheetGroup,
  whole: SheetOptions,
  { sheets, start = 1, ...picked }: ReprintOptions,
): Wanted {
  if (sheets !== undefined) {
    checkSheets(sheets, group, whole.back === undefined ? 1 : 2);
    const { state } = work;
    const count = [...state.sheetRows(group.name)].length;
    const records = {
      [Symbol.iterator]: () => toRecords(work, group.name, whole.artwork)[Symbol.iterator](),
    };
    return { options: { ...whole, count }, records };
  }
  const records = pickRecords(work, group, picked, whole.artwork);
  const order = whole.order === "columns" ? "columns" : "rows";
  const once = { copies: 1, overs: 0, spares: 0, reverse: false, order, start } as const;
  return { options: { ...whole, ...once, count: records.length }, records };
}

async function reprintGroup(work: Work, request: ReprintOptions): Promise<Reprint> {
  const common = await makeSheetOptions(work.job, work);
  const group = findGroup(readSheetGroups(work), request.from);
  if (common === undefined) throw new AppError("bug", "a job with PDFs must want sheets");
  const whole = await atStart(work, common, group.name);
  const { options, records } = toWanted(work, group, whole, request);
  const { dir, name } = path.parse(path.join(work.folder, group.name));
  const file = request.file ?? path.join(dir, `${name}-reprint.pdf`);
  const { volumes, cells } = await writeSheets(options, records, file, { only: request.sheets });
  const proof = await verifySheets({
    options,
    volumes,
    cells,
    isPart: request.sheets !== undefined,
  });
  return {
    files: volumes.map((volume) => volume.file),
    codes: proof.codes,
    decoded: proof.decoded,
    pages: proof.pages,
    isReady: proof.readyForPress,
    findings: proof.findings.map(({ rule, message }) => ({ rule, message })),
  };
}

/** Prints again. Throws `bad-usage` for what isn't there, `job-locked` while the job runs. */
export const reprint = (job: RowJob, request: ReprintOptions, ports: Ports): Promise<Reprint> =>
  withFinishedJob(toFinishedJob(job), ports, (work) => reprintGroup(work, request));
