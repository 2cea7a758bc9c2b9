import { writeFile } from "node:fs/promises";
import path from "node:path";

import { makeFolder } from "../../base/files/make-folder.ts";
import { closing } from "../../base/flow/closing.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import { formatMany } from "../../base/text/words.ts";
import type { LabelSheet } from "../../print/layout/label-sheet.ts";
import { findContinuousRoll, sayContinuousRoll } from "../../print/layout/continuous-rolls.ts";
import { printerFields } from "../../print/layout/calibration.ts";
import { findSheets, type FoundSheet } from "../../print/layout/find-sheets.ts";
import { listSheets, loadSheet } from "../../print/layout/sheet-files.ts";
import { drawSheetFile } from "../../print/draw/sheet-picture.ts";
import { writeAlignmentPage } from "../../print/sheets.ts";
import { toSlug } from "../../base/text/slug.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { readLabelTemplates } from "../../job/output/label.ts";
import { findAction, type Actions, type Call } from "../call.ts";
import { readDataDir, readWhole } from "../settings.ts";
import { toShortPath } from "../../base/text/format-problem.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { readRanges } from "../../base/text/number-ranges.ts";
import { measurePrinter } from "../../pipeline/source/measure-printer.ts";
import { toPdfName } from "../../pipeline/reprint/reprint-from.ts";
import { openJobRows } from "../../pipeline/address/foreign-server.ts";
import { toWarningPort } from "../moved-store.ts";
import { makePorts, openJob, sayInstead } from "../open-job.ts";
import { exitOfReprint, listReprint, sayReprint } from "../views/proof-words.ts";

import type { Ports } from "../../pipeline/ports.ts";
import { proveForApproval, type WrittenProof } from "../../pipeline/preview/approval.ts";

const sizeOf = ({ label }: LabelSheet): string =>
  label.shape === "round" ? `${label.widthMm} mm round` : `${label.widthMm} x ${label.heightMm} mm`;

/** How far the numbers can be trusted. */
const statusSays: Record<LabelSheet["status"], string> = {
  verified: "verified",
  "two-sources": "checked against two sources",
  "one-source": "one source",
  conflicting: "two sources differ",
};

function toLine({ sheet, as }: FoundSheet): string {
  const { name, page, paper, columns, rows, status } = sheet;
  const up = String(columns * rows).padStart(3);
  const also = as === undefined ? "" : `; same as ${as}`;
  return `${name.padEnd(26)} ${up}-up  ${`${columns} x ${rows}`.padEnd(7)}  ${sizeOf(sheet).padEnd(22)} ${(paper ?? page).name.padEnd(7)} ${statusSays[status]}${also}\n`;
}

/** A gap that is only a rounding error counts as none. */
const gap = (pitchMm: number, sizeMm: number): number => Math.round((pitchMm - sizeMm) * 1e3) / 1e3;

function describe(sheet: LabelSheet): string[] {
  const { page, paper, label, columns, rows } = sheet;
  const facts: readonly (readonly [name: string, says: string | undefined])[] = [
    ["stock", sheet.stock === "plain" ? "plain, cut along marks" : "pre-cut labels"],
    ["page", `${page.name}, ${page.widthMm} x ${page.heightMm} mm`],
    ["paper", paper && `${paper.name}, ${paper.widthMm} x ${paper.heightMm} mm`],
    ["labels", `${columns} x ${rows} = ${sheet.perSheet}`],
    ["size", `${sizeOf(sheet)}, corners of ${label.cornerRadiusMm} mm`],
    ["first label", `${sheet.leftMm} mm from the left, ${sheet.topMm} mm from the top`],
    ["pitch", `${sheet.pitchXMm} mm across, ${sheet.pitchYMm} mm down`],
    [
      "gaps",
      `${gap(sheet.pitchXMm, label.widthMm)} mm across, ${gap(sheet.pitchYMm, label.heightMm)} mm down`,
    ],
    ["same as", sheet.sameAs.join(", ")],
    ["origin", sheet.origin],
    ["status", statusSays[sheet.status]],
    ["note", sheet.note],
  ];
  const lines = facts.map(([name, says = ""]) => says !== "" && `  ${name.padEnd(12)} ${says}`);
  return linesOf(`${sheet.name}: ${sheet.title}`, ...lines);
}

/** All behind the action: a name may be typed in several words. */
const wordsOf = ({ input }: Call): string => (input.others ?? []).join(" ").trim();

async function list(call: Call): Promise<void> {
  const sheets = await listSheets();
  const words = wordsOf(call);
  const found = findSheets(sheets, words);
  for (const one of found) {
    call.context.out(call.isJson ? `${JSON.stringify(one.sheet)}\n` : toLine(one));
  }
  if (found.length > 0) return;
  const rollMm = findContinuousRoll(words);
  const hint =
    rollMm === undefined
      ? "maker, number, page, size or count, such as: avery 5160, herma a4 24up, 63.5x38.1"
      : sayContinuousRoll(rollMm);
  const rule = `words must fit one of the ${sheets.length} label sheets`;
  throw new AppError("sheet-unknown", `${rule}, got ${JSON.stringify(words)}`, { hint });
}

/** The page with its labels, as an SVG that a browser shows. */
async function draw(call: Call): Promise<void> {
  const sheet = await loadNamed(call);
  const file = call.file("out") ?? call.resolve(`${sheet.name}.svg`);
  const { page, label, columns, rows, perSheet } = sheet;
  const svg = drawSheetFile(sheet, [
    `${sheet.title}: ${perSheet} (${columns} x ${rows}) of ${sizeOf(sheet)} on ${page.name}`,
    `first label ${sheet.leftMm} mm from the left, ${sheet.topMm} mm from the top; gaps ${gap(sheet.pitchXMm, label.widthMm)} and ${gap(sheet.pitchYMm, label.heightMm)} mm`,
    `status: ${statusSays[sheet.status]}`,
  ]);
  await makeFolder(path.dirname(file));
  await writeFile(file, svg);
  const shown = toShortPath(file, call.context.cwd);
  call.tell("summary", { sheet: sheet.name, file }, `${shown}: ${sheet.title}`);
}

/** Label templates, with the texts that a job gives them. */
async function labels(call: Call): Promise<void> {
  for (const template of await readLabelTemplates()) {
    const { name, title, texts } = template;
    const asked = Object.entries(texts).map(([text, otherwise]) =>
      otherwise === "" ? `${text} (may be left out)` : text,
    );
    const says = `${name.padEnd(16)} ${title}\n${" ".repeat(17)}texts: ${asked.join(", ")}\n`;
    call.context.out(call.isJson ? `${JSON.stringify(template)}\n` : says);
  }
}

async function show(call: Call): Promise<void> {
  const sheet = await loadNamed(call);
  if (call.isJson) call.context.out(`${JSON.stringify(sheet)}\n`);
  else call.say(...describe(sheet));
}

async function align(call: Call): Promise<void> {
  const { cwd, clock } = call.context;
  const sheet = await loadNamed(call);
  const file = call.fileToWrite("out") ?? call.resolve(`align-${sheet.name}.pdf`);
  const createdAt = new Date(clock.nowMs()).toISOString();
  const written = await writeAlignmentPage(sheet, createdAt, file);
  call.tell(
    "summary",
    { sheet: sheet.name, ...written },
    `${path.relative(cwd, file)}: print it at 100% on plain paper, hold it against a real sheet, then note what you measure: makeready sheets measure JOB NAME offset_x_mm=0.4`,
  );
}

async function loadNamed(call: Call): Promise<LabelSheet> {
  const name = wordsOf(call);
  if (name === "") {
    throw badUsage(
      `sheets ${call.input.argument} must name a sheet, got none`,
      "makeready sheets lists them; a .json file of your own works, too",
    );
  }
  return loadSheet(name, call.context.cwd);
}

/** The job that an action is about; options that only `run` takes are not asked for. */
async function openSheetJob(call: Call, port?: Ports["server"]) {
  const { argument: action, second: manifest, others = [], options } = call.input;
  if (manifest === undefined) {
    throw badUsage(
      `sheets ${action} must name a manifest, got none`,
      `makeready sheets ${action} jobs/table-codes.yaml`,
    );
  }
  if (others.length > 1) {
    throw badUsage(`sheets ${action} must name one manifest, got ${others.join(", ")}`);
  }
  const { out: _out, dir, ...more } = options;
  const named = call.with({ options: { ...more, out: dir }, argument: manifest });
  const opened = await openJob(named, port);
  const { job, server } = opened;
  const made = makePorts(named);
  const ports = port === undefined ? made : { ...made, server: port };
  if (isRowJob(job)) return { opened, job, server, ports };
  throw badUsage(
    `sheets ${action} must have a job with rows, got ${job.kind}`,
    sayInstead(job, ports),
  );
}

function readNumbers(call: Call, name: string): ReadonlySet<number> | undefined {
  const text = call.text(name);
  return text === undefined ? undefined : readRanges(text, `--${name}`);
}

function readLines(call: Call): ReadonlySet<number> | undefined {
  const takes = "lines of the spreadsheet, as messages, index.csv and failed-rows.csv have them";
  call.refuseOld("rows", "lines", takes);
  return readNumbers(call, "lines");
}

async function printAgain(call: Call): Promise<number> {
  const { opened, job, ports } = await openSheetJob(call);
  const { cwd, user: by } = call.context;
  const [lines, keys, sheets] = [readLines(call), call.list("key"), readNumbers(call, "sheets")];
  const wantsLabels = lines !== undefined || keys.length > 0;
  const start = readWhole(call.given("start"), { least: 1 });
  const named = call.text("from");
  if (sheets !== undefined && wantsLabels) {
    throw badUsage(
      "sheets reprint must be given --sheets, or --lines and --key, got both",
      "whole sheets: only --sheets; single labels: only --lines and --key",
    );
  }
  if (sheets !== undefined && start !== undefined) {
    throw badUsage(
      "--start must be given with --lines or --key, got --sheets: a whole sheet is printed as it lay",
      "leave --start out, or name single labels by --lines or --key",
    );
  }
  if (sheets === undefined && !wantsLabels) {
    throw badUsage(
      "sheets reprint needs to know what to print again: --sheets, or labels by --lines and --key",
      "one label: --key KEY or --lines 7; whole sheets: --sheets 3; see --help",
    );
  }
  const from = named && toPdfName(named, { dir: job.output.dir, cwd });
  const request = { sheets, lines, keys, by, start, from, file: call.fileToWrite("out") };
  const made = await opened.reprint(ports, request);
  const { files, nextCell } = made;
  const said = linesOf(
    `${job.name}: ${sayReprint(made)}`,
    ...files.map((file) => `  ${toShortPath(file, cwd)}`),
    nextCell !== undefined && `  the next job on such sheets begins at cell ${nextCell}`,
    ...listReprint(made),
  );
  call.tell("summary", made, ...said);
  return exitOfReprint(made);
}

/** `offset_x_mm=0.4` */
function readMeasure(word: string): readonly [field: string, value: number] {
  const [field = "", text = ""] = word.split("=");
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (printerFields.some((one) => one === field) && Number.isFinite(value)) return [field, value];
  throw badUsage(
    `a measure must be a field and a number, got ${word}`,
    `for example offset_x_mm=0.4; fields: ${printerFields.join(", ")}`,
  );
}

async function measure(call: Call): Promise<void> {
  const { clock, env } = call.context;
  const [manifest, printer, ...words] = call.input.others ?? [];
  if (manifest === undefined || printer === undefined || printer.includes("=")) {
    throw badUsage(
      "sheets measure must name a manifest and a printer",
      "makeready sheets measure jobs/table-codes.yaml office offset_x_mm=0.4",
    );
  }
  const measures = Object.fromEntries(words.map(readMeasure));
  const world = { clock, env, dataDir: readDataDir(call), server: toWarningPort(call) };
  await measurePrinter(call.resolve(manifest), { printer, measures }, world);
  call.tell(
    "summary",
    { file: call.resolve(manifest), printer, measures },
    `${manifest}: corrects the printer ${printer} of printers.json; the next run makes its sheets anew`,
  );
}

const describeLabels = ({ labels, picked }: WrittenProof): string =>
  `${formatMany(labels, "label")}${picked === "longest" ? " with the longest captions" : ""}`;

async function proof(call: Call): Promise<void> {
  const lines = readLines(call);
  const { job, server, ports } = await openSheetJob(call, toWarningPort(call));
  await closing(await openJobRows({ job, server }, ports), async (source) => {
    const file = call.fileToWrite("out") ?? call.resolve(`proof-${toSlug(job.name)}.pdf`);
    const made = await proveForApproval(ports, { job, server, source, lines, file });
    for (const message of made.warnings) call.view.warning({ message });
    const shown = toShortPath(file, call.context.cwd);
    const says = `${describeLabels(made)} on ${formatMany(made.pages, "page")}, to be signed by the customer`;
    call.tell("summary", made, `${shown}: ${says}`);
  });
}

const actions: Actions<(call: Call) => Promise<number | void>> = {
  list,
  show,
  draw,
  align,
  measure,
  labels,
  proof,
  reprint: printAgain,
};

export const sheets = (call: Call): Promise<number | void> =>
  findAction(call, actions, "label sheets")(call);
