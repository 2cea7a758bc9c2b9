/** The files of a workspace: pictures, PDFs, logos of forms, images of respondents, own templates. */
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { constants } from "node:fs";
import path from "node:path";

import { PRIVATE_FOLDER } from "../../base/files/atomic-file.ts";
import type { FieldAnswer } from "../resources/forms/rows/responses.ts";
import { openMediaFolder, toContentType } from "../store/media.ts";
import type { SqliteStore as Store } from "../store/sqlite/sqlite-store.ts";
import { SOURCE } from "./moved-tables.ts";

/** Most of these are pictures of codes, which are made again where a copy is lost. */
const isPicture = (name: string): boolean => /\.(?:png|svg)$/u.test(name);

const ofCodes = (column: string): string =>
  `SELECT ${column} AS name FROM ${SOURCE}.codes WHERE workspace_id = ?1 AND ${column} IS NOT NULL`;
const PICTURES = ["png_file", "svg_file", "print_file"].map(ofCodes);
const OF_FORMS = ["draft", "live"].map(
  (column) =>
    `SELECT json_extract(${column}, '$.logo') AS name FROM ${SOURCE}.forms WHERE workspace_id = ?1`,
);
const ANSWERS = `
  SELECT answers FROM ${SOURCE}.form_responses
  WHERE form_id IN (SELECT id FROM ${SOURCE}.forms WHERE workspace_id = ?) AND answers LIKE '%"image"%'`;

type Source = Pick<Store, "raw">;

function listNames({ raw }: Source, workspaceId: string, queries: readonly string[]): string[] {
  const named = raw.all<{ name: string | null }>(queries.join(" UNION "), workspaceId);
  return named.flatMap(({ name }) => (name === null ? [] : [name]));
}

const areMedia = (names: Iterable<string>): string[] =>
  [...names].filter((name) => toContentType(name) !== undefined);

/** Names of the media files that can't be made again, each once: PDFs, logos of forms, images of respondents. */
export function listOriginals({ raw }: Source, workspaceId: string): string[] {
  const queries = [ofCodes("pdf_file"), ...OF_FORMS];
  const names = new Set(listNames({ raw }, workspaceId, queries));
  for (const { answers } of raw.iterate<{ answers: string }>(ANSWERS, workspaceId)) {
    for (const { field_type: type, value } of JSON.parse(answers) as FieldAnswer[]) {
      if (type === "image" && typeof value === "string") names.add(value);
    }
  }
  return areMedia(names);
}

/** Names of all media files of a workspace, each once: lost pictures of codes are made again. */
export const listFiles = (source: Source, workspaceId: string): string[] => [
  ...new Set([
    ...listOriginals(source, workspaceId),
    ...areMedia(listNames(source, workspaceId, PICTURES)),
  ]),
];

/**
 * Pictures of codes that the source doesn't have: a new look drops them, and they are drawn when
 * somebody asks for them.
 */
export async function listUndrawn(
  store: Source,
  workspaceId: string,
  from: string,
): Promise<ReadonlySet<string>> {
  const media = openMediaFolder(path.join(from, "media"));
  const undrawn = new Set<string>();
  for (const name of listNames(store, workspaceId, PICTURES))
    if (toContentType(name) !== undefined && !(await media.has(name))) undrawn.add(name);
  return undrawn;
}

export async function copyFiles(
  names: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const source = openMediaFolder(path.join(from, "media"));
  const target = openMediaFolder(path.join(to, "media"));
  for (const name of await listMissing(names, to)) {
    const bytes = await source.read(name);
    if (bytes !== undefined) await target.save(name, bytes, !isPicture(name));
  }
}

/** Those of the files that a folder lacks. */
export async function listMissing(names: readonly string[], folder: string): Promise<string[]> {
  const media = openMediaFolder(path.join(folder, "media"));
  const missing: string[] = [];
  for (const name of names) if (!(await media.has(name))) missing.push(name);
  return missing;
}

/**
 * Copies the operator's template files. Those of the default workspace are in `templates/` itself;
 * here they get a folder for the workspace. Answers how many are new.
 */
export async function copyTemplates(
  { from, to }: { readonly from: string; readonly to: string },
  { workspaceId, isDefault }: { readonly workspaceId: string; readonly isDefault: boolean },
): Promise<number> {
  const places = [path.join("templates", workspaceId), ...(isDefault ? ["templates"] : [])];
  const target = path.join(to, "templates", workspaceId);
  let copied = 0;
  for (const place of places) {
    const entries = await readdir(path.join(from, place), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((one) => one.isFile())) {
      await mkdir(target, { recursive: true, mode: PRIVATE_FOLDER });
      const [old, own] = [path.join(from, place, entry.name), path.join(target, entry.name)];
      copied += await copyFile(old, own, constants.COPYFILE_EXCL).then(
        () => 1,
        () => 0,
      );
    }
  }
  return copied;
}
