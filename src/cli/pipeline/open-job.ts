import path from "node:path";

import { openDefinition, openFolder } from "../../read/folder-source.ts";
import { openSource } from "../../read/source.ts";
import { AppError, type Problem } from "../../base/errors.ts";
import { isUrl, withoutEndSlash } from "../../base/url.ts";
import type { Job } from "../../job/any-job.ts";
import type { JobCommon, JobRows } from "../../job/job.ts";
import { checkTemplates } from "../../job/column-uses.ts";
import { loadJob } from "../../job/manifest.ts";
import type { Source } from "../../read/source.ts";
import type { CliContext, Input } from "../context.ts";
import { readList, readText } from "../context.ts";
import { DEFAULT_PUBLIC_URL, toDataDir, type ServerChoice } from "./server.ts";

export interface OpenJob {
  readonly job: Job;
  readonly server: ServerChoice;
}

/** Options that every command with a manifest takes. */
export const jobOptions = [
  { flags: "--out <dir>", says: "output folder, instead of output.dir of the manifest" },
  { flags: "--set <key=value>", says: "overrides one key of the manifest", repeats: true },
  { flags: "--base-url <url>", says: "API to use, instead of the embedded service" },
  { flags: "--data <dir>", says: "data folder of the embedded service" },
  { flags: "--limits <mode>", says: "limits of the embedded service: off (default) or hosted" },
  { flags: "--json", says: "one JSON object per line on standard output" },
] as const;

function readLimits(input: Input): "off" | "hosted" {
  const limits = readText(input, "limits") ?? "off";
  if (limits === "off" || limits === "hosted") return limits;
  throw new AppError("bad-usage", `--limits must be off or hosted, got ${limits}`);
}

function readPublicUrl(context: CliContext): { publicUrl: string; isPublicUrlGiven: boolean } {
  const given = context.env["MAKEREADY_PUBLIC_URL"];
  if (given === undefined || given === "") {
    return { publicUrl: DEFAULT_PUBLIC_URL, isPublicUrlGiven: false };
  }
  if (!/^https?:$/u.test(isUrl(given) ? new URL(given).protocol : "")) {
    throw new AppError(
      "bad-usage",
      `MAKEREADY_PUBLIC_URL must be an http or https URL, got ${given}`,
    );
  }
  return { publicUrl: withoutEndSlash(given), isPublicUrlGiven: true };
}

/** Reads the manifest that a person named, with flags and environment over it. */
export async function openJob(context: CliContext, input: Input): Promise<OpenJob> {
  const file = input.argument;
  if (file === undefined) {
    throw new AppError("bad-usage", "a job manifest must be named, got none", {
      hint: "makeready run jobs/table-codes.yaml",
    });
  }
  const out = readText(input, "out");
  const data = readText(input, "data");
  const job = await loadJob(path.resolve(context.cwd, file), {
    env: context.env,
    set: readList(input, "set"),
    out: out === undefined ? undefined : path.resolve(context.cwd, out),
    baseUrl: readText(input, "baseUrl"),
    nowMs: context.clock.nowMs(),
  });
  return {
    job,
    server: {
      baseUrl: job.api.baseUrl,
      dataDir: data === undefined ? toDataDir(job.file) : path.resolve(context.cwd, data),
      ...readPublicUrl(context),
      limits: readLimits(input),
    },
  };
}

/** Where rows come from -> how that is opened. */
const openers = {
  spreadsheet: openSource,
  folder: openFolder,
  manifest: ({ file }) => Promise.resolve(openDefinition(file)),
} as const satisfies Record<JobRows["from"], (source: JobRows) => Promise<Source>>;

/** Opens the spreadsheet and checks that every column which the manifest names is there. */
export async function openRows(
  job: Pick<JobCommon, "columnUses"> & { readonly source: JobRows },
): Promise<Source> {
  const source = await openers[job.source.from](job.source);
  const problems: readonly Problem[] = checkTemplates(job, source.names);
  if (problems.length > 0) {
    await source.close();
    throw new AppError(
      "manifest-invalid",
      "the manifest names columns that the spreadsheet doesn't have",
      {
        problems,
      },
    );
  }
  return source;
}
