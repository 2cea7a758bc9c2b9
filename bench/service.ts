/**
 * The service over a real port: creates with their SVG, pages of the list at 1,000, 10,000 and
 * 100,000 codes, downloads, redirects. Prints requests per second, p50 and p99, so that costs that
 * grow with the number of codes become visible.
 *
 * npx tsx bench/service.ts [codes] [requests per measurement]
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { openSqlite } from "../src/base/sqlite/sqlite.ts";
import { openService, type Service } from "../src/service/service.ts";
import { fillCodes, tables } from "./fill-codes.ts";

const MAX_CODES = Number(process.argv[2] ?? 100_000);
const REQUESTS = Number(process.argv[3] ?? 400);
const SIZES = [1000, 10_000, 100_000].filter((size) => size <= MAX_CODES);
const CONCURRENCY = 8;

type Send = (n: number) => Promise<Response>;

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Sends `count` requests, eight at a time; prints one line. */
async function measure(label: string, count: number, send: Send): Promise<void> {
  const took: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const n = next++;
      const startedMs = performance.now();
      const response = await send(n);
      await response.arrayBuffer();
      if (response.status >= 400) throw new Error(`${label}: ${response.status}`);
      took.push(performance.now() - startedMs);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const perS = count / ((performance.now() - startedMs) / 1000);
  const sorted = took.toSorted((a, b) => a - b);
  console.log(
    `${label.padEnd(34)} ${perS.toFixed(0).padStart(7)}/s   p50 ${at(sorted, 0.5).toFixed(1).padStart(6)} ms   p99 ${at(sorted, 0.99).toFixed(1).padStart(6)} ms`,
  );
}

interface Target {
  readonly base: string;
  readonly headers: Record<string, string>;
  readonly file: string;
}

/**
 * Deletes a folder with all codes, and measures how long other requests wait while its codes are
 * unfiled.
 */
async function measureFolder(service: Service, { base, headers, file }: Target): Promise<void> {
  const { workspaceId: workspace } = service.account;
  const post = { method: "POST", headers };
  const body = JSON.stringify({ workspace, name: "All of them" });
  const made = await fetch(`${base}/folder/create/`, { ...post, body });
  const { id } = (await made.json()) as { id: string };
  const sqlite = openSqlite(file);
  sqlite.transaction(() => sqlite.run("UPDATE codes SET folder_id = ?", id));
  const startedMs = performance.now();
  const answer = await fetch(`${base}/folder/${id}/delete/`, { method: "DELETE", headers });
  const answeredMs = performance.now() - startedMs;
  if (answer.status !== 204) throw new Error(`delete: ${answer.status}`);
  let longestMs = 0;
  const isFiled = (): boolean => sqlite.get("SELECT 1 FROM folders WHERE id = ?", id) !== undefined;
  while (isFiled()) {
    const askedMs = performance.now();
    const list = await fetch(`${base}/workspace/${workspace}/qrcodes/?page_size=1`, { headers });
    await list.arrayBuffer();
    longestMs = Math.max(longestMs, performance.now() - askedMs);
  }
  const sweptMs = performance.now() - startedMs;
  sqlite.close();
  console.log(
    `  folder of all codes: deleted in ${answeredMs.toFixed(0)} ms, swept in ${sweptMs.toFixed(0)} ms, longest list meanwhile ${longestMs.toFixed(0)} ms`,
  );
}

async function measureAll(
  service: Service,
  { url, file }: { readonly url: string; readonly file: string },
  size: number,
): Promise<void> {
  const { token, workspaceId } = service.account;
  const headers = { authorization: `Token ${token}`, "content-type": "application/json" };
  const base = `${url}/api/v2`;
  const get = (address: string): Promise<Response> => fetch(`${base}${address}`, { headers });
  const create = (fields: object): Send => {
    return (n) =>
      fetch(`${base}/qrcode/create/`, {
        method: "POST",
        headers,
        body: JSON.stringify({
          workspace: workspaceId,
          qr_data: `https://example.com/t/${n}`,
          ...fields,
        }),
      });
  };
  const list = `/workspace/${workspaceId}/qrcodes/`;
  const id = (n: number): string =>
    `00000000-0000-4000-9000-${String((n * 37) % size).padStart(12, "0")}`;
  console.log(`\n${size.toLocaleString("en")} codes`);
  await measure("create, static, with SVG", REQUESTS, create({}));
  await measure("create, dynamic, with SVG", REQUESTS, create({ dynamic: true }));
  await measure("get one", REQUESTS, (n) => get(`/qrcode/${id(n)}/`));
  await measure("list, first page of 200", REQUESTS / 4, () => get(`${list}?page_size=200`));
  await measure("list, last page of 200", REQUESTS / 4, () =>
    get(`${list}?page_size=200&page=${Math.floor(size / 200)}`),
  );
  await measure("list, with scans and tags", REQUESTS / 4, () =>
    get(`${list}?page_size=200&include=scans,tags`),
  );
  const search = (q: string): Promise<Response> => get(`${list}?q=${encodeURIComponent(q)}`);
  // Codes made since the last search get into the text index: a few with the search, very many in the
  // background.
  const startedMs = performance.now();
  await (await search("first")).arrayBuffer();
  const searchedMs = performance.now() - startedMs;
  const sqlite = openSqlite(file);
  while (sqlite.get("SELECT 1 FROM code_pending LIMIT 1") !== undefined) await sleep(20);
  sqlite.close();
  const indexedMs = performance.now() - startedMs;
  console.log(
    `  first search after the filling: ${searchedMs.toFixed(0)} ms, all codes indexed in ${indexedMs.toFixed(0)} ms`,
  );
  await measure("search, one code by short link", REQUESTS, (n) =>
    search(`http://127.0.0.1/bench${String((n * 37) % size)}`),
  );
  await measure("search, one in a hundred", REQUESTS / 4, (n) => search(`table ${11 + (n % 80)}`));
  await measure("search, a word of every code", REQUESTS / 8, () => search("example.com"));
  await measure("search, two characters", REQUESTS / 8, () => search("e7"));
  await measure("download, files made", REQUESTS / 4, (n) => get(`/qrcode/${id(n)}/download/`));
  await measure("download, files there", REQUESTS, (n) =>
    get(`/qrcode/${id(n % (REQUESTS / 4))}/download/`),
  );
  await measureFolder(service, { base, headers, file });
  await measure("redirect", REQUESTS * 4, (n) =>
    fetch(`${url}/bench${n % size}`, { redirect: "manual" }),
  );
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), "bench-service-"));
try {
  const service = await openService({ dataDir, limits: "off", publicUrl: "http://127.0.0.1" });
  const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
  const first = await fetch(`${url}/api/v2/qrcode/create/`, {
    method: "POST",
    headers: {
      authorization: `Token ${service.account.token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      workspace: service.account.workspaceId,
      qr_data: "https://example.com/",
      dynamic: true,
    }),
  });
  await first.arrayBuffer();
  let filled = 0;
  for (const size of SIZES) {
    const file = path.join(dataDir, "service.db");
    // Scans of the redirects are still on their way into the store.
    await sleep(1000);
    fillCodes(file, { from: filled, to: size, special: tables });
    filled = size;
    await measureAll(service, { url, file }, size);
  }
  await service.close();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
