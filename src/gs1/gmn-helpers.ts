/**
 * Helpers for making Global Model Numbers: with the limits of GS1's own helper library, which are
 * tighter than the dictionary's (docs/spec/gs1.md section 2). Every function throws a `RangeError`
 * with the broken rule.
 */
import { isCset82 } from "./cset82.ts";
import { computeGmnPair, GMN_PAIR_CHARACTERS } from "./gmn.ts";

const PREFIX_MIN = 5;
const PREFIX_MAX = 12;
const BODY_MIN = 6;
const BODY_MAX = 23;
const PAIR = 2;

function must(isSo: boolean, message: string): void {
  if (!isSo) throw new RangeError(message);
}

function checkBody(body: string): void {
  must(body.length >= BODY_MIN, `the input is too short: it must have ${BODY_MIN} characters`);
  must(
    body.length <= BODY_MAX,
    `the input is too long: it must have at most ${BODY_MAX} characters`,
  );
  must(
    /^\d{5}/u.test(body),
    `the first ${PREFIX_MIN} characters of the GS1 Company Prefix must be digits`,
  );
  must(isCset82(body), "Invalid character: all must be of GS1's 82");
}

/** The two check characters behind a body of 6 to 23 characters. */
export function gmnCheckPair(body: string): string {
  checkBody(body);
  return computeGmnPair(body);
}

/** True when the last two characters of a GMN are right for the others. */
export function isGmn(gmn: string): boolean {
  const body = gmn.slice(0, -PAIR);
  const pair = gmn.slice(-PAIR);
  checkBody(body);
  for (const character of pair) {
    must(GMN_PAIR_CHARACTERS.includes(character), `Invalid check character: ${character}`);
  }
  return computeGmnPair(body) === pair;
}

export function makeGmn(companyPrefix: string, model: string): string {
  const name = "GS1 Company Prefix";
  must(
    companyPrefix.length >= PREFIX_MIN,
    `${name} is too short: it must have ${PREFIX_MIN} digits`,
  );
  must(
    companyPrefix.length <= PREFIX_MAX,
    `${name} is too long: it must have at most ${PREFIX_MAX} digits`,
  );
  must(/^\d+$/u.test(companyPrefix), `${name} must only contain digits`);
  must(model !== "", "the model reference must contain at least one character");
  const body = companyPrefix + model;
  return body + gmnCheckPair(body);
}
