/**
 * Pieces of SVG path data, in modules. Shapes run clockwise, holes the other way round, so that a
 * path of many pieces fills right with the non-zero rule.
 */

/** At most 3 decimals, no leading zero: a thousandth of a module is far below any printer's dot. */
export function toNumber(value: number): string {
  const text = String(Math.round(value * 1000) / 1000);
  if (text === "-0") return "0";
  return text.startsWith("0.") ? text.slice(1) : text.replace(/^-0\./u, "-.");
}

/** Numbers with the separators that path data needs. */
export function toNumbers(...values: readonly number[]): string {
  return values.map(toNumber).reduce((out, text) => {
    return text.startsWith("-") ? out + text : `${out} ${text}`;
  });
}

/** One colour of a drawing; holes are part of the path (non-zero rule). */
export interface Layer {
  readonly fill: string;
  readonly path: string;
  /** For a label: size of its smallest letters, one em in modules. */
  readonly letters?: number | undefined;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The box grown by `by` on every side. */
export function growBox(box: Box, by: number): Box {
  return {
    x: box.x - by,
    y: box.y - by,
    width: box.width + by * 2,
    height: box.height + by * 2,
  };
}

export function rectPath({ x, y, width, height }: Box): string {
  return `M${toNumbers(x, y)}h${toNumber(width)}v${toNumber(height)}h${toNumber(-width)}z`;
}

/** Corner radii: top left, top right, bottom right, bottom left. */
export type Radii = readonly [number, number, number, number];

function corner(radius: number, dx: number, dy: number, sweep: 0 | 1): string {
  if (radius === 0) return "";
  return `a${toNumbers(radius, radius)} 0 0 ${sweep} ${toNumbers(dx * radius, dy * radius)}`;
}

export function roundedPath({ x, y, width, height }: Box, radii: Radii): string {
  const [tl, tr, br, bl] = radii;
  return [
    `M${toNumbers(x + tl, y)}h${toNumber(width - tl - tr)}`,
    corner(tr, 1, 1, 1),
    `v${toNumber(height - tr - br)}`,
    corner(br, -1, 1, 1),
    `h${toNumber(br + bl - width)}`,
    corner(bl, -1, -1, 1),
    `v${toNumber(bl + tl - height)}`,
    corner(tl, 1, -1, 1),
    "z",
  ].join("");
}

export function roundedHole({ x, y, width, height }: Box, radii: Radii): string {
  const [tl, tr, br, bl] = radii;
  return [
    `M${toNumbers(x + tl, y)}`,
    corner(tl, -1, 1, 0),
    `v${toNumber(height - tl - bl)}`,
    corner(bl, 1, 1, 0),
    `h${toNumber(width - bl - br)}`,
    corner(br, 1, -1, 0),
    `v${toNumber(br + tr - height)}`,
    corner(tr, -1, -1, 0),
    "z",
  ].join("");
}

export function circlePath(cx: number, cy: number, radius: number): string {
  const d = radius * 2;
  const arc = `a${toNumbers(radius, radius)} 0 1 1 `;
  return `M${toNumbers(cx - radius, cy)}${arc}${toNumbers(d, 0)}${arc}${toNumbers(-d, 0)}z`;
}

export function circleHole(cx: number, cy: number, radius: number): string {
  const d = radius * 2;
  const arc = `a${toNumbers(radius, radius)} 0 1 0 `;
  return `M${toNumbers(cx - radius, cy)}${arc}${toNumbers(d, 0)}${arc}${toNumbers(-d, 0)}z`;
}

/** A closed polygon through the points, in their order. */
export function polygonPath(points: readonly (readonly [number, number])[]): string {
  const [first, ...rest] = points.map(([x, y]) => toNumbers(x, y));
  return `M${first}${rest.map((point) => `L${point}`).join("")}z`;
}

/** A point at `angle` (radians, clockwise from the right) and `radius` from a centre. */
export function polar(centre: number, radius: number, angle: number): [number, number] {
  return [centre + Math.cos(angle) * radius, centre + Math.sin(angle) * radius];
}

/** A straight stroke with round ends. */
export function strokePath(
  from: readonly [number, number],
  to: readonly [number, number],
  width: number,
): string {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const dx = (((to[1] - from[1]) / length) * width) / 2;
  const dy = (((from[0] - to[0]) / length) * width) / 2;
  const cap = `A${toNumbers(width / 2, width / 2)} 0 0 1 `;
  return [
    `M${toNumbers(from[0] + dx, from[1] + dy)}L${toNumbers(to[0] + dx, to[1] + dy)}`,
    `${cap}${toNumbers(to[0] - dx, to[1] - dy)}L${toNumbers(from[0] - dx, from[1] - dy)}`,
    `${cap}${toNumbers(from[0] + dx, from[1] + dy)}z`,
  ].join("");
}
