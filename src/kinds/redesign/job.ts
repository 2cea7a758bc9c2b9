import path from "node:path";

import type { JobCommon, JobOutput, JobSafety, JobSelect } from "../../job/job.ts";
import { present, type ResolveContext } from "../../job/output/resolve-context.ts";
import { resolveOutput, resolveStateDir } from "../../job/output/resolve-output.ts";
import { resolveSafety, resolveSelect, toSelectNames, type JobParts } from "../job-parts.ts";
import type { RedesignManifest } from "./shape.ts";

export interface RedesignJob extends JobCommon {
  readonly kind: "redesign";
  readonly select: JobSelect;
  /** API field -> value or template, `template` by name or id; `logo_file` is absolute. */
  readonly design: Readonly<Record<string, string | number | boolean>>;
  readonly output: JobOutput;
  /** Where the state stands, whatever folder the run has; absolute. */
  readonly stateDir: string;
  readonly safety: JobSafety & {
    readonly keepPrevious: boolean;
    readonly skipUnchanged: boolean;
  };
}

function resolveRedesign(manifest: RedesignManifest, context: ResolveContext) {
  const { safety, design } = manifest;
  const { logo_file: logo } = design;
  return {
    select: resolveSelect(manifest.select),
    design: present({
      ...design,
      logo_file: logo && path.resolve(path.dirname(context.file), logo),
    }) as Record<string, string | number | boolean>,
    safety: {
      contrast: safety.contrast,
      ...resolveSafety(safety),
      keepPrevious: safety.keep_previous,
      skipUnchanged: safety.skip_unchanged,
    },
  };
}

/** Never fails: what it gets has been checked. */
export function toRedesignJob(
  manifest: RedesignManifest,
  { common, context }: JobParts,
): RedesignJob {
  return {
    ...common,
    kind: "redesign",
    ...resolveRedesign(manifest, context),
    output: resolveOutput(manifest.output, context, toSelectNames(common.name)),
    stateDir: resolveStateDir(manifest.output.dir, context, common.name),
  };
}
