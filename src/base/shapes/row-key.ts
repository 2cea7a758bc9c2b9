/** Joins the cells of a row's key, for people and for the state. */
export const KEY_SEPARATOR = " / ";

/** Without a key column, a contact's key ends in its fields as JSON, with its count behind them. */
function splitFields(key: string): { readonly name: string; readonly count: string } {
  const at = key.indexOf(`${KEY_SEPARATOR}{"`);
  return at < 0
    ? { name: key, count: "" }
    : { name: key.slice(0, at), count: key.slice(key.lastIndexOf("}") + 1) };
}

/** A key for people: without its empty parts and fields. It doesn't identify a row. */
export function showKey(key: string): string {
  const { name, count } = splitFields(key);
  const parts = name.split(KEY_SEPARATOR).filter((part) => part.trim() !== "");
  return parts.length === 0 ? key : parts.join(KEY_SEPARATOR) + count;
}
