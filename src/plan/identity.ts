import type { SourceRow } from "../read/source.ts";
import type { Wish } from "./wish.ts";

/** Joins the cells of a key for people and for the state. */
export const KEY_SEPARATOR = " / ";

/**
 * What makes a row the same row on the next run: the cells of the key columns, or without a key the
 * name, folder and data of its code, equal ones told apart by their count (`jobs.md` section 1).
 */
export function makeIdentifier(key: readonly string[]): (row: SourceRow, wish: Wish) => string {
  if (key.length > 0) {
    return (row) => key.map((column) => row.values[column] ?? "").join(KEY_SEPARATOR);
  }
  const seen = new Map<string, number>();
  return (_row, { wanted }) => {
    const data = wanted.vcard === null ? wanted.qrData : JSON.stringify(wanted.vcard);
    const identity = [wanted.displayName, wanted.folder ?? "", data ?? ""].join(KEY_SEPARATOR);
    const count = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, count);
    return count === 1 ? identity : `${identity} #${count}`;
  };
}
