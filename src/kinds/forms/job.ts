import type { JobRows, RowsJob } from "../../job/job.ts";
import {
  folderOf,
  NO_SPREADSHEET,
  resolveRows,
  resolveSource,
  toDynamicCode,
  type JobParts,
} from "../job-parts.ts";
import type { FormShape, FormsManifest } from "./shape.ts";

export interface FormsJob extends RowsJob {
  readonly kind: "forms";
  readonly form: FormShape;
}

/** Never fails: what it gets has been checked. */
export function toFormsJob(manifest: FormsManifest, parts: JobParts): FormsJob {
  const { form, source: given } = manifest;
  const source: JobRows =
    given === undefined
      ? { ...NO_SPREADSHEET, from: "manifest", file: parts.context.file }
      : resolveSource(given, folderOf(parts));
  const { rows, display } = resolveRows(manifest, parts, { source, display: form.title });
  const domain = form.domain ?? null;
  return { ...rows, kind: "forms", form, code: { ...toDynamicCode(display), domain } };
}
