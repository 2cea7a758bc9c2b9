/**
 * Which code on the server belongs to which row in doubt (docs/spec/engine.md section 1.5). Pure:
 * rows and list items in, verdicts out.
 */
import { isUrl } from "../base/text/url.ts";
import type { ToldCode } from "../api/code.ts";
import type { StateRow, Wanted } from "../state/row.ts";

/** A code may seem older than its intent by this much: clocks of servers are not ours. */
export const CLOCK_SLACK_MS = 60_000;

/**
 * `found`: the row's code. `unfiled`: the row's code, but its folder has vanished. `conflict`: a
 * code of the same data and time, but under another name or in another folder; a person must say
 * whose. `absent`: there is no such code.
 */
export type Verdict =
  | {
      readonly kind: "found" | "unfiled" | "conflict";
      readonly row: StateRow;
      readonly item: ToldCode;
    }
  | { readonly kind: "absent"; readonly row: StateRow };

const sameText = (text: string | null | undefined): string => (text ?? "").normalize("NFC").trim();

/** Servers may rewrite a URL without changing it (host in lower case, a slash after it). */
function sameData(data: string | null | undefined): string {
  const text = sameText(data);
  return isUrl(text) ? new URL(text).href : text;
}

interface MatchParts {
  readonly name: string | null | undefined;
  readonly type: string | undefined;
  readonly data: string | null | undefined;
  readonly dynamic: boolean | undefined;
  readonly folderId: string | null;
}

/** The data of vCard and GS1 codes is not specified in lists. */
export const hasPlainData = (type: string | undefined): boolean =>
  type === "Link" || type === "Text";

/** What a row and its code have in common. */
function toMatchKey({ name, type, data, dynamic, folderId }: MatchParts): string {
  const plain = hasPlainData(type) ? sameData(data) : null;
  return JSON.stringify([sameText(name), type, plain, dynamic, folderId]);
}

export function toRowMatchKey(wanted: Wanted, name: string, folderId: string | null): string {
  const { type, qrData: data, dynamic } = wanted;
  return toMatchKey({ name, type, data, dynamic, folderId });
}

const toItemParts = (item: ToldCode): MatchParts => ({
  name: item.display_name,
  type: item.qr_type,
  data: item.qr_data,
  dynamic: item.dynamic,
  folderId: item.folder?.id ?? null,
});

export const toItemMatchKey = (item: ToldCode): string => toMatchKey(toItemParts(item));

const HAS_ZONE = /(?:Z|UTC|GMT|:\d\d(?:\.\d+)?[+-]\d\d(?::?\d\d)?)$/iu;

/** When the server made a code. A time without zone is UTC; one that can't be read is NaN. */
export function toCreatedMs({ created }: Pick<ToldCode, "created">): number {
  const text = (created ?? "").trim();
  return Date.parse(HAS_ZONE.test(text) ? text : `${text.replace(" ", "T")}Z`);
}

/** Server time (ms) before which no item can belong to any of these rows. */
export function toScanStart(rows: readonly StateRow[]): number {
  return Math.min(...rows.map((row) => row.intentAtMs ?? 0)) - CLOCK_SLACK_MS;
}

export interface MatchOptions {
  /** True for a code that a row holds already. */
  readonly isHeld: (id: string) => boolean;
  readonly folderId: (path: string) => string | null;
  /** The display name under which a row was sent. */
  readonly sentName: (row: StateRow) => string;
  /** Match keys of codes that are explained: late ones of other rows. */
  readonly explained: ReadonlySet<string>;
  /** Rows that were in doubt and not audited yet: a code of theirs may come late. */
  readonly doubted: readonly StateRow[];
  /** Vanished rows: of equal rows, they get a code last. */
  readonly isGone: (row: StateRow) => boolean;
  /** A row's code is at most this much younger than its send. */
  readonly windowMs: number;
}

/** Codes that no row holds, by key, oldest first. Each is given away once. */
class FreeCodes {
  readonly #byKey: Map<string, ToldCode[]>;

  constructor(items: readonly ToldCode[], toKey: (item: ToldCode) => string) {
    const sorted = items.toSorted((a, b) => toCreatedMs(a) - toCreatedMs(b));
    this.#byKey = groupBy(sorted, toKey);
  }

  /** The oldest code of this key that is not too old and still free. */
  take(key: string, isFit: (item: ToldCode) => boolean): ToldCode | undefined {
    const items = this.#byKey.get(key) ?? [];
    const index = items.findIndex(isFit);
    return index < 0 ? undefined : items.splice(index, 1)[0];
  }
}

function groupBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(toKey(item));
    if (group === undefined) groups.set(toKey(item), [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Gives every row in doubt the oldest free code that carries its match key and is not older than
 * its intent. Equal rows are interchangeable: any free code serves any of them. Then it looks again
 * at what is left over: codes whose folder has vanished, codes that were renamed or moved.
 */
export function matchRows(
  rows: readonly StateRow[],
  items: readonly ToldCode[],
  options: MatchOptions,
): Verdict[] {
  const taken = new Set<string>();
  const free = items.filter((item) => !options.isHeld(item.id));
  const gone = new Set(rows.filter(options.isGone));
  const sorted = rows.toSorted(
    (a, b) =>
      Number(gone.has(a)) - Number(gone.has(b)) ||
      (a.intentAtMs ?? 0) - (b.intentAtMs ?? 0) ||
      a.seq - b.seq,
  );
  const verdicts = new Map<StateRow, Verdict>();
  const isAmbiguous = toAmbiguous([...sorted, ...options.doubted], options);
  const pass = (kind: "found" | "unfiled" | "conflict", match: Match): void => {
    const codes = new FreeCodes(free, (item) => match.toItemKey(toItemParts(item)));
    for (const row of sorted) {
      const key = match.toRowKey(toRowParts(row, options));
      if (verdicts.has(row) || key === undefined) continue;
      const item = codes.take(key, (code) => !taken.has(code.id) && match.isFit(row, code));
      if (item === undefined) continue;
      taken.add(item.id);
      verdicts.set(row, { kind: isAmbiguous(row) ? "conflict" : kind, row, item });
    }
  };
  pass("found", { toRowKey: toMatchKey, toItemKey: toMatchKey, isFit: isNotTooOld });
  pass("unfiled", {
    toRowKey: (parts) => (parts.folderId === null ? undefined : toMatchKey(unfile(parts))),
    toItemKey: toMatchKey,
    isFit: isNotTooOld,
  });
  pass("conflict", {
    toRowKey: toLooseKey,
    toItemKey: (parts) => toLooseKey(parts) ?? "",
    isFit: (row, item) => isSuspect(row, item, options),
  });
  return sorted.map((row) => verdicts.get(row) ?? { kind: "absent", row });
}

/**
 * True for rows that share a name but not their content, where lists don't show the content: a swap
 * would print the wrong person.
 */
function toAmbiguous(rows: readonly StateRow[], options: MatchOptions): (row: StateRow) => boolean {
  const contents = new Map<string, Set<string>>();
  const toKey = (row: StateRow): string => toMatchKey(toRowParts(row, options));
  for (const row of rows) {
    const { type, vcard, gs1Product } = row.made ?? row.wanted;
    if (hasPlainData(type)) continue;
    const known = contents.get(toKey(row)) ?? new Set();
    contents.set(toKey(row), known.add(JSON.stringify([vcard, gs1Product])));
  }
  return (row) => (contents.get(toKey(row))?.size ?? 0) > 1;
}

interface Match {
  readonly toRowKey: (parts: MatchParts) => string | undefined;
  readonly toItemKey: (parts: MatchParts) => string;
  readonly isFit: (row: StateRow, item: ToldCode) => boolean;
}

function toRowParts(
  row: StateRow,
  options: Pick<MatchOptions, "folderId" | "sentName">,
): MatchParts {
  const { type, qrData: data, dynamic, folder } = row.made ?? row.wanted;
  const folderId = folder === null ? null : options.folderId(folder);
  return { name: options.sentName(row), type, data, dynamic, folderId };
}

const unfile = (parts: MatchParts): MatchParts => ({ ...parts, folderId: null });

/**
 * Whether an item may be a code of these rows, by the fields that its list shows; missing fields
 * rule nothing out. Renamed and moved codes count, as below.
 */
export function toMayBe(
  rows: readonly StateRow[],
  options: Pick<MatchOptions, "folderId" | "sentName">,
): (item: ToldCode) => boolean {
  const wanted = rows.map((row) => toPlain(toRowParts(row, options)));
  return (item) => {
    const its = toPlain(toItemParts(item));
    const isFolderTold = item.folder !== undefined;
    return wanted.some((mine) => isPossible(its, mine, isFolderTold));
  };
}

/** Texts in the one form in which they are compared; what is left out stays left out. */
const toPlain = ({ name, data, ...rest }: MatchParts): MatchParts => ({
  ...rest,
  name: name === undefined ? undefined : sameText(name),
  data: data === undefined ? undefined : sameData(data),
});

function isPossible(its: MatchParts, mine: MatchParts, isFolderTold: boolean): boolean {
  const isKind = isOrUntold(its.type, mine.type) && isOrUntold(its.dynamic, mine.dynamic);
  const isData = !hasPlainData(mine.type) || isOrUntold(its.data, mine.data);
  const isFiled = !isFolderTold || its.folderId === mine.folderId;
  return isKind && isData && (isOrUntold(its.name, mine.name) || isFiled);
}

const isOrUntold = <Value>(told: Value | undefined, wanted: Value | undefined): boolean =>
  told === undefined || told === wanted;

/** The part of a match key that a rename or a move keeps; undefined where that is empty. */
function toLooseKey({ type, data, dynamic }: MatchParts): string | undefined {
  return hasPlainData(type) ? JSON.stringify([type, sameData(data), dynamic]) : undefined;
}

/** A time that can't be read excludes nothing. */
function isNotTooOld(row: StateRow, item: ToldCode): boolean {
  return !(toCreatedMs(item) < (row.intentAtMs ?? 0) - CLOCK_SLACK_MS);
}

/** Made in the row's minutes, and either renamed or moved. After both, it could be any row's. */
function isSuspect(row: StateRow, item: ToldCode, options: MatchOptions): boolean {
  const mine = toRowParts(row, options);
  const its = toItemParts(item);
  const isSameName = sameText(mine.name) === sameText(its.name);
  const isSameFolder = mine.folderId === its.folderId;
  const lastMs = (row.sentAtMs ?? 0) + options.windowMs + CLOCK_SLACK_MS;
  const isInTime = isNotTooOld(row, item) && toCreatedMs(item) <= lastMs;
  return isInTime && isSameName !== isSameFolder && !options.explained.has(toItemMatchKey(item));
}
