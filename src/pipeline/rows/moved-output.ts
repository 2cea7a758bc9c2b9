/** The output folder of a job under another name: without it, a run makes every code a second time. */
import { readdirSync } from "node:fs";
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { readMeta } from "../../state/find-state.ts";
import type { State } from "../../state/state.ts";
import { ANY } from "../../state/which-rows.ts";
import { LAST_RESULT } from "../standing/last-result.ts";
import type { Ports } from "../ports.ts";
import type { RunResult } from "../results.ts";
import { toDataDir } from "../address/server.ts";
import { JOB, MANIFEST } from "./whose-state.ts";

/** Folders are looked at so deep below the project, and so many of them. */
const MOST_DEEP = 4;
const MOST_FOLDERS = 500;

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/u.test(entry.name))
      .map(({ name }) => path.join(folder, name))
      .toSorted();
  } catch {
    return [];
  }
}

/** The nearest first. */
export function* foldersBelow(roots: readonly string[]): Iterable<string> {
  const seen = new Set<string>();
  let level = roots;
  for (let deep = 0; deep < MOST_DEEP; deep += 1) {
    level = level.flatMap(listFolders).filter((folder) => !seen.has(folder));
    for (const folder of level) {
      if (seen.size >= MOST_FOLDERS) return;
      seen.add(folder);
      yield folder;
    }
  }
}

/** Where output folders of a job are looked for. */
export const toRoots = ({ file, output }: RowJob): string[] => [
  ...new Set([path.dirname(toDataDir(file)), path.dirname(output.dir)]),
];

/** True when the last result, as the state has it, names files of the folder. */
export function wroteInto(
  folder: string,
  { file, result }: { readonly file: string; readonly result: string | undefined },
): boolean {
  const { files = [] } = JSON.parse(result || "{}") as Partial<Pick<RunResult, "files">>;
  return files.some((one) =>
    path.resolve(path.dirname(file), one.file).startsWith(`${folder}${path.sep}`),
  );
}

/** True for what the job wrote into its output folder of today. */
function isOf({ name, file, output }: RowJob, folder: string): boolean {
  const meta = readMeta(folder, [JOB, MANIFEST, LAST_RESULT]);
  if (meta[JOB] !== name || meta[MANIFEST] !== path.basename(file)) return false;
  return wroteInto(output.dir, { file, result: meta[LAST_RESULT] });
}

/** Where the output folder of a job lies now, when it was moved or renamed; absolute. */
export function findMovedOutput(job: RowJob): string | undefined {
  for (const folder of foldersBelow(toRoots(job)))
    if (folder !== job.output.dir && isOf(job, folder)) return folder;
  return undefined;
}

/** Of a job that has no codes where its manifest says. */
export function warnOfMovedOutput(
  job: RowJob,
  { commandOf }: Pick<Ports, "commandOf">,
  state: State | undefined,
): Problem[] {
  if (state !== undefined && state.count(ANY) > 0) return [];
  const found = findMovedOutput(job);
  if (found === undefined) return [];
  const { dir } = job.output;
  return [
    {
      message: `${found} holds the codes that this job has made; a run into ${dir} makes every code a second time`,
      hint: `move the folder back, or name it: ${commandOf("plan", { more: ["--out", found] })}`,
    },
  ];
}
