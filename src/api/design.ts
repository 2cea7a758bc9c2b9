import { z } from "zod";

import { isHexColor, parseHexColor, toHexColor } from "../base/color/color.ts";
import { DEFAULT_INK } from "../base/color/contrast.ts";

import { anything, named, word } from "./announce.ts";
import { colorAnswer, flag, hexColor, oneOf, stringUpTo, text, webUrl } from "./fields.ts";
import { limits, ownLimits } from "./limits.ts";

export const patterns = ["Original", "Circles", "Squares", "Diamonds", "Triangles"] as const;
export const eyeStyles = ["Square", "Rounded", "Drop", "Leaf"] as const;
export const frames = [
  "border",
  "border-small",
  "border-large",
  "square",
  "speech-bubble",
  "speech-bubble-above",
  "card",
  "card-above",
  "text-frame",
  "round-frame",
  "circle-viewfinder",
  "solid-spin",
  "burst",
  "scattered-lines",
  "polkadot",
  "swirl",
] as const;
export const errorCorrections = ["L", "M", "Q", "H"] as const;

/** API fields -> their names in programs. */
export const designNames = {
  primary_color: "primaryColor",
  eye_color: "eyeColor",
  background_color: "backgroundColor",
  frame_color: "frameColor",
  pattern: "pattern",
  eye_style: "eyeStyle",
  frame: "frame",
  has_border: "hasBorder",
  text: "text",
  text_secondary: "textSecondary",
  error_correction: "errorCorrection",
  size: "sizePx",
  logo_round: "logoRound",
} as const;

const Pattern = named("Pattern", oneOf(patterns).describe("How the modules are drawn."));
const EyeStyle = named("EyeStyle", oneOf(eyeStyles).describe("How the three eyes are drawn."));
const Frame = named("Frame", oneOf(frames).describe("What is drawn around the code."));
const ErrorCorrection = named(
  "ErrorCorrection",
  oneOf(errorCorrections).describe("How much damage the code survives: 7, 15, 25 or 30 %."),
);

const frameText = text(ownLimits.maxFrameText);
const size = z
  .number({ error: "Must be a whole number of pixels" })
  .int({ error: "Must be a whole number of pixels" })
  .min(ownLimits.minCodeSizePx, { error: `Must be at least ${ownLimits.minCodeSizePx} pixels` })
  .max(ownLimits.maxCodeSizePx, { error: `Must be at most ${ownLimits.maxCodeSizePx} pixels` })
  .describe("Width in pixels; the height follows from width and frame.");

/**
 * Shared by create, design update and templates (docs/spec/api.md section 2.2). null resets a field
 * to its default: transparent background, no frame, colours that follow `primary_color`.
 */
const shared = {
  primary_color: hexColor.nullish().describe("Colour of the modules."),
  eye_color: hexColor.nullish().describe("Colour of the eyes. Follows primary_color unless given."),
  background_color: hexColor.nullish().describe("Transparent unless given."),
  frame_color: hexColor
    .nullish()
    .describe("Colour of the frame. Follows primary_color unless given."),
  pattern: Pattern.nullish(),
  eye_style: EyeStyle.nullish(),
  frame: Frame.nullish().describe("What is drawn around the code; none unless given."),
  has_border: flag.nullish().describe("A border, for frames that may have one."),
  text: frameText
    .nullish()
    .describe("Text of the frame. Without a frame that shows text, `card` is taken."),
  error_correction: ErrorCorrection.nullish().describe(
    "Q without a logo, H with one, unless given.",
  ),
  logo_url: webUrl.nullish().describe("Address of an image under 2 MB, shown in the middle."),
  logo_round: flag.nullish().describe("Cuts the logo to a circle."),
};

const elsewise = (what: string, usual: string): string =>
  `${what} Left out: as in the template, else ${usual}.`;

/**
 * The same with defaults, which the design update doesn't have. They are in the description only:
 * generated clients would send a schema's `default`, and so override a template.
 */
export const designFields = {
  ...shared,
  primary_color: shared.primary_color.describe(elsewise("Colour of the modules.", "`#111111`")),
  pattern: shared.pattern.describe(elsewise("How the modules are drawn.", "`Original`")),
  eye_style: shared.eye_style.describe(elsewise("How the three eyes are drawn.", "`Square`")),
  has_border: shared.has_border.describe(
    elsewise("A border, for frames that may have one.", "`false`"),
  ),
  text: shared.text.describe(
    elsewise("Text of the frame. Without a frame that shows text, `card` is taken.", "none"),
  ),
  size: size
    .nullish()
    .describe(
      elsewise(
        "Width in pixels; the height follows from width and frame.",
        `\`${limits.codeSizePx}\``,
      ),
    ),
};

/** The design fields of a create. */
export const DesignFields = z.object(designFields);
export type DesignFields = z.input<typeof DesignFields>;

/** Design fields in answers of templates (docs/spec/api.md section 2.3). */
const templateDesign = {
  primary_color: colorAnswer.describe("Colour of the modules."),
  eye_color: colorAnswer.describe("Colour of the eyes."),
  background_color: colorAnswer.nullable().describe("Null is transparent."),
  frame_color: colorAnswer.describe("Colour of the frame."),
  pattern: Pattern,
  eye_style: EyeStyle,
  frame: Frame.nullable(),
  has_border: z.boolean().describe("Whether the frame has a border."),
  text: z.string().describe("Text of the frame; empty without one."),
  has_logo: z.boolean().describe("Whether a logo is shown."),
};

/** The other design fields, which only our server sends. */
const moreDesign = {
  text_secondary: z.string().describe("Second text of the frame; empty without one."),
  error_correction: ErrorCorrection,
  size: z.int().describe("Width in pixels."),
  logo_round: z.boolean().describe("Whether the logo is cut to a circle."),
};

/** A whole design as our service sends it. */
export const designSent = { ...templateDesign, ...moreDesign };

/** Accepts words of other servers. */
export const designOfOthers = {
  pattern: word,
  eye_style: word,
  frame: word,
  text_secondary: anything,
  error_correction: anything,
  size: anything,
  logo_round: anything,
};

export const DesignSent = named(
  "Design",
  z.object(designSent).describe("How a code looks, every default filled in."),
);

/** Base64 of an image; its content is checked when it is decoded. */
const base64 = stringUpTo(ownLimits.maxLogoBodyBytes, {
  type: "Must be base64",
  long: "Must be an image under 2 MB",
});

/** Body of the design update (docs/spec/api.md section 4.1). */
export const DesignPatch = named(
  "DesignUpdate",
  z.object({
    ...shared,
    size: size.nullish(),
    text_secondary: frameText.nullish().describe("Second text of the frame."),
    logo_base64: base64
      .nullish()
      .describe("The image itself: base64 of a JPEG, PNG, GIF or WebP under 2 MB, or a data: URL."),
    remove_logo: flag.nullish().describe("Takes the logo away."),
  }),
);
export type DesignPatch = z.input<typeof DesignPatch>;

/** Fields of a design in a manifest, over those of its template. */
export type LookFields = Readonly<Record<string, unknown>>;

const isGiven = (value: unknown): boolean => typeof value === "string" && value !== "";

/** A logo of its own, or that of its template. */
export const hasLogo = (design: LookFields): boolean =>
  isGiven(design["logo_url"]) || isGiven(design["logo_file"]) || design["has_logo"] === true;

type Level = "L" | "M" | "Q" | "H";

/** The level in a design; undefined without one. */
export function toNamedLevel({ error_correction: level }: LookFields): Level | undefined {
  return level === "L" || level === "M" || level === "Q" || level === "H" ? level : undefined;
}

/**
 * True for the design of an existing code as its server sends it: manifests don't have this field.
 */
export const isTold = (design: LookFields): boolean => design["has_logo"] !== undefined;

const isSameColor = (one: unknown, other: unknown): boolean =>
  [one, other].every((color) => typeof color === "string" && isHexColor(color)) &&
  toHexColor(parseHexColor(String(one))) === toHexColor(parseHexColor(String(other)));

/**
 * The parts of a template that take the colour which a design gives its modules over the template's:
 * those that have the colour of the template's modules, and that the design doesn't colour itself.
 * What is drawn, printed and sent of a template agrees by this rule alone.
 */
export function recoloredParts(
  template: LookFields,
  own: LookFields,
): readonly ("eye_color" | "frame_color")[] {
  if (!isGiven(own["primary_color"])) return [];
  const modules = template["primary_color"] ?? DEFAULT_INK;
  return (["eye_color", "frame_color"] as const).filter(
    (part) => !isGiven(own[part]) && isSameColor(template[part] ?? modules, modules),
  );
}

interface Designed {
  readonly design: LookFields;
}

/**
 * The error correction of a row's design; default `Q`, with a logo `H` (docs/spec/api.md section
 * 2.2).
 */
export const toLevel = ({ design }: Designed): Level =>
  toNamedLevel(design) ?? (hasLogo(design) ? "H" : "Q");

/** The same as in makeready 0.1.0: its sheets are recognised by it. */
export const toOldLevel = ({ design }: Designed): Level =>
  // It did not know the level of existing codes.
  isTold(design) ? "Q" : (toNamedLevel(design) ?? (design["logo_url"] === undefined ? "Q" : "H"));
