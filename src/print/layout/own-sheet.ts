import { AppError, type Problem } from "../../base/errors.ts";
import type { OwnSheet } from "../../base/shapes/own-sheet.ts";
import { checkSheet, ROLL_PAGE, type LabelSheet, type Paper } from "./label-sheet.ts";
import { marginsOn, type MarkRoom, offPaper } from "./page-frame.ts";

/** Sheets as they go into the press: the trimmed page is smaller. */
const pressSizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  SRA3: [320, 450],
  SRA4: [225, 320],
  RA3: [305, 430],
  RA4: [215, 305],
  "12x18": [304.8, 457.2],
  "13x19": [330.2, 482.6],
};

const pageSizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  Letter: [215.9, 279.4],
  Tabloid: [279.4, 431.8],
  ...pressSizes,
};

export type PaperSize = string | readonly [width: number, height: number];

/** A press sheet by its name or its size. */
export function toPaper(size: PaperSize): Paper {
  if (typeof size !== "string")
    return { name: `${size[0]} x ${size[1]}`, widthMm: size[0], heightMm: size[1] };
  const [widthMm, heightMm] = pageSizes[size] ?? [0, 0];
  return { name: size, widthMm, heightMm };
}

/** The paper of a sheet whose page is a press sheet by name: it is never the trimmed size. */
export function paperOf({ page }: OwnSheet): Paper | undefined {
  return typeof page === "string" && Object.hasOwn(pressSizes, page) ? toPaper(page) : undefined;
}

const tidy = (mm: number): number => Math.round(mm * 1e4) / 1e4;

const countFitting = (roomMm: number, sizeMm: number, gapMm: number): number =>
  Math.max(0, Math.floor((roomMm + gapMm + 1e-6) / (sizeMm + gapMm)));

/** Left or top of a centred row of labels. */
const centred = (pageMm: number, count: number, sizeMm: number, gapMm: number): number =>
  tidy((pageMm - count * sizeMm - (count - 1) * gapMm) / 2);

interface Extent {
  readonly name: string;
  readonly width: number;
  /** Undefined on a roll: as long as its rows. */
  readonly height: number | undefined;
}

function pageOf({ page, roll }: OwnSheet): Extent {
  if (roll !== null) return { name: ROLL_PAGE, width: roll, height: undefined };
  if (page !== null && typeof page !== "string") {
    return { name: `${page[0]} x ${page[1]}`, width: page[0], height: page[1] };
  }
  const name = page ?? "A4";
  const [width, height] = pageSizes[name] ?? [0, 0];
  return { name, width, height };
}

/** Default margin between labels and the edge of a page. */
const DEFAULT_MARGIN_MM = 5;

/**
 * Least space to the edge. The default margin must not keep labels out: rolls have none, nor have
 * pages on which a label needs the room.
 */
function marginOf({ margin, label, columns, rows }: OwnSheet, { width, height }: Extent): number {
  if (margin !== null) return margin;
  if (height === undefined) return 0;
  const [labelWidth, labelHeight] = label;
  const hasRoom =
    (columns !== null || labelWidth + 2 * DEFAULT_MARGIN_MM <= width) &&
    (rows !== null || labelHeight + 2 * DEFAULT_MARGIN_MM <= height);
  return hasRoom ? DEFAULT_MARGIN_MM : 0;
}

/** Only a margin of the manifest can be in the way. */
const describeMargin = ({ margin }: OwnSheet): string =>
  margin === null || margin === 0 ? "" : ` with a margin of ${margin} mm`;

/** Labels across and down. */
interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** Room for labels. */
interface Room {
  readonly width: number;
  /** Undefined on a roll. */
  readonly height: number | undefined;
}

/** How many labels fit, where there are more. */
function mostFitting({ label, gutter }: OwnSheet, grid: Grid, room: Room): string[] {
  const columns = countFitting(room.width, label[0], gutter[0]);
  const rows = countFitting(room.height ?? Infinity, label[1], gutter[1]);
  if (columns === 0 || rows === 0) return [];
  return [
    ...(grid.columns > columns ? [`say columns: ${columns} or fewer`] : []),
    ...(grid.rows > rows ? [`say rows: ${rows} or fewer`] : []),
  ];
}

/** The error of labels that do not fit the page; `room`: what of it they may cover. */
function refuseGrid(own: OwnSheet, page: Required<Extent>, grid: Grid, room: Room): never {
  const { label, roll } = own;
  const margin = describeMargin(own);
  const what = margin === "" ? "labels or gutter" : "labels, gutter or margin";
  const larger = `make ${what} smaller, or take a larger ${roll === null ? "page" : "roll"}`;
  throw new AppError(
    "sheet-unknown",
    `labels of ${label[0]} x ${label[1]} mm must fit ${page.name} (${page.width} x ${page.height} mm)${margin}, got ${grid.columns} x ${grid.rows} of them`,
    { hint: [...mostFitting(own, grid, room), larger].join(", ") },
  );
}

/** The room of a page inside the margin of its manifest. */
function roomInside({ margin }: OwnSheet, { width, height }: Extent): Room {
  const least = 2 * (margin ?? 0);
  return { width: width - least, height: height === undefined ? undefined : height - least };
}

/**
 * The sheet with as many labels as fit, centred on the page. On a roll the gaps before the first
 * and behind the last row are half a gutter, so that pages continue each other.
 * Throws `sheet-unknown` when nothing fits.
 */
export function makeOwnSheet(own: OwnSheet): LabelSheet {
  const { label, gutter, radius } = own;
  const page = pageOf(own);
  const margin = marginOf(own, page);
  const [width, height] = label;
  const [across, down] = gutter;
  const columns = own.columns ?? countFitting(page.width - 2 * margin, width, across);
  const fitting =
    page.height === undefined ? 1 : countFitting(page.height - 2 * margin, height, down);
  const rows = own.rows ?? fitting;
  const pageHeight = page.height ?? rows * (height + down);
  const sheet: LabelSheet = {
    name: `${own.roll === null ? page.name.toLowerCase().replaceAll(" ", "") : `roll-${own.roll}`}-${columns * rows}up-${width}x${height}`,
    title: `${page.name}, ${columns} x ${rows} labels of ${width} x ${height} mm`,
    stock: own.stock ?? (own.roll === null ? "plain" : "labels"),
    page: { name: page.name, widthMm: page.width, heightMm: tidy(pageHeight) },
    label: {
      shape: own.shape ?? "rectangle",
      widthMm: width,
      heightMm: height,
      cornerRadiusMm: radius,
    },
    columns,
    rows,
    perSheet: columns * rows,
    leftMm: centred(page.width, columns, width, across),
    topMm: centred(pageHeight, rows, height, down),
    pitchXMm: tidy(width + across),
    pitchYMm: tidy(height + down),
    sameAs: [],
    origin: "the job's manifest",
    status: "verified",
    note: "",
  };
  refuseWrong(own, sheet, page);
  return sheet;
}

/** Throws `sheet-unknown` for measures that contradict each other, and for labels that need more room. */
function refuseWrong(own: OwnSheet, sheet: LabelSheet, page: Extent): void {
  const { leftMm, topMm, columns, rows } = sheet;
  const problems = checkSheet(sheet);
  if (problems.length === 0) return;
  // Faults that follow from too large labels are not listed.
  if (Math.min(columns - 1, rows - 1, leftMm, topMm) >= 0) {
    throw new AppError("sheet-unknown", "the sheet's measures must agree", { problems });
  }
  refuseGrid(own, { ...page, height: sheet.page.heightMm }, sheet, roomInside(own, page));
}

/** As many labels as fit the paper with its marks; the trimmed page is what they cover. */
export function makeSheetOnPaper(own: OwnSheet, paper: Paper, room: MarkRoom): LabelSheet {
  const { label, gutter, margin } = own;
  const least = margin ?? 0;
  const ends =
    paper.isCentred === true ? 2 * Math.max(room.top, room.bottom) : room.top + room.bottom;
  const across = paper.widthMm - 2 * Math.max(least, room.side);
  const down = paper.heightMm - Math.max(2 * least, ends);
  const columns = Math.max(1, own.columns ?? countFitting(across, label[0], gutter[0]));
  const rows = Math.max(1, own.rows ?? countFitting(down, label[1], gutter[1]));
  const block = [
    columns * label[0] + (columns - 1) * gutter[0],
    rows * label[1] + (rows - 1) * gutter[1],
  ] as const;
  const sheet = makeOwnSheet({ ...own, page: block, margin: 0, columns, rows });
  const name = paper.name.toLowerCase().replaceAll(" ", "");
  const size = `${label[0]} x ${label[1]}`;
  return {
    ...sheet,
    name: `${name}-${columns * rows}up-${label[0]}x${label[1]}`,
    title: `${paper.name}, ${columns} x ${rows} labels of ${size} mm`,
    paper,
  };
}

/** What lies around the page of a sheet on its paper, mm. */
function aroundPage({ roll }: OwnSheet, sheet: LabelSheet, room: MarkRoom) {
  const { paper } = sheet;
  const isOnPaper = paper !== undefined && roll === null;
  return isOnPaper ? marginsOn(paper, sheet, room) : { left: 0, top: 0, bottom: 0 };
}

/** A warning of labels nearer to the edge than the margin that the manifest writes. */
export function findNearEdge(
  own: OwnSheet,
  sheet: LabelSheet,
  room: MarkRoom,
): Problem | undefined {
  const { left, top, bottom } = aroundPage(own, sheet, room);
  const ends = own.roll === null ? Math.min(top, bottom) + sheet.topMm : Infinity;
  const nearestMm = Math.min(left + sheet.leftMm, ends);
  // Less is rounding.
  if (nearestMm >= (own.margin ?? 0) - 1e-3) return undefined;
  const { name, widthMm: width, heightMm } = sheet.paper ?? sheet.page;
  const height = own.roll === null ? heightMm : undefined;
  const inside = roomInside(own, { name, width, height });
  // Off the middle, where the slug needs the room.
  const down = inside.height === undefined ? undefined : inside.height - Math.max(0, bottom - top);
  const most = mostFitting(own, sheet, { ...inside, height: down });
  return {
    message: `labels are ${tidy(nearestMm)} mm from the edge of ${name}, nearer than the margin of ${own.margin} mm that the manifest writes`,
    hint: [...most, "or make labels, gutter or margin smaller"].join(", "),
  };
}

/** A sheet whose page, or else the block of its labels, is cut out of the paper. */
export function putOnPaper(sheet: LabelSheet, paper: Paper, bleedMm: number): LabelSheet {
  const whole = { ...sheet, paper };
  const over = offPaper(whole, bleedMm);
  if (over.x === 0 && over.y === 0) return whole;
  const { label, columns, rows, pitchXMm, pitchYMm } = sheet;
  const widthMm = tidy((columns - 1) * pitchXMm + label.widthMm);
  const heightMm = tidy((rows - 1) * pitchYMm + label.heightMm);
  return { ...whole, page: { ...sheet.page, widthMm, heightMm }, leftMm: 0, topMm: 0 };
}

/** From small to large. */
const GROWN = { metric: ["SRA4", "A3", "RA3", "SRA3"], us: ["Tabloid", "12x18", "13x19"] } as const;

/** Name of the smallest press sheet that a page fits with its marks; undefined where none has a name. */
export function findPaper(sheet: LabelSheet, bleedMm: number): string | undefined {
  const names = /letter|legal|tabloid/iu.test(sheet.page.name) ? GROWN.us : GROWN.metric;
  return names.find((name) => {
    const { x, y } = offPaper({ ...sheet, paper: toPaper(name) }, bleedMm);
    return x === 0 && y === 0;
  });
}
