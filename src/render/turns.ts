/** Limits how much is rendered at once: later requests wait, and too many are refused. */
export interface TurnCaps {
  readonly atOnce: number;
  readonly waiting: number;
  /** Of one sender, under way and waiting. */
  readonly ofOne: number;
}

export interface RenderTurn {
  end(): void;
}

export class RenderTurns {
  readonly #caps: TurnCaps;
  readonly #ofOne = new Map<string, number>();
  #underWay = 0;
  #waiting: (() => void)[] = [];

  constructor(caps: TurnCaps) {
    this.#caps = caps;
  }

  /** Undefined where too many are there already. Rejects with the signal's reason while it waits. */
  async take(sender: string, signal: AbortSignal): Promise<RenderTurn | undefined> {
    const { atOnce, waiting, ofOne } = this.#caps;
    const own = this.#ofOne.get(sender) ?? 0;
    if (own >= ofOne) return undefined;
    if (this.#underWay >= atOnce && this.#waiting.length >= waiting) return undefined;
    this.#ofOne.set(sender, own + 1);
    try {
      if (this.#underWay >= atOnce) await this.#wait(signal);
      else this.#underWay += 1;
    } catch (error) {
      this.#leave(sender);
      throw error;
    }
    return {
      end: () => {
        this.#leave(sender);
        // A waiting request takes over the place.
        const next = this.#waiting.shift();
        if (next === undefined) this.#underWay -= 1;
        else next();
      },
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== start);
        reject(signal.reason as Error);
      };
      this.#waiting.push(start);
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
  }

  #leave(sender: string): void {
    const left = (this.#ofOne.get(sender) ?? 1) - 1;
    if (left === 0) this.#ofOne.delete(sender);
    else this.#ofOne.set(sender, left);
  }
}
