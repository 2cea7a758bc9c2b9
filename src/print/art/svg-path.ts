import { readSvgPath, type Segment } from "../../svg/path.ts";
import { toNumber } from "../draw/content-stream.ts";

/** SVG path data -> PDF path operators in the same coordinates; arcs become cubic curves. */

const DIGITS = 4;

/** Operators of a path that is read. */
export function toPdfPath(segments: readonly Segment[]): string {
  const lines = segments.map(({ operator, points }) =>
    [...points.flat().map((value) => toNumber(value, DIGITS)), operator].join(" "),
  );
  return lines.map((line) => `${line}\n`).join("");
}

/** Throws a SyntaxError for wrong path data. */
export function svgPathToPdf(data: string): string {
  return toPdfPath([...readSvgPath(data)]);
}

const letters: Readonly<Record<string, string>> = { m: "M", l: "L", c: "C", h: "Z" };

/** Operators of a PDF path -> path data: the operator stands behind its points there. */
export function toPathData(operators: string): string {
  return operators
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const parts = line.trim().split(" ");
      const operator = parts.pop() ?? "";
      return `${letters[operator] ?? ""}${parts.join(" ")}`;
    })
    .join("");
}
