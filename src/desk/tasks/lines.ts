/** The lines of a task: what happens, as it happens. */
import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";

import { systemClock } from "../../base/time/clock.ts";
import type { JobEvent } from "../../pipeline/events.ts";
import type { TaskLine } from "./task.ts";

/** Progress is written this often; the end of a stage always. */
const PROGRESS_MS = 200;

/** A line without when it was written. */
type Said = TaskLine extends infer Line
  ? Line extends TaskLine
    ? Omit<Line, "atMs">
    : never
  : never;

export class Lines {
  readonly #stream: WriteStream;
  #progressMs = 0;
  /** Progress that came too soon after another: the last of a stage is still written. */
  #held: JobEvent | undefined;

  constructor(file: string) {
    this.#stream = createWriteStream(file, { flags: "a" });
  }

  write(line: Said): void {
    this.#flush();
    this.#stream.write(`${JSON.stringify({ atMs: systemClock.nowMs(), ...line })}\n`);
  }

  event(event: JobEvent): void {
    if (event.type === "progress") {
      const { stage, done, total } = event.progress;
      const now = systemClock.nowMs();
      // A newer count of the same stage stands for the one before.
      if (this.#held?.type === "progress" && this.#held.progress.stage === stage)
        this.#held = undefined;
      if (done < total && now - this.#progressMs < PROGRESS_MS) {
        if (this.#held !== undefined) this.#flush();
        this.#held = event;
        return;
      }
      this.#progressMs = now;
    }
    this.write({ type: "event", event });
  }

  #flush(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.write({ type: "event", event: held });
  }

  async end(): Promise<void> {
    this.#flush();
    this.#stream.end();
    await finished(this.#stream);
  }
}
