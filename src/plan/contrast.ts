/**
 * Whether scanners can tell a row's colours apart (docs/spec/qr.md section 6): the row is refused,
 * or only warned of where the manifest says `safety: { contrast: warn }`.
 */
import { isHexColor } from "../base/color/color.ts";
import {
  DEFAULT_INK,
  designScanWarnings,
  gradeWarnings,
  MAX_INK_SHARE,
  MIN_LIGHT_LUMA,
  MIN_LUMA_DIFFERENCE,
} from "../base/color/contrast.ts";
import { Remembered } from "../base/flow/remembered.ts";
import { quoteText } from "../base/text/words.ts";
import type { Wanted } from "../state/row.ts";

const COLOR_FIELDS = ["primary_color", "eye_color", "background_color", "frame_color"] as const;

export interface ColorFindings {
  /** Cells that are no colours: always refused. */
  readonly problems: readonly string[];
  /** Colours that many scanners don't read; each names both colours, their luma and the limit. */
  readonly unreadable: readonly string[];
  /** Lights in which verifiers refuse colours that phones read. */
  readonly poor: readonly string[];
}

const LIMIT = `safe is ink of at most ${MAX_INK_SHARE} of the background's luma and ${MIN_LUMA_DIFFERENCE} below it, on a background of ${MIN_LIGHT_LUMA} or more`;

const DESIGNS_REMEMBERED = 1000;
const found = new Remembered<ColorFindings>(DESIGNS_REMEMBERED);

/**
 * Checks the colours of a rendered design; rows share few. Only the server knows a saved template: with
 * one, ink and background are compared only where the row gives both.
 */
export function checkColors(design: Wanted["design"]): ColorFindings {
  const text = JSON.stringify(design);
  const known = found.get(text);
  if (known !== undefined) return known;
  const findings = findColors(design);
  found.set(text, findings);
  return findings;
}

function findColors(design: Wanted["design"]): ColorFindings {
  const given = (field: string): string | undefined => {
    const value = design[field];
    return typeof value === "string" ? value : undefined;
  };
  const problems = COLOR_FIELDS.flatMap((field) => {
    const color = given(field);
    if (color === undefined || isHexColor(color)) return [];
    return [`${field} must be a colour as #rgb or #rrggbb, got ${quoteText(color)}`];
  });
  if (problems.length > 0) return { problems, unreadable: [], poor: [] };
  const [primary, background] = [given("primary_color"), given("background_color")];
  const isFromTemplate = design["template"] !== undefined;
  if (isFromTemplate && (primary === undefined || background === undefined)) {
    return { problems, unreadable: [], poor: [] };
  }
  const primaryColor = primary ?? DEFAULT_INK;
  const inks = {
    primaryColor,
    eyeColor: given("eye_color") ?? primaryColor,
    backgroundColor: background ?? null,
  };
  const unreadable = designScanWarnings(inks).map((warning) => `${warning} (${LIMIT})`);
  return { problems, unreadable, poor: gradeWarnings(inks) };
}
