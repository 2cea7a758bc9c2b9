/** Designs as the sheets of a job print them, in RGB colours: grades are predicted from these. */
import type { Ink } from "../../base/shapes/label-art.ts";
import { type Design, resolveDesign } from "../../qr/draw/design.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";
import { makeSheetJob, type SheetOptions } from "../sheet-job.ts";
import { inkTotal } from "../pdf/ink.ts";
import { groundsBeneath } from "./check-art.ts";
import { toScreen } from "./code-picture.ts";
import { openDesignInks, toDesignLook } from "./design-inks.ts";
import type { PressDesign } from "./logo-shapes.ts";

/** Sees codes as printed; a design is undefined where it isn't known or the sheets are plain. */
export type SeePrinted = (design: PressDesign | undefined, level: QrLevel) => Design;

const darkest = (grounds: readonly Ink[]): string | null => {
  const [first] = grounds.toSorted((a, b) => inkTotal(b) - inkTotal(a));
  return first === undefined ? null : toScreen(first);
};

/** Opens the eyes for the sheets of a job. */
export async function openPrinted(options: SheetOptions): Promise<SeePrinted> {
  const { codeStyle } = options;
  const beneath = darkest(makeSheetJob(options).faces.flatMap(groundsBeneath));
  const black = { primaryColor: "#000000", backgroundColor: beneath };
  if (codeStyle !== undefined) {
    const { pattern, eyes: eyeStyle, ink, eyeInk } = codeStyle;
    const inks = { primaryColor: toScreen(ink), eyeColor: toScreen(eyeInk) };
    return (_, errorCorrection) =>
      resolveDesign({ ...black, ...inks, pattern, eyeStyle, errorCorrection });
  }
  const inks = await openDesignInks(options);
  return (design, errorCorrection) => {
    if (design === undefined) return resolveDesign({ ...black, errorCorrection });
    const { isBlackened, ground } = toDesignLook(design, inks);
    const own = { ...design, backgroundColor: design.backgroundColor ?? beneath };
    if (!isBlackened) return own;
    const backgroundColor = ground === undefined ? beneath : own.backgroundColor;
    return { ...own, primaryColor: "#000000", eyeColor: "#000000", backgroundColor };
  };
}
