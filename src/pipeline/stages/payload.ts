import { showKey } from "../../base/shapes/row-key.ts";
import { saysTheSame } from "../../api/carried.ts";
import { AppError } from "../../base/errors.ts";
import { toStaticPayload } from "../../api/payload.ts";
import { toDigitalLinkOf } from "../../plan/product-wish.ts";
import type { StateRow } from "../../state/row.ts";

/** What the code of a finished row must say when it is scanned. */
export function toPayload(row: Pick<StateRow, "key" | "wanted" | "made" | "shortLink">): string {
  if (row.shortLink !== null) return row.shortLink;
  const wanted = row.made ?? row.wanted;
  if (!wanted.dynamic) return toStaticPayload(wanted);
  throw new AppError(
    "answer-unusable",
    `row ${showKey(row.key)}: a dynamic code must have a short link`,
  );
}

/** Whether a text that was read out of a picture means what the row's code must say. */
export function meansPayload(
  row: Pick<StateRow, "key" | "wanted" | "made" | "shortLink">,
  scanned: string,
): boolean {
  const wanted = row.made ?? row.wanted;
  const { type, vcard, dynamic } = wanted;
  return saysTheSame(scanned, {
    type,
    text: toPayload(row),
    vcard: dynamic ? null : vcard,
    digitalLink: toDigitalLinkOf(wanted) ?? null,
  });
}
