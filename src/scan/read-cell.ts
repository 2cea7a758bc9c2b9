/** Second tries: a cell is cut out by the fit of its sheet, set upright, enlarged, cleaned and read again. */
import { sha256 } from "../base/ids/ids.ts";
import type { GreyImage, LookOptions, QrDecoder, SeenCode } from "../qr/read/decode.ts";
import { QUIET_ZONE } from "../qr/encode/tables.ts";
import { cutOut, greyBelow, stretchGreys, takeSpecks } from "./cut-out.ts";
import { cornersOf, middleOf } from "./find-sheet.ts";
import { applyFit, type Fit } from "./fit.ts";
import type { ScanCell } from "./sheet.ts";

/** The result of a closer look at a cell. */
export interface CellLook {
  /** Its own code, as well as it can be read. */
  readonly own: SeenCode | undefined;
  /** The text of another code in its place. */
  readonly other: string | undefined;
  /** Share of the code's square that is dark, 0 to 1. */
  readonly darkShare: number;
}

/** Fewer modules of white would be no quiet zone, more would show neighbours. */
const ROOM_MODULES = QUIET_ZONE + 1;

interface Try {
  /** Pixels of a module. */
  readonly pitch: number;
  readonly prepare: (image: GreyImage) => GreyImage;
  readonly options: LookOptions;
}

const asIs = (image: GreyImage): GreyImage => image;
const clean = (image: GreyImage): GreyImage => stretchGreys(takeSpecks(image));

const tries: readonly Try[] = [
  { pitch: 6, prepare: asIs, options: {} },
  { pitch: 6, prepare: stretchGreys, options: { binarizer: "GlobalHistogram" } },
  { pitch: 4, prepare: stretchGreys, options: { binarizer: "FixedThreshold" } },
  { pitch: 8, prepare: clean, options: {} },
  { pitch: 8, prepare: clean, options: { binarizer: "FixedThreshold" } },
  { pitch: 3, prepare: stretchGreys, options: { binarizer: "FixedThreshold" } },
];

/** Between dark and light of the sheet; darker is ink. */
function darkShareIn({ data, width }: GreyImage, room: number, threshold: number): number {
  let dark = 0;
  let all = 0;
  for (let y = room; y < width - room; y += 1) {
    for (let x = room; x < width - room; x += 1) {
      all += 1;
      if ((data[y * width + x] as number) < threshold) dark += 1;
    }
  }
  return dark / Math.max(1, all);
}

/** The unused part of a code's error correction, 0 to 1; without a figure it counts as good enough. */
export const unusedOf = ({ unusedCorrection = 1 }: Pick<SeenCode, "unusedCorrection">): number =>
  unusedCorrection;

/** True for the cell's own code, not a neighbour that reaches in. */
function isInMiddle({ corners }: SeenCode, px: number): boolean {
  const { x, y } = middleOf(corners);
  return Math.max(Math.abs(x - px / 2), Math.abs(y - px / 2)) < px / 4;
}

/**
 * Looks at a cell until its code is read with at least `enough` of its error correction unused, in as
 * many ways as there are. `threshold` is a grey between ink and paper of the sheet.
 */
export function lookCloser(
  decoder: QrDecoder,
  { image, fit, cell }: { readonly image: GreyImage; readonly fit: Fit; readonly cell: ScanCell },
  { enough, threshold }: { readonly enough: number; readonly threshold: number },
): CellLook {
  const { code, xMm, payloadHash } = cell;
  const modules = Math.round(code.width / xMm) + 2 * ROOM_MODULES;
  const room = (code.width / (modules - 2 * ROOM_MODULES)) * ROOM_MODULES;
  const square = { x: code.x - room, y: code.y - room, side: code.width + 2 * room };
  const owns: SeenCode[] = [];
  let other: string | undefined;
  let darkShare: number | undefined;
  for (const { pitch, prepare, options } of tries) {
    const cut = cutOut(image, fit, { square, px: modules * pitch, samples: 2 });
    darkShare ??= darkShareIn(cut, ROOM_MODULES * pitch, threshold);
    const found = decoder.look(prepare(cut), { ...options, max: 4 });
    for (const code of found.filter((one) => isInMiddle(one, cut.width))) {
      if (sha256(code.text) === payloadHash) owns.push(code);
      else other ??= code.text;
    }
    if (owns.some((code) => unusedOf(code) >= enough)) break;
  }
  const [own] = owns.toSorted((a, b) => unusedOf(b) - unusedOf(a));
  return { own, other, darkShare: darkShare ?? 0 };
}

/** True when all of a code lies in the picture. */
export function isInPicture(
  { width, height }: Pick<GreyImage, "width" | "height">,
  fit: Fit,
  { code }: ScanCell,
): boolean {
  return cornersOf(code).every((corner) => {
    const seen = applyFit(fit, corner);
    return seen.x >= 0 && seen.y >= 0 && seen.x <= width && seen.y <= height;
  });
}

/** A grey halfway between ink and paper, as a code and its surroundings show them. */
export function findThreshold(image: GreyImage, fit: Fit, { code }: ScanCell): number {
  const square = { x: code.x, y: code.y, side: code.width };
  const { data } = cutOut(image, fit, { square, px: THRESHOLD_PX, samples: 1 });
  return (greyBelow(data, 0.05) + greyBelow(data, 0.95)) / 2;
}

const THRESHOLD_PX = 100;
