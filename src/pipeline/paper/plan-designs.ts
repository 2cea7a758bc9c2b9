/** What a plan says of designed codes: their inks, their size, and the parts that have no room. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { parseHexColor, toHexColor } from "../../base/color/color.ts";
import { AppError } from "../../base/errors.ts";
import { BLACK_INK, type Ink } from "../../base/shapes/label-art.ts";
import {
  type PressWarning,
  PressTally,
  joinPressWarnings,
} from "../../base/shapes/press-warning.ts";
import { hasLogo, toLevel } from "../../api/design.ts";
import type { Design as Fields } from "../../plan/looks.ts";
import {
  type DesignedCode,
  type DesignRoom,
  openDesignRoom,
} from "../../print/art/designed-code.ts";
import { paleLetters, smallLetters } from "../../print/art/small-letters.ts";
import { openDesignInks, pressOfColors } from "../../print/art/design-inks.ts";
import { type LogoShapes, type PressDesign, readLogoShapes } from "../../print/art/logo-shapes.ts";
import { hexOf } from "../../print/art/svg-picture.ts";
import { codeInkWarnings } from "../../print/draw/press-warnings.ts";
import { isSameInk, shownCmyk } from "../../print/pdf/ink.ts";
import { moduleMm } from "../../print/layout/code-size.ts";
import { checkCodeFits, smallestRoom } from "../../print/plan-sheets.ts";
import { makeSheetJob, type SheetOptions } from "../../print/sheet-job.ts";
import type { Design } from "../../qr/draw/design.ts";
import { type DesignCount, type FrameText, ROWS_KEPT } from "./label-census.ts";
import type { PlannedInk } from "./plan-notes.ts";
import { NO_LOGO, PrintDesigns, sayPictures, SQUARE_LOGO } from "../stages/print-designs.ts";

/** What is known of designed codes before any of them exists. */
export interface DesignPlan {
  /** X of the smallest; undefined where all are plain. */
  readonly xMm: number | undefined;
  readonly inks: readonly PlannedInk[];
  /** Names of SVG logos whose shapes are printed. */
  readonly vectors: readonly string[];
  /** Warnings about modules in these inks. */
  readonly warnings: readonly string[];
  readonly press: readonly PressWarning[];
}

/** Letters of a frame that differ from row to row are as wide as these. */
const toText = (text: unknown): unknown => (text === "…" ? "SCAN ME" : text);

interface Sampled extends Omit<DesignCount, "design"> {
  /** With what its template brings. */
  readonly design: Fields;
}

const sayShares = (ink: Ink): string =>
  shownCmyk(ink)
    .map((share, i) => `${"CMYK"[i]}${Math.round(share * 100)}`)
    .join(" ");

const sayInk = (ink: Ink): string =>
  ink.spot === null
    ? sayShares(ink)
    : `${ink.spot}${ink.tint === 1 ? "" : ` ${Math.round(ink.tint * 100)}%`}`;

/** From this distance in Lab, everyone sees that a colour differs from the design. */
const DULL = 10;

async function planInks(
  options: SheetOptions,
  designs: readonly Design[],
  logos: readonly LogoShapes[],
): Promise<PlannedInk[]> {
  const inks = await openDesignInks(options);
  const drawn = new Map(
    logos.flatMap(({ fills }) => fills.map(({ color }) => [hexOf(color), color] as const)),
  );
  const colors = designs.flatMap(
    ({ primaryColor, eyeColor, backgroundColor, frame, frameColor }) => [
      primaryColor,
      eyeColor,
      ...(backgroundColor === null ? [] : [backgroundColor]),
      ...(frame === null ? [] : [frameColor]),
    ],
  );
  const named = new Set([
    ...colors.map((color) => toHexColor(parseHexColor(color))),
    ...drawn.keys(),
  ]);
  return [...named].map((color): PlannedInk => {
    const shape = drawn.get(color);
    const ink = shape === undefined ? inks.inkOf(color) : inks.shapeInkOf(shape);
    const { r, g, b } = parseHexColor(color);
    // Black alone and named inks are chosen: the press may have others that come nearer.
    const isNearest = !isSameInk(ink, BLACK_INK) && isSameInk(ink, inks.colors.inkOf([r, g, b]));
    const isDull = isNearest && inks.colors.difference([r, g, b], shownCmyk(ink)) > DULL;
    return { color, ink: sayInk(ink), isDull };
  });
}

type Found = NonNullable<ReturnType<DesignRoom["find"]>>;

/** Notes on one design, for all of its rows. */
function toPress(
  record: { readonly key: string },
  { code: drawn, warnings }: Found,
  of: Pick<Sampled, "rows" | "count">,
): PressWarning[] {
  const press = new PressTally();
  const pale = drawn === undefined ? [] : paleLetters(record, drawn);
  for (const { code, what } of [...warnings, ...pale]) press.add(code, record.key, what);
  return press.list().map((warning) => ({ ...warning, ...of }));
}

/** The design; none for one of which nothing is left without its colours. */
const toDrawn = (
  room: DesignRoom | undefined,
  record: Parameters<DesignRoom["find"]>[0] & { readonly design: PressDesign },
): PressDesign[] => (room?.codeOf(record, "whole") === undefined ? [] : [record.design]);

/** Letters with these texts; undefined for a text that the server may draw and this program can't. */
function lettersOf(
  room: DesignRoom,
  code: DesignedCode,
  { text, second }: FrameText,
): number | undefined {
  try {
    return room.lettersWith(code, { text, textSecondary: second });
  } catch (error) {
    if (error instanceof AppError && error.code === "design-invalid") return undefined;
    throw error;
  }
}

/** Texts whose letters are too small, with all of their rows. */
function toSmall(
  room: DesignRoom | undefined,
  { code, xMm }: { readonly code: DesignedCode | undefined; readonly xMm: number | undefined },
  { texts, rows, count }: Pick<Sampled, "texts" | "rows" | "count">,
): PressWarning[] {
  if (room === undefined || code === undefined || xMm === undefined) return [];
  const shown = texts ?? [{ ...wordsOf(code), count, rows: rows.map((key, at) => ({ key, at })) }];
  const small = shown.flatMap((text) => {
    const [found] = smallLetters({ key: "" }, lettersOf(room, code, text), xMm);
    return found === undefined ? [] : [{ ...text, what: found.what ?? [] }];
  });
  if (small.length === 0) return [];
  const first = small.flatMap((text) => text.rows).toSorted((a, b) => a.at - b.at);
  return [
    {
      code: "frame-text-small",
      count: small.reduce((sum, text) => sum + text.count, 0),
      rows: first.slice(0, ROWS_KEPT).map(({ key }) => key),
      what: [...new Set(small.flatMap(({ what }) => what))],
    },
  ];
}

const wordsOf = ({ design: { text, textSecondary: second } }: DesignedCode) => ({ text, second });

interface Logos {
  readonly shapes: ReadonlyMap<string, LogoShapes>;
  /** What other logos have beside shapes, by file name. */
  readonly pictures: ReadonlyMap<string, string>;
}

async function readLogos(files: readonly string[] = []): Promise<Logos> {
  const shapes = new Map<string, LogoShapes>();
  const pictures = new Map<string, string>();
  for (const file of files) {
    const read = await readLogoShapes(await readFile(file));
    if (typeof read === "string") pictures.set(path.basename(file), read);
    else shapes.set(path.basename(file), read);
  }
  return { shapes, pictures };
}

/** Looks at each design once, with a text of about the length that its codes will have. */
export async function planDesigns(
  options: SheetOptions,
  sampled: readonly Sampled[],
  sampleText: string,
  svgLogos?: readonly string[],
): Promise<DesignPlan> {
  const job = makeSheetJob(options);
  const room = await openDesignRoom(job);
  const made = new PrintDesigns();
  const leastRoomMm = smallestRoom(job).codeSideMm;
  const found: Design[] = [];
  const lists: PressWarning[][] = [];
  const codeInks: Ink[] = [];
  const sizes: number[] = [];
  for (const { design: fields, rows, count, texts } of sampled) {
    const shown = {
      ...fields,
      text: toText(fields["text"]),
      text_secondary: toText(fields["text_secondary"]),
    } as Fields;
    const level = toLevel({ design: fields });
    const design = made.of(shown, level, hasLogo(fields) ? { picture: SQUARE_LOGO } : NO_LOGO);
    const record = { key: rows[0] ?? "", payload: sampleText, level, design };
    const drawn = room?.find(
      record,
      ({ matrix, shape }) => checkCodeFits(job, matrix.version, shape).length === 0,
    );
    if (design === undefined || drawn === undefined) continue;
    found.push(...toDrawn(room, { ...record, design }));
    const own = drawn.code && moduleMm(job.rule, drawn.code.shape, leastRoomMm);
    lists.push(toPress(record, drawn, { rows, count }));
    lists.push(toSmall(room, { code: drawn.code, xMm: own }, { texts, rows, count }));
    if (own !== undefined) sizes.push(own);
    if (drawn.code !== undefined) codeInks.push(drawn.code.look.ink, drawn.code.look.eyeInk);
  }
  const other = found.length === 0 ? [] : await pressOfColors(options);
  const logos = await readLogos(svgLogos);
  return {
    xMm: sizes.length === 0 ? undefined : Math.min(...sizes),
    inks: await planInks(options, found, [...logos.shapes.values()]),
    vectors: [...logos.shapes.keys()],
    warnings: codeInkWarnings("the design of codes", codeInks),
    press: joinPressWarnings([...lists, other, sayPictures(logos.pictures)]),
  };
}
