/** What the codes of a PDF say, page by page, read off its pictures. */
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";

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
