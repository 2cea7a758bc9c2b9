/** The text in a code, by type: the same rule for making codes and for printing them. */
import type { Vcard } from "./vcard.ts";

/**
 * A link as a code holds it: unchanged if it is ASCII, else percent-encoded with its host in
 * punycode, so that it needs no ECI.
 */
export function toLinkPayload(url: string): string {
  return /^[\u0021-\u007e]*$/u.test(url) ? url : new URL(url).href;
}

const ORIGIN = /^https?:\/\/[^/?#@]*(?=[/?#]|$)/iu;

/**
 * A link with scheme and host in capitals, which mean the same as small letters (RFC 3986 section
 * 6.2.2.1) and take 5.5 bits in a QR code, not 8. The rest stays unchanged. Links with a user name
 * aren't changed.
 */
export function toCapitals(link: string): string {
  const payload = toLinkPayload(link);
  return payload.replace(ORIGIN, (origin) => origin.toUpperCase());
}

export type VcardVersion = "3.0" | "4.0";

/**
 * Forms of a contact; `lean` is 3.0 without the parts that phones don't need: only for codes, not for
 * files.
 */
export type VcardForm = NonNullable<Vcard["version"]>;

const escapeValue = (value: string): string =>
  value
    .replace(/\\/gu, "\\\\")
    .replace(/\r\n|\r|\n/gu, "\\n")
    .replace(/([,;])/gu, "\\$1");

const given = (value: string | null | undefined): string => value ?? "";

/** First and last name as people read them. */
export function toFullName({ first_name: first, last_name: last }: Vcard): string {
  return [first, given(last)].filter((part) => part !== "").join(" ");
}

const MAX_OCTETS = 75;

/** Lines of at most 75 octets; continued ones begin with a space; no character is split. */
export function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_OCTETS) return line;
  const lines: string[] = [];
  let current = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_OCTETS) {
      lines.push(current);
      current = " ";
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join("\r\n");
}

/** Properties that the versions spell differently. */
const spellings = {
  "3.0": {
    email: "EMAIL;TYPE=INTERNET",
    mobile: "TEL;TYPE=CELL",
    phone: "TEL;TYPE=WORK",
    adr: "ADR;TYPE=WORK",
  },
  "4.0": { email: "EMAIL", mobile: "TEL;TYPE=cell", phone: "TEL;TYPE=work", adr: "ADR;TYPE=work" },
  lean: { email: "EMAIL", mobile: "TEL;TYPE=CELL", phone: "TEL", adr: "ADR" },
} as const;

/**
 * vCard 3.0 (RFC 2426) or, if the contact says so, 4.0 (RFC 6350): UTF-8, lines ended by CRLF and
 * folded, empty fields left out. A URI (`URL`) isn't escaped as a text, except for characters that
 * would end its line. A lean contact keeps every property, but drops default types, empty parts at
 * the end of a value, folds and carriage returns.
 */
export function toVcardPayload(vcard: Vcard, form: VcardForm = vcard.version ?? "3.0"): string {
  const names = spellings[form];
  const isLean = form === "lean";
  const join = (values: readonly string[]): string => {
    const last = isLean ? values.findLastIndex((value) => value !== "") + 1 : values.length;
    return values.slice(0, last).map(escapeValue).join(";");
  };
  const line = (name: string, ...values: (string | null | undefined)[]): string[] =>
    values.some((value) => given(value) !== "") ? [`${name}:${join(values.map(given))}`] : [];
  const { street, city, state, post_code: code, country } = vcard;
  const lines = [
    "BEGIN:VCARD",
    `VERSION:${isLean ? "3.0" : form}`,
    `N:${join([given(vcard.last_name), vcard.first_name, "", "", ""])}`,
    ...line("FN", toFullName(vcard)),
    ...line("ORG", vcard.company_name),
    ...line("TITLE", vcard.position),
    ...line(names.email, vcard.email),
    ...line(names.mobile, vcard.mobile_number),
    ...line(names.phone, vcard.phone_number),
    ...(given(vcard.website) === "" ? [] : [`URL:${toUri(given(vcard.website))}`]),
    ...line(names.adr, null, null, street, city, state, code, country),
    ...line("NOTE", vcard.description),
    "END:VCARD",
  ];
  return isLean ? lines.join("\n") : lines.map(foldLine).join("\r\n");
}

const toUri = (value: string): string =>
  value.replace(/[\r\n]+/gu, (breaks) => encodeURIComponent(breaks));

/** The version of the file of a contact. */
export const toFileVersion = ({ version }: Vcard): VcardVersion =>
  version === "4.0" ? version : "3.0";

/** The same as a file: its last line ends, too. */
export function toVcardFile(vcard: Vcard, version: VcardVersion = toFileVersion(vcard)): string {
  return `${toVcardPayload(vcard, version)}\r\n`;
}

/** The text in a static code. */
export function toStaticPayload(wanted: {
  readonly type: string;
  readonly vcard: Readonly<Record<string, string>> | null;
  readonly qrData: string | null;
}): string {
  if (wanted.vcard !== null) return toVcardPayload(wanted.vcard as Vcard);
  const data = wanted.qrData ?? "";
  return wanted.type === "Link" ? toLinkPayload(data) : data;
}
