const DROPPED_AT_ONCE = 1024;

/** Keys of rows whose files must be fetched: filled while codes are made, and read meanwhile. */
export class ArtworkQueue implements AsyncIterable<string> {
  readonly #keys: string[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  push(key: string): void {
    this.#keys.push(key);
    this.#wake?.();
  }

  /** No more keys will come; readers end when the queue is empty, or at once with `drop`. */
  close(drop = false): void {
    this.#closed = true;
    if (drop) this.#keys.length = 0;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    for (let next = 0; ;) {
      const key = this.#keys[next];
      if (key !== undefined) {
        next += 1;
        // Delivered keys are removed in large steps: removing them one by one costs too much.
        if (next > DROPPED_AT_ONCE) {
          this.#keys.splice(0, next);
          next = 0;
        }
        yield key;
      } else if (this.#closed) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
