import type { JobCode, RowsJob } from "../../job/job.ts";
import {
  manifestOf,
  resolveRows,
  resolveSource,
  toDynamicCode,
  type JobParts,
} from "../job-parts.ts";
import type { LinksManifest } from "./shape.ts";

export interface LinksJob extends RowsJob {
  readonly kind: "links";
  /** `code` has the rest. Null: the server makes one. */
  readonly slug: string | null;
}

/** Never fails: what it gets has been checked. */
export function toLinksJob(manifest: LinksManifest, parts: JobParts): LinksJob {
  const { link } = manifest;
  const source = resolveSource(manifest.source, manifestOf(parts));
  const given = { source, display: link.display_name };
  const { rows, display } = resolveRows(manifest, parts, given);
  const code: JobCode = {
    ...toDynamicCode(display),
    qrData: link.link,
    gpsTracking: link.gps,
    domain: link.domain ?? null,
  };
  return { ...rows, kind: "links", slug: link.slug ?? null, code };
}
