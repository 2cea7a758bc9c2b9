/**
 * A drawing as SVG -> filled paths in its own units, in the order in which they are painted
 * (SVG 1.1, sections 5 to 11): groups, `use`, transforms, basic shapes and paths. Refuses what
 * can't be ink on a plate: gradients, pictures, texts, transparency.
 */
import { readSafeSvg } from "../../svg/check-svg.ts";
import type { Segment } from "../../svg/path.ts";
import type { SvgElement } from "../../svg/read-svg.ts";
import { lengthOf, shapes } from "../../svg/shapes.ts";
import { SvgUnsupported } from "../../svg/svg-fault.ts";
import {
  apply,
  IDENTITY,
  type Matrix,
  multiply,
  numbersIn,
  readTransform,
} from "../../svg/transform.ts";

/** Red, green, blue, 0 to 255. */
export type Rgb = readonly [r: number, g: number, b: number];

export interface SvgFill {
  readonly segments: readonly Segment[];
  readonly rule: "nonzero" | "evenodd";
  readonly color: Rgb;
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
  if (Object.hasOwn(named, color)) return named[color];
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

/** Inherited properties. */
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
  style: "a style sheet",
};
const unseen = new Set([
  "defs",
  "title",
  "desc",
  "metadata",
  "symbol",
  "clipPath",
  "mask",
  "linearGradient",
  "radialGradient",
  "pattern",
]);

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

/**
 * Largest coordinate, in units of the drawing. No code is so large, and a PDF holds no longer
 * numbers.
 */
const MOST_COORDINATE = 1e9;

const isFarOut = ({ points }: Segment): boolean =>
  points.some(([x, y]) => !(Math.abs(x) < MOST_COORDINATE && Math.abs(y) < MOST_COORDINATE));

const MOST_DEPTH = 64;
const groups = new Set(["svg", "g"]);

const isUnseen = ({ name, attributes, text }: SvgElement): boolean =>
  unseen.has(name) ||
  attributes.get("display") === "none" ||
  (name === "style" && text.trim() === "");

/** True for an invisible element; refuses a half transparent one. */
function isClear({ attributes }: SvgElement): boolean {
  for (const name of ["clip-path", "mask"]) {
    const value = attributes.get(name) ?? "none";
    if (value !== "none") throw new SvgUnsupported("a mask");
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
    const path = [...(shapes[element.name]?.(element) ?? [])];
    if (path.length === 0) return;
    const segments = path.map(({ operator, points }) => ({
      operator,
      points: points.map((point) => apply(style.matrix, point)),
    }));
    if (segments.some(isFarOut)) throw new SvgUnsupported("coordinates beyond all bounds");
    this.fills.push({ segments, color, rule: style.rule === "evenodd" ? "evenodd" : "nonzero" });
  }
}

/**
 * The fills of a drawing. Throws `SvgUnsupported`, a `SvgFault` for a harmful drawing, and the
 * reason of the signal.
 */
export async function flattenSvg(svg: string, signal?: AbortSignal): Promise<readonly SvgFill[]> {
  return fillsOf(await readSafeSvg(svg, signal));
}

/** The same of a drawing that was read. Throws `SvgUnsupported`. */
export function fillsOf(root: SvgElement): readonly SvgFill[] {
  const flattener = new Flattener(root);
  flattener.draw(root, ROOT, 0);
  return flattener.fills;
}
