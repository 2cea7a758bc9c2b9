/** Basic shapes as paths (SVG 1.1, section 9). */
import { readSvgPath, type Point, type Segment } from "./path.ts";
import type { SvgElement } from "./read-svg.ts";
import { SvgUnsupported } from "./svg-fault.ts";
import { numbersIn } from "./transform.ts";

export const lengthOf = (element: SvgElement, name: string, otherwise = 0): number => {
  const text = element.attributes.get(name);
  if (text === undefined || text === "auto") return otherwise;
  if (text.endsWith("%")) throw new SvgUnsupported("lengths in percent");
  return numbersIn(text)[0] ?? otherwise;
};

const line = (operator: "m" | "l", ...point: Point): Segment => ({ operator, points: [point] });
export const CLOSE: Segment = { operator: "h", points: [] };

function rectPath(element: SvgElement): Iterable<Segment> {
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

function ellipsePath(element: SvgElement): Iterable<Segment> {
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

export const shapes: Readonly<Record<string, (element: SvgElement) => Iterable<Segment>>> = {
  path: (element) => readSvgPath(element.attributes.get("d") ?? ""),
  rect: rectPath,
  circle: ellipsePath,
  ellipse: ellipsePath,
  polygon: polygonPath,
  polyline: polygonPath,
  line: () => [],
};
