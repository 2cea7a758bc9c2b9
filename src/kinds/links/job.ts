import type { JobCode, RowsJob } from "../../job/job.ts";
import { resolveSourceRows, toDynamicCode, type JobParts } from "../job-parts.ts";
import type { LinksManifest } from "./shape.ts";

export interface LinksJob extends RowsJob {
  readonly kind: "links";
  /** `code` has the rest. Null: the server makes one. */
  readonly slug: string | null;
}

/** Never fails: what it gets has been checked. */
export function toLinksJob(manifest: LinksManifest, parts: JobParts): LinksJob {
  const { link } = manifest;
  const { rows, display } = resolveSourceRows(manifest, parts, link.display_name);
  const code: JobCode = {
    ...toDynamicCode(display),
    qrData: link.link,
    gpsTracking: link.gps,
    domain: link.domain ?? null,
  };
  return { ...rows, kind: "links", slug: link.slug ?? null, code };
}
