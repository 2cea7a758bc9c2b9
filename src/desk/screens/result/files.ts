/** Finished files of a job as downloads; PDFs and the report are shown in the page. */
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";

import type { Context } from "hono";

import type { DeskContext } from "../../context.ts";
import { resolveInside } from "../../folder.ts";

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

/**
 * The file `name` of a job's output folder; undefined where there is none. Throws `bad-usage` for one
 * that lies elsewhere, also through a link.
 */
export async function findFile(
  { folder }: DeskContext,
  { dir, name }: { readonly dir: string; readonly name: string },
): Promise<string | undefined> {
  const root = await realpath(folder);
  const file = await resolveInside(root, path.relative(root, path.resolve(dir, name)));
  const isBelow = file.startsWith(`${path.resolve(dir)}${path.sep}`);
  const found = isBelow ? await stat(file).catch(() => undefined) : undefined;
  return found?.isFile() === true ? file : undefined;
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
  wanted: { readonly dir: string; readonly name: string },
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
