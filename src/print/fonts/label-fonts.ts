/** The fonts of a job: those that come with makeready, and behind them those that it names. */
import { type CaptionFont, loadBoldFont, loadCaptionFont } from "./font.ts";
import { loadOwnFonts, type OwnFont } from "./own-font.ts";

export interface LabelFonts {
  readonly regular: CaptionFont;
  readonly bold: CaptionFont;
  /** Fonts of the job's own, in its order. */
  readonly all: readonly OwnFont[];
}

/** Own fonts with those of a weight in front. */
function inWeight(fonts: readonly OwnFont[], isBold: boolean): readonly OwnFont[] {
  return fonts.toSorted((a, b) => Number(b.isBold === isBold) - Number(a.isBold === isBold));
}

/** Throws `bad-usage`, naming the file, for a font that can't be embedded. */
export async function loadLabelFonts(files?: readonly string[]): Promise<LabelFonts> {
  const all = await loadOwnFonts(files);
  return {
    regular: (await loadCaptionFont()).withOwn(inWeight(all, false)),
    bold: (await loadBoldFont()).withOwn(inWeight(all, true)),
    all,
  };
}

/** The same as makeready 0.1.0 had them: letters with accents that are no character together are left out. */
export async function loadOlderFonts(files?: readonly string[]): Promise<LabelFonts> {
  const { regular, bold, all } = await loadLabelFonts(files);
  return { regular: regular.withoutShaping(), bold: bold.withoutShaping(), all };
}
