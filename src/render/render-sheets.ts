/** Rows -> a PDF or a PNG whose every code was read back out of the finished file (docs/render.md). */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { hasLogo, toLevel } from "../api/design.ts";
import type { Clock } from "../base/time/clock.ts";
import { withoutContrastField } from "../base/color/contrast.ts";
import { closing } from "../base/flow/closing.ts";
import { AppError, badUsage, type Problem } from "../base/errors.ts";
import { sha256 } from "../base/ids/ids.ts";
import { sayPressWarning } from "../base/shapes/press-warning.ts";
import { isLoopbackUrl } from "../base/text/url.ts";
import { isSvgFile } from "../base/files/image-type.ts";
import { mmToPx } from "../base/shapes/units.ts";
import { isRowJob, type RowJob } from "../kinds/any-job.ts";
import { PROJECT_FILE } from "../kinds/project.ts";
import { makeCsv } from "../pack/csv.ts";
import { loadJob } from "../pipeline/source/load-job.ts";
import { planPaper } from "../pipeline/paper/plan-paper.ts";
import { NO_LOGO, PrintDesigns, type PrintLogo } from "../pipeline/stages/print-designs.ts";
import { planRows, type PlannedJob } from "../pipeline/rows/read-plan.ts";
import { openRows } from "../pipeline/source/source.ts";
import { makeSheetOptions } from "../pipeline/stages/sheet-options.ts";
import { toBareRecord } from "../pipeline/stages/sheet-records.ts";
import { withDesignInks } from "../print/art/design-inks.ts";
import { readLogoShapes } from "../print/art/logo-shapes.ts";
import { FONTS_FIELD } from "../print/fonts/own-font.ts";
import { countLabels } from "../print/layout/repeat-records.ts";
import { makeSheetJob } from "../print/sheet-job.ts";
import {
  type SheetOptions,
  type SheetRecord,
  writeSheets,
  type WrittenSheets,
} from "../print/sheets.ts";
import { readLogoFile } from "../qr/png/logo-file.ts";
import { writeDensePng } from "../qr/png/raster.ts";
import type { Source } from "../read/source.ts";
import { loadDecoder } from "../qr/read/load-decoder.ts";
import { proveSheets, type SheetProof } from "../verify/proof/prove-sheets.ts";
import { openRenderer } from "../verify/pixels/render.ts";
import { refuseBody, renderCaps, ROW_COLUMN, type RenderOrder } from "./render-request.ts";

/** A code of the file, with its row. */
export interface RenderedCell {
  /** Of the request, from 1. */
  readonly row: number;
  /** Page, and row and column on it, all from 1. */
  readonly page: number;
  readonly at: readonly [row: number, column: number];
  /** SHA-256 of what the code says. */
  readonly sha256: string;
}

export interface Rendered {
  readonly format: "pdf" | "png";
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly proof: {
    readonly pages: number;
    /** Codes and symbols on the labels, and those that were read back out of the file. */
    readonly codes: number;
    readonly decoded: number;
    readonly symbols: number;
    /** Side of the modules, least and greatest, mm. */
    readonly module_mm: readonly [number, number];
    readonly device_dpi: number | null;
    /** No rule of printing is broken, and no code leads to the device that scans it only. */
    readonly ready_for_press: boolean;
    readonly warnings: readonly string[];
    readonly cells: readonly RenderedCell[];
  };
}

export interface RenderPorts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const NO_STREAM = (): never => {
  throw badUsage("rows must come with the request");
};

const toHint = (hint: string): string => strip(withoutContrastField(hint));

/** Names of the request instead of the manifest's, and no files, which are not taken. */
const strip = (text: string): string =>
  text
    .replaceAll("output.sheets", "sheets")
    .replaceAll("source.columns", "columns")
    .replace("; a .json file of your own works, too", "")
    .replace("a label sheet or a .json file", "a label sheet")
    .replace("a label template or a .json file", "a label template");

/** Messages name fields of the request, not the files that it was put into. */
function toSent({ message, hint, where }: Problem, rowOf?: number): Problem {
  const column = typeof where?.column === "string" ? where.column : undefined;
  const field = where?.field === undefined ? column : strip(where.field);
  return {
    message: strip(message),
    ...(hint === undefined ? {} : { hint: toHint(hint) }),
    where: {
      ...(rowOf === undefined ? {} : { line: rowOf }),
      ...(field === undefined ? {} : { field }),
    },
  };
}

/** Problems of the manifest or the sheets themselves. */
function refuseAsSent(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code === "row-invalid") return error;
  if (error.kind !== "usage" && error.kind !== "input") return error;
  const { message, hint, where, problems } = error;
  const all = problems.length === 0 ? [{ message, hint, where }] : problems;
  return refuseBody(all.map((problem) => toSent(problem)));
}

/** Messages don't show names or places of temporary files. */
function withoutFolder(error: unknown, folder: string): unknown {
  if (!(error instanceof AppError) || error.code !== "row-invalid") return error;
  const problems = error.problems.map((problem): Problem => {
    const message = problem.message.replaceAll(`${folder}${path.sep}`, "");
    const own = message.replace(/, got picture-\d+\.[a-z]+/u, "");
    return own === message ? { ...problem, message } : { message: own, where: problem.where };
  });
  return refuseBody(problems);
}

/** Opens what was sent as a job of a folder of its own. */
async function openOrder(
  folder: string,
  order: RenderOrder,
  { clock, signal }: RenderPorts,
): Promise<{ readonly job: RowJob; readonly source: Source }> {
  const file = path.join(folder, "job.yaml");
  // No project config above the folder counts.
  await writeFile(path.join(folder, PROJECT_FILE), "# none\n");
  // Faults are looked up where they stand.
  await writeFile(file, order.manifest);
  for (const { name, bytes } of order.files) await writeFile(path.join(folder, name), bytes);
  let csv = "";
  for await (const piece of makeCsv(order.columns, order.rows)) csv += piece;
  await writeFile(path.join(folder, "rows.csv"), csv);
  const job = await loadJob(file, { text: order.manifest, env: {}, nowMs: clock.nowMs() });
  if (!isRowJob(job)) throw new AppError("bug", "what is rendered must be a job with rows");
  const ports = { clock, signal, readStream: NO_STREAM };
  return { job, source: await openRows(job, ports, { dataDir: folder }) };
}

const linesOf = (cells: readonly string[]): number => cells.join("").split("\n").length;

/** Line of the spreadsheet in which a row begins -> its number in the request. */
function toRowsByLine({ columns, rows }: RenderOrder): Map<number, number> {
  let line = 1 + linesOf(columns);
  return new Map(
    rows.map((cells, index) => {
      const begun = line;
      line += linesOf(cells);
      return [begun, index + 1] as const;
    }),
  );
}

/** Fonts of one's own are not taken, so a warning doesn't ask for them. */
const withoutFonts = (text: string): string =>
  strip(
    text
      .replace(`name fonts that have them in ${FONTS_FIELD}, or `, "")
      .replace(`; name one that does in ${FONTS_FIELD}`, ""),
  );

const nameRow = (message: string, row: number | undefined): string =>
  row === undefined ? message : `row ${row}: ${message}`;

/** Rows that can't be made, by their number in the request. */
function refuseBadRows({ spool, summary }: PlannedJob): void {
  if (summary.bad === 0) return;
  const problems = [...spool.bad()].flatMap(({ cells, problems: found, line }) => {
    const row = Number(cells[ROW_COLUMN]) || line - 1;
    return found.map((problem) => toSent(problem, row));
  });
  throw refuseBody(problems);
}

function refuseMany({ summary }: PlannedJob, options: SheetOptions): void {
  const { repeats } = makeSheetJob(options);
  const labels = summary.sheets.reduce(
    (sum, group) => sum + countLabels(group.rows, repeats, group.labels),
    0,
  );
  if (labels === 0)
    throw refuseBody([
      { message: "rows must make at least one label, got none", where: { field: "sheets.copies" } },
    ]);
  if (labels <= renderCaps.labels) return;
  const message = `rows, copies and overs must make at most ${renderCaps.labels} labels, got ${labels}`;
  throw refuseBody([{ message, where: { field: "sheets.copies" } }]);
}

interface Drawn {
  readonly options: SheetOptions;
  readonly records: readonly SheetRecord[];
  readonly warnings: readonly string[];
}

/** The logo of the request: a picture, and its shapes if it is a drawing of shapes only. */
async function readLogo(file: string | undefined): Promise<PrintLogo> {
  if (file === undefined) return NO_LOGO;
  const bytes = await readFile(file);
  const shapes = isSvgFile(bytes) ? await readLogoShapes(bytes) : undefined;
  const picture = await readLogoFile(bytes);
  return typeof shapes === "object" ? { picture, shapes } : { picture };
}

/** Labels as their rows want them, each code in its design. */
async function toDesignedRecords(
  { spool, logos }: PlannedJob,
  { print }: SheetOptions,
): Promise<SheetRecord[]> {
  const [file] = logos.values();
  const logo = await readLogo(file);
  const designs = new PrintDesigns();
  return [...spool.good()].map((row) => {
    const bare = toBareRecord({ ...row, made: null, shortLink: null });
    const { design } = row.wanted;
    const level = toLevel(row.wanted);
    if (print !== "designed") return { ...bare, level };
    return { ...bare, level, design: designs.of(design, level, hasLogo(design) ? logo : NO_LOGO) };
  });
}

async function planOrder(
  { job, source }: { readonly job: RowJob; readonly source: Source },
  rowAt: ReadonlyMap<number, number>,
  { clock, signal }: RenderPorts,
): Promise<Drawn> {
  const nowMs = clock.nowMs();
  const createdAt = new Date(nowMs).toISOString();
  const planned = await planRows({
    job,
    source,
    state: undefined,
    nowMs,
    retryFailed: false,
    turn: () => nextTurn().then(() => signal.throwIfAborted()),
  });
  try {
    refuseBadRows(planned);
    const input = { name: "rows", sha256: source.sha256, columns: source.columns };
    const options = await makeSheetOptions(job, { createdAt, isRehearsal: false, input });
    if (options === undefined) throw new AppError("bug", "what is rendered must have sheets");
    refuseMany(planned, options);
    const paper = await planPaper(job, {
      groups: planned.summary.sheets,
      createdAt,
      isRehearsal: false,
      inputName: input.name,
      inputSha256: input.sha256,
      design: {},
      links: { publicUrl: undefined, inCapitals: false },
      labels: planned.labels,
      templateOf: () => undefined,
      finished: undefined,
    });
    const records = await toDesignedRecords(planned, options);
    const warnings = [
      ...planned.warnings.map(({ message, where }) =>
        nameRow(message, rowAt.get(where?.line ?? 0)),
      ),
      ...paper.warnings.map(({ message }) => message),
    ];
    const press = paper.press.map(sayPressWarning);
    return {
      options: await withDesignInks(options, records),
      records,
      warnings: [...warnings, ...press],
    };
  } finally {
    planned.spool.close();
    await source.close();
  }
}

/** Throws unless every code was read back. */
function refuseUnproven({ findings, codes, decoded }: SheetProof): void {
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length === 0 && codes === decoded) return;
  const message = `every code must be read back out of the file, got ${decoded} of ${codes}`;
  throw refuseBody([
    ...(codes === decoded ? [] : [{ message }]),
    ...errors.map(({ message: says, rule }) => ({ message: `${rule}: ${says}` })),
  ]);
}

/** Pixels of a page. Throws for too many. */
function sizeOf(options: SheetOptions, dpi: number): { width: number; height: number } {
  const { margins, trimWidthMm, trimHeightMm } = makeSheetJob(options).frame;
  const width = Math.round(mmToPx(margins.left + trimWidthMm + margins.right, dpi));
  const height = Math.round(mmToPx(margins.bottom + trimHeightMm + margins.top, dpi));
  if (width * height <= renderCaps.pixels) return { width, height };
  const message = `dpi must make a page of at most ${renderCaps.pixels} pixels, got ${dpi} with ${width} x ${height}`;
  throw refuseBody([{ message, where: { field: "dpi" } }]);
}

/** The one page as a picture, whose codes are read once more. */
async function toPicture(
  pdf: Uint8Array,
  { options, cells }: { readonly options: SheetOptions; readonly cells: WrittenSheets["cells"] },
  dpi: number,
): Promise<Uint8Array> {
  const size = sizeOf(options, dpi);
  return closing(await openRenderer(pdf), async (document) => {
    if (document.pageCount > 1) {
      const message = `a png must be one page, got ${document.pageCount}`;
      throw refuseBody([{ message, hint: "ask for a pdf", where: { field: "format" } }]);
    }
    const grey = await document.render(0, size);
    const read = new Set((await loadDecoder()).look(grey).map(({ text }) => sha256(text)));
    const codes = cells.filter(({ symbol }) => symbol === undefined);
    const lost = codes.filter(({ payloadHash }) => !read.has(payloadHash)).length;
    if (lost > 0) {
      const message = `dpi must be enough to read every code in the picture, got ${dpi}, at which ${lost} of ${codes.length} can't be read`;
      throw refuseBody([{ message, where: { field: "dpi" } }]);
    }
    return writeDensePng(await document.paint(0, size), dpi);
  });
}

async function renderIn(folder: string, order: RenderOrder, ports: RenderPorts): Promise<Rendered> {
  const { signal } = ports;
  const opened = await openOrder(folder, order, ports);
  const drawn = await planOrder(opened, toRowsByLine(order), ports);
  const { options, records } = drawn;
  signal.throwIfAborted();
  const file = path.join(folder, "labels.pdf");
  const written = await writeSheets(options, records, file, { signal });
  signal.throwIfAborted();
  const { volumes, cells } = written;
  const own = records.flatMap(({ key, copies }) =>
    copies === undefined ? [] : [[key, copies] as const],
  );
  const copies = own.length === 0 ? undefined : new Map(own);
  const proof = await proveSheets({ options, volumes, cells, copies });
  refuseUnproven(proof);
  signal.throwIfAborted();
  const pdf = new Uint8Array(await readFile(file));
  const bytes = order.format === "pdf" ? pdf : await toPicture(pdf, { options, cells }, order.dpi);
  signal.throwIfAborted();
  const warnings = new Set([
    ...drawn.warnings,
    ...written.warnings,
    ...written.press.map(sayPressWarning),
    ...proof.findings.map(({ message }) => message),
  ]);
  return {
    format: order.format,
    bytes,
    sha256: sha256(bytes),
    proof: {
      pages: proof.pages,
      codes: proof.codes,
      decoded: proof.decoded,
      symbols: proof.symbols,
      module_mm: written.xMm,
      device_dpi: options.deviceDpi ?? null,
      ready_for_press:
        proof.readyForPress && !records.some(({ payload }) => isLoopbackUrl(payload)),
      warnings: Array.from(warnings, withoutFonts),
      cells: toCells(cells),
    },
  };
}

const toCells = (cells: WrittenSheets["cells"]): RenderedCell[] =>
  cells
    .filter(({ symbol }) => symbol === undefined)
    .map(({ key, page, row, column, payloadHash }) => ({
      row: Number(key),
      page,
      at: [row, column],
      sha256: payloadHash,
    }));

/**
 * Renders an order. Throws `row-invalid` with every problem where it can't be, and the signal's
 * reason when the client has gone. Nothing of it stays on the disk.
 */
export async function renderSheets(order: RenderOrder, ports: RenderPorts): Promise<Rendered> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "makeready-render-"));
  try {
    await mkdir(path.join(folder, "out"));
    return await renderIn(folder, order, ports);
  } catch (error) {
    throw withoutFolder(refuseAsSent(error), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
