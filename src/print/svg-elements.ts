/** SVG text -> its elements, for drawings that codes come in. No entities but XML's own five. */

export interface SvgElement {
  /** Without namespace prefix. */
  readonly name: string;
  /** Attributes, those of `style` included: they win. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly SvgElement[];
  /** Text that stands directly in it. */
  readonly text: string;
}

const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[(?<cdata>[\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<![^>[]*>|<(?<closing>\/?)(?<name>[A-Za-z_:][\w:.-]*)(?<attributes>(?:\s+[^\s=/>"'<]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>/gu;
const ATTRIBUTE = /([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

const localName = (name: string): string => name.replace(/^.*:/u, "");

function plain(text: string): string {
  return text.replaceAll(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/giu,
    (all: string, dec?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const code = dec === undefined ? Number.parseInt(hex ?? "", 16) : Number(dec);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE))
    attributes.set(localName(name), plain(double ?? single ?? "").trim());
  for (const declaration of (attributes.get("style") ?? "").split(";")) {
    const [, name, value] =
      /^\s*([\w-]+)\s*:\s*(.*?)\s*(?:!important\s*)?$/u.exec(declaration) ?? [];
    if (name !== undefined && value !== undefined) attributes.set(name, value);
  }
  return attributes;
}

interface OpenElement extends SvgElement {
  readonly children: SvgElement[];
  text: string;
}

/** The elements that are open while the text is read. */
class Reader {
  readonly #open: OpenElement[] = [];
  #root: OpenElement | undefined;

  /** Throws a SyntaxError unless one `svg` is there, whole. */
  get root(): SvgElement {
    if (this.#root?.name !== "svg" || this.#open.length > 0)
      throw new SyntaxError("not a whole SVG");
    return this.#root;
  }

  text(text: string): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.text += text;
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    const element = { name, attributes: readAttributes(attributes), children: [], text: "" };
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.children.push(element);
    else if (this.#root === undefined) this.#root = element;
    else throw new SyntaxError("two root elements");
    if (!isEmpty) this.#open.push(element);
  }

  close(name: string): void {
    if (this.#open.pop()?.name !== name) throw new SyntaxError(`</${name}> out of order`);
  }
}

/** The root element. Throws a SyntaxError for what is no SVG. */
export function readSvg(svg: string): SvgElement {
  const reader = new Reader();
  let at = 0;
  for (const match of svg.matchAll(MARKUP)) {
    const { cdata, closing, name, attributes, empty } = match.groups ?? {};
    reader.text(plain(svg.slice(at, match.index)) + (cdata ?? ""));
    at = match.index + match[0].length;
    if (name === undefined) continue;
    if (closing === "/") reader.close(localName(name));
    else reader.open(localName(name), attributes ?? "", empty === "/");
  }
  return reader.root;
}
