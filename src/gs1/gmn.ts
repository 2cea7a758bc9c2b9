/** The check pair of the Global Model Number (docs/spec/gs1.md section 2). */
import { CSET82 } from "./cset82.ts";

/** In the order of their five bits. */
export const GMN_PAIR_CHARACTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const MODULUS = 1021;
/** Ninety-seven primes are enough for every allowed body. */
export const MAX_GMN_BODY = 97;

const primes: readonly number[] = (() => {
  const found: number[] = [];
  for (let n = 2; found.length < MAX_GMN_BODY; n += 1) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
})();

/** The two characters behind `body`, which is of CSET 82 and at most 97 characters long. */
export function computeGmnPair(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i += 1) {
    const value = CSET82.indexOf(body.charAt(body.length - 1 - i));
    const prime = primes[i];
    if (value < 0 || prime === undefined) {
      throw new RangeError(`body must have at most ${MAX_GMN_BODY} characters of CSET 82`);
    }
    sum += value * prime;
  }
  const check = sum % MODULUS;
  return GMN_PAIR_CHARACTERS.charAt(check >> 5) + GMN_PAIR_CHARACTERS.charAt(check & 31);
}
