import { AppError } from "../base/errors.ts";
import type { StateRow } from "../state/row.ts";
import type { RunContext } from "./context.ts";
import type { Sender } from "./send.ts";
import { Trouble } from "./trouble.ts";

const PAGE_ROWS = 200;

/** Pending rows in their order, each once, at most `limit`. */
function* takePending(context: RunContext, limit: number): Iterable<StateRow> {
  let afterSeq = -1;
  let left = limit;
  while (left > 0) {
    const page = context.state.page("state = 'pending'", {
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

/** Sends one row until there is a verdict: a closed limit or a server that is away is no verdict. */
async function sendUntilVerdict(
  row: StateRow,
  context: RunContext,
  sender: Sender,
  trouble: Trouble,
): Promise<"refused" | "other"> {
  for (;;) {
    await trouble.calm(context.signal);
    if (context.signal.aborted) return "other";
    const sent = await sender.send(row);
    switch (sent) {
      case "done":
      case "twin":
        trouble.good();
        return "other";
      case "refused":
        trouble.good();
        return "refused";
      case "doubt":
        trouble.bad();
        return "other";
      case "not-sent":
        trouble.bad();
        break;
      case "limited":
        break;
      case "auth":
      case "interrupted":
        return "other";
      default:
        sent satisfies never;
    }
  }
}

/**
 * Sends every pending row once; rows whose answer is lost are left in doubt. Answers how many were
 * sent. Throws when the job must stop: token refused, server away, too many failures.
 */
export async function createRows(
  context: RunContext,
  sender: Sender,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { settings, events, clock, signal, client } = context;
  const trouble = new Trouble(clock, (message) => events.waiting(message));
  const allowed = settings.stopOnError ? 0 : settings.maxFailures;
  let failed = 0;
  let sent = 0;
  const work = async (row: StateRow): Promise<void> => {
    if (failed > allowed) return;
    sent += 1;
    if ((await sendUntilVerdict(row, context, sender, trouble)) === "refused") failed += 1;
  };
  await client.eachWrite(takePending(context, limit), work, { signal });
  if (failed > allowed) {
    throw new AppError(
      "too-many-failures",
      `at most ${allowed} rows may fail, got ${failed} that the server refused`,
      { hint: "mend the rows in failed-rows.csv, or raise run.max_failures in the manifest" },
    );
  }
  return sent;
}
