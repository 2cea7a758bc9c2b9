/**
 * Codes that this job made and its state does not know: after the state was lost, copied or put back
 * from an older copy. Their names carry the rows' references (`run.marker`), so that they are taken
 * back instead of made a second time (docs/spec/engine.md section 1.6).
 */
import { toCarried } from "../api/carried.ts";
import type { ToldCode } from "../api/code.ts";
import type { StateRow, Wanted } from "../state/row.ts";
import { toSentName } from "./body.ts";
import type { RunContext } from "./context.ts";
import {
  CLOCK_SLACK_MS,
  hasPlainData,
  toCreatedMs,
  toItemMatchKey,
  toRowMatchKey,
} from "./match.ts";
import { scanCodes } from "./scan.ts";
import { PENDING, PRESENT_PENDING } from "../state/which-rows.ts";

const MARKED = / #([0-9a-z]{10})$/u;

/** A name that is left out may carry a reference. */
const isMarked = ({ display_name: name }: ToldCode): boolean =>
  name === undefined || MARKED.test(name ?? "");

/**
 * Looks for codes of pending rows before any is sent. Reads the list back to the last moment that
 * the state knows of; after a loss, all of it.
 */
export async function takeBackCodes(context: RunContext): Promise<void> {
  const { state, settings, signal, events, log, maker } = context;
  // Things of several calls may be half-made: only the state knows that.
  const isWhole = maker.toMadeFirst === undefined;
  if (!settings.marker || !isWhole || signal.aborted) return;
  if (state.count(PRESENT_PENDING) === 0) return;
  const sinceMs = state.lastKnownMs;
  if (sinceMs === undefined) return;
  const byRef = toMarked(await scanCodes(context, sinceMs - CLOCK_SLACK_MS, isMarked));
  let found = 0;
  if (byRef.size > 0) {
    for (const row of state.rows(PENDING)) {
      const ref = state.toRef(row.key, row.generation);
      const item = byRef.get(ref);
      if (item === undefined || !takeBack(context, { ...row, ref }, item)) continue;
      events.done(row, true);
      found += 1;
    }
  }
  state.rebuilt();
  if (found === 0) return;
  log.warn({ found }, "codes taken back by their markers");
  events.waiting(`${found} codes of this job were on the server already and were taken back`);
}

/** ref -> the oldest code that carries it. */
function toMarked(items: readonly ToldCode[]): Map<string, ToldCode> {
  const byRef = new Map<string, ToldCode>();
  for (const item of items.toSorted((a, b) => toCreatedMs(a) - toCreatedMs(b))) {
    const ref = MARKED.exec(item.display_name ?? "")?.[1];
    if (ref !== undefined && !byRef.has(ref)) byRef.set(ref, item);
  }
  return byRef;
}

/** False when another row holds the code. What differs from today's wish is changed afterwards. */
function takeBack(context: RunContext, row: StateRow, item: ToldCode): boolean {
  const { state, settings } = context;
  const { wanted } = row;
  const folderId = wanted.folder === null ? null : (state.folderId(wanted.folder) ?? null);
  const name = toSentName(row, settings.marker);
  const isEqual = toRowMatchKey(wanted, name, folderId) === toItemMatchKey(item);
  return state.journal.takenBack({
    key: row.key,
    ref: row.ref,
    remoteId: item.id,
    created: item.created ?? null,
    shortLink: toCarried(item),
    made: { ...(isEqual ? wanted : toMade(row, item, folderId)), isTakenBack: true },
    isEqual,
  });
}

/** The wish that the code on the server fulfils, as far as lists show it. */
function toMade({ wanted }: StateRow, item: ToldCode, folderId: string | null): Wanted {
  return {
    ...wanted,
    displayName: (item.display_name ?? "").replace(MARKED, ""),
    dynamic: item.dynamic ?? wanted.dynamic,
    qrData: hasPlainData(wanted.type) ? (item.qr_data ?? wanted.qrData) : wanted.qrData,
    folder: (item.folder?.id ?? null) === folderId ? wanted.folder : null,
  };
}
