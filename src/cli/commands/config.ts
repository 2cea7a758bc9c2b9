import { toShortPath } from "../../base/text/format-problem.ts";
import { readVariable, settings } from "../../base/settings.ts";
import type { Job } from "../../kinds/any-job.ts";
import type { ExplainedField, Origin } from "../../kinds/explain.ts";
import { explainJob } from "../../pipeline/source/load-job.ts";
import { toDataDir } from "../../pipeline/address/server.ts";
import type { Call } from "../call.ts";
import { toWarningPort } from "../moved-store.ts";
import { readOpenOptions, requireJob } from "../open-job.ts";

const MAX_WIDTH = 60;

/** Secrets are named, never shown. */
function describeToken({ context }: Call, fields: readonly ExplainedField[]): ExplainedField[] {
  if (readVariable(context.env, "token") === undefined) return [];
  if (!fields.some(({ field }) => field === "api.base_url")) return [];
  const origin: Origin = { kind: "environment", name: settings.token.variable };
  return [{ field: "api.token", value: "(set, not shown)", origin }];
}

/** The address that the embedded service's data folder keeps, where none is named. */
async function describeKept(call: Call, { api, file }: Job): Promise<ExplainedField[]> {
  if (api.baseUrl !== undefined || api.publicUrl !== undefined) return [];
  const name = toDataDir(file);
  const { kept } = await toWarningPort(call).address(name);
  return kept === undefined
    ? []
    : [{ field: "api.public_url", value: kept, origin: { kind: "data", name } }];
}

function describeOrigin({ kind, name = "", line }: Origin, cwd: string): string {
  const file = toShortPath(name, cwd);
  const place = line === undefined ? file : `${file}:${line}`;
  return {
    default: "default",
    flag: `flag ${name}`,
    data: `kept in ${file}`,
    environment: `environment ${name}`,
    manifest: place,
    project: `project ${place}`,
  }[kind];
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

export async function config(call: Call): Promise<void> {
  const { cwd, out, clock } = call.context;
  const options = { ...readOpenOptions(call), env: call.context.env, nowMs: clock.nowMs() };
  const { job, fields } = await explainJob(requireJob(call), options);
  const all = [...fields, ...describeToken(call, fields), ...(await describeKept(call, job))];
  if (!call.isJson) {
    return out(`# ${job.kind} job of ${call.input.argument}\n${formatFields(all, cwd)}`);
  }
  for (const { field, value, origin } of all) call.json("field", { field, value, from: origin });
  call.json("summary", { job: job.name, fields: all.length });
}
