/** What a scheduler needs of a manifest: its name and its schedule, and nothing else checked. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { z } from "zod";

import { AppError, toMessage, type Problem } from "../base/errors.ts";

import { coerce } from "./yaml/coerce.ts";
import { expandTree } from "./yaml/environment.ts";
import type { Environment } from "../base/settings.ts";
import { toProblems } from "./issues.ts";
import type { JobSchedule } from "./job.ts";
import { ScheduleShape } from "./shapes/schedule-shape.ts";
import { nodeAt, type TreeNode } from "./yaml/tree.ts";
import { findTraps } from "./yaml/traps.ts";
import { parseYaml } from "./yaml/yaml.ts";

export interface ScheduledJob {
  /** The manifest, absolute. */
  readonly file: string;
  readonly name: string;
  readonly schedule: JobSchedule;
  /** `safety.confirm_over`, where it is a number: more changes than this want a yes. */
  readonly confirmOver: number | undefined;
}

const Shape = z.object({ schedule: ScheduleShape });

function fail(file: string, problems: readonly Problem[]): never {
  throw new AppError("manifest-invalid", "manifest must have a schedule that can be read", {
    where: { file },
    problems,
  });
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    fail(file, [{ message: `manifest must be readable, got ${toMessage(error)}` }]);
  }
}

function readConfirmOver(root: TreeNode): number | undefined {
  const node = nodeAt(root, ["safety", "confirm_over"]);
  const text = node?.kind === "scalar" ? node.text : "";
  return /^\d+$/u.test(text) ? Number(text) : undefined;
}

const only = (root: TreeNode, key: string): TreeNode =>
  root.kind === "map"
    ? { ...root, entries: root.entries.filter((entry) => entry.key === key) }
    : root;

/**
 * The schedule of a manifest, also one that is switched off; undefined when it has none. Its other
 * fields are judged when the job runs.
 * @throws AppError `manifest-invalid` when it is broken or the schedule can't be understood
 */
export async function readScheduledJob(
  file: string,
  env: Environment,
): Promise<ScheduledJob | undefined> {
  const text = await readText(file);
  const isJson = path.extname(file).toLowerCase() === ".json";
  const { root, problems, isBroken } = parseYaml(isJson ? text : findTraps(text, file).text, file);
  if (isBroken) fail(file, problems);
  if (root === undefined || nodeAt(root, ["schedule"]) === undefined) return undefined;
  const expanded = expandTree(only(root, "schedule"), env, file);
  if (expanded.problems.length > 0) fail(file, expanded.problems);
  const shape = Shape.safeParse(coerce(expanded.root, Shape));
  if (!shape.success) {
    fail(file, toProblems(shape.error.issues, { root: expanded.root, schema: Shape, file }));
  }
  const named = nodeAt(root, ["name"]);
  const name = named?.kind === "scalar" ? named.text : path.basename(file, path.extname(file));
  return { file, name, schedule: shape.data.schedule, confirmOver: readConfirmOver(root) };
}
