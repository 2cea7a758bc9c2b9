import { AppError } from "../base/errors.ts";
import type { StateRow } from "../state/row.ts";
import type { RunContext } from "./context.ts";
import type { Sender, Sent } from "./send.ts";
import { Trouble } from "./trouble.ts";
import { PENDING } from "../state/which-rows.ts";

const PAGE_ROWS = 200;

/** Pending rows in their order, each once, at most `limit`. */
function* takePending(context: RunContext, limit: number): Iterable<StateRow> {
  let afterSeq = -1;
  let left = limit;
  while (left > 0) {
    const page = context.state.page(PENDING, {
      afterSeq,
      limit: Math.min(PAGE_ROWS, left),
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
    left -= page.length;
  }
}

/** Sends pending rows; knows over a whole run how many were refused and how the server does. */
export class Creator {
  readonly #context: RunContext;
  readonly #sender: Sender;
  #trouble: Trouble;
  readonly #allowed: number;
  #failed = 0;
  /** Refusals that the lane has yet to confirm. */
  #disputed = 0;

  constructor(context: RunContext, sender: Sender) {
    const { settings } = context;
    this.#context = context;
    this.#sender = sender;
    this.#allowed = settings.stopOnError ? 0 : settings.maxFailures;
    this.#trouble = this.#makeTrouble();
  }

  #makeTrouble(): Trouble {
    const { settings, clock, events } = this.#context;
    return new Trouble(clock, (message) => events.waiting(message), settings.patienceMs);
  }

  /**
   * Sends every pending row once, at most `limit`; rows whose answer is lost are left in doubt.
   * Answers how many were sent. Throws when the job must stop: token refused, server away, too
   * many failures.
   */
  async run(limit = Number.POSITIVE_INFINITY): Promise<number> {
    const { client, signal } = this.#context;
    let sent = 0;
    // The time that the lane took between two rounds counts as no trouble.
    this.#trouble = this.#makeTrouble();
    const work = async (row: StateRow): Promise<void> => {
      // More might be too many failures: the lane must decide these first.
      if (this.#failed + this.#disputed > this.#allowed) return;
      sent += 1;
      if (await this.#isRefused(row)) this.#failed += 1;
    };
    await client.eachWrite(takePending(this.#context, limit), work, { signal });
    this.#checkFailures();
    return sent;
  }

  /** The lane has looked at all rows in doubt; so many of them turned out to be refused. */
  judged(refused: number): void {
    this.#disputed = 0;
    this.#failed += refused;
    this.#checkFailures();
  }

  #checkFailures(): void {
    if (this.#failed <= this.#allowed) return;
    throw new AppError(
      "too-many-failures",
      `at most ${this.#allowed} rows may fail, got ${this.#failed} that the server refused`,
      { hint: "mend the rows in failed-rows.csv, or raise run.max_failures in the manifest" },
    );
  }

  /** A disputed create was answered and is in doubt, as that of a twin. */
  #note(sent: Sent): Exclude<Sent, "disputed"> {
    if (sent !== "disputed") return sent;
    this.#disputed += 1;
    return "twin";
  }

  /** Sends one row until there is a verdict. A closed limit or a server that is away gives none. */
  async #isRefused(row: StateRow): Promise<boolean> {
    const trouble = this.#trouble;
    const { signal } = this.#context;
    for (;;) {
      await trouble.calm(signal);
      if (signal.aborted) return false;
      const sent = this.#note(await this.#sender.send(row));
      switch (sent) {
        case "done":
        case "twin":
          trouble.good();
          return false;
        case "refused":
          trouble.good();
          return true;
        case "folder-gone":
          trouble.good();
          await this.#sender.renewFolder(row);
          break;
        case "doubt":
          trouble.bad();
          return false;
        case "not-sent":
          trouble.bad();
          break;
        case "limited":
          trouble.limited();
          break;
        case "auth":
        case "interrupted":
          return false;
        default:
          sent satisfies never;
      }
    }
  }
}
