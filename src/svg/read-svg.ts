/**
 * SVG from a server that may be hostile -> its elements, in one pass: well-formed, made of what
 * `allowed.ts` lists, with nothing that runs, loads, links or hides. The only reader of drawings.
 */
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";

import { toMessage } from "../base/errors.ts";
import { headOf } from "../base/text/words.ts";
import {
  ATTRIBUTES,
  ELEMENTS,
  isHarmless,
  LONG_ATTRIBUTES,
  PROPERTIES,
  SVG_NAMESPACE,
  TEXT_ONLY,
  XLINK_NAMESPACE,
  XML_NAMESPACE,
  XMLNS_NAMESPACE,
} from "./allowed.ts";
import { checkStyleValue, readSheet, readStyle } from "./check-style.ts";
import { readEmbeddedPixels } from "./embedded-image.ts";
import { SvgFault } from "./svg-fault.ts";

export interface SvgElement {
  /** Without namespace prefix. */
  readonly name: string;
  /** Attributes; properties in `style` override others. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly SvgElement[];
  /** Text directly in it. */
  readonly text: string;
  /** For an image. */
  readonly pixels: number;
  /** Characters of its attributes without pictures: a renderer reads them at each use. */
  readonly characters: number;
}

/** Larger than any code with an embedded logo. */
export const MAX_SVG_BYTES = 8 * 1024 * 1024;
/** The largest code has 31,329 modules. Graphics libraries need about 2.5 kB of memory for each. */
const MAX_ELEMENTS = 40_000;
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 1000;
const MAX_NAME = 60;
/** Length of an attribute that is no path and no picture. */
const MAX_VALUE = 1000;
const MAX_POINTS = 1_000_000;
/** Length of a text, comment or CDATA section. */
const MAX_TEXT = 1_000_000;
/** Read without a pause. */
const STEP_CHARACTERS = 64 * 1024;

const show = (name: string): string => headOf(name, MAX_NAME);

interface OpenElement extends SvgElement {
  readonly children: SvgElement[];
  text: string;
  pixels: number;
  readonly isForeign: boolean;
}

const isSvg = (uri: string): boolean => uri === SVG_NAMESPACE || uri === "";

/** A document type that only says that this is an SVG, with the W3C's names. */
const DOCTYPE =
  /^\s*svg\s*(?:PUBLIC\s*["']-\/\/W3C\/\/DTD SVG [\w. ]{1,30}\/\/EN["']\s*["']https?:\/\/www\.w3\.org\/[\w./-]{1,100}["']\s*)?$/u;
const MAX_DOCTYPE = 300;

function checkDoctype(doctype: string): void {
  if (doctype.length <= MAX_DOCTYPE && DOCTYPE.test(doctype)) return;
  throw new SvgFault(
    doctype.includes("[") ? "defines entities in its DOCTYPE" : "has a DOCTYPE of its own",
  );
}

/** For an HTML reader such a comment ends at once, and the rest is markup. */
function checkComment(comment: string): void {
  if (/^-?>/u.test(comment)) throw new SvgFault("hides markup in a comment");
}

function checkCdata(text: string): void {
  if (text.includes("<")) throw new SvgFault("hides markup in CDATA");
}

function checkDeclaration(version: string | undefined, encoding: string | undefined): void {
  if (version !== "1.0") throw new SvgFault(`must be XML 1.0, got ${show(version ?? "none")}`);
  if (encoding === undefined || /^(?:utf-?8|us-ascii|ascii)$/iu.test(encoding)) return;
  throw new SvgFault(`must be written in UTF-8, got ${show(encoding)}`);
}

/** Allowed addresses: a part of the drawing; for an image, an embedded file. */
function checkHref(element: string, href: string): number {
  if (element === "image") return readEmbeddedPixels(href);
  if (/^\s*#[^\s"'()%]+\s*$/u.test(href)) return 0;
  const shown = JSON.stringify(headOf(href.trim(), MAX_NAME));
  throw new SvgFault(`refers from <${element}> to ${shown}, which is outside of the drawing`);
}

/** Styles and places are read again for each element that has them. */
function checkLength(element: string, name: string, value: string): void {
  const most = name === "points" ? MAX_POINTS : MAX_VALUE;
  if (value.length <= most || LONG_ATTRIBUTES.has(name)) return;
  const what = `${show(name)} on <${show(element)}>`;
  throw new SvgFault(`has the attribute ${what} of more than ${most} characters`);
}

const isRemark = (name: string): boolean => /^(?:data|aria)-/u.test(name);

function isAllowed({ local, uri }: SaxesAttributeNS, isForeign: boolean): boolean {
  if (uri === XML_NAMESPACE) return local === "space" || local === "lang" || local === "id";
  if (uri !== "") return uri === XLINK_NAMESPACE || isHarmless(uri);
  const name = local.toLowerCase();
  const isKnown = ATTRIBUTES.has(name) || PROPERTIES.has(name);
  return isKnown || isForeign || isRemark(name);
}

/** Throws a SvgFault; answers the pixels of an embedded picture. */
function checkAttribute(element: string, attribute: SaxesAttributeNS, isForeign: boolean): number {
  const { local, uri, value } = attribute;
  const name = local.toLowerCase();
  if (name.startsWith("on") || !isAllowed(attribute, isForeign)) {
    const what = `${show(attribute.name)} on <${show(element)}>`;
    throw new SvgFault(`has the attribute ${what}, which no drawing of a code needs`);
  }
  const isRead = uri === "" && !isForeign && !isRemark(name);
  if (name === "href" ? element !== "image" : isRead) checkLength(element, name, value);
  if (name === "href") return checkHref(element, value);
  if (uri === "" && PROPERTIES.has(name)) checkStyleValue(value);
  return 0;
}

function countCharacters(element: string, attributes: ReadonlyMap<string, string>): number {
  let count = 0;
  for (const [name, value] of attributes)
    if (element !== "image" || name !== "href") count += value.length;
  return count;
}

/** The open elements while the text is read. */
class Reader {
  /** True while the text continues within a tag: attributes may be longer than texts. */
  isInTag = false;
  /** Where the last tag, text or comment ended. */
  endedAt = 0;
  readonly #open: OpenElement[] = [];
  #root: OpenElement | undefined;
  #count = 0;

  get root(): SvgElement | undefined {
    return this.#root;
  }

  get isClosed(): boolean {
    return this.#root !== undefined && this.#open.length === 0;
  }

  /** Checked before the text ends, so that it can't fill memory. */
  checkText(at: number): void {
    if (this.isInTag || at - this.endedAt <= MAX_TEXT) return;
    throw new SvgFault(`has a text or comment of more than ${MAX_TEXT} characters`);
  }

  text(text: string): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.text += text;
  }

  open({ name, local, uri, attributes }: SaxesTagNS): void {
    const parent = this.#open.at(-1);
    const isForeign = !isSvg(uri);
    this.#checkPlace({ name: isForeign ? name : local, isForeign }, parent);
    if (isForeign ? !isHarmless(uri) : !ELEMENTS.has(local)) {
      throw new SvgFault(`has <${show(name)}>, which no drawing of a code needs`);
    }
    const element = this.#make(local, Object.values(attributes), isForeign);
    if (parent === undefined) this.#root = element;
    else if (!isForeign) parent.children.push(element);
    this.#open.push(element);
  }

  close(): void {
    const element = this.#open.pop();
    if (element?.name === "style" && !element.isForeign) readSheet(element.text);
  }

  #checkPlace(
    { name, isForeign }: { name: string; isForeign: boolean },
    parent: OpenElement | undefined,
  ): void {
    this.#count += 1;
    if (parent === undefined && (isForeign || name !== "svg")) throw new SvgFault("is not an SVG");
    if (this.#count > MAX_ELEMENTS) throw new SvgFault(`has more than ${MAX_ELEMENTS} elements`);
    if (this.#open.length >= MAX_DEPTH) throw new SvgFault(`is nested more than ${MAX_DEPTH} deep`);
    if (parent !== undefined && !parent.isForeign && TEXT_ONLY.has(parent.name)) {
      throw new SvgFault(`has <${show(name)}> in its <${parent.name}>`);
    }
  }

  #make(name: string, all: readonly SaxesAttributeNS[], isForeign: boolean): OpenElement {
    const attributes = new Map<string, string>();
    let pixels = 0;
    for (const attribute of all) {
      const { local, uri, value } = attribute;
      if (uri === XMLNS_NAMESPACE) continue;
      pixels = Math.max(pixels, checkAttribute(name, attribute, isForeign));
      const isHref = local === "href";
      // A plain `href` overrides that of XLink.
      if (uri === "" || (isHref && !attributes.has(local))) attributes.set(local, value.trim());
    }
    const style = isForeign ? "" : (attributes.get("style") ?? "");
    for (const [property, set] of readStyle(style)) {
      checkLength(name, property, set);
      attributes.set(property, set);
    }
    const characters = countCharacters(name, attributes);
    return { name, attributes, children: [], text: "", pixels, characters, isForeign };
  }
}

/** Most attributes of one element: each is kept until its tag ends. */
function countAttributes(parser: SaxesParser<{ xmlns: true }>, reader: Reader): void {
  let attributes = 0;
  parser.on("opentagstart", () => {
    attributes = 0;
    reader.isInTag = true;
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes <= MAX_ATTRIBUTES) return;
    throw new SvgFault(`has more than ${MAX_ATTRIBUTES} attributes on one element`);
  });
}

function makeParser(reader: Reader): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true });
  const end = (): void => {
    reader.endedAt = parser.position;
  };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("xmldecl", ({ version, encoding }) => checkDeclaration(version, encoding));
  parser.on("doctype", checkDoctype);
  parser.on("processinginstruction", ({ target }) => {
    throw new SvgFault(`has the instruction <?${show(target)}?>`);
  });
  parser.on("comment", (comment) => {
    checkComment(comment);
    end();
  });
  countAttributes(parser, reader);
  parser.on("opentag", (tag) => {
    reader.open(tag);
    reader.isInTag = false;
    end();
  });
  parser.on("text", (text) => {
    reader.text(text);
    end();
  });
  parser.on("cdata", (text) => {
    checkCdata(text);
    reader.text(text);
    end();
  });
  parser.on("closetag", () => {
    reader.close();
    end();
  });
  return parser;
}

function decode(svg: string | Uint8Array): string {
  const length = typeof svg === "string" ? Buffer.byteLength(svg) : svg.length;
  if (length > MAX_SVG_BYTES) throw new SvgFault(`must be at most ${MAX_SVG_BYTES} bytes long`);
  if (typeof svg === "string") return svg.replace(/^\uFEFF/u, "");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(svg);
  } catch {
    throw new SvgFault("must be written in UTF-8");
  }
}

/** The fault: the reading ended early, or the text is no XML. */
function toFault(error: unknown, reader: Reader, isAtEnd: boolean): SvgFault {
  if (reader.root === undefined) return new SvgFault("is not an SVG");
  if (isAtEnd && !reader.isClosed) return new SvgFault("is cut off");
  const why = toMessage(error).replace(/^\d+:\d+:\s*|\.$/gu, "");
  return new SvgFault(`is not well-formed XML: ${show(why)}`);
}

/** The root element, in steps of a few milliseconds. Throws a SvgFault with fault and line. */
export function* readSvg(svg: string | Uint8Array): Generator<undefined, SvgElement> {
  const text = decode(svg);
  const reader = new Reader();
  const parser = makeParser(reader);
  let isAtEnd = false;
  try {
    for (let at = 0; at < text.length; at += STEP_CHARACTERS) {
      if (at > 0) yield;
      parser.write(text.slice(at, at + STEP_CHARACTERS));
      reader.checkText(parser.position);
    }
    isAtEnd = true;
    parser.close();
  } catch (error) {
    const fault = error instanceof SvgFault ? error : toFault(error, reader, isAtEnd);
    throw new SvgFault(`${fault.message} (line ${parser.line})`, { cause: error });
  }
  if (reader.root === undefined) throw new SvgFault("is not an SVG");
  return reader.root;
}
