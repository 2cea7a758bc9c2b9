/** A data folder that takes nothing more under a running service, and takes it again. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { randomIds } from "../../src/base/ids/ids.ts";
import { makeLog } from "../../src/base/log.ts";
import type { Sqlite } from "../../src/base/sqlite/sqlite.ts";
import { SqliteStore as Store } from "../../src/service/store/sqlite/sqlite-store.ts";
import type { ServiceOptions } from "../../src/service/service.ts";
import { makeService, PUBLIC_URL, type SendOptions, type TestService } from "./make-service.ts";
import { look, publishForm, submit } from "./visit-form.ts";

const toFault = (message: string, errcode: number): Error =>
  Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });

/** Lets SQL of one kind fail; answers what ends that. */
function failAt(raw: Sqlite, kind: RegExp, fail: (run: Sqlite["run"]) => never): () => void {
  const run = raw.run.bind(raw);
  const failing = vi
    .spyOn(raw, "run")
    .mockImplementation((sql, ...values) => (kind.test(sql) ? fail(run) : run(sql, ...values)));
  return () => failing.mockRestore();
}

/** Ways in which SQLite is kept from writing; each answers what ends it. */
const troubles: Record<string, (raw: Sqlite) => () => void> = {
  "that is full": (raw) =>
    failAt(raw, /^\s*(?:insert|update|delete)/iu, (run) => {
      // SQLite then ends the whole transaction by itself.
      run("rollback");
      throw toFault("database or disk is full", 13);
    }),
  "that turned read-only": (raw) => {
    raw.exec("PRAGMA query_only=1");
    return () => raw.exec("PRAGMA query_only=0");
  },
  "that fails": (raw) =>
    failAt(raw, /^commit$/u, () => {
      throw toFault("disk I/O error", 1034);
    }),
};

const moreTroubles: typeof troubles = {
  ...troubles,
  "without a page to spare": (raw) => {
    raw.exec("PRAGMA max_page_count=1");
    return () => raw.exec("PRAGMA max_page_count=1073741823");
  },
};

const KEPT = { qr_data: "https://example.com/kept" };

let folder: string;
let service: TestService;
let raw: Sqlite;
let told: Record<string, unknown>[];

/** The service, and the connection that it has to its store. */
async function openWith(options: Partial<ServiceOptions>): Promise<TestService> {
  const opening = vi.spyOn(Store.prototype, "indexText");
  const opened = await makeService({ dataDir: folder, ids: randomIds, ...options });
  raw = (opening.mock.contexts.at(-1) as Store).raw;
  opening.mockRestore();
  return opened;
}

const open = (): Promise<TestService> =>
  openWith({
    log: makeLog({ to: { write: (line: string) => void told.push(JSON.parse(line)) } }),
  });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "unwritable-"));
  told = [];
  service = await open();
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Lets what is under way come to its end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next));
}

const isFile = (one: string): boolean => /\.\w+$/u.test(one) && !/-(?:wal|shm)$/u.test(one);

const errorsTold = (): unknown[] =>
  told.filter(({ level }) => level === 50).map(({ msg }) => String(msg).split(",")[0]);

describe.each(Object.entries(troubles))("a disk %s", (_, start) => {
  it("refuses what would be stored (503), and leads on and shows what is there", async () => {
    const { workspace } = service;
    const code = await service.code({ dynamic: true, display_name: "Ann's" });
    const short = code.shortlink_url as string;
    const end = start(raw);
    const post = (path: string, body: object, options?: SendOptions) =>
      service.send("POST", path, { workspace, ...body }, options);
    for (const answer of [
      await post("/qrcode/create/", { qr_data: "https://example.com/" }),
      await post("/qrcode/create/", { qr_data: "https://example.com/", dynamic: true }),
      await post("/qrcode/create/", KEPT, { headers: { "idempotency-key": "k" } }),
      await post("/link/create/", { link: "https://example.com/" }),
      await post("/page/create/", { title: "Page" }),
      await post("/form/create/", { title: "Form" }),
      await post("/folder/create/", { name: "Folder" }),
      await service.send("PATCH", `/qrcode/${code.id as string}/update/`, {
        qr_data: "https://b.example/",
      }),
      await service.send("DELETE", `/qrcode/${code.id as string}/delete/`),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        503,
        { detail: "The service can't store anything right now. Please try again later." },
      ]);
      expect(answer.headers.get("retry-after")).toBe("30");
    }
    for (let n = 0; n < 3; n += 1) {
      const visit = await service.fetch(
        new Request(short, { headers: { "user-agent": `QR Scanner ${n} (iPhone)` } }),
      );
      expect([visit.status, visit.headers.get("location")]).toEqual([302, "https://example.com/"]);
      await service.clock.advance(200);
    }
    for (const path of [
      `/qrcode/${code.id as string}/`,
      `/workspace/${workspace}/qrcodes/`,
      `/workspace/${workspace}/qrcodes/?q=ann`,
      `/workspace/${workspace}/qrcodes/?q=${encodeURIComponent(short)}`,
      `/qrcode/${code.id as string}/analytics/`,
      `/qrcode/${code.id as string}/activity/`,
    ]) {
      expect([path, (await service.get(path)).status]).toEqual([path, 200]);
    }
    expect((await service.fetch(new Request(`${PUBLIC_URL}/healthz`))).status).toBe(200);
    // One line for them all, and one for the scans.
    expect(
      errorsTold().filter((text) => String(text).startsWith("nothing can be stored")),
    ).toHaveLength(1);
    expect(errorsTold()).toContain("scans could not be stored yet");
    expect(told.some(({ msg }) => String(msg).includes("free some space"))).toBe(true);
    end();
    const again = await post("/qrcode/create/", KEPT, { headers: { "idempotency-key": "k" } });
    expect(again.status).toBe(200);
    expect(told.map(({ msg }) => msg)).toContain("the data folder can be written again");
    // The scans that wait are stored at the latest now.
    await service.close();
    service = await open();
    const { body } = await service.get(`/qrcode/${code.id as string}/`);
    expect([body.qr_data, body.total_scans, body.unique_scans]).toEqual([
      "https://example.com/",
      3,
      3,
    ]);
  });

  it("is reported to people and assistants, and no files are left behind", async () => {
    const form = await publishForm(service);
    const url = form.share_url as string;
    const { ticket } = await look(service, url);
    const before = await readdir(folder, { recursive: true });
    const end = start(raw);
    const sent = await submit(service, url, { answers: { nothing: "x" }, ticket });
    expect([sent.status, sent.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(sent.html).toContain("can't store anything right now".replace("'", "&#39;"));
    const registered = await service.fetch(
      new Request(`${PUBLIC_URL}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: ["https://assistant.example/"] }),
      }),
    );
    expect(registered.status).toBe(503);
    expect(await registered.json()).toMatchObject({ error: "temporarily_unavailable" });
    const { workspace } = service;
    for (const [path, body] of [
      [
        "/pdf/create/",
        { pdf_base64: Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64") },
      ],
      ["/qrcode/create/", { ...KEPT, generate_png: true }],
    ] as const) {
      expect((await service.send("POST", path, { workspace, ...body })).status).toBe(503);
    }
    const after = await readdir(folder, { recursive: true });
    expect(after.filter(isFile).toSorted()).toEqual(before.filter(isFile).toSorted());
    end();
  });
});

describe.each(Object.entries(moreTroubles))("a disk %s", (_, start) => {
  it("never answers that something was made that is not stored, whenever it comes and goes", async () => {
    const made: string[] = [];
    const refused: number[] = [];
    const create = async (n: number): Promise<void> => {
      const { status, body } = await service.send("POST", "/qrcode/create/", {
        workspace: service.workspace,
        dynamic: true,
        qr_data: `https://example.com/${n}/${"x".repeat(n % 7 === 0 ? 3000 : 10)}`,
      });
      if (status === 200) made.push(body.id as string);
      else refused.push(status);
    };
    for (let round = 0; round < 12; round += 1) {
      const burst = Array.from({ length: 20 }, (_, n) => create(round * 20 + n));
      // Somewhere among them.
      for (let turn = 0; turn < round * 3; turn += 1)
        await new Promise((next) => setImmediate(next));
      const end = start(raw);
      await Promise.all(burst);
      end();
    }
    await create(1000);
    await service.close();
    service = await open();
    const stored = await service.get(`/workspace/${service.workspace}/qrcodes/?page_size=1`);
    expect(stored.body.count).toBe(made.length);
    for (const id of made) expect((await service.get(`/qrcode/${id}/`)).status).toBe(200);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(refused)).toEqual(new Set([503]));
  });
});

describe("webhooks over a store that takes nothing", () => {
  it("are sent again no sooner than after five seconds, and settled when it takes something", async () => {
    let sent = 0;
    let end: (() => void) | undefined;
    await service.close();
    service = await openWith({
      webhook: { url: "http://127.0.0.1:9/", secret: "a secret that is long enough" },
      post: () => {
        sent += 1;
        end ??= troubles["that turned read-only"]?.(raw);
        return Promise.resolve(200);
      },
    });
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url as string);
    await settle();
    expect(sent).toBe(1);
    await service.clock.advance(4000);
    await settle();
    expect(sent).toBe(1);
    end?.();
    await service.clock.advance(1500);
    await settle();
    expect(sent).toBe(2);
    expect(raw.get("SELECT count(*) AS n FROM webhook_outbox")).toEqual({ n: 0 });
  });

  it("don't end the process when old reports can't be removed", async () => {
    await service.clock.advance(600_000);
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    const failing = failAt(raw, /^DELETE FROM webhook_outbox/u, () => {
      throw toFault("database or disk is full", 13);
    });
    await service.webhooks.set(service.workspace, undefined);
    await settle();
    expect(told.map(({ msg }) => msg)).toContain("old reports not removed");
    expect(unhandled).not.toHaveBeenCalled();
    process.off("unhandledRejection", unhandled);
    failing();
  });
});
