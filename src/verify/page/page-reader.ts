import { areManyFaults, checkMarks, checkNesting } from "../pdf/content-limits.ts";
import type { PageFont } from "./page-fonts.ts";
import { Bounds, type BoxPt, IDENTITY, type Matrix, multiply, Path } from "./page-path.ts";
import {
  type Ink,
  type PageContent,
  type Painted,
  type PageResources,
  type GraphicsState,
  PLAIN_STATE,
} from "./painted.ts";
import { isBytes, isDict, nameOf, type PdfDict, type PdfNode } from "../pdf/pdf-node.ts";

const BLACK: Ink = { space: "DeviceGray", values: [0] };

/** Above and below the baseline, in sizes: how much of a line its letters may take. */
const TEXT_ABOVE = 0.95;
const TEXT_BELOW = 0.25;

export type { GraphicsState } from "./painted.ts";

export type Operator = (reader: PageReader, operands: readonly PdfNode[]) => void;

/** The effect of each operator of a page's content. */
export type Operators = Readonly<Record<string, Operator>>;

const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** The part of a box within another one; undefined where they only touch. */
const cutBox = (box: BoxPt, [left, bottom, right, top]: BoxPt): BoxPt => [
  within(box[0], left, right),
  within(box[1], bottom, top),
  within(box[2], left, right),
  within(box[3], bottom, top),
];

/** Runs a page's operators and keeps what they paint. */
export class PageReader {
  readonly painted: Painted[] = [];
  readonly faults: string[] = [];
  current: GraphicsState = {
    ctm: IDENTITY,
    fill: BLACK,
    stroke: BLACK,
    state: PLAIN_STATE,
    lineWidth: 1,
  };
  path: Path;
  fontSize = 0;
  readonly #resources: PageResources;
  readonly #operators: Operators;
  readonly #used = new Map<string, Operator>();
  readonly #stack: GraphicsState[] = [];
  readonly #layers: string[] = [];
  #font: PageFont | undefined;
  #text: Matrix = IDENTITY;
  #line = 0;

  /** Operators that are not among `operators` are faults. */
  constructor(resources: PageResources, operators: Operators) {
    this.#resources = resources;
    this.path = new Path(resources.keepsBoxes);
    this.#operators = operators;
    this.current = { ...this.current, ...resources.initial };
    if (resources.initial === undefined) this.current.ctm = resources.base ?? IDENTITY;
  }

  get isForeign(): boolean {
    return this.#resources.isForeign === true;
  }

  run(word: string, operands: readonly PdfNode[]): void {
    const operator = this.#used.get(word) ?? this.#find(word);
    if (operator === undefined) this.#report(`operator ${word} is not one that our pages use`);
    else operator(this, operands);
  }

  #find(word: string): Operator | undefined {
    const operator = Object.hasOwn(this.#operators, word) ? this.#operators[word] : undefined;
    if (operator !== undefined) this.#used.set(word, operator);
    return operator;
  }

  /** Operators that were met, but those that are faults. */
  get used(): Set<string> {
    return new Set(this.#used.keys());
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
    const { clip } = this.current;
    const shown = clip === undefined ? mark : { ...mark, box: cutBox(mark.box, clip) };
    if (onPaint === undefined) checkMarks(this.painted.push(shown));
    else onPaint(shown, { ...this.current });
  }

  /** Clips to the path until the next Q. */
  clip(): void {
    const { clip } = this.current;
    const box = this.path.bounds.box();
    this.current.clip = clip === undefined ? box : cutBox(box, clip);
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

  /** A layer, or a stretch of glyphs with their common text. */
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
    else {
      const { lineWidth = this.current.lineWidth, ...change } = state;
      this.current.lineWidth = lineWidth;
      this.current.state = { ...this.current.state, ...change };
    }
  }

  endPath(): void {
    this.path = new Path(this.#resources.keepsBoxes);
  }

  fill(): void {
    const { path, current } = this;
    this.#paint({
      kind: "fill",
      box: path.bounds.box(),
      ink: current.fill,
      state: current.state,
      layer: this.#layers.at(-1),
      rectangles: path.other ? undefined : path.rectangles,
      unitPt: path.other ? undefined : path.unit,
      ...(path.boxes === undefined || path.other ? {} : { boxes: path.boxes }),
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
    if (isForm && object.paints !== undefined && !this.isForeign) {
      this.#drawPart(object, object.paints());
      return;
    }
    const matrix = isForm ? multiply(object.matrix, this.current.ctm) : this.current.ctm;
    const [left, bottom, right, top] = isForm ? object.bbox : [0, 0, 1, 1];
    const bounds = new Bounds();
    bounds.add(matrix, left, bottom);
    bounds.add(matrix, right, top);
    const { fill: ink, state } = this.current;
    this.#paint({ kind: isForm ? "form" : "image", box: bounds.box(), ink, state, object });
  }

  /** What a form of ours paints, where it stands on this page. */
  #drawPart({ dict, matrix }: { dict: PdfDict; matrix: Matrix }, content: PageContent): void {
    const at = multiply(matrix, this.current.ctm);
    for (const fault of content.faults) this.#report(fault);
    for (const operator of content.operators) this.#find(operator);
    for (const mark of content.painted) {
      const bounds = new Bounds();
      bounds.add(at, mark.box[0], mark.box[1]);
      bounds.add(at, mark.box[2], mark.box[3]);
      const { state } = this.current;
      this.#paint({ ...mark, box: bounds.box(), state, part: dict, unitPt: undefined });
    }
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

  /** Texts of others are not measured: where they begin, and how large they are. */
  #showForeign(): void {
    const { fill: ink, state, ctm } = this.current;
    const matrix = multiply(this.#text, ctm);
    const [, , c, d, x, y] = matrix;
    const sizePt = Math.abs(this.fontSize) * Math.hypot(c, d);
    this.#paint({ kind: "text", box: [x, y, x, y], ink, state, sizePt });
  }

  show(shown: PdfNode): void {
    const font = this.#font;
    if (this.isForeign) {
      this.#showForeign();
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
