/** Words of a command line, quoted so that a shell reads them unchanged. */

const PLAIN = /^[\w./:@%,+-][\w./:=@%,+-]*$/u;

/** One word for this computer's shell: sh and similar, or those of Windows. */
export function quoteWord(text: string, platform: string = process.platform): string {
  const isWindows = platform === "win32";
  if (PLAIN.test(text) || (isWindows && /^[\w.:\\/@,+=-]+$/u.test(text))) return text;
  return isWindows ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command line that can be typed as it is. */
export const toCommandLine = (words: readonly string[], platform?: string): string =>
  words.map((word) => quoteWord(word, platform)).join(" ");
