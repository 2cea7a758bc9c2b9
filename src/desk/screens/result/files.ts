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
const QUIET = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

/**
 * The file `name` of a job's output folder. Throws `bad-usage` for one that lies elsewhere, also
 * through a link.
 */
export async function replyFile(
  c: Context,
  desk: DeskContext,
  { dir, name }: { readonly dir: string; readonly name: string },
): Promise<Response> {
  const root = await realpath(desk.folder);
  const file = await resolveInside(root, path.relative(root, path.resolve(dir, name)));
  const isBelow = file.startsWith(`${path.resolve(dir)}${path.sep}`);
  const found = isBelow ? await stat(file).catch(() => undefined) : undefined;
  const kind = path.extname(file).toLowerCase();
  const type = TYPES[kind];
  if (found === undefined || !found.isFile() || type === undefined) return c.notFound();
  const disposition = SHOWN.has(kind) && c.req.query("download") === undefined;
  const fileName = encodeURIComponent(path.basename(file));
  return c.body(Readable.toWeb(createReadStream(file)) as ReadableStream, 200, {
    "content-type": type,
    "content-length": String(found.size),
    "content-disposition": `${disposition ? "inline" : "attachment"}; filename*=UTF-8''${fileName}`,
    ...(kind === ".pdf" ? {} : { "content-security-policy": QUIET }),
  });
}
