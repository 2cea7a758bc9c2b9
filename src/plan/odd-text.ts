/** Codes with a text that phones don't act on: told before they are printed. */
import type { Problem } from "../base/errors.ts";
import { findWifiFault } from "../base/wifi-text.ts";
import { cutText } from "../base/words.ts";
import { isBareAddress } from "../read/like-row.ts";
import type { Wanted } from "../state/row.ts";

/** The message names no text, so that it stands there once however many rows have one. */
export function findOddText({ type, qrData }: Wanted): Problem[] {
  if (type !== "Text" || qrData === null) return [];
  const fault = findWifiFault(qrData);
  if (fault !== undefined) {
    return [
      {
        message: `no phone joins the network of this code: ${fault}`,
        hint: "look at the cells of this row; qr_data is best written as WIFI:T:WPA;S:{{ ssid | wifi }};P:{{ password | wifi }};; with the names of your columns",
      },
    ];
  }
  if (!isBareAddress(qrData)) return [];
  return [
    {
      message:
        "the text looks like an address without https://, and phones show it instead of opening it",
      hint: `put https:// in front of ${cutText(qrData)}: in the cells, or in the manifest, as qr_data: "https://{{ column }}" with code.type: Link`,
    },
  ];
}
