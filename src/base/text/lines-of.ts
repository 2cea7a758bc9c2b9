/** Lines in their order, without those that there is no reason for. */
export const linesOf = (...lines: readonly (string | false)[]): string[] =>
  lines.filter((line) => line !== false);
