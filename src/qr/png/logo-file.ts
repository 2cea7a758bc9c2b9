/** Logos that lie on this computer: pictures, and drawings that become pictures where one is asked for. */
import { AppError } from "../../base/errors.ts";
import { isLogoImage, isSvgFile } from "../../base/image-type.ts";
import { readSvgAtOnce } from "../../svg/check-svg.ts";
import { SvgFault } from "../../svg/svg-fault.ts";
import { viewOf } from "../../svg/view.ts";
import { MAX_LOGO_BYTES, normalizeLogo, rasterizeSvgToFitPng } from "./raster.ts";

/** Longer side of the picture that an SVG becomes; the second where the first is too heavy. */
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

/** What a file would have to be for a logo, as "a PNG …"; undefined for one that is it. */
export function findLogoRule(bytes: Uint8Array): string | undefined {
  if (isLogoImage(bytes)) return undefined;
  return isSvgFile(bytes) ? findSvgRule(bytes) : "a PNG, JPEG, GIF, WebP or SVG image";
}

/**
 * The file as the API takes it, which knows no SVG (docs/spec/api.md section 4.1): a drawing as a PNG, 1024
 * pixels on its longer side. Throws `design-invalid` for a drawing that must not be opened.
 */
export async function toLogoImage(bytes: Uint8Array): Promise<Uint8Array> {
  if (!isSvgFile(bytes)) return bytes;
  const rule = findSvgRule(bytes);
  if (rule !== undefined) throw new AppError("design-invalid", `logo must be ${rule}`);
  const [fine, coarse] = SIDES_PX;
  const png = await rasterizeSvgToFitPng(bytes, fine);
  return png.length < MAX_LOGO_BYTES ? png : rasterizeSvgToFitPng(bytes, coarse);
}

/** The same as `Design.logo` takes it. Throws `design-invalid`. */
export const readLogoFile = async (bytes: Uint8Array): Promise<Uint8Array> =>
  normalizeLogo(await toLogoImage(bytes));
