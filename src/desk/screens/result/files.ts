/** Finished files of a job as downloads; PDFs and the report are shown in the page. */
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";

import type { Context } from "hono";

import type { Job } from "../../../kinds/any-job.ts";
import type { DeskContext } from "../../context.ts";
import { isFileOf, resolveInside } from "../../folder.ts";
import { outputDirOf, toFileName } from "../../job-files.ts";
import { readResult } from "./verdict.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".pdf": "application/pdf",
  ".zip": "application/zip",
  ".csv": "text/csv; charset=utf-8",
  ".json": "application/json",
  ".html": "text/html; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
const SHOWN: ReadonlySet<string> = new Set([".pdf", ".html", ".png", ".svg"]);

/** Foreign drawings run nothing and load nothing, also when they are opened by themselves. */
const QUIET =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

interface WantedFile {
  readonly manifest: string;
  readonly job: Job;
  /** As addresses have it. */
  readonly name: string;
}

/** In the output folder, or where the last run has put it: runs may have folders of their own. */
async function placeOf(
  desk: DeskContext,
  { manifest, job, name }: WantedFile,
): Promise<string | undefined> {
  const dir = path.resolve(outputDirOf(job));
  const file = path.resolve(dir, name);
  if (await isFileOf(dir, file)) return file;
  const last = await readResult(desk, manifest, job);
  const place = last?.files.find((one) => toFileName(dir, one.file) === name)?.file;
  if (place === undefined) return undefined;
  // The name begins with what differs from the output folder of today.
  const above = name.split("/").reduce((inner) => path.dirname(inner), place);
  return (await isFileOf(above, place)) ? place : undefined;
}

/**
 * The file `name` of a job; undefined where the job has none of that name, or a link in its place. Throws
 * `bad-usage` for one that lies outside of the desk's folder.
 */
export async function findFile(desk: DeskContext, wanted: WantedFile): Promise<string | undefined> {
  const place = await placeOf(desk, wanted);
  if (place === undefined) return undefined;
  const root = await realpath(desk.folder);
  return resolveInside(root, path.relative(root, place));
}

/** The rest of an address behind a prefix, as a name with slashes. */
export const nameBehind = (c: Context, prefix: string): string =>
  new URL(c.req.url).pathname
    .slice(prefix.length)
    .split("/")
    .map((part) => decodeURIComponent(part))
    .join("/");

/** The same as an answer. */
export async function replyFile(
  c: Context,
  desk: DeskContext,
  wanted: WantedFile,
): Promise<Response> {
  const file = await findFile(desk, wanted);
  const kind = path.extname(wanted.name).toLowerCase();
  const type = TYPES[kind];
  if (file === undefined || type === undefined) return c.notFound();
  const { size } = await stat(file);
  const isShown = SHOWN.has(kind) && c.req.query("download") === undefined;
  const fileName = encodeURIComponent(path.basename(file));
  return c.body(Readable.toWeb(createReadStream(file)) as ReadableStream, 200, {
    "content-type": type,
    "content-length": String(size),
    "content-disposition": `${isShown ? "inline" : "attachment"}; filename*=UTF-8''${fileName}`,
    ...(kind === ".pdf" ? {} : { "content-security-policy": QUIET }),
  });
}
