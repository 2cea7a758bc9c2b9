import { sha256 } from "../base/ids/ids.ts";
import { Remembered } from "../base/flow/remembered.ts";
import type { Wanted } from "../state/row.ts";

/** Hash of a plain value that does not depend on the order of its keys. */
export function toStableHash(value: unknown): string {
  return sha256(
    JSON.stringify(value, (_key, inner: unknown) =>
      inner !== null && typeof inner === "object" && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ),
  ).slice(0, 32);
}

/** The tags hash of a code without tags. */
export const EMPTY_TAGS_HASH = toStableHash([]);

const REMEMBERED = 1000;
const remembered = new Remembered<string>(REMEMBERED);

/** The same for what many rows share. */
function toSharedHash(value: unknown): string {
  const text = JSON.stringify(value);
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const made = toStableHash(value);
  remembered.set(text, made);
  return made;
}

/** What decides whether a code must be updated, restyled, tagged: one hash each. */
export function toWishHashes(wanted: Wanted): {
  wantedHash: string;
  designHash: string;
  tagsHash: string;
} {
  const { design, tags, ...content } = wanted;
  // The place of a PDF does not count, only its content.
  const pdf = content.pdf && { ...content.pdf, file: null };
  return {
    wantedHash: toStableHash({ ...content, ...(pdf && { pdf }) }),
    designHash: toSharedHash(design),
    tagsHash: toSharedHash(tags.toSorted()),
  };
}
