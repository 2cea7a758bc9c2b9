/** Random data for every symbol; the same seed gives the same texts. */
import type { SymbolName } from "../../src/base/shapes/label-art.ts";
import { computeCheckDigit } from "../../src/gs1/check-digit.ts";
import { CSET82 } from "../../src/gs1/cset82.ts";
import { fromUpcE } from "../../src/symbol/upc-e.ts";

type Random = (below: number) => number;

/** A generator of 32 bits (mulberry32). */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const DIGITS = "0123456789";
const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCodePoint(32 + i)).join("");
const CODE_39 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";
const LATIN = `${ASCII}äöüßéèñçÅøæÜ`;

function pick(from: string, length: number, random: Random): string {
  const letters = Array.from(from);
  return Array.from({ length }, () => letters[random(letters.length)] ?? "").join("");
}

const withCheck = (body: string): string => `${body}${computeCheckDigit(body)}`;

/** Stretches of digits, capitals, small letters and all, as encoders switch between them. */
function mixed(all: string, most: number, random: Random): string {
  const sets = [
    DIGITS,
    DIGITS,
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "abcdefghijklmnopqrstuvwxyz",
    all,
    all,
  ];
  const length = 1 + random(most);
  let text = "";
  while (text.length < length) {
    const left = length - text.length;
    text += pick(sets[random(sets.length)] ?? all, Math.min(left, 1 + random(9)), random);
  }
  return text.trim() === "" ? "x" : text.trim();
}

const day = (random: Random): string => {
  const [month, date] = [1 + random(12), 1 + random(28)].map((n) => String(n).padStart(2, "0"));
  return `${20 + random(30)}${month}${date}`;
};

/** A value as it stands between AIs in brackets. */
const value = (most: number, random: Random): string =>
  mixed(CSET82, most, random)
    .replaceAll(/[^!-~]|[#$@[\\\]^`{|}~]/gu, "A")
    .replaceAll("(", "\\(");

function makeElements(most: number, random: Random): string {
  const parts = [`(01)${withCheck(pick(DIGITS, 13, random))}`];
  const optional = [
    (): string => `(10)${value(most, random)}`,
    (): string => `(17)${day(random)}`,
    (): string => `(21)${value(most, random)}`,
    (): string => `(11)${day(random)}`,
  ];
  for (const part of optional) if (random(2) === 1 && parts.length < 3) parts.push(part());
  return parts.join("");
}

function makeUpcE(random: Random): string {
  const short = `0${pick(DIGITS, 6, random)}`;
  const long = fromUpcE(`${short}0`) ?? "";
  return `${short}${computeCheckDigit(long.slice(0, -1))}`;
}

/** Some data for a symbol. */
export function makeText(name: SymbolName, random: Random): string {
  switch (name) {
    case "ean-13":
      return withCheck(pick(DIGITS, 12, random));
    case "ean-8":
      return withCheck(pick(DIGITS, 7, random));
    case "upc-a":
      return withCheck(pick(DIGITS, 11, random));
    case "upc-e":
      return makeUpcE(random);
    case "itf-14":
    case "databar-omni":
    case "databar-truncated":
    case "databar-stacked":
    case "databar-stacked-omni":
      return withCheck(pick(DIGITS, 13, random));
    case "databar-limited":
      return withCheck(`${random(2)}${pick(DIGITS, 12, random)}`);
    case "code-128":
      return mixed(ASCII, 40, random);
    case "code-39":
      // A sign with a letter means another one to some readers, and is refused.
      return (
        pick(CODE_39, 1 + random(20), random)
          .replaceAll(/([$/+%])(?=[A-Z])/gu, "$10")
          .trim() || "0"
      );
    case "gs1-128":
    case "databar-expanded":
    case "databar-expanded-stacked":
      return makeElements(8, random);
    case "gs1-datamatrix":
    case "gs1-qr":
      return makeElements(20, random);
    case "datamatrix":
    case "aztec":
    case "pdf417":
      return mixed(LATIN, 80, random);
  }
}
