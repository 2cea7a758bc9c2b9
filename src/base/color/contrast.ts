/**
 * Which colours decoders can distinguish (docs/spec/qr.md section 6): many cut at half the local
 * mean of the luma, so contrast ratios for human eyes mislead.
 */
import { parseHexColor, toLinear, toLuma } from "./color.ts";

/** For a design without one. */
export const DEFAULT_INK = "#111111";

/** Ink may have at most this share of the background's luma. */
export const MAX_INK_SHARE = 0.48;
export const MIN_LIGHT_LUMA = 0.75;
export const MIN_LUMA_DIFFERENCE = 0.5;

const OF_MANIFESTS = "; safety: { contrast: warn } ";

/** What to do about colours that can't be read; `does`: what the field of manifests does all the same. */
export const contrastHint = (does: string): string =>
  `take a darker ink or a lighter background${OF_MANIFESTS}${does} all the same`;

/** The hint for requests and forms, which have no such field; other hints as they are. */
export function withoutContrastField(hint: string): string {
  const at = hint.indexOf(OF_MANIFESTS);
  return at < 0 ? hint : hint.slice(0, at);
}

interface Inks {
  readonly primaryColor: string;
  readonly eyeColor: string;
  readonly backgroundColor: string | null;
}

const describeGround = (background: string | null): string =>
  background === null
    ? "a transparent background, taken as white"
    : `background_color ${background}`;
const show = (luma: number): string => luma.toFixed(2);

/** All faults of an ink on its ground at once, so that fixing one doesn't reveal another. */
function describeInk(name: string, color: string, background: string | null): string[] {
  const ink = toLuma(parseHexColor(color));
  const light = background === null ? 1 : toLuma(parseHexColor(background));
  const pair = `${name} ${color} (luma ${show(ink)}) on ${describeGround(background)} (luma ${show(light)})`;
  if (ink > light) {
    return [
      `${pair} is inverted: the code must be darker than its background, many scanners read no light code on dark`,
    ];
  }
  const most = Math.min(light * MAX_INK_SHARE, light - MIN_LUMA_DIFFERENCE);
  const faults = [
    light < MIN_LIGHT_LUMA ? `the background's luma must be at least ${MIN_LIGHT_LUMA}` : "",
    // If the ground is far too dark for any ink, that is one fault, not two.
    ink > most && (most > 0 || light >= MIN_LIGHT_LUMA)
      ? `the luma of ${name} must be at most ${show(most)} there`
      : "",
  ].filter((fault) => fault !== "");
  return faults.length === 0 ? [] : [`${pair}: ${faults.join(", and ")}`];
}

/**
 * Why scanners may fail on these colours: one sentence for the data modules and one for the eyes,
 * each with both colours, their luma and the limit. Empty when both are safe.
 */
export function designScanWarnings(design: Inks): string[] {
  const { primaryColor, eyeColor, backgroundColor } = design;
  const inks = describeInk("primary_color", primaryColor, backgroundColor);
  if (eyeColor === primaryColor) return inks;
  return [...inks, ...describeInk("eye_color", eyeColor, backgroundColor)];
}

/** Lights of verifiers: white, and 660 nm, in which red ink is as light as paper. */
const lights = {
  white: { name: "white light", weights: [0.2126, 0.7152, 0.0722] },
  red: { name: "red light at 660 nm", weights: [1, 0, 0] },
} as const;
export type Light = keyof typeof lights;

/** Least symbol contrast, and least modulation, for grades 4, 3, 2 and 1 (ISO/IEC 15415). */
const CONTRAST_LIMITS = [0.7, 0.55, 0.4, 0.2];
const MODULATION_LIMITS = [0.5, 0.4, 0.3, 0.2];
/** The grade that verifiers are usually asked for. */
export const LEAST_GRADE = 1.5;

function reflectanceOf(color: string, light: Light): number {
  const { r, g, b } = parseHexColor(color);
  const [red, green, blue] = lights[light].weights;
  return red * toLinear(r) + green * toLinear(g) + blue * toLinear(b);
}

const gradeOf = (value: number, limits: readonly number[]): number =>
  limits.filter((limit) => value >= limit).length;

/**
 * Best possible grade of ISO/IEC 15415 for the colours of a drawing: paper and press only lower it.
 */
export function contrastGrade(
  { primaryColor, eyeColor, backgroundColor }: Inks,
  light: Light,
): {
  readonly grade: number;
  readonly contrast: number;
  /** An ink is paler than the other one allows, which lowers the grade. */
  readonly isPale: boolean;
} {
  const ground = backgroundColor === null ? 1 : reflectanceOf(backgroundColor, light);
  const inks = [primaryColor, eyeColor].map((color) => reflectanceOf(color, light));
  const contrast = ground - Math.min(...inks);
  if (contrast <= 0) return { grade: 0, contrast: 0, isPale: false };
  // The darkest ink sets the threshold; a paler one may count as light.
  const threshold = ground - contrast / 2;
  const modulation = Math.min(...inks.map((ink) => ((threshold - ink) / contrast) * 2));
  const most = gradeOf(contrast, CONTRAST_LIMITS);
  const grade = Math.min(most, gradeOf(modulation, MODULATION_LIMITS));
  return { grade, contrast, isPale: grade < most };
}

function sayPale({ primaryColor, eyeColor }: Inks, light: Light): string {
  const isEye = reflectanceOf(eyeColor, light) > reflectanceOf(primaryColor, light);
  const [pale, dark] = isEye ? ["eye_color", "primary_color"] : ["primary_color", "eye_color"];
  return `${pale} is too light beside ${dark}`;
}

/** A warning when verifiers would refuse these colours in white or in red light. */
export function gradeWarnings(design: Inks): string[] {
  const { primaryColor, eyeColor, backgroundColor } = design;
  const poor = (["white", "red"] as const).flatMap((light) => {
    const { grade, contrast, isPale } = contrastGrade(design, light);
    if (grade >= LEAST_GRADE) return [];
    const why = isPale ? `, but ${sayPale(design, light)}` : "";
    return [`${grade} in ${lights[light].name} (contrast ${Math.floor(contrast * 100)}%${why})`];
  });
  if (poor.length === 0) return [];
  const eyes = eyeColor === primaryColor ? "" : ` with eye_color ${eyeColor}`;
  return [
    `primary_color ${primaryColor}${eyes} on ${describeGround(backgroundColor)} grades at best ${poor.join(" and ")}: verifiers ask for ${LEAST_GRADE}`,
  ];
}
