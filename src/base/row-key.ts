/** Joins the cells of a row's key, for people and for the state. */
export const KEY_SEPARATOR = " / ";

/** A key as people see it: without its empty parts. It identifies no row. */
export function showKey(key: string): string {
  const parts = key.split(KEY_SEPARATOR).filter((part) => part.trim() !== "");
  return parts.length === 0 ? key : parts.join(KEY_SEPARATOR);
}
