import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import type { JobRows } from "../../src/job/job.ts";
import { openFolder } from "../../src/read/files/folder-source.ts";

async function readFolder(names: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-folder-"));
  for (const name of names) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), "%PDF-1.4");
  }
  const source = await openFolder({ file: folder, subfolders: true } as JobRows);
  const files: string[] = [];
  for await (const { values } of source.rows()) files.push(values["file"] ?? "");
  return files;
}

it("files are rows in the order in which people count", async () => {
  const files = await readFolder([
    "file10.pdf",
    "file2.pdf",
    "file1.pdf",
    "Part 10/a.pdf",
    "Part 9/b.pdf",
    "file2-1.pdf",
    "file02.pdf",
    "Flyer.PDF",
    ".hidden.pdf",
    "~$file1.pdf",
  ]);
  expect(files).toEqual([
    "file1.pdf",
    "file02.pdf",
    "file2.pdf",
    "file2-1.pdf",
    "file10.pdf",
    "Flyer.PDF",
    "Part 9/b.pdf",
    "Part 10/a.pdf",
  ]);
});
