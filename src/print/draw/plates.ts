/** The plates of a printed side, all of which its marks must be on (docs/spec/print.md section 10). */
import type { ArtItem, Cmyk, Ink } from "../../base/shapes/label-art.ts";
import { imageKey } from "../art/assets.ts";
import { printedInks } from "../art/server-code.ts";
import { type Face, itemInks } from "../fonts/face.ts";
import type { PressImage } from "../pdf/image-file.ts";
import { finishSteps } from "../layout/finish.ts";
import { shownCmyk } from "../pdf/ink.ts";
import type { SheetJob } from "../sheet-job.ts";
import { DEFAULT_SPOT } from "./die-line.ts";

/** A printing plate, and the look of its solid on screens. */
export interface Plate {
  /** `Cyan`, `Magenta`, `Yellow`, `Black`, or the name of the ink. */
  readonly name: string;
  readonly cmyk: Cmyk;
}

export const BLACK_PLATE: Plate = { name: "Black", cmyk: [0, 0, 0, 1] };

/** The process inks, in the order of the press. */
export const processPlates = [
  { name: "Cyan", cmyk: [1, 0, 0, 0] },
  { name: "Magenta", cmyk: [0, 1, 0, 0] },
  { name: "Yellow", cmyk: [0, 0, 1, 0] },
  BLACK_PLATE,
] as const satisfies readonly Plate[];

/** Stands in for a named ink of a designer's page, whose look isn't known. */
const UNKNOWN_CMYK: Cmyk = [0, 0, 0, 0.5];

/** True where black is the only plate. */
export const isBlackOnly = (plates: readonly Plate[]): boolean =>
  plates.length === 1 && plates[0]?.name === BLACK_PLATE.name;

class PlateSet {
  readonly #process = new Set<string>([BLACK_PLATE.name]);
  readonly #spots = new Map<string, Cmyk>();
  /** Plotters follow it: marks in it would be cut. */
  readonly #cutInk: string;

  constructor({ dieLine }: SheetJob) {
    this.#cutInk = dieLine === undefined ? "" : (dieLine.spot ?? DEFAULT_SPOT).toLowerCase();
  }

  ink(ink: Ink): void {
    if (ink.spot !== null) this.spot(ink.spot, ink.cmyk);
    else {
      for (const [i, share] of shownCmyk(ink).entries())
        if (share > 0) this.process(processPlates[i]?.name ?? "");
    }
  }

  process(name: string): void {
    this.#process.add(name);
  }

  allProcess(): void {
    for (const { name } of processPlates) this.process(name);
  }

  spot(name: string, cmyk: Cmyk): void {
    if (name.toLowerCase() === this.#cutInk || this.#spots.has(name)) return;
    this.#spots.set(name, cmyk);
  }

  list(): readonly Plate[] {
    return [
      ...processPlates.filter(({ name }) => this.#process.has(name)),
      ...Array.from(this.#spots, ([name, cmyk]) => ({ name, cmyk })),
    ];
  }
}

/** Pictures by `imageKey`, as they were read. */
type Images = ReadonlyMap<string, Pick<PressImage, "space">>;

/** A picture that is not read yet may be in four inks, unless the job turns it to grey. */
function isFourInks(item: Extract<ArtItem, { kind: "image" }>, images: Images | undefined) {
  if (images === undefined) return item.as === "given";
  return images.get(imageKey(item))?.space === "DeviceCMYK";
}

/** Inks of a side's labels, as they are drawn here. */
function drawnInks(job: SheetJob, { art, rooms }: Face): readonly Ink[] {
  const items = (art?.items ?? []).flatMap(itemInks).filter((ink) => ink !== null);
  if (rooms.length === 0) return items;
  const { codeStyle } = job;
  const styled = codeStyle === undefined ? [] : [codeStyle.ink, codeStyle.eyeInk];
  const { designInks = [] } = job.options;
  return [...items, ...styled, ...printedInks(job.drawingInks), ...designInks];
}

/** Named inks of a designer's page, white and varnish; backs have no white or varnish. */
function namedPlates({ finishes }: SheetJob, { side, background }: Face): readonly Plate[] {
  const own = side === "front" ? finishes : [];
  return [
    ...(background?.spots ?? []).map((name) => ({ name, cmyk: UNKNOWN_CMYK })),
    ...own.map(({ spot: name, kind }) => ({ name, cmyk: finishSteps[kind].cmyk })),
  ];
}

/** Every ink in use on a side but that of its die lines; black is always there. */
export function platesOf(job: SheetJob, face: Face, images?: Images): readonly Plate[] {
  const plates = new PlateSet(job);
  for (const ink of drawnInks(job, face)) plates.ink(ink);
  for (const item of face.art?.items ?? [])
    if (item.kind === "image" && isFourInks(item, images)) plates.allProcess();
  for (const name of face.background?.plates ?? []) plates.process(name);
  for (const { name, cmyk } of namedPlates(job, face)) plates.spot(name, cmyk);
  return plates.list();
}
