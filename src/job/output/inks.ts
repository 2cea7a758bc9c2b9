/** Inks as people write them -> inks of a press. */
import type { Cmyk, Ink } from "../../base/shapes/label-art.ts";
import { didYouMean } from "../../base/text/suggest.ts";

/** Inks by lower-case name. */
export type InkTable = ReadonlyMap<string, Pick<Ink, "cmyk" | "spot">>;

const builtIns: readonly (readonly [name: string, cmyk: Cmyk])[] = [
  ["black", [0, 0, 0, 1]],
  ["white", [0, 0, 0, 0]],
  ["cyan", [1, 0, 0, 0]],
  ["magenta", [0, 1, 0, 0]],
  ["yellow", [0, 0, 1, 0]],
];

/** Inks as people declare them, shares in percent. */
export type DeclaredInks = Readonly<
  Record<string, { cmyk: readonly [number, number, number, number]; spot?: string | undefined }>
>;

/** Declared inks over the built-in ones; later ones win. */
export function makeInkTable(...declared: readonly DeclaredInks[]): InkTable {
  const table = new Map<string, Pick<Ink, "cmyk" | "spot">>(
    builtIns.map(([name, cmyk]) => [name, { cmyk, spot: null }]),
  );
  for (const inks of declared) {
    for (const [name, { cmyk, spot }] of Object.entries(inks)) {
      const [c, m, y, k] = cmyk;
      const shares: Cmyk = [c / 100, m / 100, y / 100, k / 100];
      table.set(name.trim().toLowerCase(), { cmyk: shares, spot: spot ?? null });
    }
  }
  return table;
}

const TINT = /^(.*\S)\s+(\d{1,3}(?:\.\d+)?)\s*%$/su;
const PROCESS = /^(?:[cmyk]\s*\d{1,3}(?:\.\d+)?(?:\s+|$))+$/iu;

/** `C100 M60` -> shares. Undefined for anything else, for a letter twice and for more than 100. */
function readProcess(text: string): Cmyk | undefined {
  if (!PROCESS.test(text)) return undefined;
  const shares = new Map<string, number>();
  for (const [, letter = "", amount] of text.matchAll(/([cmyk])\s*(\d+(?:\.\d+)?)/giu)) {
    const key = letter.toLowerCase();
    if (shares.has(key) || Number(amount) > 100) return undefined;
    shares.set(key, Number(amount) / 100);
  }
  const of = (letter: string): number => shares.get(letter) ?? 0;
  return [of("c"), of("m"), of("y"), of("k")];
}

/** `brand`, `black 40%`, `C100 M60 K10` -> the ink, or what it must be. */
export function readInk(
  text: string,
  table: InkTable,
): Ink | { readonly rule: string; readonly hint: string } {
  const trimmed = text.trim();
  const [, base = trimmed, percent] = TINT.exec(trimmed) ?? [];
  const tint = percent === undefined ? 1 : Number(percent) / 100;
  const named = table.get(base.toLowerCase());
  const cmyk = named?.cmyk ?? readProcess(base);
  if (cmyk === undefined || tint > 1) {
    return {
      rule: `must be an ink like black, "black 40%" or "C100 M60 Y0 K0", got ${JSON.stringify(text)}`,
      hint: didYouMean(base, [...table.keys()]),
    };
  }
  const spot = named?.spot ?? null;
  if (spot !== null) return { cmyk, spot, tint };
  const [c, m, y, k] = cmyk;
  return { cmyk: [c * tint, m * tint, y * tint, k * tint], spot: null, tint: 1 };
}
