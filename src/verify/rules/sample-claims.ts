/** Which codes of a sampled proof are always decoded (docs/spec/print.md section 12.3). */
import type { CellClaim } from "../proof/prove-pages.ts";

/** One of so many codes of a file is decoded, the first one included. */
export const DECODED_OF = 100;

/** By their place on the page. */
const isBefore = (a: CellClaim, b: CellClaim): boolean =>
  a.row === b.row ? a.column < b.column : a.row < b.row;

/** The first and the last code of each page. */
function findEnds(claims: readonly CellClaim[]): Set<CellClaim> {
  const first = new Map<number, CellClaim>();
  const last = new Map<number, CellClaim>();
  for (const claim of claims) {
    const [begin = claim, end = claim] = [first.get(claim.page), last.get(claim.page)];
    first.set(claim.page, isBefore(claim, begin) ? claim : begin);
    last.set(claim.page, isBefore(end, claim) ? claim : end);
  }
  return new Set([...first.values(), ...last.values()]);
}

/**
 * Claims of one file; those whose modules can be compared get the texts of their codes. Codes in a
 * design or on pages of others, and symbols beside codes, stay as they are: each of them is
 * decoded.
 */
export function sampleClaims(
  claims: readonly CellClaim[],
  texts: ReadonlyMap<string, string>,
): CellClaim[] {
  const ends = findEnds(claims);
  let at = -1;
  return claims.map((claim) => {
    const text = texts.get(claim.key);
    const isPlain = claim.moduleMm !== undefined && (claim.quietMm ?? 0) === 0;
    if (text === undefined || claim.symbol !== undefined || !isPlain) return claim;
    at += 1;
    return { ...claim, sampled: { text, isDecoded: at % DECODED_OF === 0 || ends.has(claim) } };
  });
}
