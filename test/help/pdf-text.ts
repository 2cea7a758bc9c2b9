import { readFileSync } from "node:fs";

import { PDFiumLibrary } from "@hyzyla/pdfium";

/** What can be read on the pages of a PDF; blanks are single. */
export async function readPdfText(file: string): Promise<string> {
  const library = await PDFiumLibrary.init();
  const pdf = await library.loadDocument(readFileSync(file));
  try {
    return [...pdf.pages()].map((page) => page.getText().replaceAll(/\s+/gu, " ")).join(" ");
  } finally {
    pdf.destroy();
    library.destroy();
  }
}
