/** Where the link of a HYPERLINK formula leads, as far as its text tells. */

const WHOLE = /^[-+]?\s*HYPERLINK\(\s*"((?:[^"]|"")*)"\s*[,;)]/iu;
/** Texts of a formula, and what is outside of them. */
const PIECES = /"(?:[^"]|"")*"|[^"]/gu;
const LITERAL = /^\s*"((?:[^"]|"")*)"\s*$/u;
const CALL = "HYPERLINK(";

const textOf = (argument: string | undefined): string | undefined =>
  LITERAL.exec(argument ?? "")?.[1]?.replaceAll('""', '"');

/** The arguments of a call, from behind its bracket on. */
function readArguments(pieces: readonly string[]): string[] {
  const found = [""];
  let depth = 0;
  for (const piece of pieces) {
    if (depth === 0 && piece === ")") break;
    if (piece === "(") depth += 1;
    if (piece === ")") depth -= 1;
    if (depth === 0 && (piece === "," || piece === ";")) found.push("");
    else found[found.length - 1] += piece;
  }
  return found;
}

/** Whether a call shows another text than its address. */
const showsOther = ([address, text]: readonly string[]): boolean =>
  text !== undefined && text.trim() !== address?.trim();

const MAY_CALL = /HYPERLINK\(/iu;
/** More calls than a cell can need. */
const MAX_CALLS = 16;

function listCalls(formula: string): (readonly string[])[] {
  const pieces = formula.match(PIECES) ?? [];
  // Of the same length as the pieces; texts hold no calls.
  const outside = pieces.map((piece) => (piece.length === 1 ? piece.toUpperCase() : " ")).join("");
  const calls: (readonly string[])[] = [];
  for (let at = outside.indexOf(CALL); at >= 0; at = outside.indexOf(CALL, at + 1)) {
    if (calls.length < MAX_CALLS) calls.push(readArguments(pieces.slice(at + CALL.length)));
  }
  return calls;
}

/**
 * The address, `unknown` where the cell shows another text than an address that only the spreadsheet
 * program can work out, undefined for a formula without a link of its own.
 * @param shown the result of the formula
 */
export function readHyperlink(
  formula: string,
  shown: string,
): { readonly link: string } | "unknown" | undefined {
  const whole = WHOLE.exec(formula.trimStart())?.[1];
  if (whole !== undefined) return { link: whole.replaceAll('""', '"') };
  if (!MAY_CALL.test(formula)) return undefined;
  const calls = listCalls(formula);
  if (!calls.some(showsOther)) return undefined;
  const links = calls.flatMap(([address, text]) =>
    textOf(text) === shown ? [textOf(address)] : [],
  );
  const [link] = links;
  return link === undefined || new Set(links).size > 1 ? "unknown" : { link };
}
