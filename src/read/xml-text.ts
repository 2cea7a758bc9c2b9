/** Just enough XML for the small parts of a workbook: tags by name, attributes, entities. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function toCharacter(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

export function decodeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/giu, (whole, hex, decimal, name) => {
    if (hex !== undefined) return toCharacter(Number.parseInt(String(hex), 16));
    if (decimal !== undefined) return toCharacter(Number(decimal));
    return ENTITIES[String(name)] ?? whole;
  });
}

export function encodeXml(text: string): string {
  return text.replace(/[&<>"]/gu, (character) => `&#${character.charCodeAt(0)};`);
}

/** Attributes of a tag, namespace prefixes dropped. */
export function attributesOf(tag: string): ReadonlyMap<string, string> {
  const found = tag.matchAll(/\s(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gu);
  return new Map(
    [...found].map(([, name = "", double, single]) => [name, decodeXml(double ?? single ?? "")]),
  );
}

/** Attributes of every `<name …>`, with or without namespace prefix, in order. */
export function* findTags(xml: string, name: string): Generator<ReadonlyMap<string, string>> {
  const inside = `(?:[^>"']|"[^"]*"|'[^']*')*`;
  for (const [tag] of xml.matchAll(
    new RegExp(`<(?:[\\w-]+:)?${name}(?=[\\s/>])${inside}>`, "gu"),
  )) {
    yield attributesOf(tag);
  }
}
