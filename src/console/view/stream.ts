/** Tables as files that are made while they are sent. */
import { makeCsv, type CsvCell } from "../../pack/csv.ts";
import type { Visit } from "../visit.ts";

type Rows = AsyncGenerator<readonly CsvCell[]>;

/** `rows` with the first row already read. */
async function* goOn(
  first: IteratorResult<readonly CsvCell[], unknown>,
  rows: Rows,
): AsyncGenerator<readonly CsvCell[]> {
  if (first.done === true) return;
  yield first.value;
  yield* rows;
}

function toStream(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const text = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await text.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await text.return?.(undefined);
    },
  });
}

/** A refusal of the first row is thrown: otherwise the file would break off. */
export async function replyCsv(
  { c }: Visit,
  name: string,
  table: { readonly header: readonly string[]; readonly rows: Rows },
): Promise<Response> {
  const { header, rows } = table;
  const csv = makeCsv(header, goOn(await rows.next(), rows));
  return c.body(toStream(csv), 200, {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}"`,
  });
}
