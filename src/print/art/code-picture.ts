/** A code as the sheets print it, for people to look at: SVG in the colours that inks have on screens, about. */
import { type Ink, BLACK_INK } from "../../base/shapes/label-art.ts";
import { eyesPath } from "../../qr/draw/eyes.ts";
import { modulesPath } from "../../qr/draw/modules.ts";
import { encodeQr, type QrMatrix } from "../../qr/encode/encode.ts";
import { QUIET_ZONE } from "../../qr/encode/tables.ts";
import { PAPER_INK, shownCmyk } from "../pdf/ink.ts";
import { checkCodeFits } from "../plan-sheets.ts";
import { type DesignedCode, openDesignRoom } from "./designed-code.ts";
import { makeSheetJob, type SheetJob, type SheetOptions, type SheetRecord } from "../sheet-job.ts";
import { readServerCode, type ServerCode } from "./server-code.ts";
import { loadDecoder } from "../../qr/read/load-decoder.ts";
import { toPathData } from "./svg-path.ts";

const hex = (share: number): string =>
  Math.round(share * 255)
    .toString(16)
    .padStart(2, "0");

export function toScreen(ink: Ink): string {
  const [c, m, y, k] = shownCmyk(ink);
  return `#${[c, m, y].map((share) => hex((1 - share) * (1 - k))).join("")}`;
}

interface Layer {
  readonly ink: Ink;
  readonly path: string;
  readonly rule?: "nonzero" | "evenodd";
}

function layersOf(matrix: QrMatrix, style: SheetJob["codeStyle"]): Layer[] {
  const { pattern, eyes, ink, eyeInk } = style ?? {
    pattern: "Original",
    eyes: "Square",
    ink: BLACK_INK,
    eyeInk: BLACK_INK,
  };
  const at = { x: 0, y: 0, withEyes: false };
  return [
    { ink, path: modulesPath(matrix, pattern, at) },
    { ink: eyeInk, path: eyesPath(eyes, matrix.size, 0, 0) },
  ];
}

function toSvg(size: number, layers: readonly Layer[]): string {
  const side = size + 2 * QUIET_ZONE;
  const paths = layers.map(
    ({ ink, path, rule = "nonzero" }) =>
      `<path fill="${toScreen(ink)}" fill-rule="${rule}" d="${path}"/>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}">` +
    `<rect x="${-QUIET_ZONE}" y="${-QUIET_ZONE}" width="${side}" height="${side}" fill="#ffffff"/>${paths.join("")}</svg>`
  );
}

/** The code that the sheets print: that of the artwork where there is room for it. */
function toMatrix(job: SheetJob, { payload, level, drawn }: SheetRecord): QrMatrix {
  const own = (): QrMatrix => encodeQr(payload, { level });
  if (drawn === undefined) return own();
  const wanted = encodeQr(payload, drawn);
  return checkCodeFits(job, wanted.version).length === 0 ? wanted : own();
}

async function readDrawing(
  inks: NonNullable<SheetJob["drawingInks"]>,
  { svg, payload, level }: SheetRecord,
): Promise<ServerCode | undefined> {
  if (svg === undefined) return undefined;
  const read = await readServerCode(svg, { payload, level, inks }, await loadDecoder());
  return "reason" in read ? undefined : read;
}

/** A designed code with all that stands around it, in the screen colours of its inks. */
function drawDesigned({ matrix, design, look, around }: DesignedCode): string {
  const { width, height, codeX: x, codeY: y, cleared, frame, logo } = around;
  const whole = `M0 0h${width}v${height}h${-width}z`;
  const layers: Layer[] = [
    { ink: look.ground ?? PAPER_INK, path: whole },
    ...frame.map(({ fill, path }) => ({ ink: look.inkOf(fill), path })),
    {
      ink: look.ink,
      path: modulesPath(matrix, design.pattern, { x, y, cleared, withEyes: false }),
    },
    { ink: look.eyeInk, path: eyesPath(design.eyeStyle, matrix.size, x, y) },
  ];
  const paths = layers.map(({ ink, path }) => `<path fill="${toScreen(ink)}" d="${path}"/>`);
  const picture =
    logo === undefined
      ? ""
      : `<image x="${logo.x}" y="${logo.y}" width="${logo.width}" height="${logo.height}" href="${logo.href}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">` +
    `${paths.join("")}${picture}</svg>`
  );
}

/** A code as a sheet prints it. */
export interface CodePicture {
  readonly svg: string;
  /** Its design is there, whole. */
  readonly isDesigned: boolean;
}

/** Opens a drawer of a job's codes as its sheets print them. */
export function openCodePictures(
  options: SheetOptions,
): (record: SheetRecord) => Promise<CodePicture> {
  const draw = openPlainPictures(options);
  const job = makeSheetJob(options);
  const room = openDesignRoom(job);
  return async (record) => {
    const found = (await room)?.find(
      record,
      ({ matrix, shape }) => checkCodeFits(job, matrix.version, shape).length === 0,
    );
    const svg = found?.code === undefined ? await draw(record) : drawDesigned(found.code);
    return { svg, isDesigned: found === undefined || found.warnings.length === 0 };
  };
}

function openPlainPictures(options: SheetOptions): (record: SheetRecord) => Promise<string> {
  const job = makeSheetJob(options);
  const { codeStyle, drawingInks: inks } = job;
  return async (record) => {
    const drawing = inks && (await readDrawing(inks, record));
    if (drawing === undefined) {
      const matrix = toMatrix(job, record);
      return toSvg(matrix.size, layersOf(matrix, codeStyle));
    }
    const { matrix, fills } = drawing;
    if (fills.length === 0) return toSvg(matrix.size, layersOf(matrix, undefined));
    const layers = fills.map(({ ink, rule, path }) => ({ ink, rule, path: toPathData(path) }));
    return toSvg(matrix.size, layers);
  };
}
