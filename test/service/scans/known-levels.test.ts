/**
 * Digital Links from memory (docs/spec/gs1.md section 6): never out of date, and the store is left
 * in peace.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { fakeClock } from "../../help/fake-clock.ts";
import { readDigitalLink } from "../../../src/gs1/digital-link.ts";
import { KnownLevels } from "../../../src/service/scans/known-levels.ts";
import { openStore } from "../../../src/service/store/sqlite/sqlite-store.ts";

import { makeService, PUBLIC_URL, type TestService, type Wire } from "../make-service.ts";

const GTIN = "09506000134352";
const LINK = `/01/${GTIN}`;
const LOT = `${LINK}/10/LOT1`;

let dataDir: string;
let service: TestService;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "levels-"));
  service = await makeService({ dataDir });
});
afterEach(async () => {
  await service.close();
  await rm(dataDir, { recursive: true });
});

const send = async (method: string, address: string, body?: unknown): Promise<Wire> => {
  const answer = await service.send(method, address, body);
  expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
  return answer.body;
};
const register = (fields: Record<string, unknown>): Promise<Wire> =>
  send("POST", "/gs1/products/", {
    workspace: service.workspace,
    identifier_value: GTIN,
    ...fields,
  });
const lead = async (link: string): Promise<string | number> => {
  const answer = await service.fetch(new Request(`${PUBLIC_URL}${link}`, { redirect: "manual" }));
  return answer.headers.get("location") ?? answer.status;
};

it("say what was just registered, added, changed and deleted", async () => {
  expect([await lead(LINK), await lead(LOT)]).toEqual([404, 404]);
  const product = await register({ destination_url: "https://example.com/1" });
  expect([await lead(LINK), await lead(LOT)]).toEqual([
    "https://example.com/1",
    "https://example.com/1",
  ]);
  const lot = await register({ batch_lot: "LOT1", destination_url: "https://example.com/lot" });
  expect([await lead(LINK), await lead(LOT)]).toEqual([
    "https://example.com/1",
    "https://example.com/lot",
  ]);
  expect(await lead(`${LINK}?linkType=gs1:recallStatus`)).toBe(404);
  const recall = { link_type: "gs1:recallStatus", title: "R", destination_url: "https://e.com/r" };
  await send("POST", `/gs1/products/${product.id}/links/`, recall);
  expect(await lead(`${LINK}?linkType=gs1:recallStatus`)).toBe(
    "https://e.com/r?linkType=gs1:recallStatus",
  );
  await send("DELETE", `/gs1/products/${lot.id}/`);
  expect(await lead(LOT)).toBe("https://example.com/1");
  await send("DELETE", `/gs1/products/${product.id}/`);
  expect([await lead(LINK), await lead(LOT)]).toEqual([404, 404]);
});

it("count their scans for the code that is the product's first by now", async () => {
  const product = await register({ destination_url: "https://example.com/1" });
  const totals: number[][] = [];
  // Without a code, its first one, two of them, the second alone.
  const codes: Wire[] = [];
  const scan = async (): Promise<void> => {
    expect(await lead(LINK)).toBe("https://example.com/1");
    await service.clock.advance(100);
    const counts = codes.map(async ({ id }) => (await service.get(`/qrcode/${id}/`)).body);
    totals.push((await Promise.all(counts)).map((one) => one.total_scans as number));
  };
  await scan();
  for (let n = 0; n < 2; n += 1) {
    const fields = { qr_type: "GS1", qr_data: undefined, gs1_product: product.id };
    codes.push(await service.code(fields));
    await scan();
  }
  await send("DELETE", `/qrcode/${codes.shift().id}/delete/`);
  await scan();
  expect(totals).toEqual([[], [1], [2, 0], [1]]);
});

it("are read once, until this process or another one changes them", async () => {
  const product = await register({ destination_url: "https://example.com/1" });
  const store = openStore(path.join(dataDir, "service.db"));
  const clock = fakeClock();
  const levels = new KnownLevels({ store, changes: store.watchTargets(clock) });
  const link = readDigitalLink(LOT, "");
  if (link === undefined || typeof link === "string") throw new Error("no Digital Link");
  const find = async (): Promise<string[]> =>
    (await levels.find("", link)).flatMap((level) => level.links.map(({ href }) => href));
  expect(await find()).toEqual(["https://example.com/1"]);
  expect(await levels.hasStem("/acme")).toBe(false);
  const reads = [vi.spyOn(store.raw, "all"), vi.spyOn(store.raw, "get")];
  expect(await find()).toEqual(["https://example.com/1"]);
  expect(await levels.hasStem("/acme")).toBe(false);
  expect(reads.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  const link2 = { link_type: "gs1:recallStatus", title: "R", destination_url: "https://e.com/r" };
  await send("POST", `/gs1/products/${product.id}/links/`, link2);
  await clock.advance(20);
  expect(await find()).toEqual(["https://example.com/1", "https://e.com/r"]);
  await store.write((tx) =>
    tx
      .updateTable("product_links")
      .set({ destination_url: "https://e.com/2" })
      .where("link_type", "=", "gs1:recallStatus")
      .execute(),
  );
  expect(await find()).toEqual(["https://example.com/1", "https://e.com/2"]);
  // More than the notes of changes hold: everything is read anew.
  await store.write(async () => {
    for (let n = 0; n < 2100; n += 1) {
      store.raw.run("INSERT INTO changed_targets (target) VALUES (?)", `slug${n}`);
    }
  });
  const before = reads[0]?.mock.calls.length;
  expect(await find()).toEqual(["https://example.com/1", "https://e.com/2"]);
  expect(reads[0]?.mock.calls.length).toBeGreaterThan(before ?? Infinity);
  await store.close();
});
