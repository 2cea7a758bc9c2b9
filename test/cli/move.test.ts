import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { openMove } from "../../src/service/move/move-workspace.ts";
import { keepPublicUrl } from "../../src/service/store/keep-address.ts";
import { readPublicAddress } from "../../src/service/store/public-address.ts";
import { runInProcess } from "../flow/in-process.ts";
import type { TestService } from "../service/make-service.ts";
import {
  fillFolder,
  lookIn,
  openAt,
  PDF,
  PHONE,
  post,
  type FullWorkspace,
} from "./full-workspace.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "makeready-move-"));
const from = path.join(root, "from");
let full: FullWorkspace;
let to: string;
let n = 0;

beforeAll(async () => {
  full = await fillFolder(from);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => {
  n += 1;
});

const target = (): string => path.join(root, `to-${n}`);
const type = (...argv: string[]) =>
  runInProcess(["move", from, "--data", to, ...argv], { cwd: root });

const look = (folder: string) => lookIn(folder, full);

const rows = (folder: string) => {
  const db = openSqlite(path.join(folder, "service.db"));
  const all = db.all("SELECT * FROM webhooks ORDER BY id");
  db.close();
  return all;
};

const link = (service: TestService, slug: string) =>
  post(service, "/link/create/", { link: "https://example.com/", slug });

describe("makeready move", () => {
  it("moves all that the API and the public addresses show, and counts it", async () => {
    to = target();
    const other = await openAt(to);
    await other.code({ dynamic: true });
    const { code, out } = await type("--yes");
    expect([code, out]).toEqual([0, expect.stringContaining("Moved, counted and found whole:")]);
    await other.close();
    expect(out).toContain("not moved: tokens and grants of assistants");
    expect(out).toMatch(/short links: 1 of 1\n/u);
    expect(out).toMatch(/answers to forms: 1 of 1\n/u);
    expect(out).toMatch(/scans: 4 of 4\n/u);
    expect(out).toMatch(/slugs kept of deleted codes: 1 of 1\n/u);
    expect(readdirSync(to).filter((name) => name.startsWith(".move"))).toEqual([]);
    expect(await look(to)).toEqual(await look(from));
    // The workspace that was there stays the default one.
    const reopened = await openAt(to);
    expect(reopened.workspace).toBe(other.workspace);
    await reopened.close();
    const again = await type("--yes");
    expect([again.code, again.out]).toEqual([
      0,
      expect.stringContaining("products: 1, 1 there already"),
    ]);
    expect(await look(to)).toEqual(await look(from));
  });

  it("brings receivers of webhooks with their secrets, and names the one that stays", async () => {
    to = target();
    const source = path.join(root, "with-receivers");
    const service = await openAt(source);
    const receivers = ["https://one.example/hook?key=1", "https://two.example/hook"];
    for (const url of receivers) {
      const add = ["webhooks", "add", url, "--data", source, "--secret", "open sesame"];
      expect((await runInProcess(add)).code).toBe(0);
    }
    const { workspace } = service;
    await service.close();
    const db = openSqlite(path.join(source, "service.db"));
    db.run(
      "INSERT INTO webhooks (id, workspace_id, url, secret, events, created, failures, next_try, trusted) VALUES (?, ?, ?, ?, ?, 1, 0, 0, 1)",
      workspace,
      workspace,
      "https://serve.example/secret-path",
      "s",
      '["scan"]',
    );
    db.close();
    const move = ["move", source, "--data", to, "--yes"];
    const { code, out } = await runInProcess(move, { cwd: root });
    expect([code, out]).toEqual([0, expect.stringContaining("receivers of webhooks: 2 of 2\n")]);
    expect(out).toContain("the receiver at https://serve.example, which serve names: start");
    expect(out).not.toContain("secret-path");
    expect(rows(to)).toHaveLength(2);
    expect(rows(source)).toEqual(expect.arrayContaining(rows(to)));
    expect((await runInProcess(move, { cwd: root })).code).toBe(0);
    expect(rows(to)).toHaveLength(2);
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
    const before = await look(from);
    expect(await look(to)).toEqual(before);
    const service = await openAt(from);
    await service.code({ dynamic: true, display_name: "Later" });
    await service.scan(full.addresses["code"] ?? "", PHONE);
    await service.close();
    expect((await type("--yes")).code).toBe(0);
    const seen = await look(from);
    expect(seen).not.toEqual(before);
    expect(await look(to)).toEqual(seen);
  });

  it("misses no pictures that a new look dropped, and names a file that is lost", async () => {
    to = target();
    const source = path.join(root, "redesigned");
    const service = await openAt(source);
    const { id } = await service.code({ dynamic: true });
    await service.send("GET", `/qrcode/${id}/download/`);
    const media = path.join(source, "media");
    const files = () =>
      readdirSync(media, { recursive: true }).filter((name) => /\./u.test(String(name)));
    expect(files()).toHaveLength(2);
    await service.send("PATCH", `/qrcode/${id}/design/`, { primary_color: "#004400" });
    expect(files()).toEqual([]);
    const move = ["move", source, "--data", to, "--yes"];
    const whole = await runInProcess(move, { cwd: root });
    expect([whole.code, whole.out]).toEqual([0, expect.stringContaining("found whole:")]);
    expect(whole.out).not.toContain("files:");
    expect(whole.err).not.toContain("files");
    expect(whole.err).toMatch(/^moving /mu);

    await post(service, "/pdf/create/", { pdf_base64: PDF.toString("base64") });
    await service.close();
    const pdf = files().find((name) => String(name).endsWith(".pdf"));
    rmSync(path.join(media, String(pdf)));
    const lost = await runInProcess(move, { cwd: root });
    expect([lost.code, lost.out]).toEqual([
      3,
      expect.stringContaining("but not all of it is there:"),
    ]);
    expect(lost.out).toContain(`lost in the source already: media/${path.basename(String(pdf))}\n`);
  });

  it("names what stands in the way, and moves nothing then", async () => {
    to = target();
    const other = await openAt(to);
    await post(other, "/link/create/", { link: "https://example.com/theirs", slug: "Sale-1" });
    await post(other, "/gs1/products/", { identifier_value: "09506000134352" });
    const { code, err, out } = await type("--yes");
    expect(code).toBe(2);
    expect(out).toContain('conflict: codes "Sale-1"');
    expect(err).toContain(
      'codes "Sale-1": another code there has this slug: delete what has it in the source',
    );
    expect(err).toContain(
      'workspaces "default": its Digital Links begin where those of the moved workspace do, and only one workspace of a data folder can have that beginning: move into a folder of its own, or delete the products there and their codes',
    );
    expect((await other.get(`/workspace/${full.workspace}/links/`)).status).toBe(404);
    await other.close();
    expect(existsSync(path.join(to, "media"))).toBe(false);
  });

  it("takes the beginning of Digital Links from a workspace that has no product any more", async () => {
    to = target();
    const source = path.join(root, "with-products");
    const [ours, theirs] = [await openAt(source), await openAt(to)];
    const [gtin, other] = ["09506000134352", "09506000134369"];
    const product = await post(ours, "/gs1/products/", {
      identifier_value: gtin,
      destination_url: "https://example.com/ours",
    });
    const code = await post(theirs, "/qrcode/create/", {
      qr_type: "GS1",
      gs1_product: { identifier_value: other, destination_url: "https://example.com/theirs" },
    });
    const type = () => runInProcess(["move", source, "--data", to, "--yes"], { cwd: root });
    expect((await type()).err).toContain("nothing may stand in the way there, got 1 conflict\n");
    const { results } = (await theirs.get(`/workspace/${theirs.workspace}/gs1/products/`)).body;
    await theirs.send("DELETE", `/gs1/products/${results[0].id}/`);
    // A printed code: its product may be registered again.
    expect((await type()).code).toBe(2);
    await theirs.send("DELETE", `/qrcode/${code.id}/delete/`);
    expect((await type()).code).toBe(0);
    expect((await type()).code).toBe(0);
    const led = await theirs.fetch(new Request(`http://localhost${product.digital_link_path}`));
    expect(led.headers.get("location")).toBe("https://example.com/ours");
    const next = await post(theirs, "/qrcode/create/", {
      qr_type: "GS1",
      gs1_product: { identifier_value: gtin, destination_url: "https://example.com/theirs" },
    });
    expect(next.shortlink_url).toMatch(/\/\w{6}\/01\/09506000134352$/u);
    await ours.close();
    await theirs.close();
  });

  it("moves a workspace that has no product any more beside one with products", async () => {
    to = target();
    const source = path.join(root, "without-products");
    const [ours, theirs] = [await openAt(source), await openAt(to)];
    const product = await post(ours, "/gs1/products/", { identifier_value: "09506000134352" });
    await ours.send("DELETE", `/gs1/products/${product.id}/`);
    await ours.close();
    await post(theirs, "/gs1/products/", { identifier_value: "09506000134352" });
    await theirs.close();
    const move = ["move", source, "--data", to, "--yes"];
    expect((await runInProcess(move, { cwd: root })).code).toBe(0);
    expect((await runInProcess(move, { cwd: root })).code).toBe(0);
  });

  it("leaves slugs of deleted codes that others have there, and says how a live one gets out of the way", async () => {
    to = target();
    const source = path.join(root, "with-kept-slugs");
    const [ours, theirs] = [await openAt(source), await openAt(to)];
    const drop = async (service: TestService, slug: string) =>
      service.send("DELETE", `/link/${(await link(service, slug)).id}/delete/`);
    for (const slug of ["live", "gone", "only-ours"]) await drop(ours, slug);
    await link(theirs, "live");
    await drop(theirs, "gone");
    await drop(theirs, "theirs-gone");
    const alive = await link(ours, "theirs-gone");
    await post(ours, "/page/create/", { title: "P" });
    const move = ["move", source, "--data", to, "--yes"];
    const refused = await runInProcess(move, { cwd: root });
    expect(refused.code).toBe(2);
    expect(refused.out.match(/conflict: .*/gu)).toEqual([
      'conflict: kept slugs "theirs-gone"',
      'conflict: kept slugs "live"',
    ]);
    expect(refused.err).toContain(
      'kept slugs "live": a code of another workspace there has this slug, and labels printed with it would lead to that: delete that code there, or give --leave-slugs',
    );
    expect(refused.err).toContain(
      'kept slugs "theirs-gone": printed codes of another workspace there may have this slug: delete what has it in the source',
    );
    expect(refused.out).toContain(
      '  2 kept slugs of deleted codes will be left: taken there ("gone", "live")\n',
    );
    // The way out that is named.
    await ours.send("DELETE", `/link/${alive.id}/delete/`);
    expect((await runInProcess(move, { cwd: root })).code).toBe(2);
    const done = await runInProcess([...move, "--leave-slugs"], { cwd: root });
    expect(
      done.out.split(
        '  slug "live": labels printed with it will lead to what another workspace has there\n',
      ),
    ).toHaveLength(3);
    expect([done.code, done.out]).toEqual([
      0,
      expect.stringContaining(
        '  3 kept slugs of deleted codes were left: taken there ("gone", "live", "theirs-gone")\n',
      ),
    ]);
    expect(done.out).toContain("  slugs kept of deleted codes: 1 of 1\n");
    // Deleted there, the slug goes on to belong to those who had it.
    const kept = openSqlite(path.join(to, "service.db"));
    expect(kept.all("SELECT slug, workspace_id AS id FROM kept_slugs ORDER BY slug")).toEqual([
      { slug: "gone", id: theirs.workspace },
      { slug: "only-ours", id: ours.workspace },
      { slug: "theirs-gone", id: theirs.workspace },
    ]);
    kept.close();
    await ours.close();
    await theirs.close();
  });

  it("shows the first twenty of many slugs that lead elsewhere; JSON has all", async () => {
    to = target();
    const source = path.join(root, "with-many-kept-slugs");
    const [ours, theirs] = [await openAt(source), await openAt(to)];
    for (let n = 10; n < 33; n += 1) {
      const { id } = await link(ours, `sale-${n}`);
      await ours.send("DELETE", `/link/${id}/delete/`);
      await link(theirs, `sale-${n}`);
    }
    await ours.close();
    await theirs.close();
    const move = ["move", source, "--data", to, "--yes"];
    const refused = await runInProcess(move, { cwd: root });
    expect(refused.out.match(/  conflict: /gu)).toHaveLength(20);
    expect(refused.out).toContain("  and 3 more conflicts; --json names all of them\n");
    expect(refused.err.match(/kept slugs "/gu)).toHaveLength(20);
    expect(refused.err).toContain("got 23 conflicts");
    expect(refused.err).toContain("and 3 more");
    const json = await runInProcess([...move, "--json"], { cwd: root });
    const plan = JSON.parse(json.out.split("\n").find((line) => line.includes('"plan"')) ?? "");
    expect([plan.liveSlugs.length, plan.conflicts.length]).toEqual([23, 23]);
    const done = await runInProcess([...move, "--leave-slugs"], { cwd: root });
    expect([done.code, done.out.match(/labels printed with it/gu)]).toEqual([
      0,
      expect.objectContaining({ length: 40 }),
    ]);
    expect(done.out.match(/  and 3 more such slugs; --json names all of them\n/gu)).toHaveLength(2);
  });

  it("names the slug of a page whose code is deleted as a conflict", async () => {
    to = target();
    const source = path.join(root, "with-lone-page");
    const [ours, theirs] = [await openAt(source), await openAt(to)];
    const page = await post(ours, "/page/create/", { title: "Fair", slug: "fair" });
    await ours.send("DELETE", `/qrcode/${page.qr_id}/delete/`);
    await post(theirs, "/link/create/", { link: "https://example.com/", slug: "fair" });
    const move = ["move", source, "--data", to, "--yes"];
    const { code, out } = await runInProcess(move, { cwd: root });
    expect([code, out]).toEqual([2, expect.stringContaining('conflict: kept slugs "fair"\n')]);
    expect(out).not.toContain("will be left");
    await ours.close();
    await theirs.close();
  });

  it("takes the public address along, and says so before and after", async () => {
    to = target();
    const source = path.join(root, "with-address");
    const service = await openAt(source);
    await service.code({ dynamic: true });
    await service.close();
    await keepPublicUrl(source, "https://go.example.com");
    const kept = (): string | undefined => readPublicAddress(to).kept;
    const move = ["move", source, "--data", to];
    const plan = await runInProcess(move, { cwd: root });
    expect(plan.out).toContain(
      "  address: https://go.example.com comes along: short links begin with it here, too",
    );
    expect(kept()).toBeUndefined();
    const done = await runInProcess([...move, "--yes"], { cwd: root });
    expect([done.code, done.out]).toEqual([
      0,
      expect.stringMatching(
        /found whole:\n[^]* {2}short links begin with https:\/\/go\.example\.com/u,
      ),
    ]);
    expect(kept()).toBe("https://go.example.com");
    const again = await runInProcess([...move, "--yes", "--json"], { cwd: root });
    const [told, summary] = again.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    const address = "https://go.example.com";
    expect(told).toMatchObject({ type: "plan", address: { from: address, to: address } });
    expect(summary).toMatchObject({ type: "summary", publicUrl: address });
  });

  it("keeps the public address that is there, and says first what printed codes need then", async () => {
    to = target();
    const source = path.join(root, "with-other-address");
    const service = await openAt(source);
    await service.code({ dynamic: true });
    await service.close();
    await keepPublicUrl(source, "https://old.example.com");
    await keepPublicUrl(to, "https://go.example.com");
    const says =
      "  address: codes there have https://old.example.com, here they get https://go.example.com; printed ones lead nowhere unless every address that begins with https://old.example.com leads here, too";
    const move = ["move", source, "--data", to];
    const plan = await runInProcess(move, { cwd: root });
    expect(plan.out).toContain(says);
    expect(plan.err).toContain("nothing was moved");
    expect((await runInProcess([...move, "--yes"], { cwd: root })).out).toContain(says);
    expect(readPublicAddress(to).kept).toBe("https://go.example.com");
  });

  it("says that ledgers of serials and of printed codes stay, where there are any", async () => {
    const plan = async (): Promise<string> =>
      (await runInProcess(["move", from, "--data", path.join(root, "for-serials")])).out;
    expect(await plan()).not.toContain("serials.db");
    writeFileSync(path.join(from, "serials.db"), "");
    expect(await plan()).toMatch(/not moved: .*serials\.db: copy it into the data folder/u);
    rmSync(path.join(from, "serials.db"));
    expect(await plan()).not.toContain("units.db");
    writeFileSync(path.join(from, "units.db"), "");
    expect(await plan()).toMatch(
      /not moved: .*units\.db: copy it into the data folder .*; otherwise void labels are printed again/u,
    );
    rmSync(path.join(from, "units.db"));
  });

  it("shows a plan first, and asks", async () => {
    to = target();
    const { code, out, err } = await type();
    expect(out).toContain("  short links: 1\n");
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
