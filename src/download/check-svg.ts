/** Comments, CDATA, processing instructions, doctypes without inner subset, tags. */
const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<![^>[]*>|<(?<closing>\/?)(?<name>[A-Za-z_:][\w:.-]*)(?:\s+[^\s=/>"'<]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?<empty>\/?)>/gu;

const localName = (name: string): string => name.replace(/^.*:/u, "").toLowerCase();

/** The elements that are open while the markup is read. */
class Elements {
  readonly #open: string[] = [];
  #hasRoot = false;

  get isInside(): boolean {
    return this.#open.length > 0;
  }

  get isWhole(): boolean {
    return this.#hasRoot && !this.isInside;
  }

  /** What is wrong with the next tag, or undefined. */
  tag(name: string, isClosing: boolean, isEmpty: boolean): string | undefined {
    if (isClosing) return this.#open.pop() === name ? undefined : `closes <${name}> out of order`;
    if (!this.isInside && (this.#hasRoot || localName(name) !== "svg")) return "is not an SVG";
    if (localName(name) === "script") return "carries a script";
    this.#hasRoot = true;
    if (!isEmpty) this.#open.push(name);
    return undefined;
  }
}

/**
 * What is wrong with a downloaded SVG, or undefined: one `svg` root element, every tag closed in
 * order, nothing behind it, no script, since artwork is opened in browsers and layout programs.
 */
export function findSvgFault(text: string): string | undefined {
  const body = text.replace(/^\uFEFF/u, "").trim();
  const elements = new Elements();
  let at = 0;
  for (const match of body.matchAll(MARKUP)) {
    const between = body.slice(at, match.index);
    if (between.includes("<")) return "is not well-formed XML";
    if (!elements.isInside && between.trim() !== "") return "is not an SVG";
    at = match.index + match[0].length;
    const { name, closing, empty } = match.groups ?? {};
    if (name === undefined) continue;
    const fault = elements.tag(name, closing === "/", empty === "/");
    if (fault !== undefined) return fault;
  }
  if (!elements.isWhole) return at === 0 ? "is not an SVG" : "is cut off";
  return body.slice(at).trim() === "" ? undefined : "has text after its end";
}
