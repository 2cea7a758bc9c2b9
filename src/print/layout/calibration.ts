import { readFile, realpath } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { isRecord } from "../../base/is-record.ts";
import { AppError, type Problem, toMessage } from "../../base/errors.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { mmToPt } from "../../base/shapes/units.ts";
import type { BoxMm } from "./box.ts";
import { type DeviceDpi, gridNearest } from "./device-grid.ts";
import type { PageFrame } from "./page-frame.ts";

/**
 * How a printer is off, as measured on its alignment page (docs/spec/print.md section 11): what
 * should lie at `p` mm from the page's upper left corner lies at `p * scale`, turned about that corner,
 * plus `offset`. Pages are drawn so that this is undone.
 */
export interface Calibration {
  /** Name of the printer, for the slug. */
  readonly printer: string;
  /** To the right. */
  readonly offsetXMm: number;
  /** Downwards. */
  readonly offsetYMm: number;
  /** 1 = true to size. */
  readonly scaleX: number;
  readonly scaleY: number;
  /** Clockwise, degrees; left out = upright. */
  readonly turnDegrees?: number | undefined;
  /** Dots per inch, where the file has them. */
  readonly deviceDpi?: number | undefined;
}

/** Beside the manifest; printer -> what was measured. */
const PRINTERS_FILE = "printers.json";
const MOST_OFFSET_MM = 10;
const SCALE_PERCENT = { least: 97, most: 103 };
/** The greatest turn: beyond it, paper lies wrong in the feeder. */
const MOST_TURN = 2;

/** field of the file -> default, limits. */
const fields = [
  ["offset_x_mm", 0, -MOST_OFFSET_MM, MOST_OFFSET_MM],
  ["offset_y_mm", 0, -MOST_OFFSET_MM, MOST_OFFSET_MM],
  ["scale_x_percent", 100, SCALE_PERCENT.least, SCALE_PERCENT.most],
  ["scale_y_percent", 100, SCALE_PERCENT.least, SCALE_PERCENT.most],
  ["turn_degrees", 0, -MOST_TURN, MOST_TURN],
] as const;

/** A limit of the printer, not an error to be undone. */
const DPI = { name: "device_dpi", least: 72, most: 9600 } as const;

/** A number of a printer that `printers.json` doesn't take, and what it takes. */
interface OutsideField {
  readonly field: string;
  readonly value: unknown;
  readonly least: number;
  readonly most: number;
}

export type PrinterField = (typeof fields)[number][0];

export const printerFields: readonly PrinterField[] = fields.map(([name]) => name);

/** What was measured of a printer: a number for each field, that of a true one where there is none. */
export const toMeasures = (entry: unknown): Readonly<Record<PrinterField, number>> => {
  const known = isRecord(entry) ? entry : {};
  const pairs = fields.map(([name, usual]) => {
    const value = known[name];
    return [name, typeof value === "number" ? value : usual] as const;
  });
  return Object.fromEntries(pairs) as Record<PrinterField, number>;
};

/** The numbers of a printer that `printers.json` doesn't take. */
export const findOutside = (entry: Readonly<Record<string, unknown>>): OutsideField[] =>
  fields.flatMap(([field, usual, least, most]) => {
    const value = entry[field] ?? usual;
    const isFit = typeof value === "number" && value >= least && value <= most;
    return isFit ? [] : [{ field, value: entry[field], least, most }];
  });

function checkPrinter(entry: unknown): Problem[] {
  if (!isRecord(entry)) return [{ message: `printer must be a map, got ${JSON.stringify(entry)}` }];
  const names = [...fields.map(([name]) => name as string), DPI.name];
  const dpi = entry[DPI.name] ?? DPI.least;
  const isDpi = Number.isInteger(dpi) && Number(dpi) >= DPI.least && Number(dpi) <= DPI.most;
  const unknown = Object.keys(entry).filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => ({ message: `${name} must be one of ${names.join(", ")}` })),
    ...(isDpi
      ? []
      : [
          {
            message: `${DPI.name} must be a whole number from ${DPI.least} to ${DPI.most}, got ${JSON.stringify(dpi)}`,
          },
        ]),
    ...findOutside(entry).map(({ field, value, least, most }) => ({
      message: `${field} must be a number from ${least} to ${most}, got ${JSON.stringify(value)}`,
    })),
  ];
}

function parsePrinters(text: string, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("bad-usage", `printers must be JSON, got ${toMessage(cause)}`, {
      where: { file },
      cause,
    });
  }
  if (isRecord(value)) return value;
  throw new AppError("bad-usage", "printers must be a map of names, got something else", {
    where: { file },
  });
}

const unreadable = (file: string, cause: unknown, hint?: string): AppError =>
  new AppError("bad-usage", `printers must be readable, got ${toMessage(cause)}`, {
    where: { file },
    hint,
    cause,
  });

/** The printers of `folder` as they were measured; none without the file. Throws `bad-usage`. */
export async function readPrinters(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const file = path.join(folder, PRINTERS_FILE);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw unreadable(file, error);
  });
  return text === undefined ? {} : parsePrinters(text, file);
}

/** Puts what was measured of a printer into `printers.json` of `folder`; its other fields and printers stay. */
export async function writePrinter(
  folder: string,
  printer: string,
  measures: Readonly<Record<string, unknown>>,
): Promise<void> {
  const printers = await readPrinters(folder);
  const known = Object.hasOwn(printers, printer) ? printers[printer] : undefined;
  const entry = { ...(isRecord(known) ? known : {}), ...measures };
  const all = [...Object.entries(printers).filter(([name]) => name !== printer), [printer, entry]];
  const file = path.join(folder, PRINTERS_FILE);
  // Of several folders: a link stays one.
  const target = await realpath(file).catch(() => file);
  await writeFileAtomic(target, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** What was measured of a printer, from `printers.json` in `folder`. Throws `bad-usage`. */
export async function loadCalibration(printer: string, folder: string): Promise<Calibration> {
  const file = path.join(folder, PRINTERS_FILE);
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    const entry = `{ "${printer}": { "offset_x_mm": 0.4, "offset_y_mm": -0.2 } }`;
    const hint = `write ${entry}, as measured on the page of \`makeready sheets align\``;
    throw unreadable(file, cause, hint);
  });
  const printers = parsePrinters(text, file);
  if (!Object.hasOwn(printers, printer)) {
    throw new AppError("bad-usage", `printer must be one of ${file}, got "${printer}"`, {
      where: { file },
      hint: didYouMean(printer, Object.keys(printers)),
    });
  }
  const entry = printers[printer];
  const problems = checkPrinter(entry).map((found) => ({ ...found, where: { file } }));
  if (problems.length > 0) {
    throw new AppError("bad-usage", `printer "${printer}" must be measured right`, {
      where: { file },
      problems,
    });
  }
  const measures = toMeasures(entry);
  const turn = measures.turn_degrees;
  const deviceDpi = (entry as Record<string, number | undefined>)[DPI.name];
  return {
    printer,
    offsetXMm: measures.offset_x_mm,
    offsetYMm: measures.offset_y_mm,
    scaleX: measures.scale_x_percent / 100,
    scaleY: measures.scale_y_percent / 100,
    // Left out without a turn, so that older fingerprints hold.
    ...(turn === 0 ? {} : { turnDegrees: turn }),
    ...(deviceDpi === undefined ? {} : { deviceDpi }),
  };
}

/** From where something should lie to where it is drawn: `x' = xx x + xy y + shift`, mm, downwards. */
interface Correction {
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
  readonly shiftXMm: number;
  readonly shiftYMm: number;
}

const ANYWHERE = { leastMm: Number.NEGATIVE_INFINITY, mostMm: Number.POSITIVE_INFINITY };

/** A mere shift keeps to the device grid; a change of size or a turn can't. */
function toCorrection(calibration: Calibration, dpi: DeviceDpi): Correction {
  const { offsetXMm: x, offsetYMm: y, scaleX, scaleY, turnDegrees = 0 } = calibration;
  const turn = (turnDegrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const shift = (mm: number): number =>
    gridNearest(-mm, ANYWHERE, isTrueToSize(calibration) ? dpi : undefined);
  return {
    xx: cos / scaleX,
    xy: sin / scaleX,
    yx: -sin / scaleY,
    yy: cos / scaleY,
    shiftXMm: shift((cos * x + sin * y) / scaleX),
    shiftYMm: shift((cos * y - sin * x) / scaleY),
  };
}

/** True when a printer keeps sizes and turns nothing, so that modules may stay on its grid. */
export function isTrueToSize({ scaleX, scaleY, turnDegrees = 0 }: Calibration): boolean {
  return scaleX === 1 && scaleY === 1 && turnDegrees === 0;
}

/** The matrix that pages are drawn through, points from the lower left corner. */
export function calibrationMatrix(
  calibration: Calibration,
  frame: PageFrame,
  dpi: DeviceDpi,
): readonly [a: number, b: number, c: number, d: number, e: number, f: number] {
  const { xx, xy, yx, yy, shiftXMm, shiftYMm } = toCorrection(calibration, dpi);
  const heightMm = frame.margins.bottom + frame.trimHeightMm + frame.margins.top;
  const [e, f] = [heightMm * xy + shiftXMm, heightMm * (1 - yy) - shiftYMm];
  return [xx, -yx, -xy, yy, mmToPt(e), mmToPt(f)];
}

/** Where a box of the trimmed sheet is drawn; for a turned one, the box around it. */
export function calibrateBox(
  box: BoxMm,
  calibration: Calibration,
  frame: PageFrame,
  dpi: DeviceDpi,
): BoxMm {
  const { xx, xy, yx, yy, shiftXMm, shiftYMm } = toCorrection(calibration, dpi);
  const { left, top } = frame.margins;
  const [x, y] = [left + box.x, top + box.y];
  const { width, height } = box;
  return {
    x: xx * x + xy * (xy < 0 ? y + height : y) + shiftXMm - left,
    y: yy * y + yx * (yx < 0 ? x + width : x) + shiftYMm - top,
    width: xx * width + Math.abs(xy) * height,
    height: yy * height + Math.abs(yx) * width,
  };
}
