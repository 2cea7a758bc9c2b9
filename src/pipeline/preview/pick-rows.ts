/** Chooses the rows that a customer is shown for approval, unless they are named. */
import type { RowJob } from "../../kinds/any-job.ts";
import type { TemplateContext } from "../../job/template/template.ts";
import { AppError } from "../../base/errors.ts";
import { toCaption } from "../../plan/wish.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import type { Source } from "../../read/source.ts";

/** A page of most labels. */
const SHOWN = 12;

interface Candidate {
  readonly line: number;
  readonly length: number;
}

/** The longest of all that were added, longest first; the first of equals. */
class Longest {
  readonly #most: number;
  #kept: Candidate[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(candidate: Candidate): void {
    const last = this.#kept.at(-1);
    const isFull = this.#kept.length === this.#most;
    if (isFull && candidate.length <= (last?.length ?? 0)) return;
    const at = this.#kept.findIndex(({ length }) => length < candidate.length);
    this.#kept.splice(at < 0 ? this.#kept.length : at, 0, candidate);
    this.#kept = this.#kept.slice(0, this.#most);
  }

  get lines(): number[] {
    return this.#kept.map(({ line }) => line);
  }
}

/** Texts of a row's label; undefined for a row that can't be made. */
function toTexts(
  job: RowJob,
  row: SourceRow,
  context: TemplateContext,
): readonly string[] | undefined {
  if (row.problems.length > 0) return undefined;
  try {
    return toCaption(job.output.sheets, row, context);
  } catch (error) {
    if (error instanceof AppError && error.kind === "input") return undefined;
    throw error;
  }
}

/** The first of these rows that a run makes: the longest texts are often those that are refused. */
export async function findGood<T>(
  lines: Iterable<number>,
  find: (line: number) => Promise<T>,
): Promise<T | undefined> {
  for (const line of lines) {
    const found = await find(line).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "row-invalid") throw error;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lines of the rows with the fullest labels: the longest of each text, then the longest in all. */
export async function pickLongest(
  job: RowJob,
  source: Pick<Source, "rows">,
  context: TemplateContext,
): Promise<ReadonlySet<number>> {
  const whole = new Longest(SHOWN);
  const each: Longest[] = [];
  for await (const row of source.rows()) {
    const texts = toTexts(job, row, context);
    if (texts === undefined) continue;
    const lengths = texts.map((text) => Array.from(text).length);
    whole.add({ line: row.line, length: lengths.reduce((sum, length) => sum + length, 0) });
    for (const [at, length] of lengths.entries()) {
      (each[at] ??= new Longest(1)).add({ line: row.line, length });
    }
  }
  const lines = [...each.flatMap((one) => one.lines), ...whole.lines];
  return new Set([...new Set(lines)].slice(0, SHOWN));
}
