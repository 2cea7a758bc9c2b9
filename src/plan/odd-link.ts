/** Links that the built-in service refuses, and other servers may: told before they are sent. */
import { isOpenableUrl, NOT_IN_URL } from "../api/fields.ts";
import { ownLimits } from "../api/limits.ts";
import type { Problem } from "../base/errors.ts";
import { isUrl } from "../base/text/url.ts";
import { cutText, quoteText } from "../base/text/words.ts";
import type { Wanted } from "../state/row.ts";

const SCHEMES = "https:// or http://, ftp://, ftps://, mailto:, tel:, sms: or geo:";

function findRule(text: string): { readonly rule: string; readonly hint?: string } {
  if (text.length > ownLimits.maxUrl)
    return { rule: `must have at most ${ownLimits.maxUrl} characters` };
  if (text.includes(" ")) return { rule: "must have no blanks", hint: "write %20 for a blank" };
  if (NOT_IN_URL.test(text)) return { rule: "must have no control characters, such as tabs" };
  return { rule: `must begin with ${SCHEMES}, and name an address` };
}

/** Text codes are static only. */
const TEXT_HINT = "code.type: Text holds it as it is";

interface OddLink {
  readonly rule: string;
  readonly got: string;
  readonly hint: string | undefined;
}

/** A Link that isn't an address that every phone opens. */
function findOddLink({ type, qrData, dynamic }: Wanted): OddLink[] {
  if (type !== "Link" || qrData === null || !isUrl(qrData) || isOpenableUrl(qrData)) return [];
  const { rule, hint } = findRule(qrData);
  const hints = [hint, dynamic ? undefined : TEXT_HINT].filter((one) => one !== undefined);
  const text = hints.length > 0 ? hints.join("; or ") : undefined;
  return [{ rule: `qr_data of a Link ${rule}`, got: qrData, hint: text }];
}

const toRefusal = ({ rule, got, hint }: OddLink): Problem => ({
  message: `${rule}, got ${quoteText(cutText(got))}`,
  ...(hint !== undefined && { hint }),
});

/** For a server whose rule is not known. The text is left out, so that equal ones are counted. */
const toDoubt = ({ rule, hint }: OddLink): Problem => ({
  message: rule,
  hint: ["the server may refuse it", hint].filter((one) => one !== undefined).join("; "),
});

/** The rule of the built-in service is known, that of another server is not. */
export function judgeLink(
  wanted: Wanted,
  { baseUrl }: { readonly baseUrl?: string },
): { readonly refused: readonly Problem[]; readonly doubted: readonly Problem[] } {
  const odd = findOddLink(wanted);
  return baseUrl === undefined
    ? { refused: odd.map(toRefusal), doubted: [] }
    : { refused: [], doubted: odd.map(toDoubt) };
}
