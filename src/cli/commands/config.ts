import path from "node:path";

import { readVariable, settings } from "../../base/settings.ts";
import type { ExplainedField, Origin } from "../../kinds/explain.ts";
import { explainJob } from "../../pipeline/load-job.ts";
import { readFlag, readList, readText, type CliContext, type Input } from "../context.ts";
import { toShortPath } from "../../base/format-problem.ts";
import { AppError } from "../../base/errors.ts";
import type { Job } from "../../kinds/any-job.ts";
import { toDataDir } from "../../pipeline/server.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";

const MAX_WIDTH = 60;

/** Secrets are named, never shown. */
function describeToken({ env }: CliContext, fields: readonly ExplainedField[]): ExplainedField[] {
  if (readVariable(env, "token") === undefined) return [];
  if (!fields.some(({ field }) => field === "api.base_url")) return [];
  const origin: Origin = { kind: "environment", name: settings.token.variable };
  return [{ field: "api.token", value: "(set, not shown)", origin }];
}

/** What the embedded service's data folder keeps, where nobody has named an address. */
async function describeKept({ api, file }: Job): Promise<ExplainedField[]> {
  if (api.baseUrl !== undefined || api.publicUrl !== undefined) return [];
  const name = toDataDir(file);
  const { kept } = await embeddedPort.address(name);
  return kept === undefined
    ? []
    : [{ field: "api.public_url", value: kept, origin: { kind: "data", name } }];
}

function describeOrigin({ kind, name, line }: Origin, cwd: string): string {
  switch (kind) {
    case "default":
      return "default";
    case "flag":
      return `flag ${name}`;
    case "data":
      return `kept in ${toShortPath(name ?? "", cwd)}`;
    case "environment":
      return `environment ${name}`;
    case "manifest":
    case "project": {
      const file = toShortPath(name ?? "", cwd);
      const place = line === undefined ? file : `${file}:${line}`;
      return kind === "project" ? `project ${place}` : place;
    }
  }
}

function formatFields(fields: readonly ExplainedField[], cwd: string): string {
  const texts = fields.map(({ field, value }) => `${field}: ${JSON.stringify(value)}`);
  const width = Math.min(MAX_WIDTH, Math.max(...texts.map(({ length }) => length)));
  return fields
    .map(
      ({ origin }, at) => `${(texts[at] ?? "").padEnd(width)}  # ${describeOrigin(origin, cwd)}\n`,
    )
    .join("");
}

export async function config(context: CliContext, input: Input): Promise<number> {
  if (input.argument === undefined) {
    throw new AppError("bad-usage", "a job manifest must be named, got none");
  }
  const { cwd, env } = context;
  const out = readText(input, "out");
  const { job, fields } = await explainJob(path.resolve(cwd, input.argument), {
    env,
    set: readList(input, "set"),
    out: out === undefined ? undefined : path.resolve(cwd, out),
    baseUrl: readText(input, "baseUrl"),
    publicUrl: readText(input, "publicUrl"),
    nowMs: context.clock.nowMs(),
  });
  const kept = await describeKept(job);
  const all = [...fields, ...describeToken(context, fields), ...kept];
  if (!readFlag(input, "json")) {
    context.out(`# ${job.kind} job of ${input.argument}\n${formatFields(all, cwd)}`);
    return 0;
  }
  for (const { field, value, origin } of all) {
    context.out(`${JSON.stringify({ type: "field", field, value, from: origin })}\n`);
  }
  context.out(`${JSON.stringify({ type: "summary", job: job.name, fields: all.length })}\n`);
  return 0;
}
