import { type Assets, imageKey } from "../art/assets.ts";
import { addSpot } from "../draw/die-line.ts";
import type { ArtNames } from "../art/draw-art.ts";
import type { Side } from "../fonts/face.ts";
import type { PressImage } from "./image-file.ts";
import type { PdfObjects, PdfRef, PdfValue } from "./pdf-objects.ts";
import type { SheetJob } from "../sheet-job.ts";

/** Names of inks, pictures and backgrounds on the pages of a file; the same job has the same names. */
export interface ResourceNames extends ArtNames {
  readonly spots: ReadonlyMap<string, { readonly name: string; readonly cmyk: readonly number[] }>;
  readonly images: ReadonlyMap<string, string>;
  readonly backgrounds: ReadonlyMap<Side, string>;
}

export function nameResources(job: SheetJob, assets: Assets): ResourceNames {
  const spots = new Map<string, { name: string; cmyk: readonly number[] }>();
  for (const { spot, cmyk } of job.inks) {
    if (spot === null || spots.has(spot)) continue;
    spots.set(spot, { name: `S${spots.size}`, cmyk });
  }
  const images = new Map<string, string>();
  for (const face of job.faces) {
    for (const item of face.art?.items ?? []) {
      const key = item.kind === "image" ? imageKey(item) : "";
      if (assets.images.has(key) && !images.has(key)) images.set(key, `I${images.size}`);
    }
  }
  const backgrounds = new Map<Side, string>();
  for (const side of assets.backgrounds.keys()) backgrounds.set(side, `P${backgrounds.size}`);
  return {
    spots,
    images,
    backgrounds,
    spaceOf: (spot) => spots.get(spot)?.name ?? "",
    imageOf: (key) => images.get(key) ?? "",
    backgroundOf: (side) => backgrounds.get(side) ?? "",
  };
}

/** Puts a picture into the file. */
export function addPressImage(pdf: PdfObjects, image: PressImage): PdfRef {
  const { width, height, space, data, drawing, isJpeg, isInverted } = image;
  if (drawing !== undefined) {
    // Like a picture, it fills a square of one unit.
    const Matrix = [1 / width, 0, 0, -1 / height, 0, 1];
    const BBox = [0, 0, width, height];
    return pdf.addStream(drawing, {
      Type: "XObject",
      Subtype: "Form",
      BBox,
      Matrix,
      Resources: {},
    });
  }
  const entries: Record<string, PdfValue> = {
    Width: width,
    Height: height,
    ColorSpace: space,
    BitsPerComponent: 8,
  };
  if (isJpeg) entries["Filter"] = "DCTDecode";
  if (isInverted) entries["Decode"] = [1, 0, 1, 0, 1, 0, 1, 0];
  return pdf.addImage(data, entries, isJpeg);
}

export interface AddedResources {
  readonly spaces: Record<string, PdfValue>;
  readonly objects: Record<string, PdfRef>;
  /** Definitions of named inks, one of each. */
  readonly inks: ReadonlyMap<string, PdfRef>;
  readonly hashed: readonly string[];
}

/** Puts the named objects into the file; `hashed`: the identity of the file. */
export function addResources(
  pdf: PdfObjects,
  names: ResourceNames,
  { images, backgrounds }: Assets,
): AddedResources {
  const inks = new Map<string, PdfRef>();
  const spaces: Record<string, PdfValue> = {};
  const objects: Record<string, PdfRef> = {};
  const hashed: string[] = [];
  for (const [spot, { name, cmyk }] of names.spots) {
    const space = addSpot(pdf, spot, cmyk);
    spaces[name] = space;
    inks.set(spot, space);
    hashed.push(`${spot} ${cmyk.join(" ")}`);
  }
  for (const [key, name] of names.images) {
    const image = images.get(key);
    if (image === undefined) continue;
    objects[name] = addPressImage(pdf, image);
    hashed.push(image.sha256);
  }
  for (const [side, name] of names.backgrounds) {
    const background = backgrounds.get(side);
    if (background === undefined) continue;
    const placed = pdf.addForeignPage(background.page, background.bboxPt);
    objects[name] = placed;
    for (const [spot, space] of pdf.spotsIn(placed)) if (!inks.has(spot)) inks.set(spot, space);
    hashed.push(`${side} ${background.bboxPt.join(" ")}`);
  }
  return { spaces, objects, inks, hashed };
}
