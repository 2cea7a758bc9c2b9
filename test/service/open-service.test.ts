import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { makeLog } from "../../src/base/log.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { openService, type Service, type ServiceOptions } from "../../src/service/service.ts";

import { makeService, type Wire } from "./make-service.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "service-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const dataDir = (): string => path.join(folder, "data");
// Counted ids would begin anew with every open.
const open = (options: Partial<ServiceOptions> = {}) =>
  makeService({ dataDir: dataDir(), ids: randomIds, ...options });

describe("a data folder", () => {
  it("gets account, workspace and token on the first open, and the same ones later", async () => {
    const first = await open();
    const { account, other } = first;
    const code = await first.code({ dynamic: true, display_name: "kept" });
    await first.close();
    const second = await open();
    expect(second.account).toEqual(account);
    expect(second.other).toEqual(other);
    const { created, ...kept } = (await second.get(`/qrcode/${code.id}/`)).body;
    expect(kept).toMatchObject({ display_name: "kept", shortlink_url: code.shortlink_url });
    expect(created).toBe(code.created);
    await second.close();
  });

  it("is served again at once by a restart that overlaps with the end of the one before", async () => {
    const first = await openService({ dataDir: dataDir(), isSole: true });
    let ending: Promise<void> | undefined;
    const sleep = (): Promise<void> => (ending ??= first.close());
    const clock = { ...systemClock, sleep };
    const second = await openService({ dataDir: dataDir(), isSole: true, clock });
    expect(ending).toBeDefined();
    expect(second.account).toEqual(first.account);
    await second.close();
  });

  it("keeps the plain token in one file for the owner only, never in the store", async () => {
    const service = await open();
    const { token } = service.account;
    await service.code();
    await service.close();
    const file = path.join(dataDir(), "token");
    expect((await readFile(file, "utf8")).trim()).toBe(token);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const bytes = await readFile(path.join(dataDir(), "service.db"));
    expect(bytes.includes(token)).toBe(false);
  });

  it("takes a token file on, and makes a new token when the file is lost", async () => {
    const first = await open({ demoAccounts: false });
    await first.close();
    await rm(path.join(dataDir(), "token"));
    const second = await open({ demoAccounts: false });
    expect(second.account.token).not.toBe(first.account.token);
    expect(second.account.workspaceId).toBe(first.account.workspaceId);
    const answer = await second.send("GET", `/workspace/${second.workspace}/tags/`, undefined, {
      token: first.account.token,
    });
    expect(answer.status).toBe(200);
    await second.close();
    await writeFile(path.join(dataDir(), "token"), "brought-along\n");
    const third = await open({ demoAccounts: false });
    expect(third.account.token).toBe("brought-along");
    expect((await third.get(`/workspace/${third.workspace}/tags/`)).status).toBe(200);
    await third.close();
  });

  it("replaces the token on request, and refuses the old one", async () => {
    const first = await open({ demoAccounts: false });
    await first.close();
    const second = await open({ demoAccounts: false, renewToken: true });
    expect(second.account.workspaceId).toBe(first.account.workspaceId);
    const ask = async (token: string): Promise<number> =>
      (await second.send("GET", `/workspace/${second.workspace}/tags/`, undefined, { token }))
        .status;
    expect([await ask(first.account.token), await ask(second.account.token)]).toEqual([401, 200]);
    await second.close();
    const third = await open({ demoAccounts: false });
    expect(third.account.token).toBe(second.account.token);
    await third.close();
  });

  it("is backed up while it serves, as docs/operating.md says", async () => {
    const running = await open();
    const pdf_base64 = Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64");
    const made = await running.send("POST", "/pdf/create/", {
      workspace: running.workspace,
      pdf_base64,
      display_name: "Menu",
    });
    const backup = path.join(folder, "backup");
    await mkdir(backup);
    const sqlite = openSqlite(path.join(dataDir(), "service.db"));
    sqlite.exec(`VACUUM INTO '${path.join(backup, "service.db")}'`);
    sqlite.close();
    for (const name of ["media", "token"]) {
      await cp(path.join(dataDir(), name), path.join(backup, name), { recursive: true });
    }
    await running.code();
    await running.close();
    const restored = await makeService({ dataDir: backup, ids: randomIds });
    expect(restored.account).toEqual(running.account);
    const list = `/workspace/${restored.workspace}/qrcodes/`;
    expect((await restored.get(list)).body.count).toBe(1);
    expect((await restored.get(`${list}?q=menu`)).body.results[0].id).toBe(made.body.id);
    const file = await restored.fetch(new Request(made.body.pdf_file_url));
    expect(await file.text()).toBe("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n");
    await restored.code();
    expect((await restored.get(`${list}?q=example.com`)).body.count).toBe(1);
    await restored.close();
  });

  it("moves short links and pictures to another public address", async () => {
    const rehearsal = await open({ publicUrl: "http://127.0.0.1:8787" });
    const code = await rehearsal.code({ dynamic: true, generate_png: true });
    expect(code.shortlink_url).toMatch(/^http:\/\/127\.0\.0\.1:8787\//u);
    await rehearsal.close();
    const real = await open({ publicUrl: "https://go.example/" });
    const { body } = await real.get(`/qrcode/${code.id}/`);
    expect(body.shortlink_url).toBe(
      code.shortlink_url.replace("http://127.0.0.1:8787", "https://go.example"),
    );
    // The old picture shows the old address.
    expect(body).not.toHaveProperty("png");
    expect((await real.get(`/qrcode/${code.id}/download/`)).status).toBe(200);
    await real.close();
  });

  it("stores the last scans on close", async () => {
    const first = await open();
    const code = await first.code({ dynamic: true });
    await first.fetch(new Request(code.shortlink_url, { redirect: "manual" }));
    await first.close();
    const second = await open();
    expect((await second.get(`/qrcode/${code.id}/`)).body.total_scans).toBe(1);
    await second.close();
  });

  it("remembers Idempotency-Keys over a restart", async () => {
    const headers = { "idempotency-key": "row 1" };
    const first = await open();
    const body = { workspace: first.workspace, qr_data: "https://example.com/" };
    const made = await first.send("POST", "/qrcode/create/", body, { headers });
    await first.close();
    const second = await open();
    const again = await second.send("POST", "/qrcode/create/", body, { headers });
    expect(again.body).toEqual(made.body);
    await second.close();
  });

  it("makes one code of a key that two processes work on at once", async () => {
    const [one, two] = [await open(), await open()];
    const body = { workspace: one.workspace, qr_data: "https://example.com/" };
    const headers = { "idempotency-key": "k" };
    const answers = await Promise.all(
      [one, two].map((service) => service.send("POST", "/qrcode/create/", body, { headers })),
    );
    // A request while it is being made gets 409, a later one the same answer.
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect([
      [200, 409],
      [200, 200],
    ]).toContainEqual(statuses);
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.id);
    expect(new Set(made).size).toBe(1);
    expect((await one.get(`/workspace/${one.workspace}/qrcodes/`)).body.count).toBe(1);
    await Promise.all([one.close(), two.close()]);
  });

  it("says nothing outside about an inner fault (500), and everything in the log", async () => {
    const lines: string[] = [];
    const log = makeLog({ to: { write: (line: string) => void lines.push(line) } });
    const service = await open({ log });
    const db = openSqlite(path.join(dataDir(), "service.db"));
    db.exec("DROP TABLE code_tags; DROP TABLE tags");
    db.close();
    const { status, body, headers } = await service.get(`/workspace/${service.workspace}/tags/`);
    expect([status, Object.keys(body)]).toEqual([500, ["detail"]]);
    expect(headers.get("content-type")).toBe("application/json");
    expect(body.detail).not.toMatch(/tags|sql/iu);
    const logged: Wire = JSON.parse(lines[0] ?? "");
    expect(body.detail).toContain(logged.requestId);
    expect(logged.stack).toContain("no such table");
    expect(lines.join("")).not.toContain(service.account.token);
    await service.close();
  });

  it("may be open in two processes at once", async () => {
    const one = await open();
    const two = await open({ demoAccounts: false });
    const code = await one.code({ dynamic: true });
    await two.code();
    const found = await two.get(`/workspace/${two.workspace}/qrcodes/`);
    expect(found.body.count).toBe(2);
    expect(found.body.results.map(({ id }: Wire) => id)).toContain(code.id);
    await Promise.all([one.close(), two.close()]);
  });
});

describe("a store that isn't ours to use", () => {
  it("is refused when a newer program wrote it", async () => {
    await (await open()).close();
    const db = openSqlite(path.join(dataDir(), "service.db"));
    db.exec("PRAGMA user_version=99");
    db.close();
    await expect(openService({ dataDir: dataDir() })).rejects.toMatchObject({
      code: "state-newer",
      message: expect.stringContaining("99") as string,
    });
  });

  it("is refused when another program made it", async () => {
    await (await open()).close();
    const db = openSqlite(path.join(dataDir(), "service.db"));
    db.exec("PRAGMA application_id=1234");
    db.close();
    await expect(openService({ dataDir: dataDir() })).rejects.toMatchObject({
      code: "state-foreign",
    });
  });
});

describe("addresses", () => {
  let service: Service | undefined;
  afterEach(() => service?.close());

  const assetOrigin = async (options: Partial<ServiceOptions>, port?: number): Promise<string> => {
    const test = await makeService(options);
    service = test;
    if (port !== undefined) await test.listen({ host: "127.0.0.1", port });
    return new URL((await test.code({ generate_png: true })).png).origin;
  };

  it("lead files to localhost while the service doesn't listen", async () => {
    expect(await assetOrigin({ publicUrl: "https://go.example" })).toBe("http://localhost");
  });

  it("lead files to the listening port while the public address is this computer", async () => {
    expect(await assetOrigin({ publicUrl: "http://localhost:1" }, 0)).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+$/u,
    );
  });

  it("lead files to the public address once there is one", async () => {
    expect(await assetOrigin({ publicUrl: "https://go.example/" }, 0)).toBe("https://go.example");
  });

  it("lead files to the listening port on request", async () => {
    const options = { publicUrl: "https://go.example", assetUrl: "listen" };
    expect(await assetOrigin(options, 0)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
  });

  it("lead files where assetUrl says", async () => {
    expect(await assetOrigin({ assetUrl: "https://cdn.example/" }, 0)).toBe("https://cdn.example");
  });
});
