/** Lines that every drafted manifest has, and the names of columns in them. Pure. */
import { linesOf } from "../../base/lines-of.ts";
import { toSlug, type SlugLanguage } from "../../base/slug.ts";

const SIMPLE_NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** The header where templates can write it, else a slug with the header as alias. */
export function nameOf(header: string, taken: readonly string[], language?: SlugLanguage): string {
  const plain = header.normalize("NFKC").trim();
  if (SIMPLE_NAME.test(plain)) return plain;
  const base =
    toSlug(plain, language)
      .replaceAll("-", "_")
      .replace(/^(?=\d)/u, "_") || "column";
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}_${n}`;
    if (!taken.includes(name)) return name;
  }
}

export const quote = (text: string): string => JSON.stringify(text);

/** Words that YAML reads as something else. */
const YAML_WORD = /^(?:y|n|yes|no|on|off|true|false|null|~)$/iu;
export const toKey = (name: string): string => (YAML_WORD.test(name) ? quote(name) : name);

export interface NamedColumn {
  readonly header: string;
  readonly name: string;
}

/** A name of its own for each header, in order. */
export function nameColumns(headers: readonly string[]): NamedColumn[] {
  const named: NamedColumn[] = [];
  for (const header of headers) {
    const taken = named.map(({ name }) => name);
    named.push({ header, name: nameOf(header, taken) });
  }
  return named;
}

interface ColumnRule extends NamedColumn {
  readonly type: string | undefined;
  readonly isRequired: boolean;
}

/** A line of `source.columns`. */
export function toRuleLine({ name, header, type, isRequired }: ColumnRule): string {
  const parts = [
    ...(type === undefined || type === "text" ? [] : [`type: ${type}`]),
    ...(isRequired ? ["required: true"] : []),
    ...(name === header.trim() ? [] : [`aliases: [${quote(header.trim())}]`]),
  ];
  return `    ${toKey(name)}: ${parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`}`;
}

/** What `source.key` says. */
export const toKeyLine = (names: readonly string[]): string =>
  names.length === 0
    ? "  # key: [...]  # columns that identify a row, so that a change becomes an update"
    : `  key: [${names.map(toKey).join(", ")}]  # what identifies a row when you run again`;

/** What `output` says of a job with labels; without a label sheet, artwork and archive only. */
export const toOutputLines = (
  name: string,
  sheets: { readonly sheet: string; readonly caption: string } | undefined,
): string[] =>
  linesOf(
    "output:",
    `  dir: out/${name}`,
    "  files: [svg, png]",
    "  zip: true",
    sheets !== undefined &&
      `  sheets: { sheet: ${sheets.sheet}, caption: ${sheets.caption} }  # makeready sheets lists them`,
    "  index: [csv, xlsx]",
  );
