/** A text that comes in pieces, as a body. */
export function toStream(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
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
