/**
 * The cost of drawing, computed without drawing. Graphics libraries go down every edge line by
 * line, so a small file with long edges can occupy them for hours, and they can't be stopped.
 */
import type { Point, Segment } from "./path.ts";
import type { SvgElement } from "./read-svg.ts";
import { CLOSE, shapes } from "./shapes.ts";
import { SvgFault, SvgUnsupported } from "./svg-fault.ts";
import { apply, IDENTITY, type Matrix, multiply, numbersIn, readTransform } from "./transform.ts";

/** Longer side of the largest picture that is made of a code. */
const SIDE_PX = 1000;
const MAX_DEPTH = 64;

/** Costs, as pixels of height that an edge crosses: measured with librsvg. */
const COST = {
  element: 5,
  segment: 6,
  letter: 4000,
  character: 1 / 8,
  stop: 20,
  paint: 2000,
  layer: 5000,
  mask: 50_000,
  pixelOfPicture: 1 / 50,
} as const;

/** Counted without a pause. */
const STEP_WORK = 20_000;
const STEP_SEGMENTS = 4000;

/** Lengths in percent make at most a rounded rectangle with an outline. */
const COST_OF_PERCENT = 80 * SIDE_PX;

/** Inherited properties. */
interface Style {
  /**
   * Transform to pixels; undefined when only a renderer knows it: then every edge counts as long as
   * the picture.
   */
  readonly matrix: Matrix | undefined;
  readonly fill: string;
  readonly stroke: string;
  /** Undefined: as wide as the picture. */
  readonly width: number | undefined;
  /** Length of dash and gap; 0 for solid lines. */
  readonly dashes: number;
}

const PLAIN: Omit<Style, "matrix"> = { fill: "", stroke: "none", width: 1, dashes: 0 };

/** For drawings whose style sheet could give any element an outline of any width. */
const OUTLINED: Omit<Style, "matrix"> = { ...PLAIN, stroke: "any", width: undefined };

const TEXTS = new Set(["text", "tspan", "textPath"]);

/** Clip paths and masks are drawn again for each element that they apply to. */
const CUTTERS = { "clip-path": COST.layer, mask: COST.mask } as const;

/** The part of the drawing that a style refers to. */
const idIn = (value: string): string | undefined =>
  /url\(/iu.test(value) ? /#([^\s"')]+)/u.exec(value)?.[1] : undefined;

/** Pixels per unit of the drawing, at most. */
function toScale({ attributes }: SvgElement): Matrix | undefined {
  const view = numbersIn(attributes.get("viewBox") ?? "");
  const sizes = ["width", "height"].map((name) => numbersIn(attributes.get(name) ?? "")[0] ?? 0);
  const [width = 0, height = 0] = view.length === 4 ? view.slice(2) : sizes;
  const side = Math.min(width, height);
  const scale = SIDE_PX / side;
  return side > 0 && Number.isFinite(scale) ? [scale, 0, 0, scale, 0, 0] : undefined;
}

const hasOutliningSheet = (root: SvgElement): boolean =>
  root.children.some(
    (child) => (child.name === "style" && /stroke/iu.test(child.text)) || hasOutliningSheet(child),
  );

interface Place {
  readonly element: SvgElement;
  /** The style inherited at its place. */
  readonly style: Style;
}

/** A place still to be visited. */
interface Visit extends Place {
  readonly depth: number;
}

class Meter {
  readonly #byId = new Map<string, Place[]>();
  readonly #most: number;
  readonly #isOutlined: boolean;
  readonly #visits: Visit[] = [];
  #work = 0;

  constructor(root: SvgElement, most: number) {
    this.#most = most;
    this.#isOutlined = hasOutliningSheet(root);
    const style = { ...(this.#isOutlined ? OUTLINED : PLAIN), matrix: toScale(root) };
    this.#index(root, style);
    this.#enter(root, style, 0);
  }

  /** Adds up the work, and pauses after each part of it. */
  *run(): Generator<undefined> {
    let pauseAt = STEP_WORK;
    for (let visit = this.#visits.pop(); visit !== undefined; visit = this.#visits.pop()) {
      yield* this.#visit(visit);
      if (this.#work < pauseAt) continue;
      pauseAt = this.#work + STEP_WORK;
      yield;
    }
  }

  /** Counts at once, so that the queue never gets longer than the allowed work. */
  #enter(element: SvgElement, style: Style, depth: number): void {
    if (depth > MAX_DEPTH) throw new SvgFault("uses itself, or is nested too deep");
    this.#add(COST.element + (element.name === "stop" ? COST.stop : 0));
    this.#visits.push({ element, style, depth });
  }

  *#visit({ element, style: from, depth }: Visit): Generator<undefined> {
    const { name, attributes } = element;
    this.#add(element.pixels * COST.pixelOfPicture);
    this.#add((element.characters + element.text.length) * COST.character);
    if (TEXTS.has(name)) this.#add(COST.letter * element.text.trim().length);
    const style = {
      ...this.#inherit(from, attributes),
      matrix: toMatrix(from.matrix, element, depth),
    };
    this.#layers(attributes, style.matrix, depth);
    yield* this.#shape(element, style, depth);
    for (const child of element.children) this.#enter(child, style, depth + 1);
    if (name === "image") return;
    for (const { element: target } of this.#byId.get(attributes.get("href")?.slice(1) ?? "") ?? [])
      this.#enter(target, style, depth + 1);
  }

  #index(element: SvgElement, from: Style): void {
    const id = element.attributes.get("id");
    const style = this.#inherit(from, element.attributes);
    // When several elements have the same id, renderers choose different ones.
    if (id !== undefined) {
      const places = this.#byId.get(id) ?? [];
      places.push({ element, style: from });
      this.#byId.set(id, places);
    }
    for (const child of element.children) this.#index(child, style);
  }

  #add(work: number): void {
    this.#work += work;
    // Extreme numbers make the sum NaN, which is not greater than anything.
    if (!(this.#work <= this.#most)) {
      throw new SvgFault("takes far more work to draw than a code does");
    }
  }

  #inherit(from: Style, attributes: ReadonlyMap<string, string>): Style {
    const { stroke, width } = this.#isOutlined ? OUTLINED : from;
    const own = (name: string): string | undefined => {
      const value = attributes.get(name);
      return value === "inherit" ? undefined : value;
    };
    const ownWidth = own("stroke-width");
    const ownDashes = own("stroke-dasharray");
    return {
      matrix: from.matrix,
      fill: own("fill") ?? from.fill,
      stroke: this.#isOutlined ? stroke : (own("stroke") ?? stroke),
      width: this.#isOutlined || ownWidth === undefined ? width : readWidth(ownWidth),
      dashes: ownDashes === undefined ? from.dashes : readDashes(ownDashes),
    };
  }

  #layers(
    attributes: ReadonlyMap<string, string>,
    matrix: Matrix | undefined,
    depth: number,
  ): void {
    const isLayer =
      Number(attributes.get("opacity") ?? "1") !== 1 ||
      (attributes.get("mix-blend-mode") ?? "normal") !== "normal" ||
      (attributes.get("isolation") ?? "auto") !== "auto";
    if (isLayer) this.#add(COST.layer);
    for (const [name, cost] of Object.entries(CUTTERS))
      this.#refer(attributes.get(name) ?? "", { matrix, cost, depth });
  }

  /** Patterns, clip paths and masks cost as much as if they were drawn in place. */
  #refer(
    value: string,
    { matrix, cost, depth }: { matrix: Matrix | undefined; cost: number; depth: number },
  ): void {
    const id = idIn(value);
    if (id === undefined) return;
    this.#add(cost);
    for (const { element, style } of this.#byId.get(id) ?? [])
      this.#enter(element, { ...style, matrix }, depth + 1);
  }

  *#shape(element: SvgElement, style: Style, depth: number): Generator<undefined> {
    const { name } = element;
    const toSegments = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (toSegments === undefined && name !== "text") return;
    const paint = { matrix: style.matrix, cost: COST.paint, depth };
    this.#refer(style.fill, paint);
    this.#refer(style.stroke, paint);
    if (toSegments === undefined) return;
    try {
      yield* this.#edges(toSegments(element), style);
    } catch (error) {
      if (error instanceof SyntaxError) throw new SvgFault(`has a path whose ${error.message}`);
      if (!(error instanceof SvgUnsupported)) throw error;
      this.#add(COST_OF_PERCENT);
    }
  }

  *#edges(segments: Iterable<Segment>, { matrix, ...style }: Style): Generator<undefined> {
    const width = style.stroke === "none" ? 0 : toPixels(style.width, matrix);
    const period = toPeriod(style.dashes, matrix);
    const edge = new Edge(matrix);
    let count = 0;
    for (const segment of segments) {
      count += 1;
      if (count % STEP_SEGMENTS === 0) yield;
      edge.follow(segment);
      const fill = matrix === undefined ? SIDE_PX : Math.min(SIDE_PX, edge.height);
      const outline = width === 0 ? 0 : 2 * fill + 6 * width;
      const dashes = period === undefined ? 0 : (edge.length / period) * 6 * width;
      this.#add(COST.segment + fill + outline + dashes);
    }
    edge.follow(CLOSE);
    this.#add(Math.min(SIDE_PX, edge.height));
  }
}

/**
 * The path of a pen. Open paths are closed, as for fills; curves never leave their control points.
 */
class Edge {
  /** Vertical movement of the last segment, in pixels. */
  height = 0;
  length = 0;
  readonly #matrix: Matrix;
  #at: Point = [0, 0];
  #start: Point = [0, 0];

  constructor(matrix: Matrix | undefined) {
    this.#matrix = matrix ?? IDENTITY;
  }

  follow({ operator, points }: Segment): void {
    [this.height, this.length] = [0, 0];
    if (operator === "m" || operator === "h") this.#go(this.#start);
    else for (const point of points) this.#go(apply(this.#matrix, point));
    const [first] = points;
    if (operator !== "m" || first === undefined) return;
    this.#at = apply(this.#matrix, first);
    this.#start = this.#at;
  }

  #go(to: Point): void {
    const [x, y] = [to[0] - this.#at[0], to[1] - this.#at[1]];
    this.height += Math.abs(y);
    this.length += Math.hypot(x, y);
    this.#at = to;
  }
}

/** Transform to pixels of an element within `from`. */
function toMatrix(
  from: Matrix | undefined,
  { name, attributes }: SvgElement,
  depth: number,
): Matrix | undefined {
  const isView = depth > 0 && (name === "svg" || attributes.has("viewBox"));
  const isRelative = ["clipPathUnits", "maskContentUnits"].some(
    (units) => (attributes.get(units) ?? "userSpaceOnUse") !== "userSpaceOnUse",
  );
  if (from === undefined || isView || isRelative || name === "pattern") return undefined;
  try {
    // The position of a `use` changes no length.
    const matrix = multiply(from, readTransform(attributes.get("transform")));
    return matrix.every(Number.isFinite) ? matrix : undefined;
  } catch (error) {
    if (error instanceof SvgUnsupported) return undefined;
    throw error;
  }
}

/** Anything but a plain number may be as large as the picture. */
function readWidth(text: string): number | undefined {
  const [value = 1] = numbersIn(text);
  return /^[\d.e+-]+(?:px)?$/iu.test(text) ? Math.abs(value) : undefined;
}

const readDashes = (text: string): number =>
  numbersIn(text).reduce((all, one) => all + Math.abs(one), 0);

const scaleOf = (matrix: Matrix): number => Math.max(...matrix.slice(0, 4).map(Math.abs));

function toPixels(width: number | undefined, matrix: Matrix | undefined): number {
  if (matrix === undefined || width === undefined) return SIDE_PX;
  return Math.min(SIDE_PX, width * scaleOf(matrix));
}

/** Pixels of a dash and its gap; undefined for solid lines. */
function toPeriod(dashes: number, matrix: Matrix | undefined): number | undefined {
  if (dashes === 0) return undefined;
  return Math.max(dashes * (matrix === undefined ? 1 : scaleOf(matrix)), Number.MIN_VALUE);
}

/** In steps of a few milliseconds. Throws a SvgFault when drawing would cost more than `most`. */
export function* measureWork(root: SvgElement, most: number): Generator<undefined> {
  yield* new Meter(root, most).run();
}
