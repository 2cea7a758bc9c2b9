import { areManyFaults, checkMarks, checkNesting, checkOperands } from "./content-limits.ts";
import { foreignOperators } from "./foreign-operators.ts";
import { isArray, isBytes, isDict, nameOf, type PdfDict, type PdfNode } from "./pdf-node.ts";
import { Keyword, PdfLexer } from "./pdf-lexer.ts";
import type { PageFont } from "./page-fonts.ts";
import { Bounds, type BoxPt, IDENTITY, type Matrix, multiply, Path } from "./page-path.ts";

export type { BoxPt } from "./page-path.ts";

/** What colour a mark is painted in. */
export interface Ink {
  /** `DeviceCMYK`, or the name of the colour space that was set. */
  readonly space: string;
  readonly values: readonly number[];
}

/** The part of an ExtGState that rules look at. */
export interface PaintState {
  readonly overprintFill: boolean;
  readonly overprintStroke: boolean;
  readonly alpha: number;
  readonly blendMode: string;
  readonly softMask: boolean;
}

/** What a page's resources say of a picture or a form. */
export type PageObject =
  | {
      readonly kind: "image";
      /** Pixels. */
      readonly width: number;
      readonly height: number;
      /** `DeviceGray`, `DeviceCMYK`, or whatever else it is in. */
      readonly space: string;
      /** It has a mask of any kind. */
      readonly isMasked: boolean;
    }
  | {
      readonly kind: "form";
      readonly dict: PdfDict;
      /** Its own points. */
      readonly bbox: BoxPt;
      readonly matrix: Matrix;
    };

/** One painting operator's result. */
export interface Painted {
  readonly kind: "fill" | "stroke" | "text" | "image" | "form";
  readonly box: BoxPt;
  readonly ink: Ink;
  readonly state: PaintState;
  /** Layer that it is on: the name of the page's property list. */
  readonly layer?: string | undefined;
  /** Fills: parts of the path that are rectangles; undefined when anything else is in it. */
  readonly rectangles?: number | undefined;
  /** Fills: what its rectangles measure, all equal, in width or in height: the module of a code. */
  readonly unitPt?: number | undefined;
  /** Strokes: width. */
  readonly widthPt?: number | undefined;
  /** Text: size on the page, its font and glyphs. */
  readonly sizePt?: number | undefined;
  readonly font?: PageFont | undefined;
  readonly glyphs?: readonly number[] | undefined;
  /** Text: what is shown without a new place in between has the same number. */
  readonly line?: number | undefined;
  /** Images and forms: what is drawn. */
  readonly object?: PageObject | undefined;
}

export interface PageContent {
  readonly painted: readonly Painted[];
  /** Operators that set state or colour, once each. */
  readonly operators: ReadonlySet<string>;
  /** What this reader doesn't know and so can't vouch for. */
  readonly faults: readonly string[];
}

/** What names in a page's operators stand for. */
export interface PageResources {
  readonly states: ReadonlyMap<string, PaintState>;
  readonly fonts: ReadonlyMap<string, PageFont>;
  /** From the page to where things should lie; undefined = they are drawn there. */
  readonly base?: Matrix | undefined;
  /** Pictures and forms. */
  readonly objects?: ReadonlyMap<string, PageObject> | undefined;
  /** True for content that others made: every operator is read, its texts are not measured. */
  readonly isForeign?: boolean | undefined;
  /** Takes what is painted instead of the list: a map has millions of marks. */
  readonly onPaint?: ((mark: Painted) => void) | undefined;
}

const BLACK: Ink = { space: "DeviceGray", values: [0] };

export const PLAIN_STATE: PaintState = {
  overprintFill: false,
  overprintStroke: false,
  alpha: 1,
  blendMode: "Normal",
  softMask: false,
};

interface GraphicsState {
  ctm: Matrix;
  fill: Ink;
  stroke: Ink;
  state: PaintState;
  lineWidth: number;
}

/** Above and below the baseline, in sizes: how much of a line its letters may take. */
const TEXT_ABOVE = 0.95;
const TEXT_BELOW = 0.25;

export type Operator = (reader: PageReader, operands: readonly PdfNode[]) => void;

const numbers = (operands: readonly PdfNode[]): number[] => operands.map(Number);
const toMatrix = (operands: readonly PdfNode[]): Matrix => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(operands);
  return [a, b, c, d, e, f];
};

const line: Operator = (reader, operands) => {
  for (let i = 0; i + 1 < operands.length; i += 2) {
    reader.path.point(reader.current.ctm, Number(operands[i]), Number(operands[i + 1]));
  }
};

const move: Operator = (reader, operands) => {
  // Of what others made, nobody asks for single lines.
  if (!reader.isForeign) reader.path.start();
  line(reader, operands);
};

/** Every operator that our pages may use; anything else is reported. */
const operators: Readonly<Record<string, Operator>> = {
  q: (reader) => reader.save(),
  Q: (reader) => reader.restore(),
  cm: (reader, operands) => {
    reader.current.ctm = multiply(toMatrix(operands), reader.current.ctm);
  },
  w: (reader, [width]) => {
    reader.current.lineWidth = Number(width);
  },
  BDC: (reader, [tag, name]) => reader.openMarked(nameOf(tag) ?? "", name ?? null),
  EMC: (reader) => reader.closeLayer(),
  gs: (reader, [name]) => reader.setState(nameOf(name) ?? ""),
  k: (reader, operands) => {
    reader.current.fill = { space: "DeviceCMYK", values: numbers(operands) };
  },
  K: (reader, operands) => {
    reader.current.stroke = { space: "DeviceCMYK", values: numbers(operands) };
  },
  cs: (reader, [name]) => {
    reader.current.fill = { space: nameOf(name) ?? "", values: [1] };
  },
  CS: (reader, [name]) => {
    reader.current.stroke = { space: nameOf(name) ?? "", values: [1] };
  },
  scn: (reader, operands) => {
    reader.current.fill = { space: reader.current.fill.space, values: numbers(operands) };
  },
  SCN: (reader, operands) => {
    reader.current.stroke = { space: reader.current.stroke.space, values: numbers(operands) };
  },
  re: (reader, operands) => reader.path.rectangle(reader.current.ctm, operands as number[]),
  m: move,
  l: line,
  c: line,
  v: line,
  y: line,
  h: () => undefined,
  n: (reader) => reader.endPath(),
  f: (reader) => reader.fill(),
  "f*": (reader) => reader.fill(),
  S: (reader) => reader.stroke(),
  Do: (reader, [name]) => reader.draw(nameOf(name) ?? ""),
  d: () => undefined,
  BT: (reader) => reader.setTextMatrix(IDENTITY),
  ET: () => undefined,
  Tf: (reader, [name, size]) => reader.setFont(nameOf(name) ?? "", Number(size)),
  Tm: (reader, operands) => reader.setTextMatrix(toMatrix(operands)),
  Td: (reader, operands) => reader.moveText(numbers(operands)),
  // Marks above and below letters: the line's own height holds them.
  Ts: () => undefined,
  Tj: (reader, [text]) => reader.show(text ?? null),
  TJ: (reader, [items]) => {
    for (const item of isArray(items) ? items : []) {
      if (typeof item === "number") reader.moveText([(-item / 1000) * reader.fontSize, 0]);
      else reader.show(item);
    }
  },
};

/** Runs a page's operators and keeps what they paint. */
export class PageReader {
  readonly painted: Painted[] = [];
  readonly faults: string[] = [];
  readonly used = new Set<string>();
  current: GraphicsState = {
    ctm: IDENTITY,
    fill: BLACK,
    stroke: BLACK,
    state: PLAIN_STATE,
    lineWidth: 1,
  };
  path = new Path();
  fontSize = 0;
  readonly #resources: PageResources;
  readonly #stack: GraphicsState[] = [];
  readonly #layers: string[] = [];
  #font: PageFont | undefined;
  #text: Matrix = IDENTITY;
  #line = 0;

  constructor(resources: PageResources) {
    this.#resources = resources;
    this.current.ctm = resources.base ?? IDENTITY;
  }

  get isForeign(): boolean {
    return this.#resources.isForeign === true;
  }

  run(word: string, operands: readonly PdfNode[]): void {
    const operator = Object.hasOwn(operators, word)
      ? operators[word]
      : this.isForeign && Object.hasOwn(foreignOperators, word)
        ? foreignOperators[word]
        : undefined;
    if (operator === undefined) {
      this.#report(`operator ${word} is not one that our pages use`);
    } else {
      this.used.add(word);
      operator(this, operands);
    }
  }

  end(): void {
    if (this.#layers.length > 0) this.faults.push("BDC without EMC");
    if (this.#stack.length > 0) this.faults.push(`${this.#stack.length} q without Q`);
  }

  #report(fault: string): void {
    if (!areManyFaults(this.faults.length)) this.faults.push(fault);
  }

  #paint(mark: Painted): void {
    const { onPaint } = this.#resources;
    if (onPaint === undefined) checkMarks(this.painted.push(mark));
    else onPaint(mark);
  }

  save(): void {
    checkNesting("q", this.#stack.length);
    this.#stack.push({ ...this.current });
  }

  restore(): void {
    const saved = this.#stack.pop();
    if (saved === undefined) this.#report("Q without q");
    else this.current = saved;
  }

  /** A layer, or a stretch of text that says what its glyphs stand for together. */
  openMarked(tag: string, value: PdfNode): void {
    checkNesting("BDC", this.#layers.length);
    const name = nameOf(value) ?? "";
    const isSpan = tag === "Span" && isDict(value) && [...value.keys()].join() === "ActualText";
    if (isSpan) {
      // Text that is copied as one piece shows on the layer that it is on.
    } else if (this.isForeign) {
      if (tag === "OC") this.#report("layers must be flattened");
    } else if (tag !== "OC") this.#report(`marked content ${tag} is not one that our pages use`);
    this.#layers.push(isSpan ? (this.#layers.at(-1) ?? "") : name);
  }

  closeLayer(): void {
    if (this.#layers.pop() === undefined) this.#report("EMC without BDC");
  }

  setState(name: string): void {
    const state = this.#resources.states.get(name);
    if (state === undefined && this.isForeign) return;
    if (state === undefined)
      this.#report(`graphics state ${name} is not among the page's resources`);
    else this.current.state = state;
  }

  endPath(): void {
    this.path = new Path();
  }

  fill(): void {
    const { path, current } = this;
    this.#paint({
      kind: "fill",
      box: path.bounds.box(),
      ink: current.fill,
      state: current.state,
      rectangles: path.other ? undefined : path.rectangles,
      unitPt: path.other ? undefined : path.unit,
    });
    this.endPath();
  }

  /** Every subpath for itself: marks are many lines under one stroke. */
  stroke(): void {
    const { path, current } = this;
    const widthPt = current.lineWidth * Math.hypot(current.ctm[0], current.ctm[1]);
    const isWhole = path.rectangles > 0 || this.isForeign;
    const parts = isWhole ? [path.bounds] : path.parts;
    for (const part of parts) {
      const box = part.box(widthPt / 2);
      const { stroke: ink, state } = current;
      this.#paint({ kind: "stroke", box, ink, state, widthPt, layer: this.#layers.at(-1) });
    }
    this.endPath();
  }

  /** A picture or a form; what is not among the resources counts as a picture. */
  draw(name: string): void {
    const object = this.#resources.objects?.get(name);
    const isForm = object?.kind === "form";
    const matrix = isForm ? multiply(object.matrix, this.current.ctm) : this.current.ctm;
    const [left, bottom, right, top] = isForm ? object.bbox : [0, 0, 1, 1];
    const bounds = new Bounds();
    bounds.add(matrix, left, bottom);
    bounds.add(matrix, right, top);
    const { fill: ink, state } = this.current;
    this.#paint({ kind: isForm ? "form" : "image", box: bounds.box(), ink, state, object });
  }

  setFont(name: string, size: number): void {
    this.#font = this.#resources.fonts.get(name);
    this.fontSize = size;
    if (this.#font === undefined && !this.isForeign)
      this.#report(`font ${name} is not among the page's resources`);
  }

  setTextMatrix(matrix: Matrix): void {
    this.#line += 1;
    this.#text = matrix;
  }

  moveText([x = 0, y = 0]: readonly number[]): void {
    this.#text = multiply([1, 0, 0, 1, x, y], this.#text);
  }

  show(shown: PdfNode): void {
    const font = this.#font;
    if (this.isForeign) {
      const { fill: ink, state } = this.current;
      this.#paint({ kind: "text", box: [0, 0, 0, 0], ink, state });
      return;
    }
    if (!isBytes(shown) || font === undefined) return;
    const glyphs: number[] = [];
    for (let i = 0; i + 1 < shown.bytes.length; i += 2)
      glyphs.push((shown.bytes[i] ?? 0) * 256 + (shown.bytes[i + 1] ?? 0));
    const width =
      (glyphs.reduce((sum, glyph) => sum + font.width(glyph), 0) / 1000) * this.fontSize;
    const matrix = multiply(this.#text, this.current.ctm);
    const bounds = new Bounds();
    bounds.add(matrix, 0, -TEXT_BELOW * this.fontSize);
    bounds.add(matrix, width, TEXT_ABOVE * this.fontSize);
    const sizePt = this.fontSize * Math.hypot(matrix[2], matrix[3]);
    const { fill, state } = this.current;
    const text = { box: bounds.box(), sizePt, font, glyphs, line: this.#line };
    this.#paint({ kind: "text", ink: fill, state, ...text });
    this.moveText([width, 0]);
  }
}

const INLINE_IMAGE = "BI";

/** Reads a page's content. Broken syntax becomes a fault, and what came before is kept. */
export function readPageContent(content: Uint8Array, resources: PageResources): PageContent {
  const lexer = new PdfLexer(content);
  const reader = new PageReader(resources);
  let operands: PdfNode[] = [];
  try {
    for (let value = lexer.next(); value !== undefined; value = lexer.next()) {
      if (!(value instanceof Keyword)) {
        checkOperands(operands.push(value));
        continue;
      }
      if (value.word === INLINE_IMAGE) {
        reader.faults.push("an inline image can't be judged");
        reader.draw("");
        break;
      }
      reader.run(value.word, operands);
      operands = [];
    }
    reader.end();
  } catch (error) {
    reader.faults.push(`content is not PDF syntax: ${String(error)}`);
  }
  return { painted: reader.painted, operators: reader.used, faults: reader.faults };
}
