/**
 * The lane: rows whose create may have been committed are looked for on the server, adopted when
 * found, and only sent again when they are proven absent (docs/spec/engine.md section 1.5).
 */
import { showKey } from "../base/shapes/row-key.ts";
import { toCarried } from "../api/carried.ts";
import type { ToldCode } from "../api/code.ts";
import { AppError } from "../base/errors.ts";
import type { StateRow } from "../state/row.ts";
import { toSentName } from "./body.ts";
import type { RunContext } from "./context.ts";
import { renewFolder } from "./folders.ts";
import { matchRows, toItemMatchKey, toMayBe, toScanStart, type MatchOptions } from "./match.ts";
import { toDoubtedContacts, toDoubtedKeys } from "./match-keys.ts";
import { scanFresh } from "./fresh-scan.ts";
import { toFound } from "./maker.ts";
import { scanCodes } from "./scan.ts";
import type { Sender } from "./send.ts";
import { toSettleLeft, toSettleMs } from "./settle.ts";
import { IN_DOUBT } from "../state/which-rows.ts";

/** A row that has been in the lane so often counts as failed. */
const MAX_DOUBTS = 5;

/**
 * status -> after how many such refusals a row that the list does not show has failed. These are
 * about the moment (RFC 9110 sections 15.5.9, 15.5.10 and 15.5.20, RFC 4918 section 11.3, RFC 8470
 * section 5.2). Any other is about the request, which would be the same again.
 */
const patience: ReadonlyMap<number, number> = new Map([
  [408, MAX_DOUBTS],
  [409, 2],
  [421, MAX_DOUBTS],
  [423, MAX_DOUBTS],
  [425, MAX_DOUBTS],
]);

/** True for a row that the server has refused, now that its code is proven absent. */
const isRefused = ({ error, doubts }: StateRow): boolean =>
  error?.status !== undefined && doubts >= (patience.get(error.status) ?? 1);

function giveUp(context: RunContext, row: StateRow): void {
  const error = row.error ?? {
    message: `the server lost the answer to this create ${MAX_DOUBTS} times; the code is not on it`,
  };
  context.state.journal.gaveUp(row.key, error);
  context.events.failed(row, error.message);
}

/** What `matchRows` needs of this job. */
export function toMatchOptions(context: RunContext): MatchOptions {
  const { state, settings } = context;
  return {
    isHeld: (id) => state.journal.holds(id),
    folderId: (path) => state.folderId(path) ?? null,
    sentName: (row) => toSentName(row, settings.marker),
    explained: toDoubtedKeys(context),
    doubted: toDoubtedContacts(context),
    isGone: ({ key }) => state.isGone(key),
    windowMs: toSettleMs(context),
  };
}

/** Reports a code whose row has vanished: it exists, but no sheet will print it. */
function tellGone({ log, events }: RunContext, row: StateRow, item: ToldCode): void {
  const link = toCarried(item) ?? item.qr_data ?? "";
  log.warn({ row: row.key, id: item.id }, "code of a vanished row found");
  events.waiting(
    `row ${showKey(row.key)} is no longer among the good rows, but its code was made: ${item.id} ("${item.display_name ?? ""}") ${link}`,
  );
}

/** Takes a code that was found for a row. False when a twin was faster. */
export async function adopt(
  context: RunContext,
  row: StateRow,
  item: ToldCode,
  isUnfiled = false,
): Promise<boolean> {
  const { state, events } = context;
  const isOurs = state.journal.done(toFound(context.maker, row.key, item));
  if (!isOurs) return false;
  if (state.isGone(row.key)) {
    if (isUnfiled) state.journal.unfiled(row.key);
    tellGone(context, row, item);
    return true;
  }
  if (isUnfiled) {
    state.journal.unfiled(row.key);
    await renewFolder(context, row.wanted.folder);
  }
  events.done(row, true);
  return true;
}

function refuseConflict(context: RunContext, row: StateRow, item: ToldCode): void {
  const message = `the server has a code ${item.id} that may be this row's, as ${toItemMatchKey(item)}: renamed or moved by somebody, or that of a row with the same name; clear it up there, then retry the job`;
  const { state, events } = context;
  state.journal.conflict(row.key, { message });
  if (state.isGone(row.key)) events.waiting(`row ${showKey(row.key)}, which is gone: ${message}`);
  else events.failed(row, message);
}

/**
 * Adopts what is found, frees what is absent. One scan serves all rows. Answers how many of them the
 * server has refused.
 */
async function decide(context: RunContext, rows: readonly StateRow[]): Promise<number> {
  const options = toMatchOptions(context);
  const items = await scanFresh(context, toScanStart(rows), toMayBe(rows, options));
  if (items === undefined) {
    if (context.signal.aborted) return 0;
    throw new AppError(
      "server-unavailable",
      "the list of codes must show what exists, got one that lacked codes of this job for ten minutes",
      { hint: "run the same command again later: rows whose answer was lost are looked for first" },
    );
  }
  let refused = 0;
  for (const verdict of matchRows(rows, items, options)) {
    const { kind, row } = verdict;
    switch (kind) {
      case "found":
      case "unfiled":
        await adopt(context, row, verdict.item, kind === "unfiled");
        break;
      case "conflict":
        refuseConflict(context, row, verdict.item);
        break;
      case "absent":
        // A vanished row is not sent again, so it can't fail, either.
        if (context.state.isGone(row.key)) context.state.journal.notSent(row.key);
        else if (isRefused(row) || row.doubts >= MAX_DOUBTS) {
          if (isRefused(row)) refused += 1;
          giveUp(context, row);
        } else context.state.journal.notSent(row.key);
        break;
      default:
        kind satisfies never;
    }
  }
  return refused;
}

/** Every row in doubt, vanished ones last. */
const listDoubtful = ({ state }: RunContext): StateRow[] => [
  ...state.rows(IN_DOUBT),
  ...state.goneRows(IN_DOUBT),
];

/**
 * Adopts what the list shows at once; returns the rows of which it shows nothing, or nothing
 * certain.
 */
async function adoptShown(context: RunContext, rows: readonly StateRow[]): Promise<StateRow[]> {
  if (rows.length === 0) return [];
  const options = toMatchOptions(context);
  const doubtful = listDoubtful(context);
  const items = await scanCodes(context, toScanStart(rows), toMayBe(doubtful, options));
  const asked = new Set(rows.map(({ key }) => key));
  const unseen: StateRow[] = [];
  // All rows that may have made a code are matched together.
  for (const verdict of matchRows(doubtful, items, options)) {
    if (!asked.has(verdict.row.key)) continue;
    const isFound = verdict.kind === "found" && (await adopt(context, verdict.row, verdict.item));
    if (!isFound) unseen.push(verdict.row);
  }
  return unseen;
}

/** Adopts what has the slugs of rows; returns the rows whose slug is free, or another thing's. */
async function adoptHolders(context: RunContext, rows: readonly StateRow[]): Promise<StateRow[]> {
  const { findHolder } = context.maker;
  if (findHolder === undefined) return [...rows];
  const free: StateRow[] = [];
  for (const row of rows) {
    const item = context.signal.aborted ? undefined : await findHolder(row);
    if (item === undefined || !(await adopt(context, row, item))) free.push(row);
  }
  return free;
}

/** Sends the rows in doubt again under their old keys: the server answers with what it made then. */
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

/** How many rows were in doubt, and how many of them the server has refused. */
interface Looked {
  readonly looked: number;
  readonly refused: number;
}

/**
 * Brings every row in doubt to a verdict. Rows that turn out to be absent are pending afterwards.
 * Nothing else of the job may be sending meanwhile.
 */
export async function reconcile(context: RunContext, sender: Sender): Promise<Looked> {
  const { state, clock, events, signal, maker, settings } = context;
  const rows = listDoubtful(context);
  const looked = rows.length;
  if (looked === 0 || signal.aborted) return { looked: 0, refused: 0 };
  // Vanished rows are looked for, but not sent.
  const isGone = ({ key }: StateRow): boolean => state.isGone(key);
  if (sender.keysHonoured) {
    const keyed = rows.filter((row) => !isGone(row) && sender.isKeyAlive(row));
    // The echo alone may be a gateway's: a code that the list already shows is not sent again.
    const unseen = settings.keysHonoured ? keyed : await adoptShown(context, keyed);
    await sendAgain(context, sender, unseen);
  }
  if (maker.isKeyed !== undefined) {
    const free = await adoptHolders(context, listDoubtful(context).filter(maker.isKeyed));
    await sendAgain(
      context,
      sender,
      free.filter((row) => !isGone(row)),
    );
  }
  const left = listDoubtful(context);
  if (left.length === 0) return { looked, refused: 0 };
  // Requests of an earlier process ended with it and its embedded service.
  const unsettled = settings.keysHonoured ? left.filter((row) => !isGone(row)) : left;
  const waitMs = toSettleLeft(context, sender, unsettled);
  if (waitMs > 0) {
    events.waiting(
      `${left.length} creates lost their answer; looking for them on the server in ${Math.ceil(waitMs / 1000)} s`,
    );
    await clock.sleep(waitMs, signal);
  }
  return { looked, refused: signal.aborted ? 0 : await decide(context, left) };
}
