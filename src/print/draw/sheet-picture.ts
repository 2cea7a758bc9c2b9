/** A page with its labels, as a small SVG: one tile is repeated, however many labels there are. */
import type { LabelSheet } from "../layout/label-sheet.ts";

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const tidy = (n: number): number => Math.round(n * 1e3) / 1e3;

/** The label at the origin of its tile; its line lies inside of it. */
function toShape({ label }: LabelSheet, line: number): string {
  const { shape, widthMm, heightMm, cornerRadiusMm } = label;
  const [width, height] = [tidy(widthMm - line), tidy(heightMm - line)];
  return shape === "rectangle"
    ? `<rect x="${line / 2}" y="${line / 2}" width="${width}" height="${height}" rx="${tidy(Math.max(0, cornerRadiusMm - line / 2))}"/>`
    : `<ellipse cx="${tidy(widthMm / 2)}" cy="${tidy(heightMm / 2)}" rx="${width / 2}" ry="${height / 2}"/>`;
}

/** The content of an `svg` whose view box is the page in mm. */
export function drawSheetPicture(sheet: LabelSheet): string {
  const { page, label, columns, rows, leftMm, topMm, pitchXMm, pitchYMm } = sheet;
  const line = tidy(
    Math.min(Math.max(page.widthMm, page.heightMm) / 250, label.widthMm / 8, label.heightMm / 8),
  );
  const id = `cell-${sheet.name.replaceAll(/[^\w-]/gu, "_")}`;
  const [across, down] = [
    tidy((columns - 1) * pitchXMm + label.widthMm),
    tidy((rows - 1) * pitchYMm + label.heightMm),
  ];
  return [
    `<pattern id="${id}" patternUnits="userSpaceOnUse" x="${leftMm}" y="${topMm}" width="${pitchXMm}" height="${pitchYMm}"><g fill="#dce6f0" stroke="#54708c" stroke-width="${line}">${toShape(sheet, line)}</g></pattern>`,
    `<rect width="${page.widthMm}" height="${page.heightMm}" fill="#ffffff" stroke="#8a94a6" stroke-width="${tidy(line * 2)}"/>`,
    `<rect x="${leftMm}" y="${topMm}" width="${across}" height="${down}" fill="url(#${id})"/>`,
  ].join("");
}

/** Beneath the page, mm. */
const CAPTION_MM = 16;

/** A file for people, in true size, with the facts about the sheet beneath it. */
export function drawSheetFile(sheet: LabelSheet, lines: readonly string[]): string {
  const { page } = sheet;
  const width = Math.max(page.widthMm, 100);
  const height = page.heightMm + CAPTION_MM;
  const texts = lines.map(
    (line, index) =>
      `<text x="0" y="${tidy(page.heightMm + 5 + index * 4.5)}">${escape(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}"><title>${escape(sheet.title)}</title>${drawSheetPicture(sheet)}<g font-family="sans-serif" font-size="3.2" fill="#1c2733">${texts.join("")}</g></svg>\n`;
}
