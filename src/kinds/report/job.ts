import type { JobCommon, JobSelect } from "../../job/job.ts";
import type { ResolveContext } from "../../job/output/resolve-context.ts";
import { resolveDir } from "../../job/output/resolve-output.ts";
import type { WindowWish } from "../../plan/scan-window.ts";
import { resolveSelect, type JobParts } from "../job-parts.ts";
import type { reportColumns, reportDetails, reportFormats, ReportManifest } from "./shape.ts";

export interface ReportJob extends JobCommon {
  readonly kind: "report";
  readonly select: JobSelect;
  readonly window: WindowWish;
  readonly groupBy: "code" | "folder" | "workspace";
  readonly columns: readonly (typeof reportColumns)[number][];
  readonly details: {
    readonly top: number;
    readonly include: readonly (typeof reportDetails)[number][];
  } | null;
  readonly flag: { readonly zeroScansForDays: number | null };
  readonly output: {
    /** Absolute. */
    readonly dir: string;
    readonly formats: readonly (typeof reportFormats)[number][];
  };
  readonly safety: { readonly maxCodes: number | null };
}

const DEFAULT_DAYS = 30;

function resolveReport(manifest: ReportManifest, context: ResolveContext, job: string) {
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
export function toReportJob(manifest: ReportManifest, { common, context }: JobParts): ReportJob {
  return { ...common, kind: "report", ...resolveReport(manifest, context, common.name) };
}
