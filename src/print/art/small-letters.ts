/** Letters of a frame that are smaller than the smallest text. */
import { mmToPt } from "../../base/shapes/units.ts";
import { LEAST_PT } from "../fonts/caption.ts";
import type { SheetRecord } from "../sheet-job.ts";
import type { DesignWarning } from "./designed-code.ts";

/** `letters`: their size in modules; undefined without any. */
export function smallLetters(
  { key }: Pick<SheetRecord, "key">,
  letters: number | undefined,
  xMm: number,
): DesignWarning[] {
  const sizePt = mmToPt((letters ?? Infinity) * xMm);
  if (sizePt >= LEAST_PT) return [];
  const size = `${Math.floor(sizePt * 10) / 10} pt`;
  const message = `row ${key}: the text of its frame has ${size}, smaller than ${LEAST_PT} pt`;
  return [{ code: "frame-text-small", row: key, what: [size], message }];
}
