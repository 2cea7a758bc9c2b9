/** What a code holds as text, by its type: the same rule for who makes codes and who prints them. */
import type { Vcard } from "./vcard.ts";

/**
 * A link as a code holds it: byte for byte when it is ASCII, else percent-encoded and its host in
 * punycode, so that it needs no ECI.
 */
export function toLinkPayload(url: string): string {
  return /^[\u0021-\u007e]*$/u.test(url) ? url : new URL(url).href;
}

const escapeValue = (value: string): string =>
  value
    .replace(/\\/gu, "\\\\")
    .replace(/\r\n|\r|\n/gu, "\\n")
    .replace(/([,;])/gu, "\\$1");

const given = (value: string | null | undefined): string => value ?? "";

/** vCard 3.0 (RFC 2426), lines ended by CRLF; what was not given is left out. */
export function toVcardPayload(vcard: Vcard): string {
  const line = (name: string, ...values: (string | null | undefined)[]): string[] =>
    values.some((value) => given(value) !== "")
      ? [`${name}:${values.map((value) => escapeValue(given(value))).join(";")}`]
      : [];
  const { last_name: last, first_name: first } = vcard;
  const fullName = [first, given(last)].filter((part) => part !== "").join(" ");
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:${escapeValue(given(last))};${escapeValue(first)};;;`,
    ...line("FN", fullName),
    ...line("ORG", vcard.company_name),
    ...line("TITLE", vcard.position),
    ...line("EMAIL;TYPE=INTERNET", vcard.email),
    ...line("TEL;TYPE=CELL", vcard.mobile_number),
    ...line("TEL;TYPE=WORK", vcard.phone_number),
    ...line("URL", vcard.website),
    ...line(
      "ADR;TYPE=WORK",
      null,
      null,
      vcard.street,
      vcard.city,
      vcard.state,
      vcard.post_code,
      vcard.country,
    ),
    ...line("NOTE", vcard.description),
    "END:VCARD",
  ].join("\r\n");
}
