/** Where each value of a job comes from. */
import { toFieldPath } from "../job/yaml/field-path.ts";
import { isRecord } from "../base/is-record.ts";
import type { Environment } from "../base/settings.ts";
import type { Job } from "./any-job.ts";
import { schemaAt } from "../job/yaml/coerce.ts";
import { hidePassword } from "../base/text/hide-password.ts";
import { kindTable } from "./index.ts";
import { nodeAt, type Place, type TreeNode } from "../job/yaml/tree.ts";

export type OriginKind = "flag" | "environment" | "manifest" | "project" | "data" | "default";

export interface Origin {
  readonly kind: OriginKind;
  /** Flag, variable or file. */
  readonly name?: string | undefined;
  readonly line?: number | undefined;
}

/** One value of the final job, under the name that manifests and `--set` use. */
export interface ExplainedField {
  readonly field: string;
  readonly value: unknown;
  readonly origin: Origin;
}

export interface ExplainSources {
  readonly manifest: string;
  readonly project: string | undefined;
  /** With the environment put in, and as it was written. */
  readonly expanded: TreeNode;
  readonly written: TreeNode;
  /** Field -> the flag or variable that has won over the manifest. */
  readonly overrides: ReadonlyMap<string, Origin>;
  readonly env: Environment;
}

/** Parts of a job that no manifest writes. */
const INNER = new Set(["file", "kind", "column_uses"]);

interface Spelling {
  readonly field: string;
  readonly write: (value: number) => string | number;
}

const toPercent = (share: number): string => `${Number((share * 100).toPrecision(12))}%`;

/** Parts of the job that manifests spell differently. */
const SPELLINGS: Readonly<Record<string, Spelling>> = {
  "run.settle_ms": { field: "run.settle", write: (ms) => `${ms / 1000}s` },
  "run.max_failures.count": { field: "run.max_failures", write: (count) => count },
  "run.max_failures.share": { field: "run.max_failures", write: toPercent },
  "output.sheets.overs": { field: "output.sheets.overs", write: toPercent },
};

const toSnake = (key: string): string =>
  key.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

function* listLeaves(
  value: unknown,
  keys: readonly string[],
): Generator<{ keys: readonly string[]; value: unknown }> {
  if (value === null || value === undefined) return;
  if (!isRecord(value)) yield { keys, value };
  else {
    // Names of columns are people's own and stay as they are.
    const isColumns = keys.join(".") === "source.columns";
    for (const [key, below] of Object.entries(value)) {
      const path = [...keys, isColumns ? key : toSnake(key)];
      if (!INNER.has(path.join("."))) yield* listLeaves(below, path);
    }
  }
}

/** The value itself, or the short form that stands for it: `source: rows.csv`. */
function findNode(root: TreeNode, keys: readonly string[]): TreeNode | undefined {
  const node = nodeAt(root, keys);
  if (node !== undefined || keys.at(-1) !== "file") return node;
  const above = nodeAt(root, keys.slice(0, -1));
  return above?.kind === "scalar" && typeof above.value === "string" ? above : undefined;
}

const VARIABLE = /\$\{([A-Za-z_]\w*)/u;

/** The variable that a value came from; undefined where its default was used. */
function variableIn(node: TreeNode | undefined, env: Environment): string | undefined {
  if (node?.kind !== "scalar" || typeof node.value !== "string") return undefined;
  const name = VARIABLE.exec(node.text)?.[1];
  return name === undefined || (env[name] ?? "") === "" ? undefined : name;
}

function toOrigin(place: Place, variable: string | undefined, sources: ExplainSources): Origin {
  const { file, line } = place;
  if (file?.startsWith("--") === true) return { kind: "flag", name: file };
  if (variable !== undefined) return { kind: "environment", name: variable };
  if (file !== undefined && file === sources.project) return { kind: "project", name: file, line };
  return { kind: "manifest", name: sources.manifest, line };
}

function originOf(keys: readonly string[], sources: ExplainSources): Origin {
  const override = sources.overrides.get(keys.join("."));
  if (override !== undefined) return override;
  const node = findNode(sources.expanded, keys);
  if (node === undefined) return { kind: "default" };
  return toOrigin(node.place, variableIn(findNode(sources.written, keys), sources.env), sources);
}

/** Every value of the final job that is set, in the job's order. */
export function explain(job: Job, sources: ExplainSources): ExplainedField[] {
  return [...listLeaves(job, [])].flatMap(({ keys, value }): ExplainedField[] => {
    const spelling = SPELLINGS[keys.join(".")];
    const path = spelling?.field.split(".") ?? keys;
    // A value that the kind decides is no field of its manifests.
    if (schemaAt(kindTable[job.kind].shape, path) === undefined) return [];
    const plain = spelling === undefined ? value : spelling.write(Number(value));
    const shown = typeof plain === "string" ? hidePassword(plain) : plain;
    return [{ field: toFieldPath(path), value: shown, origin: originOf(path, sources) }];
  });
}
