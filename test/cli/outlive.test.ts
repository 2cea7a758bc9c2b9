/** A bundle answers as the service does: its own files, and a plain file server that knows no rules. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runInProcess } from "../flow/in-process.ts";
import { testStore } from "../service/make-service.ts";
import { fillFolder, openAt } from "./full-workspace.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "makeready-outlive-test-"));
const data = path.join(root, "data");
const bundle = path.join(root, "links");
const PUBLIC = ["--public-url", "https://go.example"];

const type = (...argv: string[]) => runInProcess(argv, { cwd: root });
const exportTo = (to: string, ...more: string[]) =>
  type("export-resolver", to, "--data", data, ...PUBLIC, ...more);
const drillData = (...more: string[]) => type("drill", bundle, "--data", data, ...more);

/** What any host of static files does: the file, else the `index.html` of the folder. */
async function servePlainly(
  folder: string,
  hasSlashes = false,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const place = path.join(
      folder,
      decodeURIComponent(new URL(request.url ?? "/", "http://a").pathname),
    );
    const file = [place, path.join(place, "index.html")].find(
      (one) => one.startsWith(folder) && existsSync(one) && !readdirOrFile(one),
    );
    const isFolder = file !== undefined && file !== place && !place.endsWith("/");
    if (hasSlashes && isFolder) {
      const { pathname, search } = new URL(request.url ?? "/", "http://a");
      response.writeHead(301, { location: `${pathname}/${search}` }).end();
      return;
    }
    response.statusCode = file === undefined ? 404 : 200;
    response.end(file === undefined ? "" : readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** True for folders. */
function readdirOrFile(file: string): boolean {
  try {
    readdirSync(file);
    return true;
  } catch {
    return false;
  }
}

beforeAll(async () => {
  // test/sqlite-only.ts skips all of them.
  if (testStore.isPostgres) return;
  await fillFolder(data);
  const service = await openAt(data);
  const contact = { qr_type: "vCard", qr_data: undefined, vcard: { first_name: "Ada" } };
  await service.code({ ...contact, dynamic: true, display_name: "Ada" });
  await service.close();
  const done = await exportTo(bundle);
  if (done.code !== 0) throw new Error(done.err);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("makeready export-resolver", () => {
  it("keeps every kind of answer, and counts no scan", async () => {
    const about = JSON.parse(readFileSync(path.join(bundle, "bundle.json"), "utf8"));
    expect(about.publicUrl).toBe("https://go.example");
    expect(about.counts).toMatchObject({
      contact: 1,
      "contact-file": 1,
      "digital-link": 3,
      linkset: 1,
      page: 1,
      pdf: 1,
      resolver: 2,
    });
    expect(about.differs["form takes no answers"]).toBe(1);
    const service = await openAt(data);
    const { body } = await service.get(`/workspace/${service.workspace}/links/`);
    await service.close();
    expect((body.results as { total_scans: number }[])[0]?.total_scans).toBe(1);
  });

  it("is drilled against a server that is up, else it says why there is no answer", async () => {
    const { url, close } = await servePlainly(bundle);
    await close();
    const { code, err } = await drillData("--at", url);
    expect(code).toBe(5);
    expect(err).toContain("ECONNREFUSED");
  });

  it("replaces an older bundle, and nothing else", async () => {
    const before = readdirSync(root);
    const { code, out } = await exportTo(bundle);
    expect(code).toBe(0);
    expect(out).toContain(`prove it at any time: makeready drill links --data ${data}`);
    expect(out).toContain("2 resolvers");
    expect(readdirSync(root)).toEqual(before);
    // What a person keeps in it would go with it.
    const note = path.join(bundle, "note.txt");
    writeFileSync(note, "mine");
    const kept = await exportTo(bundle);
    expect([kept.code, kept.err]).toEqual([
      2,
      expect.stringContaining(`a bundle that it replaces, got ${bundle} with note.txt`),
    ]);
    rmSync(note);
    const other = path.join(root, "other");
    mkdirSync(other);
    writeFileSync(path.join(other, "mine.txt"), "mine");
    const refused = await exportTo(other);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("must be a new or empty folder, or a bundle");
    expect(refused.err).toContain("name another folder");
    expect(readdirSync(other)).toEqual(["mine.txt"]);
    const onFile = await exportTo(path.join(other, "mine.txt"));
    expect([onFile.code, onFile.err]).toEqual([
      2,
      expect.stringContaining("must be a new or empty folder, or a bundle"),
    ]);
    rmSync(other, { recursive: true });
  });

  it("replaces a bundle whose list of answers is damaged, and says what it can't give back", async () => {
    const list = path.join(bundle, "answers.jsonl");
    const about = path.join(bundle, "bundle.json");
    const aside = `${bundle}.damaged`;
    const cut = (): void => writeFileSync(list, readFileSync(list).subarray(0, 40));
    cut();
    const whole = await exportTo(bundle);
    expect(whole.code, whole.err).toBe(0);
    const media = path.join(data, "media");
    const names = readdirSync(media, { recursive: true }) as string[];
    const pdf = names.find((name) => name.endsWith(".pdf"));
    const file = path.join(media, String(pdf));
    const bytes = readFileSync(file);
    rmSync(file);
    cut();
    const lossy = await exportTo(bundle, "--json");
    expect(lossy.code, lossy.err).toBe(3);
    const lost = [`/media/${path.basename(file)}`];
    expect(JSON.parse(lossy.out)).toMatchObject({ lost, kept: [], damaged: lost });
    expect(readFileSync(path.join(aside, "files", lost[0] ?? ""))).toEqual(bytes);
    rmSync(aside, { recursive: true });
    writeFileSync(file, bytes);
    expect((await exportTo(bundle)).code).toBe(0);
    const answers = readFileSync(list, "utf8").split("\n");
    const other = answers.findIndex((line) => line !== "" && !line.includes(".pdf"));
    writeFileSync(list, answers.with(other, "{").join("\n"));
    rmSync(file);
    expect(JSON.parse((await exportTo(bundle, "--json")).out)).toMatchObject({ kept: lost });
    writeFileSync(file, bytes);
    expect((await exportTo(bundle)).code).toBe(0);
    mkdirSync(aside);
    const sound = readFileSync(list, "utf8");
    const lines = sound.split("\n");
    const odd = `{"kind":"pdf","path":"${lost[0]}","status":200,"file":"","sha256":"0"}`;
    const noFile = `{"kind":"pdf","path":"${lost[0]}","status":200}`;
    const at = lines.findIndex((line) => line.includes('"kind":"pdf"'));
    rmSync(file);
    for (const text of [
      "",
      `${lines[0]}\n`,
      ...[odd, noFile].map((one) => lines.with(at, one).join("\n")),
    ]) {
      writeFileSync(list, text);
      const told = await exportTo(bundle);
      expect(told.code, told.err).toBe(3);
      expect(told.out).toContain("stays beside this one as links.damaged-2\n");
      expect(readFileSync(path.join(`${aside}-2`, "files", lost[0] ?? ""))).toEqual(bytes);
      rmSync(bundle, { recursive: true });
      renameSync(`${aside}-2`, bundle);
    }
    rmSync(aside, { recursive: true });
    writeFileSync(list, sound);
    // One that was written before bundles knew lost files is as whole as ever.
    const {
      lost: _lost,
      kept: _kept,
      damaged: _damaged,
      ...older
    } = JSON.parse(readFileSync(about, "utf8"));
    writeFileSync(about, JSON.stringify(older));
    expect(JSON.parse((await exportTo(bundle, "--json")).out)).toMatchObject({ kept: lost });
    // A line of a kept file, and one of a file that is lost for good, are no damage.
    rmSync(path.join(bundle, "files", lost[0] ?? ""));
    expect((await exportTo(bundle)).code).toBe(3);
    rmSync(`${bundle}.damaged`, { recursive: true });
    expect(JSON.parse((await exportTo(bundle, "--json")).out)).toMatchObject({ lost, damaged: [] });
    expect(existsSync(`${bundle}.damaged`)).toBe(false);
    writeFileSync(file, bytes);
    expect((await exportTo(bundle)).code).toBe(0);
  });

  it("leaves nothing behind when it is stopped, and the older bundle whole", async () => {
    const before = readdirSync(root);
    const stopped = await runInProcess(["export-resolver", bundle, "--data", data, ...PUBLIC], {
      cwd: root,
      signal: AbortSignal.abort(),
    });
    expect(stopped.code).not.toBe(0);
    expect(readdirSync(root)).toEqual(before);
    expect((await drillData()).code).toBe(0);
  });

  it("has one line a link for hosts that read _redirects", () => {
    const lines = readFileSync(path.join(bundle, "files/_redirects"), "utf8").trim().split("\n");
    expect(lines).toContain("/Sale-1 https://example.com/sale 302");
    expect(lines).toContain("/01/09506000134352 https://example.com/wine 307");
  });

  it("refuses what the rules could not say", async () => {
    expect((await exportTo(path.join(root, "x"), "--root", "/srv/a b")).err).toContain("--root");
    expect((await exportTo(path.join(root, "x"), "--target", "iis")).err).toContain("--target");
    expect((await type("export-resolver", "x", "--data", root)).err).toContain(
      "without service.db",
    );
    expect((await type("drill", "data")).err).toContain("must be a bundle");
  });
});

describe("makeready drill", () => {
  it("finds bundle and data folder alike", async () => {
    const { code, out } = await drillData();
    expect(out).toContain(" 0 differences");
    expect(code, out).toBe(0);
  });

  it("counts a file that was changed, a link that leads elsewhere and one that is new", async () => {
    const page = path.join(bundle, "files/page/fair/index.html");
    const text = readFileSync(page);
    writeFileSync(page, `${text.toString()} `);
    const changed = await drillData();
    expect(changed.code).toBe(3);
    expect(changed.out).toContain("1 difference\n  /page/fair: service 200 body");
    expect(changed.out).toContain(`of before: makeready export-resolver ${bundle}`);
    writeFileSync(page, text);
    const service = await openAt(data);
    await service.send("POST", "/link/create/", {
      workspace: service.workspace,
      link: "https://example.com/new",
      slug: "New-1",
    });
    await service.close();
    const later = await drillData();
    expect(later.out).toContain("/New-1: service 302 https://example.com/new, bundle not in it");
    expect((await exportTo(bundle)).code).toBe(0);
    expect((await drillData()).code).toBe(0);
  });

  it("names a PDF that the data folder has lost, at the export and in every drill", async () => {
    const media = path.join(data, "media");
    const pdf = (readdirSync(media, { recursive: true }) as string[]).find((name) =>
      name.endsWith(".pdf"),
    );
    const file = path.join(media, String(pdf));
    const bytes = readFileSync(file);
    rmSync(file);
    const name = `media/${path.basename(file)}`;
    expect((await drillData()).out).toMatch(/1 difference\n.*: service 404, bundle 200/u);
    const lossy = await exportTo(bundle, "--json");
    expect(lossy.code).toBe(3);
    expect(JSON.parse(lossy.out)).toMatchObject({ lost: [`/${name}`], kept: [`/${name}`] });
    const told = await exportTo(bundle);
    expect(told.code).toBe(3);
    expect(told.out).toContain(
      `lost before this export: media/${pdf}; the bundle keeps the copy of the older one`,
    );
    expect((await drillData()).out).toMatch(/1 difference\n.*: service 404, bundle 200/u);
    const copy = path.join(bundle, "files", name);
    writeFileSync(copy, "damaged");
    const spoiled = await exportTo(bundle);
    expect(spoiled.code).toBe(3);
    expect(spoiled.out).toContain(
      `lost before this export: media/${pdf}; the older bundle is damaged, and stays beside this one as links.damaged\n`,
    );
    expect(existsSync(copy)).toBe(false);
    rmSync(`${bundle}.damaged`, { recursive: true });
    rmSync(bundle, { recursive: true });
    const first = await exportTo(bundle);
    expect(first.code).toBe(3);
    expect(first.out).toContain(`lost before this export: media/${pdf}\n`);
    expect(first.out).toContain("copy them back to these places");
    const drilled = await drillData();
    expect(drilled.code).toBe(3);
    expect(drilled.out).toContain(`/${name}: service 404, bundle has lost it, too`);
    writeFileSync(file, bytes);
    expect((await drillData()).code).toBe(3);
    expect((await exportTo(bundle)).code).toBe(0);
    expect((await drillData()).code).toBe(0);
  });

  it.each([
    ["at once", false],
    ["behind a slash that it adds", true],
  ])("asks a plain file server: pages lead on where it can't redirect, %s", async (_, slashes) => {
    const server = await servePlainly(path.join(bundle, "files"), slashes);
    try {
      const { out } = await drillData("--at", server.url, "--json");
      const lines = out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const summary = lines.at(-1);
      // Only what is asked by a query has no file of its own.
      const different = lines.slice(0, -1).map(({ target }) => target);
      expect(different.every((target: string) => target.includes("?linkType="))).toBe(true);
      expect(summary.byPage).toBeGreaterThan(2);
      expect(summary.alike + summary.byPage + different.length).toBe(summary.asked);
    } finally {
      await server.close();
    }
  });

  it("asks a running service, which counts no scan", async () => {
    const service = await openAt(data);
    const { url } = await service.listen({ port: 0, host: "127.0.0.1" });
    const { code, out } = await type("drill", bundle, "--service", url);
    expect(out).toContain(" 0 differences");
    expect(code).toBe(0);
    const { body } = await service.get(`/workspace/${service.workspace}/links/`);
    const sale = (body.results as { slug: string; total_scans: number }[]).find(
      ({ slug }) => slug === "Sale-1",
    );
    expect(sale?.total_scans).toBe(1);
    await service.close();
  });
});

it("a batch that would be a path elsewhere stops no export, and no file of it stands there", async () => {
  const folder = path.join(root, "batches");
  const service = await openAt(folder);
  const batches = ["../../../../../x", "../../../_redirects", "A/index.html", "A"];
  for (const batch_lot of batches) {
    const { status } = await service.send("POST", "/gs1/products/", {
      workspace: service.workspace,
      identifier_value: "09506000134352",
      batch_lot,
      destination_url: "https://a.example/batch",
    });
    expect(status).toBe(201);
  }
  await service.close();
  const to = path.join(root, "of-batches");
  const { code, err } = await type("export-resolver", to, "--data", folder, ...PUBLIC);
  expect(code, err).toBe(0);
  const files = readdirSync(to, { recursive: true, encoding: "utf8" });
  expect(files.filter((file) => file.endsWith("index.html"))).toEqual([
    "files/01/09506000134352/10/A/index.html",
  ]);
  const links = readFileSync(path.join(to, "nginx/links.map"), "utf8");
  for (const batch of batches) expect(links).toContain(`/10/${encodeURIComponent(batch)} 307`);
});
