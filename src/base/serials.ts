/** Serials as texts: their alphabets, their check character, and how random bytes become one. */

/** Capital letters only: no two serials differ in case alone. docs/spec/serials.md has the sources. */
export const serialAlphabets = {
  digits: "0123456789",
  hex: "0123456789ABCDEF",
  alphanumeric: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  safe32: "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
} as const;

export type SerialAlphabet = keyof typeof serialAlphabets;

export interface SerialForm {
  /** Check character included. */
  readonly length: number;
  readonly alphabet: SerialAlphabet;
  /** The last character is a check character. */
  readonly check: boolean;
}

/** The check character of a text: Luhn mod N, N being the size of the alphabet. */
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

/** Characters that nothing else decides. */
const countFree = ({ length, check }: SerialForm): number => length - (check ? 1 : 0);

/** How many serials of the form there are. */
export const countSerials = (form: SerialForm): bigint =>
  BigInt(serialAlphabets[form.alphabet].length) ** BigInt(countFree(form));

/** `12 characters of safe32, the last one a check character`. */
export const describeSerial = ({ length, alphabet, check }: SerialForm): string =>
  `${length} characters of ${alphabet}${check ? ", the last one a check character" : ""}`;

/**
 * Random bytes -> a serial, each one as likely as any other: bytes that would favour the first letters
 * are left out. `bytesAt` answers the next block of bytes, however often it is asked.
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
