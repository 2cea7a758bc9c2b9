import path from "node:path";

import { HAS_TEMPLATE } from "../../job/shapes/fields.ts";
import type { CodeShape } from "../../job/shapes/code-shape.ts";
import type { JobCode, RowsJob } from "../../job/job.ts";
import { present } from "../../job/output/resolve-context.ts";
import { resolveSourceRows, type JobParts } from "../job-parts.ts";
import type { CodesManifest } from "./shape.ts";

export interface CodesJob extends RowsJob {
  readonly kind: "codes";
}

/** A file that all rows share is absolute, so that a change of it changes the rows. */
function resolveDesign({ logo_file: logo, ...design }: CodeShape["design"], folder: string) {
  const isSame = logo !== undefined && !HAS_TEMPLATE.test(logo);
  return present({ ...design, logo_file: isSame ? path.resolve(folder, logo) : logo });
}

function resolveCode(shape: CodeShape, displayName: string, folder: string): JobCode {
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
    design: resolveDesign(shape.design, folder),
    compact: shape.compact,
  };
}

/** Never fails: what it gets has been checked. */
export function toCodesJob(manifest: CodesManifest, parts: JobParts): CodesJob {
  const { code } = manifest;
  const { rows, display } = resolveSourceRows(manifest, parts, code.display_name);
  const folder = path.dirname(parts.context.file);
  return { ...rows, kind: "codes", code: resolveCode(code, display, folder) };
}
