import path from "node:path";

import { PLAIN_SOURCE, type JobRows, type RowsJob } from "../../job/job.ts";
import type { PdfSourceShape } from "../../job/shapes/source-shape.ts";
import { resolveRows, resolveSource, toDynamicCode, type JobParts } from "../job-parts.ts";
import type { PdfsManifest } from "./shape.ts";

export interface JobPdf {
  /** Relative to the manifest. */
  readonly file: string | null;
  readonly url: string | null;
  readonly fileName: string | null;
}

export interface PdfsJob extends RowsJob {
  readonly kind: "pdfs";
  readonly pdf: JobPdf;
}

function resolvePdfSource(shape: PdfSourceShape, manifest: string): JobRows {
  if (typeof shape === "string" || !("folder" in shape)) return resolveSource(shape, manifest);
  return {
    ...PLAIN_SOURCE,
    from: "folder",
    file: path.resolve(path.dirname(manifest), shape.folder),
    subfolders: shape.subfolders,
    key: ["file"],
    language: shape.language,
  };
}

/** Never fails: what it gets has been checked. */
export function toPdfsJob(manifest: PdfsManifest, parts: JobParts): PdfsJob {
  const { code, pdf } = manifest;
  const source = resolvePdfSource(manifest.source, parts.context.file);
  const { rows, display } = resolveRows(manifest, parts, { source, display: code.display_name });
  const isBare = pdf.file === undefined && pdf.pdf_url === undefined;
  return {
    ...rows,
    kind: "pdfs",
    pdf: {
      file: isBare ? "{{ file }}" : (pdf.file ?? null),
      url: pdf.pdf_url ?? null,
      fileName: pdf.filename ?? null,
    },
    code: { ...toDynamicCode(display, code), domain: pdf.domain ?? null },
  };
}
