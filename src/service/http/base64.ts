const DATA_PREFIX = /^data:[^,]*;base64,/iu;
const BASE64 = /^[A-Za-z0-9+/_\s-]*(?:=\s*){0,2}$/u;

/** Bytes of base64, with or without `data:` prefix and line breaks, or undefined. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(DATA_PREFIX, "");
  if (digits.trim() === "" || !BASE64.test(digits)) return undefined;
  // It passes over white space itself: taking that out of 20 MB first would hold up everybody else.
  return Buffer.from(digits, "base64");
}
