/** Requests under way at a time, once a server has shown that it bears fewer. */
const START = Number.POSITIVE_INFINITY;
/** Never more than this is tried again: the queues hold fewer. */
const MOST = 64;

/**
 * How many requests may be under way at a time: additive increase, multiplicative decrease. A server
 * in trouble (5xx, a broken connection, no answer) gets half as many at once; with every round of
 * good answers one more. One round of failures that left together halves it once.
 */
export class Width {
  #width = START;
  #good = 0;
  #inFlight = 0;
  #epoch = 0;

  /** Undefined when no more may leave now; else goes back by `done`. */
  enter(): { readonly epoch: number } | undefined {
    if (this.#inFlight >= Math.floor(this.#width)) return undefined;
    this.#inFlight += 1;
    return { epoch: this.#epoch };
  }

  /** `none`: it never left, or its outcome says nothing of the server's load. */
  done(entry: { readonly epoch: number }, outcome: "good" | "bad" | "none"): void {
    const underWay = this.#inFlight;
    this.#inFlight -= 1;
    if (outcome === "good") this.#widen();
    if (outcome === "bad" && entry.epoch === this.#epoch) this.#halve(underWay);
  }

  #widen(): void {
    if (this.#width > MOST) return;
    this.#good += 1;
    if (this.#good < this.#width) return;
    this.#good = 0;
    this.#width += 1;
  }

  #halve(underWay: number): void {
    this.#epoch += 1;
    this.#good = 0;
    this.#width = Math.max(1, Math.min(this.#width, underWay) / 2);
  }
}
