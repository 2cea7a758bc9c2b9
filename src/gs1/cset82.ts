/**
 * The 82 characters of GS1 values (docs/spec/gs1.md section 1), in the order for the GMN's check
 * pair.
 */
export const CSET82 =
  "!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

const members: ReadonlySet<string> = new Set(CSET82);

/** True when `text` has only these characters; also for empty text. */
export function isCset82(text: string): boolean {
  for (const character of text) if (!members.has(character)) return false;
  return true;
}
