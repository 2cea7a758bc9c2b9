/** Work that arrives at any time and runs one after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts when the work before has ended, well or not. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
