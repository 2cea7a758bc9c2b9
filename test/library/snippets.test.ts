import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { afterAll, describe, expect, it } from "vitest";

import { readFences } from "../docs/markdown.ts";

const root = path.resolve(import.meta.dirname, "../..");
const fences = readFences(readFileSync(path.join(root, "docs/library.md"), "utf8"));
const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-library-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Who installed makeready has it under `node_modules`. */
function install(): void {
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(root, path.join(folder, "node_modules/makeready"), "dir");
  for (const { info, text } of fences) {
    const file = /\bfile=(\S+)/u.exec(info)?.[1];
    if (file !== undefined) writeFileSync(path.join(folder, file), text);
  }
}

describe("docs/library.md", () => {
  it("says what can be typed as it is", async () => {
    install();
    const program = fences.filter(({ info }) => info === "js").map(({ text }) => text);
    writeFileSync(path.join(folder, "all.mjs"), program.join("\n"));
    const { stdout } = await promisify(execFile)(process.execPath, ["all.mjs"], { cwd: folder });
    const lines = stdout.trim().split("\n");
    expect(lines.filter((line) => !line.startsWith("proof of "))).toEqual([
      "2 codes to create",
      "done 2",
      `sheets ${path.join(folder, "out/shelf-labels.pdf")}`,
      `artwork ${path.join(folder, "out/artwork")}`,
      `index ${path.join(folder, "out/index.csv")}`,
      `sheet-map ${path.join(folder, "out/sheet-map.json")}`,
      `certificate ${path.join(folder, "out/certificate.json")}`,
      `report ${path.join(folder, "out/report.html")}`,
      "0 2 0",
      "done",
      "bad-usage",
      "true 2",
      "true 0",
      "true 1",
      "answer 401",
      "/01/09506000134352",
      "true",
      "true",
    ]);
  });
});
