/** The one door for drawings that servers send: harmless, well-formed, and quick to draw. */
import { AppError } from "../base/errors.ts";
import { measureWork } from "./measure-work.ts";
import { readSvg, type SvgElement } from "./read-svg.ts";
import { SvgFault } from "./svg-fault.ts";

/**
 * Far more than any code takes. A graphics library needs about two seconds for so much, whatever
 * it is that is drawn.
 */
const MAX_WORK = 3_000_000;

/** The root element. Throws a SvgFault for a drawing that nobody must open. */
export function readSafeSvg(svg: string | Uint8Array): SvgElement {
  const root = readSvg(svg);
  measureWork(root, MAX_WORK);
  return root;
}

/** What is wrong with a drawing, or undefined; reads behind "the SVG of the code". */
export function findSvgFault(svg: string | Uint8Array): string | undefined {
  try {
    readSafeSvg(svg);
    return undefined;
  } catch (error) {
    if (error instanceof SvgFault) return error.message;
    throw error;
  }
}

/** Throws `answer-unusable` for a drawing that nobody must open. */
export function checkSvg(svg: string | Uint8Array): void {
  const fault = findSvgFault(svg);
  if (fault === undefined) return;
  throw new AppError("answer-unusable", `the SVG of the code ${fault}`, {
    hint: "run the same command again to fetch it anew",
  });
}
