/** GS1's Syntax Dictionary -> the table of `src/gs1/ai-table.ts`. */

const PART = /^\[?[NXYZ](?:\.\.)?\d+\]?(?:,|$)/u;

const isFlag = (word: string): boolean => /^[*?]+$/u.test(word);

/** `00;*?;N18,csum,gcppos2;dlpkey;SSCC` from a line of the dictionary; undefined for comments. */
function toLine(line: string): string | undefined {
  const [, entry = "", title = ""] = /^([^#]*?)\s*(?:#\s*(.*?)\s*)?$/u.exec(line) ?? [];
  if (entry === "") return undefined;
  const [ais = "", ...words] = entry.split(/\s+/u);
  const flags = words.filter(isFlag).join("");
  const parts = words.filter((word) => PART.test(word));
  const attributes = words.filter((word) => !isFlag(word) && !PART.test(word));
  return [ais, flags, parts.join(" "), attributes.join(" "), title].join(";");
}

/** The source of the table, as TypeScript. */
export function makeAiTable(dictionary: string): string {
  const lines = dictionary.split(/\r?\n/u).flatMap((line) => toLine(line) ?? []);
  return `/**
 * The application identifiers of GS1: AI or range, flags, parts of the value, attributes, title.
 * Made by \`npm run schema\` from GS1's Barcode Syntax Dictionary (Apache-2.0; (c) GS1 AISBL, BWIPP
 * project, Zint Project), which defines the columns; not to be edited.
 */
export const aiTable = \`
${lines.join("\n")}
\`;
`;
}
