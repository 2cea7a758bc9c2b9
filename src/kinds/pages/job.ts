import type { RowsJob } from "../../job/job.ts";
import { resolveSourceRows, toDynamicCode, type JobParts } from "../job-parts.ts";
import type { PageShape, PagesManifest } from "./shape.ts";

export interface PagesJob extends RowsJob {
  readonly kind: "pages";
  readonly page: PageShape;
}

/** Never fails: what it gets has been checked. */
export function toPagesJob(manifest: PagesManifest, parts: JobParts): PagesJob {
  const { code, page } = manifest;
  const { rows, display } = resolveSourceRows(manifest, parts, code.display_name ?? page.title);
  const domain = page.domain ?? null;
  return { ...rows, kind: "pages", page, code: { ...toDynamicCode(display, code), domain } };
}
