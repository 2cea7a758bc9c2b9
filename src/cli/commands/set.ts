/** `set`: changes fields of a manifest, as the desk does. */
import { badUsage } from "../../base/errors.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { formatMany } from "../../base/text/words.ts";
import { toFieldPath } from "../../job/yaml/field-path.ts";
import { readSetting, readUnset } from "../../job/yaml/field-settings.ts";
import type { YamlEdit } from "../../job/yaml/edit-yaml.ts";
import { editManifest } from "../../pipeline/source/edit-manifest.ts";
import { loadJob } from "../../pipeline/source/load-job.ts";
import { findUnreadable } from "../../pipeline/source/source.ts";
import type { Call } from "../call.ts";
import { toWarningPort } from "../moved-store.ts";
import { requireJob } from "../open-job.ts";
import { readDataDir } from "../settings.ts";

const sayFields = (done: string, fields: readonly string[]): string | false =>
  fields.length > 0 && `${formatMany(fields.length, "field")} ${done}: ${fields.join(", ")}`;

/** A field of the spreadsheet, or one that names its columns. */
function isOfSource({ path: keys, value }: YamlEdit): boolean {
  const text = JSON.stringify(value) ?? "";
  return keys[0] === "source" || keys.at(-1) === "per" || /\{\{|"per":/u.test(text);
}

/** Where such a field was set: warns of a sheet or a column that the spreadsheet does not have. */
async function warnOfSource(call: Call, file: string, edits: readonly YamlEdit[]): Promise<void> {
  if (!edits.some(isOfSource)) return;
  const { clock, env } = call.context;
  const job = await loadJob(file, { env, nowMs: clock.nowMs() });
  const problems = "source" in job ? await findUnreadable(job) : [];
  for (const problem of problems) call.view.warning(problem);
}

export async function setFields(call: Call): Promise<void> {
  const { clock, env } = call.context;
  const { others = [] } = call.input;
  const edits = [...others.map(readSetting), ...call.list("unset").map(readUnset)];
  if (edits.length === 0) {
    throw badUsage(
      "a field must be named, got none",
      "for example output.dir=out/test, or --unset output.dir",
    );
  }
  const file = requireJob(call);
  const world = { clock, env, dataDir: readDataDir(call), server: toWarningPort(call) };
  const isChanged = await editManifest(file, edits, world);
  const fields = edits.map(({ path: keys }) => toFieldPath(keys));
  const set = sayFields("set", fields.slice(0, others.length));
  const said = isChanged
    ? linesOf(set, sayFields("taken out", fields.slice(others.length))).join("; ")
    : "these fields are so already; nothing was written";
  await warnOfSource(call, file, edits);
  call.tell("summary", { file, fields, isChanged }, `${call.input.argument}: ${said}`);
}
