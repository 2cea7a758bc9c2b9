/** Tables of small files: what a person sees in them is read, refused with its place, or reported. */
import { describe, expect, it } from "vitest";

import { AppError, type Problem } from "../../src/base/errors.ts";
import type { Case } from "./cases/case.ts";
import { formatCases } from "./cases/formats.ts";
import { numberCases } from "./cases/numbers.ts";
import { quoteCases } from "./cases/quotes.ts";
import { foreignCases, shownCases } from "./cases/shown.ts";
import { textCases } from "./cases/texts.ts";
import { usesCases } from "./cases/uses.ts";
import { workbookCases } from "./cases/workbooks.ts";
import { makeSource, openHere, readAll, writeFile, type ReadResult } from "./make-source.ts";

const tables: Readonly<Record<string, readonly Case[]>> = {
  "quotes that don't belong together": quoteCases,
  "numbers as texts": numberCases,
  "number formats": formatCases,
  "what programs show beside": shownCases,
  "files of other programs": foreignCases,
  "columns that templates use": usesCases,
  "texts of CSV": textCases,
  "workbooks of many programs": workbookCases,
};

const isText = (file: string | Uint8Array): boolean =>
  typeof file === "string" || file[0] !== 0x50 || file[1] !== 0x4b;

const showProblem = ({ message, where }: Problem): string =>
  `${where?.line ?? "-"} ${where?.column ?? "-"}: ${message}`;

/** Equal where nothing is expected or found; else each found text holds the expected part. */
function expectParts(found: readonly string[], expected: readonly string[] = []): void {
  expect(
    found.map((text, at) => (text.includes(expected[at] ?? "\n") ? expected[at] : text)),
  ).toEqual(expected);
}

async function read(one: Case): Promise<ReadResult> {
  const name = one.as ?? (isText(one.file) ? "case.csv" : "case.xlsx");
  const source = makeSource(writeFile(name, one.file), one.columns, one.source);
  return readAll(source, one.uses, openHere);
}

async function check(one: Case): Promise<void> {
  const { source, rows } = await read(one);
  const good = rows.filter(({ problems }) => problems.length === 0);
  expectParts(
    rows.flatMap(({ problems }) => problems.map(showProblem)),
    one.refused,
  );
  expectParts(source.warnings.map(showProblem), one.warned);
  const taken = one.taken ?? [];
  expect(good.map(({ values }) => ({ ...values }))).toMatchObject(taken);
  expect(good).toHaveLength(taken.length);
}

async function failureOf(one: Case): Promise<string> {
  try {
    await read(one);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return "read";
}

describe.each(Object.entries(tables))("%s", (_name, cases) => {
  it.each(cases.map((one) => [one.name, one] as const))("%s", async (_case, one) => {
    if (one.fails === undefined) await check(one);
    else expect(await failureOf(one)).toContain(one.fails);
  });
});
