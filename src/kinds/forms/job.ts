import { PLAIN_SOURCE, type JobRows, type RowsJob } from "../../job/job.ts";
import { resolveRows, resolveSource, toDynamicCode, type JobParts } from "../job-parts.ts";
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
      ? { ...PLAIN_SOURCE, from: "manifest", file: parts.context.file }
      : resolveSource(given, parts.context.file);
  const { rows, display } = resolveRows(manifest, parts, { source, display: form.title });
  const domain = form.domain ?? null;
  return { ...rows, kind: "forms", form, code: { ...toDynamicCode(display), domain } };
}
