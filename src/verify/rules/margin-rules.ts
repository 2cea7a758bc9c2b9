import { mmToPt } from "../../base/shapes/units.ts";
import { cutPositions, MARK_WIDTH_PT, registrationPlaces } from "../../print/draw/marks.ts";
import { MARK_LENGTH_MM } from "../../print/layout/page-frame.ts";
import { REHEARSAL_TEXT } from "../../print/draw/slug.ts";
import type { Fault } from "./finding.ts";
import { barOf, isBarPatch, isMarkInk, plateFaults } from "./mark-inks.ts";
import type { BoxPt } from "../page/page-path.ts";
import type { Painted } from "../page/painted.ts";
import {
  containsPt,
  describe,
  growPt,
  hasArt,
  isDieLine,
  on,
  overlapsPt,
  pageBox,
  type PageCheck,
  type PageContext,
} from "./sheet-context.ts";

/**
 * Checks of what stands round the labels (docs/spec/print.md section 12, rule 21;
 * docs/spec/print.md section 10).
 */

/** Text of a page by what it says; glyphs without a character show as `?`. */
export function textOf({ font, glyphs = [] }: Painted): string {
  return glyphs.map((glyph) => font?.textOf(glyph) ?? "?").join("");
}

/** True for what belongs to a label. Lines may stand on labels with art only. */
function isOnLabel({ labelAreas, face }: PageContext, { kind, box }: Painted): boolean {
  if (kind === "stroke")
    return hasArt(face) && labelAreas.some((area) => containsPt(area, box, 0.6));
  return labelAreas.some((area) => overlapsPt(box, area));
}

/** Marks in the margin, neither code nor caption. */
function marginOf(context: PageContext): Painted[] {
  return context.content.painted.filter(
    (painted) =>
      (painted.kind === "stroke" || painted.kind === "text") &&
      !isDieLine(context, painted) &&
      !isOnLabel(context, painted),
  );
}

/** Crop marks that belong to a cut but are missing, and those that belong to none. */
function cropFaults(context: PageContext, strokes: readonly Painted[]): string[] {
  const { face, trim } = context;
  const { sheet } = face;
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
  /** Things that must not touch each other: every mark and line of text, a target as one. */
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

/** Pieces of one line of text as one thing: they stand as close as their letters want. */
function joinLines(margin: readonly Painted[]): Margin["things"] {
  const lines = new Map<number, { kind: string; box: BoxPt }>();
  const things: { kind: string; box: BoxPt }[] = [];
  for (const { kind, box, line } of margin) {
    const known = line === undefined ? undefined : lines.get(line);
    if (known === undefined) {
      const thing = { kind, box };
      things.push(thing);
      if (line !== undefined) lines.set(line, thing);
    } else {
      const [left, bottom, right, top] = known.box;
      known.box = [
        Math.min(left, box[0]),
        Math.min(bottom, box[1]),
        Math.max(right, box[2]),
        Math.max(top, box[3]),
      ];
    }
  }
  return things;
}

/** Takes the registration targets out of the strokes, and says which are not whole. */
function sortMargin(context: PageContext, margin: readonly Painted[]): Margin {
  const { job, face } = context;
  const half = mmToPt(MARK_LENGTH_MM / 2) + 0.5;
  const places = job.marks.includes("registration")
    ? registrationPlaces(face.sheet, job.frame)
    : [];
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
      ...joinLines(rest),
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

function paintFaults(context: PageContext, painted: Painted): string[] {
  const { kind, box, state, widthPt } = painted;
  const { job, trim, page } = context;
  const media = pageBox(page, "MediaBox") ?? trim;
  const messages: string[] = [];
  if (job.marks.length > 0 && overlapsPt(box, growPt(trim, mmToPt(job.frame.bleedMm) - 0.5))) {
    messages.push(`${kind} in the margin must stay outside the bleed, got ${describe(box)}`);
  }
  if (!containsPt(media, box))
    messages.push(`${kind} in the margin runs off the page, got ${describe(box)}`);
  if (kind === "stroke" && !state.overprintStroke) messages.push("marks must overprint");
  if (kind === "stroke" && !isMarkInk(context, painted))
    messages.push("marks must be solid on every plate");
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
  const plates = job.marks.length > 0 ? plateFaults(context) : [];
  // Older files have their marks on black alone.
  const isBefore = context.inkSets.size === 0;
  const told = on(context, plates).map((fault): Fault =>
    isBefore ? { ...fault, severity: "warning" } : fault,
  );
  return [...on(context, [...faults, ...crop, ...painted, ...disjointFaults(things)]), ...told];
};

/** The rehearsal notice: on every sheet of a rehearsal that has room for a slug, and on no other. */
export const checkRehearsal: PageCheck = (context) => {
  const says = marginOf(context).some(
    (painted) => painted.kind === "text" && textOf(painted).includes(REHEARSAL_TEXT),
  );
  const { rehearsal } = context.options.slug;
  const hasSlug = marginOf(context).some((painted) => painted.kind === "text");
  if (says && !rehearsal) return on(context, ["sheet says rehearsal, but the job is no rehearsal"]);
  return on(
    context,
    rehearsal && hasSlug && !says ? ["sheet of a rehearsal must say so in its slug"] : [],
  );
};
