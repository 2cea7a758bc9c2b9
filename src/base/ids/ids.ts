import { createHmac, hash, randomBytes, randomUUID, type KeyObject } from "node:crypto";

/** Source of identifiers, passed in so that tests can fix them. */
export interface Ids {
  /** UUID, lower-case. */
  uuid(): string;
  /** `length` characters of an alphabet without look-alikes (no 0 O 1 l i), lower-case. */
  slug(length: number): string;
}

const SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  slug: (length) => {
    // 31 letters: bytes from 248 on would favour the first eight, so they are drawn again.
    let out = "";
    while (out.length < length) {
      for (const byte of randomBytes(length)) {
        if (byte < 248 && out.length < length) out += SLUG_ALPHABET[byte % 31] ?? "";
      }
    }
    return out;
  },
};

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** RFC 4648 section 6 in lower case, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let out = "";
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += BASE32[(value >>> bits) & 31] ?? "";
    }
  }
  if (bits > 0) out += BASE32[(value << (5 - bits)) & 31] ?? "";
  return out;
}

/** SHA-256 as lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** HMAC-SHA256 of `data` under `key`, raw bytes. For repeated use, a `KeyObject` is fastest. */
export function hmacSha256(
  key: string | Uint8Array | KeyObject,
  data: string | Uint8Array,
): Uint8Array {
  return createHmac("sha256", key).update(data).digest();
}
