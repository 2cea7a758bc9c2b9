/** What stands in the holes of a German reason. */

/** Words that fill a hole and have a German one. */
const fillings: Readonly<Record<string, string>> = { line: "Zeile", row: "Zeile" };

const DECIMAL = /^\d+\.\d+$/u;
const OF_LENGTH = [" mm", " × "];

/** Lengths get the comma that German numbers have; what cells hold stays as it is. */
export const toFilling = (hole: string, after: string): string =>
  DECIMAL.test(hole) && OF_LENGTH.some((unit) => after.startsWith(unit))
    ? hole.replace(".", ",")
    : (fillings[hole] ?? hole);
