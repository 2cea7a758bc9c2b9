/**
 * Shares out a limited number of bytes in memory, in total and per sender. When too few are free,
 * work waits; the first that fits goes next, so that long ones don't hold up short ones.
 */
export interface TurnRules {
  readonly bytes: number;
  readonly bytesOfOne: number;
  /** So many may wait; more are turned away. */
  readonly mostWaiting: number;
  readonly mostWaitingOfOne: number;
}

/** What one work holds. */
export interface Turn {
  /** Takes this many more bytes, if they are free. */
  grow(bytes: number): boolean;
  /** May be called twice. */
  end(): void;
}

interface Waiting {
  readonly key: string;
  readonly bytes: number;
  readonly start: (turn: Turn) => void;
}

export class Turns {
  readonly #rules: TurnRules;
  readonly #held = new Map<string, number>();
  #total = 0;
  #waiting: readonly Waiting[] = [];

  constructor(rules: TurnRules) {
    this.#rules = rules;
  }

  /** Undefined when there are too few free bytes. */
  tryTake(key: string, bytes: number): Turn | undefined {
    const size = this.#toSize(bytes);
    return this.#fits(key, size) ? this.#begin(key, size) : undefined;
  }

  /** Waits for the bytes; undefined when too many wait already, or `signal` is aborted. */
  async take(key: string, bytes: number, signal: AbortSignal): Promise<Turn | undefined> {
    const turn = this.tryTake(key, bytes);
    if (turn !== undefined || signal.aborted || !this.#mayWait(key)) return turn;
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        resolve(undefined);
      };
      const start = (begun: Turn): void => {
        signal.removeEventListener("abort", leave);
        resolve(begun);
      };
      const waiting = { key, bytes: this.#toSize(bytes), start };
      this.#waiting = [...this.#waiting, waiting];
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Somebody waits for bytes that `key` holds. */
  isWanted(key: string): boolean {
    return this.#waiting.some((one) => one.key === key || this.hasShare(one.key, one.bytes));
  }

  /** `key` may hold this many bytes more. */
  hasShare(key: string, bytes: number): boolean {
    const held = this.#held.get(key) ?? 0;
    return held + this.#toSize(bytes) <= this.#rules.bytesOfOne;
  }

  /** A wish for more than one sender may have is cut to that limit. */
  #toSize(bytes: number): number {
    return Math.min(bytes, this.#rules.bytesOfOne);
  }

  #mayWait(key: string): boolean {
    const { mostWaiting, mostWaitingOfOne } = this.#rules;
    const ofOne = this.#waiting.filter((one) => one.key === key).length;
    return this.#waiting.length < mostWaiting && ofOne < mostWaitingOfOne;
  }

  #fits(key: string, bytes: number): boolean {
    return this.#total + bytes <= this.#rules.bytes && this.hasShare(key, bytes);
  }

  #begin(key: string, bytes: number): Turn {
    let held = 0;
    let isOver = false;
    const change = (by: number): void => {
      held += by;
      this.#add(key, by);
    };
    change(bytes);
    return {
      grow: (more) => {
        const fits = !isOver && this.#fits(key, more);
        if (fits) change(more);
        return fits;
      },
      end: () => {
        if (isOver) return;
        isOver = true;
        change(-held);
        this.#startNext();
      },
    };
  }

  #add(key: string, bytes: number): void {
    this.#total += bytes;
    const held = (this.#held.get(key) ?? 0) + bytes;
    if (held === 0) this.#held.delete(key);
    else this.#held.set(key, held);
  }

  /** Started here, so that no other work comes in between. */
  #startNext(): void {
    for (const one of this.#waiting) {
      if (!this.#fits(one.key, one.bytes)) continue;
      this.#waiting = this.#waiting.filter((other) => other !== one);
      one.start(this.#begin(one.key, one.bytes));
    }
  }
}
