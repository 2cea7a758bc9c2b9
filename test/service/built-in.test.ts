import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { designScanWarnings, resolveDesign } from "../../src/qr/draw/design.ts";
import { readBuiltInTemplates, readTemplates } from "../../src/service/designs/built-in.ts";

describe("the designs that come along", () => {
  it("are all there, each under its file's name", async () => {
    const files = await readdir(new URL("../../templates/designs/", import.meta.url));
    const templates = await readBuiltInTemplates();
    expect(templates.map(({ id }) => `${id}.json`)).toEqual(files.toSorted());
    expect(templates.length).toBeGreaterThanOrEqual(8);
  });

  it("scan safely and have titles of their own", async () => {
    const templates = await readBuiltInTemplates();
    for (const { design } of templates) {
      const { logo: _logo, ...input } = design;
      expect(designScanWarnings(resolveDesign(input))).toEqual([]);
    }
    expect(new Set(templates.map(({ title }) => title)).size).toBe(templates.length);
  });
});

describe("a folder of designs", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "designs-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = async (file: unknown) => {
    await writeFile(path.join(folder, "one.json"), JSON.stringify(file));
    return readTemplates(pathToFileURL(`${folder}/`));
  };

  it("is read field by field", async () => {
    expect(await read({ title: "One", design: { primary_color: "#123456", size: 300 } })).toEqual([
      { id: "one", title: "One", design: { primaryColor: "#123456", sizePx: 300 } },
    ]);
  });

  it.each([
    [{ design: {} }],
    [{ title: "x", design: { pattern: "Hearts" } }],
    [{ title: "x", design: { primary_colour: "#123456" } }],
    [{ title: "x", design: {}, extra: 1 }],
  ])("is refused with %j in it", async (file) => {
    await expect(read(file)).rejects.toThrow(/one|title|pattern|unrecognized|invalid/iu);
  });
});
