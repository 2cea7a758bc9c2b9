/**
 * The last look before packaging, once per run that had rows in doubt: a create that was committed
 * only after its row had been found absent is a late double (docs/spec/engine.md section 1.6).
 */
import type { ToldCode } from "../api/code.ts";
import type { StateRow } from "../state/row.ts";
import type { RunContext } from "./context.ts";
import { CLOCK_SLACK_MS, matchRows, toCreatedMs, toItemMatchKey, toMayBe } from "./match.ts";
import { toSentKey } from "./match-keys.ts";
import { adopt, toMatchOptions } from "./reconcile.ts";
import { scanFresh } from "./fresh-scan.ts";
import type { Sender } from "./send.ts";
import { toSettleLeft } from "./settle.ts";
import { DOUBTED_NOT_OPEN, DOUBTED_SETTLED } from "../state/which-rows.ts";

/** Waits until the doubts have settled, reads the list, and takes away or reports late doubles. */
export async function auditRun(context: RunContext, sender: Sender): Promise<void> {
  const { state, clock, events, signal } = context;
  const rows = [
    ...state.rows(DOUBTED_SETTLED),
    // A vanished row whose code was absent is not sent again, but the code may still be committed.
    ...state.goneRows(DOUBTED_NOT_OPEN),
  ];
  if (rows.length === 0 || signal.aborted) return;
  if (!context.settings.keysHonoured) {
    const waitMs = toSettleLeft(context, sender, rows);
    if (waitMs > 0) {
      events.waiting(
        `${rows.length} creates had lost an answer; looking for late doubles in ${Math.ceil(waitMs / 1000)} s`,
      );
      await clock.sleep(waitMs, signal);
    }
    if (signal.aborted) return;
    const sinceMs = Math.min(...rows.map((row) => row.doubtedFromMs ?? 0)) - CLOCK_SLACK_MS;
    const isWanted = toMayBe(rows, toMatchOptions(context));
    // It also counts whether anything else in their folders is unexplained.
    const items = await scanFresh(
      context,
      sinceMs,
      (item) => isWanted(item) || item.folder === undefined,
    );
    // No up-to-date list was available: the next run looks again.
    if (items === undefined) return;
    await lookAfter(context, rows, { items, sinceMs });
  }
  state.journal.audited(rows.map(({ key }) => key));
}

async function lookAfter(
  context: RunContext,
  rows: readonly StateRow[],
  { items, sinceMs }: { readonly items: readonly ToldCode[]; readonly sinceMs: number },
): Promise<void> {
  const { state } = context;
  await adoptLate(context, rows, items);
  const free = items.filter((item) => isFree(context, item) && !(toCreatedMs(item) < sinceMs));
  const since = toSinceByKey(context, rows);
  const isLate = (item: ToldCode): boolean =>
    toCreatedMs(item) >= (since.get(toItemMatchKey(item)) ?? Number.POSITIVE_INFINITY);
  const late = free.filter(isLate);
  const folders = new Set(rows.map(({ wanted }) => toFolderId(context, wanted.folder)));
  const strange = free.filter((item) => !isLate(item) && folders.has(item.folder?.id ?? null));
  const isSure = context.settings.marker || strange.length === 0;
  const mayDelete = context.settings.lateDoubles === "delete" && context.maker.remove !== undefined;
  for (const item of late) {
    if (!isFree(context, item)) continue;
    if (isSure && mayDelete) await remove(context, item);
    else report(context, item, isSure);
  }
  const shown = new Set(items.map(({ id }) => id));
  for (const { key } of rows) {
    const id = state.row(key)?.remoteId ?? null;
    if (id !== null && !shown.has(id)) context.log.warn({ row: key, id }, "code not listed");
  }
}

const isFree = ({ state }: RunContext, { id }: ToldCode): boolean => !state.journal.holds(id);

const toFolderId = ({ state }: RunContext, path: string | null): string | null =>
  path === null ? null : (state.folderId(path) ?? null);

/** match key -> server time from which on a code of that key may be a double. */
function toSinceByKey(context: RunContext, rows: readonly StateRow[]): Map<string, number> {
  const since = new Map<string, number>();
  for (const row of rows) {
    const key = toSentKey(context, row);
    const fromMs = (row.doubtedFromMs ?? 0) - CLOCK_SLACK_MS;
    since.set(key, Math.min(fromMs, since.get(key) ?? Number.POSITIVE_INFINITY));
  }
  return since;
}

/** A row that had failed gets its code after all. */
async function adoptLate(
  context: RunContext,
  rows: readonly StateRow[],
  items: readonly ToldCode[],
): Promise<void> {
  const lost = rows
    .filter(({ state, made }) => state === "failed" && made !== null)
    .map((row): StateRow => ({ ...row, state: "doubt" }));
  for (const verdict of matchRows(lost, items, toMatchOptions(context))) {
    if (verdict.kind !== "found") continue;
    context.state.journal.turnedUp(verdict.row.key);
    await adopt(context, verdict.row, verdict.item);
  }
}

async function remove(context: RunContext, item: ToldCode): Promise<void> {
  await context.maker.remove?.(item.id);
  context.log.warn({ id: item.id, name: item.display_name }, "late double deleted");
}

function report(context: RunContext, item: ToldCode, isSure: boolean): void {
  const why = isSure ? "run.late_doubles is report" : "others create codes in the same folder";
  const message = `code ${item.id} ("${item.display_name ?? ""}") may be a late double of one of this job's: it was left alone, since ${why}`;
  context.log.warn({ id: item.id }, "late double reported");
  context.events.waiting(message);
}
