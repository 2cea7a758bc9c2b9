/** Files that a browser sent: kept under their hash, removed when they stay unused. */
import { createHash } from "node:crypto";
import { open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";

import { PRIVATE_FOLDER, writeFileAtomic } from "../../../base/files/atomic-file.ts";
import { closing } from "../../../base/flow/closing.ts";
import { badUsage, type AppError } from "../../../base/errors.ts";
import { makeFolder } from "../../../base/files/make-folder.ts";
import { limitBody } from "../../body-limits.ts";
import { DESK_DIR } from "../../folder.ts";
import { listTokenFiles } from "../../token-files.ts";

/** The limit of an upload; `read/` has the limits of reading it. */
export const MAX_UPLOAD_BYTES = 200 * 1024 * 1024;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export const UPLOAD_PATH = "/new/upload";

/** Where a new spreadsheet of a job is sent to. */
export const isNewFilePath = (address: string): boolean =>
  /^\/job\/[^/]+\/new-file$/u.test(address);

const SPREADSHEET = /\.(?:csv|tsv|txt|xlsx|xlsm)$/iu;
/** Spreadsheets of other programs: refused, with what to do. */
const OTHER_SPREADSHEET = /\.(?:xls|xlsb|ods|numbers)$/iu;

/** What a browser lets people choose; a refused one is better told so than greyed out. */
export const OFFERED_FILES = ".csv,.tsv,.txt,.xlsx,.xlsm,.xls,.xlsb,.ods,.numbers";

export const uploadsOf = (folder: string): string => path.join(folder, DESK_DIR, "uploads");

/** Whether a source was sent, and doesn't lie beside its job yet. */
export const isUpload = (source: string): boolean =>
  source.startsWith(DESK_DIR.replaceAll(path.sep, "/"));

/** Removes what lay there for a week. */
export async function sweepUploads(folder: string, nowMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  for (const name of names) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && nowMs - found.mtimeMs > KEPT_MS)
      await rm(file, { force: true, recursive: true });
  }
}

const tooLarge = (got: string): AppError =>
  badUsage(
    `the file must have at most 200 MB, got ${got}`,
    "put the file into the folder of the desk and choose it from the list",
  );

/** Refuses a larger body before it is taken in. */
export const limitUpload = limitBody(MAX_UPLOAD_BYTES, () => tooLarge("more"));

/** A cell in quotes, which may have lines of its own, or a line. */
const CELL = /("(?:[^"]|"")*"(?=\n|$))|[^\n]+/gu;

const toQuoted = (cell: string, quoted?: string): string =>
  quoted ?? `"${cell.replaceAll('"', '""')}"`;

/**
 * Rows as spreadsheet programs copy them: with tabs between cells. One column has none, and its commas
 * part nothing; text with commas in its first line is CSV. A form's line ends are CRLF, also within cells.
 */
export function toPastedFile(given: string, name: string): File {
  const text = given.replaceAll("\r\n", "\n");
  const [header = ""] = text.trimStart().split("\n", 1);
  if (text.includes("\t")) return new File([text], `${name}.tsv`);
  const kept = /[,;|]/u.test(header) ? text : text.replaceAll(CELL, toQuoted);
  return new File([kept], `${name}.csv`);
}

/** Keeps a spreadsheet; answers its path relative to the desk's folder, with slashes. */
export async function keepUpload(folder: string, sent: File, nowMs: number): Promise<string> {
  const { name, size } = sent;
  if (!SPREADSHEET.test(name)) {
    throw badUsage(
      `the file must be CSV, TSV or XLSX, got ${name || "none"}`,
      "open it in Excel, Numbers or LibreOffice, save it as XLSX or CSV, and choose that file",
    );
  }
  if (size > MAX_UPLOAD_BYTES) {
    throw tooLarge(`${Math.ceil(size / 2 ** 20)} MB`);
  }
  const uploads = uploadsOf(folder);
  await makeFolder(uploads, PRIVATE_FOLDER);
  await sweepUploads(uploads, nowMs);
  const bytes = Buffer.from(await sent.arrayBuffer());
  const hash = createHash("sha256").update(bytes).digest("hex");
  const kept = path.join(uploads, `${hash.slice(0, 32)}${path.extname(name).toLowerCase()}`);
  await writeFileAtomic(kept, bytes, { isPrivate: true });
  return path.relative(folder, kept).replaceAll(path.sep, "/");
}

/** Between cells stands what the spreadsheet has there. */
const MENDED_HEAD = /^\ufeff?line([^\w\r\n"])was\1/u;

/** One long word and nothing else: no list, but maybe a token that no job names any more. */
const TOKEN_LIKE = /^[\w-]{32,500}\s*$/u;

/** How a file that can't be a job's list begins, by its extension. */
const NO_LISTS: Readonly<Record<string, { readonly bytes: number; readonly says: RegExp }>> = {
  // Mended rows, which the desk has written itself.
  ".csv": { bytes: 64, says: MENDED_HEAD },
  ".txt": { bytes: 512, says: TOKEN_LIKE },
};

async function isNoList(file: string): Promise<boolean> {
  const known = NO_LISTS[path.extname(file).toLowerCase()];
  const handle = known && (await open(file).catch(() => undefined));
  if (known === undefined || handle === undefined) return false;
  const { bytes, says } = known;
  return closing(handle, async () => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return says.test(buffer.toString("utf8", 0, bytesRead));
  }).catch(() => false);
}

/** Spreadsheets that lie in the folder, but for those of mended rows and files that hold a token. */
export async function listSpreadsheets(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => SPREADSHEET.test(name));
  const secrets = await listTokenFiles(folder);
  const noLists = await Promise.all(names.map((name) => isNoList(path.join(folder, name))));
  return names
    .filter((name, at) => noLists[at] !== true && !secrets.has(path.join(folder, name)))
    .toSorted();
}

/** Spreadsheets in the folder that have to be saved as XLSX or CSV first. */
export async function listOtherSpreadsheets(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => OTHER_SPREADSHEET.test(name)).toSorted();
}
