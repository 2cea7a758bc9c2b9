/**
 * What the API warns of in drawings, in German. The sentences of `base/color/contrast.ts` are made of
 * parts, so they are translated part by part.
 */
const NAMES: Readonly<Record<string, string>> = {
  primary_color: "Farbe der Module",
  eye_color: "Farbe der Augen",
};
const nameOf = (field: string): string => NAMES[field] ?? field;
const decimal = (number: string): string => number.replace(".", ",");

type Part = readonly [RegExp, (...found: string[]) => string];

/** In this order: a longer part stands before those that it holds. */
const PARTS: readonly Part[] = [
  [
    / is inverted: the code must be darker than its background, many scanners read no light code on dark$/u,
    () =>
      " ist heller als der Hintergrund: Der Code muss dunkler sein, denn viele Scanner lesen keinen hellen Code auf dunklem Grund",
  ],
  [
    /the background's luma must be at least ([\d.]+)/u,
    (_, least = "") => `der Hintergrund muss mindestens die Helligkeit ${decimal(least)} haben`,
  ],
  [
    /the luma of (\w+) must be at most ([\d.]+) there/u,
    (_, field = "", most = "") =>
      `die ${nameOf(field)} darf darauf höchstens die Helligkeit ${decimal(most)} haben`,
  ],
  [
    /, but (\w+) is too light beside (\w+)\)/gu,
    (_, pale = "", dark = "") =>
      `, aber die ${nameOf(pale)} ist zu hell neben der ${nameOf(dark)})`,
  ],
  [/ grades at best /u, () => " erreicht beim Prüfen höchstens Note "],
  [/: verifiers ask for ([\d.]+)$/u, (_, grade = "") => `: verlangt wird ${decimal(grade)}`],
  [/ in white light/u, () => " in weißem Licht"],
  [/ in red light at 660 nm/u, () => " in rotem Licht (660 nm)"],
  [/\(contrast (\d+)%/gu, (_, percent = "") => `(Kontrast ${percent} %`],
  [/\(luma ([\d.]+)\)/gu, (_, luma = "") => `(Helligkeit ${decimal(luma)})`],
  [
    / on a transparent background, taken as white/u,
    () => " auf durchsichtigem Grund (als Weiß gerechnet)",
  ],
  [/ on background_color /u, () => " auf Hintergrund "],
  [/ with eye_color /u, () => " mit Augen in "],
  [/^primary_color /u, () => "Module in "],
  [/^eye_color /u, () => "Augen in "],
  [/, and /gu, () => ", und "],
  [/ and (?=\d)/u, () => " und Note "],
  // A sentence after a colon.
  [/: d(?=er |ie )/u, () => ": D"],
];

/** A warning of the API in German; undefined when it isn't translated. */
export function warningInGerman(sentence: string): string | undefined {
  if (!/^(?:primary|eye)_color #/u.test(sentence)) return undefined;
  return PARTS.reduce((text, [shape, say]) => text.replace(shape, say), sentence);
}
