/** Pictures whose names or formats the manifest no longer gives. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runInProcess, type InProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: named
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { type: Text, dynamic: false, qr_data: "{{ text }}", display_name: "{{ id }}" }
output: { dir: ../out, files: [svg], file_name: "old/{{ id }}", index: [] }
`;

/** Equal texts make equal files. */
const ROWS = "id,other,text\na,b,same\nb,a,same\nc,d,third\n";

const run = (files: JobFolder, ...set: string[]): Promise<InProcess> =>
  runInProcess(["run", files.manifest, ...set.flatMap((pair) => ["--set", pair])]);

const listArtwork = (files: JobFolder): string[] =>
  readdirSync(path.join(files.out, "artwork"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("."))
    .toSorted();

async function makeDone(): Promise<JobFolder> {
  const files = makeJobFolder(ROWS, MANIFEST);
  expect((await run(files)).code).toBe(0);
  expect(listArtwork(files)).toEqual(["old/a.svg", "old/b.svg", "old/c.svg"]);
  return files;
}

describe("artwork under old names", () => {
  it("goes with its folder when the new is there; what others wrote or changed stays", async () => {
    const files = await makeDone();
    const moved = await run(files, "output.file_name=new/{{ id }}");
    expect(moved.out).toContain("SVG of 3 codes; 3 old files removed");
    expect(listArtwork(files)).toEqual(["new/a.svg", "new/b.svg", "new/c.svg"]);
    expect(existsSync(path.join(files.out, "artwork", "old"))).toBe(false);
    writeFileSync(path.join(files.out, "artwork/new/mine.svg"), "<svg/>");
    writeFileSync(path.join(files.out, "artwork/new/c.svg"), "<svg>edited</svg>");
    const again = await run(files, "output.file_name={{ id }}");
    expect(again.out).toContain("2 old files removed");
    expect(listArtwork(files)).toEqual(["a.svg", "b.svg", "c.svg", "new/c.svg", "new/mine.svg"]);
  });

  it("that another row has now stays, though the bytes are equal", async () => {
    const files = await makeDone();
    const swapped = await run(files, "output.file_name=old/{{ other }}");
    expect(swapped.out).toContain("1 old file removed");
    expect(listArtwork(files)).toEqual(["old/a.svg", "old/b.svg", "old/d.svg"]);
  });

  it("goes when its format is no longer wanted, and the other one is fetched", async () => {
    const files = await makeDone();
    expect((await run(files, "output.files=[png]")).out).toContain("3 old files removed");
    expect(listArtwork(files)).toEqual(["old/a.png", "old/b.png", "old/c.png"]);
    expect((await run(files, "output.files=[svg, png]")).out).not.toContain("removed");
    expect(listArtwork(files)).toHaveLength(6);
  });

  it("stays while a new file is missing, and that of gone rows for good", async () => {
    const files = await makeDone();
    // In the way of a new file.
    mkdirSync(path.join(files.out, "artwork/new/b.svg"), { recursive: true });
    const half = await run(files, "output.file_name=new/{{ id }}");
    expect(half.out).not.toContain("removed");
    expect(existsSync(path.join(files.out, "artwork/old/a.svg"))).toBe(true);
    rmSync(path.join(files.out, "artwork/new/b.svg"), { recursive: true });
    writeFileSync(files.csv, "id,other,text\na,b,same\nb,a,same\n");
    const whole = await run(files, "output.file_name=new/{{ id }}");
    expect(whole.out).toContain("old files removed");
    const kept = ["new/a.svg", "new/b.svg", "new/c.svg"];
    expect(listArtwork(files)).toEqual(kept);
  });
});
