import type { Problem } from "../base/errors.ts";
import type { PressWarning } from "../base/shapes/press-warning.ts";
import { sizeOfVersion } from "../qr/encode/tables.ts";
import { checkOptions } from "./check-options.ts";
import {
  type CodeShape,
  moduleMm,
  placeCode,
  plainShape,
  zoneModules,
} from "./layout/code-size.ts";
import { isTrueToSize } from "./layout/calibration.ts";
import { gridCeil } from "./layout/device-grid.ts";
import { colorBar } from "./draw/color-bar.ts";
import { platesOf } from "./draw/plates.ts";
import { checkArt } from "./art/check-art.ts";
import { type Face, safeLayout } from "./fonts/face.ts";
import { defaultSafeMm, type LabelLayout } from "./layout/label-layout.ts";
import { cellBox, type LabelSheet } from "./layout/label-sheet.ts";
import { countVolumes, makeSheetJob, type SheetJob, type SheetOptions } from "./sheet-job.ts";
import { pressWarnings, reductionProblems } from "./draw/press-warnings.ts";
import { slugBand } from "./draw/slug.ts";

/** Facts about the records before any code exists. */
export interface SheetSample {
  readonly count: number;
  /** Labels before overs, where records have copies of their own. */
  readonly labels?: number | undefined;
  /** Largest QR version among them, 1 to 40. */
  readonly maxVersion: number;
}

/** The figures of a sheet job, and its faults. */
export interface SheetPlan {
  readonly sheets: number;
  readonly volumes: number;
  /** Copies, overs and those of spare cells included. */
  readonly labels: number;
  /** The X that the job sets; undefined = as large as fits. */
  readonly xWantedMm: number | undefined;
  /** X of the largest version, on the device grid. */
  readonly xMm: number;
  /** Side of that symbol with its quiet zone. */
  readonly codeSideMm: number;
  /** Why the job can't be printed; each is a `layout-impossible`. Empty = it can. */
  readonly problems: readonly Problem[];
  /** Warnings to read before printing. */
  readonly warnings: readonly string[];
  /** What will differ on the sheets from what the job wants, as data. */
  readonly press: readonly PressWarning[];
}

/** Under this, a module of 0.33 mm is less than two pixels. */
const COARSE_DPI = 150;

const mm = (value: number): string => `${value.toFixed(3)} mm`;

interface Fitted {
  readonly version: number;
  readonly shape: CodeShape;
}

/** What gives a code more room; nothing that can't. */
function roomHints(job: SheetJob, face: Face): string[] {
  const { options, sheet, safeMm, layout } = job;
  const oneLine = safeLayout(options, 1);
  const hasLines = face.art === undefined && oneLine.codeSideMm > layout.codeSideMm + 1e-9;
  const safe = options.safeMm === undefined ? ` (the default is ${defaultSafeMm(sheet)} mm)` : "";
  return [
    "use larger labels",
    ...(hasLines ? ["fewer caption lines"] : []),
    ...(safeMm > 0 ? [`a smaller safe_mm${safe}`] : []),
  ];
}

const either = (hints: readonly string[]): string =>
  hints.length < 2 ? hints.join("") : `${hints.slice(0, -1).join(", ")} or ${hints.at(-1)}`;

/** X that the job itself sets, though no code may have it. */
function wantedTooSmall({ rule, leastXMm }: SheetJob): Problem | undefined {
  const { xDimensionMm, qrSizeMm, dpi } = rule;
  if (xDimensionMm === undefined || qrSizeMm !== undefined) return undefined;
  if (gridCeil(xDimensionMm, dpi) >= leastXMm - 1e-9) return undefined;
  return {
    message: `x_dimension_mm must be at least ${leastXMm}, got ${xDimensionMm}`,
    where: { field: "xDimensionMm" },
    hint: `say ${leastXMm} or more, or leave it out: codes are then as large as fits`,
  };
}

/** The least `qrSizeMm` with modules that are large enough for a code, up to a hundredth. */
function leastSizeMm({ rule, leastXMm }: SheetJob, { size }: CodeShape): number {
  return Math.ceil(size * gridCeil(leastXMm, rule.dpi) * 100 - 1e-6) / 100;
}

function tooSmallProblem(
  job: SheetJob,
  face: Face,
  { version, shape, xMm }: Fitted & { readonly xMm: number },
): Problem {
  const wanted = wantedTooSmall(job);
  if (wanted !== undefined) return wanted;
  const { rule, leastXMm, sheet } = job;
  const at = rule.dpi === undefined ? "" : ` on the grid of ${rule.dpi} dpi`;
  const says = `module (X) must be at least ${mm(leastXMm)}, got ${mm(xMm)}${at}`;
  const leastMm = leastSizeMm(job, shape);
  const isAsked = rule.qrSizeMm !== undefined && rule.qrSizeMm < leastMm;
  const larger = { ...job, rule: { ...rule, qrSizeMm: leastMm } };
  if (isAsked && checkCodeFits(larger, version, shape).length === 0) {
    return {
      message: `qr_size_mm must be at least ${leastMm} for a version ${version} code, got ${rule.qrSizeMm}: ${says}`,
      where: { field: "qrSizeMm" },
      hint: `say ${leastMm} or more, or leave it out: codes are then as large as fits`,
    };
  }
  const then = isAsked
    ? `; a version ${version} code needs a qr_size_mm of ${leastMm} or more`
    : "";
  return {
    message: `${says} for a version ${version} code on ${sheet.name}`,
    where: { field: "sheets" },
    hint: `${either([...roomHints(job, face), "shorter content (a dynamic code is short)", "a lower error correction"])}${then}`,
  };
}

/** The size that the job sets, where a smaller one would do. */
function sizeHints({ rule, options }: SheetJob, { version, shape }: Fitted): string[] {
  const { xDimensionMm, qrSizeMm } = rule;
  if (xDimensionMm === undefined && qrSizeMm === undefined) return [];
  const free = makeSheetJob({ ...options, xDimensionMm: undefined, qrSizeMm: undefined });
  if (checkCodeFits(free, version, shape).length > 0) return [];
  return [qrSizeMm === undefined ? "lower x_dimension_mm" : "lower qr_size_mm"];
}

/** The edge that is kept clear takes the whole label. */
function noRoomProblem({ sheet, safeMm }: SheetJob): Problem {
  const { widthMm, heightMm } = sheet.label;
  return {
    message: `safe_mm must leave room for a code on a label of ${widthMm} × ${heightMm} mm, got ${safeMm} mm clear of every edge`,
    where: { field: "safeMm" },
    hint: `say less, or leave it out: the default is ${defaultSafeMm(sheet)} mm`,
  };
}

function roomProblem(
  job: SheetJob,
  face: Face,
  layout: LabelLayout,
  { version, shape }: Fitted,
): Problem[] {
  const room = layout.codeSideMm;
  const { widthMm, heightMm } = job.sheet.label;
  if (job.safeMm * 2 >= Math.min(widthMm, heightMm)) return [noRoomProblem(job)];
  const xMm = moduleMm(job.rule, shape, room);
  const side = shape.side * xMm;
  if (xMm < job.leastXMm - 1e-9) return [tooSmallProblem(job, face, { version, shape, xMm })];
  const placed = placeCode(
    { layout, cell: cellBox(face.sheet, 0, 0), frame: job.frame, rule: job.rule },
    shape,
    side,
  );
  if (side <= room + 1e-6 && placed !== undefined && placed.xMm >= job.leastXMm - 1e-9) return [];
  return [
    {
      message: `a version ${version} code with its quiet zone must fit ${mm(room)} of a label of ${job.sheet.name}, got ${mm(side)} at X ${mm(xMm)}`,
      where: { field: "sheets" },
      hint: either([...sizeHints(job, { version, shape }), ...roomHints(job, face)]),
    },
  ];
}

/** Faults of a code of `version` on this job's labels; empty = it fits. */
export function checkCodeFits(
  job: SheetJob,
  version: number,
  shape: CodeShape = plainShape(sizeOfVersion(version)),
): Problem[] {
  for (const face of job.faces) {
    for (const layout of face.rooms) {
      const problems = roomProblem(job, face, layout, { version, shape });
      if (problems.length > 0) return problems;
    }
  }
  return [];
}

const sources: Record<Exclude<LabelSheet["status"], "verified">, string> = {
  conflicting: "sources that disagree",
  "one-source": "one source",
  "two-sources": "two sources, none of them a real sheet",
};

function originWarnings({ name, status }: LabelSheet): string[] {
  if (status === "verified") return [];
  return [
    `sheet ${name}: its geometry is from ${sources[status]}; hold one printed page against real stock first`,
  ];
}

const UNMARKED = "nothing on it says that this is a rehearsal";

/** True where one of these warnings says that a rehearsal's sheets have no room to say so. */
export const areUnmarked = (warnings: readonly string[]): boolean =>
  warnings.some((warning) => warning.endsWith(UNMARKED));

/** Warnings that hold for a whole job with any records. */
export function jobWarnings(job: SheetJob): string[] {
  const warnings = originWarnings(job.sheet);
  if (slugBand(job.sheet, job.frame) === undefined) {
    const rehearsal = job.options.slug.rehearsal ? `: ${UNMARKED}` : "";
    warnings.push(
      `sheet ${job.sheet.name} has no room above or below its labels for the slug line; it is left out${rehearsal}`,
    );
  }
  const { dpi } = job.rule;
  const { calibration } = job.options;
  if (dpi !== undefined && calibration !== undefined && !isTrueToSize(calibration)) {
    const does = calibration.turnDegrees === undefined ? "changes sizes" : "turns pages";
    warnings.push(
      `printer ${calibration.printer} ${does}: modules can't be on the grid of ${dpi} dpi`,
    );
  }
  if (dpi !== undefined && dpi < COARSE_DPI) {
    warnings.push(`device_dpi ${dpi} is coarse: X can only be a multiple of ${mm(25.4 / dpi)}`);
  }
  return warnings;
}

/** Warnings of marks and lines that the job wants, but its stock has no room for. */
export function jobPress(job: SheetJob): PressWarning[] {
  const { sheet, frame, marks, faces, options } = job;
  const isCut = sheet.stock === "labels";
  const hasNoBar =
    marks.includes("bar") &&
    faces.some((face) => colorBar(face.sheet, frame, platesOf(job, face)).length === 0);
  const what = [
    ...(isCut && options.marks.length > 0 ? ["marks"] : []),
    ...(isCut && options.dieLine !== undefined ? ["die lines"] : []),
    ...(hasNoBar ? ["colour bar"] : []),
  ];
  if (what.length === 0) return [];
  return [{ code: "marks-left-out", count: what.length, rows: [], what }];
}

/** Where codes have the least room. */
export function smallestRoom(job: SheetJob): LabelLayout {
  const rooms = job.faces.flatMap((face) => face.rooms);
  return rooms.reduce(
    (least, room) => (room.codeSideMm < least.codeSideMm ? room : least),
    rooms[0] ?? job.layout,
  );
}

/** Options that say which cells labels go to: with a fault in them, nothing can be counted. */
const GRID_FIELDS: ReadonlySet<string> = new Set(["spares", "start"]);

const NO_VOLUMES = { sheets: 0, volumes: 0, labels: 0 };

/** Pure: sizes, sheets and volumes of a job, and all its faults, before any call is made. */
export function planSheets(options: SheetOptions, sample: SheetSample): SheetPlan {
  const job = makeSheetJob(options);
  const size = sizeOfVersion(sample.maxVersion);
  const layout = smallestRoom(job);
  const xMm = moduleMm(job.rule, size, layout.codeSideMm);
  const art = checkArt(job);
  const faults = checkOptions(options);
  const hasGrid = !faults.some(({ where }) => GRID_FIELDS.has(where?.field ?? ""));
  const wrong = [...faults, ...art.problems];
  const unfit = wrong.length > 0 ? wrong : checkCodeFits(job, sample.maxVersion);
  const problems = unfit.length > 0 ? unfit : reductionProblems(job, xMm);
  const placed = placeCode(
    { layout, cell: cellBox(job.sheet, 0, 0), frame: job.frame, rule: job.rule },
    size,
    layout.codeSideMm,
  );
  const drawnMm = placed?.xMm ?? xMm;
  return {
    ...(hasGrid ? countVolumes(job, sample.count, sample.labels) : NO_VOLUMES),
    xWantedMm: options.xDimensionMm,
    xMm: drawnMm,
    codeSideMm: drawnMm * zoneModules(size),
    problems,
    warnings: [...jobWarnings(job), ...pressWarnings(job, drawnMm), ...art.warnings],
    press: jobPress(job),
  };
}
