/** How small the drawings of a job may be printed, where a frame takes room from their codes. */
import { readFile } from "node:fs/promises";

import { toLevel } from "../api/design.ts";
import type { JobDesign } from "../job/job.ts";
import { type FrameName, frames, resolveDesign } from "../qr/draw/design.ts";
import { labelFonts, openQrEngine } from "../qr/engine.ts";
import type { PlanNote } from "./results.ts";

/** Of a field that is the same for all rows. */
function readFixed(design: JobDesign, field: keyof JobDesign): string {
  const value = design[field];
  return typeof value === "string" && !value.includes("{{") ? value : "";
}

const isFrame = (name: string): name is FrameName => Object.hasOwn(frames, name);

/**
 * The least width of a job's drawings with `payload`; undefined for a job without frames, or whose
 * frames differ from row to row. A text that can't be drawn is reported at its row.
 */
export async function noteLeastWidth(
  templates: JobDesign,
  payload: string | undefined,
): Promise<PlanNote[]> {
  const [named, text] = [readFixed(templates, "frame"), readFixed(templates, "text")];
  if (payload === undefined || (!isFrame(named) && text === "")) return [];
  const fonts = text === "" ? [] : await Promise.all(labelFonts.map((file) => readFile(file)));
  const engine = await openQrEngine({ fonts });
  try {
    const design = resolveDesign({
      frame: isFrame(named) ? named : null,
      text,
      hasBorder: templates.has_border === true,
      errorCorrection: toLevel({ design: { ...templates } }),
    });
    const { codeMm, textMm } = engine.leastSize(payload, design);
    return [{ code: "least-width", frame: design.frame ?? "", codeMm, textMm }];
  } catch {
    return [];
  } finally {
    engine.close();
  }
}
