import type { ArtItem, Ink, TextStyle } from "../../base/shapes/label-art.ts";
import type { Problem } from "../../base/errors.ts";
import { ptToMm } from "../../base/shapes/units.ts";
import { type BoxMm, contains, overlaps } from "../layout/box.ts";
import { type Face, itemInks } from "../fonts/face.ts";
import { inkLimitOf } from "../pdf/icc-profile.ts";
import { distinctInks, inkTotal, PAPER_INK, plateCount, symbolContrast } from "../pdf/ink.ts";
import { defaultSafeMm, type LabelLayout } from "../layout/label-layout.ts";
import { isShaped, overshootMm } from "../layout/die-shape.ts";
import type { LabelSheet } from "../layout/label-sheet.ts";
import type { SheetJob } from "../sheet-job.ts";
import { groundOf } from "./ground.ts";
import { LEAST_MULTI_PT } from "../fonts/text-fit.ts";
import { checkSymbolItems } from "../symbols/check-symbol-items.ts";
import { symbolsOn } from "../symbols/face-symbols.ts";

/** Faults and warnings of a label's art before any record is known. */
export interface ArtFindings {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/**
 * Least width of lines: thinner ones break up. In one solid ink, and in several or in dots
 * (docs/spec/print.md section 2).
 */
const LEAST_LINE_PT = { solid: 0.15, other: 0.3 };
/** Symbol contrast: of grade A, and the least that is read (docs/spec/print.md section 5). */
export const CONTRAST = { good: 0.7, least: 0.4 };

/** The room that an item takes on the label, its outline included. */
export function boundsOf(item: ArtItem): BoxMm {
  if (item.kind === "line") {
    const half = ptToMm(item.strokePt) / 2;
    const [x1, y1] = item.from;
    const [x2, y2] = item.to;
    return {
      x: Math.min(x1, x2) - half,
      y: Math.min(y1, y2) - half,
      width: Math.abs(x2 - x1) + 2 * half,
      height: Math.abs(y2 - y1) + 2 * half,
    };
  }
  const isOutlined = (item.kind === "box" || item.kind === "ellipse") && item.stroke !== null;
  const half = isOutlined ? ptToMm(item.strokePt) / 2 : 0;
  const { x, y, width, height } = item.at;
  return { x: x - half, y: y - half, width: width + 2 * half, height: height + 2 * half };
}

const show = ({ x, y, width, height }: BoxMm): string =>
  [x, y, width, height].map((mm) => String(Math.round(mm * 100) / 100)).join(", ");

/** How far ink may run over a label's edge without reaching its neighbour. */
export function bleedRoom(sheet: LabelSheet, bleedMm: number): { x: number; y: number } {
  const { label, pitchXMm, pitchYMm } = sheet;
  return {
    x: Math.min(bleedMm, Math.max(0, (pitchXMm - label.widthMm) / 2)),
    y: Math.min(bleedMm, Math.max(0, (pitchYMm - label.heightMm) / 2)),
  };
}

/** The square that a room keeps for a code with its quiet zone. */
export function roomSquare({ safe, codeSideMm: side }: LabelLayout): BoxMm {
  return {
    x: safe.x + (safe.width - side) / 2,
    y: safe.y + (safe.height - side) / 2,
    width: side,
    height: side,
  };
}

/** The grounds of a face's codes, where these are not the paper. */
export function groundsBeneath({ art, rooms }: Face): readonly Ink[] {
  const codes = (art?.items ?? []).filter((item) => item.kind === "code");
  return rooms.flatMap(
    (room, i) => codes[i]?.panel ?? groundOf(art?.items ?? [], roomSquare(room))?.ink ?? [],
  );
}

/**
 * For each code of a face whether anything is printed beneath it: a knocked-out code would show
 * rims.
 */
export function haveInkBeneath({ art, rooms, background }: Face): readonly boolean[] {
  const codes = (art?.items ?? []).filter((item) => item.kind === "code");
  return rooms.map((room, i) => {
    const ground = codes[i]?.panel ?? groundOf(art?.items ?? [], roomSquare(room))?.ink;
    return ground === undefined ? background !== undefined : inkTotal(ground) > 0;
  });
}

/** The line that an item draws. */
function outlineOf(item: ArtItem): { readonly ink: Ink; readonly widthPt: number } | null {
  if (item.kind !== "line" && item.kind !== "box" && item.kind !== "ellipse") return null;
  return item.stroke === null ? null : { ink: item.stroke, widthPt: item.strokePt };
}

const panelOf = (item: ArtItem | undefined): Ink | null =>
  item?.kind === "code" || item?.kind === "symbol" ? item.panel : null;

class ArtChecker {
  readonly problems: Problem[] = [];
  readonly warnings: string[] = [];
  readonly #job: SheetJob;
  readonly #face: Face;
  readonly #items: readonly ArtItem[];
  readonly #field: string;

  constructor(job: SheetJob, face: Face) {
    this.#job = job;
    this.#face = face;
    this.#items = face.art?.items ?? [];
    this.#field = face.side === "back" ? "back.label" : "label";
  }

  run(): void {
    for (const [index, item] of this.#items.entries()) {
      this.#checkPlace(item, index);
      this.#checkInk(item, index);
    }
    const codes = this.#items.flatMap((item, index) => (item.kind === "code" ? [index] : []));
    for (const [at, index] of codes.entries()) {
      const room = this.#face.rooms[at];
      if (room !== undefined) this.#checkCode(roomSquare(room), index);
    }
    for (const { item, number } of symbolsOn(this.#face)) this.#checkCode(item.at, number - 1);
    const symbols = checkSymbolItems(this.#job, this.#face);
    for (const { index, rule, hint } of symbols.faults) this.#problem(index, rule, hint);
    this.warnings.push(...symbols.warnings.map(({ index, says }) => `${this.#say(index)} ${says}`));
  }

  #say(index: number): string {
    const item = this.#items[index];
    const name = this.#face.art?.name ?? "label";
    const of = name === "label" ? "" : ` of ${name}`;
    return `${this.#field}${of}, item ${index + 1} (${item?.kind ?? ""})`;
  }

  #problem(index: number, rule: string, hint?: string): void {
    this.problems.push({
      message: `${this.#say(index)} ${rule}`,
      hint,
      where: { field: this.#field },
    });
  }

  #checkPlace(item: ArtItem, index: number): void {
    const { sheet, bleedMm, layout, safeMm } = this.#job;
    const { label } = sheet;
    const bounds = boundsOf(item);
    if (item.kind !== "line" && (item.at.width <= 0 || item.at.height <= 0)) {
      this.#problem(
        index,
        `must have room on the label, inside its safe area, got ${show(item.at)}`,
      );
      return;
    }
    if (item.kind === "code" || item.kind === "text" || item.kind === "symbol") {
      if (isShaped(label, safeMm)) {
        this.#checkShape(bounds, index);
        return;
      }
      if (contains(layout.safe, bounds, 0.005)) return;
      this.#problem(
        index,
        `must stay in the safe area ${show(layout.safe)}, got ${show(bounds)}`,
        `move it, or make safe_mm smaller${this.#defaultOf("safeMm", defaultSafeMm(sheet))}`,
      );
      return;
    }
    const bleed = bleedRoom(sheet, bleedMm);
    const most = {
      x: -bleed.x,
      y: -bleed.y,
      width: label.widthMm + 2 * bleed.x,
      height: label.heightMm + 2 * bleed.y,
    };
    if (contains(most, bounds, 0.2)) return;
    this.#problem(
      index,
      `must stay on the label${bleed.x + bleed.y > 0 ? " and its bleed" : ""}, ${show(most)}, got ${show(bounds)}`,
      `labels that bleed need a gutter of twice the bleed between them${this.#defaultOf("bleedMm", bleedMm)}`,
    );
  }

  /** In a round outline a box can't say where things may stand. */
  #checkShape(bounds: BoxMm, index: number): void {
    const { sheet, safeMm } = this.#job;
    const over = overshootMm(sheet.label, safeMm, bounds);
    if (over <= 0.005) return;
    this.#problem(
      index,
      `must stay ${safeMm} mm inside of the label's outline, got ${show(bounds)}: a corner runs ${over.toFixed(2)} mm too far out`,
      `move it to the middle, make it smaller, or make safe_mm smaller${this.#defaultOf("safeMm", defaultSafeMm(sheet))}`,
    );
  }

  /** Names a default, which can't be found in the manifest. */
  #defaultOf(option: "safeMm" | "bleedMm", mm: number): string {
    return this.#job.options[option] === undefined ? `; the default is ${mm} mm` : "";
  }

  #checkInk(item: ArtItem, index: number): void {
    const outline = outlineOf(item);
    if (outline !== null) {
      const isSolid = plateCount(outline.ink) === 1 && isFull(outline.ink);
      const least = isSolid ? LEAST_LINE_PT.solid : LEAST_LINE_PT.other;
      if (outline.widthPt < least)
        this.#problem(index, `must have lines of at least ${least} pt, got ${outline.widthPt}`);
    }
    const most = Math.max(0, ...itemInks(item).map((ink) => (ink === null ? 0 : inkTotal(ink))));
    const limit = inkLimitOf(this.#job.options.icc);
    if (most > limit + 1e-9)
      this.#problem(index, `must total ${percent(limit)} of ink at most, got ${percent(most)}`);
    if (item.kind === "text") this.#checkSize(item.style, index);
  }

  #checkSize(style: TextStyle, index: number): void {
    if (plateCount(style.ink) > 1 && style.sizePt < LEAST_MULTI_PT)
      this.#problem(
        index,
        `must be at least ${LEAST_MULTI_PT} pt in several inks, got ${style.sizePt}`,
        "take black or an ink of its own plate for small text",
      );
  }

  #checkCode(square: BoxMm, index: number): void {
    const item = this.#items[index];
    const panel = panelOf(item);
    const beneath = groundOf(this.#items, square);
    const hiddenTo = panel === null ? (beneath?.index ?? -1) : Infinity;
    this.#checkIntruders(square, index, hiddenTo);
    // Symbols are always black.
    const { ink, eyeInk } = item?.kind === "symbol" ? {} : (this.#job.codeStyle ?? {});
    this.#checkContrast(index, panel ?? beneath?.ink ?? PAPER_INK, [ink, eyeInk]);
  }

  #checkIntruders(square: BoxMm, index: number, hiddenTo: number): void {
    for (const [at, other] of this.#items.entries()) {
      if (at === index || !overlaps(boundsOf(other), square, 1e-3)) continue;
      const isPainted = !["text", "code", "symbol"].includes(other.kind);
      const owner = this.#items[index]?.kind === "symbol" ? "symbol" : "code";
      if (isPainted && at <= hiddenTo) continue;
      this.#problem(
        at,
        `must leave the ${owner} and its quiet zone free, ${show(square)}, got ${show(boundsOf(other))}`,
        isPainted
          ? `move it, or give the ${owner} a panel: white`
          : "texts and codes are drawn on top: move one of them",
      );
    }
  }

  #checkContrast(index: number, ground: Ink, inks: readonly (Ink | undefined)[]): void {
    for (const ink of new Set(inks)) {
      if (ink === undefined && ground === PAPER_INK) continue;
      for (const { isRefused, message } of contrastFindings(ink, ground)) {
        if (isRefused) this.#problem(index, message);
        else this.warnings.push(`${this.#say(index)} ${message}`);
      }
    }
  }
}

const isFull = (ink: Ink): boolean =>
  ink.spot === null ? Math.max(...ink.cmyk) === 1 : ink.tint === 1;

const BLACK: Ink = { cmyk: [0, 0, 0, 1], spot: null, tint: 1 };

const percent = (share: number): string => `${Math.round(share * 100)}%`;

interface ContrastFinding {
  readonly isRefused: boolean;
  readonly message: string;
}

/** Faults and warnings of a code's ink on its ground, in white light and in red light. */
export function contrastFindings(
  ink: Ink = BLACK,
  ground: Ink = PAPER_INK,
): readonly ContrastFinding[] {
  const { seen, red } = symbolContrast(ink, ground);
  const found: ContrastFinding[] = [];
  if (seen < CONTRAST.least) {
    found.push({
      isRefused: true,
      message: `must have a symbol contrast of at least ${percent(CONTRAST.least)}, got about ${percent(seen)}`,
    });
  } else if (seen < CONTRAST.good) {
    found.push({
      isRefused: false,
      message: `has a symbol contrast of about ${percent(seen)}; ${percent(CONTRAST.good)} are wanted for grade A`,
    });
  }
  if (red < CONTRAST.least) {
    found.push({
      isRefused: false,
      message: `can hardly be seen by scanners with red light (contrast about ${percent(red)}); phones read it`,
    });
  }
  return found;
}

/** A RIP makes two plates of them, people see one ink. */
function twinSpots(inks: readonly Ink[]): Problem[] {
  const spots = new Map<string, string>();
  return inks.flatMap(({ spot }) => {
    if (spot === null) return [];
    const other = spots.get(spot.toLowerCase());
    spots.set(spot.toLowerCase(), spot);
    if (other === undefined || other === spot) return [];
    const names = `${JSON.stringify(other)} and ${JSON.stringify(spot)}`;
    const message = `inks must not differ in case only, got ${names}`;
    return [{ message, where: { field: "inks" } }];
  });
}

/** Codes in inks on bare paper, beside captions. */
function checkStyle({ codeStyle, faces, options }: SheetJob): ArtFindings {
  const problems: Problem[] = [];
  const warnings = new Set<string>();
  const hasArt = faces[0]?.art !== undefined;
  const style = codeStyle === undefined || hasArt ? [] : [codeStyle.ink, codeStyle.eyeInk];
  const drawings = options.artwork === "server" ? Object.values(options.artworkInks ?? {}) : [];
  const inks = [
    ...distinctInks(style).map((ink) => ({ ink, field: "code_style" })),
    ...distinctInks(drawings).map((ink) => ({ ink, field: "artwork_inks" })),
  ];
  for (const { ink, field } of inks) {
    for (const found of contrastFindings(ink)) {
      const message = `${field} ${found.message}`;
      if (found.isRefused) problems.push({ message, where: { field } });
      else warnings.add(message);
    }
  }
  return { problems, warnings: [...warnings] };
}

/** Places, inks and contrast of everything that stands on the labels of a job. */
export function checkArt(job: SheetJob): ArtFindings {
  const style = checkStyle(job);
  const problems = [...style.problems, ...twinSpots(job.inks)];
  const warnings = [...style.warnings];
  for (const face of job.faces) {
    const checker = new ArtChecker(job, face);
    checker.run();
    problems.push(...checker.problems);
    warnings.push(...checker.warnings);
  }
  const isBare = job.faces.every(({ rooms }) => rooms.length === 0);
  const hasSymbols = job.faces.some((face) => symbolsOn(face).length > 0);
  if (isBare && hasSymbols)
    warnings.push("label has symbols and no code: the rows' own codes are not printed");
  if (isBare && !hasSymbols) {
    problems.push({
      message: "label must have a code, got none on any side",
      hint: "add an item like { code: true, at: [3, 3, 25, 25] }",
      where: { field: "label" },
    });
  }
  return { problems, warnings };
}
