/**
 * Which colours decoders can tell apart (docs/spec/qr.md section 6): many cut at half the local
 * mean of the luma, so contrast ratios made for human eyes mislead.
 */
import { parseHexColor, toLuma } from "../../base/color.ts";

/** Ink may have at most this share of the background's luma. */
export const MAX_INK_SHARE = 0.48;
export const MIN_LIGHT_LUMA = 0.75;
export const MIN_LUMA_DIFFERENCE = 0.5;

interface Inks {
  readonly primaryColor: string;
  readonly eyeColor: string;
  readonly backgroundColor: string | null;
}

const show = (luma: number): string => luma.toFixed(2);

function describeInk(name: string, color: string, background: string | null): string | undefined {
  const ink = toLuma(parseHexColor(color));
  const light = background === null ? 1 : toLuma(parseHexColor(background));
  const ground = `background_color ${background ?? "transparent (taken as white)"}`;
  const pair = `${name} ${color} (luma ${show(ink)}) on ${ground} (luma ${show(light)})`;
  if (ink > light) {
    return `${pair} is inverted: the code must be darker than its background, many scanners read no light code on dark`;
  }
  if (light < MIN_LIGHT_LUMA) {
    return `${pair}: the background's luma must be at least ${MIN_LIGHT_LUMA}`;
  }
  if (ink > light * MAX_INK_SHARE || light - ink < MIN_LUMA_DIFFERENCE) {
    const most = Math.min(light * MAX_INK_SHARE, light - MIN_LUMA_DIFFERENCE);
    return `${pair}: the luma of ${name} must be at most ${show(most)} there`;
  }
  return undefined;
}

/**
 * Why scanners may fail on these colours: one sentence for the data modules and one for the eyes,
 * each naming both colours, their luma and the limit. Empty when both are safe.
 */
export function designScanWarnings(design: Inks): string[] {
  const { primaryColor, eyeColor, backgroundColor } = design;
  const inks = [describeInk("primary_color", primaryColor, backgroundColor)];
  if (eyeColor !== primaryColor) inks.push(describeInk("eye_color", eyeColor, backgroundColor));
  return inks.filter((warning) => warning !== undefined);
}
