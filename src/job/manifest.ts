import { readFile, stat } from "node:fs/promises";
import path from "node:path";

import { AppError, sortProblems, toPlace, type Problem } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";

import { coerce, findLostZeros } from "./coerce.ts";
import { checkColumnUses, findColumnUses } from "./column-uses.ts";
import { expandTree, type Environment } from "./environment.ts";
import { toProblems } from "./issues.ts";
import type { Job } from "./job.ts";
import {
  BASE_URL_RULE,
  hidePassword,
  isBaseUrl,
  kinds,
  ManifestShape,
  runnableKinds,
} from "./manifest-shape.ts";
import { resolveJob } from "./resolve.ts";
import { checkRules } from "./rules.ts";
import { applySettings } from "./settings.ts";
import { findTraps } from "./traps.ts";
import { nodeAt, toFieldName, type TreeNode } from "./tree.ts";
import { parseYaml, type ParsedText } from "./yaml.ts";

export type { Job } from "./job.ts";

export interface LoadOptions {
  /** `process.env`, or what stands for it. `MAKEREADY_BASE_URL` and `_WORKSPACE` win over the file. */
  readonly env: Environment;
  /** `output.dir=x`: overrides one field; paths stay relative to the manifest. */
  readonly set?: readonly string[] | undefined;
  /** Output folder, relative to the current one; wins over everything. */
  readonly out?: string | undefined;
  /** Wins over everything. */
  readonly baseUrl?: string | undefined;
}

const MAX_BYTES = 512 * 1024;

function fail(file: string, message: string, hint?: string): never {
  const where = { file };
  throw new AppError("manifest-invalid", `${message}, got ${file}`, {
    hint,
    where,
    problems: [{ message: `${message}, got ${file}`, where, hint }],
  });
}

async function readText(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) fail(file, "manifest must be a file that exists", "check the path");
  if (found.isDirectory()) fail(file, "manifest must be a file, not a folder");
  if (found.size > MAX_BYTES) fail(file, `manifest must have at most ${MAX_BYTES / 1024} KB`);
  const bytes = await readFile(file);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.includes("\u0000")) throw new TypeError("binary");
    if (text.trim() === "") fail(file, "manifest must not be empty", "see jobs/ for examples");
    return text;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return fail(file, "manifest must be UTF-8 text (YAML or JSON)", "is this the right file?");
  }
}

/** Problems with the kind, and whether the rest can be judged at all. */
function checkKind(root: TreeNode, file: string): { problems: Problem[]; isOther: boolean } {
  const node = nodeAt(root, ["kind"]);
  if (node?.kind !== "scalar" || runnableKinds.some((kind) => kind === node.text)) {
    return { problems: [], isOther: false };
  }
  const where = { file, ...node.place, field: "kind" };
  const runs = runnableKinds.join(", ");
  const isOther = kinds.some((kind) => kind === node.text);
  const message = `kind must be one of ${runs}, got ${JSON.stringify(node.text)}`;
  const hint = isOther
    ? `this version runs ${runs} only; ${node.text} is known, but not built yet`
    : didYouMean(node.text, kinds);
  return { problems: [{ message, hint, where }], isOther };
}

function checkZeros(root: TreeNode, file: string): Problem[] {
  return findLostZeros(root, ManifestShape).map(({ node, path }) => {
    const field = toFieldName(path);
    const message = `${field} must be in quotes, got ${node.text} (unquoted it is a number and loses its zero)`;
    return { message, hint: `write "${node.text}"`, where: { file, ...node.place, field } };
  });
}

function checkUses(root: TreeNode, file: string) {
  const { uses, problems } = findColumnUses(root, file);
  const declared = nodeAt(root, ["source", "columns"]);
  const names = declared?.kind === "map" ? declared.entries.map(({ key }) => key) : [];
  const unknown = names.length === 0 ? [] : checkColumnUses(uses, names);
  return { uses, problems, unknown };
}

interface Checked {
  /** Problems that others at the same place only follow from. */
  readonly causes: readonly Problem[];
  readonly problems: readonly Problem[];
  /** Columns that are named, but not declared: only the header of the spreadsheet can tell. */
  readonly unknown: readonly Problem[];
  readonly manifest: ManifestShape | undefined;
  readonly uses: Job["columnUses"];
}

function checkTree(root: TreeNode, file: string): Checked {
  const kind = checkKind(root, file);
  if (kind.isOther) {
    return { causes: kind.problems, problems: [], unknown: [], manifest: undefined, uses: [] };
  }
  const parsed = ManifestShape.safeParse(coerce(root, ManifestShape));
  const context = { root, schema: ManifestShape, file };
  const issues = parsed.success ? [] : toProblems(parsed.error.issues, context);
  const { uses, problems, unknown } = checkUses(root, file);
  const rules = root.kind === "map" ? checkRules(root, file) : [];
  return {
    causes: [...kind.problems, ...checkZeros(root, file)],
    problems: [...issues, ...problems, ...rules],
    unknown,
    manifest: parsed.data,
    uses,
  };
}

/** The causes, and of the rest what isn't at the place of a cause. */
function dropConsequences(causes: readonly Problem[], rest: readonly Problem[]): Problem[] {
  const placed = causes.filter(({ where }) => where?.line !== undefined);
  const taken = new Set(placed.map(({ where }) => toPlace(where)));
  return [...causes, ...rest.filter(({ where }) => !taken.has(toPlace(where)))];
}

function throwAll(file: string, found: readonly Problem[]): never {
  const problems = sortProblems(found);
  const count = problems.length === 1 ? "1 mistake" : `${problems.length} mistakes`;
  const message = `manifest must be free of mistakes, got ${count}`;
  throw new AppError("manifest-invalid", message, { where: { file }, problems });
}

/** Of what a parser stumbles over, the first per line is the mistake; the others follow from it. */
function keepFirstPerLine(problems: readonly Problem[]): Problem[] {
  const lines = new Set<number | undefined>();
  return sortProblems(problems).filter(({ where }) => {
    const isNew = !lines.has(where?.line);
    lines.add(where?.line);
    return isNew;
  });
}

function parseText(text: string, file: string): ParsedText {
  const isJson = path.extname(file).toLowerCase() === ".json";
  const traps = isJson ? { text, problems: [] } : findTraps(text, file);
  const { root, problems, isBroken } = parseYaml(traps.text, file);
  const own = isBroken ? keepFirstPerLine(problems) : problems;
  return { root, problems: [...traps.problems, ...own], isBroken };
}

const filled = (value: string | undefined): string | undefined => value?.trim() || undefined;

/** The base URL that a flag or the environment gives; both win over the manifest. */
function checkServer({ env, baseUrl }: LoadOptions): {
  baseUrl: string | undefined;
  problems: Problem[];
} {
  const flag = filled(baseUrl);
  const found = flag ?? filled(env["MAKEREADY_BASE_URL"]);
  if (found === undefined || isBaseUrl(found)) return { baseUrl: found, problems: [] };
  const from = flag === undefined ? "MAKEREADY_BASE_URL" : "--base-url";
  const message = `${from} ${BASE_URL_RULE}, got ${JSON.stringify(hidePassword(found))}`;
  return { baseUrl: undefined, problems: [{ message, where: { file: from } }] };
}

/**
 * Reads a manifest and makes it a Job. Everything that is wrong is reported at once, sorted by
 * place; nothing but the manifest is read.
 * @throws AppError `manifest-invalid` with `problems`
 */
export async function loadJob(manifest: string, options: LoadOptions): Promise<Job> {
  const file = path.resolve(manifest);
  const parsed = parseText(await readText(file), file);
  if (parsed.isBroken) throwAll(file, parsed.problems);
  if (parsed.root === undefined) fail(file, "manifest must not be empty", "see jobs/ for examples");
  const server = checkServer(options);
  const set = applySettings(parsed.root, options.set ?? []);
  const expanded = expandTree(set.root, options.env, file);
  const checked = checkTree(expanded.root, file);
  const causes = [parsed, server, set, expanded].flatMap(({ problems }) => problems);
  const found = dropConsequences([...causes, ...checked.causes], checked.problems);
  if (found.length > 0 || checked.manifest === undefined) {
    throwAll(file, dropConsequences(found, checked.unknown));
  }
  return resolveJob(checked.manifest, {
    file,
    outDir: options.out === undefined ? undefined : path.resolve(options.out),
    baseUrl: server.baseUrl,
    workspace: filled(options.env["MAKEREADY_WORKSPACE"]),
    columnUses: checked.uses,
  });
}
