/**
 * Lets a bounded number of works run at the same time, in all and of one sender; the others wait in
 * the order in which they came. For works that hold much memory.
 */
export interface TurnRules {
  readonly most: number;
  readonly mostOfOne: number;
  /** So many may wait; more are turned away. */
  readonly mostWaiting: number;
}

interface Waiting {
  readonly key: string;
  readonly start: () => void;
}

export class Turns {
  readonly #rules: TurnRules;
  readonly #running = new Map<string, number>();
  #count = 0;
  #waiting: Waiting[] = [];

  constructor(rules: TurnRules) {
    this.#rules = rules;
  }

  /** Runs `work` when it is its turn; undefined without running it when too many wait. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isFree(key)) {
      if (this.#waiting.length >= this.#rules.mostWaiting) return undefined;
      await new Promise<void>((start) => this.#waiting.push({ key, start }));
    } else {
      this.#add(key, 1);
    }
    try {
      return await work();
    } finally {
      this.#add(key, -1);
      this.#startNext();
    }
  }

  #isFree(key: string): boolean {
    const { most, mostOfOne } = this.#rules;
    return this.#count < most && (this.#running.get(key) ?? 0) < mostOfOne;
  }

  #add(key: string, change: 1 | -1): void {
    this.#count += change;
    const running = (this.#running.get(key) ?? 0) + change;
    if (running === 0) this.#running.delete(key);
    else this.#running.set(key, running);
  }

  #startNext(): void {
    const next = this.#waiting.findIndex(({ key }) => this.#isFree(key));
    const [waiting] = next < 0 ? [] : this.#waiting.splice(next, 1);
    if (waiting === undefined) return;
    // Taken here, so that nobody comes in between.
    this.#add(waiting.key, 1);
    waiting.start();
  }
}
