import path from "node:path";

import { AppError, type Problem } from "../../base/errors.ts";
import { PLAIN_SOURCE, type JobSource } from "../../job/job.ts";
import { profileSource } from "../../read/profile.ts";
import { openSource } from "../../read/source.ts";
import { formatColumns } from "../columns-view.ts";
import { toPeople } from "../terminal.ts";
import { readFlag, readText, type Input, type CliContext } from "../context.ts";

/** As many as a person reads; the rest is counted. */
const PROBLEMS_KEPT = 1000;

/** A whole number from 1 on, or null when it was not given. */
function readHeaderRow(input: Input): number | null {
  const text = readText(input, "headerRow");
  if (text === undefined) return null;
  if (/^[1-9]\d{0,6}$/u.test(text)) return Number(text);
  throw new AppError("bad-usage", `--header-row must be a whole number from 1, got ${text}`);
}

export async function columns(context: CliContext, input: Input): Promise<number> {
  if (input.argument === undefined)
    throw new AppError("bad-usage", "a file must be named, got none");
  const sheet = readText(input, "sheet") ?? null;
  const meant: JobSource = {
    ...PLAIN_SOURCE,
    file: path.resolve(context.cwd, input.argument),
    sheet: sheet !== null && /^\d+$/u.test(sheet) ? Number(sheet) : sheet,
    headerRow: readHeaderRow(input),
  };
  const source = await openSource(meant, [], context.signal);
  try {
    let rows = 0;
    let found = 0;
    const kept: Problem[] = [];
    const profile = await profileSource(source, (row) => {
      rows += 1;
      found += row.problems.length;
      if (kept.length < PROBLEMS_KEPT) kept.push(...row.problems);
    });
    const { detected, blankRows, warnings } = source;
    const problems = [...warnings, ...kept.slice(0, PROBLEMS_KEPT)];
    const problemCount = warnings.length + found;
    const seen = { detected, rows, blankRows, profile, problems, problemCount };
    const view = { file: input.argument, ...seen };
    if (readFlag(input, "json")) {
      const summary = { ...view, file: source.file, columns: source.columns };
      context.out(`${JSON.stringify({ type: "summary", ...summary })}\n`);
    } else {
      toPeople(context).out(formatColumns(view, context.cwd));
    }
    return 0;
  } finally {
    await source.close();
  }
}
