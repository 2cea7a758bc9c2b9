/** Names of columns in manifests. Pure. */
import { toSlug } from "../../base/slug.ts";

const SIMPLE_NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** The header where templates can write it, else a slug with the header as alias. */
export function nameOf(header: string, taken: readonly string[]): string {
  const plain = header.normalize("NFKC").trim();
  if (SIMPLE_NAME.test(plain)) return plain;
  const base =
    toSlug(plain)
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
