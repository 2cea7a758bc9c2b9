import { z } from "zod";

import { flag, hexColor, oneOf, text, webUrl } from "./fields.ts";
import { ownLimits } from "./limits.ts";

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
 * What create, design update and templates share (api-v2.md 2.2). null takes a field back to its
 * default: transparent background, no frame, colours that follow `primary_color`.
 */
const shared = {
  primary_color: hexColor.nullish(),
  eye_color: hexColor.nullish(),
  background_color: hexColor.nullish(),
  frame_color: hexColor.nullish(),
  pattern: oneOf(patterns).nullish(),
  eye_style: oneOf(eyeStyles).nullish(),
  frame: oneOf(frames).nullish(),
  has_border: flag.nullish(),
  text: frameText.nullish(),
  error_correction: oneOf(errorCorrections).nullish(),
  logo_url: webUrl.nullish(),
  logo_round: flag.nullish(),
};

export const designFields = { ...shared, size: size.nullish() };

/** The design fields of a create. */
export const DesignFields = z.object(designFields);
export type DesignFields = z.input<typeof DesignFields>;

/** Base64 of an image; what it holds is checked when it is decoded. */
const base64 = z
  .string({ error: "Must be base64" })
  .max(ownLimits.maxLogoBodyBytes, { error: "Must be an image under 2 MB" });

/** Body of the design update (api-v2.md 4.1). */
export const DesignPatch = z.object({
  ...shared,
  size: size.nullish(),
  text_secondary: frameText.nullish(),
  logo_base64: base64.nullish(),
  remove_logo: flag.nullish(),
});
export type DesignPatch = z.input<typeof DesignPatch>;
