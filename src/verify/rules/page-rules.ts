import { ptToMm } from "../../base/shapes/units.ts";
import { headOf } from "../../base/text/words.ts";
import { LEAST_PT } from "../../print/fonts/caption.ts";
import { OVERPRINT_BELOW_PT } from "../../print/art/draw-art.ts";
import { cellBox } from "../../print/layout/label-sheet.ts";
import { inkLimitOf } from "../../print/pdf/icc-profile.ts";
import { LEAST_MULTI_PT } from "../../print/fonts/text-fit.ts";
import type { Fault } from "./finding.ts";
import { inspectForeign } from "../supplied/foreign.ts";
import type { BoxPt } from "../page/page-path.ts";
import type { Ink as PaintedInk, Painted } from "../page/painted.ts";
import { isArray, nameOf, type PdfDict, type PdfNode, walk } from "../pdf/pdf-node.ts";
import {
  type CellContent,
  containsPt,
  describe,
  finishOf,
  hasArt,
  isDieLine,
  isInk,
  isInSafeArea,
  on,
  overlapsPt,
  pageBox,
  type PageCheck,
  type PageContext,
  toPagePt,
} from "./sheet-context.ts";
import { textOf } from "./margin-rules.ts";
import { isBarPatch, isMarkInk } from "./mark-inks.ts";

/** Checks of one page (docs/spec/print.md section 12, rules 7 to 9, 13 to 15 and 20 to 22). */

const SIZE_SLACK_MM = 0.01;
const nesting = ["MediaBox", "CropBox", "BleedBox", "TrimBox"] as const;

function checkNesting(context: PageContext): string[] {
  const messages: string[] = [];
  let outer: BoxPt | undefined;
  for (const name of nesting) {
    const box = pageBox(context.page, name);
    if (box === undefined) messages.push(`page must have a ${name}`);
    else if (outer !== undefined && !containsPt(outer, box))
      messages.push(`${name} must lie inside the box around it, got ${describe(box)}`);
    outer = box ?? outer;
  }
  return messages;
}

function sizeFaults(name: string, box: BoxPt, wantedMm: readonly [number, number]): string[] {
  const got = [ptToMm(box[2] - box[0]), ptToMm(box[3] - box[1])] as const;
  const off = got.some((mm, i) => Math.abs(mm - (wantedMm[i] ?? 0)) > SIZE_SLACK_MM);
  return off
    ? [
        `${name} must be ${wantedMm.map((mm) => mm.toFixed(3)).join(" x ")} mm, got ${got.map((mm) => mm.toFixed(3)).join(" x ")}`,
      ]
    : [];
}

/** Rule 7. */
export const checkBoxes: PageCheck = (context) => {
  const { page, job, trim } = context;
  const { margins, trimWidthMm, trimHeightMm } = job.frame;
  const messages = checkNesting(context);
  for (const key of ["ArtBox", "Rotate", "UserUnit"])
    if (page.dict.has(key)) messages.push(`page must have no ${key}`);
  messages.push(...sizeFaults("trimmed size", trim, [trimWidthMm, trimHeightMm]));
  const media = pageBox(page, "MediaBox");
  const whole = [
    margins.left + trimWidthMm + margins.right,
    margins.bottom + trimHeightMm + margins.top,
  ] as const;
  if (media !== undefined) messages.push(...sizeFaults("page size", media, whole));
  return on(context, messages);
};

const SUBSET_TAG = /^[A-Z]{6}\+/u;

/** Rule 8. */
export const checkFonts: PageCheck = (context) => {
  const messages: string[] = [];
  for (const font of context.fonts.values()) {
    messages.push(...font.faults);
    if (font.file === undefined) messages.push(`font ${font.baseName} must be embedded`);
    if (!SUBSET_TAG.test(font.baseName))
      messages.push(`font ${font.baseName} must carry a subset tag`);
  }
  const missing = new Set<string>();
  for (const { font, glyphs = [] } of context.content.painted) {
    if (font === undefined) continue;
    for (const glyph of glyphs)
      if (glyph === 0 || glyph >= font.glyphCount)
        missing.add(`glyph ${glyph} of font ${font.baseName} is shown, but not in it`);
  }
  return on(context, [...messages, ...missing]);
};

const isBlack = ({ space, values }: PaintedInk): boolean =>
  space === "DeviceCMYK" && values.length === 4 && values.every((v, i) => v === (i === 3 ? 1 : 0));

const rgbSpaces = new Set(["DeviceRGB", "CalRGB", "Lab", "CalGray"]);

function colorSpaceFaults({ file, page }: PageContext): string[] {
  const found: string[] = [];
  const look = (node: PdfNode): void => {
    const name = nameOf(isArray(node) ? node[0] : node);
    if (name !== undefined && rgbSpaces.has(name)) found.push(`page uses the colour space ${name}`);
  };
  const resources = file.dict(page.dict.get("Resources"));
  for (const node of file.dict(resources?.get("ColorSpace"))?.values() ?? [])
    walk(file.resolve(node) ?? null, look);
  for (const node of file.dict(resources?.get("XObject"))?.values() ?? [])
    walk(file.dict(node)?.get("ColorSpace") ?? null, look);
  return found;
}

const inspected = new WeakMap<PdfDict, readonly string[]>();

/** Faults of a designer's page; looked for once per file. */
function formFaults({ content, file, job, face }: PageContext): string[] {
  return content.painted.flatMap(({ kind, object }) => {
    if (kind !== "form" || object?.kind !== "form") return [];
    if (face.background === undefined) return ["page must hold no form: the job has no background"];
    const known = inspected.get(object.dict);
    if (known !== undefined) return known;
    const stream = file.streamOf(object.dict);
    const page = { resources: object.dict.get("Resources") ?? null, content: stream };
    const { faults, x1aFaults } = inspectForeign(file, page);
    const all = job.standard === "PDF/X-4" ? faults : [...faults, ...x1aFaults];
    const says = all.map((fault) => `background ${fault}`);
    inspected.set(object.dict, says);
    return says;
  });
}

/**
 * Rule 9: operators that this reader doesn't know are faults, too, since no check saw what they
 * paint.
 */
export const checkColors: PageCheck = (context) => {
  const { content } = context;
  const { inks } = context.job;
  const foreign = new Set<string>();
  for (const painted of content.painted) {
    const { ink, kind } = painted;
    const isMark = kind === "stroke" && isMarkInk(context, painted);
    const isFinish = finishOf(context, painted) !== undefined;
    const isOther =
      isMark || isFinish || isDieLine(context, painted) || isBarPatch(context, painted);
    const isPlaced = kind === "image" || kind === "form";
    const isJobs = inks.some((wanted) => isInk(context, painted, wanted));
    if (!isPlaced && !isOther && !isBlack(ink) && !isJobs) {
      const allowed = inks.length === 0 ? "0 0 0 1 k" : "0 0 0 1 k or an ink of the job";
      foreign.add(`${kind} must be ${allowed}, got ${ink.space} ${ink.values.join(" ")}`);
    }
  }
  return on(context, [
    ...content.faults,
    ...foreign,
    ...colorSpaceFaults(context),
    ...formFaults(context),
  ]);
};

/** Rule 13. */
export const checkTransparency: PageCheck = (context) => {
  const found = new Set<string>();
  for (const { state } of context.content.painted) {
    if (state.softMask) found.add("nothing may have a soft mask");
    if (state.alpha < 1) found.add(`nothing may be transparent, got alpha ${state.alpha}`);
    if (state.blendMode !== "Normal" && state.blendMode !== "Compatible")
      found.add(`nothing may be blended, got ${state.blendMode}`);
  }
  if (context.page.dict.has("Group")) found.add("page must have no transparency group");
  return on(context, [...found]);
};

/** Rule 14. */
export const checkAnnotations: PageCheck = (context) =>
  on(
    context,
    context.file.array(context.page.dict.get("Annots")).length > 0
      ? ["page must have no annotations"]
      : [],
  );

/** Pictures that the labels of this side ask for. */
function wantedImages({ face }: PageContext): readonly { readonly leastPpi: number }[] {
  return (face.art?.items ?? []).flatMap((item) => (item.kind === "image" ? [item] : []));
}

/** A logo within its code, which is read all the same. */
function isLogo({ cellContents }: PageContext, { part, box }: Painted): boolean {
  const isIn = ({ cell, symbol }: CellContent): boolean =>
    cell.design !== undefined && containsPt(symbol, box, 0.1);
  return part !== undefined && cellContents.some(isIn);
}

/** Pictures of designs are as fine as they were given. */
const LEAST_LOGO_PPI = 1;

function imageFaults(context: PageContext, { box, object, ...rest }: Painted): string[] {
  const hasLogo = isLogo(context, { box, object, ...rest });
  const wanted = hasLogo ? [{ leastPpi: LEAST_LOGO_PPI }] : wantedImages(context);
  if (wanted.length === 0) return [`page must hold no image, got one at ${describe(box)}`];
  if (object?.kind !== "image") return [`image must be known, got one at ${describe(box)}`];
  const messages: string[] = [];
  if (object.isMasked) messages.push("image must have no mask");
  if (object.space !== "DeviceGray" && object.space !== "DeviceCMYK")
    messages.push(`image must be grey or CMYK, got ${object.space}`);
  const ppi = Math.min(
    object.width / ((box[2] - box[0]) / 72),
    object.height / ((box[3] - box[1]) / 72),
  );
  const least = Math.min(...wanted.map(({ leastPpi }) => leastPpi));
  if (ppi < least - 1)
    messages.push(
      `image must have ${least} ppi or more, got ${Math.round(ppi)} at ${describe(box)}`,
    );
  if (!context.labelAreas.some((area) => containsPt(area, box, 0.1)))
    messages.push(`image must lie on a label, got one at ${describe(box)}`);
  return messages;
}

/** Rule 15: a code is never a picture, and pictures are fine enough. */
export const checkImages: PageCheck = (context) =>
  context.content.painted
    .filter((painted) => painted.kind === "image")
    .flatMap((image) => {
      const hit = context.cellContents.find(({ symbol }) => overlapsPt(image.box, symbol));
      const place =
        hit === undefined ? {} : { row: hit.cell.row, column: hit.cell.column, key: hit.cell.key };
      const inCode =
        hit === undefined || hit.ground !== undefined || isLogo(context, image)
          ? []
          : [`code must have no image in it, got one at ${describe(image.box)}`];
      return [...new Set([...imageFaults(context, image), ...inCode])].map((message) => {
        return { message, page: context.number, ...place };
      });
    });

/** The label that a text stands on; labels with art may have no code on this side. */
function labelAt(
  { cellContents, face, trim }: PageContext,
  box: BoxPt,
): { label: BoxPt; cell?: CellContent["cell"] } | undefined {
  const hit = cellContents.find(({ label }) => overlapsPt(box, label));
  if (hit !== undefined || !hasArt(face)) return hit;
  const { columns, perSheet } = face.sheet;
  for (let index = 0; index < perSheet; index += 1) {
    const cell = cellBox(face.sheet, Math.floor(index / columns), index % columns);
    const label = toPagePt(trim, cell);
    if (overlapsPt(box, label)) return { label };
  }
  return undefined;
}

/** How a text is painted. */
function typeFaults({ ink, state, sizePt = 0 }: Painted): string[] {
  const messages: string[] = [];
  if (sizePt < LEAST_PT - 1e-6)
    messages.push(`must be at least ${LEAST_PT} pt, got ${sizePt.toFixed(2)}`);
  if (isBlack(ink)) {
    if (sizePt < OVERPRINT_BELOW_PT && !state.overprintFill) messages.push("must overprint");
    return messages;
  }
  if (state.overprintFill) messages.push("must not overprint: it is not black");
  const plates = ink.values.filter((share) => share > 0).length;
  if (ink.space === "DeviceCMYK" && plates > 1 && sizePt < LEAST_MULTI_PT - 1e-6)
    messages.push(
      `must be at least ${LEAST_MULTI_PT} pt in several inks, got ${sizePt.toFixed(2)}`,
    );
  return messages;
}

function textFaults(context: PageContext, text: Painted): Fault[] {
  const { number: page } = context;
  const says = `text ${JSON.stringify(headOf(textOf(text), 40))}`;
  const found = typeFaults(text).map((message): Fault => ({ message: `${says} ${message}`, page }));
  const hit = labelAt(context, text.box);
  if (hit === undefined) return found;
  const { cell, label } = hit;
  if (isInSafeArea(context, label, { box: text.box, slackPt: 0.05 })) return found;
  const place = cell === undefined ? {} : { row: cell.row, column: cell.column, key: cell.key };
  return [
    ...found,
    {
      message: `${says} must stay in the label's safe area, got ${describe(text.box)}`,
      page,
      ...place,
    },
  ];
}

/** Rule 20. */
export const checkTexts: PageCheck = (context) =>
  context.content.painted
    .filter((painted) => painted.kind === "text")
    .flatMap((text) => textFaults(context, text));

/** Rule 22. */
export const checkInkTotal: PageCheck = (context) => {
  // Marks are meant to stand on every plate.
  const painted = context.content.painted.filter(({ ink }) => !context.inkSets.has(ink.space));
  const totals = painted.map(({ ink }) => ink.values.reduce((sum, value) => sum + value, 0));
  const most = totals.reduce((max, total) => Math.max(max, total), 0);
  const limit = inkLimitOf(context.job.options.icc);
  return on(
    context,
    most > limit + 1e-9
      ? [`inks must total ${Math.round(limit * 100)}% at most, got ${Math.round(most * 100)}%`]
      : [],
  );
};
