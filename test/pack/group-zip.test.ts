import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
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
  rows: stream([
    {
      name: "Süd/1",
      index: { ...row, zip: "group.zip" },
      entries: [
        { name: "Süd/1.png", data: "png" },
        { name: "Süd/1.svg", data: "<svg/>", sha256: sha256("<svg/>") },
      ],
    },
  ]),
  createdAt,
});

test("holds artwork, index and checksums over both", async () => {
  const file = scratch("deep/folder/group.zip");
  const [result] = await writeGroupZip(file, makeGroup());
  const { entries } = readZip(file);
  expect(entries.map(({ name }) => name)).toEqual([
    "Süd/1.png",
    "Süd/1.svg",
    "index.csv",
    "SHA256SUMS",
  ]);
  expect(result).toMatchObject({ file, entries: 4, rows: 1 });
  const index = entries[2]?.data ?? Buffer.of();
  expect(index.toString()).toContain("Süd/1.svg");
  expect(entries[3]?.data.toString()).toBe(
    `${sha256("png")}  Süd/1.png\n${sha256("<svg/>")}  Süd/1.svg\n${sha256(index)}  index.csv\n`,
  );
  expect(readdirSync(scratch("deep/folder"))).toEqual(["group.zip"]);
});

test("is the same bytes on a second run", async () => {
  const [one] = await writeGroupZip(scratch("1/group.zip"), makeGroup());
  const [two] = await writeGroupZip(scratch("2/group.zip"), makeGroup());
  expect(two?.sha256).toBe(one?.sha256);
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
  const entries = [{ name: "a.svg", path: scratch("not-there.svg") }];
  const failed = writeGroupZip(file, { rows: [{ name: "a", index: row, entries }], createdAt });
  await expect(failed).rejects.toMatchObject({ code: "artwork-unusable" });
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(scratch("gone"))).toEqual([]);
});

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    name: `${n}`,
    index: { ...row, key: `${n}`, line: n + 2, zip: "group.zip" },
    entries: ["png", "svg"].map((format) => ({ name: `${n}.${format}`, data: "x".repeat(100) })),
  }));
const namesOf = (file: string): string[] => readZip(file).entries.map(({ name }) => name);

describe("what doesn't fit into one archive goes on in the next", () => {
  test.each([
    ["by entries", { maxEntries: 6, fullBytes: 1e9 }],
    ["by bytes", { maxEntries: 1000, fullBytes: 400 }],
  ])("%s: no row is torn apart, each has its index and checksums", async (_, limits) => {
    const file = scratch(`volumes-${limits.maxEntries}/group.zip`);
    const volumes = await writeGroupZip(file, { rows: rowsOf(5), createdAt, limits });
    const files = ["", "-2", "-3"].map((suffix) => file.replace(".zip", `${suffix}.zip`));
    expect(volumes.map(({ file: name, rows, lastName }) => [name, rows, lastName])).toEqual([
      [files[0], 2, "1"],
      [files[1], 2, "3"],
      [files[2], 1, "4"],
    ]);
    expect(namesOf(files[1] ?? "")).toEqual([
      "2.png",
      "2.svg",
      "3.png",
      "3.svg",
      "index.csv",
      "SHA256SUMS",
    ]);
    const [, , index, sums] = readZip(files[2] ?? "").entries;
    expect(index?.data.toString()).toContain("group-3.zip");
    expect(sums?.data.toString().trim().split("\n")).toHaveLength(3);
  });

  test("a row of more than an archive should hold has one of its own", async () => {
    const limits = { maxEntries: 3, fullBytes: 1 };
    const volumes = await writeGroupZip(scratch("own/group.zip"), {
      rows: rowsOf(2),
      createdAt,
      limits,
    });
    expect(volumes.map(({ entries }) => entries)).toEqual([4, 4]);
  });

  test("no row at all makes one archive", async () => {
    const volumes = await writeGroupZip(scratch("none/group.zip"), { rows: [], createdAt });
    expect(volumes.map(({ rows, entries }) => [rows, entries])).toEqual([[0, 2]]);
  });
});
