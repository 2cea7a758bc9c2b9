/** Limits how much is used at once: memory, files, chunks. First come, first served. */
export class Room {
  readonly size: number;
  #taken = 0;
  readonly #waiting: { readonly amount: number; readonly enter: () => void }[] = [];

  constructor(size: number) {
    this.size = size;
  }

  /**
   * Waits for this much room; a request for more than all of it runs alone. Answers the function that
   * gives it back.
   */
  async take(amount: number): Promise<() => void> {
    await new Promise<void>((enter) => {
      this.#waiting.push({ amount, enter });
      this.#letIn();
    });
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#taken -= amount;
      this.#letIn();
    };
  }

  /** Works while holding this much room. */
  async use<Result>(amount: number, work: () => Promise<Result>): Promise<Result> {
    const giveBack = await this.take(amount);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  #letIn(): void {
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      if (this.#taken > 0 && this.#taken + first.amount > this.size) return;
      this.#waiting.shift();
      this.#taken += first.amount;
      first.enter();
    }
  }
}

/** Results in the order of the items, with this many worked on at once. Throws the first error. */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  let next = 0;
  let hasFailed = false;
  const goOn = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      const index = next;
      next += 1;
      try {
        results.set(index, await work(items[index] as Item, index));
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, goOn));
  return items.map((_, index) => results.get(index) as Result);
}
