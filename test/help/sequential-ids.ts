import type { Ids } from "../../src/base/ids/ids.ts";

/** The letters of `randomIds`. */
const SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

/** Counts up: the same calls give the same identifiers. */
export function sequentialIds(): Ids {
  let n = 0;
  return {
    uuid: () => {
      n += 1;
      return `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
    },
    slug: (length) => {
      n += 1;
      let rest = n;
      let out = "";
      for (let i = 0; i < length; i += 1) {
        out = (SLUG_ALPHABET[rest % 31] ?? "") + out;
        rest = Math.floor(rest / 31);
      }
      return out;
    },
  };
}
