import { mmToPt, ptToMm } from "../base/units.ts";
import { LEAST_PT } from "../print/caption.ts";
import { cutPositions, MARK_WIDTH_PT, registrationPlaces } from "../print/marks.ts";
import { MARK_LENGTH_MM } from "../print/page-frame.ts";
import { REHEARSAL_TEXT } from "../print/slug.ts";
import type { Fault } from "./finding.ts";
import type { BoxPt, Ink, Painted } from "./page-content.ts";
import { isArray, nameOf, type PdfNode, walk } from "./pdf-node.ts";
import {
  barOf,
  containsPt,
  describe,
  growPt,
  isBarPatch,
  isDieLine,
  overlapsPt,
  pageBox,
  type PageContext,
} from "./sheet-context.ts";

/** Checks of one page (`print.md` section 12, rules 7 to 9, 13 to 15, 20 to 22). */
export type PageCheck = (context: PageContext) => Fault[];

const on = ({ number }: PageContext, messages: readonly string[]): Fault[] =>
  messages.map((message) => ({ message, page: number }));

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

const isBlack = ({ space, values }: Ink): boolean =>
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

/** Rule 9: operators this reader doesn't know are faults too, as nobody looked at what they paint. */
export const checkColors: PageCheck = (context) => {
  const { content } = context;
  const foreign = new Set<string>();
  for (const painted of content.painted) {
    const { ink, kind } = painted;
    const isOther = isDieLine(context, painted) || isBarPatch(context, painted);
    if (kind !== "image" && !isOther && !isBlack(ink))
      foreign.add(`${kind} must be 0 0 0 1 k, got ${ink.space} ${ink.values.join(" ")}`);
  }
  return on(context, [...content.faults, ...foreign, ...colorSpaceFaults(context)]);
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

/** Rule 15: our sheets hold no images at all. */
export const checkImages: PageCheck = (context) =>
  context.content.painted
    .filter((painted) => painted.kind === "image")
    .map(({ box }) => {
      const hit = context.cellContents.find(({ symbol }) => overlapsPt(box, symbol));
      const place =
        hit === undefined ? {} : { row: hit.cell.row, column: hit.cell.column, key: hit.cell.key };
      return {
        message: `page must hold no image, got one at ${describe(box)}`,
        page: context.number,
        ...place,
      };
    });

/** Text of a page by what it says; glyphs without a character show as `?`. */
function textOf({ font, glyphs = [] }: Painted): string {
  return glyphs.map((glyph) => font?.textOf(glyph) ?? "?").join("");
}

function textFaults(context: PageContext, text: Painted): Fault[] {
  const { number: page, job } = context;
  const says = JSON.stringify(textOf(text).slice(0, 40));
  const found: Fault[] = [];
  if ((text.sizePt ?? 0) < LEAST_PT - 1e-6)
    found.push({
      message: `text ${says} must be at least ${LEAST_PT} pt, got ${text.sizePt?.toFixed(2)}`,
      page,
    });
  if (!text.state.overprintFill) found.push({ message: `text ${says} must overprint`, page });
  const hit = context.cellContents.find(({ label }) => overlapsPt(text.box, label));
  if (hit === undefined) return found;
  const { cell, label } = hit;
  const { safe } = job.layout;
  const width = mmToPt(safe.width);
  const left = label[0] + mmToPt(safe.x);
  const top = label[3] - mmToPt(safe.y);
  const area: BoxPt = [left, top - mmToPt(safe.height), left + width, top];
  if (containsPt(area, text.box, 0.05)) return found;
  return [
    ...found,
    {
      message: `text ${says} must stay in the label's safe area, got ${describe(text.box)}`,
      page,
      row: cell.row,
      column: cell.column,
      key: cell.key,
    },
  ];
}

/** Rule 20. */
export const checkTexts: PageCheck = (context) =>
  context.content.painted
    .filter((painted) => painted.kind === "text")
    .flatMap((text) => textFaults(context, text));

/** What stands in the margin: neither code nor caption. */
function marginOf(context: PageContext): Painted[] {
  const { content, cellContents } = context;
  return content.painted.filter(
    (painted) =>
      (painted.kind === "stroke" && !isDieLine(context, painted)) ||
      (painted.kind === "text" &&
        !cellContents.some(({ label }) => overlapsPt(painted.box, label))),
  );
}

/** Crop marks that belong to a cut but are missing, and those that belong to none. */
function cropFaults(context: PageContext, strokes: readonly Painted[]): string[] {
  const { job, trim } = context;
  const { sheet } = job;
  const wanted: { what: string; at: number; vertical: boolean }[] = [];
  for (const cut of cutPositions(
    sheet.leftMm,
    sheet.pitchXMm,
    sheet.label.widthMm,
    sheet.columns,
  )) {
    wanted.push({
      what: `cut at ${cut.toFixed(2)} mm from the left`,
      at: trim[0] + mmToPt(cut),
      vertical: true,
    });
  }
  for (const cut of cutPositions(sheet.topMm, sheet.pitchYMm, sheet.label.heightMm, sheet.rows)) {
    wanted.push({
      what: `cut at ${cut.toFixed(2)} mm from the top`,
      at: trim[3] - mmToPt(cut),
      vertical: false,
    });
  }
  const messages: string[] = [];
  let matched = 0;
  for (const { what, at, vertical } of wanted) {
    const marks = strokes.filter(({ box }) => {
      const [low, high, length] = vertical
        ? [box[0], box[2], box[3] - box[1]]
        : [box[1], box[3], box[2] - box[0]];
      return Math.abs((low + high) / 2 - at) < 0.02 && high - low < 1 && length > 1;
    });
    matched += marks.length;
    if (marks.length !== 2) messages.push(`${what} must have 2 crop marks, got ${marks.length}`);
  }
  if (strokes.length > matched)
    messages.push(`${strokes.length - matched} lines are no crop marks`);
  return messages;
}

function disjointFaults(margin: Margin["things"]): string[] {
  const messages: string[] = [];
  for (const [i, a] of margin.entries()) {
    const b = margin.slice(i + 1).find((other) => overlapsPt(a.box, other.box));
    if (b !== undefined)
      messages.push(`${a.kind} and ${b.kind} in the margin must not touch, at ${describe(a.box)}`);
  }
  return messages;
}

/** Strokes of each registration target: a cross and a circle. */
const TARGET_STROKES = 3;

interface Margin {
  /** Strokes that must be crop marks. */
  readonly strokes: readonly Painted[];
  /** What must not touch: every mark and line of text, a target as one. */
  readonly things: readonly { readonly kind: string; readonly box: BoxPt }[];
  readonly faults: readonly string[];
}

/** The colour bar as one thing that nothing may touch; none when there is none. */
function barThing(context: PageContext): Margin["things"] {
  const boxes = barOf(context).map(({ box }) => box);
  const [first, last] = [boxes[0], boxes.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [{ kind: "colour bar", box: [first[0], first[1], last[2], last[3]] }];
}

function barFaults(context: PageContext): string[] {
  const wanted = barOf(context).length;
  const got = context.content.painted.filter((painted) => isBarPatch(context, painted)).length;
  return got === wanted ? [] : [`colour bar must have ${wanted} fields, got ${got}`];
}

/** Takes the registration targets out of the strokes, and says which are not whole. */
function sortMargin(context: PageContext, margin: readonly Painted[]): Margin {
  const { job } = context;
  const half = mmToPt(MARK_LENGTH_MM / 2) + 0.5;
  const places = job.marks.includes("registration") ? registrationPlaces(job.sheet, job.frame) : [];
  const targets = places.map(({ x, y }): BoxPt =>
    growPt([mmToPt(x), mmToPt(y), mmToPt(x), mmToPt(y)], half),
  );
  const isTarget = (painted: Painted): boolean =>
    painted.kind === "stroke" && targets.some((box) => containsPt(box, painted.box));
  const rest = margin.filter((painted) => !isTarget(painted));
  const counts = targets.map(
    (box) =>
      margin.filter((painted) => painted.kind === "stroke" && containsPt(box, painted.box)).length,
  );
  return {
    strokes: rest.filter((painted) => painted.kind === "stroke"),
    things: [
      ...rest,
      ...targets.map((box) => ({ kind: "registration mark", box: growPt(box, -0.5) })),
      ...barThing(context),
    ],
    faults: [
      ...counts
        .filter((count) => count !== TARGET_STROKES)
        .map((count) => `registration mark must be ${TARGET_STROKES} lines, got ${count}`),
      ...barFaults(context),
    ],
  };
}

function paintFaults(context: PageContext, { kind, box, state, widthPt }: Painted): string[] {
  const { job, trim, page } = context;
  const media = pageBox(page, "MediaBox") ?? trim;
  const messages: string[] = [];
  if (job.marks.length > 0 && overlapsPt(box, growPt(trim, mmToPt(job.frame.bleedMm) - 0.5))) {
    messages.push(`${kind} in the margin must stay outside the bleed, got ${describe(box)}`);
  }
  if (!containsPt(media, box))
    messages.push(`${kind} in the margin runs off the page, got ${describe(box)}`);
  if (kind === "stroke" && !state.overprintStroke) messages.push("marks must overprint");
  if (widthPt !== undefined && widthPt < MARK_WIDTH_PT - 1e-3) {
    messages.push(`marks must be at least ${MARK_WIDTH_PT} pt wide, got ${widthPt}`);
  }
  return messages;
}

/** Rule 21. */
export const checkMarks: PageCheck = (context) => {
  const { job } = context;
  const margin = marginOf(context);
  const { strokes, things, faults } = sortMargin(context, margin);
  const crop = job.marks.includes("crop")
    ? cropFaults(context, strokes)
    : strokes.map(({ box }) => `sheet takes no crop marks, got a line at ${describe(box)}`);
  const painted = margin.flatMap((thing) => paintFaults(context, thing));
  return on(context, [...faults, ...crop, ...painted, ...disjointFaults(things)]);
};

/** Total of all inks that the default profile allows. */
const INK_LIMIT = 3;

/** Rule 22. */
export const checkInkTotal: PageCheck = (context) => {
  const most = Math.max(
    0,
    ...context.content.painted.map(({ ink }) => ink.values.reduce((sum, value) => sum + value, 0)),
  );
  return on(
    context,
    most > INK_LIMIT
      ? [`inks must total ${INK_LIMIT * 100}% at most, got ${Math.round(most * 100)}%`]
      : [],
  );
};

/** The rehearsal notice: on every sheet of a rehearsal that has room for a slug, and on no other. */
export const checkRehearsal: PageCheck = (context) => {
  const says = marginOf(context).some(
    (painted) => painted.kind === "text" && textOf(painted).includes(REHEARSAL_TEXT),
  );
  const { rehearsal } = context.options.slug;
  const hasSlug = marginOf(context).some((painted) => painted.kind === "text");
  if (says && !rehearsal)
    return on(context, ["sheet calls itself a rehearsal, but the job is none"]);
  return on(
    context,
    rehearsal && hasSlug && !says ? ["sheet of a rehearsal must say so in its slug"] : [],
  );
};
