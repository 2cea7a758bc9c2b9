/** Times that are out of order by less than this were given to creates at the same time, ms. */
const AT_ONCE_MS = 10_000;

/**
 * Whether a list goes from new to old, as far as it was read: only then does an old code say that no
 * new ones follow. A list of unknown order counts as unsorted.
 */
export class ListOrder {
  #firstMs = Number.NaN;
  #lastMs = Number.NaN;
  #oldestMs = Number.POSITIVE_INFINITY;
  #isMixed = false;

  /** Takes the next time of the list; ignores one that can't be read. */
  see(createdMs: number): void {
    if (Number.isNaN(createdMs)) return;
    if (Number.isNaN(this.#firstMs)) this.#firstMs = createdMs;
    if (createdMs > this.#oldestMs + AT_ONCE_MS) this.#isMixed = true;
    this.#oldestMs = Math.min(createdMs, this.#oldestMs);
    this.#lastMs = createdMs;
  }

  get isNewestFirst(): boolean {
    return !this.#isMixed && this.#lastMs < this.#firstMs;
  }

  /** True when only older codes can follow. */
  isPast(sinceMs: number): boolean {
    return this.isNewestFirst && this.#lastMs < sinceMs;
  }
}
