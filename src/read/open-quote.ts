/** Walks over CSV text as the parser does and remembers where the open quote began. */
class QuoteWalker {
  line = 1;
  openedAt: number | undefined;
  fieldLength = 0;
  /** Characters since the quote opened. */
  length = 0;
  #previous = "";
  readonly #delimiter: string;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  step(character: string, next: string): void {
    if (character === "\n" ? this.#previous !== "\r" : character === "\r") this.line += 1;
    if (this.openedAt !== undefined) this.#stepInside(character, next);
    else this.#stepOutside(character);
    this.#previous = character;
  }

  #stepInside(character: string, next: string): void {
    this.length += 1;
    if (character !== '"') this.fieldLength += 1;
    else if (this.#previous === '"' && this.#isEscaping) this.#isEscaping = false;
    else if (next === '"') this.#isEscaping = true;
    else this.openedAt = undefined;
  }

  #isEscaping = false;

  #stepOutside(character: string): void {
    if (character === this.#delimiter || character === "\n" || character === "\r") {
      this.fieldLength = 0;
    } else if (character === '"' && this.fieldLength === 0) {
      this.openedAt = this.line;
      this.length = 0;
    } else {
      this.fieldLength += 1;
    }
  }
}

/**
 * Line on which a quote opens that is never closed, or stays open for more than `maxLength`
 * characters. Only asked for when the parser has failed on it.
 */
export async function findOpenQuote(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  maxLength: number,
): Promise<number | undefined> {
  const walker = new QuoteWalker(delimiter);
  const decoder = new TextDecoder();
  let pending = "";
  for await (const chunk of chunks) {
    const text = pending + decoder.decode(chunk, { stream: true });
    for (let i = 0; i < text.length - 1; i += 1) {
      walker.step(text.charAt(i), text.charAt(i + 1));
      if (walker.length > maxLength) return walker.openedAt;
    }
    pending = text.slice(-1);
  }
  if (pending !== "") walker.step(pending, "");
  return walker.openedAt;
}
