/** Serials as texts: alphabets, check character, and how random bytes become a serial. */

/** Only capital letters: no two serials differ only in case. docs/spec/serials.md has the sources. */
export const serialAlphabets = {
  digits: "0123456789",
  hex: "0123456789ABCDEF",
  alphanumeric: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  safe32: "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
} as const;

export type SerialAlphabet = keyof typeof serialAlphabets;

export interface SerialForm {
  /** Including the check character. */
  readonly length: number;
  readonly alphabet: SerialAlphabet;
  /** The last character is a check character. */
  readonly check: boolean;
}

/** The check character of a text: Luhn mod N, where N is the size of the alphabet. */
export function toCheckCharacter(text: string, alphabet: SerialAlphabet): string {
  const letters = serialAlphabets[alphabet];
  const size = letters.length;
  let sum = 0;
  let factor = 2;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const product = factor * letters.indexOf(text[at] ?? "");
    sum += Math.floor(product / size) + (product % size);
    factor = 3 - factor;
  }
  return letters[(size - (sum % size)) % size] ?? "";
}

/** Characters that are free, not computed. */
const countFree = ({ length, check }: SerialForm): number => length - (check ? 1 : 0);

/** How many serials the form allows. */
export const countSerials = (form: SerialForm): bigint =>
  BigInt(serialAlphabets[form.alphabet].length) ** BigInt(countFree(form));

/** `12 characters of safe32, the last one a check character`. */
export const describeSerial = ({ length, alphabet, check }: SerialForm): string =>
  `${length} characters of ${alphabet}${check ? ", the last one a check character" : ""}`;

/**
 * Random bytes -> a serial, all equally likely: bytes that would favour the first letters are
 * skipped. `bytesAt` answers the block of bytes with this number.
 */
export function toSerial(form: SerialForm, bytesAt: (block: number) => Uint8Array): string {
  const letters = serialAlphabets[form.alphabet];
  const most = 256 - (256 % letters.length);
  const length = countFree(form);
  let text = "";
  for (let block = 0; text.length < length; block += 1) {
    for (const byte of bytesAt(block)) {
      if (byte < most && text.length < length) text += letters[byte % letters.length] ?? "";
    }
  }
  return form.check ? text + toCheckCharacter(text, form.alphabet) : text;
}
