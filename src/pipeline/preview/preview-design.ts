import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { toSlug } from "../../base/text/slug.ts";
import type { ContactCell } from "../../qr/draw/contact-sheet.ts";
import { resolveDesign, type DesignInput } from "../../qr/draw/design.ts";
import type { QrEngine } from "../../qr/engine.ts";
import { rasterizeSvgToPalettePng } from "../../qr/png/raster.ts";
import { type Preview, sayLeastSize } from "./preview.ts";

/** What codes mostly hold, from small to large. */
const SAMPLES = [
  ["short link", "https://short.example.com/abcd2345"],
  ["link", "https://shop.example.com/products/spring-2027/chair?utm_source=label"],
  [
    "product",
    "https://id.example.com/01/09506000134352/10/ABC123456/21/987654321098?17=271231&3103=000189",
  ],
  [
    "contact",
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Nowak;Maria;;;\r\nFN:Maria Nowak\r\nORG:Example\r\nTEL;TYPE=CELL:+48 500 000 000\r\nEMAIL;TYPE=INTERNET:maria@example.com\r\nURL:https://example.com\r\nEND:VCARD",
  ],
] as const;
const CELL_PX = 260;

/** A design on a contact sheet, as SVG and PNG: the same look on codes of four sizes. */
export async function previewDesign(
  engine: QrEngine,
  { title, design: input }: { readonly title: string; readonly design: DesignInput },
  folder: string,
): Promise<Preview> {
  const design = resolveDesign(input);
  const cells = SAMPLES.map(([caption, text]): ContactCell => ({ caption, text, design }));
  const svg = engine.contactSheet(cells, { columns: SAMPLES.length, cellPx: CELL_PX });
  const base = path.join(folder, toSlug(title) || "design");
  await writeFileAtomic(`${base}.svg`, svg);
  await writeFileAtomic(`${base}.png`, await rasterizeSvgToPalettePng(svg));
  const [, smallest] = SAMPLES[0];
  return {
    title,
    payload: undefined,
    files: [`${base}.svg`, `${base}.png`],
    notes: sayLeastSize(design, engine.leastSize(smallest, design)),
    warnings: engine.scanWarnings(smallest, design, { widthPx: CELL_PX * SAMPLES.length }),
  };
}
