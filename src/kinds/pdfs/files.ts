/** Facts about the PDF that a row names, for the plan: that it is one, its size, its hash. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { isLogoImage, isSvgFile } from "../../base/files/image-type.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { hasPdfHeader, hasPdfObjects, isCutOff } from "../../base/shapes/pdf-outline.ts";
import type { RowJob } from "../any-job.ts";
import type { PdfsJob } from "./job.ts";
import { renderTemplate, type TemplateContext } from "../../job/template/template.ts";
import { limits } from "../../api/limits.ts";
import { NO_PDF, type PdfFacts } from "../../plan/thing.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import { formatBytes } from "../../base/text/words.ts";

/** Where files of a job are looked for: in its folder of PDFs, else beside the manifest. */
const toBase = ({ source, file }: PdfsJob): string =>
  source.from === "folder" ? source.file : path.dirname(file);

/** Names what a file without the header of a PDF is. */
function nameOther(bytes: Buffer): string {
  if (bytes.length === 0) return "an empty file of 0 bytes";
  if ("%PDF-".startsWith(bytes.toString("latin1"))) return "one that is cut off";
  if (isLogoImage(bytes)) return "a picture";
  if (bytes.subarray(0, 2).toString("latin1") === "PK") return "a ZIP or Office file";
  return isSvgFile(bytes) ? "a web page or XML" : "another file";
}

async function readFacts(file: string, named: string): Promise<PdfFacts> {
  const bad = (problem: string): PdfFacts => ({ file, sha256: null, problems: [problem] });
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return bad(`PDF must be a file that is there, got ${named}`);
  if (found.size > limits.maxPdfBytes) {
    const size = formatBytes(found.size);
    return bad(`PDF must have at most ${formatBytes(limits.maxPdfBytes)}, got ${size}: ${named}`);
  }
  const bytes = await readFile(file);
  if (!hasPdfHeader(bytes)) {
    return bad(`PDF must begin with %PDF-, got ${nameOther(bytes)}: ${named}`);
  }
  if (isCutOff(bytes))
    return bad(`PDF must be whole, got one that is cut off, without its end: ${named}`);
  const facts = { file, sha256: sha256(bytes), problems: [] };
  return hasPdfObjects(bytes) ? facts : { ...facts, empty: named };
}

/** Undefined for jobs without PDFs. Reads the file; reports its problems, throws nothing. */
export async function readPdfFacts(
  job: RowJob,
  row: SourceRow,
  context: TemplateContext,
): Promise<PdfFacts | undefined> {
  if (job.kind !== "pdfs") return undefined;
  if (job.pdf.file === null || row.problems.length > 0) return NO_PDF;
  try {
    const named = renderTemplate(job.pdf.file, row.values, context).trim();
    return named === "" ? NO_PDF : await readFacts(path.resolve(toBase(job), named), named);
  } catch (error) {
    // The wish renders the template once more and reports its problem.
    if (error instanceof AppError && error.kind === "input") return NO_PDF;
    throw error;
  }
}
