/** Codes with a text that phones don't act on: told before they are printed. */
import type { Problem } from "../base/errors.ts";
import { findWifiFault } from "../base/text/wifi-text.ts";
import { cutText } from "../base/text/words.ts";
import { isBareAddress } from "../read/header/like-row.ts";
import type { Wanted } from "../state/row.ts";

/** Why no phone joins the network of a row's code; undefined for other codes, and where one does. */
export const networkFaultOf = ({ type, qrData }: Wanted): string | undefined =>
  type === "Text" && qrData !== null ? findWifiFault(qrData) : undefined;

/** Field that a fault names -> what a cell, or qr_data itself, has for it. */
const CELLS: Readonly<Record<string, string>> = {
  "P ": "the password",
  "S ": "the name of the network",
  "T ": "the kind of network",
};

function toWifiHint(fault: string): string {
  const cell = CELLS[fault.slice(0, 2)];
  const where =
    cell === undefined
      ? "the cells of this row; qr_data"
      : `${cell} in the cells of this row or in qr_data, which`;
  return `look at ${where} is best written as WIFI:T:WPA;S:{{ ssid | wifi }};P:{{ password | wifi }};; with the names of your columns`;
}

/** A number or an address is missing, as an empty cell leaves it. */
const NOBODY = /^(?:(?:tel|sms|smsto|mms|mmsto|mailto):|matmsg:to:)[ ]{0,20}(?:[:;?]|$)/iu;
/** RFC 6068 takes addresses behind the question mark, too. */
const SOMEBODY = /^mailto:.*[?&](?:to|cc|bcc)=[^&]/iu;

const namesNobody = (text: string): boolean => NOBODY.test(text) && !SOMEBODY.test(text);

/** A manifest that names nobody itself leaves it to people whom they write to. */
const callsNobody = ({ type, qrData }: Wanted, template: string): boolean =>
  (type === "Text" || type === "Link") &&
  qrData !== null &&
  namesNobody(qrData) &&
  !namesNobody(template);

/** `+49 (0)30`: the 0 is dialled only without the code of the country; in Italy, it always is. */
const OWN_ZERO = /^(?:tel:|sms:|smsto:)?[ ]{0,5}(?:\+|00)[ ]?(?!39|378)\d[\d ]{0,7}\(0\)/iu;

const numbersOf = ({ type, qrData, vcard }: Wanted): readonly string[] =>
  type === "vCard"
    ? [vcard?.["mobile_number"] ?? "", vcard?.["phone_number"] ?? ""]
    : [qrData ?? ""];

function findOwnZero(wanted: Wanted): Problem[] {
  const number = numbersOf(wanted).find((one) => OWN_ZERO.test(one));
  if (number === undefined) return [];
  return [
    {
      message: "phones may dial the (0) of this number, too, and reach nobody",
      hint: `write ${cutText(number.replace("(0)", " ").replaceAll(/ +/gu, " "))} in place of ${cutText(number)}`,
    },
  ];
}

/**
 * The message names no text, so that it stands there once however many rows have one. `template`:
 * where the text comes from.
 */
export function findOddText(wanted: Wanted, template: string | null = null): Problem[] {
  const { type, qrData } = wanted;
  const fault = networkFaultOf(wanted);
  if (fault !== undefined) {
    return [
      {
        message: `no phone joins the network of this code: ${fault}`,
        hint: toWifiHint(fault),
      },
    ];
  }
  if (callsNobody(wanted, template ?? "")) {
    return [
      {
        message: "phones call or write to nobody with this code: its number or address is missing",
        hint: "fill the cell, or delete the row",
      },
    ];
  }
  if (type !== "Text" || qrData === null || !isBareAddress(qrData)) return findOwnZero(wanted);
  return [
    {
      message:
        "the text looks like an address without https://, and phones show it instead of opening it",
      hint: `put https:// in front of ${cutText(qrData)}: in the cells, or in the manifest, as qr_data: "https://{{ column }}" with code.type: Link`,
    },
  ];
}
