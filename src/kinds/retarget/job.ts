import type { JobCommon, JobOutput, JobRows, JobSafety } from "../../job/job.ts";
import type { ResolveContext } from "../../job/output/resolve-context.ts";
import { resolveOutput, resolveStateDir } from "../../job/output/resolve-output.ts";
import type { matchKeys } from "../../job/shapes/select-shapes.ts";
import { resolveSafety, resolveSource, toSelectNames, type JobParts } from "../job-parts.ts";
import type { RetargetManifest } from "./shape.ts";

export interface RetargetJob extends JobCommon {
  readonly kind: "retarget";
  readonly source: JobRows;
  readonly match: {
    readonly by: readonly (typeof matchKeys)[number][];
    /** Template. */
    readonly value: string;
  };
  /** Template; null or empty: no check. */
  readonly expect: string | null;
  /** Templates; null: stays as it is. */
  readonly set: {
    readonly qrData: string | null;
    readonly displayName: string | null;
    readonly folder: string | null;
    readonly tags: readonly string[];
  };
  readonly output: JobOutput;
  /** Where the state stands, whatever folder the run has; absolute. */
  readonly stateDir: string;
  readonly safety: Omit<JobSafety, "contrast"> & {
    readonly keepPrevious: boolean;
    readonly checkDestination: "none" | "head" | "get";
  };
}

function resolveRetarget(manifest: RetargetManifest, context: ResolveContext) {
  const { match, set, safety } = manifest;
  return {
    source: resolveSource(manifest.source, context.file),
    match: { by: [...new Set(match.by)], value: match.value },
    expect: manifest.expect ?? null,
    set: {
      qrData: set.qr_data ?? null,
      displayName: set.display_name ?? null,
      folder: set.folder ?? null,
      tags: set.tags ?? [],
    },
    safety: {
      ...resolveSafety(safety),
      keepPrevious: safety.keep_previous,
      checkDestination: safety.check_destination,
    },
  };
}

/** Never fails: what it gets has been checked. */
export function toRetargetJob(
  manifest: RetargetManifest,
  { common, context }: JobParts,
): RetargetJob {
  const output = { ...manifest.output, files: [], zip: false, sheets: false, file_name: undefined };
  return {
    ...common,
    kind: "retarget",
    ...resolveRetarget(manifest, context),
    output: resolveOutput(output, context, toSelectNames(common.name)),
    stateDir: resolveStateDir(manifest.output.dir, context, common.name),
  };
}
