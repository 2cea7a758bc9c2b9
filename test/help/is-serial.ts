import { serialAlphabets, toCheckCharacter, type SerialForm } from "../../src/base/ids/serials.ts";

/** True when the text has the form: length, alphabet and check character. */
export function isSerial(text: string, { length, alphabet, check }: SerialForm): boolean {
  const letters: string = serialAlphabets[alphabet];
  if (text.length !== length || Array.from(text).some((letter) => !letters.includes(letter)))
    return false;
  return !check || toCheckCharacter(text.slice(0, -1), alphabet) === text.at(-1);
}
