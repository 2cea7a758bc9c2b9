import type { JobCommon, JobOutput, JobSelect } from "../../job/job.ts";
import { resolveOutput, resolveStateDir } from "../../job/output/resolve-output.ts";
import { resolveSelect, toSelectNames, type JobParts } from "../job-parts.ts";
import type { ExportManifest } from "./shape.ts";

export interface ExportJob extends JobCommon {
  readonly kind: "export";
  readonly select: JobSelect;
  readonly output: JobOutput;
  /** Where the state stands, whatever folder the run has; absolute. */
  readonly stateDir: string;
  readonly safety: { readonly maxCodes: number | null };
}

/** Never fails: what it gets has been checked. */
export function toExportJob(manifest: ExportManifest, { common, context }: JobParts): ExportJob {
  return {
    ...common,
    kind: "export",
    select: resolveSelect(manifest.select),
    output: resolveOutput(manifest.output, context, toSelectNames(common.name)),
    stateDir: resolveStateDir(manifest.output.dir, context, common.name),
    safety: { maxCodes: manifest.safety.max_codes ?? null },
  };
}
