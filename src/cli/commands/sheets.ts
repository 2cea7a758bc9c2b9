import { writeFile } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { formatMany } from "../../base/words.ts";
import { sayPressWarning } from "../../base/press-warning.ts";
import type { LabelSheet } from "../../print/layout/label-sheet.ts";
import { findContinuousRoll, sayContinuousRoll } from "../../print/layout/continuous-rolls.ts";
import { findSheets, type FoundSheet } from "../../print/layout/find-sheets.ts";
import { listSheets, loadSheet } from "../../print/layout/sheet-files.ts";
import { drawSheetFile } from "../../print/draw/sheet-picture.ts";
import { writeAlignmentPage } from "../../print/sheets.ts";
import { toSlug } from "../../base/slug.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { readLabelTemplates } from "../../job/output/label.ts";
import { readFlag, readList, readText, type CliContext, type Input } from "../context.ts";
import { toShortPath } from "../../base/format-problem.ts";
import { makeView } from "../make-view.ts";
import { readRanges } from "../../base/number-ranges.ts";
import { refuseOtherAddress } from "../../pipeline/public-address.ts";
import { openRows } from "../../pipeline/source.ts";
import { makePorts, openJob } from "../open-job.ts";
import { runAction, type Action } from "../run-command.ts";

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

/** A gap that is binary dust is none. */
const gap = (pitchMm: number, sizeMm: number): number => Math.round((pitchMm - sizeMm) * 1e3) / 1e3;

function describe(sheet: LabelSheet): string {
  const { page, paper, label, columns, rows } = sheet;
  const facts: readonly (readonly [string, string])[] = [
    ["stock", sheet.stock === "plain" ? "plain, cut along marks" : "pre-cut labels"],
    ["page", `${page.name}, ${page.widthMm} x ${page.heightMm} mm`],
    ["paper", paper === undefined ? "" : `${paper.name}, ${paper.widthMm} x ${paper.heightMm} mm`],
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
  const lines = facts
    .filter(([, says]) => says !== "")
    .map(([name, says]) => `  ${name.padEnd(12)} ${says}`);
  return `${[`${sheet.name}: ${sheet.title}`, ...lines].join("\n")}\n`;
}

/** All behind the action: a name may be typed in several words. */
const wordsOf = ({ others = [] }: Input): string => others.join(" ").trim();

async function list(context: CliContext, input: Input): Promise<number> {
  const sheets = await listSheets();
  const words = wordsOf(input);
  const found = findSheets(sheets, words);
  for (const one of found) {
    context.out(readFlag(input, "json") ? `${JSON.stringify(one.sheet)}\n` : toLine(one));
  }
  if (found.length > 0) return 0;
  const rollMm = findContinuousRoll(words);
  throw new AppError(
    "sheet-unknown",
    `words must fit one of the ${sheets.length} label sheets, got ${JSON.stringify(words)}`,
    {
      hint:
        rollMm === undefined
          ? "maker, number, page, size or count, such as: avery 5160, herma a4 24up, 63.5x38.1"
          : sayContinuousRoll(rollMm),
    },
  );
}

/** The page with its labels, as an SVG that a browser shows. */
async function draw(context: CliContext, input: Input): Promise<void> {
  const sheet = await loadNamed(context, input);
  const file = path.resolve(context.cwd, readText(input, "out") ?? `${sheet.name}.svg`);
  const { page, label, columns, rows, perSheet } = sheet;
  const svg = drawSheetFile(sheet, [
    `${sheet.title}: ${perSheet} (${columns} x ${rows}) of ${sizeOf(sheet)} on ${page.name}`,
    `first label ${sheet.leftMm} mm from the left, ${sheet.topMm} mm from the top; gaps ${gap(sheet.pitchXMm, label.widthMm)} and ${gap(sheet.pitchYMm, label.heightMm)} mm`,
    `status: ${statusSays[sheet.status]}`,
  ]);
  await writeFile(file, svg);
  context.out(
    readFlag(input, "json")
      ? `${JSON.stringify({ type: "summary", sheet: sheet.name, file })}\n`
      : `${toShortPath(file, context.cwd)}: ${sheet.title}\n`,
  );
}

/** Templates for what stands on a label, with the texts that a job gives them. */
async function labels(context: CliContext, input: Input): Promise<void> {
  for (const template of await readLabelTemplates()) {
    const { name, title, texts } = template;
    const asked = Object.entries(texts).map(([text, otherwise]) =>
      otherwise === "" ? `${text} (may be left out)` : text,
    );
    context.out(
      readFlag(input, "json")
        ? `${JSON.stringify(template)}\n`
        : `${name.padEnd(16)} ${title}\n${" ".repeat(17)}texts: ${asked.join(", ")}\n`,
    );
  }
}

async function show(context: CliContext, input: Input): Promise<void> {
  const sheet = await loadNamed(context, input);
  context.out(readFlag(input, "json") ? `${JSON.stringify(sheet)}\n` : describe(sheet));
}

async function align(context: CliContext, input: Input): Promise<void> {
  const sheet = await loadNamed(context, input);
  const file = path.resolve(context.cwd, readText(input, "out") ?? `align-${sheet.name}.pdf`);
  const createdAt = new Date(context.clock.nowMs()).toISOString();
  const written = await writeAlignmentPage(sheet, createdAt, file);
  const shown = path.relative(context.cwd, file);
  context.out(
    readFlag(input, "json")
      ? `${JSON.stringify({ type: "summary", sheet: sheet.name, ...written })}\n`
      : `${shown}: print it at 100% on plain paper, hold it against a real sheet, write what you measure into printers.json beside the manifest\n`,
  );
}

async function loadNamed(context: CliContext, input: Input): Promise<LabelSheet> {
  const name = wordsOf(input);
  if (name === "") {
    throw new AppError("bad-usage", `sheets ${input.argument} must name a sheet, got none`, {
      hint: "makeready sheets lists them; a .json file of your own works, too",
    });
  }
  return loadSheet(name, context.cwd);
}

/** The job that an action is about; options that only `run` takes are not asked for. */
async function openSheetJob(context: CliContext, input: Input) {
  if (input.second === undefined) {
    throw new AppError("bad-usage", `sheets ${input.argument} must name a manifest, got none`, {
      hint: `makeready sheets ${input.argument} jobs/table-codes.yaml`,
    });
  }
  if (input.others !== undefined && input.others.length > 1) {
    throw new AppError(
      "bad-usage",
      `sheets ${input.argument} must name one manifest, got ${input.others.join(", ")}`,
    );
  }
  const { out: _out, dir, ...options } = input.options;
  const named = { ...input, options: { ...options, out: dir }, argument: input.second };
  const opened = await openJob(context, named);
  const { job } = opened;
  if (isRowJob(job)) return { opened, job, server: opened.server, named };
  throw new AppError(
    "bad-usage",
    `sheets ${input.argument} must have a job with rows, got ${job.kind}`,
  );
}

/** Rows were counted by reprints and proofs, lines by all else: the wrong label was printed. */
function refuseRows(input: Input): void {
  const rows = readText(input, "rows");
  if (rows === undefined) return;
  throw new AppError("bad-usage", `--rows must be written --lines, got --rows ${rows}`, {
    hint: "--lines takes lines of the spreadsheet, as messages, index.csv and failed-rows.csv have them: below a header on line 1, the first row is line 2",
  });
}

function readLines(input: Input): ReadonlySet<number> | undefined {
  refuseRows(input);
  const lines = readText(input, "lines");
  return lines === undefined ? undefined : readRanges(lines, "--lines");
}

type Reprinted = Awaited<ReturnType<Awaited<ReturnType<typeof openSheetJob>>["opened"]["reprint"]>>;

function toVerdict({ isReady, isRehearsal, warnings }: Reprinted): string {
  if (isRehearsal) return "not ready for press: a rehearsal, the codes point to this computer";
  if (!isReady) return "not ready for press";
  return warnings.length === 0
    ? "ready for press"
    : `ready for press, with ${formatMany(warnings.length, "warning")}`;
}

async function printAgain(context: CliContext, input: Input): Promise<number> {
  const { opened, job, named } = await openSheetJob(context, input);
  const [sheets, start, out] = ["sheets", "start", "out"].map((name) => readText(input, name));
  const [lines, keys] = [readLines(input), readList(input, "key")];
  if ((sheets === undefined) === (lines === undefined && keys.length === 0)) {
    throw new AppError(
      "bad-usage",
      "sheets reprint needs to know what to print again: --sheets, or labels by --lines and --key",
      { hint: "one label: --key KEY or --lines 7; whole sheets: --sheets 3; see --help" },
    );
  }
  const ports = makePorts(context, makeView(context, input), named);
  const made = await opened.reprint(ports, {
    sheets: sheets === undefined ? undefined : readRanges(sheets, "--sheets"),
    lines,
    keys,
    by: context.user,
    start: start === undefined ? undefined : [...readRanges(start, "--start")][0],
    from: readText(input, "from"),
    file: out === undefined ? undefined : path.resolve(context.cwd, out),
  });
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "summary", ...made })}\n`);
  } else {
    const files = made.files.map((file) => `  ${toShortPath(file, context.cwd)}\n`);
    const findings = made.findings.map(({ rule, message }) => `  ${rule}: ${message}\n`);
    const warnings = made.warnings.map((warning) => `  warning: ${sayPressWarning(warning)}\n`);
    context.out(
      `${job.name}: ${formatMany(made.codes, "code")} on ${formatMany(made.pages, "page")} printed again, ${made.decoded} read back\n${[...files, ...findings, ...warnings].join("")}${toVerdict(made)}\n`,
    );
  }
  const isProven = made.findings.length === 0 && made.decoded === made.codes;
  return isProven ? 0 : new AppError("verify-failed", "").exitCode;
}

const describeLabels = ({ labels, picked }: WrittenProof): string =>
  `${labels} labels${picked === "longest" ? " with the longest captions" : ""}`;

async function proof(context: CliContext, input: Input): Promise<number> {
  const lines = readLines(input);
  const { job, server, named } = await openSheetJob(context, input);
  const view = makeView(context, input);
  refuseOtherAddress(server, makePorts(context, view, named));
  const source = await openRows(job, context, server);
  try {
    const file = path.resolve(
      context.cwd,
      readText(input, "out") ?? `proof-${toSlug(job.name)}.pdf`,
    );
    const made = await proveForApproval(context, { job, server, source, lines, file });
    for (const message of made.warnings) view.warning({ message });
    context.out(
      readFlag(input, "json")
        ? `${JSON.stringify({ type: "summary", ...made })}\n`
        : `${toShortPath(file, context.cwd)}: ${describeLabels(made)} on ${made.pages} pages, to be signed by the customer\n`,
    );
    return 0;
  } finally {
    await source.close();
  }
}

const actions = new Map<string, Action>([
  ["list", list],
  ["show", show],
  ["draw", draw],
  ["align", align],
  ["labels", labels],
  ["proof", proof],
  ["reprint", printAgain],
]);

export const sheets = (context: CliContext, input: Input): Promise<number> =>
  runAction(actions, context, input);
