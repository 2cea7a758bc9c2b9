import type { CodeShape } from "../../job/shapes/code-shape.ts";
import type { JobCode, RowsJob } from "../../job/job.ts";
import { present } from "../../job/output/resolve-context.ts";
import { folderOf, resolveRows, resolveSource, type JobParts } from "../job-parts.ts";
import type { CodesManifest } from "./shape.ts";

export interface CodesJob extends RowsJob {
  readonly kind: "codes";
}

function resolveCode(shape: CodeShape, displayName: string): JobCode {
  return {
    type: shape.type,
    dynamic: shape.type === "GS1" || (shape.dynamic ?? false),
    qrData: shape.qr_data ?? null,
    displayName,
    folder: shape.folder ?? null,
    tags: shape.tags,
    gpsTracking: shape.gps_tracking,
    domain: shape.domain ?? null,
    vcard: shape.vcard === undefined ? null : present(shape.vcard),
    gs1Product: shape.gs1_product ?? null,
    design: present(shape.design),
  };
}

/** Never fails: what it gets has been checked. */
export function toCodesJob(manifest: CodesManifest, parts: JobParts): CodesJob {
  const source = resolveSource(manifest.source, folderOf(parts));
  const given = { source, display: manifest.code.display_name };
  const { rows, display } = resolveRows(manifest, parts, given);
  return { ...rows, kind: "codes", code: resolveCode(manifest.code, display) };
}
