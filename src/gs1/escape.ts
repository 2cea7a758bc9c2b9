/**
 * Values in URIs (docs/spec/gs1.md section 3): everything except unreserved characters is escaped.
 */

const PLAIN = /[^A-Za-z0-9\-._~]/gu;

/** Percent-escapes all but `A-Za-z0-9-._~`: `encodeURIComponent` would leave `! ' ( ) *`. */
export function escapeValue(value: string): string {
  return value.replace(PLAIN, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
}

/** Percent pairs back to bytes; a broken pair stays. Bytes are read as Latin-1. */
export function unescapeValue(text: string): string {
  return text.replace(/%([0-9a-f]{2})/giu, (_, pair: string) =>
    String.fromCharCode(Number.parseInt(pair, 16)),
  );
}
