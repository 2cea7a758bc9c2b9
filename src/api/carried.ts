/**
 * The content of codes on other servers: where the API document leaves it open, several texts are
 * right.
 */
import { isUrl } from "../base/text/url.ts";
import { isUriFault, parseDigitalLinkUri, type DigitalLinkUri } from "../gs1/digital-link-uri.ts";
import type { CodeItem, ToldCode } from "./code.ts";

/** The scanned text must have this meaning; `text` is how makeready would write it. */
export interface Meaning {
  readonly type: CodeItem["qr_type"];
  readonly text: string;
  /** The contact of a vCard code. */
  readonly vcard: Readonly<Record<string, unknown>> | null;
  /** Path of a GS1 code's Digital Link, if the row has it. */
  readonly digitalLink: string | null;
}

function toDigitalLinkUri(text: string | null | undefined): DigitalLinkUri | undefined {
  const parsed = parseDigitalLinkUri(text ?? "");
  return isUriFault(parsed) ? undefined : parsed;
}

/** Schemes that run or open something on the phone, and characters that no address contains. */
// oxlint-disable-next-line no-control-regex
const NEVER_CARRIED = /^(?:javascript|vbscript|data|file|blob|about):|[\u0000-\u0020\u007f]/iu;

/** False for a short link that must not be printed, whatever server gives it. */
export const isCarriable = (shortLink: string): boolean => !NEVER_CARRIED.test(shortLink);

/**
 * The content of a dynamic code: its short link; for GS1 the Digital Link URI (docs/spec/api.md
 * section 4.1), which servers give either as the link or as the code's data. Null for codes without
 * either, and for links that must not be printed.
 */
export function toCarried(
  item: Pick<ToldCode, "qr_type" | "qr_data" | "shortlink_url">,
): string | null {
  const { qr_type: type, qr_data: data, shortlink_url: told } = item;
  // Some servers use an empty text for "none".
  const isTold = typeof told === "string" && told !== "" && isCarriable(told);
  const shortLink = isTold ? told : null;
  if (type !== "GS1") return shortLink;
  return [shortLink, data].find((text) => toDigitalLinkUri(text) !== undefined) ?? shortLink;
}

const isSameUrl = (a: string, b: string): boolean =>
  isUrl(a) && isUrl(b) && new URL(a).href === new URL(b).href;

const squeeze = (text: string): string => text.replaceAll(/\s/gu, "").toLowerCase();

/** RFC 6350 sections 3.2 and 3.4: undoes folded lines and escaped values, in all common spellings. */
const unescape = (text: string): string =>
  text
    .replaceAll(/\r?\n[ \t]/gu, "")
    .replaceAll(/\\n/giu, "\n")
    .replaceAll(/\\(.)/gu, "$1");

const CONTACT = /^(?:BEGIN:VCARD|MECARD:)/iu;

/**
 * True when the text has every detail of the contact, whatever the order, names and version of its
 * properties.
 */
function isContact(text: string, vcard: Readonly<Record<string, unknown>>): boolean {
  if (!CONTACT.test(text)) return false;
  const said = squeeze(unescape(text));
  const { version: _version, ...details } = vcard;
  return Object.values(details).every(
    (detail) => typeof detail !== "string" || said.includes(squeeze(detail)),
  );
}

/** Key and qualifiers; the key may lack its leading zeros. */
const toIdentity = ({ path }: Pick<DigitalLinkUri, "path">): string =>
  JSON.stringify(path.map(([ai, value], at) => [ai, at === 0 ? value.replace(/^0+/u, "") : value]));

/**
 * Whether the scanned text means what was wanted. The API document says neither how a contact is
 * written, nor which domain a Digital Link has, nor whether a URL is percent-encoded.
 */
export function saysTheSame(scanned: string, { type, text, vcard, digitalLink }: Meaning): boolean {
  if (scanned === text) return true;
  // An existing code whose data the server doesn't return.
  if (type === "vCard" && vcard === null && text === "") return CONTACT.test(scanned);
  if (vcard !== null && type === "vCard") return isContact(scanned, vcard);
  if (type === "Link") return isSameUrl(scanned, text);
  if (type !== "GS1" || digitalLink === null) return false;
  const [said, wanted] = [scanned, `https://any.example${digitalLink}`].map(toDigitalLinkUri);
  return said !== undefined && wanted !== undefined && toIdentity(said) === toIdentity(wanted);
}
