/** Codes that were there before a job came: made over the API of the embedded service. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { systemClock } from "../../src/base/time/clock.ts";
import { DEFAULT_PUBLIC_URL } from "../../src/pipeline/address/server.ts";
import { openService } from "../../src/service/service.ts";
import { runInProcess, type InProcess } from "./in-process.ts";

type Json = Record<string, unknown>;

export interface Api {
  readonly workspace: string;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>;
  /** Makes what stands above it, too; answers the id. */
  folder(path: string): Promise<string>;
  code(fields: Json & { readonly folderPath?: string; readonly tags?: string[] }): Promise<Json>;
  list(query?: string): Promise<Json[]>;
  /** Scans a short link, as `times` phones. */
  scan(shortLink: string, times: number): Promise<void>;
}

/** What is made here is styled by the sample job, which selects what another sample job makes. */
const SEEDED = "select: { folder: Tables/North, subfolders: true, tags: [tables], dynamic: true }";

/** A folder with `jobs/` as the repository has it, and nothing in the data folder yet. */
export function makeShop(): { root: string; data: string; job: (name: string) => string } {
  const root = mkdtempSync(path.join(os.tmpdir(), "makeready-shop-"));
  for (const name of ["jobs", "samples", "templates/logos"]) {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    cpSync(path.resolve(name), path.join(root, name), { recursive: true });
  }
  const restyle = path.join(root, "jobs", "monthly-restyle.yaml");
  writeFileSync(restyle, readFileSync(restyle, "utf8").replace(/^select: .*$/mu, SEEDED));
  return {
    root,
    data: path.join(root, ".makeready"),
    job: (name) => path.join(root, "jobs", `${name}.yaml`),
  };
}

/** Opens the service of a data folder for `work`; nobody else may use it meanwhile. */
export async function withApi<T>(
  data: string,
  work: (api: Api) => Promise<T>,
  nowMs?: number,
): Promise<T> {
  const service = await openService({
    dataDir: data,
    publicUrl: DEFAULT_PUBLIC_URL,
    limits: "off",
    ...(nowMs !== undefined && { clock: { ...systemClock, nowMs: () => nowMs } }),
  });
  const { token, workspaceId: workspace } = service.account;
  const folders = new Map<string, string>();
  const call: Api["call"] = async (method, at, body) => {
    const answer = await service.fetch(
      new Request(`http://localhost/api/v2${at}`, {
        method,
        headers: { authorization: `Token ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? {} : (JSON.parse(text) as Json) };
  };
  const folder = async (full: string): Promise<string> => {
    const known = folders.get(full);
    if (known !== undefined) return known;
    const cut = full.lastIndexOf("/");
    const parent = cut < 0 ? undefined : await folder(full.slice(0, cut));
    const { body } = await call("POST", "/folder/create/", {
      workspace,
      name: full.slice(cut + 1),
      parent,
    });
    folders.set(full, String(body["id"]));
    return String(body["id"]);
  };
  try {
    return await work({
      workspace,
      call,
      folder,
      code: async ({ folderPath, tags, ...fields }) => {
        const { status, body } = await call("POST", "/qrcode/create/", {
          workspace,
          ...fields,
          ...(folderPath !== undefined && { folder: await folder(folderPath) }),
        });
        if (status !== 200) throw new Error(JSON.stringify(body));
        const titles = (tags ?? []).map((title) => ({ title }));
        const at = `/qrcode/${String(body["id"])}/tags/add/`;
        return titles.length === 0 ? body : (await call("POST", at, titles)).body;
      },
      list: async (query = "") => {
        const found: Json[] = [];
        for (let page = 1; ; page += 1) {
          const at = `/workspace/${workspace}/qrcodes/?page=${page}&page_size=200${query}`;
          const { body } = await call("GET", at);
          found.push(...(body["results"] as Json[]));
          if ((body["next"] ?? null) === null) return found;
        }
      },
      scan: async (shortLink, times) => {
        for (let n = 0; n < times; n += 1) {
          await service.fetch(
            new Request(`http://localhost${new URL(shortLink).pathname}`, {
              headers: { "user-agent": `Mozilla/5.0 (iPhone; phone ${n}) Mobile Safari` },
            }),
          );
        }
      },
    });
  } finally {
    await service.close();
  }
}

/** The last line of a kind on standard output, of a run with `--json`. */
export function lineOf({ out, err }: InProcess, type: string): Json {
  const line = out.split("\n").findLast((text) => text.startsWith(`{"type":"${type}"`));
  if (line === undefined) throw new Error(`no ${type} line in:\n${out}\n${err}`);
  return JSON.parse(line) as Json;
}

/** Runs a command with `--json`. */
export const runJson = (
  args: readonly string[],
  changes: Parameters<typeof runInProcess>[1] = {},
): Promise<InProcess> => runInProcess([...args, "--json"], changes);
