import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { didYouMean } from "../../base/suggest.ts";
import type { LabelSheet } from "../../print/label-sheet.ts";
import { listSheets, loadSheet } from "../../print/sheet-files.ts";
import { writeAlignmentPage } from "../../print/sheets.ts";
import { readFlag, readText, type CliContext, type Command, type Input } from "../context.ts";

const sizeOf = ({ label }: LabelSheet): string =>
  label.shape === "round" ? `${label.widthMm} mm round` : `${label.widthMm} x ${label.heightMm} mm`;

function toLine(sheet: LabelSheet): string {
  const { name, columns, rows, status } = sheet;
  const up = String(columns * rows).padStart(3);
  return `${name.padEnd(26)} ${up}-up  ${columns} x ${rows}  ${sizeOf(sheet).padEnd(22)} ${status}\n`;
}

/** A gap that is binary dust is none. */
const gap = (pitchMm: number, sizeMm: number): number => Math.round((pitchMm - sizeMm) * 1e3) / 1e3;

function describe(sheet: LabelSheet): string {
  const { page, label, columns, rows } = sheet;
  const facts: readonly (readonly [string, string])[] = [
    ["stock", sheet.stock === "plain" ? "plain, cut along marks" : "pre-cut labels"],
    ["page", `${page.name}, ${page.widthMm} x ${page.heightMm} mm`],
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
    ["status", sheet.status],
    ["note", sheet.note],
  ];
  const lines = facts
    .filter(([, says]) => says !== "")
    .map(([name, says]) => `  ${name.padEnd(12)} ${says}`);
  return `${[`${sheet.name}: ${sheet.title}`, ...lines].join("\n")}\n`;
}

async function list(context: CliContext, input: Input): Promise<void> {
  for (const sheet of await listSheets()) {
    context.out(readFlag(input, "json") ? `${JSON.stringify(sheet)}\n` : toLine(sheet));
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

async function loadNamed(context: CliContext, { argument, second }: Input): Promise<LabelSheet> {
  if (second === undefined) {
    throw new AppError("bad-usage", `sheets ${argument} must name a sheet, got none`, {
      hint: "makeready sheets lists them; a .json file of your own works, too",
    });
  }
  return loadSheet(second, context.cwd);
}

const actions: ReadonlyMap<string, (context: CliContext, input: Input) => Promise<void>> = new Map([
  ["list", list],
  ["show", show],
  ["align", align],
]);

export const sheets: Command = {
  name: "sheets",
  summary: "list the label sheets, show one, or print a page to align a printer with",
  argument: {
    name: "action",
    says: "`list` (when left out), `show` a sheet's geometry and where it is from, or `align`: write its outlines with rulers",
    required: false,
  },
  second: { name: "sheet", says: "name of a sheet, or a .json file of your own", required: false },
  options: [
    { flags: "--out <file>", says: "PDF that `align` writes; default: align-NAME.pdf" },
    { flags: "--json", says: "one JSON object per sheet on standard output" },
  ],
  examples: [
    "makeready sheets show avery-l7159",
    "makeready sheets align avery-l7159 --out align.pdf",
  ],
  exits: [],
  async run(context, input) {
    const name = input.argument ?? "list";
    const action = actions.get(name);
    if (action === undefined) {
      throw new AppError(
        "bad-usage",
        `action must be one of ${[...actions.keys()].join(", ")}, got ${JSON.stringify(name)}`,
        { hint: didYouMean(name, [...actions.keys()]) },
      );
    }
    await action(context, input);
    return 0;
  },
};
