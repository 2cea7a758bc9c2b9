/** Rows of a job, kept between previews until the spreadsheet changes. */
import path from "node:path";

import { closing } from "../../base/flow/closing.ts";
import { stampOf } from "../../read/source.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { checkTemplates } from "../../job/template/column-uses.ts";
import {
  parseTemplate,
  placeholdersOf,
  type TemplateContext,
} from "../../job/template/template.ts";
import { AppError } from "../../base/errors.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import type { Ports } from "../ports.ts";
import { openRows } from "../source/source.ts";
import { pickLongest } from "./pick-rows.ts";

/** As many labels as one PDF of sheets holds; later rows are read when they are needed. */
const KEPT = 10_000;

export interface ShelvedRows {
  /** What templates may use: columns of the manifest, and headers that it doesn't describe. */
  readonly names: readonly string[];
  readonly input: { readonly name: string; readonly sha256: string; readonly columns: string[] };
  /** Rows of the spreadsheet. */
  readonly count: number;
  readonly lastLine: number;
  /** All of them, or the first ones. */
  readonly first: readonly SourceRow[];
  /** All of them. */
  rows(): AsyncIterable<SourceRow>;
  /** Lines of those with the longest texts; found once for a job's captions. */
  longest(job: RowJob, context: TemplateContext): Promise<ReadonlySet<number>>;
}

/** What opening rows takes besides the job. */
export interface RowsAccess extends Pick<Ports, "signal" | "clock" | "readStream"> {
  /** Where serials and fetched rows are kept. */
  readonly dataDir: string;
}

async function* readRows(job: RowJob, access: RowsAccess): AsyncGenerator<SourceRow> {
  const source = await openRows(job, access, access);
  try {
    yield* source.rows();
  } finally {
    await source.close();
  }
}

/** Those that are kept, then the others. */
async function* allRows(
  job: RowJob,
  { first, count }: Pick<ShelvedRows, "first" | "count">,
  access: RowsAccess,
): AsyncGenerator<SourceRow> {
  yield* first;
  if (first.length === count) return;
  let read = 0;
  for await (const row of readRows(job, access)) {
    read += 1;
    if (read > first.length) yield row;
  }
}

async function stampsOf({ file, mended }: RowJob["source"]): Promise<string> {
  const files = mended === undefined ? [file] : [file, mended];
  return (await Promise.all(files.map(stampOf))).join(" ");
}

/**
 * The parts of a text that differ from row to row; the fixed parts make no row longer than another.
 */
const toCells = (text: string): readonly unknown[] =>
  placeholdersOf(parseTemplate(text)).map(({ column, filters }) => [column, filters]);

/** Key of texts that have the same longest rows. */
function idOfTexts({ output }: RowJob): unknown {
  const { caption = [], label, back } = output.sheets ?? {};
  const faces = [label, back?.label].map((face) => [
    face?.texts.map(toCells),
    Object.entries(face?.slots ?? {}).map(([name, text]) => [name, toCells(text)]),
  ]);
  return [caption.map(toCells), faces];
}

interface Kept {
  readonly id: string;
  readonly rows: Omit<ShelvedRows, "rows" | "longest">;
}

/** Holds the rows of the job that was looked at last. */
export class RowShelf {
  #kept: Kept | undefined;
  #longest: { readonly id: string; readonly lines: ReadonlySet<number> } | undefined;

  /** Throws what opening the spreadsheet throws, `manifest-invalid` for columns that it lacks. */
  async open(job: RowJob, access: RowsAccess): Promise<ShelvedRows> {
    const id = JSON.stringify([job.source, await stampsOf(job.source)]);
    if (this.#kept?.id !== id) this.#kept = { id, ...(await this.#read(job, access)) };
    const { rows } = this.#kept;
    const problems = checkTemplates(job, rows.names);
    const all = () => allRows(job, rows, access);
    const longest: ShelvedRows["longest"] = (of, context) =>
      this.#findLongest(of, { id, all }, context);
    if (problems.length === 0) return { ...rows, rows: all, longest };
    const message = "the manifest names columns that the spreadsheet doesn't have";
    throw new AppError("manifest-invalid", message, { problems });
  }

  async #findLongest(
    job: RowJob,
    { id: rowsId, all }: { readonly id: string; readonly all: () => AsyncIterable<SourceRow> },
    context: TemplateContext,
  ): Promise<ReadonlySet<number>> {
    const id = JSON.stringify([rowsId, idOfTexts(job)]);
    if (this.#longest?.id !== id) {
      this.#longest = { id, lines: await pickLongest(job, { rows: all }, context) };
    }
    return this.#longest.lines;
  }

  async #read(job: RowJob, access: RowsAccess): Promise<Omit<Kept, "id">> {
    return closing(await openRows(job, access, access), async (source) => {
      const first: SourceRow[] = [];
      let count = 0;
      let lastLine = 0;
      for await (const row of source.rows()) {
        count += 1;
        lastLine = row.line;
        if (first.length < KEPT) first.push(row);
      }
      const input = {
        name: path.basename(source.file),
        sha256: source.sha256,
        columns: [...source.columns],
      };
      return { rows: { names: source.names, input, count, lastLine, first } };
    });
  }
}
