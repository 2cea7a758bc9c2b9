/**
 * Lets the threads of this process change the store one after the other, in the order in which they
 * asked. SQLite's own lock would block a whole thread while it waits.
 */
const NEXT = 0;
const NOW = 1;
const BROKEN = 2;
const WORDS = 3;

export class WriteLock {
  /** The memory from which another thread makes its end of the lock. */
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array<SharedArrayBuffer>;

  constructor(memory = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** Resolves when it is our turn; `leave` ends it. */
  async take(): Promise<void> {
    const ticket = Atomics.add(this.#words, NEXT, 1);
    for (;;) {
      const now = Atomics.load(this.#words, NOW);
      if (now === ticket || Atomics.load(this.#words, BROKEN) === 1) return;
      await Atomics.waitAsync(this.#words, NOW, now).value;
    }
  }

  leave(): void {
    Atomics.add(this.#words, NOW, 1);
    Atomics.notify(this.#words, NOW);
  }

  /** Releases everybody that waits: a thread died, maybe while it held the lock. */
  break(): void {
    Atomics.store(this.#words, BROKEN, 1);
    this.leave();
  }
}
