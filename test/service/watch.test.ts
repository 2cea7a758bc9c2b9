import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterEach, expect, it, onTestFinished } from "vitest";

import { makeLog } from "../../src/base/log.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import type { ServiceOptions } from "../../src/service/service.ts";
import { toKind } from "../../src/service/watch/watch.ts";

import { makeService, type TestService } from "./make-service.ts";

let service: TestService | undefined;
afterEach(() => service?.close());

const TOKEN = "only-for-figures";

async function open(options: Partial<ServiceOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = makeLog({ to: { write: (line) => void lines.push(JSON.parse(line)) } });
  const opened = await makeService({ log, ...options });
  service = opened;
  const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    opened.fetch(new Request(`https://go.example${path}`, { headers, redirect: "manual" }));
  return { service: opened, lines, ask };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

it.each([
  ["/api/v2/qrcode/create/", "api"],
  ["/mcp", "assistant"],
  ["/oauth/token", "assistant"],
  ["/media/abc.png", "file"],
  ["/form/abc", "form"],
  ["/page/fair", "page"],
  ["/ab2cdefg", "link"],
  ["/ab2cdefg/", "link"],
  ["/01/09506000134352/21/7", "digital-link"],
  ["/", "other"],
  ["/wp-admin/setup.php", "other"],
  ["/healthz", "other"],
  ["/readyz/", "other"],
  ["/metrics", "other"],
  ["/favicon.ico", "other"],
  ["/constructor", "link"],
  ["/__proto__/x", "other"],
])("counts %s as %s", (path, kind) => {
  expect(toKind(path)).toBe(kind);
});

it("shows its figures only with their token; without it, nothing shows that they exist", async () => {
  const { service, ask } = await open({ metricsToken: TOKEN });
  const code = await service.code({ dynamic: true });
  await service.scan(code.shortlink_url);
  await ask("/nothing-here");
  for (const headers of [{}, bearer("wrong"), bearer(service.account.token)]) {
    expect((await ask("/metrics", headers)).status).toBe(404);
  }
  const answer = await ask("/metrics", bearer(TOKEN));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/plain; version=0.0.4"),
  ]);
  const text = await answer.text();
  expect(text).toMatch(/\nmakeready_answers_total\{kind="api",status="20[01]"\} 1\n/u);
  expect(text).toMatch(
    /\nmakeready_answers_total\{status="302",kind="link"\} 1\n|kind="link",status="302"\} 1\n/u,
  );
  expect(text).toContain('makeready_answers_total{kind="link",status="404"} 1');
  expect(text).toContain('makeready_answers_total{kind="other",status="404"} 3');
  expect(text).toMatch(/\nmakeready_answer_seconds_count\{kind="api"\} 1\n/u);
  expect(text).toMatch(/\nmakeready_store_bytes [1-9]\d+\n/u);
  expect(text).toMatch(/\nmakeready_takes_writes 1\n/u);
  expect(text).toMatch(/\nmakeready_scans_lost 0\n/u);
  expect(text).toMatch(/\nprocess_resident_memory_bytes \d/u);
  expect(text).not.toMatch(/\nmakeready_last_backup_seconds \d/u);
  expect(text).not.toContain(code.id);
});

it("has no figures unless a token is set", async () => {
  const { ask } = await open();
  expect((await ask("/metrics", bearer(""))).status).toBe(404);
  expect((await ask("/metrics", bearer("undefined"))).status).toBe(404);
});

it("counts redirects that go around the router", async () => {
  const { service, lines } = await open({ metricsToken: TOKEN, accessLog: true });
  const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
  const { shortlink_url } = await service.code({ dynamic: true });
  const slug = new URL(shortlink_url).pathname;
  const visit = await fetch(`${url}${slug}?private=1`, { redirect: "manual" });
  expect(visit.status).toBe(302);
  const figures = await fetch(`${url}/metrics`, { headers: bearer(TOKEN) });
  expect(await figures.text()).toContain('makeready_answers_total{kind="link",status="302"} 1');
  expect(lines.filter(({ path }) => path === slug)).toMatchObject([
    { method: "GET", path: slug, status: 302, msg: "request" },
  ]);
  expect(JSON.stringify(lines)).not.toContain("private");
});

it("is ready while visits are led on, also when nothing can be stored", async () => {
  const { ask } = await open();
  const answer = await ask("/readyz");
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { status: "ready", takes_writes: true },
  ]);
});

it("takes no slug that it needs, and leaves those of older links alone", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "makeready-watch-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const { service, ask } = await open({ dataDir });
  for (const slug of ["metrics", "readyz"]) {
    const body = { workspace: service.workspace, link: "https://example.com/", slug };
    expect((await service.send("POST", "/link/create/", body)).status).toBe(400);
  }
  const code = await service.code({ dynamic: true });
  const sqlite = openSqlite(path.join(dataDir, "service.db"));
  sqlite.run("UPDATE codes SET slug = 'readyz' WHERE id = ?", code.id);
  sqlite.close();
  const old = await ask("/readyz");
  expect([old.status, old.headers.get("location")]).toEqual([302, code.qr_data]);
});
