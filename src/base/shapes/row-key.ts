/** Joins the cells of a row's key, for people and for the state. */
export const KEY_SEPARATOR = " / ";

/** A key for people: without its empty parts. It doesn't identify a row. */
export function showKey(key: string): string {
  const parts = key.split(KEY_SEPARATOR).filter((part) => part.trim() !== "");
  return parts.length === 0 ? key : parts.join(KEY_SEPARATOR);
}
