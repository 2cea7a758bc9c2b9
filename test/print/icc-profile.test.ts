import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { sha256 } from "../../src/base/ids/ids.ts";
import { resolveOutput } from "../../src/job/output/resolve-output.ts";
import { OutputShape } from "../../src/job/shapes/output-shape.ts";
import { makeSheetOptions } from "../../src/pipeline/stages/sheet-options.ts";
import {
  checkOutputProfile,
  loadOutputIntent,
  outputConditions,
  readIccHeader,
} from "../../src/print/pdf/icc-profile.ts";

const own = await readFile(new URL("../../templates/icc/coated39.icc", import.meta.url));

function edited(edit: (bytes: Buffer) => void): Buffer {
  const copy = Buffer.from(own);
  edit(copy);
  return copy;
}

const NO_LABELS = { front: null, back: null, codeStyle: null, artworkInks: {} };
const makePressFolder = async () => ({ folder: await mkdtemp(path.join(tmpdir(), "us-")) });

async function conditionOf(sheets: object) {
  const { folder } = await makePressFolder();
  const output = resolveOutput(
    OutputShape.parse({ sheets }),
    {
      file: path.join(folder, "job.yaml"),
      labels: NO_LABELS,
      nowMs: 0,
      timeZone: "UTC",
    } as never,
    { job: "x", display: "{{ a }}", file: "{{ a }}" },
  );
  const job = { name: "x", file: path.join(folder, "job.yaml"), output };
  const facts = {
    createdAt: "2026-01-01T00:00:00Z",
    isRehearsal: false,
    input: { name: "a", sha256: "", columns: [] },
  };
  return (await makeSheetOptions(job, facts))?.icc;
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

  it.each(Object.entries(outputConditions))("%s is there by its name", async (name, facts) => {
    const intent = await loadOutputIntent(name as keyof typeof outputConditions);
    expect(checkOutputProfile(intent.profile)).toEqual([]);
    expect(intent).toMatchObject({ condition: facts.condition, info: facts.info });
  });

  it("white is white and black is dark in each, and none is another's", async () => {
    const seen = new Set<string>();
    for (const name of Object.keys(outputConditions) as (keyof typeof outputConditions)[]) {
      const { profile } = await loadOutputIntent(name);
      const text = Buffer.from(profile).toString("latin1");
      seen.add(sha256(profile));
      // Device to Lab for every intent, and the way back.
      for (const tag of ["A2B0", "B2A0", "cprt", "desc"])
        expect(text.slice(128, 600)).toContain(tag);
    }
    expect(seen.size).toBe(Object.keys(outputConditions).length);
  });

  it("US paper is printed to GRACoL unless the job says otherwise", async () => {
    expect(await conditionOf({ sheet: "avery-5160" })).toBe("GRACoL");
    expect(await conditionOf({ sheet: { page: "Tabloid", label: [50, 50] } })).toBe("GRACoL");
    expect(await conditionOf({ sheet: { page: "13x19", label: [50, 50] }, marks: ["crop"] })).toBe(
      "GRACoL",
    );
    expect(await conditionOf({ sheet: "avery-5160", icc: "FOGRA39" })).toBe("FOGRA39");
    expect(await conditionOf({})).toBeUndefined();
    expect(await conditionOf({ icc: "FOGRA29" })).toBe("FOGRA29");
  });

  it("names the file that can't serve", async () => {
    const error: unknown = await loadOutputIntent({ file: "/nowhere/x.icc", condition: "x" }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).where?.file).toBe("/nowhere/x.icc");
  });
});
