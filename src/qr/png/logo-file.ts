/** Logo files of this computer: pictures, and SVG drawings, which are turned into pictures. */
import { AppError } from "../../base/errors.ts";
import { isLogoImage, isSvgFile } from "../../base/files/image-type.ts";
import { readSvgAtOnce } from "../../svg/check-svg.ts";
import { SvgFault } from "../../svg/svg-fault.ts";
import { viewOf } from "../../svg/view.ts";
import { MAX_LOGO_BYTES, normalizeLogo, rasterizeSvgToFitPng } from "./raster.ts";

/** Longer side of the picture made from an SVG; the second when the first has too many bytes. */
const SIDES_PX = [1024, 512] as const;

function findSvgRule(svg: Uint8Array): string | undefined {
  try {
    if (viewOf(readSvgAtOnce(svg)) !== undefined) return undefined;
    return "an SVG that says its size, as viewBox or as width and height";
  } catch (error) {
    if (error instanceof SvgFault) return `a harmless SVG (this one ${error.message})`;
    throw error;
  }
}

/** What a logo file must be ("a PNG …"); undefined when the file is all right. */
export function findLogoRule(bytes: Uint8Array): string | undefined {
  if (isLogoImage(bytes)) return undefined;
  return isSvgFile(bytes) ? findSvgRule(bytes) : "a PNG, JPEG, GIF, WebP or SVG image";
}

/**
 * The file for the API, which accepts no SVG (docs/spec/api.md section 4.1): a drawing becomes a PNG,
 * 1024 pixels on its longer side. Throws `design-invalid` for a drawing that isn't safe to open.
 */
export async function toLogoImage(bytes: Uint8Array): Promise<Uint8Array> {
  if (!isSvgFile(bytes)) return bytes;
  const rule = findSvgRule(bytes);
  if (rule !== undefined) throw new AppError("design-invalid", `logo must be ${rule}`);
  const [fine, coarse] = SIDES_PX;
  const png = await rasterizeSvgToFitPng(bytes, fine);
  return png.length < MAX_LOGO_BYTES ? png : rasterizeSvgToFitPng(bytes, coarse);
}

/** The same for `Design.logo`. Throws `design-invalid`. */
export const readLogoFile = async (bytes: Uint8Array): Promise<Uint8Array> =>
  normalizeLogo(await toLogoImage(bytes));
