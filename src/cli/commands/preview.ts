import { readFile } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { labelFonts, openQrEngine, type QrEngine } from "../../qr/engine.ts";
import { type CliContext, type Input, readFlag, readText } from "../context.ts";
import { PREVIEW_FOLDER } from "../command-options.ts";
import { toShortPath } from "../../base/format-problem.ts";
import { makeView } from "../make-view.ts";
import { openRows } from "../../pipeline/source.ts";
import { openJob } from "../open-job.ts";
import { previewDesign } from "../preview/preview-design.ts";
import { previewRow } from "../preview/preview-row.ts";
import type { Preview } from "../preview/preview.ts";

function readLine(input: Input): number | undefined {
  const row = readText(input, "row");
  if (row !== undefined) {
    throw new AppError("bad-usage", `--row must be written --line, got --row ${row}`, {
      hint: "--line takes a line of the spreadsheet, as messages have it: below a header on line 1, the first row is line 2",
    });
  }
  const text = readText(input, "line");
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new AppError("bad-usage", `--line must be a whole number from 1, got ${text}`);
}

async function preview(context: CliContext, input: Input, engine: QrEngine): Promise<Preview> {
  const folder = path.resolve(context.cwd, readText(input, "out") ?? PREVIEW_FOLDER);
  const name = readText(input, "design");
  if (name !== undefined) return previewDesign(engine, { name, cwd: context.cwd, folder });
  const line = readLine(input);
  // The job's own output folder stays what the manifest says: that is where its state lies.
  const { out: _out, ...options } = input.options;
  const { job, server } = await openJob(context, { ...input, options });
  if (!isRowJob(job)) {
    throw new AppError(
      "bad-usage",
      `preview takes a job that makes codes of rows, got ${job.kind}`,
      {
        where: { file: job.file, field: "kind" },
      },
    );
  }
  if (job.kind === "products" && !job.hasCode) {
    throw new AppError(
      "bad-usage",
      "preview takes a job that makes codes, got products without code",
      {
        where: { file: job.file, field: "code" },
        hint: 'add "code: {}" to make a GS1 code of every product',
      },
    );
  }
  const source = await openRows(job, context, server);
  try {
    return await previewRow(context, engine, { job, server, source, line, folder });
  } finally {
    await source.close();
  }
}

function show(context: CliContext, input: Input, made: Preview): void {
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "summary", ...made })}\n`);
    return;
  }
  const view = makeView(context, input);
  for (const message of made.warnings) view.warning({ message });
  const payload = made.payload === undefined ? [] : [`  says ${JSON.stringify(made.payload)}`];
  const files = made.files.map((file) => `  ${toShortPath(file, context.cwd)}`);
  const notes = made.notes.map((note) => `  ${note}`);
  context.out(`${[made.title, ...payload, ...files, ...notes].join("\n")}\n`);
}

export async function previewJob(context: CliContext, input: Input): Promise<number> {
  const fonts = await Promise.all(labelFonts.map((font) => readFile(font)));
  const engine = await openQrEngine({ fonts });
  try {
    show(context, input, await preview(context, input, engine));
    return 0;
  } finally {
    engine.close();
  }
}
