/**
 * Which code on the server belongs to which row in doubt (`engine.md` section 1.5). Pure: rows and
 * list items in, verdicts out.
 */
import type { CodeItem } from "../api/code.ts";
import type { StateRow, Wanted } from "../state/row.ts";

/** A code may seem older than its intent by this much: clocks of servers are not ours. */
const CLOCK_SLACK_MS = 60_000;

export type Verdict =
  | { readonly row: StateRow; readonly found: CodeItem }
  | { readonly row: StateRow; readonly found: null };

const sameText = (text: string | null | undefined): string => (text ?? "").normalize("NFC").trim();

/** Servers may rewrite a URL without changing it (host in lower case, a slash after it). */
function sameData(data: string | null | undefined): string {
  const text = sameText(data);
  return URL.canParse(text) ? new URL(text).href : text;
}

/**
 * What a row and its code have in common. The data of vCard and GS1 codes is not specified in
 * lists, so it does not count there.
 */
function toMatchKey(parts: {
  name: string | null | undefined;
  type: string;
  data: string | null | undefined;
  dynamic: boolean;
  folderId: string | null;
}): string {
  const isPlain = parts.type === "Link" || parts.type === "Text";
  return JSON.stringify([
    sameText(parts.name),
    parts.type,
    isPlain ? sameData(parts.data) : null,
    parts.dynamic,
    parts.folderId,
  ]);
}

export function toRowMatchKey(wanted: Wanted, name: string, folderId: string | null): string {
  return toMatchKey({
    name,
    type: wanted.type,
    data: wanted.qrData,
    dynamic: wanted.dynamic,
    folderId,
  });
}

export function toItemMatchKey(item: CodeItem): string {
  return toMatchKey({
    name: item.display_name,
    type: item.qr_type,
    data: item.qr_data,
    dynamic: item.dynamic,
    folderId: item.folder?.id ?? null,
  });
}

const createdMs = (item: CodeItem): number => Date.parse(item.created);

/** Server time (ms) before which no item can belong to any of these rows. */
export function toScanStart(rows: readonly StateRow[]): number {
  return Math.min(...rows.map((row) => row.intentAtMs ?? 0)) - CLOCK_SLACK_MS;
}

/**
 * Gives every row in doubt the oldest free code that carries its match key and is not older than
 * its intent, or none. Equal rows are interchangeable: any free code serves any of them.
 */
export function matchRows(
  rows: readonly StateRow[],
  items: readonly CodeItem[],
  options: {
    /** True for a code that a row holds already. */
    readonly isHeld: (id: string) => boolean;
    readonly folderId: (path: string) => string | null;
    /** The display name under which a row was sent. */
    readonly sentName: (row: StateRow) => string;
  },
): Verdict[] {
  const free = new Map<string, CodeItem[]>();
  for (const item of items.toSorted((a, b) => createdMs(a) - createdMs(b))) {
    if (options.isHeld(item.id)) continue;
    const key = toItemMatchKey(item);
    free.set(key, [...(free.get(key) ?? []), item]);
  }
  return rows
    .toSorted((a, b) => (a.intentAtMs ?? 0) - (b.intentAtMs ?? 0) || a.seq - b.seq)
    .map((row): Verdict => {
      const wanted = row.made ?? row.wanted;
      const folderId = wanted.folder === null ? null : options.folderId(wanted.folder);
      const candidates = free.get(toRowMatchKey(wanted, options.sentName(row), folderId)) ?? [];
      const earliest = (row.intentAtMs ?? 0) - CLOCK_SLACK_MS;
      const index = candidates.findIndex((item) => createdMs(item) >= earliest);
      const [found] = index < 0 ? [] : candidates.splice(index, 1);
      return { row, found: found ?? null };
    });
}
