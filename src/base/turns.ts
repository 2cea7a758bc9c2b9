/** Works that come at any time and are done one after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Begins when what came before has ended, well or not. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
