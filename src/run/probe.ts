/**
 * Asks a server without idempotency keys after the first create: does its list show the code under
 * the name and data that were sent, and how soon? The lane finds lost codes only that way.
 */
import type { ToldCode } from "../api/code.ts";
import { AppError } from "../base/errors.ts";
import { NEXT_UNTOLD } from "../client/dialect.ts";
import type { StateRow } from "../state/row.ts";
import { toSentName } from "./body.ts";
import type { RunContext } from "./context.ts";
import { checkTold, fillItem } from "./fill.ts";
import { toCreatedMs, toItemMatchKey, toRowMatchKey } from "./match.ts";
import { Reading } from "./scan.ts";
import { LIST_LAG } from "./settle.ts";

/** Waits between looks at the list; a code that is not there after all of them is very late. */
const WAITS_MS = [0, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000];
const VERY_LATE_MS = 60_000;

/** Meta: the row by which the list is being probed, as JSON; empty when that ended well. */
const PROBED = "list_probe";

interface Probed {
  readonly key: string;
  readonly id: string | null;
  readonly wantedHash: string;
  /** What the list showed in place of what was sent. */
  readonly shown?: string;
}

const toProbed = ({ key, remoteId: id, wantedHash }: StateRow): Probed => ({ key, id, wantedHash });

/** Measures the list by a code that was made just now. Throws `answer-unusable` when it is changed. */
export async function probeList(context: RunContext, row: StateRow): Promise<void> {
  const { clock, state, signal, events } = context;
  const startMs = clock.monotonicMs();
  state.setMeta(PROBED, JSON.stringify(toProbed(row)));
  for (const waitMs of WAITS_MS) {
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    if (signal.aborted) return;
    const item = await findItem(context, row);
    if (item === undefined) continue;
    checkEcho(context, row, item);
    const lagMs = waitMs === 0 ? 0 : Math.ceil(clock.monotonicMs() - startMs);
    state.setMeta(LIST_LAG, String(lagMs));
    state.setMeta(PROBED, "");
    return;
  }
  state.setMeta(LIST_LAG, String(VERY_LATE_MS));
  state.setMeta(PROBED, "");
  events.waiting(
    "the server's list doesn't show a code that was just made; creates whose answer is lost are left to settle for longer",
  );
}

/**
 * A run that was stopped by its probe, or during it: the next one asks the list once more for that
 * code before it makes another. Throws again while nothing has changed on either side.
 */
export async function probeAgain(context: RunContext): Promise<void> {
  const { state } = context;
  const text = state.meta(PROBED) ?? "";
  if (text === "") return;
  const probed = JSON.parse(text) as Probed;
  const row = state.row(probed.key);
  const { shown } = probed;
  const isSame = row?.remoteId === probed.id && row.wantedHash === probed.wantedHash;
  const item = row && isSame ? await findItem(context, row) : undefined;
  // A changed row or code means: try again.
  if (row && item && (shown === undefined || shown === toItemMatchKey(item)))
    checkEcho(context, row, item);
  state.setMeta(PROBED, "");
}

/**
 * The code as the list shows it, with missing fields filled in; undefined while it isn't listed.
 * Throws `answer-unusable` when the list never goes on.
 */
async function findItem(context: RunContext, row: StateRow): Promise<ToldCode | undefined> {
  const { maker } = context;
  const reading = new Reading(maker.pageSize);
  for (let page = 1; ; page += 1) {
    const answer = await maker.list({ page, page_size: maker.pageSize });
    const item = answer.results.find(({ id }) => id === row.remoteId);
    const whole = item && (await fillItem(context, item));
    if (whole !== undefined) {
      checkTold(whole);
      return whole;
    }
    const isRepeated = answer.results.every(({ id }) => reading.items.has(id));
    // A list without `next` and count may show its last page again.
    if (isRepeated && answer.next === NEXT_UNTOLD) return undefined;
    for (const one of answer.results) reading.order.see(toCreatedMs(one));
    if (reading.order.isNewestFirst || reading.take(answer, page) !== "more") return undefined;
  }
}

/** A code that the list shows differently could never be found again: stop at the first. */
function checkEcho(context: RunContext, row: StateRow, item: ToldCode): void {
  const wanted = row.made ?? row.wanted;
  const folderId = wanted.folder === null ? null : (context.state.folderId(wanted.folder) ?? null);
  const name = toSentName({ ...row, state: "doubt" }, context.settings.marker);
  const shownKey = toItemMatchKey(item);
  if (toRowMatchKey(wanted, name, folderId) === shownKey) return;
  context.state.setMeta(PROBED, JSON.stringify({ ...toProbed(row), shown: shownKey }));
  const sent = {
    display_name: name,
    qr_data: wanted.qrData,
    qr_type: wanted.type,
    dynamic: wanted.dynamic,
    folder: folderId,
  };
  const shown = {
    display_name: item.display_name,
    qr_data: item.qr_data,
    qr_type: item.qr_type,
    dynamic: item.dynamic,
    folder: item.folder?.id ?? null,
  };
  throw new AppError(
    "answer-unusable",
    `the server must list a code as it was sent, got ${JSON.stringify(shown)} for ${JSON.stringify(sent)}`,
    {
      hint: "shorten or simplify code.display_name and the data; stopped after one code, since a lost answer could never be cleared up",
    },
  );
}
