/** What all pictures of a scan-back say of the print, as `printers.json` takes it. */
import type { Calibration } from "../print/layout/calibration.ts";
import { type Lie, medianOf } from "../scan/scan.ts";

/** What one picture shows of one sheet. */
interface MeasuredSheet {
  readonly lie: Lie;
  readonly growth?: number;
  readonly contrast?: number;
}

/** A printer as `printers.json` takes it, with what was measured put on top of what it had. */
export interface MeasuredPrinter {
  readonly offset_x_mm?: number;
  readonly offset_y_mm?: number;
  readonly scale_x_percent: number;
  readonly scale_y_percent: number;
  /** Clockwise; there only together with the offset. */
  readonly turn_degrees?: number;
}

/** Medians of all pictures. */
export interface PrintMeasure {
  readonly growth?: number;
  readonly contrast?: number;
  /** Degrees clockwise. */
  readonly turn: number;
  readonly printer?: MeasuredPrinter;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

const EXACT = { offsetXMm: 0, offsetYMm: 0, scaleX: 1, scaleY: 1 };

/** Adds what was measured to the corrections that the pages have already. */
function toPrinter(
  lies: readonly Lie[],
  calibration: Calibration | undefined,
): MeasuredPrinter | undefined {
  const scales = lies.flatMap(({ scale }) => scale ?? []);
  const offsets = lies.flatMap(({ offsetMm }) => offsetMm ?? []);
  const [scaleX, scaleY] = [medianOf(scales.map(({ x }) => x)), medianOf(scales.map(({ y }) => y))];
  if (scaleX === undefined || scaleY === undefined) return undefined;
  const known: Omit<Calibration, "printer"> = calibration ?? EXACT;
  const scale = {
    scale_x_percent: round(scaleX * known.scaleX * 100, 2),
    scale_y_percent: round(scaleY * known.scaleY * 100, 2),
  };
  const [x, y] = [medianOf(offsets.map((one) => one.x)), medianOf(offsets.map((one) => one.y))];
  const straight = lies.filter(({ offsetMm }) => offsetMm !== undefined);
  const turn = medianOf(straight.map((lie) => lie.turn));
  if (x === undefined || y === undefined || turn === undefined) return scale;
  const angle = (turn * Math.PI) / 180;
  const [right, down] = [known.offsetXMm * scaleX, known.offsetYMm * scaleY];
  return {
    offset_x_mm: round(x + Math.cos(angle) * right - Math.sin(angle) * down, 2),
    offset_y_mm: round(y + Math.sin(angle) * right + Math.cos(angle) * down, 2),
    ...scale,
    turn_degrees: round(turn + (known.turnDegrees ?? 0), 2),
  };
}

export function measure(
  sheets: readonly MeasuredSheet[],
  calibration: Calibration | undefined,
): PrintMeasure | undefined {
  const turn = medianOf(sheets.map(({ lie }) => lie.turn));
  if (turn === undefined) return undefined;
  const growth = medianOf(sheets.flatMap((sheet) => sheet.growth ?? []));
  const contrast = medianOf(sheets.flatMap((sheet) => sheet.contrast ?? []));
  const printer = toPrinter(
    sheets.map(({ lie }) => lie),
    calibration,
  );
  return {
    turn: round(turn, 2),
    ...(growth === undefined ? {} : { growth: round(growth, 3) }),
    ...(contrast === undefined ? {} : { contrast: round(contrast, 3) }),
    ...(printer === undefined ? {} : { printer }),
  };
}
