/** What the codes of a PDF say, page by page, read off its pictures. */
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { readPageContent } from "../../src/verify/page/page-content.ts";
import { readResources } from "../../src/verify/page/page-resources.ts";
import { openPdfFile } from "../../src/verify/pdf/pdf-file.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
import { textOf } from "../../src/verify/rules/margin-rules.ts";

/** The texts on the first page of a PDF, in the order in which they are painted. */
export async function readTexts(bytes: Uint8Array): Promise<string[]> {
  const pdf = await openPdfFile(bytes);
  const [page] = pdf.pages;
  if (page === undefined) return [];
  const resources = readResources(pdf, page, { fonts: new Map(), objects: new Map() });
  const { painted } = readPageContent(pdf.content(page), resources);
  return painted.filter(({ kind }) => kind === "text").map((mark) => textOf(mark));
}

/** A4 at 300 dpi. */
const LONG_PX = 3508;

export async function decodePdf(bytes: Uint8Array): Promise<string[]> {
  const decoder = await loadDecoder();
  const pdf = await openRenderer(bytes);
  try {
    const texts: string[] = [];
    for (let page = 0; page < pdf.pageCount; page += 1) {
      const { rgba, width, height } = await pdf.paintLong(page, LONG_PX);
      const found = await decoder.decode({ data: new Uint8ClampedArray(rgba), width, height });
      texts.push(...found.map(({ text }) => text));
    }
    return texts;
  } finally {
    pdf.close();
  }
}
