/**
 * A drawing as SVG -> filled paths in its own units, in the order in which they are painted
 * (SVG 1.1, sections 5 to 11): groups, `use`, transforms, basic shapes and paths. What can't be
 * ink on a plate as it is - gradients, pictures, texts, filters, transparency - is refused.
 */
import { readSvg, type SvgElement } from "./svg-elements.ts";
import { type Point, readSvgPath, type Segment } from "./svg-path.ts";

/** Red, green, blue, 0 to 255. */
export type Rgb = readonly [r: number, g: number, b: number];

export interface SvgFill {
  readonly segments: readonly Segment[];
  readonly rule: "nonzero" | "evenodd";
  readonly color: Rgb;
}

/** Why a drawing can't be flattened; reads behind "the server's drawing has". */
export class SvgUnsupported extends Error {}

type Matrix = readonly [number, number, number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

const apply = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;

function numbersIn(text: string): number[] {
  return Array.from(text.matchAll(new RegExp(NUMBER, "giu")), ([found]) => Number(found));
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

function rotation(degrees: number, x: number, y: number): Matrix {
  const [cos, sin] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}

const transforms: Readonly<Record<string, (values: readonly number[]) => Matrix>> = {
  matrix: ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]) => [a, b, c, d, e, f],
  translate: ([x = 0, y = 0]) => [1, 0, 0, 1, x, y],
  scale: ([x = 1, y = x]) => [x, 0, 0, y, 0, 0],
  rotate: ([degrees = 0, x = 0, y = 0]) => rotation(degrees, x, y),
  skewX: ([degrees = 0]) => [1, 0, Math.tan(radians(degrees)), 1, 0, 0],
  skewY: ([degrees = 0]) => [1, Math.tan(radians(degrees)), 0, 1, 0, 0],
};

function readTransform(text: string | undefined): Matrix {
  let matrix = IDENTITY;
  for (const [, name = "", values = ""] of (text ?? "").matchAll(/(\w+)\s*\(([^)]*)\)/gu)) {
    const transform = Object.hasOwn(transforms, name) ? transforms[name] : undefined;
    if (transform === undefined) throw new SvgUnsupported(`a transform "${name}"`);
    matrix = multiply(matrix, transform(numbersIn(values)));
  }
  return matrix;
}

const named: Readonly<Record<string, Rgb>> = {
  black: [0, 0, 0],
  white: [255, 255, 255],
  currentcolor: [0, 0, 0],
};

/** A colour; undefined for none. */
function readColor(text: string): Rgb | undefined {
  const color = text.trim().toLowerCase();
  if (color === "none" || color === "transparent") return undefined;
  const known = named[color];
  if (known !== undefined) return known;
  const [, hex] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/u.exec(color) ?? [];
  if (hex !== undefined) {
    const digits = hex.length === 3 ? Array.from(hex, (digit) => digit + digit).join("") : hex;
    const value = Number.parseInt(digits, 16);
    return [value >> 16, (value >> 8) & 255, value & 255];
  }
  const [, parts] = /^rgb\(([^)]*)\)$/u.exec(color) ?? [];
  const values = numbersIn(parts ?? "").map((value) =>
    parts?.includes("%") ? value * 2.55 : value,
  );
  if (values.length === 3) return values as unknown as Rgb;
  throw new SvgUnsupported(
    color.startsWith("url") ? "a gradient or pattern" : `the colour ${text}`,
  );
}

/** What is inherited. */
interface Style {
  readonly matrix: Matrix;
  readonly fill: string;
  readonly rule: string;
  readonly stroke: string;
  readonly strokeWidth: string;
  readonly visibility: string;
}

const ROOT: Style = {
  matrix: IDENTITY,
  fill: "black",
  rule: "nonzero",
  stroke: "none",
  strokeWidth: "1",
  visibility: "visible",
};

const refused: Readonly<Record<string, string>> = {
  image: "a picture",
  text: "text",
  foreignObject: "foreign content",
  style: "a style sheet",
  switch: "alternatives",
  animate: "animation",
  animateTransform: "animation",
};
const unseen = new Set([
  "defs",
  "title",
  "desc",
  "metadata",
  "symbol",
  "clipPath",
  "mask",
  "filter",
  "linearGradient",
  "radialGradient",
  "pattern",
  "marker",
  "view",
]);

const lengthOf = (element: SvgElement, name: string, otherwise = 0): number => {
  const text = element.attributes.get(name);
  if (text === undefined || text === "auto") return otherwise;
  if (text.endsWith("%")) throw new SvgUnsupported("lengths in percent");
  return numbersIn(text)[0] ?? otherwise;
};

const line = (operator: "m" | "l", ...point: Point): Segment => ({ operator, points: [point] });
const CLOSE: Segment = { operator: "h", points: [] };

function rectPath(element: SvgElement): readonly Segment[] {
  const [x, y] = [lengthOf(element, "x"), lengthOf(element, "y")];
  const [width, height] = [lengthOf(element, "width"), lengthOf(element, "height")];
  if (width <= 0 || height <= 0) return [];
  const rx = Math.min(lengthOf(element, "rx", lengthOf(element, "ry")), width / 2);
  const ry = Math.min(lengthOf(element, "ry", lengthOf(element, "rx")), height / 2);
  const [right, bottom] = [x + width, y + height];
  if (rx <= 0 || ry <= 0)
    return [
      line("m", x, y),
      line("l", right, y),
      line("l", right, bottom),
      line("l", x, bottom),
      CLOSE,
    ];
  const arc = `${rx} ${ry} 0 0 1`;
  return readSvgPath(
    `M${x + rx} ${y}H${right - rx}A${arc} ${right} ${y + ry}V${bottom - ry}A${arc} ${right - rx} ${bottom}` +
      `H${x + rx}A${arc} ${x} ${bottom - ry}V${y + ry}A${arc} ${x + rx} ${y}Z`,
  );
}

function ellipsePath(element: SvgElement): readonly Segment[] {
  const [x, y] = [lengthOf(element, "cx"), lengthOf(element, "cy")];
  const isCircle = element.name === "circle";
  const rx = lengthOf(element, isCircle ? "r" : "rx");
  const ry = isCircle ? rx : lengthOf(element, "ry");
  if (rx <= 0 || ry <= 0) return [];
  return readSvgPath(
    `M${x - rx} ${y}A${rx} ${ry} 0 1 1 ${x + rx} ${y}A${rx} ${ry} 0 1 1 ${x - rx} ${y}Z`,
  );
}

function polygonPath(element: SvgElement): readonly Segment[] {
  const numbers = numbersIn(element.attributes.get("points") ?? "");
  const segments: Segment[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2)
    segments.push(line(i === 0 ? "m" : "l", numbers[i] as number, numbers[i + 1] as number));
  return [...segments, CLOSE];
}

const shapes: Readonly<Record<string, (element: SvgElement) => readonly Segment[]>> = {
  path: (element) => readSvgPath(element.attributes.get("d") ?? ""),
  rect: rectPath,
  circle: ellipsePath,
  ellipse: ellipsePath,
  polygon: polygonPath,
  polyline: polygonPath,
  line: () => [],
};

function inherit(style: Style, { attributes }: SvgElement): Style {
  const of = (name: string, value: string): string => {
    const own = attributes.get(name);
    return own === undefined || own === "inherit" ? value : own;
  };
  return {
    matrix: multiply(style.matrix, readTransform(attributes.get("transform"))),
    fill: of("fill", style.fill),
    rule: of("fill-rule", style.rule),
    stroke: of("stroke", style.stroke),
    strokeWidth: of("stroke-width", style.strokeWidth),
    visibility: of("visibility", style.visibility),
  };
}

const MOST_DEPTH = 30;
const groups = new Set(["svg", "g", "a"]);

const isUnseen = ({ name, attributes, text }: SvgElement): boolean =>
  unseen.has(name) ||
  attributes.get("display") === "none" ||
  (name === "style" && text.trim() === "");

/** True for what can't be seen at all; refuses what can be seen in part. */
function isClear({ attributes }: SvgElement): boolean {
  for (const name of ["clip-path", "mask", "filter"]) {
    const value = attributes.get(name) ?? "none";
    if (value !== "none") throw new SvgUnsupported(name === "filter" ? "a filter" : "a mask");
  }
  for (const name of ["opacity", "fill-opacity"]) {
    const share = Number(attributes.get(name) ?? "1");
    if (share === 0) return true;
    if (share !== 1) throw new SvgUnsupported("transparency");
  }
  return false;
}

class Flattener {
  readonly fills: SvgFill[] = [];
  readonly #byId = new Map<string, SvgElement>();

  constructor(root: SvgElement) {
    this.#index(root);
  }

  draw(element: SvgElement, from: Style, depth: number): void {
    const { name } = element;
    if (depth > MOST_DEPTH) throw new SvgUnsupported("elements that use themselves");
    if (isUnseen(element)) return;
    const why = Object.hasOwn(refused, name) ? refused[name] : undefined;
    if (why !== undefined) throw new SvgUnsupported(why);
    if (isClear(element)) return;
    const style = inherit(from, element);
    if (name === "use") this.#use(element, style, depth);
    else if (Object.hasOwn(shapes, name)) this.#shape(element, style);
    else if (groups.has(name)) this.#children(element, style, depth);
    else throw new SvgUnsupported(`<${name}>`);
  }

  #children(element: SvgElement, style: Style, depth: number): void {
    for (const child of element.children) {
      if (child.name === "svg") throw new SvgUnsupported("a drawing within the drawing");
      this.draw(child, style, depth + 1);
    }
  }

  #index(element: SvgElement): void {
    const id = element.attributes.get("id");
    if (id !== undefined) this.#byId.set(id, element);
    for (const child of element.children) this.#index(child);
  }

  #use(element: SvgElement, style: Style, depth: number): void {
    const id = (element.attributes.get("href") ?? "").replace(/^#/u, "");
    const target = this.#byId.get(id);
    if (target === undefined) throw new SvgUnsupported(`a use of "${id}", which is not there`);
    const at: Matrix = [1, 0, 0, 1, lengthOf(element, "x"), lengthOf(element, "y")];
    const placed = { ...style, matrix: multiply(style.matrix, at) };
    if (target.name !== "symbol") return this.draw(target, placed, depth + 1);
    if (target.attributes.has("viewBox"))
      throw new SvgUnsupported("a symbol with a view of its own");
    const own = inherit(placed, target);
    return this.#children(target, own, depth);
  }

  #shape(element: SvgElement, style: Style): void {
    if (style.visibility !== "visible") return;
    if (readColor(style.stroke) !== undefined && numbersIn(style.strokeWidth)[0] !== 0)
      throw new SvgUnsupported("outlines that are stroked");
    const color = readColor(style.fill);
    if (color === undefined) return;
    const path = shapes[element.name]?.(element) ?? [];
    if (path.length === 0) return;
    const segments = path.map(({ operator, points }) => ({
      operator,
      points: points.map((point) => apply(style.matrix, point)),
    }));
    this.fills.push({ segments, color, rule: style.rule === "evenodd" ? "evenodd" : "nonzero" });
  }
}

/** What a drawing fills. Throws `SvgUnsupported`, and a SyntaxError for what is no SVG. */
export function flattenSvg(svg: string): readonly SvgFill[] {
  const root = readSvg(svg);
  const flattener = new Flattener(root);
  flattener.draw(root, ROOT, 0);
  return flattener.fills;
}
