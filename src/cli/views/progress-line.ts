import { toPlainText } from "../../base/text/format-problem.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { Progress } from "../../pipeline/events.ts";
import { formatCount, formatSeconds } from "../../base/text/words.ts";

const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 30_000;
const LINE_EVERY_SHARE = 0.05;
const LINE_AT_MOST_EVERY_MS = 1_000;

/** Writes a minute; more than this is a server without limits. */
const NO_LIMIT = 100_000;

const toRealLimit = (limit: number | undefined): number | undefined =>
  limit === undefined || limit >= NO_LIMIT ? undefined : limit;

/** Words of a progress: counts, percent, rate, time left, failures. */
export function formatProgress(progress: Progress, elapsedMs: number): string {
  const { stage, done, total, failed, lastFailure, writesPerMinute } = progress;
  const writeLimit = toRealLimit(progress.writeLimit);
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
  const parts = [`${stage} ${formatCount(done)}/${formatCount(total)} ${percent}%`];
  if (writesPerMinute !== undefined) {
    const limit = writeLimit === undefined ? "" : ` of ${formatCount(writeLimit)}/min`;
    parts.push(`${formatCount(Math.round(writesPerMinute))}/min${limit}`);
  }
  if (done > 0 && done < total) {
    const atLimit = writeLimit === undefined ? 0 : 60 / writeLimit;
    const perItem = Math.max(atLimit, elapsedMs / 1000 / done);
    parts.push(`ETA ${formatSeconds(perItem * (total - done))}`);
  }
  parts.push(`ok ${formatCount(done - failed)}`);
  if (failed > 0) {
    parts.push(
      `failed ${formatCount(failed)}${lastFailure === undefined ? "" : ` (${toPlainText(lastFailure)})`}`,
    );
  }
  return parts.join(" · ");
}

/**
 * Shows progress without flooding: on a terminal one line that is drawn over, elsewhere a line
 * every 30 s or 5 %, but not more than one a second.
 */
export class ProgressLine {
  readonly #clock: Clock;
  readonly #write: (text: string) => void;
  readonly #width: number | undefined;
  #stage = "";
  #startedMs = 0;
  #shownMs = Number.NEGATIVE_INFINITY;
  #shownShare = 0;
  #isOpen = false;

  constructor(clock: Clock, write: (text: string) => void, width: number | undefined) {
    this.#clock = clock;
    this.#write = write;
    this.#width = width;
  }

  show(progress: Progress): void {
    const now = this.#clock.monotonicMs();
    if (progress.stage !== this.#stage) {
      this.end();
      this.#stage = progress.stage;
      this.#startedMs = now;
      this.#shownMs = this.#width === undefined ? now : Number.NEGATIVE_INFINITY;
      this.#shownShare = 0;
    }
    const share = progress.total === 0 ? 1 : progress.done / progress.total;
    if (!this.#isDue(now, share)) return;
    this.#shownMs = now;
    this.#shownShare = share;
    const text = formatProgress(progress, now - this.#startedMs);
    if (this.#width === undefined) this.#write(`${text}\n`);
    else this.#write(`\r\u001B[2K${text.slice(0, this.#width - 1)}`);
    this.#isOpen = this.#width !== undefined;
  }

  /** Ends the progress line, so that other text starts on a line of its own. */
  end(): void {
    if (this.#isOpen) this.#write("\r\u001B[2K");
    this.#isOpen = false;
    this.#stage = "";
  }

  #isDue(now: number, share: number): boolean {
    if (this.#width !== undefined) return now - this.#shownMs >= TERMINAL_EVERY_MS || share === 1;
    if (share === 1) return this.#shownShare < 1;
    const sinceMs = now - this.#shownMs;
    const hasMoved = share - this.#shownShare > LINE_EVERY_SHARE - 1e-9;
    return sinceMs >= LINE_EVERY_MS || (hasMoved && sinceMs >= LINE_AT_MOST_EVERY_MS);
  }
}
