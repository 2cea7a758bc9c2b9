import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { beforeEach, describe, expect, it } from "vitest";

import { writeSmallFileAtomic } from "../../src/base/files/atomic-file.ts";
import { MAX_SMALL_BYTES, readSmallFile } from "../../src/base/files/small-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "small-file-"));
});

describe("small files", () => {
  it.each([0, 1, 5000, MAX_SMALL_BYTES])("of %i bytes are read whole", (length) => {
    const file = path.join(folder, "a");
    const bytes = Buffer.alloc(length, 7);
    writeFileSync(file, bytes);
    expect(readSmallFile(file)).toMatchObject({ bytes, size: length });
  });

  it("longer ones are reported as such, not read", () => {
    const file = path.join(folder, "a");
    writeFileSync(file, Buffer.alloc(MAX_SMALL_BYTES + 1));
    expect(readSmallFile(file)).toMatchObject({ bytes: undefined, size: MAX_SMALL_BYTES + 1 });
  });

  it("what is missing or no file is an error", () => {
    expect(() => readSmallFile(path.join(folder, "none"))).toThrow(/ENOENT/u);
    expect(() => readSmallFile(folder)).toThrow(/EISDIR/u);
  });

  it("are written whole, in folders that are made for them, with nothing left beside them", () => {
    const file = path.join(folder, "one/two/a");
    writeSmallFileAtomic(file, Buffer.from("first"));
    writeSmallFileAtomic(file, Buffer.from("second"));
    expect(readFileSync(file, "utf8")).toBe("second");
    expect(readdirSync(path.dirname(file))).toEqual(["a"]);
  });

  it("that can't be written leave what was there, and no part", () => {
    const file = path.join(folder, "a");
    mkdirSync(path.join(file, "full"), { recursive: true });
    expect(() => writeSmallFileAtomic(file, Buffer.from("new"))).toThrow(
      /EISDIR|ENOTEMPTY|EEXIST/u,
    );
    expect(readdirSync(folder)).toEqual(["a"]);
  });
});
