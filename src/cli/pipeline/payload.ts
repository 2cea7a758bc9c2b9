import { AppError } from "../../base/errors.ts";
import { toStaticPayload } from "../../plan/payload.ts";
import type { StateRow } from "../../state/row.ts";

/** What the code of a finished row must say when it is scanned. */
export function toPayload(row: Pick<StateRow, "key" | "wanted" | "made" | "shortLink">): string {
  if (row.shortLink !== null) return row.shortLink;
  const wanted = row.made ?? row.wanted;
  if (!wanted.dynamic) return toStaticPayload(wanted);
  throw new AppError("answer-unusable", `row ${row.key}: a dynamic code must have a short link`);
}
