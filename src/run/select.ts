/**
 * `select:` of a manifest -> a query of the list of codes (docs/spec/api.md section 4.1), and the
 * conditions that it can't express.
 */
import { type CodeListQuery, type Include, UNFILED } from "../api/code.ts";
import type { CodeSelect } from "../base/shapes/code-select.ts";
import type { Folder } from "../api/folder.ts";
import { AppError } from "../base/errors.ts";
import { didYouMean } from "../base/text/suggest.ts";
import { toPath, type FoundCode, type Selection } from "./catalog.ts";

const fold = (text: string): string => text.normalize("NFC").trim().toLowerCase();

function unknownFolder(wanted: string, folders: readonly Folder[]): AppError {
  const paths = folders.map((folder) => toPath(folder.path ?? folder.name));
  return new AppError(
    "manifest-invalid",
    `select.folder must be a folder of the workspace, got ${JSON.stringify(wanted)}`,
    { hint: paths.length === 0 ? "the workspace has no folders" : didYouMean(wanted, paths) },
  );
}

/** The folder that a manifest names by path, id or slug; several of one slug are refused. */
export function findFolder(wanted: string, folders: readonly Folder[]): Folder {
  const path = toPath(wanted);
  const rules: ((folder: Folder) => boolean)[] = [
    (folder) => folder.id === wanted,
    (folder) => toPath(folder.path ?? folder.name) === path,
    (folder) => fold(toPath(folder.path ?? folder.name)) === fold(path),
    (folder) => folder.slug === wanted,
  ];
  for (const rule of rules) {
    const found = folders.filter(rule);
    const [first] = found;
    if (first === undefined) continue;
    if (found.length === 1) return first;
    const names = found.map((folder) => `${folder.path ?? folder.name} (${folder.id})`).join(", ");
    throw new AppError(
      "manifest-invalid",
      `select.folder must mean one folder, got ${JSON.stringify(wanted)}, which means ${names}`,
      { hint: "write the whole path, or the id" },
    );
  }
  throw unknownFolder(wanted, folders);
}

function makeFilter(select: CodeSelect): (code: FoundCode) => boolean {
  const wanted = select.tags.map(fold);
  return (code) => {
    if (select.dynamic !== null && code.isDynamic !== select.dynamic) return false;
    if (select.type !== null && code.type !== select.type) return false;
    const carried = new Set(code.tags.map(fold));
    return wanted.every((tag) => carried.has(tag));
  };
}

export interface SelectOptions {
  /** What else is asked for along with each code. */
  readonly include?: readonly Include[] | undefined;
  /** Window of the scans; ISO. */
  readonly window?: { readonly start: string; readonly end: string } | undefined;
}

async function readFolder(
  client: { folders(): AsyncIterable<Folder> },
  wanted: string | null,
): Promise<Folder | undefined> {
  if (wanted === null || wanted === UNFILED) return undefined;
  const folders: Folder[] = [];
  for await (const folder of client.folders()) folders.push(folder);
  return findFolder(wanted, folders);
}

/** The folders are read only when the manifest names one. */
export async function toSelection(
  client: { folders(): AsyncIterable<Folder> },
  select: CodeSelect,
  { include = [], window }: SelectOptions = {},
): Promise<Selection> {
  const named = await readFolder(client, select.folder);
  const folder = named?.id ?? select.folder ?? undefined;
  const wants = new Set([...include, ...(select.tags.length > 0 ? (["tags"] as const) : [])]);
  const query: CodeListQuery = {
    ...(folder !== undefined && { folder }),
    ...(named !== undefined && select.subfolders && { subfolders: true }),
    ...(select.q !== null && { q: select.q }),
    ...(wants.size > 0 && { include: [...wants].join(",") }),
    ...window,
  };
  return { query, takes: makeFilter(select), says: sayFound(select, named) };
}

/** A folder that is given by its id is named by its path. */
const sayFound = (select: CodeSelect, folder: Folder | undefined): string =>
  describeSelect(
    folder?.id === select.folder ? { ...select, folder: folder.path ?? folder.name } : select,
  );

/** The selection in words. */
export function describeSelect(select: CodeSelect): string {
  const { folder, subfolders, tags, q, dynamic, type } = select;
  const parts = [
    folder === null
      ? undefined
      : folder === UNFILED
        ? "in no folder"
        : `in ${folder}${subfolders ? " and below" : ""}`,
    tags.length === 0 ? undefined : `tagged ${tags.join(", ")}`,
    q === null ? undefined : `with ${JSON.stringify(q)}`,
  ].filter((part) => part !== undefined);
  const kind = dynamic === null ? "" : dynamic ? "dynamic " : "static ";
  return [`${kind}${type === null ? "" : `${type} `}codes`, ...parts].join(" ");
}
