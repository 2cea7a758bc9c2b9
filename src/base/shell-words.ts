/** Words of a command line, written so that a shell reads each of them as it is. */

const PLAIN = /^[\w./:@%,+-][\w./:=@%,+-]*$/u;

/** One word for the shell of this computer: sh and its kin, or those of Windows. */
export function quoteWord(text: string, platform: string = process.platform): string {
  const isWindows = platform === "win32";
  if (PLAIN.test(text) || (isWindows && /^[\w.:\\/@,+=-]+$/u.test(text))) return text;
  return isWindows ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command line that can be typed as it stands. */
export const toCommandLine = (words: readonly string[], platform?: string): string =>
  words.map((word) => quoteWord(word, platform)).join(" ");
