/** The one door for drawings that servers send: harmless, well-formed, and quick to draw. */
import { setImmediate as nextTurn } from "node:timers/promises";

import { AppError } from "../base/errors.ts";
import { Turns } from "../base/turns.ts";
import { measureWork } from "./measure-work.ts";
import { type PlainDrawing, readPlainDrawing } from "./plain-drawing.ts";
import { readSvg, type SvgElement } from "./read-svg.ts";
import { SvgFault } from "./svg-fault.ts";

/**
 * Far more than any code takes. A graphics library needs about two seconds for so much, whatever
 * it is that is drawn.
 */
const MAX_WORK = 3_000_000;
/** Far less than that: read without a pause. */
const QUICK_WORK = MAX_WORK / 4;

function* readInSteps(svg: string | Uint8Array): Generator<undefined, SvgElement> {
  const root = yield* readSvg(svg);
  yield* measureWork(root, MAX_WORK);
  return root;
}

/** The root element of a small file, such as a logo, without a pause. Throws a SvgFault. */
export function readSvgAtOnce(svg: string | Uint8Array): SvgElement {
  const steps = readInSteps(svg);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** One drawing is read at a time: several would fill the memory. */
const turns = new Turns();

/**
 * The root element. Between its steps the program hears what else happens. Throws a SvgFault for a
 * drawing that nobody must open, and the reason of the signal.
 */
export function readSafeSvg(svg: string | Uint8Array, signal?: AbortSignal): Promise<SvgElement> {
  return turns.take(async () => {
    signal?.throwIfAborted();
    const steps = readInSteps(svg);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      await nextTurn();
      signal?.throwIfAborted();
    }
  });
}

/**
 * A plain drawing that takes little work, of which nothing can be wrong; undefined for all others,
 * which must be read in full.
 */
export function readQuickDrawing(svg: string | Uint8Array): PlainDrawing | undefined {
  const drawing = readPlainDrawing(svg);
  return drawing !== undefined && drawing.work < QUICK_WORK ? drawing : undefined;
}

/**
 * What is wrong with a drawing, or undefined; reads behind "the SVG of the code". It stops with the
 * reason of the signal.
 */
export async function findSvgFault(
  svg: string | Uint8Array,
  signal?: AbortSignal,
): Promise<string | undefined> {
  signal?.throwIfAborted();
  if (readQuickDrawing(svg) !== undefined) return undefined;
  try {
    await readSafeSvg(svg, signal);
    return undefined;
  } catch (error) {
    if (error instanceof SvgFault) return error.message;
    throw error;
  }
}

/** Throws `answer-unusable` for a drawing that nobody must open. */
export async function checkSvg(svg: string | Uint8Array, signal?: AbortSignal): Promise<void> {
  const fault = await findSvgFault(svg, signal);
  if (fault === undefined) return;
  throw new AppError("answer-unusable", `the SVG of the code ${fault}`, {
    hint: "run the same command again to fetch it anew",
  });
}
