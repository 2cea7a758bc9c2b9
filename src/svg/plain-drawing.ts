/**
 * Drawings made only of opaque rectangles and paths, as most codes are: read from their bytes
 * without an XML parser. The grammar is so narrow that everything it accepts is well-formed,
 * harmless, and looks the same in every renderer: no entities, comments, groups, styles,
 * transforms, outlines, opacity, references or texts. `read-svg.ts` reads all other drawings.
 */
import { Remembered } from "../base/flow/remembered.ts";
import { readSvgPath, type Segment } from "./path.ts";
import type { SvgView } from "./view.ts";

/** Corners of a rectangle with some width and height. */
export type PlainRect = SvgView;

/**
 * Path data relative to its first point. Codes repeat a few shapes: equal ones are the same object.
 */
export interface PlainShape {
  readonly segments: readonly Segment[];
  /** Vertical length of its edges. */
  readonly climb: number;
}

/** A shape, and the place of its first point. */
export interface PlainPiece {
  readonly x: number;
  readonly y: number;
  readonly shape: PlainShape;
}

/** Filled at once, over everything before. */
export interface PlainFill {
  /** Red, green, blue: 0 to 255. */
  readonly color: readonly [red: number, green: number, blue: number];
  /** Together they are one area; undefined when there are other shapes than rectangles. */
  readonly rects: readonly PlainRect[] | undefined;
  /** Of a path with other shapes: filled together by the nonzero rule. */
  readonly pieces: readonly PlainPiece[];
}

export interface PlainDrawing {
  /** The visible area, in the drawing's units; it has the proportions of the picture. */
  readonly view: PlainRect;
  readonly fills: readonly PlainFill[];
  /** At least what `measureWork` would count. */
  readonly work: number;
}

/** Larger drawings take long in any case. */
const MAX_BYTES = 300_000;
const MAX_FILLS = 2000;
/** Longer side of the largest picture that is made of a code, as in `measure-work.ts`. */
const SIDE_PX = 1000;
/** As there: per segment, per element with its paint, per character. */
const COST = { segment: 6, element: 5, character: 1 / 8 } as const;
/** Width and height in pixels have few digits: thinner letterboxes don't count. */
const MAX_SKEW = 0.001;

/** Characters that XML forbids, and those that only some readers treat as white space. */
const FOREIGN = /[^\t\n\r\x20-\x7e]/u;
const HEAD = /^(?:<\?xml version="1\.0"(?: encoding="(?:UTF|utf)-8")?\?>\s*)?<svg((?: [^<>]*)?)>/u;
const TAG = /\s*<(path|rect)([^<>]*)\/>/uy;
const ATTRIBUTE = /\s+([A-Za-z-]+)="([^"<>&]*)"/uy;
const END = /\s*<\/svg>\s*$/uy;
const NUMBER = /^-?(?:\d{1,7}(?:\.\d{1,9})?|\.\d{1,9})$/u;
const COLORS: Readonly<Record<string, string>> = { black: "#000000", white: "#ffffff" };

/** Attributes of each element; a drawing with others isn't plain. */
const KNOWN: Readonly<Record<string, ReadonlySet<string>>> = {
  svg: new Set(["xmlns", "width", "height", "viewBox", "version"]),
  path: new Set(["fill", "d"]),
  rect: new Set(["fill", "x", "y", "width", "height"]),
};

type Attributes = ReadonlyMap<string, string>;

/** Undefined when there is anything except known attributes, each once. */
function readAttributes(element: string, text: string): Attributes | undefined {
  const found = new Map<string, string>();
  const known = KNOWN[element];
  let at = 0;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const [whole = "", name = "", value = ""] = ATTRIBUTE.exec(text) ?? [];
    if (whole === "") return text.slice(at).trim() === "" ? found : undefined;
    if (known?.has(name) !== true || found.has(name)) return undefined;
    found.set(name, value);
    at += whole.length;
  }
}

const toNumber = (text: string | undefined): number =>
  text !== undefined && NUMBER.test(text) ? Number(text) : Number.NaN;

function readColor(text = "#000000"): PlainFill["color"] | undefined {
  const hex = COLORS[text] ?? text;
  const long = /^#[0-9a-f]{3}$/iu.test(hex) ? hex.replaceAll(/[^#]/gu, "$&$&") : hex;
  if (!/^#[0-9a-f]{6}$/iu.test(long)) return undefined;
  const value = Number.parseInt(long.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The visible area. Undefined when the picture isn't filled to all sides. */
function readView(head: Attributes): PlainRect | undefined {
  const [width, height] = [toNumber(head.get("width")), toNumber(head.get("height"))];
  const box = head.get("viewBox")?.split(" ").map(toNumber) ?? [0, 0, width, height];
  const [x = Number.NaN, y = Number.NaN, across = 0, down = 0] = box;
  const isWhole = box.length === 4 && [x, y].every(Number.isFinite);
  if (!isWhole || !(Math.min(width, height, across, down) > 0)) return undefined;
  const skew = (width * down) / (height * across);
  return Math.abs(skew - 1) <= MAX_SKEW ? { x, y, width: across, height: down } : undefined;
}

const ZERO = 0x30;
const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39;

/** Undefined without width or height, or with a missing number. */
function toRect(x: number, y: number, width: number, height: number): PlainRect | undefined {
  const isRect = width > 0 && height > 0 && !Number.isNaN(x + y);
  return isRect ? { x, y, width, height } : undefined;
}

/** Reads path data from left to right. */
class PathScanner {
  readonly #data: string;
  #at = 0;

  constructor(data: string) {
    this.#data = data;
  }

  /** Path data that consists only of pieces like `M4 4h7v1h-7z`; undefined for any other. */
  rects(): PlainRect[] | undefined {
    const rects: PlainRect[] = [];
    this.#at = 0;
    while (this.#at < this.#data.length) {
      const rect = this.#rect();
      if (rect === undefined) return undefined;
      rects.push(rect);
    }
    return rects;
  }

  /**
   * Path data that consists only of pieces like `M4 4.5a.5 .5 0 1 1 1 0z`, each relative to its first
   * point; else undefined.
   */
  pieces(): PlainPiece[] | undefined {
    const pieces: PlainPiece[] = [];
    this.#at = 0;
    while (this.#at < this.#data.length) {
      const [x, y] = [this.#after("M", "M"), this.#after(" ", ",")];
      const shape = Number.isNaN(x + y) ? undefined : this.#shape();
      if (shape === undefined) return undefined;
      pieces.push({ x, y, shape });
    }
    return pieces;
  }

  #shape(): PlainShape | undefined {
    const next = this.#data.indexOf("M", this.#at);
    const end = next < 0 ? this.#data.length : next;
    const tail = this.#data.slice(this.#at, end);
    this.#at = end;
    return RELATIVE.test(tail) ? shapeOf(tail) : undefined;
  }

  #rect(): PlainRect | undefined {
    const x = this.#after("M", "M");
    const y = this.#after(" ", ",");
    const width = this.#after("h", "h");
    const height = this.#after("v", "v");
    const back = this.#after("h", "h");
    const isClosed = this.#take("z") || this.#take("Z");
    return isClosed && back === -width ? toRect(x, y, width, height) : undefined;
  }

  /** The number after a letter; NaN if the letter is another one. */
  #after(letter: string, other: string): number {
    return this.#take(letter) || this.#take(other) ? this.#number() : Number.NaN;
  }

  #take(letter: string): boolean {
    if (this.#data[this.#at] !== letter) return false;
    this.#at += 1;
    return true;
  }

  /** NaN when there is no number, or one in another form than -12.5. */
  #number(): number {
    const from = this.#at;
    if (this.#data[this.#at] === "-") this.#at += 1;
    const digits = this.#at;
    let value = 0;
    for (let code = this.#code(); isDigit(code); code = this.#code()) {
      value = value * 10 + code - ZERO;
      this.#at += 1;
    }
    if (this.#data[this.#at] !== ".") {
      const isNumber = this.#at > digits && this.#at - digits <= 7;
      return isNumber ? (from < digits ? -value : value) : Number.NaN;
    }
    this.#at += 1;
    while (isDigit(this.#code())) this.#at += 1;
    return toNumber(this.#data.slice(from, this.#at));
  }

  #code(): number {
    return this.#data.charCodeAt(this.#at);
  }
}

/** Vertical movement of the pen, in the drawing's units: never less than that of the edges. */
function climbOf(segments: readonly Segment[]): number {
  let climb = 0;
  let [at, start] = [0, 0];
  for (const { operator, points } of segments) {
    if (operator === "m" || operator === "h") {
      climb += Math.abs(at - start);
      at = operator === "m" ? (points[0]?.[1] ?? 0) : start;
      start = at;
      continue;
    }
    for (const [, y] of points) {
      climb += Math.abs(y - at);
      at = y;
    }
  }
  return climb + Math.abs(at - start);
}

/** After a move, only relative commands. */
const RELATIVE = /^[hvlcsqta][a-z\d\s.,+-]*$/u;
/** Shapes by path data: a design has few, and all its codes share them. */
const shapes = new Remembered<PlainShape>(250);
const MAX_SHAPE_LENGTH = 1000;

/** Throws a SyntaxError for invalid path data. */
function shapeOf(tail: string): PlainShape {
  const known = shapes.get(tail);
  if (known !== undefined) return known;
  const segments = [...readSvgPath(`M0 0${tail}`)];
  const shape = { segments, climb: climbOf(segments) };
  if (tail.length <= MAX_SHAPE_LENGTH) shapes.set(tail, shape);
  return shape;
}

type Area = Pick<PlainFill, "rects" | "pieces">;

const NO_PIECES: readonly PlainPiece[] = [];

function readPath(data: string): Area | undefined {
  const scanner = new PathScanner(data);
  const rects = scanner.rects();
  if (rects !== undefined) return { rects, pieces: NO_PIECES };
  try {
    const pieces = scanner.pieces();
    if (pieces !== undefined) return { rects: undefined, pieces };
    const segments = [...readSvgPath(data)];
    // Without a move at its start, no renderer draws the path.
    if (segments[0]?.operator !== "m") return undefined;
    return {
      rects: undefined,
      pieces: [{ x: 0, y: 0, shape: { segments, climb: climbOf(segments) } }],
    };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readRect(attributes: Attributes): Area | undefined {
  const place = (name: string): number => toNumber(attributes.get(name) ?? "0");
  const rect = toRect(place("x"), place("y"), place("width"), place("height"));
  return rect && { rects: [rect], pieces: NO_PIECES };
}

interface Root {
  readonly view: PlainRect;
  /** Length of the text that was read. */
  readonly length: number;
}

function readRoot(text: string): Root | undefined {
  const [head, list = ""] = HEAD.exec(text) ?? [];
  if (head === undefined) return undefined;
  const root = readAttributes("svg", list);
  if (root?.get("xmlns") !== "http://www.w3.org/2000/svg") return undefined;
  if (!/^1\.[01]$/u.test(root.get("version") ?? "1.1")) return undefined;
  const view = readView(root);
  return view && { view, length: head.length };
}

function readFill(name: string, list: string): PlainFill | undefined {
  const own = readAttributes(name, list);
  const color = readColor(own?.get("fill"));
  if (own === undefined || color === undefined) return undefined;
  const area = name === "rect" ? readRect(own) : readPath(own.get("d") ?? "");
  return area && { color, ...area };
}

interface Fills {
  readonly fills: readonly PlainFill[];
  /** Position after it. */
  readonly end: number;
}

/** The elements from a position on; undefined when one isn't plain. */
function readFills(text: string, from: number): Fills | undefined {
  const fills: PlainFill[] = [];
  let end = from;
  for (;;) {
    TAG.lastIndex = end;
    const [whole = "", name = "", list = ""] = TAG.exec(text) ?? [];
    if (whole === "") return { fills, end };
    const fill = readFill(name, list);
    if (fill === undefined || fills.length >= MAX_FILLS) return undefined;
    fills.push(fill);
    end += whole.length;
  }
}

const COMMANDS_OF_RECT = 5;

function workOf({ width, height }: PlainRect, fills: readonly PlainFill[]): number {
  const scale = SIDE_PX / Math.min(width, height);
  const workOfFill = ({ rects = [], pieces }: PlainFill): number => {
    let count = rects.length * COMMANDS_OF_RECT + 1;
    let climb = rects.reduce((sum, { height: side }) => sum + 2 * side, 0);
    for (const { shape } of pieces) {
      count += shape.segments.length;
      climb += shape.climb;
    }
    return COST.element + count * COST.segment + climb * scale;
  };
  return fills.reduce<number>((sum, fill) => sum + workOfFill(fill), COST.element);
}

/** The grammar has only ASCII letters: so each byte may be read as a letter. */
const toText = (svg: string | Uint8Array): string =>
  typeof svg === "string"
    ? svg
    : Buffer.from(svg.buffer, svg.byteOffset, svg.byteLength).toString("latin1");

/**
 * A drawing of the narrow grammar; undefined for any other text, even a valid drawing. Never
 * throws.
 */
export function readPlainDrawing(svg: string | Uint8Array): PlainDrawing | undefined {
  if (svg.length > MAX_BYTES) return undefined;
  const text = toText(svg);
  const root = FOREIGN.test(text) ? undefined : readRoot(text);
  const found = root && readFills(text, root.length);
  if (root === undefined || found === undefined) return undefined;
  const { view } = root;
  const { fills, end } = found;
  END.lastIndex = end;
  if (!END.test(text)) return undefined;
  return { view, fills, work: workOf(view, fills) + text.length * COST.character };
}
