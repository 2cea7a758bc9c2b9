/**
 * The lane: rows whose create may have been committed are looked for on the server, adopted when
 * found, and only sent again when they are proven absent (`engine.md` section 1.5).
 */
import type { CodeItem } from "../api/code.ts";
import type { StateRow } from "../state/row.ts";
import { toSentName } from "./body.ts";
import type { RunContext } from "./context.ts";
import { matchRows, toScanStart } from "./match.ts";
import type { Sender } from "./send.ts";

const SCAN_PAGE = 200;
/** A row that comes back from the lane so often counts as failed. */
const MAX_DOUBTS = 5;

/** All codes not older than `sinceMs`, newest first; read again when the list moved under the reading. */
async function scan(context: RunContext, sinceMs: number): Promise<CodeItem[]> {
  const { client } = context;
  const items = new Map<string, CodeItem>();
  let counted: number | undefined;
  for (let page = 1; ; page += 1) {
    const answer = await client.listCodes({ page, page_size: SCAN_PAGE });
    const shrank = counted !== undefined && (answer.count ?? 0) < counted;
    if (shrank) {
      items.clear();
      page = 0;
      counted = undefined;
      continue;
    }
    counted = answer.count ?? undefined;
    for (const item of answer.results) items.set(item.id, item);
    const oldest = answer.results.at(-1);
    const isEnough = oldest === undefined || Date.parse(oldest.created) < sinceMs;
    if (isEnough || answer.next === null || answer.next === undefined) return [...items.values()];
  }
}

function giveUp(context: RunContext, row: StateRow): void {
  const message = `the server lost the answer to this create ${MAX_DOUBTS} times; the code is not on it`;
  context.state.journal.refused(row.key, { message });
  context.events.failed(row, message);
}

/** Adopts what is found, frees what is absent. One scan serves all rows. */
async function decide(context: RunContext, rows: readonly StateRow[]): Promise<void> {
  const { state, events } = context;
  const items = await scan(context, toScanStart(rows));
  const verdicts = matchRows(rows, items, {
    isHeld: (id) => state.journal.holds(id),
    folderId: (path) => state.folderId(path) ?? null,
    sentName: (row) => toSentName(row, context.settings.marker),
  });
  for (const { row, found } of verdicts) {
    if (found === null) {
      if (row.doubts >= MAX_DOUBTS) giveUp(context, row);
      else state.journal.notSent(row.key);
      continue;
    }
    const isOurs = state.journal.done({
      key: row.key,
      remoteId: found.id,
      created: found.created,
      shortLink: found.shortlink_url ?? null,
      svg: null,
    });
    if (isOurs) events.done(row, true);
  }
}

/** Sends the rows in doubt again under their old keys: the server answers what it made then. */
async function sendAgain(
  context: RunContext,
  sender: Sender,
  rows: readonly StateRow[],
): Promise<void> {
  const work = async (row: StateRow): Promise<void> => {
    await sender.send(row);
  };
  await context.client.eachWrite(rows, work, { priority: "lane", signal: context.signal });
}

/** How long the youngest doubt still has to settle, ms. */
function toSettleLeft(context: RunContext, sender: Sender, rows: readonly StateRow[]): number {
  const youngest = Math.max(...rows.map((row) => row.sentAtMs ?? 0));
  return youngest + context.settings.settleMs - sender.serverClock.nowMs();
}

/**
 * Brings every row in doubt to a verdict. Rows that turn out to be absent are pending afterwards.
 * Answers how many rows it looked at. Nothing else of the job may be sending meanwhile.
 */
export async function reconcile(context: RunContext, sender: Sender): Promise<number> {
  const { state, clock, events, signal } = context;
  const doubtful = (): StateRow[] => [...state.rows("state = 'doubt'")];
  const rows = doubtful();
  if (rows.length === 0 || signal.aborted) return 0;
  if (sender.keysHonoured) {
    await sendAgain(
      context,
      sender,
      rows.filter((row) => sender.isKeyAlive(row)),
    );
  }
  const left = doubtful();
  if (left.length === 0) return rows.length;
  const waitMs = toSettleLeft(context, sender, left);
  if (waitMs > 0) {
    events.waiting(
      `${left.length} creates lost their answer; looking for them on the server in ${Math.ceil(waitMs / 1000)} s`,
    );
    await clock.sleep(waitMs, signal);
  }
  if (!signal.aborted) await decide(context, left);
  return rows.length;
}
