/** Manifests of the kinds that work on codes which exist -> their jobs. */
import path from "node:path";

import type { JobCommon } from "./job.ts";
import type { SelectKind } from "./kinds.ts";
import type { ManifestOf } from "./manifest-shape.ts";
import { placeholder, present, type ResolveContext } from "./resolve-context.ts";
import { resolveDir, resolveOutput, resolveStateDir, type Names } from "./resolve-output.ts";
import { resolveSafety, resolveSource } from "./resolve-rows.ts";
import type { JobSelect, SelectJob } from "./select-jobs.ts";
import type { SelectShape } from "./select-shapes.ts";

type SelectManifest = { [K in SelectKind]: ManifestOf<K> }[SelectKind];

const resolveSelect = (shape: SelectShape): JobSelect => ({
  folder: shape.folder ?? null,
  subfolders: shape.subfolders,
  tags: shape.tags,
  q: shape.q ?? null,
  dynamic: shape.dynamic ?? null,
  type: shape.type ?? null,
});

const toNames = (job: string): Names => ({
  job,
  display: placeholder("display_name"),
  file: placeholder("display_name", " | slug"),
});

function resolveRedesign(manifest: ManifestOf<"redesign">, context: ResolveContext) {
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

function resolveRetarget(manifest: ManifestOf<"retarget">, context: ResolveContext) {
  const { match, set, safety } = manifest;
  return {
    source: resolveSource(manifest.source, path.dirname(context.file)),
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

const DEFAULT_DAYS = 30;

function resolveReport(manifest: ManifestOf<"report">, context: ResolveContext, job: string) {
  const { window, details, flag, output } = manifest;
  const days = window.days ?? (window.start === undefined ? DEFAULT_DAYS : null);
  const { start = null, end = null, compare } = window;
  return {
    select: resolveSelect(manifest.select),
    window: { days, start, end, compare },
    groupBy: manifest.group_by,
    columns: [...new Set(manifest.columns)],
    details: details === undefined ? null : { ...details, include: [...new Set(details.include)] },
    flag: { zeroScansForDays: flag?.zero_scans_for_days ?? null },
    output: {
      dir: resolveDir(output.dir, context, job),
      formats: [...new Set(output.formats)],
    },
    safety: { maxCodes: manifest.safety.max_codes ?? null },
  };
}

/** Never fails: what it gets has been checked. */
export function resolveSelectJob(
  manifest: SelectManifest,
  { common, context }: { readonly common: JobCommon; readonly context: ResolveContext },
): SelectJob {
  const names = toNames(common.name);
  const stateDir = resolveStateDir(manifest.output.dir, context, common.name);
  switch (manifest.kind) {
    case "redesign": {
      const output = resolveOutput(manifest.output, context, names);
      return {
        ...common,
        kind: "redesign",
        ...resolveRedesign(manifest, context),
        output,
        stateDir,
      };
    }
    case "retarget": {
      const output = resolveOutput(
        { ...manifest.output, files: [], zip: false, sheets: false, file_name: undefined },
        context,
        names,
      );
      return {
        ...common,
        kind: "retarget",
        ...resolveRetarget(manifest, context),
        output,
        stateDir,
      };
    }
    case "report":
      return { ...common, kind: "report", ...resolveReport(manifest, context, common.name) };
    case "export": {
      const { select, safety } = manifest;
      return {
        ...common,
        kind: "export",
        select: resolveSelect(select),
        output: resolveOutput(manifest.output, context, names),
        stateDir,
        safety: { maxCodes: safety.max_codes ?? null },
      };
    }
  }
}
