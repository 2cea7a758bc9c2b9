/** A checked manifest -> Job: defaults filled in, paths absolute, units parsed. */
import path from "node:path";

import { parseDuration } from "../base/time/duration.ts";
import { withoutEndSlash } from "../base/text/url.ts";
import type { Job } from "./any-job.ts";
import type { ApiShape, RunShape } from "../job/shapes/common-shapes.ts";
import { parsePercent } from "../job/shapes/fields.ts";
import type { JobCommon, JobRun } from "../job/job.ts";
import type { Manifest } from "./shapes.ts";
import { present, type ResolveContext } from "../job/output/resolve-context.ts";
import { kindTable } from "./index.ts";
import type { JobParts } from "./job-parts.ts";

function resolveRun(shape: RunShape): JobRun {
  const { max_failures: most } = shape;
  return {
    concurrency: shape.concurrency,
    onRowError: shape.on_row_error,
    maxFailures: typeof most === "number" ? { count: most } : { share: parsePercent(most) },
    settleMs: parseDuration(shape.settle) ?? 0,
    share: shape.share,
    marker: shape.marker !== false,
    lateDoubles: shape.late_doubles,
  };
}

/** Without base URL the embedded service is used, and a workspace of another server is ignored. */
function resolveApi(shape: ApiShape, context: ResolveContext): JobCommon["api"] {
  const given = context.baseUrl ?? shape.base_url;
  const baseUrl = given === undefined ? undefined : withoutEndSlash(given);
  if (baseUrl === undefined) {
    const named = context.publicUrl ?? shape.public_url;
    return named === undefined ? {} : { publicUrl: withoutEndSlash(named) };
  }
  const { token_file: tokenFile } = shape;
  return present({
    baseUrl,
    workspace: context.workspace ?? shape.workspace,
    tokenFile: tokenFile && path.resolve(path.dirname(context.file), tokenFile),
  }) as JobCommon["api"];
}

function freezeDeep<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeep(inner);
  }
  return value;
}

function resolveCommon(manifest: Manifest, context: ResolveContext): JobCommon {
  const { file, columnUses } = context;
  return {
    name: manifest.name ?? path.basename(file, path.extname(file)),
    file,
    api: resolveApi(manifest.api, context),
    run: resolveRun(manifest.run),
    schedule: manifest.schedule ?? null,
    columnUses,
  };
}

/** Never fails: what it gets has been checked. */
export function resolveJob(manifest: Manifest, given: ResolveContext): Job {
  const context = { ...given, timeZone: manifest.schedule?.timezone };
  const toJob = kindTable[manifest.kind].toJob as (manifest: Manifest, parts: JobParts) => Job;
  return freezeDeep(toJob(manifest, { common: resolveCommon(manifest, context), context }));
}
