/**
 * The rules of `src/README.md` as functions: each takes the sources and answers a list of
 * sentences, one per breach, empty when all is well.
 */
import path from "node:path";

import { scanSource, type Import } from "./scan-source.ts";

/** Path relative to `src`, with `/` -> text. */
export type Sources = ReadonlyMap<string, string>;

interface Layer {
  readonly folder: string;
  /** Folder -> whether types only may be imported. */
  readonly mayImport: ReadonlyMap<string, "all" | "types">;
}

export type Layers = ReadonlyMap<string, Layer>;

/** Package -> the files that may import it. */
export type PackageTable = ReadonlyMap<string, readonly string[]>;

export interface ScannedFile {
  readonly file: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly hasDefaultExport: boolean;
}

/** The cells of the first table below the heading that begins with `heading`. */
export function readTable(markdown: string, heading: string): string[][] {
  const lines = markdown.split("\n");
  const start = lines.findIndex((line) => /^#+ /u.test(line) && line.includes(heading));
  if (start < 0) throw new Error(`no heading "${heading}"`);
  const first = lines.findIndex((line, i) => i > start && line.startsWith("|"));
  const length = lines.slice(first).findIndex((line) => !line.startsWith("|"));
  const rows = lines.slice(first, length < 0 ? undefined : first + length);
  if (first < 0 || rows.length < 3) throw new Error(`no table below "${heading}"`);
  return rows.slice(2).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const toList = (cell: string | undefined): string[] =>
  (cell ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export function readLayers(markdown: string): Layers {
  const layers = readTable(markdown, "Who may import whom").map(([folder = "", list]): Layer => {
    const mayImport = new Map(
      toList(list).map((item) => {
        const typesOnly = /^(\S+) \(types\)$/u.exec(item)?.[1];
        return [typesOnly ?? item, typesOnly === undefined ? "all" : "types"] as const;
      }),
    );
    return { folder, mayImport };
  });
  return new Map(layers.map((layer) => [layer.folder, layer]));
}

export function readPackageTable(markdown: string): PackageTable {
  return new Map(
    readTable(markdown, "One package, one file").map(([name = "", files]) => [name, toList(files)]),
  );
}

export function scanAll(sources: Sources): ScannedFile[] {
  return [...sources].map(([file, text]) => {
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return { file, lines, ...scanSource(text) };
  });
}

const isRelative = (from: string): boolean => from.startsWith("./") || from.startsWith("../");

/** The file that a relative import means, relative to `src`; outside it starts with `..`. */
const toTarget = (file: string, from: string): string =>
  path.posix.normalize(path.posix.join(path.posix.dirname(file), from));

/** Data such as `../../package.json` may be read from anywhere. */
const isCode = (from: string): boolean =>
  isRelative(from) && !/\.(?:json|wasm|css|html)$/u.test(from);

/** First folder of a path; the empty string for a file in `src` itself. */
const toFolder = (file: string): string => (file.includes("/") ? (file.split("/")[0] ?? "") : "");

/** `@scope/name` or `name` of a bare import. */
const toPackage = (from: string): string =>
  from
    .split("/")
    .slice(0, from.startsWith("@") ? 2 : 1)
    .join("/");

/** Imports that leave the file's folder must stand in the layer table. `index.ts` may take all. */
export function checkLayers(files: readonly ScannedFile[], layers: Layers): string[] {
  return files.flatMap(({ file, imports }) => {
    const folder = toFolder(file);
    if (file === "index.ts") return [];
    if (folder === "")
      return [`${file} must stand in a folder: only index.ts stands in src itself`];
    const layer = layers.get(folder);
    if (layer === undefined) return [`${file}: the folder ${folder} must stand in the layer table`];
    return imports
      .filter(({ from, kind }) => isCode(from) && kind !== "url")
      .flatMap(({ from, kind }) => {
        const target = toFolder(toTarget(file, from));
        if (target === folder) return [];
        const allowed = layer.mayImport.get(target);
        if (allowed === "all" || (allowed === "types" && kind === "type")) return [];
        const rule = allowed === "types" ? "types only (import type)" : "nothing";
        const of = target === "" || target === ".." ? `outside of the folders` : `of ${target}`;
        return [`${file} imports ${from}: ${folder} may import ${rule} ${of}`];
      });
  });
}

/** Every relative import of code must meet a file of `src`. */
export function checkTargets(files: readonly ScannedFile[]): string[] {
  const known = new Set(files.map(({ file }) => file));
  return files.flatMap(({ file, imports }) =>
    imports
      .filter(({ from, kind }) => isCode(from) && kind !== "url")
      .filter(({ from }) => !known.has(toTarget(file, from)))
      .map(({ from }) => `${file} imports ${from}: no such file in src`),
  );
}

/** Circles of imports, types included, each named once, from its first file in the alphabet. */
export function checkCycles(files: readonly ScannedFile[]): string[] {
  const edges = new Map(
    files.map(({ file, imports }) => [
      file,
      imports
        .filter(({ from, kind }) => isRelative(from) && kind !== "url")
        .map(({ from }) => toTarget(file, from)),
    ]),
  );
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      const circle = trail.slice(start);
      const first = circle.indexOf(circle.toSorted()[0] ?? "");
      const turned = [...circle.slice(first), ...circle.slice(0, first)];
      found.add([...turned, turned[0]].join(" -> "));
      return;
    }
    if (done.has(file)) return;
    for (const target of edges.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return [...found].toSorted().map((circle) => `import cycle: ${circle}`);
}

/** Which half of which resource a file is. */
interface ResourcePart {
  readonly resource: string;
  readonly half: "handlers" | "rows";
  /** `handlers.ts`, `rows.ts`, not a file in a folder of that name. */
  readonly isFront: boolean;
}

const RESOURCES = "service/resources/";
/** Mounts the handlers of every resource. */
const MOUNTS = "service/service.ts";

/** Undefined for files that are neither. */
function toResourcePart(file: string): ResourcePart | undefined {
  if (!file.startsWith(RESOURCES)) return undefined;
  const parts = /^([^/]+)\/(handlers|rows)(\.tsx?$|\/)/u.exec(file.slice(RESOURCES.length));
  if (parts === null) return undefined;
  const [, resource = "", half, end] = parts;
  return { resource, half: half as ResourcePart["half"], isFront: end !== "/" };
}

/** Why one file of `src` must not import the other, as far as resources are concerned. */
function judgeResource(file: string, target: string): string | undefined {
  const to = toResourcePart(target);
  if (to?.half !== "handlers") return undefined;
  const from = toResourcePart(file);
  if (from?.half === "rows") return "rows may import rows, never handlers";
  if (from?.resource === to.resource) return undefined;
  if (file === MOUNTS && to.isFront) return undefined;
  return "others may import a resource's rows, never its handlers";
}

/**
 * A resource of the service is made of `handlers` and `rows`, each a file, a folder or both. Others
 * import its rows; its handlers are for itself, and `handlers.ts` for the front door.
 */
export function checkResources(files: readonly ScannedFile[]): string[] {
  const strays = files
    .filter(({ file }) => file.startsWith(RESOURCES) && toResourcePart(file) === undefined)
    .map(({ file }) => `${file} must be handlers or rows of a resource`);
  const wrong = files.flatMap(({ file, imports }) =>
    imports
      .filter(({ from }) => isCode(from))
      .flatMap(({ from }) => {
        const why = judgeResource(file, toTarget(file, from));
        return why === undefined ? [] : [`${file} imports ${from}: ${why}`];
      }),
  );
  return [...strays, ...wrong];
}

/** The library's doors, of the package and of its parts, and the programs. */
const ENTRIES = [
  "index.ts",
  "qr/qr.ts",
  "gs1/gs1.ts",
  "print/print.ts",
  "cli/main.ts",
  "cli/start.ts",
];

const isEntry = (file: string): boolean =>
  ENTRIES.includes(file) ||
  file.endsWith("-worker.ts") ||
  /^desk\/islands\/[\w-]+\.tsx$/u.test(file);

/** Files that no way of imports leads to from an entry point. */
export function checkDeadFiles(files: readonly ScannedFile[]): string[] {
  const byName = new Map(files.map((file) => [file.file, file]));
  const reached = new Set<string>();
  const queue = files.map(({ file }) => file).filter(isEntry);
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const { imports } = byName.get(file) ?? { imports: [] };
    for (const { from } of imports) if (isRelative(from)) queue.push(toTarget(file, from));
  }
  return files
    .map(({ file }) => file)
    .filter((file) => !reached.has(file))
    .map((file) => `${file} must be imported by something or go away`);
}

/** What a file loads before anything is done, with all that this loads: files, and packages by name. */
export function loadedBy(start: string, files: readonly ScannedFile[]): Set<string> {
  const byName = new Map(files.map((file) => [file.file, file]));
  const loaded = new Set<string>();
  const queue = [start];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    for (const { from, kind } of byName.get(file)?.imports ?? []) {
      if (kind !== "value") continue;
      if (isCode(from)) queue.push(toTarget(file, from));
      else if (!isRelative(from) && !from.startsWith("node:")) loaded.add(toPackage(from));
    }
  }
  return loaded;
}

const MAX_LINES = 400;

export function checkLengths(files: readonly ScannedFile[]): string[] {
  return files
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ file, lines }) => `${file} must have at most ${MAX_LINES} lines, got ${lines}`);
}

export function checkDefaultExports(files: readonly ScannedFile[]): string[] {
  return files
    .filter(({ hasDefaultExport }) => hasDefaultExport)
    .map(({ file }) => `${file} must not have a default export`);
}

/** Who imports which package, types included: a type ties to a package as code does. */
function listImporters(files: readonly ScannedFile[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const { file, imports } of files) {
    for (const { from, kind } of imports) {
      if (isRelative(from) || from.startsWith("node:") || from === "" || kind === "url") continue;
      const name = toPackage(from);
      importers.set(name, (importers.get(name) ?? new Set()).add(file));
    }
  }
  return importers;
}

/** Whether a name of the table is the file, or a folder (with its slash) that holds it. */
const isOrHolds = (name: string, file: string): boolean =>
  name === file || (name.endsWith("/") && file.startsWith(name));

/** The package table, both ways, and every package against the dependencies of `package.json`. */
export function checkPackages(
  files: readonly ScannedFile[],
  table: PackageTable,
  dependencies: readonly string[],
): string[] {
  const importers = listImporters(files);
  const wrong = [...table].flatMap(([name, allowed]) => {
    const actual = importers.get(name) ?? new Set<string>();
    return [
      ...[...actual]
        .filter((file) => !allowed.some((one) => isOrHolds(one, file)))
        .map((file) => `${file} imports ${name}: only ${allowed.join(", ")} may`),
      ...allowed
        .filter((one) => ![...actual].some((file) => isOrHolds(one, file)))
        .map((file) => `the table says that ${file} imports ${name}, but it doesn't`),
    ];
  });
  const named = new Set([...importers.keys(), ...table.keys()]);
  const undeclared = [...named]
    .filter((name) => !dependencies.includes(name))
    .map((name) => `${name} must stand in the dependencies of package.json`);
  return [...wrong, ...undeclared];
}
