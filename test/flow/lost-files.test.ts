/** A look at a finished job reads only files that were written since its last run. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "makeready-lost-"));
const original = fs.createReadStream;
let read: string[] = [];

/** Of the last run, relative to the folder of outputs. */
const readOnly = (): string[] => read.map((file) => path.basename(file)).toSorted();

const call = (args: string) => runInProcess(args.split(" "), { cwd: folder });

const OUTPUT = "files: [svg], index: [csv], zip: { name: all.zip }";
const JOBS: Readonly<Record<string, string>> = {
  // What depends on the date is never sealed.
  menus: `kind: codes
source: { file: rows.csv, key: [number] }
code: { dynamic: true, type: Link, qr_data: "https://menu.example/{{ number }}", display_name: "{{ number }} {{ date }}" }
output: { dir: out/menus, sheets: { name: all.pdf, caption: "{{ number }}" }, ${OUTPUT} }
`,
  restyle: `kind: redesign
select: {}
design: { primary_color: "#003366" }
output: { dir: out/restyle, ${OUTPUT} }
`,
};
const FILES: Readonly<Record<string, string>> = { menus: "all.pdf", restyle: "all.zip" };

beforeAll(async () => {
  fs.writeFileSync(path.join(folder, "rows.csv"), "number\n1\n2\n");
  for (const [name, text] of Object.entries(JOBS)) {
    fs.writeFileSync(path.join(folder, `${name}.yaml`), `version: 1\nname: ${name}\n${text}`);
    await call(`run ${name}.yaml --yes`);
  }
  const watched = (file: fs.PathLike, ...more: []): fs.ReadStream => {
    if (String(file).startsWith(path.join(folder, "out"))) read.push(String(file));
    return original(file, ...more);
  };
  Reflect.set(fs, "createReadStream", watched);
  syncBuiltinESMExports();
});

afterAll(() => {
  Reflect.set(fs, "createReadStream", original);
  syncBuiltinESMExports();
  fs.rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  read = [];
});

describe.each(Object.keys(JOBS))("the status of %s", (name) => {
  const file = path.join(folder, "out", name, FILES[name] ?? "");

  it("reads no file that is as the run left it", async () => {
    for (const _look of [1, 2]) expect((await call(`status ${name}.yaml`)).out).toContain("2 done");
    expect(readOnly()).toEqual([]);
  });

  it("reads the one that was written since, and says when it is another", async () => {
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, bytes);
    expect((await call(`status ${name}.yaml`)).out).not.toContain("not as it was written");
    expect(readOnly()).toEqual([path.basename(file)]);
    const { atime, mtime } = fs.statSync(file);
    fs.writeFileSync(file, Buffer.alloc(bytes.length));
    // As a copy that keeps its date.
    fs.utimesSync(file, atime, mtime);
    expect((await call(`status ${name}.yaml`)).out).toContain("is not as it was written");
  });

  it("reads none once a run has made it anew", async () => {
    expect((await call(`run ${name}.yaml --yes`)).code).toBe(0);
    read = [];
    expect((await call(`status ${name}.yaml`)).out).not.toContain("not as it was written");
    expect(readOnly()).toEqual([]);
  });

  it("names no list that was wanted only after the run", async () => {
    const manifest = path.join(folder, `${name}.yaml`);
    const before = fs.readFileSync(manifest, "utf8");
    const wanted = before.replace("[csv]", "[csv, xlsx]");
    expect(wanted).not.toBe(before);
    fs.writeFileSync(manifest, wanted);
    expect((await call(`status ${name}.yaml`)).out).not.toContain("missing");
    expect((await call(`plan ${name}.yaml`)).out).toContain("index.xlsx");
    fs.writeFileSync(manifest, before);
  });
});
