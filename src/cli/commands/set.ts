/** `set`: changes fields of a manifest, as the desk does. */
import { AppError, badUsage } from "../../base/errors.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { formatMany } from "../../base/text/words.ts";
import { toFieldPath } from "../../job/yaml/field-path.ts";
import { readSetting, readUnset } from "../../job/yaml/field-settings.ts";
import type { YamlEdit } from "../../job/yaml/edit-yaml.ts";
import { openRows } from "../../pipeline/source/source.ts";
import { editManifest } from "../../pipeline/source/edit-manifest.ts";
import type { Call } from "../call.ts";
import { toWarningPort } from "../moved-store.ts";
import { makePorts, openJob, requireJob } from "../open-job.ts";
import { readDataDir } from "../settings.ts";

const sayFields = (done: string, fields: readonly string[]): string | false =>
  fields.length > 0 && `${formatMany(fields.length, "field")} ${done}: ${fields.join(", ")}`;

/** Where the fields of the spreadsheet were set: warns of a sheet or a column that it does not have. */
async function warnOfSource(call: Call, edits: readonly YamlEdit[]): Promise<void> {
  if (!edits.some(({ path: [root] }) => root === "source")) return;
  try {
    const { job, server } = await openJob(call, toWarningPort(call));
    if (!("source" in job) || job.source.from !== "spreadsheet") return;
    const source = await openRows(job, makePorts(call), server);
    await source.close();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, problems, hint, where } = error;
    for (const problem of problems.length > 0 ? problems : [{ message, hint, where }])
      call.view.warning(problem);
  }
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
  await warnOfSource(call, edits);
  call.tell("summary", { file, fields, isChanged }, `${call.input.argument}: ${said}`);
}
