import { sha256 } from "../base/ids.ts";
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
    designHash: toStableHash(design),
    tagsHash: toStableHash(tags.toSorted()),
  };
}
