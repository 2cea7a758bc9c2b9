/** A designer's page, judged before it is printed behind labels (`print.md` section 4). */
import { readFile } from "node:fs/promises";

import { type Problem, toMessage } from "../base/errors.ts";
import { sha256 } from "../base/ids.ts";
import type { Background } from "../print/face.ts";
import type { PdfxStandard } from "../print/pdfx.ts";
import { type ForeignFacts, inspectForeign } from "./foreign.ts";
import { openPdfFile } from "./pdf-file.ts";

const NOTHING: ForeignFacts = { faults: [], x1aFaults: [], spots: [] };

async function inspect(file: string, page: number): Promise<ForeignFacts & { sha256: string }> {
  const bytes = await readFile(file);
  const pdf = await openPdfFile(bytes);
  const found = pdf.pages[page - 1];
  if (found === undefined) return { ...NOTHING, sha256: sha256(bytes) };
  const resources = found.dict.get("Resources") ?? null;
  const facts = inspectForeign(pdf, { resources, content: pdf.content(found) });
  return { ...facts, sha256: sha256(bytes) };
}

/**
 * What sheets must know of a page before they place it. Never throws: a file that can't be read is
 * told by `checkBackground`.
 */
export async function openBackground(page: { file: string; page: number }): Promise<Background> {
  const { file, page: number } = page;
  try {
    const { sha256: hash, spots } = await inspect(file, number);
    return { file, page: number, sha256: hash, spots };
  } catch {
    return { file, page: number, sha256: "", spots: [] };
  }
}

const HINT =
  "export it as PDF/X-4 or PDF/X-1a: CMYK and named inks only, fonts embedded, flattened";

/** Why a page must not be printed; empty = it may. Size and place are judged where it is placed. */
export async function checkBackground(
  { file, page }: Pick<Background, "file" | "page">,
  standard: PdfxStandard,
): Promise<Problem[]> {
  const where = { file };
  try {
    const { faults, x1aFaults } = await inspect(file, page);
    const found = standard === "PDF/X-4" ? faults : [...faults, ...x1aFaults];
    return found.map((fault) => ({ message: `background ${fault}`, where, hint: HINT }));
  } catch (error) {
    const message = `background must be a whole PDF, got: ${toMessage(error)}`;
    return [{ message, where, hint: HINT }];
  }
}
