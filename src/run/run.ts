/**
 * Stage 3: the plan's rows become codes on the server, each exactly once. The state says at any
 * moment what is left, so a run is only ever "what is left".
 */
import type { State } from "../state/state.ts";
import { toCreatedMs } from "./match.ts";
import { changeRows } from "./change.ts";
import type { RunContext, RunEnvironment } from "./context.ts";
import { auditRun } from "./audit.ts";
import { Creator } from "./create.ts";
import { ensureFolders } from "./folders.ts";
import type { Maker } from "./maker.ts";
import { takeBackCodes } from "./own-codes.ts";
import { probeAgain, probeList } from "./probe.ts";
import { reconcile } from "./reconcile.ts";
import { Sender } from "./send.ts";
import { LIST_LAG } from "./settle.ts";
import { readTemplates, rememberTemplates, type Ids } from "./templates.ts";
import {
  MADE_FOLDER,
  OPEN_CONTENT,
  OPEN_TEMPLATED,
  TO_CREATE,
  WANTED_FOLDER,
} from "../state/which-rows.ts";

/** What a kind of job makes of its rows. */
export type MakeMaker = (env: RunEnvironment, ids: Ids) => Maker;

/** Does what is left. Returns early, with the state in order, when the signal is aborted. */
export async function runRows(given: RunEnvironment, makeMaker: MakeMaker): Promise<void> {
  const { state, signal, settings } = given;
  state.journal.doubtAllSending();
  // First: a template that isn't there stops the run before anything is made.
  const templates = await readTemplates(given.client, state.rows(OPEN_TEMPLATED));
  rememberTemplates(state, state.rows(OPEN_TEMPLATED), templates);
  await ensureFolders(given, listFolders(state));
  const context: RunContext = { ...given, maker: makeMaker(given, { templates }) };
  const sender = new Sender(context);
  const creator = new Creator(context, sender);
  let left = settings.limit ?? Number.POSITIVE_INFINITY;
  await learnTime(context, sender);
  await takeBackCodes(context);
  if (!sender.keysHonoured && state.count(TO_CREATE) > 0) await probeAgain(context);
  left -= await createFirst(context, { sender, creator, limit: left });
  for (;;) {
    left -= await creator.run(left);
    const { looked, refused } = await reconcile(context, sender);
    creator.judged(refused);
    if (signal.aborted || looked === 0 || left <= 0) break;
  }
  if (!signal.aborted) await changeRows(context);
  await auditRun(context, sender);
}

/**
 * For a server without a date, its newest code sets the clock. An intent must never seem younger
 * than its code.
 */
async function learnTime(context: RunContext, sender: Sender): Promise<void> {
  const { client, maker, state, settings, signal } = context;
  // The embedded service runs on this machine's clock.
  const isKnown = settings.keysHonoured || client.serverNowMs() !== undefined;
  if (isKnown || signal.aborted || state.count(TO_CREATE) === 0) return;
  const { results } = await maker.list({ page: 1, page_size: 1 });
  if (client.serverNowMs() !== undefined) return;
  const newestMs = results[0] === undefined ? 0 : toCreatedMs(results[0]);
  sender.serverClock.setAtLeast(Number.isNaN(newestMs) ? 0 : newestMs);
}

/** At most so many rows are sent one by one until one can serve for the probe. */
const FIRST_ROWS = 5;

/** The first create goes alone, and the list is asked for it. Answers how many were sent. */
async function createFirst(
  context: RunContext,
  { sender, creator, limit }: { sender: Sender; creator: Creator; limit: number },
): Promise<number> {
  const { state, signal } = context;
  let sent = 0;
  while (sent < Math.min(FIRST_ROWS, limit) && !signal.aborted) {
    const isOver = sender.keysHonoured || state.meta(LIST_LAG) !== undefined;
    if (isOver || state.count(TO_CREATE) < 2) break;
    const one = await creator.run(1);
    if (one === 0) break;
    sent += one;
    const made = sender.lastMade === undefined ? undefined : state.row(sender.lastMade);
    if (made !== undefined && !sender.keysHonoured) await probeList(context, made);
  }
  return sent;
}

/** Folders that open rows want, or that hold what was made of them. */
const listFolders = (state: State): string[] => [
  ...state.values(WANTED_FOLDER, OPEN_CONTENT),
  ...state.values(MADE_FOLDER, OPEN_CONTENT),
];
