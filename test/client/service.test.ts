/** The client against the service itself, in this process and over a real port. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { openClient, type Client } from "../../src/client/client.ts";
import { openService, type Service } from "../../src/service/service.ts";

const ways = ["in process", "over a port"] as const;

describe.each(ways)("the client and the service %s", (way) => {
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    service = await openService({ dataDir: ":memory:", limits: "off" });
    const inProcess = way === "in process";
    const { baseUrl } = inProcess
      ? { baseUrl: "http://localhost/api/v2" }
      : await service.listen({ port: 0, host: "127.0.0.1" });
    client = openClient({
      baseUrl,
      token: service.account.token,
      workspace: service.account.workspaceId,
      limits: "none",
      ...(inProcess && { fetch: (request: Request) => service.fetch(request) }),
    });
  });

  afterAll(async () => {
    await client.close();
    await service.close();
  });

  const toBody = (n: number) => ({
    workspace: service.account.workspaceId,
    qr_data: `https://example.com/${n}`,
    display_name: `Table ${n} · ü`,
    dynamic: true,
  });

  it("makes, lists, changes, restyles, tags, downloads and deletes a code", async () => {
    const parent = await client.createFolder({ name: "Tables" });
    const again = await client.createFolder({ name: "Tables" });
    expect(again.id).toBe(parent.id);
    const outcome = await client.createCode(
      { ...toBody(1), folder: parent.id },
      { idempotencyKey: "key-1" },
    );
    if (outcome.kind !== "done") throw new Error(JSON.stringify(outcome));
    const { id } = outcome.code;
    expect(outcome.keyEchoed).toBe(true);
    expect(outcome.code.svg).toContain("<svg");

    const listed = await client.listCodes({ folder: parent.id, page_size: 200 });
    expect(listed.results.map((item) => item.display_name)).toEqual(["Table 1 · ü"]);

    await client.updateCode(id, { qr_data: "https://example.com/moved", folder: null });
    await client.restyleCode(id, { primary_color: "#0a3d62" });
    await client.addTags(id, [{ title: "tables" }]);
    const code = await client.getCode(id);
    expect(code).toMatchObject({ qr_data: "https://example.com/moved", folder: null });
    expect(code.tags?.map((tag) => tag.title)).toEqual(["tables"]);

    const files = await client.downloadCode(id);
    const png = await client.fetchAsset(files.png_url, { expect: "image/png" });
    expect(new TextDecoder("latin1").decode(png.subarray(1, 4))).toBe("PNG");
    const svg = await client.fetchAsset(files.svg_url, { expect: "image/svg+xml" });
    expect(new TextDecoder().decode(svg)).toContain("<svg");

    expect(await client.deleteCode(id)).toBe(true);
    expect(await client.deleteCode(id)).toBe(false);
    await expect(client.getCode(id)).rejects.toMatchObject({ code: "not-found" });
  });

  it("sends a create again under its key without making a second code", async () => {
    const first = await client.createCode(toBody(2), { idempotencyKey: "key-2" });
    const second = await client.createCode(toBody(2), { idempotencyKey: "key-2" });
    expect([first.kind, second.kind]).toEqual(["done", "done"]);
    expect(second).toMatchObject({ raw: { id: (first as { code: { id: string } }).code.id } });
    const other = await client.createCode(toBody(3), { idempotencyKey: "key-2" });
    expect(other).toMatchObject({ kind: "doubt", status: 422 });
  });

  it("learns which fields are wrong", async () => {
    const outcome = await client.createCode(
      { ...toBody(4), qr_data: "no url", primary_color: "red" },
      { idempotencyKey: "key-4" },
    );
    const fields =
      outcome.kind === "refused" ? outcome.problems.map(({ where }) => where?.field) : [];
    expect(new Set(fields)).toEqual(new Set(["primary_color", "qr_data"]));
  });

  it("makes many codes, unpaced, and reads them all back, newest first", async () => {
    const made = Array.from({ length: 250 }, (_, n) => n + 1_000);
    const count = await client.eachWrite(made, async (n) => {
      const { kind } = await client.createCode(toBody(n), { idempotencyKey: `many-${n}` });
      expect(kind).toBe("done");
    });
    expect(count).toBe(250);
    const names: (string | null | undefined)[] = [];
    for await (const item of client.codes()) names.push(item.display_name);
    expect(new Set(names).size).toBeGreaterThanOrEqual(250);
    expect(client.stats().write).toMatchObject({ allowedPerWindow: undefined, limited: 0 });
  });

  it("is refused with another token", async () => {
    const stranger = openClient({
      baseUrl: "http://localhost/api/v2",
      token: "wrong",
      workspace: service.account.workspaceId,
      fetch: (request) => service.fetch(request),
    });
    await expect(stranger.listFolders()).rejects.toMatchObject({ code: "token-refused" });
    expect(await stranger.createCode(toBody(5), { idempotencyKey: "k" })).toMatchObject({
      kind: "auth",
      status: 401,
    });
  });
});

describe("the client and the limits of the service", () => {
  it("uses each window whole and never meets a 429", async () => {
    const clock = fakeClock();
    const service = await openService({
      dataDir: ":memory:",
      limits: { reads: 10, writes: 5 },
      clock,
    });
    const client = openClient({
      baseUrl: "http://localhost/api/v2",
      token: service.account.token,
      workspace: service.account.workspaceId,
      fetch: (request) => service.fetch(request),
      clock,
    });
    const done: number[] = [];
    const all = Array.from({ length: 12 }, async (_, n) => {
      const { workspaceId: workspace } = service.account;
      const body = { workspace, qr_type: "Text" as const, qr_data: `${n}` };
      const { kind } = await client.createCode(body, { idempotencyKey: `${n}` });
      expect(kind).toBe("done");
      done.push(n);
    });
    // The service works in real time: wait for what the window lets through, then move the clock.
    const allowed = [5, 10, 12];
    for (const count of allowed) {
      while (done.length < count) await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(0);
      expect(done).toHaveLength(count);
      await clock.advance(61_100);
    }
    await Promise.all(all);
    expect(client.stats().write).toMatchObject({ sent: 12, limited: 0, allowedPerWindow: 5 });
    await service.close();
  });
});
