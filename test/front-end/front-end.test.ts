import { readFileSync, rmSync, writeFileSync } from "node:fs";

import { afterAll, describe, expect, it } from "vitest";

import { makeJobFolder } from "../flow/job-folder.ts";
import { serveCustomer } from "./front-end.ts";

const CSV = [
  "site,table,region,Link",
  "Café,1,North,https://menu.example/1",
  "Café,2,North,https://menu.example/2",
  "Café,3,North,htp://nowhere",
].join("\n");

describe("a front end of somebody else", () => {
  const folder = makeJobFolder(`${CSV}\n`);
  afterAll(() => rmSync(folder.root, { recursive: true, force: true }));

  it("touches one folder: it imports the library and nothing else of makeready", () => {
    const text = readFileSync(new URL("front-end.ts", import.meta.url), "utf8");
    const imported = [...text.matchAll(/from "([^"]+)"/gu)].map(([, from]) => from);
    expect(imported).toEqual(["../../src/index.ts"]);
  });

  it("runs and proves a job through the library alone, in its own words", async () => {
    const lines: string[] = [];
    const isWell = await serveCustomer(folder.manifest, (line) => void lines.push(line));
    expect(isWell).toBe(false);
    expect(lines).toEqual([
      "Plan: 2 neu",
      "flow: fertig, Zeilen zu verbessern, 2 neu, 0 gleich",
      "Datei: sheets",
      "Datei: zip",
      "Datei: artwork",
      "Datei: index",
      "Datei: index",
      "Datei: sheet-map",
      "Datei: report",
      "Datei: failed-rows",
      "Datei: failed-rows",
      "Zeile 4",
      "Nun: Zeilen verbessern und noch einmal starten",
      "Nun: öffentliche Adresse angeben",
      "geprüft: 2 Codes",
    ]);
  });

  it("goes on where it stood, and learns what stops a job", async () => {
    writeFileSync(folder.csv, `${CSV.split("\n").slice(0, 3).join("\n")}\n`);
    const lines: string[] = [];
    expect(await serveCustomer(folder.manifest, (line) => void lines.push(line))).toBe(true);
    expect(lines[1]).toBe("flow: fertig, 0 neu, 2 gleich");
    writeFileSync(folder.csv, "site,table\n");
    lines.length = 0;
    expect(await serveCustomer(folder.manifest, (line) => void lines.push(line))).toBe(false);
    expect(lines).toEqual(["Abbruch: source-unreadable"]);
  });
});
