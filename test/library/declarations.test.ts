import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  exports: Record<string, string | { types: string; default: string }>;
  keywords: string[];
  repository: string;
  homepage: string;
};
const doors = Object.values(manifest.exports).filter((door) => typeof door !== "string");

/** Data that goes in and out of the engine: whoever uses the library relies on every field. */
const SHAPES = ["events", "ports", "results", "standing/status"].map(
  (name) => `dist/pipeline/${name}.d.ts`,
);

const read = (file: string): string => readFileSync(path.join(root, file), "utf8").trim();

describe("what other programs rely on", () => {
  it("is as the golden file has it", async () => {
    const files = ["dist/index.d.ts", ...SHAPES, "dist/qr/qr.d.ts", "dist/gs1/gs1.d.ts"];
    const text = files.map((file) => `// ${file}\n${read(file)}\n`).join("\n");
    await expect(text).toMatchFileSnapshot(path.join(root, "test/golden/library.d.ts.txt"));
  });

  it("has a built file behind every door of package.json", () => {
    const missing = doors
      .flatMap(({ types, default: code }) => [types, code])
      .filter((file) => !existsSync(path.join(root, file)));
    expect(doors).toHaveLength(7);
    expect(missing).toEqual([]);
  });

  it("says where it comes from and what it is about", () => {
    const [, place] = /^github:([\w-]+\/[\w-]+)$/u.exec(manifest.repository) ?? [];
    expect(manifest.homepage).toBe(`https://github.com/${place}#readme`);
    expect(manifest.keywords).toContain("qr-code");
  });
});
