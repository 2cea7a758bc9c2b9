/** Style and islands under names that change with their content, so that browsers may keep them. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import type { Hono } from "hono";

import { builtUrl } from "../base/files/package-files.ts";
import { sha256 } from "../base/ids/ids.ts";
import { DESK_STYLE } from "./view/desk-style.ts";

const ASSET_PATH = "/assets";
const HASH_LENGTH = 16;

interface Asset {
  readonly body: string;
  readonly type: string;
}

export interface Assets {
  readonly style: string;
  /** Address of an island's script, such as `monitor`. */
  island(name: string): string;
  readonly files: ReadonlyMap<string, Asset>;
}

/** Reads what browsers load. Chunks that islands share keep the names that the build gave them. */
export async function openAssets(): Promise<Assets> {
  const folder = fileURLToPath(builtUrl("desk/islands/"));
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) =>
    name.endsWith(".js"),
  );
  const files = new Map<string, Asset>();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
  const hash = sha256([DESK_STYLE, ...texts].join("\0")).slice(0, HASH_LENGTH);
  files.set(`${hash}/desk.css`, { body: DESK_STYLE, type: "text/css; charset=utf-8" });
  for (const [at, name] of names.entries()) {
    files.set(`${hash}/${name}`, { body: texts[at] ?? "", type: "text/javascript; charset=utf-8" });
  }
  return {
    style: `${ASSET_PATH}/${hash}/desk.css`,
    island: (name) => `${ASSET_PATH}/${hash}/${name}.js`,
    files,
  };
}

export function routeAssets(app: Hono, { files }: Assets): void {
  app.get(`${ASSET_PATH}/:hash/:name`, (c) => {
    const file = files.get(`${c.req.param("hash")}/${c.req.param("name")}`);
    if (file === undefined) return c.notFound();
    return c.body(file.body, 200, {
      "content-type": file.type,
      "cache-control": "private, max-age=31536000, immutable",
    });
  });
}
