/** The only entry for drawings from servers: harmless, well-formed, and quick to draw. */
import { setImmediate as nextTurn } from "node:timers/promises";

import { AppError } from "../base/errors.ts";
import { Turns } from "../base/flow/turns.ts";
import { measureWork } from "./measure-work.ts";
import { type PlainDrawing, readPlainDrawing } from "./plain-drawing.ts";
import { readSvg, type SvgElement } from "./read-svg.ts";
import { SvgFault } from "./svg-fault.ts";

/**
 * Far more than any code needs. A graphics library takes about two seconds for this much, whatever
 * it draws.
 */
const MAX_WORK = 3_000_000;
/** Little enough to read without a pause. */
const QUICK_WORK = MAX_WORK / 4;

function* readInSteps(svg: string | Uint8Array): Generator<undefined, SvgElement> {
  const root = yield* readSvg(svg);
  yield* measureWork(root, MAX_WORK);
  return root;
}

/** The root element of a small file, such as a logo, read without a pause. Throws a SvgFault. */
export function readSvgAtOnce(svg: string | Uint8Array): SvgElement {
  const steps = readInSteps(svg);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Drawings are read one at a time: several would need too much memory. */
const turns = new Turns();

/**
 * The root element. Pauses between steps, so that the program can react. Throws a SvgFault for a
 * drawing that isn't safe to open, and the reason of the signal.
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
 * A plain drawing that takes little work and can't have a fault; undefined for any other, which
 * must be read in full.
 */
export function readQuickDrawing(svg: string | Uint8Array): PlainDrawing | undefined {
  const drawing = readPlainDrawing(svg);
  return drawing !== undefined && drawing.work < QUICK_WORK ? drawing : undefined;
}

/**
 * The fault of a drawing, or undefined; the text fits after "the SVG of the code". Stops with the
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

/** Throws `answer-unusable` for a drawing that isn't safe to open. */
export async function checkSvg(svg: string | Uint8Array, signal?: AbortSignal): Promise<void> {
  const fault = await findSvgFault(svg, signal);
  if (fault === undefined) return;
  throw new AppError("answer-unusable", `the SVG of the code ${fault}`, {
    hint: "run the same command again to fetch it anew",
  });
}
