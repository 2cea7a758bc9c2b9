/** What codes carry on servers that nobody here wrote: where the API is silent, several texts are right. */
import { isUrl } from "../base/url.ts";
import { isUriFault, parseDigitalLinkUri, type DigitalLinkUri } from "../gs1/digital-link-uri.ts";
import type { CodeItem, ToldCode } from "./code.ts";

/** What is scanned must mean this; `text` is how makeready writes it. */
export interface Meaning {
  readonly type: CodeItem["qr_type"];
  readonly text: string;
  /** The contact of a vCard code. */
  readonly vcard: Readonly<Record<string, unknown>> | null;
  /** Path of a GS1 code's Digital Link, where the row tells it. */
  readonly digitalLink: string | null;
}

function toDigitalLinkUri(text: string | null | undefined): DigitalLinkUri | undefined {
  const parsed = parseDigitalLinkUri(text ?? "");
  return isUriFault(parsed) ? undefined : parsed;
}

/** Schemes that run or open something of the phone's own, and what no address holds. */
// oxlint-disable-next-line no-control-regex
const NEVER_CARRIED = /^(?:javascript|vbscript|data|file|blob|about):|[\u0000-\u0020\u007f]/iu;

/** False for a short link that must not be printed, whoever tells it. */
export const isCarriable = (shortLink: string): boolean => !NEVER_CARRIED.test(shortLink);

/**
 * What a dynamic code carries: its short link; a GS1 code the Digital Link URI
 * (docs/spec/api.md section 4.1), which a server may tell as the one or as the code's data. Null
 * for codes without either, and for those whose link must not be printed.
 */
export function toCarried(
  item: Pick<ToldCode, "qr_type" | "qr_data" | "shortlink_url">,
): string | null {
  const { qr_type: type, qr_data: data, shortlink_url: told } = item;
  // Servers also say "none" by an empty text.
  const isTold = typeof told === "string" && told !== "" && isCarriable(told);
  const shortLink = isTold ? told : null;
  if (type !== "GS1") return shortLink;
  return [shortLink, data].find((text) => toDigitalLinkUri(text) !== undefined) ?? shortLink;
}

const isSameUrl = (a: string, b: string): boolean =>
  isUrl(a) && isUrl(b) && new URL(a).href === new URL(b).href;

const squeeze = (text: string): string => text.replaceAll(/\s/gu, "").toLowerCase();

/** RFC 6350 sections 3.2 and 3.4: lines folded, and values escaped, in any of the ways of writing. */
const unescape = (text: string): string =>
  text
    .replaceAll(/\r?\n[ \t]/gu, "")
    .replaceAll(/\\n/giu, "\n")
    .replaceAll(/\\(.)/gu, "$1");

const CONTACT = /^(?:BEGIN:VCARD|MECARD:)/iu;

/** Every detail of the contact is in the text, whatever the properties' order, names and version. */
function isContact(text: string, vcard: Readonly<Record<string, unknown>>): boolean {
  if (!CONTACT.test(text)) return false;
  const said = squeeze(unescape(text));
  const { version: _version, ...details } = vcard;
  return Object.values(details).every(
    (detail) => typeof detail !== "string" || said.includes(squeeze(detail)),
  );
}

/** Key and qualifiers; the key may be shown without the zeros in front of it. */
const toIdentity = ({ path }: Pick<DigitalLinkUri, "path">): string =>
  JSON.stringify(path.map(([ai, value], at) => [ai, at === 0 ? value.replace(/^0+/u, "") : value]));

/**
 * Whether what was scanned means what was wanted. The API says neither how a contact is written, nor
 * under which domain a Digital Link lies, nor whether a URL is percent-encoded.
 */
export function saysTheSame(scanned: string, { type, text, vcard, digitalLink }: Meaning): boolean {
  if (scanned === text) return true;
  // A code that exists, of which the server tells no data.
  if (type === "vCard" && vcard === null && text === "") return CONTACT.test(scanned);
  if (vcard !== null && type === "vCard") return isContact(scanned, vcard);
  if (type === "Link") return isSameUrl(scanned, text);
  if (type !== "GS1" || digitalLink === null) return false;
  const [said, wanted] = [scanned, `https://any.example${digitalLink}`].map(toDigitalLinkUri);
  return said !== undefined && wanted !== undefined && toIdentity(said) === toIdentity(wanted);
}
