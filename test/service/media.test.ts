import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import {
  makeMemoryMedia,
  openMediaFolder,
  toContentType,
  type Media,
} from "../../src/service/store/media.ts";
import { makeService } from "./make-service.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "media-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const name = `${"ab".repeat(16)}.png`;
const engines: [string, () => Media][] = [
  ["a folder", () => openMediaFolder(path.join(folder, "media"))],
  ["memory", makeMemoryMedia],
];

describe.each(engines)("media in %s", (_, open) => {
  it("saves, reads, finds and forgets, each also twice", async () => {
    const media = open();
    expect([await media.has(name), await media.read(name)]).toEqual([false, undefined]);
    for (const text of ["one", "two"]) {
      await media.save(name, Buffer.from(text));
      expect(Buffer.from((await media.read(name)) ?? []).toString()).toBe(text);
    }
    await media.save(name, Buffer.from("three"), true);
    expect(await media.has(name)).toBe(true);
    await media.remove(name);
    await media.remove(name);
    expect([await media.has(name), await media.read(name)]).toEqual([false, undefined]);
  });
});

describe("a media folder", () => {
  it("leaves no half-written files behind", async () => {
    const media = openMediaFolder(folder);
    await media.save(name, Buffer.from("x"));
    expect(await readdir(path.join(folder, "ab"))).toEqual([name]);
  });

  it.each(["../../etc/passwd", "a.png", `${"ab".repeat(16)}.html`, `../${name}`, ""])(
    "touches nothing for the name %j",
    async (bad) => {
      const media = openMediaFolder(folder);
      await expect(media.save(bad, Buffer.from("x"))).rejects.toThrow(RangeError);
      expect(await readdir(folder)).toEqual([]);
      expect(toContentType(bad)).toBeUndefined();
    },
  );
});

it.each([
  [name, "image/png"],
  [name.replace("png", "svg"), "image/svg+xml"],
  [name.replace("png", "pdf"), "application/pdf"],
  [name.toUpperCase(), undefined],
])("knows the type of %s", (file, type) => {
  expect(toContentType(file)).toBe(type);
});

it("has an ETag: readers who have the file don't get it again (304)", async () => {
  const service = await makeService();
  const { png } = await service.code({ dynamic: true, generate_png: true });
  const ask = (headers: Record<string, string> = {}, method = "GET") =>
    service.fetch(new Request(png, { method, headers }));
  const [first, head] = [await ask(), await ask({}, "HEAD")];
  const tag = first.headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[^"]+"$/u);
  expect(head.headers.get("etag")).toBe(tag);
  const again = await ask({ "if-none-match": tag });
  expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, tag, ""]);
  expect((await ask({ "if-none-match": '"other"' })).status).toBe(200);
  await service.close();
});
