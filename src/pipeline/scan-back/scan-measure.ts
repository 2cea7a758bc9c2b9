/** What all pictures of a scan-back say of the print, as `printers.json` takes it. */
import { type Calibration, findOutside } from "../../print/layout/calibration.ts";
import { type Lie, medianOf } from "../../scan/scan.ts";

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

/** A measure that `printers.json` doesn't take. */
export interface UnfitMeasure {
  readonly field: keyof MeasuredPrinter;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** What pictures say of their resolution, and what they must say by the size of their labels. */
  readonly dpi?: { readonly says: number; readonly fits: number };
}

/** Medians of all pictures. */
export interface PrintMeasure {
  readonly growth?: number;
  readonly contrast?: number;
  /** Degrees clockwise. */
  readonly turn: number;
  /** Only where `printers.json` takes all of it. */
  readonly printer?: MeasuredPrinter;
  /** Why there is no printer. */
  readonly unfit?: UnfitMeasure;
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

/** The first measure that `printers.json` doesn't take. */
function findUnfit(printer: MeasuredPrinter, lies: readonly Lie[]): UnfitMeasure | undefined {
  const [outside] = findOutside({ ...printer });
  if (outside === undefined) return undefined;
  const { least, most } = outside;
  const field = outside.field as keyof MeasuredPrinter;
  const unfit = { field, value: Number(outside.value), least, most };
  const says = medianOf(lies.flatMap(({ dpi }) => dpi ?? []));
  const scale = medianOf(lies.flatMap((lie) => (lie.scale ? (lie.scale.x + lie.scale.y) / 2 : [])));
  const isTrue = scale === undefined || (scale * 100 >= least && scale * 100 <= most);
  if (!field.startsWith("scale_") || isTrue || says === undefined) return unfit;
  return { ...unfit, dpi: { says: round(says, 1), fits: Math.round(says * scale) } };
}

export function measure(
  sheets: readonly MeasuredSheet[],
  calibration: Calibration | undefined,
): PrintMeasure | undefined {
  const turn = medianOf(sheets.map(({ lie }) => lie.turn));
  if (turn === undefined) return undefined;
  const growth = medianOf(sheets.flatMap((sheet) => sheet.growth ?? []));
  const contrast = medianOf(sheets.flatMap((sheet) => sheet.contrast ?? []));
  const lies = sheets.map(({ lie }) => lie);
  const printer = toPrinter(lies, calibration);
  const unfit = printer && findUnfit(printer, lies);
  return {
    turn: round(turn, 2),
    ...(growth === undefined ? {} : { growth: round(growth, 3) }),
    ...(contrast === undefined ? {} : { contrast: round(contrast, 3) }),
    ...(printer === undefined || unfit !== undefined ? {} : { printer }),
    ...(unfit === undefined ? {} : { unfit }),
  };
}
