import { hidePassword } from "../base/text/hide-password.ts";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";

import { CLOSE_OR_ALLOW, toReadReason } from "../base/files/disk-error.ts";
import { AppError, sortProblems, toPlace, type Problem } from "../base/errors.ts";
import { readVariable, settings, type Environment, type SettingName } from "../base/settings.ts";
import { nearWord, suggest } from "../base/text/suggest.ts";
import { codeTypes } from "../api/code.ts";

import { coerce, findLostZeros } from "../job/yaml/coerce.ts";
import { findColumnUses } from "../job/template/column-uses.ts";
import { expandTree } from "../job/yaml/environment.ts";
import { explain, type ExplainedField, type Origin } from "./explain.ts";
import { toProblems } from "../job/issues.ts";
import {
  BASE_URL_RULE,
  sayBaseUrlFix,
  commonFields,
  isBaseUrl,
} from "../job/shapes/common-shapes.ts";
import type { Job } from "./any-job.ts";
import type { ColumnUse } from "../job/job.ts";
import { checkByHeader, checkKnownColumns, type ReadColumns } from "./column-check.ts";
import { kinds, type Kind } from "./names.ts";
import { kindTable } from "./index.ts";
import type { Manifest } from "./shapes.ts";
import { applyProject, findProject, PROJECT_FILE } from "./project.ts";
import { resolveJob } from "./resolve.ts";
import { checkRules } from "./rules.ts";
import { applySettings } from "../job/yaml/settings.ts";
import { readSheetLabels } from "../job/output/sheet-labels.ts";
import { findTraps } from "../job/yaml/traps.ts";
import { nodeAt, toFieldName, type TreeNode } from "../job/yaml/tree.ts";
import { parseYaml, type ParsedText } from "../job/yaml/yaml.ts";

export type { Job } from "./any-job.ts";

export interface LoadOptions {
  /** `process.env`, or what stands for it. `MAKEREADY_BASE_URL`, `_PUBLIC_URL` and `_WORKSPACE` win over the file. */
  readonly env: Environment;
  /** The text of the manifest, where it isn't saved yet. Default: that of the file. */
  readonly text?: string | undefined;
  /** `output.dir=x`: overrides one field; paths stay relative to the manifest. */
  readonly set?: readonly string[] | undefined;
  /** Output folder, relative to the current one; wins over everything. */
  readonly out?: string | undefined;
  /** Wins over everything. */
  readonly baseUrl?: string | undefined;
  /** Public address of the embedded service; wins over everything, too. */
  readonly publicUrl?: string | undefined;
  /** Reads the header of the job's spreadsheet, for a manifest with mistakes. */
  readonly readColumns?: ReadColumns | undefined;
  /** Wall clock, epoch milliseconds, for folders named after a date. Default: this moment. */
  readonly nowMs?: number | undefined;
}

const MAX_BYTES = 512 * 1024;
/** Files that people name by mistake in place of the manifest. */
const SPREADSHEETS = new Set([".csv", ".tsv", ".xlsx", ".xlsm", ".xls", ".ods", ".numbers"]);

function fail(file: string, message: string, hint?: string): never {
  const where = { file };
  throw new AppError("manifest-invalid", `${message}, got ${file}`, {
    hint,
    where,
    problems: [{ message: `${message}, got ${file}`, where, hint }],
  });
}

const EXTENSIONS = [".yaml", ".yml", ".json"];

/** `job.yaml` lies there where `job.yml` or `job` was named. */
async function findNear(file: string): Promise<string | undefined> {
  const ending = path.extname(file);
  const bare = EXTENSIONS.includes(ending.toLowerCase()) ? file.slice(0, -ending.length) : file;
  for (const extension of EXTENSIONS) {
    const found = await stat(bare + extension).catch(() => undefined);
    if (found?.isFile() === true) return path.basename(bare + extension);
  }
  return undefined;
}

async function failAsAbsent(file: string): Promise<never> {
  const near = await findNear(file);
  const hint = near === undefined ? "check the path" : `${near} lies there: name that`;
  return fail(file, "manifest must be a file that exists", hint);
}

/** The text of a manifest. Throws `manifest-invalid` for what can be none. */
export async function readManifestText(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return failAsAbsent(file);
  if (found.isDirectory())
    fail(
      file,
      "manifest must be a file, not a folder",
      "name the manifest in it, or rename the folder",
    );
  if (SPREADSHEETS.has(path.extname(file).toLowerCase())) {
    fail(file, "manifest must be YAML or JSON", "makeready init writes one for a spreadsheet");
  }
  if (found.size > MAX_BYTES) fail(file, `manifest must have at most ${MAX_BYTES / 1024} KB`);
  const bytes = await readFile(file).catch((error: unknown) =>
    fail(file, `manifest must be readable, but ${toReadReason(error)}`, CLOSE_OR_ALLOW),
  );
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

type Shape = (typeof kindTable)[Kind]["shape"];

/** The kind that a manifest without one most likely means, by its fields. */
function guessKind(root: TreeNode): Kind {
  if (root.kind !== "map") return "codes";
  const fields = new Set(root.entries.map(({ key }) => key));
  const countOwn = (kind: Kind): number =>
    Object.keys(kindTable[kind].shape.shape).filter((field) => fields.has(field)).length;
  return kinds.toSorted((a, b) => countOwn(b) - countOwn(a))[0] ?? "codes";
}

/** "did you mean": a kind, or a type of code, which stands elsewhere. */
function hintForKind(text: string): string | undefined {
  const type = suggest(text, kinds) === undefined ? suggest(text, codeTypes) : undefined;
  return type === undefined
    ? nearWord(text, kinds)
    : `${type} is a type of code: write "kind: codes", and "type: ${type}" under code`;
}

interface FoundKind {
  readonly problems: readonly Problem[];
  /** The shape that the rest is held against. */
  readonly kind: Kind;
  /** False when the value names no kind in any spelling. */
  readonly isSure: boolean;
}

function checkKind(root: TreeNode, file: string): FoundKind {
  const node = nodeAt(root, ["kind"]);
  const text = node?.kind === "scalar" ? node.text : undefined;
  const found = kinds.find((kind) => kind === text);
  if (found !== undefined) return { problems: [], kind: found, isSure: true };
  const near = text === undefined ? undefined : suggest(text, kinds);
  const spelled = kinds.find((kind) => kind === near);
  const isSure = text === undefined || spelled !== undefined;
  const guessed = { kind: spelled ?? guessKind(root), isSure };
  if (text === undefined) return { problems: [], ...guessed };
  const message = `kind must be one of ${kinds.join(", ")}, got ${JSON.stringify(text)}`;
  const where = { file, ...node?.place, field: "kind" };
  return { problems: [{ message, hint: hintForKind(text), where }], ...guessed };
}

function checkZeros(root: TreeNode, shape: Shape, file: string): Problem[] {
  return findLostZeros(root, shape).map(({ node, path }) => {
    const field = toFieldName(path);
    const message = `${field} must be in quotes, got ${node.text} (unquoted it is a number and loses its zero)`;
    return { message, hint: `write "${node.text}"`, where: { file, ...node.place, field } };
  });
}

interface Checked {
  /** Problems that cause the others at the same place. */
  readonly causes: readonly Problem[];
  readonly problems: readonly Problem[];
  readonly kind: Kind;
  readonly manifest: Manifest | undefined;
  readonly uses: readonly ColumnUse[];
}

/** The fields of a manifest depend on its kind, and so do its problems. */
const isOfKind = ({ code, path: [first], path }: z.core.$ZodIssue): boolean =>
  path.length === 0
    ? code === "unrecognized_keys"
    : path.length === 1 && first !== "kind" && !Object.hasOwn(commonFields, String(first));

function checkTree(root: TreeNode, file: string): Checked {
  const { kind, isSure, problems: causes } = checkKind(root, file);
  const schema: Shape = kindTable[kind].shape;
  const parsed = schema.safeParse(coerce(root, schema));
  const found = parsed.error?.issues.filter((issue) => isSure || !isOfKind(issue)) ?? [];
  const issues = toProblems(found, { root, schema, file });
  const { uses, problems: faults } = findColumnUses(root, file);
  const columns = isSure ? checkKnownColumns({ root, kind, file, uses }) : [];
  // Rules depend on the kind: of a guessed kind they may not hold.
  const rules = isSure && root.kind === "map" ? checkRules(root, kind, file) : [];
  return {
    causes: [...causes, ...checkZeros(root, schema, file)],
    problems: [...issues, ...faults, ...columns, ...rules],
    kind,
    manifest: parsed.data,
    uses,
  };
}

/** The causes, and other problems that are not at the place of a cause. */
function dropConsequences(causes: readonly Problem[], rest: readonly Problem[]): Problem[] {
  const placed = causes.filter(({ where }) => where?.line !== undefined);
  const taken = new Set(placed.map(({ where }) => toPlace(where)));
  return [...causes, ...rest.filter(({ where }) => !taken.has(toPlace(where)))];
}

function throwAll(file: string, found: readonly Problem[]): never {
  const problems = sortProblems(found);
  const [first, another] = problems;
  // A flag or a variable is no mistake of the manifest.
  if (first !== undefined && another === undefined && first.where === undefined) {
    throw new AppError("manifest-invalid", first.message, { hint: first.hint, problems });
  }
  const count = problems.length === 1 ? "1 mistake" : `${problems.length} mistakes`;
  const message = `manifest must be free of mistakes, got ${count}`;
  throw new AppError("manifest-invalid", message, { where: { file }, problems });
}

/** Of a parser's errors, the first on each line is the mistake; the others follow from it. */
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

function checkAddress(
  given: string | undefined,
  { env, flag, name }: { env: Environment; flag: string; name: SettingName },
): { address: string | undefined; problems: Problem[] } {
  const found = filled(given) ?? readVariable(env, name);
  if (found === undefined || isBaseUrl(found)) return { address: found, problems: [] };
  const from = filled(given) === undefined ? settings[name].variable : flag;
  const message = `${from} ${BASE_URL_RULE}, got ${JSON.stringify(hidePassword(found))}`;
  return { address: undefined, problems: [{ message, hint: sayBaseUrlFix(found) }] };
}

/** The addresses that flags and the environment give; they win over the manifest. */
function checkServer({ env, baseUrl, publicUrl }: LoadOptions) {
  const base = { env, flag: "--base-url", name: "baseUrl" } as const;
  const open = { env, flag: "--public-url", name: "publicUrl" } as const;
  const [api, links] = [checkAddress(baseUrl, base), checkAddress(publicUrl, open)];
  const problems = [...api.problems, ...links.problems];
  return { baseUrl: api.address, publicUrl: links.address, problems };
}

interface Written {
  readonly root: TreeNode;
  /** The project's config file, when there is one. */
  readonly project: string | undefined;
  readonly problems: readonly Problem[];
}

/** The manifest with its project's defaults and the settings of the command line. */
async function readWritten(file: string, options: LoadOptions): Promise<Written> {
  const parsed = parseText(options.text ?? (await readManifestText(file)), file);
  if (parsed.isBroken) throwAll(file, parsed.problems);
  if (parsed.root === undefined) fail(file, "manifest must not be empty", "see jobs/ for examples");
  const project = await findProject(file);
  const merged = { root: parsed.root, problems: [] as Problem[] };
  if (project !== undefined) {
    const defaults = parseText(await readManifestText(project), project);
    if (defaults.isBroken) throwAll(project, defaults.problems);
    const { kind } = checkKind(parsed.root, file);
    const { root } = defaults;
    const applied = root && applyProject(parsed.root, { root, file: project }, kind);
    merged.root = applied?.root ?? parsed.root;
    merged.problems = [...defaults.problems, ...(applied?.problems ?? [])];
  }
  const set = applySettings(merged.root, options.set ?? []);
  return {
    root: set.root,
    project,
    problems: [parsed, merged, set].flatMap(({ problems }) => problems),
  };
}

interface Loaded {
  readonly job: Job;
  readonly written: Written;
  readonly expanded: TreeNode;
}

async function load(file: string, options: LoadOptions): Promise<Loaded> {
  const written = await readWritten(file, options);
  const server = checkServer(options);
  const expanded = expandTree(written.root, options.env, file);
  const checked = checkTree(expanded.root, file);
  const causes = [written, server, expanded].flatMap(({ problems }) => problems);
  const { root } = expanded;
  const throwWithColumns = async (found: readonly Problem[]): Promise<never> => {
    const read = { root, kind: checked.kind, file, uses: checked.uses };
    throwAll(file, dropConsequences(found, await checkByHeader(read, options.readColumns)));
  };
  const found = dropConsequences([...causes, ...checked.causes], checked.problems);
  if (found.length > 0 || checked.manifest === undefined) return throwWithColumns(found);
  const { labels, uses, problems } = await readSheetLabels(checked.manifest, { root, file });
  if (problems.length > 0) return throwWithColumns(problems);
  const job = resolveJob(checked.manifest, {
    file,
    labels,
    outDir: options.out === undefined ? undefined : path.resolve(options.out),
    baseUrl: server.baseUrl,
    publicUrl: server.publicUrl,
    workspace: readVariable(options.env, "workspace"),
    nowMs: options.nowMs ?? Date.now(),
    timeZone: undefined,
    columnUses: [...checked.uses, ...uses],
  });
  return { job, written, expanded: root };
}

/**
 * Reads a manifest and makes it a Job. Everything that is wrong is reported at once, sorted by
 * place; nothing but the manifest, the project's config and the label templates that they name is
 * read.
 * @throws AppError `manifest-invalid` with `problems`
 */
export async function loadJob(manifest: string, options: LoadOptions): Promise<Job> {
  return (await load(path.resolve(manifest), options)).job;
}

const toFlag = (name: string, value: string | undefined): readonly Origin[] =>
  filled(value) === undefined ? [] : [{ kind: "flag", name }];

/** Values that win over the manifest without being in its tree. */
function listOverrides({ env, out, baseUrl, publicUrl }: LoadOptions): Map<string, Origin> {
  const variable = (name: SettingName): readonly Origin[] =>
    readVariable(env, name) === undefined
      ? []
      : [{ kind: "environment", name: settings[name].variable }];
  const found: readonly (readonly [string, readonly Origin[]])[] = [
    [settings.baseUrl.key, [...toFlag("--base-url", baseUrl), ...variable("baseUrl")]],
    [settings.publicUrl.key, [...toFlag("--public-url", publicUrl), ...variable("publicUrl")]],
    [settings.workspace.key, variable("workspace")],
    ["output.dir", toFlag("--out", out)],
  ];
  return new Map(found.flatMap(([field, [origin]]) => (origin ? [[field, origin]] : [])));
}

/** Whether a YAML file is a manifest. Well-formed YAML without a kind is another file, such as settings. */
export async function isManifest(file: string): Promise<boolean | "unknown"> {
  if (path.basename(file) === PROJECT_FILE) return false;
  const text = await readManifestText(file).catch(() => undefined);
  const { root, isBroken = true } = text === undefined ? {} : parseText(text, file);
  if (isBroken || root?.kind !== "map") return "unknown";
  return nodeAt(root, ["kind"]) !== undefined;
}

/** The final job, value by value, with where each comes from. Throws what `loadJob` throws. */
export async function explainJob(
  manifest: string,
  options: LoadOptions,
): Promise<{ readonly job: Job; readonly fields: readonly ExplainedField[] }> {
  const file = path.resolve(manifest);
  const { job, written, expanded } = await load(file, options);
  const { root, project } = written;
  const overrides = listOverrides(options);
  return {
    job,
    fields: explain(job, {
      manifest: file,
      project,
      written: root,
      expanded,
      overrides,
      env: options.env,
    }),
  };
}
