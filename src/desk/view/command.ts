/** A word as a shell takes it: in quotes where it has to be. */
export const toShellWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
