/**
 * One size for all captions of a PDF and its volumes: the greatest at which each stands whole, but those
 * that have no room at a readable size: they are smaller, each by itself.
 */
import { type PressWarning, PressTally } from "../../base/shapes/press-warning.ts";
import { encodeQr } from "../../qr/encode/encode.ts";
import { setTexts } from "../art/art-texts.ts";
import {
  type CaptionRoom,
  type CaptionType,
  fitCaption,
  type FittedCaption,
  READABLE_PT,
  type TextWarning,
} from "../fonts/caption.ts";
import type { LabelFonts } from "../fonts/label-fonts.ts";
import { type CodeExtent, reservedSide } from "../layout/code-size.ts";
import { captionBox } from "../layout/label-layout.ts";
import type { RepeatedRecord } from "../layout/repeat-records.ts";
import type { DesignRoom } from "../art/designed-code.ts";
import { checkCodeFits } from "../plan-sheets.ts";
import { isPoster, type SheetJob, type SheetRecord } from "../sheet-job.ts";
import { sizeOfVersion } from "../../qr/encode/tables.ts";

export interface CaptionSetting {
  readonly sizePt: number;
  /** Words are cut before text is hard to read. */
  readonly cutsWords: boolean;
  /** The record whose caption has no room for more; undefined when all fit at the greatest size. */
  readonly neededBy: string | undefined;
  /** So many captions have no room at a readable size and are smaller than the others. */
  readonly smaller: number;
  /** makeready 0.1.0 set some text differently: each at its own size, words cut without a hyphen. */
  readonly isUneven: boolean;
  /** makeready 0.1.0 gave posters the captions of labels. */
  readonly isPoster: boolean;
}

/** The type that captions of a job are set in. */
export const captionType = (
  { options }: Pick<SheetJob, "options">,
  { regular, bold }: LabelFonts,
): CaptionType => ({
  font: regular,
  first: options.captionBold === "first-line" ? bold : undefined,
});

/** A caption in its room beside or beneath its code; undefined where there is no room. */
export function fitOnLabel(
  job: SheetJob,
  caption: readonly string[],
  {
    extent,
    type,
    ...at
  }: Pick<CaptionRoom, "sizePt" | "cutsWords"> & {
    readonly extent: CodeExtent;
    readonly type: CaptionType;
  },
): FittedCaption | undefined {
  const { layout, rule } = job;
  const room = captionBox(layout, reservedSide(rule, extent, layout.codeSideMm));
  const lines = caption.slice(job.options.captionFrom);
  if (room === undefined || lines.length === 0) return undefined;
  return fitCaption(lines, { widthMm: room.width, heightMm: room.height, ...at }, type);
}

/** A warning with its details. */
interface CaptionWarning extends TextWarning {
  readonly what?: readonly string[] | undefined;
}

/** Warnings about a caption. */
export function warningsOf(fitted: FittedCaption | undefined): readonly CaptionWarning[] {
  if (fitted === undefined) return [];
  const { lines, sizePt, warnings } = fitted;
  const isCut = warnings.some(({ code }) => code === "captions-cut");
  if (lines.length === 0 || sizePt >= READABLE_PT || isCut) return warnings;
  const size = `${sizePt} pt`;
  const message = `its caption fits at ${size} only, which is hard to read`;
  return [...warnings, { code: "captions-small", what: [size], message }];
}

/** The facts that decide how a record's texts are set. */
type Captioned = Pick<SheetRecord, "key" | "caption" | "payload" | "level" | "drawn" | "design">;

const NO_COUNTS = { label: 0, row: 0, copy: 0, sheet: 0 };

/** Looks at the captions of all records before the first label is drawn. */
export class CaptionSizes {
  readonly #job: SheetJob;
  readonly #fonts: LabelFonts;
  readonly #designs: DesignRoom | undefined;
  readonly #type: CaptionType;
  /** Rooms depend on the symbol only where codes have a size of their own. */
  readonly #asksForSize: boolean;
  readonly #hasArt: boolean;
  /** The size that captions had so far, as long as all had the same. */
  readonly #even: { sizePt: number | undefined; neededBy: string | undefined };
  /** The size that all can have. */
  readonly #common: { sizePt: number; neededBy: string | undefined };
  #smaller = 0;
  #isUneven = false;
  readonly #press = new PressTally();
  /** Results for captions as they would be set alone. */
  readonly #evenPress = new PressTally();

  constructor(job: SheetJob, fonts: LabelFonts, designs: DesignRoom | undefined) {
    this.#job = job;
    this.#designs = designs;
    this.#fonts = fonts;
    this.#type = captionType(job, fonts);
    const { xDimensionMm, qrSizeMm, mostXMm } = job.rule;
    this.#asksForSize = (xDimensionMm ?? qrSizeMm ?? mostXMm) !== undefined;
    this.#hasArt = job.options.label !== undefined;
    this.#even = { sizePt: undefined, neededBy: undefined };
    this.#common = { sizePt: job.captionPt, neededBy: undefined };
  }

  add(record: Captioned): void {
    if (this.#hasArt || this.#job.faces.length > 1) this.#addTexts(record);
    if (!this.#hasArt) this.#addCaption(record);
  }

  setting(): CaptionSetting {
    const isPosterJob = !this.#hasArt && isPoster(this.#job);
    const isUneven = this.#isUneven;
    // Captions that already had one size keep it.
    const isAsEver = !isUneven && !isPosterJob;
    const { sizePt = this.#job.captionPt, neededBy } = isAsEver ? this.#even : this.#common;
    const smaller = isAsEver ? 0 : this.#smaller;
    return { sizePt, neededBy, smaller, cutsWords: !isAsEver, isUneven, isPoster: isPosterJob };
  }

  /** Texts that can't be set as they are. */
  press(): PressWarning[] {
    return (this.setting().cutsWords ? this.#press : this.#evenPress).list();
  }

  /** Texts of label items have sizes of their own; only how words are cut has changed. */
  #addTexts({ key, caption, payload }: Captioned): void {
    const facts = { texts: caption, payload, counts: NO_COUNTS };
    for (const face of this.#job.faces) {
      const { texts, warnings } = setTexts(face, facts, this.#fonts);
      if (texts.some(({ fitted }) => fitted.isHyphenated)) this.#isUneven = true;
      for (const { code } of warnings) {
        this.#press.add(code, key);
        this.#evenPress.add(code, key);
      }
    }
  }

  /** The part of its label that the code takes. */
  #extentOf(record: Captioned): CodeExtent {
    if (!this.#asksForSize) return sizeOfVersion(1);
    const { payload, level, drawn = { level, minVersion: 1 } } = record;
    const designed = this.#designs?.find(
      record,
      ({ matrix, shape }) => checkCodeFits(this.#job, matrix.version, shape).length === 0,
    );
    return designed?.code?.shape ?? encodeQr(payload, drawn).size;
  }

  #addCaption(record: Captioned): void {
    const { key, caption } = record;
    const extent = this.#extentOf(record);
    const fit = (sizePt: number, cutsWords: boolean): FittedCaption | undefined =>
      fitOnLabel(this.#job, caption, { extent, sizePt, cutsWords, type: this.#type });
    const fitted = fit(this.#common.sizePt, true);
    for (const { code, what } of warningsOf(fitted)) this.#press.add(code, key, what);
    // Once labels are known to differ, only captions that need a smaller size matter. One that
    // stands whole at its full size is the same alone.
    if (!this.#isUneven) {
      const isWhole = fitted?.sizePt === this.#job.captionPt && !fitted.hasCutWords;
      this.#compare(key, isWhole ? fitted : fit(this.#job.captionPt, false));
    }
    if (fitted === undefined || fitted.lines.length === 0) return;
    const { sizePt } = fitted;
    if (sizePt < Math.min(this.#job.captionPt, READABLE_PT)) this.#smaller += 1;
    else if (sizePt < this.#common.sizePt) Object.assign(this.#common, { sizePt, neededBy: key });
  }

  /** Compares a caption, as it would be set alone, with the others. */
  #compare(key: string, fitted: FittedCaption | undefined): void {
    for (const { code, what } of warningsOf(fitted)) this.#evenPress.add(code, key, what);
    if (fitted === undefined || fitted.lines.length === 0) return;
    const { sizePt, isHyphenated } = fitted;
    const even = this.#even;
    if (even.sizePt === undefined) {
      even.sizePt = sizePt;
      even.neededBy = sizePt < this.#job.captionPt ? key : undefined;
    }
    this.#isUneven = isHyphenated || sizePt !== even.sizePt;
  }
}

/** The setting that records drawn together share. */
export function settingOf(
  job: SheetJob,
  fonts: LabelFonts,
  {
    records,
    designs,
  }: {
    readonly records: readonly RepeatedRecord<SheetRecord>[];
    readonly designs: DesignRoom | undefined;
  },
): CaptionSetting {
  const sizes = new CaptionSizes(job, fonts, designs);
  for (const { record } of records) sizes.add(record);
  return sizes.setting();
}
