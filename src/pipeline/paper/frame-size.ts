/** Frames of a job: how small their drawings may be printed, and texts that their rows leave empty. */
import { readFile } from "node:fs/promises";

import { hasLogo, toLevel } from "../../api/design.ts";
import type { JobDesign } from "../../job/job.ts";
import { HAS_TEMPLATE } from "../../job/shapes/fields.ts";
import { type Design as Fields, toTemplateName, withTemplate } from "../../plan/looks.ts";
import { canShowText, type Design, frameNames } from "../../qr/draw/design.ts";
import { labelFonts, openQrEngine } from "../../qr/engine.ts";
import type { DesignCount } from "./label-census.ts";
import type { PlanNote } from "./plan-notes.ts";
import { NO_LOGO, PrintDesigns, SQUARE_LOGO } from "../stages/print-designs.ts";

const isOfRow = (value: unknown): boolean => typeof value === "string" && HAS_TEMPLATE.test(value);

/** The design that all codes share; undefined where its frame isn't known or differs from row to row. */
function toShared(
  templates: JobDesign,
  templateOf: (name: string) => Fields | undefined,
): Design | undefined {
  const { frame, template } = templates;
  if (isOfRow(frame) || isOfRow(template)) return undefined;
  const own = Object.fromEntries(Object.entries(templates).filter(([, value]) => !isOfRow(value)));
  const name = toTemplateName(own);
  const facts = name === undefined ? undefined : templateOf(name);
  if (name !== undefined && facts === undefined) return undefined;
  const fields = withTemplate(own, facts);
  const level = toLevel({ design: fields });
  return new PrintDesigns().of(fields, level, hasLogo(fields) ? { picture: SQUARE_LOGO } : NO_LOGO);
}

/**
 * The least width of a job's drawings with `payload`; nothing for a job without frames, or whose
 * frames differ from row to row. A text that can't be drawn is reported elsewhere.
 */
export async function noteLeastWidth(
  templates: JobDesign,
  payload: string | undefined,
  templateOf: (name: string) => Fields | undefined,
): Promise<PlanNote[]> {
  const design = toShared(templates, templateOf);
  if (payload === undefined || design === undefined || design.frame === null) return [];
  const fonts = await Promise.all(labelFonts.map((file) => readFile(file)));
  const engine = await openQrEngine({ fonts });
  try {
    const { codeMm, textMm } = engine.leastSize(payload, design);
    return [{ code: "least-width", frame: design.frame, codeMm, textMm }];
  } catch {
    return [];
  } finally {
    engine.close();
  }
}

const SHOWING_TEXT: readonly unknown[] = frameNames.filter(canShowText);

/** Codes whose frame shows a text in other rows, and nothing in theirs. */
export function noteEmptyTexts(
  templates: JobDesign,
  designs: readonly DesignCount[],
  templateOf: (name: string) => Fields | undefined,
): PlanNote[] {
  if (!isOfRow(templates.text)) return [];
  const empty = designs.filter(({ design }) => {
    const name = toTemplateName(design);
    const { frame, text } = withTemplate(design, name === undefined ? undefined : templateOf(name));
    return SHOWING_TEXT.includes(frame) && (text ?? "") === "";
  });
  const count = empty.reduce((sum, one) => sum + one.count, 0);
  return count === 0 ? [] : [{ code: "frame-texts-empty", count }];
}

/** What a plan notes of the frames of its codes. */
export const noteFrames = async (
  templates: JobDesign,
  payload: string | undefined,
  {
    designs,
    templateOf,
  }: {
    readonly designs: readonly DesignCount[];
    readonly templateOf: (name: string) => Fields | undefined;
  },
): Promise<PlanNote[]> => [
  ...(await noteLeastWidth(templates, payload, templateOf)),
  ...noteEmptyTexts(templates, designs, templateOf),
];
