/**
 * Puts back what a run replaced. Values are set, so repeating one is harmless; what is back is noted
 * at once, so that a killed undo goes on where it stopped. A code that somebody else has changed
 * since is left alone, unless `force` is set.
 */
import type { Code } from "../api/code.ts";
import type { Link } from "../api/link.ts";
import { AppError, toMessage } from "../base/errors.ts";
import type { Client } from "../client/client.ts";
import { isRestored, isUntouched, toUndoDesign } from "../plan/restyle.ts";
import type { ChangeLog, Fields, KeptChange } from "../state/change-log.ts";
import type { CodeNow } from "../state/selected-rows.ts";
import { toPath } from "./catalog.ts";
import { isRowError } from "./change.ts";
import { asSeen, readDesign } from "./redesign.ts";

export interface UndoEvents {
  /** It was put back; `lost` says what could not be. */
  undone(change: KeptChange, lost: readonly string[]): void;
  /** It was as before already: nothing was sent. */
  wasBack(change: KeptChange): void;
  /** `isGone`: the server no longer has it. */
  failed(change: KeptChange, message: string, isGone?: boolean): void;
}

export interface UndoContext {
  readonly changes: ChangeLog;
  readonly run: number;
  readonly client: Client;
  /** Puts back what somebody else has changed since, too. */
  readonly force: boolean;
  readonly events: UndoEvents;
  /** Called before anything is put back, for each code. */
  readonly begun: () => void;
  /** The remembered design of a code no longer holds. */
  readonly forget: (key: string) => void;
  /** A code or short link as the server shows it before it is put back. */
  readonly seen: (change: KeptChange, code: Code | Link) => void;
  /** A code or short link leads elsewhere again, or has its old name or folder. */
  readonly moved: (change: KeptChange, now: CodeNow) => void;
  /** Somebody else has changed it since, or nobody ever has: it stays as it is `now`, and lists say so. */
  readonly leftAlone?: ((change: KeptChange, now: CodeNow) => void) | undefined;
  /**
   * Until it is forgotten, nobody knows which design a code has: the answer may be lost. What it
   * returns takes that back, since nothing was changed.
   */
  readonly doubt: (key: string) => () => void;
  readonly signal: AbortSignal;
}

type Seen = Readonly<Record<string, unknown>>;

/** How one change is put back, after a look at the code. */
export type UndoAction =
  | { readonly kind: "back" }
  | { readonly kind: "refuse"; readonly message: string; readonly isForeign?: true }
  | { readonly kind: "send"; readonly patch: Seen; readonly lost: readonly string[] };

const CHANGED_SINCE =
  "somebody has changed it since the run; look at it, then put it back with --force";

function refuseUnknown(before: Fields | null): UndoAction {
  const picture = before?.["picture"];
  const kept = typeof picture === "string" ? `; how it looked is kept in ${picture}` : "";
  const why = "the server didn't show it, and no earlier run had set it";
  return { kind: "refuse", message: `its old design is not known: ${why}${kept}` };
}

/**
 * How a redesigned code is put back. `current` is what the server says of its design, if it does: it
 * may be as before already, since the answer to an earlier undo was lost.
 */
export function toDesignAction(
  before: Fields | null,
  after: Fields,
  { current, force }: { current: Seen | undefined; force: boolean },
): UndoAction {
  const known = asSeen(before?.["design"]);
  if (known === undefined) return refuseUnknown(before);
  const left = asSeen(after["design"]);
  const made = { ...asSeen(after["sent"]), ...left };
  if (current === undefined) return toDesignPatch(known, made);
  if (isRestored(current, { before: known, after: made })) return toRestored(known, made);
  const isOurs = left === undefined || isUntouched(current, left);
  if (!isOurs && !force) return { kind: "refuse", message: CHANGED_SINCE, isForeign: true };
  return toDesignPatch(known, force ? { ...made, ...current } : made);
}

/** Whether a logo is that of before can't be seen: it is sent again. */
function toRestored(known: Seen, made: Seen): UndoAction {
  const action = toDesignPatch(known, made);
  if (action.kind !== "send" || action.lost.length > 0) return action;
  return action.patch["logo_file"] === undefined ? { kind: "back" } : action;
}

function toDesignPatch(known: Seen, now: Seen): UndoAction {
  const { patch, lost } = toUndoDesign(known, now);
  if (Object.keys(patch).length > 0) return { kind: "send", patch, lost };
  return lost.length === 0
    ? { kind: "back" }
    : { kind: "refuse", message: `can't be put back: ${lost.join(", ")}` };
}

async function sendDesign(
  { client, changes, doubt }: UndoContext,
  { key, remoteId }: KeptChange,
  { logo_file: mark, ...patch }: Seen,
): Promise<void> {
  const logo = typeof mark === "string" ? changes.logo(mark) : undefined;
  const isUnchanged = doubt(key);
  try {
    await client.restyleCode(remoteId, {
      ...patch,
      ...(logo !== undefined && { logo_base64: logo }),
    });
  } catch (error) {
    if (isRowError(error)) isUnchanged();
    throw error;
  }
}

async function undoDesign(context: UndoContext, change: KeptChange): Promise<UndoAction> {
  const { client, force, seen, doubt } = context;
  const { key, remoteId, before, after } = change;
  const code = await client.getCode(remoteId);
  seen(change, code);
  const current = readDesign(code);
  const action = toDesignAction(before, after, { current, force });
  if (action.kind !== "refuse") context.begun();
  if (action.kind === "send") await sendDesign(context, change, action.patch);
  // It looks neither as before nor as the run had left it.
  if (action.kind === "refuse" && action.isForeign === true) doubt(key);
  return action;
}

/** field of a code or short link -> what it holds now. */
export function toCurrent(code: Code | Link, isLink: boolean): Seen {
  if (isLink) {
    const { link, display_name: name } = code as Link;
    return { link: link ?? null, display_name: name ?? "" };
  }
  const { qr_data: data, display_name: name, folder } = code as Code;
  return { qr_data: data ?? null, display_name: name ?? "", folder: folder?.id ?? null };
}

function toNow(now: Code | Link, isLink: boolean): CodeNow {
  const { link, qr_data: data, folder, display_name: name } = now as Partial<Code & Link>;
  return {
    destination: (isLink ? link : data) ?? null,
    name: name ?? "",
    folder: folder ? toPath(folder.path ?? folder.name) : null,
  };
}

/** How a retargeted code is put back: field by field. Tags that it got are taken away again. */
export function toFieldsAction(
  before: Fields,
  after: Fields,
  { current, force }: { current: Seen; force: boolean },
): UndoAction {
  const fields = Object.keys(before).filter((field) => field !== "tags");
  const open = fields.filter((field) => current[field] !== before[field]);
  const foreign = open.filter((field) => current[field] !== after[field]);
  if (foreign.length > 0 && !force) {
    const shown = foreign.map((field) => `${field} is ${JSON.stringify(current[field])}`);
    return { kind: "refuse", message: `${CHANGED_SINCE} (${shown.join(", ")})` };
  }
  if (open.length === 0) return { kind: "back" };
  const patch = Object.fromEntries(open.map((field) => [field, before[field]]));
  return { kind: "send", patch, lost: [] };
}

const tagsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Tags that the run put on the code, by what stands for them in addresses. */
async function removeTags(client: Client, change: KeptChange, code: Code): Promise<number> {
  const added = new Set(tagsOf(change.after["tags"]));
  const found = (code.tags ?? []).filter(({ title }) => added.has(title));
  for (const tag of found) await client.removeTag(change.remoteId, tag.id);
  return found.length;
}

/** The server's answer; where it has less, what was sent. */
async function sendBack(
  { client }: UndoContext,
  { remoteId, isLink }: KeptChange,
  patch: Seen,
): Promise<Code | Link> {
  const { folder: _id, ...plain } = patch;
  return isLink
    ? { ...plain, ...(await client.updateLink(remoteId, patch)) }
    : { ...plain, ...(await client.updateCode(remoteId, patch)) };
}

async function undoFields(context: UndoContext, change: KeptChange): Promise<UndoAction> {
  const { client, force, moved, seen } = context;
  const { remoteId, isLink, after } = change;
  const before = change.before ?? {};
  const code = isLink ? await client.getLink(remoteId) : await client.getCode(remoteId);
  seen(change, code);
  const current = toCurrent(code, isLink);
  const action = toFieldsAction(before, after, { current, force });
  if (action.kind === "refuse") {
    context.leftAlone?.(change, toNow(code, isLink));
    return action;
  }
  context.begun();
  const now = action.kind === "send" ? await sendBack(context, change, action.patch) : code;
  const note = isUnmade(action, change) ? (context.leftAlone ?? moved) : moved;
  note(change, toNow(now, isLink));
  const removed = isLink ? 0 : await removeTags(client, change, code as Code);
  return removed > 0 && action.kind === "back" ? { kind: "send", patch: {}, lost: [] } : action;
}

/** It was begun, never noted as made, and is as before: it was not made at all. */
const isUnmade = ({ kind }: UndoAction, { state }: KeptChange): boolean =>
  kind === "back" && state === "begun";

async function undoOne(context: UndoContext, change: KeptChange): Promise<void> {
  const { changes, events, run, forget, doubt } = context;
  const isDesign = change.after["sent"] !== undefined;
  const action = await (isDesign ? undoDesign(context, change) : undoFields(context, change));
  if (action.kind === "refuse") {
    events.failed(change, action.message);
    return;
  }
  if (!isUnmade(action, change)) forget(change.key);
  else if (isDesign) doubt(change.key);
  changes.undone(run, change.key);
  if (action.kind === "back") events.wasBack(change);
  else events.undone(change, action.lost);
}

/** Puts every open change of a run back, latest first. A code's failure is reported, not thrown. */
export async function undoRun(context: UndoContext): Promise<void> {
  const { changes, run, client, events, signal } = context;
  const work = async (change: KeptChange): Promise<void> => {
    try {
      await undoOne(context, change);
    } catch (error) {
      if (!isRowError(error)) throw error;
      const isGone = error instanceof AppError && error.code === "not-found";
      events.failed(change, isGone ? "the code is gone" : toMessage(error), isGone);
    }
  };
  await client.eachWrite(changes.open(run), work, { priority: "updates", signal });
}
