/** Codes of a job that its sheets of today don't hold: older paper may show them (docs/scan-back.md). */
import { sha256 } from "../../base/ids/ids.ts";
import { isUrl } from "../../base/text/url.ts";
import type { KnownPast, PastCode, PastReason } from "../../scan/scan.ts";
import type { StateRow } from "../../state/row.ts";
import type { ReprintedCell } from "../reprint/reprints.ts";
import {
  NOT_VANISHED,
  PRESENT_SHOWN,
  VANISHED,
  VANISHED_DELETED,
  WITH_DELETED_CODES,
  WITH_PAYLOAD,
} from "../../state/which-rows.ts";
import { toPayload } from "../stages/payload.ts";
import { PUBLIC_URL, recallEarlier, toMovedLink } from "../address/public-address.ts";
import { recallRemade } from "../stages/sheets.ts";
import type { Work } from "../stages/work.ts";

/** Links under which the code of a row was printed before. */
function* earlierLinks(
  { shortLink }: Pick<StateRow, "shortLink">,
  { earlier, now }: { readonly earlier: readonly string[]; readonly now: string | undefined },
): Iterable<string> {
  if (shortLink === null || !isUrl(shortLink)) return;
  // A job that doesn't keep the address is one of a remote server, which gives its links whole.
  const from = now ?? new URL(shortLink).origin;
  for (const address of earlier) {
    const link = toMovedLink(shortLink, from, address);
    if (link !== undefined) yield link;
  }
}

function* listDeleted({ state }: Work): Iterable<readonly [text: string, key: string]> {
  for (const row of state.goneRows(VANISHED_DELETED))
    if (!row.wanted.dynamic) yield [toPayload(row), row.key];
  for (const { key, parts } of [
    ...state.rows(WITH_DELETED_CODES),
    ...state.goneRows(WITH_DELETED_CODES),
  ])
    for (const { shortLink } of parts.deleted ?? []) if (shortLink !== null) yield [shortLink, key];
}

/**
 * Tells of codes on labels that were printed once more which of them the job no longer makes; what it
 * would print today lives, also where no sheet of today holds it.
 *
 * @param today hashes of what stands on sheets of today
 */
export function openReprinted({ state }: Pick<Work, "state">, today: ReadonlySet<string>) {
  return ({ key, payloadHash }: ReprintedCell): PastReason | undefined => {
    if (today.has(payloadHash)) return undefined;
    const row = state.is(key, PRESENT_SHOWN) ? state.row(key) : undefined;
    if (row !== undefined && sha256(toPayload(row)) === payloadHash) return undefined;
    if (state.is(key, VANISHED_DELETED)) return "deleted";
    if (state.row(key) === undefined || state.is(key, VANISHED)) return "vanished";
    return state.isGone(key) ? "bad" : "address";
  };
}

/**
 * @param today hashes of what stands on sheets of today
 * @param reprinted hashes of codes that only labels printed once more hold
 */
export function gatherPast(
  work: Work,
  today: ReadonlySet<string>,
  reprinted: ReadonlyMap<string, PastCode>,
): KnownPast {
  const { state } = work;
  const codes = new Map(reprinted);
  const note = (text: string, key: string, why: PastReason): void =>
    void codes.set(sha256(text), { key, why });
  const addresses = { earlier: recallEarlier(state), now: state.meta(PUBLIC_URL) };
  const noteRow = (row: StateRow, why: PastReason): void => {
    note(toPayload(row), row.key, why);
    for (const link of earlierLinks(row, addresses)) note(link, row.key, why);
  };
  for (const [text, key] of listDeleted(work)) note(text, key, "deleted");
  for (const row of state.goneRows(`${VANISHED} AND ${WITH_PAYLOAD}`)) noteRow(row, "vanished");
  for (const row of state.goneRows(`${NOT_VANISHED} AND ${WITH_PAYLOAD}`)) noteRow(row, "bad");
  for (const row of state.rows(WITH_PAYLOAD)) {
    if (row.labels.length === 0) noteRow(row, "unprinted");
    else for (const link of earlierLinks(row, addresses)) note(link, row.key, "address");
  }
  // A text that is printed today as well, as after a change of keys, says nothing of the past.
  for (const hash of codes.keys()) if (today.has(hash)) codes.delete(hash);
  return { codes, wereRemade: recallRemade(state) !== undefined };
}
