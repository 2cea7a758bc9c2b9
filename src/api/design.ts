import { z } from "zod";

import { flag, hexColor, oneOf, ours, stringUpTo, text, webUrl } from "./fields.ts";
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

const frameText = text(ownLimits.maxFrameText);
const size = z
  .number({ error: "Must be a whole number of pixels" })
  .int({ error: "Must be a whole number of pixels" })
  .min(ownLimits.minCodeSizePx, { error: `Must be at least ${ownLimits.minCodeSizePx} pixels` })
  .max(ownLimits.maxCodeSizePx, { error: `Must be at most ${ownLimits.maxCodeSizePx} pixels` });

/**
 * What create, design update and templates share (docs/spec/api.md section 2.2). null takes a field
 * back to its default: transparent background, no frame, colours that follow `primary_color`.
 */
const shared = {
  primary_color: hexColor.nullish(),
  eye_color: hexColor.nullish().describe("Follows primary_color unless given"),
  background_color: hexColor.nullish().describe("Transparent unless given"),
  frame_color: hexColor.nullish().describe("Follows primary_color unless given"),
  pattern: oneOf(patterns).nullish(),
  eye_style: oneOf(eyeStyles).nullish(),
  frame: oneOf(frames).nullish(),
  has_border: flag.nullish(),
  text: frameText.nullish(),
  error_correction: oneOf(errorCorrections)
    .nullish()
    .describe("Q without a logo, H with one, unless given"),
  logo_url: webUrl.nullish(),
  logo_round: flag.nullish(),
};

/** The same with the defaults of the table, which the design update has none of. */
export const designFields = {
  ...shared,
  primary_color: shared.primary_color.meta({ default: "#111111" }),
  pattern: shared.pattern.meta({ default: "Original" }),
  eye_style: shared.eye_style.meta({ default: "Square" }),
  has_border: shared.has_border.meta({ default: false }),
  text: shared.text.meta({ default: "" }),
  size: size.nullish().meta({ default: limits.codeSizePx }),
};

/** The design fields of a create. */
export const DesignFields = z.object(designFields);
export type DesignFields = z.input<typeof DesignFields>;

const answered = z.string().nullish();

/**
 * What templates answer of a design (docs/spec/api.md section 2.3). Words of other servers pass.
 */
export const templateDesign = {
  primary_color: answered,
  eye_color: answered,
  background_color: answered,
  frame_color: answered,
  pattern: answered.meta({ enum: [...patterns, null] }),
  eye_style: answered.meta({ enum: [...eyeStyles, null] }),
  frame: answered.meta({ enum: [...frames, null] }),
  has_border: z.boolean().nullish(),
  text: answered,
  has_logo: z.boolean().nullish(),
};

/** The rest of a design. */
export const moreDesign = {
  text_secondary: ours(z.string()),
  error_correction: ours(z.enum(errorCorrections)),
  size: ours(z.int()),
  logo_round: ours(z.boolean()),
};

/** The design of a code, which only our server tells. */
export const DesignAnswer = z.looseObject({ ...templateDesign, ...moreDesign });

/** Base64 of an image; what it holds is checked when it is decoded. */
const base64 = stringUpTo(ownLimits.maxLogoBodyBytes, {
  type: "Must be base64",
  long: "Must be an image under 2 MB",
});

/** Body of the design update (docs/spec/api.md section 4.1). */
export const DesignPatch = z.object({
  ...shared,
  size: size.nullish(),
  text_secondary: frameText.nullish(),
  logo_base64: base64.nullish(),
  remove_logo: flag.nullish(),
});
export type DesignPatch = z.input<typeof DesignPatch>;
