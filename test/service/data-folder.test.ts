import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { makeLog } from "../../src/base/log.ts";
import { makeService, type TestService } from "./make-service.ts";

let folder: string;
let data: string;
let told: Record<string, unknown>[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "data-folder-"));
  data = path.join(folder, "data");
  told = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): Promise<TestService> =>
  makeService({
    dataDir: data,
    isSole: true,
    webhook: { url: "http://127.0.0.1:9/", secret: "a secret that is long enough" },
    post: () => Promise.resolve(200),
    log: makeLog({ to: { write: (line: string) => void told.push(JSON.parse(line)) } }),
  });

const list = (): string[] => ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })];
const modeOf = (name: string): number => lstatSync(path.join(data, name)).mode & 0o777;
const isFolder = (name: string): boolean => lstatSync(path.join(data, name)).isDirectory();
const openToOthers = (): string[] => list().filter((name) => (modeOf(name) & 0o077) !== 0);

/** Everything that makes files. */
async function use(service: TestService): Promise<void> {
  const { workspace } = service;
  const pdf = Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64");
  await service.send("POST", "/pdf/create/", { workspace, pdf_base64: pdf });
  const code = await service.code({ dynamic: true, generate_png: true });
  await service.scan(code.shortlink_url as string);
}

describe.runIf(process.platform !== "win32")("a data folder", () => {
  it("is readable by its owner only from the beginning", async () => {
    const service = await open();
    await use(service);
    expect(list().length).toBeGreaterThan(8);
    expect(openToOthers()).toEqual([]);
    await service.close();
  });

  it("that others could read before is closed with the next start, to its last file", async () => {
    const first = await open();
    await use(first);
    await first.close();
    mkdirSync(path.join(data, "templates", "w"), { recursive: true });
    mkdirSync(path.join(data, "desk", "uploads"), { recursive: true });
    for (const name of [
      "desk/uploads/a.csv",
      "templates/w/logo.png",
      "service.db.backup",
      "token-other.123.part",
    ]) {
      writeFileSync(path.join(data, name), "x");
    }
    for (const name of list()) chmodSync(path.join(data, name), isFolder(name) ? 0o755 : 0o644);
    const names = list();
    expect(openToOthers()).toEqual(names);
    const second = await open();
    expect(openToOthers()).toEqual([]);
    expect(list().every((name) => modeOf(name) === (isFolder(name) ? 0o700 : 0o600))).toBe(true);
    expect(told.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    await second.close();
  });

  it("is done where an earlier start was killed in the middle", async () => {
    const media = path.join(data, "media");
    mkdirSync(path.join(media, "aa"), { recursive: true });
    writeFileSync(path.join(media, "aa", "a.png"), "x", { mode: 0o644 });
    for (const name of ["media/aa", "media", ""]) chmodSync(path.join(data, name), 0o755);
    chmodSync(path.join(media, "aa"), 0o700);
    await (await open()).close();
    // No other user gets that far.
    expect(modeOf("media")).toBe(0o700);
  });

  it("with files of others in it is not closed itself: those may be needed", async () => {
    mkdirSync(data, { mode: 0o755 });
    chmodSync(data, 0o755);
    writeFileSync(path.join(data, "notes.txt"), "x", { mode: 0o644 });
    writeFileSync(path.join(folder, "elsewhere"), "x", { mode: 0o644 });
    symlinkSync(path.join(folder, "elsewhere"), path.join(data, "templates"));
    rmSync(path.join(data, "templates"));
    symlinkSync(path.join(folder, "elsewhere"), path.join(data, "service.db.old"));
    const service = await open();
    await use(service);
    expect(existsSync(path.join(data, "service.db"))).toBe(true);
    expect(openToOthers().filter((name) => name !== "service.db.old")).toEqual(["", "notes.txt"]);
    expect(lstatSync(path.join(folder, "elsewhere")).mode & 0o777).toBe(0o644);
    const warnings = told.filter(({ level }) => level === 40);
    expect(warnings).toMatchObject([{ reason: "it holds other files too, such as notes.txt" }]);
    await service.close();
  });
});
