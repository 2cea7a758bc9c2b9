import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import sharp from "sharp";

import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import { openMove } from "../../src/service/move/move-workspace.ts";
import { runInProcess } from "../flow/in-process.ts";
import { makeService, type TestService, type Wire } from "../service/make-service.ts";
import { publishForm, submit } from "../service/visit-form.ts";

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";
const PDF = Buffer.from(
  "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);
const root = mkdtempSync(path.join(os.tmpdir(), "makeready-move-"));
const from = path.join(root, "from");
let png: string;
/** Short links and pages by what they are. */
const addresses: Record<string, string> = {};
let workspace: string;
let to: string;
let n = 0;

const openAt = (dataDir: string): Promise<TestService> =>
  makeService({ dataDir, ids: randomIds, demoAccounts: false });

async function post(service: TestService, address: string, body: object): Promise<Wire> {
  const answer = await service.send("POST", address, { workspace: service.workspace, ...body });
  if (answer.status >= 300) throw new Error(`${address}: ${answer.text}`);
  return answer.body;
}

async function fillCodes(service: TestService): Promise<void> {
  const cellar = await service.folder("Cellar");
  const shelf = await service.folder("Shelf", cellar.id);
  const styled = await service.code({
    dynamic: true,
    folder: shelf.id,
    display_name: "Styled",
    primary_color: "#aa0000",
    frame: "card",
    text: "SCAN ME",
  });
  await service.send("PATCH", `/qrcode/${styled.id}/design/`, { logo_base64: png });
  await service.send("POST", `/qrcode/${styled.id}/tags/add/`, [{ title: "Red" }]);
  await service.code({ display_name: "Static", qr_type: "Text", qr_data: "Just a text" });
  const gone = await service.code({ dynamic: true, display_name: "Gone" });
  await service.send("DELETE", `/qrcode/${gone.id}/delete/`);
  const pdf = await post(service, "/pdf/create/", { pdf_base64: PDF.toString("base64") });
  await service.send("GET", `/qrcode/${styled.id}/download/`);
  Object.assign(addresses, {
    code: styled.shortlink_url,
    gone: gone.shortlink_url,
    pdf: pdf.shortlink_url,
    file: pdf.pdf_file_url,
  });
}

async function fill(service: TestService): Promise<void> {
  await fillCodes(service);
  const link = await post(service, "/link/create/", {
    link: "https://example.com/sale",
    slug: "Sale-1",
    display_name: "Sale",
  });
  const page = await post(service, "/page/create/", {
    title: "Fair",
    slug: "fair",
    links: [{ url: "https://example.com/hall", title: "Hall" }],
  });
  const form = await publishForm(service, [
    { id: "temp-1", field_type: "text", label: "Name" },
    { id: "temp-2", field_type: "image", label: "Photo" },
  ]);
  const [name, photo] = form.fields as { id: string }[];
  const image = new Blob([Buffer.from(png, "base64")], { type: "image/png" });
  await submit(service, form.share_url, {
    answers: { [name?.id ?? ""]: "Ada", [photo?.id ?? ""]: image },
  });
  const product = await post(service, "/gs1/products/", {
    identifier_value: "09506000134352",
    destination_url: "https://example.com/wine",
  });
  await post(service, `/gs1/products/${product.id}/links/`, {
    link_type: "gs1:recipeInfo",
    title: "Recipes",
    destination_url: "https://example.com/recipes",
  });
  for (let scans = 0; scans < 3; scans += 1) await service.scan(addresses["code"] ?? "", PHONE);
  await service.scan(link.shortlink_url, `${PHONE} second`);
  Object.assign(addresses, {
    link: link.shortlink_url,
    page: page.share_url,
    form: form.share_url,
    product: "https://go.example/01/09506000134352",
  });
}

beforeAll(async () => {
  const pixels = { width: 64, height: 64, channels: 3, background: "#00aa00" } as const;
  png = (await sharp({ create: pixels }).png().toBuffer()).toString("base64");
  const service = await openAt(from);
  workspace = service.workspace;
  await fill(service);
  await service.close();
  mkdirSync(path.join(from, "templates"), { recursive: true });
  const template = { title: "House style", design: { primary_color: "#004400" } };
  writeFileSync(path.join(from, "templates/house.json"), JSON.stringify(template));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => {
  n += 1;
});

const target = (): string => path.join(root, `to-${n}`);
const type = (...argv: string[]) =>
  runInProcess(["move", from, "--data", to, ...argv], { cwd: root });

const LISTS = ["qrcodes", "links", "folders", "tags", "pages", "gs1/products", "templates"];

/** All that the API and the public addresses show of the workspace. */
async function lookAt(service: TestService): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const get = async (address: string): Promise<Wire> => (await service.get(address)).body;
  for (const list of LISTS) {
    const include = list === "qrcodes" ? "&include=scans,tags" : "";
    seen[list] = (await get(`/workspace/${workspace}/${list}/?page_size=200${include}`)).results;
  }
  // Pictures are named by a key of each service.
  for (const template of seen["templates"] as Wire[]) delete template.preview;
  for (const code of seen["qrcodes"] as Wire[]) delete code.png;
  for (const { id } of seen["qrcodes"] as { id: string }[]) {
    const { png: _png, svg_file: _svg, ...code } = await get(`/qrcode/${id}/`);
    seen[`code ${id}`] = [code, await get(`/qrcode/${id}/activity/`)];
  }
  const forms = (await get(`/forms/?workspace=${workspace}`)).results as { id: string }[];
  seen["forms"] = forms;
  for (const { id } of forms) seen[`form ${id}`] = (await get(`/forms/${id}/responses/`)).results;
  seen["analytics"] = await get(`/workspace/${workspace}/analytics/?days=30`);
  for (const [what, url] of Object.entries(addresses)) {
    // Whoever only looks is no scan.
    const method = ["page", "form", "file"].includes(what) ? "GET" : "HEAD";
    const answer = await service.fetch(new Request(url, { method, redirect: "manual" }));
    const text = (await answer.text()).replaceAll(/name="ticket" value="[^"]*"/gu, "");
    seen[`visit ${what}`] = [answer.status, answer.headers.get("location"), text];
  }
  return seen;
}

const lookIn = async (folder: string): Promise<Record<string, unknown>> => {
  const service = await openAt(folder);
  const seen = await lookAt(service);
  await service.close();
  return seen;
};

describe("makeready move", () => {
  it("moves all that the API and the public addresses show, and counts it", async () => {
    to = target();
    const other = await openAt(to);
    await other.code({ dynamic: true });
    const { code, out } = await type("--yes");
    expect([code, out]).toEqual([0, expect.stringContaining("Moved, counted and found whole:")]);
    await other.close();
    expect(out).toContain("not moved: tokens, receivers of webhooks");
    expect(out).toMatch(/short links: 1 of 1\n/u);
    expect(out).toMatch(/answers to forms: 1 of 1\n/u);
    expect(out).toMatch(/scans: 4 of 4\n/u);
    expect(out).toMatch(/slugs kept of deleted codes: 1 of 1\n/u);
    expect(readdirSync(to).filter((name) => name.startsWith(".move"))).toEqual([]);
    expect(await lookIn(to)).toEqual(await lookIn(from));
    // The workspace that was there stays the default one.
    const reopened = await openAt(to);
    expect(reopened.workspace).toBe(other.workspace);
    await reopened.close();
    const again = await type("--yes");
    expect([again.code, again.out]).toEqual([0, expect.stringContaining("1 products, 1 there")]);
    expect(await lookIn(to)).toEqual(await lookIn(from));
  });

  it("goes on where it was stopped, and takes later what was made meanwhile", async () => {
    to = target();
    for (const stop of ["tags", "codes", "forms", "scans"]) {
      const move = await openMove({ from, to, clock: systemClock, ids: randomIds });
      const stopped = move.run((step) => {
        if (step === stop) throw new Error(`killed at ${stop}`);
      });
      await expect(stopped).rejects.toThrow(`killed at ${stop}`);
      await move.close();
    }
    expect((await type("--yes")).code).toBe(0);
    const before = await lookIn(from);
    expect(await lookIn(to)).toEqual(before);
    const service = await openAt(from);
    await service.code({ dynamic: true, display_name: "Later" });
    await service.scan(addresses["code"] ?? "", PHONE);
    await service.close();
    expect((await type("--yes")).code).toBe(0);
    const seen = await lookIn(from);
    expect(seen).not.toEqual(before);
    expect(await lookIn(to)).toEqual(seen);
  });

  it("names what stands in the way, and moves nothing then", async () => {
    to = target();
    const other = await openAt(to);
    await post(other, "/link/create/", { link: "https://example.com/theirs", slug: "Sale-1" });
    await post(other, "/gs1/products/", { identifier_value: "09506000134352" });
    const { code, err, out } = await type("--yes");
    expect(code).toBe(2);
    expect(out).toContain('conflict: codes "Sale-1"');
    expect(err).toContain('codes "Sale-1": another code there has this slug');
    expect(err).toContain("the beginning of its Digital Links belongs to another workspace there");
    expect((await other.get(`/workspace/${workspace}/links/`)).status).toBe(404);
    await other.close();
    expect(existsSync(path.join(to, "media"))).toBe(false);
  });

  it("says that a ledger of serials stays, where there is one", async () => {
    const plan = async (): Promise<string> =>
      (await runInProcess(["move", from, "--data", path.join(root, "for-serials")])).out;
    expect(await plan()).not.toContain("serials.db");
    writeFileSync(path.join(from, "serials.db"), "");
    expect(await plan()).toMatch(/not moved: .*serials\.db: .* copy it into the data folder/u);
    rmSync(path.join(from, "serials.db"));
  });

  it("shows a plan first, and asks", async () => {
    to = target();
    const { code, out, err } = await type();
    expect(out).toContain("         1 short links\n");
    expect([code, err]).toEqual([0, "nothing was moved; add --yes to move it\n"]);
  });

  it.each([
    [["--workspace", "x"], "--workspace must be one of the source, got x"],
    [["--data", from], "must be two data folders"],
  ])("says what is wrong with %j", async (argv, message) => {
    to = target();
    const { code, err } = await type(...argv, "--yes");
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    const nothing = await runInProcess(["move", root, "--data", to], { cwd: root });
    expect(nothing.err).toContain("the source must be a data folder");
    const elsewhere = await runInProcess(["move", "https://a.example/api/v2"], { cwd: root });
    expect(elsewhere.err).toContain("over HTTP the API shows no designs of codes");
  });
});
