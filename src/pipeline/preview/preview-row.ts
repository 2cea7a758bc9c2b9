import path from "node:path";

import { toLevel } from "../../api/design.ts";
import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { LEAST_GRADE } from "../../base/color/contrast.ts";
import { AppError } from "../../base/errors.ts";
import { sayGrade } from "../../base/text/grade-words.ts";
import { sayPressWarning } from "../../base/shapes/press-warning.ts";
import { LookTally, lostLooks, toTemplateFacts, withTemplate } from "../../plan/looks.ts";
import { toRowPlace, toRowWord } from "../../plan/row-place.ts";
import type { Design } from "../../qr/draw/design.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";
import type { QrEngine } from "../../qr/engine.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import type { PlannedRow } from "../../state/row.ts";
import { hasCounters } from "../paper/label-numbers.ts";
import type { Ports } from "../ports.ts";
import { LabelTally, SAMPLE_NUMBERS } from "./label-tally.ts";
import { type Preview, sayLeastSize } from "./preview.ts";
import {
  findRow,
  type Living,
  openLiving,
  planRow,
  readContext,
  readEarlier,
  readPayload,
  type RowRequest,
  sampleSheetOptions,
  writeLabel,
} from "./sample-rows.ts";

/** Ink that is lost or spreads, as shares of a module. */
const GAIN = 0.1;

/** What verifiers are expected to say of a code, as drawn and with ink that is lost or spreads (docs/grades.md). */
async function predictGrades(
  engine: QrEngine,
  payload: string,
  design: Design,
): Promise<{ readonly note: string; readonly warnings: string[] }> {
  const drawn = await engine.predictGrade(payload, design);
  const lost = await engine.predictGrade(payload, design, { gain: -GAIN });
  const spread = await engine.predictGrade(payload, design, { gain: GAIN });
  const note = `predicted grade ${sayGrade(drawn)} as drawn, ${sayGrade(lost)} with ink a tenth of a module narrower, ${sayGrade(spread)} with ink a tenth wider`;
  const poor = [drawn, lost, spread].find(({ grade }) => grade < LEAST_GRADE);
  if (poor === undefined) return { note, warnings: [] };
  return {
    note,
    warnings: [
      `the predicted grade falls to ${sayGrade(poor)}: verifiers ask for ${LEAST_GRADE} or more`,
    ],
  };
}

/** What a preview gets from outside. */
export interface PreviewPorts extends Pick<Ports, "clock" | "writer" | "server" | "commandOf"> {
  readonly engine: QrEngine;
  /** The design of a code as its server will draw it, and the parts that only the server knows. */
  readonly readDesign: (
    engine: QrEngine,
    wished: PlannedRow["wanted"]["design"],
    level: QrLevel,
    logos: ReadonlyMap<string, string>,
  ) => Promise<{ readonly design: Design; readonly warnings: readonly string[] }>;
}

const PNG_WIDTH_PX = 1000;

/** The parts of the code that its label doesn't show. */
async function findPlain(
  { output }: RowRequest["job"],
  { key, wanted }: PlannedRow,
  { server }: PreviewPorts,
): Promise<string[]> {
  if (output.sheets === null) return [];
  const { template: name } = wanted.design;
  const listed = name === undefined ? [] : await server.templates();
  const template = listed.find(({ id, title }) => id === name || title === name);
  const design = withTemplate(wanted.design, template && toTemplateFacts(template));
  const tally = new LookTally(output.sheets);
  tally.add(key, lostLooks(design, output.sheets));
  return tally.list().map(sayPressWarning);
}

/** What can't be printed of a row is named by its place, as a plan names it. */
function placeFault(error: unknown, { source }: RowRequest["job"], row: SourceRow): never {
  const isOfRow =
    error instanceof AppError &&
    error.code === "layout-impossible" &&
    error.where === undefined &&
    error.message.startsWith("row ");
  if (!isOfRow) throw error;
  const { code, message, problems } = error;
  const ways = [error, ...problems].flatMap(({ hint }) => hint ?? []);
  const [hint = "mend the row, then preview it again"] = ways;
  throw new AppError(code, message, {
    where: toRowPlace(source, row),
    hint,
    problems,
    cause: error,
  });
}

const findNoLabel = ({ output }: RowRequest["job"], { placing }: PlannedRow): string[] =>
  output.sheets !== null && placing.copies === 0
    ? ["this row gets no label, since its copies are 0: the label is drawn as if it got one"]
    : [];

/** Counts the labels of a job whose labels have counters. Sheets that can't be made are refused later. */
async function openTally(request: RowRequest, createdAt: string): Promise<LabelTally | undefined> {
  const options = await sampleSheetOptions(request, createdAt).catch(() => undefined);
  if (options === undefined || !hasCounters(options)) return undefined;
  return new LabelTally(options, request.job, request.server.dataDir);
}

interface Found {
  readonly found: SourceRow;
  readonly context: Awaited<ReturnType<typeof readContext>>;
  readonly living: Living;
  readonly createdAt: string;
}

/** The row as it is planned behind those before it, and what counters on its label show. */
async function planAmong(request: RowRequest, { found, createdAt, ...planning }: Found) {
  const { job, source } = request;
  const tally = await openTally(request, createdAt);
  const earlier = await readEarlier(job, source, {
    ...planning,
    line: found.line,
    onGood: (good, before) => tally?.add(good, before),
  });
  const planned = await planRow(job, found, { ...planning, earlier });
  const { row } = planned;
  const says = readPayload(request, row, planning.living.made(row.key));
  const counts = tally?.countsUpTo(tally.add(row, found));
  const notes = tally !== undefined && counts === undefined ? [SAMPLE_NUMBERS] : [];
  return { ...planned, says, counts, notes };
}

/**
 * One row's code as SVG and PNG and, where the job prints, its label on a sheet. Asks no server.
 *
 * Throws `bad-usage` for a row that isn't there, `row-invalid` and `design-invalid` for one that
 * can't be made.
 */
export async function previewRow(asked: RowRequest, ports: PreviewPorts): Promise<Preview> {
  const { job, source, folder } = asked;
  const { engine } = ports;
  const found = await findRow(source, asked.line);
  const context = await readContext(job, ports);
  const living = await openLiving(ports, asked);
  const request = { ...asked, server: living.server };
  const createdAt = new Date(ports.clock.nowMs()).toISOString();
  const planned = planAmong(request, { found, context, living, createdAt });
  const { row, warnings: told, logos, says, ...numbers } = await planned.finally(living.close);
  const { payload, warnings: link } = says;
  const { design, warnings: look } = await ports.readDesign(
    engine,
    row.wanted.design,
    toLevel(row.wanted),
    logos,
  );
  const base = path.join(folder, path.basename(row.placing.fileBase));
  const widthPx = Math.max(PNG_WIDTH_PX, design.sizePx, engine.leastWidthPx(payload, design));
  const svg = engine.svg(payload, design);
  const png = await engine.png(payload, design, { widthPx });
  const { errorCorrection: level } = design;
  const scan = engine
    .scanWarnings(payload, design, { widthPx })
    // The plan's warnings name the same colours, and what to do.
    .filter((warning) => !told.some((planned) => planned.startsWith(warning)));
  const grades = await predictGrades(engine, payload, design);
  const plain = await findPlain(job, row, ports);
  // What may be refused comes first: a preview that fails leaves no file.
  const label = await writeLabel(
    request,
    { row, payload, design, drawn: { level, minVersion: 1 }, counts: numbers.counts },
    { file: `${base}.pdf`, createdAt },
  ).catch((error: unknown) => placeFault(error, job, found));
  await writeFileAtomic(`${base}.svg`, svg);
  await writeFileAtomic(`${base}.png`, png);
  return {
    title: `${toRowWord(job.source)} ${found.line}: ${row.wanted.displayName}`,
    payload,
    files: [`${base}.svg`, `${base}.png`, ...label.files],
    notes: [
      ...sayLeastSize(design, engine.leastSize(payload, design)),
      grades.note,
      ...numbers.notes,
    ],
    warnings: [
      ...findNoLabel(job, row),
      ...label.warnings,
      ...link,
      ...look,
      ...told,
      ...scan,
      ...plain,
      ...grades.warnings,
    ],
  };
}
