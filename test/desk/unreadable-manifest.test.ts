/** A manifest that can't be read is its own card's fault: no other job is hidden by it. */
import fs, { mkdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("unreadable-manifest");

const good = `version: 1
name: shelves
kind: codes
source: { file: shelves.csv, key: [shelf] }
code: { dynamic: false, type: Text, qr_data: "SHELF {{ shelf }}" }
output: { dir: out/shelves, files: [svg] }
`;

const original = fs.promises.readFile;

/** From here on, files of this name can't be read. */
function refuse(name: string, code: string): void {
  const refused = (file: fs.PathLike, ...more: []): Promise<Buffer> => {
    if (path.basename(String(file)) !== name) return original(file, ...more);
    return Promise.reject(
      Object.assign(new Error(`${code}: refused, open '${String(file)}'`), { code }),
    );
  };
  Reflect.set(fs.promises, "readFile", refused);
  syncBuiltinESMExports();
}

afterEach(() => {
  Reflect.set(fs.promises, "readFile", original);
  syncBuiltinESMExports();
});

/** The card of a manifest, on the page that lists all. */
async function cardOf(manifest: string): Promise<string> {
  at.write("shelves.csv", "shelf\nA-01\n");
  at.write("shelves.yaml", good);
  const home = await at.desk.get("/");
  const html = await home.text();
  expect(home.status).toBe(200);
  const cards = html.match(/<li class="card">.*?<\/li>/gsu) ?? [];
  expect(cards.find((card) => card.includes("shelves.yaml"))).toContain("not run yet");
  const own = cards.filter((card) => card.includes(manifest));
  expect(own).toHaveLength(1);
  expect(own[0]).toContain("can&#39;t be read");
  return own[0] ?? "";
}

describe("a manifest that", () => {
  test.each([
    [
      "is no YAML",
      `version: 1\nname: "bins\nsource: [`,
      "bins.yaml:3:10",
      "YAML must be well-formed",
    ],
    ["is a list of values", "- one\n- two\n", "manifest must be a map"],
    ["is another file", "PK\u0003\u0004\u0000\u0000", "manifest must be UTF-8 text"],
    ["is empty", "", "manifest must not be empty"],
  ])("%s is listed with its fault", async (_what, text, ...told) => {
    at.write("bins.yaml", text);
    const card = await cardOf("bins.yaml");
    for (const part of told) expect(card).toContain(part);
    expect(card).toContain("if it is no job, move it out of the folder");
  });

  test("is written in one line is listed with its mistakes", async () => {
    at.write("bins.yaml", "{ version: 1, kind: codes, name: bins }");
    const card = await cardOf("bins.yaml");
    expect(card).toContain("bins.yaml:1:1: source must be given");
    expect(card).not.toContain("if it is no job");
  });

  test("this user may not read is listed with its fault", async () => {
    at.write("bins.yaml", good.replace("name: shelves", "name: bins"));
    refuse("bins.yaml", "EACCES");
    const card = await cardOf("bins.yaml");
    expect(card).toContain("manifest must be readable, but access is denied (EACCES)");
    expect(card).toContain("let this user read it");
  });

  test("is a folder is listed with its fault", async () => {
    mkdirSync(path.join(at.folder, "bins.yaml"));
    const card = await cardOf("bins.yaml");
    expect(card).toContain("manifest must be a file, not a folder");
    expect(card).toContain("rename the folder");
  });
});

test("YAML that is no job is not listed", async () => {
  at.write("settings.yaml", "colour: red\n");
  at.write("makeready.config.yaml", 'name: "never ends\n');
  at.write("shelves.yaml", good);
  const html = await at.textOf("/");
  expect(html).not.toContain("settings.yaml");
  expect(html.match(/<li class="card">/gu)).toHaveLength(1);
});

test("what can't be opened beside a manifest is the fault of its own card", async () => {
  at.write("bins.yaml", good.replaceAll("shelves", "bins"));
  at.write("bins.csv", "shelf\nA-01\n");
  mkdirSync(path.join(at.folder, "out", "bins", "state.db.lock"), { recursive: true });
  at.write(path.join("out", "bins", "state.db.holder"), "process 1 on nowhere");
  const card = await cardOf("bins.yaml");
  expect(card).toContain("state.db.lock");
});
