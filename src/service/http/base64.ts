const DATA_PREFIX = /^data:[^,]*;base64,/iu;
const BASE64 = /^[A-Za-z0-9+/_\s-]*(?:=\s*){0,2}$/u;

/** Bytes of base64, with or without `data:` prefix and line breaks, or undefined. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(DATA_PREFIX, "");
  if (digits.trim() === "" || !BASE64.test(digits)) return undefined;
  // `Buffer` skips white space itself: removing it from 20 MB first would delay other requests.
  return Buffer.from(digits, "base64");
}
