import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";

import { expect, test } from "vitest";

import { sha256 } from "../../src/base/ids.ts";
import { writeGroupZip } from "../../src/pack/group-zip.ts";
import type { IndexRow } from "../../src/pack/index-file.ts";
import { readZip } from "./read-zip.ts";
import { makeScratch, stream } from "./scratch.ts";

const scratch = makeScratch();
const createdAt = new Date("2026-11-20T00:00:00Z");
const hasTools = ["unzip", "sha256sum"].every(
  (tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0,
);

const row: IndexRow = {
  key: "1",
  line: 2,
  displayName: "Table 1",
  folder: "Tables",
  id: "x",
  shortLink: undefined,
  destination: "https://example.com",
  type: "Link",
  files: ["Süd/1.svg"],
  sha256: [sha256("<svg/>")],
  state: "done",
};

const makeGroup = () => ({
  artwork: stream([
    { name: "Süd/1.png", data: "png" },
    { name: "Süd/1.svg", data: "<svg/>", sha256: sha256("<svg/>") },
  ]),
  rows: [row],
  createdAt,
});

test("holds artwork, index and checksums over both", async () => {
  const file = scratch("deep/folder/group.zip");
  const result = await writeGroupZip(file, makeGroup());
  const { entries } = readZip(file);
  expect(entries.map(({ name }) => name)).toEqual([
    "Süd/1.png",
    "Süd/1.svg",
    "index.csv",
    "SHA256SUMS",
  ]);
  expect(result.entries).toBe(4);
  const index = entries[2]?.data ?? Buffer.of();
  expect(index.toString()).toContain("Süd/1.svg");
  expect(entries[3]?.data.toString()).toBe(
    `${sha256("png")}  Süd/1.png\n${sha256("<svg/>")}  Süd/1.svg\n${sha256(index)}  index.csv\n`,
  );
  expect(readdirSync(scratch("deep/folder"))).toEqual(["group.zip"]);
});

test("is the same bytes on a second run", async () => {
  const one = await writeGroupZip(scratch("one.zip"), makeGroup());
  const two = await writeGroupZip(scratch("two.zip"), makeGroup());
  expect(two.sha256).toBe(one.sha256);
});

test.skipIf(!hasTools)("sha256sum --check agrees after unpacking", async () => {
  const file = scratch("checked.zip");
  await writeGroupZip(file, makeGroup());
  const folder = scratch("unpacked");
  mkdirSync(folder);
  expect(spawnSync("unzip", ["-q", file, "-d", folder]).status).toBe(0);
  const check = spawnSync("sh", ["-c", "sha256sum --check --strict SHA256SUMS"], { cwd: folder });
  expect(check.stderr.toString()).toBe("");
  expect(check.status).toBe(0);
});

test("leaves nothing behind when a file is gone", async () => {
  const file = scratch("gone/group.zip");
  const artwork = [{ name: "a.svg", path: scratch("not-there.svg") }];
  const failed = writeGroupZip(file, { artwork, rows: [row], createdAt });
  await expect(failed).rejects.toMatchObject({ code: "artwork-unusable" });
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(scratch("gone"))).toEqual([]);
});
