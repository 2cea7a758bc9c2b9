/** Tables as files that are made while they are taken. */
import { makeCsv, type CsvCell } from "../../pack/csv.ts";
import type { Visit } from "../visit.ts";

type Rows = AsyncGenerator<readonly CsvCell[]>;

/** `rows` whose first row was read already. */
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

/** What refuses the first row is thrown: the file would end in the middle. */
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
