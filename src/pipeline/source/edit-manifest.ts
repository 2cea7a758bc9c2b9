/** Changes fields of a manifest on disk and leaves everything else as it is. */
import { chmod, readFile, stat } from "node:fs/promises";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Clock } from "../../base/time/clock.ts";
import { toDiskError } from "../../base/files/disk-error.ts";
import { AppError } from "../../base/errors.ts";
import type { Environment } from "../../base/settings.ts";
import { readScheduledJob } from "../../job/schedule.ts";
import {
  editYaml,
  readYamlField,
  type YamlEdit,
  type YamlValue,
} from "../../job/yaml/edit-yaml.ts";
import { readManifestText } from "../../kinds/manifest.ts";
import { openJob } from "../open.ts";
import type { Ports } from "../ports.ts";
import { forgetMissed } from "../schedule/ledger.ts";
import { toDataDir } from "../address/server.ts";

interface Access extends Pick<Ports, "clock" | "server"> {
  /** What stands for the environment in the manifest's `${NAME}`. Default: nothing. */
  readonly env?: Environment | undefined;
  /** Of the embedded service and of schedules; default: `.makeready/` beside the manifest. */
  readonly dataDir?: string | undefined;
}

/** Writes a manifest whole, or not at all. Throws `output-unwritable` where the folder takes no file. */
export async function writeManifestText(file: string, text: string): Promise<void> {
  const { mode } = await stat(file);
  try {
    await writeFileAtomic(file, text);
    await chmod(file, mode);
  } catch (cause) {
    throw toDiskError(cause) ?? cause;
  }
}

/**
 * `source: FILE` is short for `source: { file: FILE }`: setting another field of it keeps the file.
 */
function widenSource(text: string, edit: YamlEdit): YamlEdit {
  const [root, key, ...rest] = edit.path;
  if (root !== "source" || key === undefined) return edit;
  const short = readYamlField(text, ["source"])?.value;
  if (typeof short !== "string") return edit;
  if (key === "file" && rest.length === 0) return { path: ["source"], value: edit.value };
  if (edit.value === undefined) return edit;
  const inner = rest.reduceRight<YamlValue>((value, name) => ({ [name]: value }), edit.value);
  return { path: ["source"], value: { file: short, [key]: inner } };
}

/** Without the last field of `output.sheets`, the job prints its labels still: as by default. */
function keepSheets(text: string, edit: YamlEdit): YamlEdit {
  const [root, key, field, ...rest] = edit.path;
  if (root !== "output" || key !== "sheets" || field === undefined || rest.length > 0) return edit;
  const sheets = readYamlField(text, [root, key])?.value;
  const isLast =
    edit.value === undefined && isRecord(sheets) && Object.keys(sheets).join() === field;
  return isLast ? { path: [root, key], value: true } : edit;
}

/** The text of a manifest with its edits. Throws `manifest-invalid` unless it is a YAML map. */
export const editManifestText = (text: string, edits: readonly YamlEdit[]): string =>
  edits.reduce(
    (edited, edit) => editYaml(edited, [keepSheets(edited, widenSource(edited, edit))]),
    text,
  );

const isPaused = (text: string): boolean =>
  readYamlField(text, ["schedule", "paused"])?.value === true;

async function forgetWhatWasMissed(
  file: string,
  { clock, env = {}, dataDir = toDataDir(file) }: Access & { readonly clock: Clock },
): Promise<void> {
  const scheduled = await readScheduledJob(file, env);
  if (scheduled !== undefined) await forgetMissed(dataDir, scheduled, clock.nowMs());
}

interface Edit {
  readonly file: string;
  readonly text: string;
  readonly edited: string;
}

/** A refused edit is not written: what is wrong in a line that the file does not have so has no line. */
function onDisk(error: unknown, { file, text, edited }: Edit): unknown {
  if (!(error instanceof AppError) || text === edited) return error;
  const [now, wished] = [text.split("\n"), edited.split("\n")];
  const problems = error.problems.map((problem) => {
    const { line, field, ...where } = problem.where ?? {};
    if (line === undefined || where.file !== file || now[line - 1] === wished[line - 1])
      return problem;
    return { ...problem, where: { file, ...(field !== undefined && { field }) } };
  });
  const { code, message, hint, where } = error;
  return new AppError(code, message, { hint, where, problems, cause: error });
}

/**
 * Changes fields of a manifest; answers whether anything changed. A schedule that is switched on again
 * has missed nothing. Throws `manifest-invalid` when a run would refuse the result; then nothing is
 * written.
 *
 * @param file absolute
 */
export async function editManifest(
  file: string,
  edits: readonly YamlEdit[],
  access: Access,
): Promise<boolean> {
  await readManifestText(file);
  // With every byte that it begins with.
  const text = await readFile(file, "utf8");
  const edited = editManifestText(text, edits);
  const { clock, server, env, dataDir } = access;
  try {
    await openJob(file, { text: edited, env, dataDir }, { clock, server });
  } catch (error) {
    throw onDisk(error, { file, text, edited });
  }
  if (edited === text) return false;
  await writeManifestText(file, edited);
  if (isPaused(text) && !isPaused(edited)) await forgetWhatWasMissed(file, access);
  return true;
}
