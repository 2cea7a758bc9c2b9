/** Styles of drawings: nothing is loaded, nothing moves, and escapes can't hide anything. */
import { PROPERTIES, SHEET_PROPERTIES } from "./allowed.ts";
import { SvgFault } from "./svg-fault.ts";
import { headOf } from "../base/text/words.ts";

/** Names allowed before a bracket. */
const FUNCTIONS = new Set(["rgb", "rgba", "hsl", "hsla", "url"]);
const MAX_WORD = 32;
const MAX_ID = 256;
/** No percent signs: they could hide letters. */
const LOCAL = /^(?:["']\s*)?#[^\s"'()%]+(?:\s*["'])?$/u;

const show = (text: string): string => JSON.stringify(headOf(text.trim(), 60));

/** Throws a SvgFault for a value that could load or run something. */
export function checkStyleValue(value: string): void {
  if (value.includes("\\")) throw new SvgFault(`has an escape in the style ${show(value)}`);
  let open = value.indexOf("(");
  for (; open >= 0; open = value.indexOf("(", open + 1)) {
    const word =
      /(?<![\w-])[\w-]*$/u.exec(value.slice(Math.max(0, open - MAX_WORD), open))?.[0] ?? "";
    if (!FUNCTIONS.has(word.toLowerCase())) {
      throw new SvgFault(`has the style ${show(`${word}(…)`)}, which no drawing of a code needs`);
    }
    if (word.toLowerCase() !== "url") continue;
    const inner = value.slice(open + 1, open + 1 + MAX_ID).split(")", 1)[0] ?? "";
    if (!LOCAL.test(inner.trim())) {
      throw new SvgFault(`refers to ${show(inner)}, which is outside of the drawing`);
    }
  }
}

function withoutComments(css: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let from = css.indexOf("/*"); from >= 0; from = css.indexOf("/*", at)) {
    const end = css.indexOf("*/", from + 2);
    kept.push(css.slice(at, from));
    at = end < 0 ? css.length : end + 2;
  }
  return `${kept.join(" ")} ${css.slice(at)}`;
}

export type Declarations = ReadonlyMap<string, string>;

function readDeclarations(css: string, allowed: ReadonlySet<string>): Declarations {
  const found = new Map<string, string>();
  for (const declaration of css.split(";")) {
    if (declaration.trim() === "") continue;
    const colon = declaration.indexOf(":");
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!allowed.has(name) && !name.startsWith("-inkscape-")) {
      throw new SvgFault(`has the style ${show(declaration)}, which no drawing of a code needs`);
    }
    const value = declaration.slice(colon + 1).trim();
    checkStyleValue(value);
    found.set(name, value.replace(/!important$/iu, "").trim());
  }
  return found;
}

/** Declarations of a `style` attribute. */
export const readStyle = (css: string): Declarations =>
  readDeclarations(withoutComments(css), PROPERTIES);

/** The properties that a style sheet sets, whatever they apply to. */
export function readSheet(css: string): ReadonlySet<string> {
  const text = withoutComments(css);
  const set = new Set<string>();
  const bad = /[@\\<]|url\(/iu.exec(text);
  if (bad !== null) {
    throw new SvgFault(`has a style sheet with ${show(text.slice(bad.index, bad.index + 30))}`);
  }
  let at = 0;
  for (let open = text.indexOf("{"); open >= 0; open = text.indexOf("{", at)) {
    const close = text.indexOf("}", open);
    const end = close < 0 ? text.length : close;
    for (const name of readDeclarations(text.slice(open + 1, end), SHEET_PROPERTIES).keys()) {
      set.add(name);
    }
    at = end + 1;
  }
  return set;
}
