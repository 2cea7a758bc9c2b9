import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { describe, expect, test } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { sha256 } from "../../src/base/ids/ids.ts";
import { writeZip, writeZipWith, type ZipEntry } from "../../src/pack/zip.ts";
import { readZip } from "./read-zip.ts";
import { makeScratch, stream } from "./scratch.ts";

const scratch = makeScratch();
const createdAt = new Date("2026-11-20T10:11:13Z");
const hasUnzip = spawnSync("unzip", ["-v"]).status === 0;

const makeTwo = (): ZipEntry[] => [
  { name: "a.svg", data: "<svg/>".repeat(100) },
  { name: "b.csv", chunks: stream(["1", "2", "3"]) },
];

describe("writeZip", () => {
  test("writes names, contents, dates; stores what is packed, deflates what shrinks", async () => {
    const file = scratch("plain.zip");
    const svg = "<svg>".repeat(500);
    const onDisk = scratch("a.svg");
    writeFileSync(onDisk, svg);
    const result = await writeZip(
      file,
      [
        { name: "a.svg", path: onDisk },
        { name: "north/Café ☕.png", data: Buffer.alloc(900) },
        { name: "tiny.txt", data: "x" },
        { name: "empty.txt", data: "" },
        { name: "pieces.csv", chunks: stream(["a;b\r\n", Buffer.from("é;f\r\n")]) },
      ],
      { createdAt },
    );
    const { entries, isZip64 } = readZip(file);
    expect(isZip64).toBe(false);
    expect(entries.map(({ name, method }) => [name, method])).toEqual([
      ["a.svg", 8],
      ["north/Café ☕.png", 0],
      ["tiny.txt", 8],
      ["empty.txt", 0],
      ["pieces.csv", 8],
    ]);
    expect(entries[0]?.data.toString()).toBe(svg);
    expect(entries[4]?.data.toString()).toBe("a;b\r\né;f\r\n");
    // 2026-11-20 10:11:12, two-second steps.
    const dosTime = ((46 << 25) | (11 << 21) | (20 << 16) | (10 << 11) | (11 << 5) | 6) >>> 0;
    expect(entries.map((entry) => entry.dosTime)).toEqual(entries.map(() => dosTime));
    const isUtf8 = entries.filter(({ flags }) => (flags & 0x800) !== 0).map(({ name }) => name);
    expect(isUtf8).toEqual(["north/Café ☕.png"]);
    const bytes = readFileSync(file);
    expect(result).toEqual({ file, entries: 5, bytes: bytes.length, sha256: sha256(bytes) });
  });

  test.skipIf(!hasUnzip)("unzip finds no fault, streamed and large entries included", async () => {
    const file = scratch("unzip.zip");
    const large = scratch("large.bin");
    writeFileSync(large, Buffer.alloc(17 * 1024 * 1024, "makeready"));
    const random = randomBytes(100_000);
    await writeZip(
      file,
      [
        { name: "large.bin", path: large },
        { name: "random.svg", data: random },
        { name: "日本/语.txt", chunks: stream(["streamed"]) },
      ],
      { createdAt },
    );
    const checked = spawnSync("unzip", ["-tq", file], { encoding: "utf8" });
    expect(checked.stdout).toContain("No errors detected");
    expect(checked.status).toBe(0);
    expect(readZip(file).entries[1]?.data.equals(random)).toBe(true);
  });

  test("gives the same bytes for the same input, also from another kind of source", async () => {
    const first = await writeZip(scratch("1.zip"), makeTwo(), { createdAt });
    const second = await writeZip(scratch("2.zip"), stream(makeTwo()), { createdAt });
    expect(second.sha256).toBe(first.sha256);
    const later = await writeZip(scratch("3.zip"), makeTwo(), {
      createdAt: new Date("2027-01-01T00:00:00Z"),
    });
    expect(later.sha256).not.toBe(first.sha256);
  });

  test("an empty archive is a valid one", async () => {
    const file = scratch("none.zip");
    expect((await writeZip(file, [], { createdAt })).entries).toBe(0);
    expect(readFileSync(file).length).toBe(22);
    expect(readZip(file).entries).toEqual([]);
  });

  test("reports the hash of each entry to the caller", async () => {
    const seen: string[] = [];
    await writeZipWith(scratch("hashes.zip"), { createdAt }, async (zip) => {
      seen.push(await zip.add({ name: "a", data: "abc" }));
      seen.push(await zip.add({ name: "b", chunks: stream(["a", "bc"]) }));
    });
    expect(seen).toEqual([sha256("abc"), sha256("abc")]);
  });

  test("what waits for the disk stays small, however much comes", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const usedBytes = (): number => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const counts: number[] = [];
    function* entries(): Generator<ZipEntry> {
      for (let i = 0; i < 3_000; i += 1) {
        if (i === 1_000 || i === 2_900) counts.push(usedBytes());
        yield { name: `artwork/${String(i).padStart(6, "0")}.svg`, data: `<svg id="${i}"/>` };
      }
      for (let i = 0; i < 80; i += 1) yield { name: `${i}.png`, data: Buffer.alloc(1_000_000, i) };
      counts.push(usedBytes());
    }
    const file = scratch("many.zip");
    const result = await writeZip(file, entries(), { createdAt });
    const [atStart = 0, behindMany = 0, behindLarge = 0] = counts;
    expect(behindMany - atStart).toBeLessThan(31 * 1024 * 1024);
    expect(behindLarge - behindMany).toBeLessThan(64 * 1024 * 1024);
    expect(result.entries).toBe(3_080);
    const read = readZip(file);
    expect(read.entries.length).toBe(3_080);
    expect(read.entries[2_999]?.data.toString()).toBe('<svg id="2999"/>');
    expect(hasUnzip ? spawnSync("unzip", ["-tq", file]).status : 0).toBe(0);
  });
});

async function* failHalfWay(): AsyncGenerator<string> {
  yield await Promise.resolve("half");
  throw new Error("disk on fire");
}

describe("writeZip refuses", () => {
  const bad: [string, string][] = [
    ["../up.svg", ". or .. segment"],
    ["a/../b.svg", ". or .. segment"],
    ["a//b.svg", "empty"],
    ["./a.svg", ". or .. segment"],
    ["a/", "empty"],
    ["/etc/passwd", "absolute"],
    ["C:/a.svg", "drive letter"],
    ["a\\b.svg", "backslash"],
    ["a\0b.svg", "control"],
    ["a\nb.svg", "control"],
    ["", "empty"],
    ["a\ud800.svg", "Unicode"],
  ];
  test.each(bad)("the name %j", async (name, why) => {
    const file = scratch("refused.zip");
    const failed = writeZip(file, [{ name, data: "" }], { createdAt });
    await expect(failed).rejects.toMatchObject({ code: "bug" });
    await expect(failed).rejects.toThrow(why);
    expect(existsSync(file)).toBe(false);
  });

  test("a name longer than the format holds", async () => {
    const entries = [{ name: "x".repeat(65_536), data: "" }];
    await expect(writeZip(scratch("long.zip"), entries, { createdAt })).rejects.toThrow("65,535");
  });

  test.each([
    ["a.svg", "A.SVG"],
    ["caf\u00e9.svg", "cafe\u0301.svg"],
    ["x/y", "x/y"],
  ])("%j beside %j", async (one, two) => {
    const entries = [one, two].map((name) => ({ name, data: "" }));
    const failed = writeZip(scratch("double.zip"), entries, { createdAt });
    await expect(failed).rejects.toThrow("unique");
  });

  test("a file that is gone or changed, and leaves the old archive as it was", async () => {
    const file = scratch("kept.zip");
    await writeZip(file, [{ name: "old", data: "old" }], { createdAt });
    const before = readFileSync(file);
    const gone = writeZip(file, [{ name: "a.svg", path: scratch("gone.svg") }], { createdAt });
    await expect(gone).rejects.toMatchObject({
      code: "artwork-unusable",
      where: { file: scratch("gone.svg") },
    });
    const changed = { name: "a.svg", data: "new", sha256: sha256("what was downloaded") };
    await expect(writeZip(file, [changed], { createdAt })).rejects.toBeInstanceOf(AppError);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(scratch(".")).filter((name) => name.includes(".part"))).toEqual([]);
  });

  test("a source that fails half-way", async () => {
    const file = scratch("half.zip");
    const failed = writeZip(file, [{ name: "a.csv", chunks: failHalfWay() }], { createdAt });
    await expect(failed).rejects.toThrow("disk on fire");
    expect(existsSync(file)).toBe(false);
  });

  test("a date that the format can't hold", async () => {
    const early = { createdAt: new Date("1979-12-31T23:59:59Z") };
    await expect(writeZip(scratch("early.zip"), [], early)).rejects.toThrow("1980 to 2107");
    const none = { createdAt: new Date(Number.NaN) };
    await expect(writeZip(scratch("early.zip"), [], none)).rejects.toThrow("1980 to 2107");
  });

  test("a second entry before the first is in", async () => {
    const failed = writeZipWith(scratch("two.zip"), { createdAt }, async (zip) => {
      await Promise.all([zip.add({ name: "a", data: "" }), zip.add({ name: "b", data: "" })]);
    });
    await expect(failed).rejects.toThrow("one at a time");
  });
});
