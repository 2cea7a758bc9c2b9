/**
 * How a code looks: colours, pattern, eyes, frame, label, logo (docs/spec/api.md section 2.2).
 */
import { isHexColor } from "../../base/color/color.ts";
import { DEFAULT_INK } from "../../base/color/contrast.ts";
import { AppError, type Problem } from "../../base/errors.ts";
import { type QrLevel, qrLevels } from "../encode/tables.ts";

export { designScanWarnings, gradeWarnings } from "../../base/color/contrast.ts";

export const patterns = ["Original", "Circles", "Squares", "Diamonds", "Triangles"] as const;
export type PatternName = (typeof patterns)[number];

export const eyeStyles = ["Square", "Rounded", "Drop", "Leaf"] as const;
export type EyeStyleName = (typeof eyeStyles)[number];

/** What a frame can show besides itself. */
export interface FrameTraits {
  /** It shows a label. */
  readonly text: boolean;
  /** It shows a second, smaller line under the label. */
  readonly secondText: boolean;
  /** `hasBorder` draws a line around it. */
  readonly border: boolean;
  /** Longest label in characters (code points); 0 where there is none. The second line takes as many. */
  readonly maxText: number;
}

const bare: FrameTraits = { text: false, secondText: false, border: false, maxText: 0 };
const bordered: FrameTraits = { ...bare, border: true };
const labelled: FrameTraits = { text: true, secondText: true, border: true, maxText: 30 };

export const frames = {
  border: bare,
  "border-small": bare,
  "border-large": bare,
  square: bare,
  "speech-bubble": labelled,
  "speech-bubble-above": labelled,
  card: labelled,
  "card-above": labelled,
  "text-frame": { ...labelled, border: false },
  "round-frame": bordered,
  "circle-viewfinder": bordered,
  "solid-spin": bordered,
  burst: bordered,
  "scattered-lines": bordered,
  polkadot: bordered,
  swirl: bordered,
} as const satisfies Record<string, FrameTraits>;
export type FrameName = keyof typeof frames;

export const frameNames = Object.keys(frames) as FrameName[];

/** The frame for a label when no frame, or none that shows labels, was chosen. */
const LABEL_FRAME: FrameName = "card";

export interface Design {
  /** Colours are `#rgb` or `#rrggbb`. */
  readonly primaryColor: string;
  readonly eyeColor: string;
  /** Null is transparent. */
  readonly backgroundColor: string | null;
  readonly frameColor: string;
  readonly pattern: PatternName;
  readonly eyeStyle: EyeStyleName;
  readonly frame: FrameName | null;
  readonly hasBorder: boolean;
  /** Label; empty for none. */
  readonly text: string;
  /** Second, smaller line; shown under a label only. */
  readonly textSecondary: string;
  readonly errorCorrection: QrLevel;
  /** Width of the whole drawing; the height follows. */
  readonly sizePx: number;
  /** PNG as `normalizeLogo` in `raster.ts` makes it. */
  readonly logo: Uint8Array | null;
  readonly logoRound: boolean;
  /**
   * As large as phones can still read, though verifiers give a failing grade; scan warnings say so.
   */
  readonly logoLarge: boolean;
}

/** Any part of a design, as a caller or a template gives it. Null and undefined both mean "not given". */
export type DesignInput = { readonly [Field in keyof Design]?: Design[Field] | null | undefined };

export const DEFAULT_SIZE_PX = 220;
export const MAX_SIZE_PX = 5000;

export const defaultDesign: Design = Object.freeze({
  primaryColor: DEFAULT_INK,
  eyeColor: "#111111",
  backgroundColor: null,
  frameColor: "#111111",
  pattern: "Original",
  eyeStyle: "Square",
  frame: null,
  hasBorder: false,
  text: "",
  textSecondary: "",
  errorCorrection: "Q",
  sizePx: DEFAULT_SIZE_PX,
  logo: null,
  logoRound: false,
  logoLarge: false,
} satisfies Design);

/** True when the frame shows a label. */
export function canShowText(frame: FrameName | null): boolean {
  return frame !== null && frames[frame].text;
}

const listed = (values: readonly string[]): string => values.join(", ");

function checkChoice(
  field: string,
  value: string | null | undefined,
  choices: readonly string[],
): Problem[] {
  if (value === null || value === undefined || choices.includes(value)) return [];
  return [
    {
      message: `${field} must be one of ${listed(choices)}, got ${JSON.stringify(value)}`,
      where: { field },
    },
  ];
}

function checkColor(field: string, value: string | null | undefined): Problem[] {
  if (value === null || value === undefined || isHexColor(value)) return [];
  return [
    {
      message: `${field} must be a colour as #rgb or #rrggbb, got ${JSON.stringify(value)}`,
      where: { field },
    },
  ];
}

function checkText(field: string, value: string, frame: FrameName): Problem[] {
  const { maxText } = frames[frame];
  const length = Array.from(value).length;
  if (length <= maxText) return [];
  return [
    {
      message: `${field} must be at most ${maxText} characters in the frame ${frame}, got ${length}`,
      where: { field },
      hint: "shorten the label",
    },
  ];
}

function checkSize(value: number | null | undefined): Problem[] {
  if (value === null || value === undefined) return [];
  if (Number.isInteger(value) && value >= 1 && value <= MAX_SIZE_PX) return [];
  return [
    {
      message: `size must be a whole number of pixels from 1 to ${MAX_SIZE_PX}, got ${value}`,
      where: { field: "size" },
    },
  ];
}

/** All problems of a design, by wire name; empty when it can be resolved. */
export function checkDesign(input: DesignInput): Problem[] {
  const problems = [
    ...checkColor("primary_color", input.primaryColor),
    ...checkColor("eye_color", input.eyeColor),
    ...checkColor("background_color", input.backgroundColor),
    ...checkColor("frame_color", input.frameColor),
    ...checkChoice("pattern", input.pattern, patterns),
    ...checkChoice("eye_style", input.eyeStyle, eyeStyles),
    ...checkChoice("frame", input.frame, frameNames),
    ...checkChoice("error_correction", input.errorCorrection, qrLevels),
    ...checkSize(input.sizePx),
  ];
  const frame = input.frame ?? null;
  if ((frame !== null && !Object.hasOwn(frames, frame)) || !input.text) return problems;
  const shown = toLabelFrame(frame, input.text) ?? LABEL_FRAME;
  return [
    ...problems,
    ...checkText("text", input.text, shown),
    ...checkText("text_secondary", input.textSecondary ?? "", shown),
  ];
}

/** A label needs a frame that shows it: another frame becomes `card`. */
function toLabelFrame(frame: FrameName | null, text: string): FrameName | null {
  return text !== "" && !canShowText(frame) ? LABEL_FRAME : frame;
}

/**
 * Completes a design: eyes and frame follow the primary colour, a label gets a frame that shows it,
 * error correction is Q or, with a logo, H; settings without effect are dropped.
 *
 * Throws `design-invalid` with all problems at once.
 */
export function resolveDesign(input: DesignInput = {}): Design {
  const problems = checkDesign(input);
  if (problems[0] !== undefined) {
    throw new AppError("design-invalid", problems.map((problem) => problem.message).join("; "), {
      problems,
    });
  }
  return {
    ...resolveColors(input),
    ...resolveFrame(input),
    ...resolveLogo(input),
    pattern: input.pattern ?? defaultDesign.pattern,
    eyeStyle: input.eyeStyle ?? defaultDesign.eyeStyle,
    sizePx: input.sizePx ?? DEFAULT_SIZE_PX,
  };
}

function resolveColors(
  input: DesignInput,
): Pick<Design, "primaryColor" | "eyeColor" | "backgroundColor" | "frameColor"> {
  const primaryColor = input.primaryColor ?? defaultDesign.primaryColor;
  return {
    primaryColor,
    eyeColor: input.eyeColor ?? primaryColor,
    backgroundColor: input.backgroundColor ?? null,
    frameColor: input.frameColor ?? primaryColor,
  };
}

function resolveLogo(
  input: DesignInput,
): Pick<Design, "errorCorrection" | "logo" | "logoRound" | "logoLarge"> {
  const logo = input.logo ?? null;
  return {
    errorCorrection: input.errorCorrection ?? (logo === null ? "Q" : "H"),
    logo,
    logoRound: logo !== null && (input.logoRound ?? false),
    logoLarge: logo !== null && (input.logoLarge ?? false),
  };
}

function resolveFrame(
  input: DesignInput,
): Pick<Design, "frame" | "hasBorder" | "text" | "textSecondary"> {
  const text = input.text ?? "";
  const frame = toLabelFrame(input.frame ?? null, text);
  return {
    frame,
    hasBorder: frame !== null && frames[frame].border && (input.hasBorder ?? false),
    text,
    textSecondary: text === "" ? "" : (input.textSecondary ?? ""),
  };
}
