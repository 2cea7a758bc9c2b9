import { readFile } from "node:fs/promises";
import path from "node:path";

import { AppError, type Problem, toMessage } from "../../base/errors.ts";
import { didYouMean } from "../../base/suggest.ts";
import { mmToPt } from "../../base/units.ts";
import type { BoxMm } from "./box.ts";
import { type DeviceDpi, gridNearest } from "./device-grid.ts";
import type { PageFrame } from "./page-frame.ts";

/**
 * How a printer is off, as measured on its alignment page (docs/spec/print.md section 11): what
 * should lie at `p` mm from the page's upper left corner lies at `p * scale + offset`. Pages are
 * drawn so that this is undone.
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
  /** Dots per inch, where the file has them. */
  readonly deviceDpi?: number | undefined;
}

/** Beside the manifest; printer -> what was measured. */
const PRINTERS_FILE = "printers.json";
const MOST_OFFSET_MM = 10;
const SCALE_PERCENT = { least: 97, most: 103 };

/** field of the file -> default, limits. */
const fields = [
  ["offset_x_mm", 0, -MOST_OFFSET_MM, MOST_OFFSET_MM],
  ["offset_y_mm", 0, -MOST_OFFSET_MM, MOST_OFFSET_MM],
  ["scale_x_percent", 100, SCALE_PERCENT.least, SCALE_PERCENT.most],
  ["scale_y_percent", 100, SCALE_PERCENT.least, SCALE_PERCENT.most],
] as const;

/** What the printer can draw; nothing is undone for it. */
const DPI = { name: "device_dpi", least: 72, most: 9600 } as const;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function checkPrinter(entry: unknown): Problem[] {
  if (!isMap(entry)) return [{ message: `printer must be a map, got ${JSON.stringify(entry)}` }];
  const names = [...fields.map(([name]) => name as string), DPI.name];
  const dpi = entry[DPI.name] ?? DPI.least;
  const isDpi = Number.isInteger(dpi) && Number(dpi) >= DPI.least && Number(dpi) <= DPI.most;
  const unknown = Object.keys(entry).filter((name) => !names.includes(name));
  const wrong = fields.filter(([name, usual, least, most]) => {
    const value = entry[name] ?? usual;
    return typeof value !== "number" || !(value >= least && value <= most);
  });
  return [
    ...unknown.map((name) => ({ message: `${name} must be one of ${names.join(", ")}` })),
    ...(isDpi
      ? []
      : [
          {
            message: `${DPI.name} must be a whole number from ${DPI.least} to ${DPI.most}, got ${JSON.stringify(dpi)}`,
          },
        ]),
    ...wrong.map(([name, , least, most]) => ({
      message: `${name} must be a number from ${least} to ${most}, got ${JSON.stringify(entry[name])}`,
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
  if (isMap(value)) return value;
  throw new AppError("bad-usage", "printers must be a map of names, got something else", {
    where: { file },
  });
}

/** What was measured of a printer, from `printers.json` in `folder`. Throws `bad-usage`. */
export async function loadCalibration(printer: string, folder: string): Promise<Calibration> {
  const file = path.join(folder, PRINTERS_FILE);
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new AppError("bad-usage", `printers must be readable, got ${toMessage(cause)}`, {
      where: { file },
      hint: `write { "${printer}": { "offset_x_mm": 0.4, "offset_y_mm": -0.2 } }, as measured on the page of \`makeready sheets align\``,
      cause,
    });
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
  const [offsetXMm = 0, offsetYMm = 0, scaleX = 100, scaleY = 100] = fields.map(
    ([name, usual]) => (entry as Record<string, number>)[name] ?? usual,
  );
  const deviceDpi = (entry as Record<string, number | undefined>)[DPI.name];
  return {
    printer,
    offsetXMm,
    offsetYMm,
    scaleX: scaleX / 100,
    scaleY: scaleY / 100,
    ...(deviceDpi === undefined ? {} : { deviceDpi }),
  };
}

/** From where something should lie to where it is drawn: a factor and a shift in mm per axis, downwards. */
interface Correction {
  readonly factorX: number;
  readonly factorY: number;
  readonly shiftXMm: number;
  readonly shiftYMm: number;
}

const ANYWHERE = { leastMm: Number.NEGATIVE_INFINITY, mostMm: Number.POSITIVE_INFINITY };

/** A mere shift keeps to the device grid; a change of size can't. */
function toCorrection(calibration: Calibration, dpi: DeviceDpi): Correction {
  const { offsetXMm, offsetYMm, scaleX, scaleY } = calibration;
  const shift = (offsetMm: number, scale: number): number =>
    gridNearest(-offsetMm / scale, ANYWHERE, isTrueToSize(calibration) ? dpi : undefined);
  return {
    factorX: 1 / scaleX,
    factorY: 1 / scaleY,
    shiftXMm: shift(offsetXMm, scaleX),
    shiftYMm: shift(offsetYMm, scaleY),
  };
}

/** True when a printer keeps sizes, so that modules may stay on its grid. */
export function isTrueToSize({ scaleX, scaleY }: Calibration): boolean {
  return scaleX === 1 && scaleY === 1;
}

/** `a 0 0 d e f`: the matrix that pages are drawn through, points from the lower left corner. */
export function calibrationMatrix(
  calibration: Calibration,
  frame: PageFrame,
  dpi: DeviceDpi,
): readonly [a: number, d: number, e: number, f: number] {
  const { factorX, factorY, shiftXMm, shiftYMm } = toCorrection(calibration, dpi);
  const heightMm = frame.margins.bottom + frame.trimHeightMm + frame.margins.top;
  return [factorX, factorY, mmToPt(shiftXMm), mmToPt(heightMm * (1 - factorY) - shiftYMm)];
}

/** Where a box of the trimmed sheet is drawn. */
export function calibrateBox(
  box: BoxMm,
  calibration: Calibration,
  frame: PageFrame,
  dpi: DeviceDpi,
): BoxMm {
  const { factorX, factorY, shiftXMm, shiftYMm } = toCorrection(calibration, dpi);
  const { left, top } = frame.margins;
  return {
    x: (left + box.x) * factorX + shiftXMm - left,
    y: (top + box.y) * factorY + shiftYMm - top,
    width: box.width * factorX,
    height: box.height * factorY,
  };
}
