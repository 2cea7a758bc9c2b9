/** Limits requests under way once a server has shown that it can't take so many. */
const START = Number.POSITIVE_INFINITY;
/** No more than this is ever tried: the queues hold fewer. */
const MOST = 64;

/**
 * How many requests may be under way at a time: additive increase, multiplicative decrease. After
 * trouble (5xx, a broken connection, no answer) a server gets half as many at once; after every
 * round of good answers, one more. Failures of requests that were sent together halve it only once.
 */
export class Width {
  #width = START;
  #good = 0;
  #inFlight = 0;
  #epoch = 0;

  /** Undefined when no more may be sent now; otherwise the caller must call `done`. */
  enter(): { readonly epoch: number } | undefined {
    if (this.#inFlight >= Math.floor(this.#width)) return undefined;
    this.#inFlight += 1;
    return { epoch: this.#epoch };
  }

  /** `none`: it was not sent, or its result says nothing about the server's load. */
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
