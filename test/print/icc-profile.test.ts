import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import {
  checkOutputProfile,
  loadOutputIntent,
  readIccHeader,
} from "../../src/print/pdf/icc-profile.ts";

const own = await readFile(new URL("../../templates/icc/coated39.icc", import.meta.url));

function edited(edit: (bytes: Buffer) => void): Buffer {
  const copy = Buffer.from(own);
  edit(copy);
  return copy;
}

describe("output profiles", () => {
  it("ours is a whole CMYK printing profile", () => {
    expect(checkOutputProfile(own)).toEqual([]);
    expect(readIccHeader(own)).toEqual({
      bytes: 17_324,
      deviceClass: "prtr",
      colorSpace: "CMYK",
      version: 2,
      signature: "acsp",
    });
  });

  it.each([
    ["a picture", Buffer.from("\x89PNG".repeat(60), "latin1"), /must be an ICC profile/u],
    ["too few bytes", own.subarray(0, 100), /must be an ICC profile, got 100 bytes/u],
    ["half a profile", own.subarray(0, 9000), /as long as its header says, 17324 bytes, got 9000/u],
    ["a scanner's", edited((bytes) => bytes.write("scnr", 12)), /class prtr .*got scnr/u],
    ["an RGB one", edited((bytes) => bytes.write("RGB ", 16)), /must be CMYK, got RGB$/u],
  ])("refuses %s", (_, bytes, message) => {
    expect(
      checkOutputProfile(bytes)
        .map((problem) => problem.message)
        .join(),
    ).toMatch(message);
  });

  it("takes a shop's profile with the name of its condition", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "icc-"));
    const file = path.join(folder, "shop.icc");
    await writeFile(file, own);
    expect((await loadOutputIntent({ file, condition: "Shop coated" })).condition).toBe(
      "Shop coated",
    );
    expect((await loadOutputIntent()).condition).toBe("FOGRA39");
  });

  it("names the file that can't serve", async () => {
    const error: unknown = await loadOutputIntent({ file: "/nowhere/x.icc", condition: "x" }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).where?.file).toBe("/nowhere/x.icc");
  });
});
