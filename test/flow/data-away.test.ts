/** Codes that lie in a data folder, or at a server, other than the one that a command finds: it makes none. */
import { existsSync, mkdtempSync, readdirSync, renameSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote } from "./remote.ts";

const CODES = `version: 1
name: shelves
kind: codes
source: { file: ../rows.csv, key: [shelf] }
code: { type: Link, dynamic: true, qr_data: "https://example.com/{{ shelf }}", display_name: "{{ shelf }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, name: shelves.pdf } }
`;
const SERIALS = CODES.replace("file: ../rows.csv, key: [shelf]", "rows: 3, serial: { length: 10 }")
  .replaceAll("{{ shelf }}", "{{ serial }}")
  .replace("shelves.pdf", "shelves.pdf, reprint: new");
const FORMS = `version: 1
name: shelves
kind: forms
source: { file: ../rows.csv, key: [shelf] }
form:
  title: "{{ shelf }}"
  fields: [{ label: "What is missing?", field_type: textarea }]
output: { dir: ../out, files: [svg] }
`;

const call = ({ manifest, root }: JobFolder, words: string, env: Record<string, string> = {}) => {
  const [command = "", ...more] = words.split(" ");
  const [first, action] = command === "sheets" ? [command, more.shift() ?? ""] : [command];
  const named = action === undefined ? [manifest] : [action, manifest];
  return runInProcess([first ?? "", ...named, ...more], { cwd: root, env });
};

async function makeRun(manifest: string): Promise<JobFolder> {
  const files = makeJobFolder("shelf\nA\nB\nC\n", manifest);
  const { code, err } = await call(files, "run");
  expect(code, err).toBe(0);
  return files;
}

describe("the data folder is away", () => {
  it.each([
    "sheets reprint --lines 2",
    "sheets reprint --sheets 1",
    "void --lines 3 --yes",
    "activate --lines 3",
    "replace --lines 3 --yes",
    "reconcile",
    "scan out/shelves.pdf",
  ])("%s refuses as run does, and makes none", async (words) => {
    const files = await makeRun(CODES);
    expect((await call(files, "void --lines 2 --yes")).code).toBe(0);
    renameSync(files.data, `${files.data}-kept`);
    const { code, out, err } = await call(files, words);
    expect(err).toMatch(/must be used with workspace \S+, got none: \S+ holds no codes/u);
    expect([code, out]).toEqual([6, ""]);
    expect(existsSync(files.data)).toBe(false);
    renameSync(`${files.data}-kept`, files.data);
    expect((await call(files, "sheets reprint --lines 2")).err).toContain("must not be void");
  });

  it.each([
    "plan",
    "run",
    "retire",
    "retire --delete --yes",
    "preview",
    "sheets proof",
    "replace --lines 3 --yes",
  ])("%s mints no serials in another one", async (words) => {
    const files = await makeRun(SERIALS);
    renameSync(files.data, `${files.data}-kept`);
    const { code, err } = await call(files, words);
    expect(err).toMatch(/must be used with workspace \S+, got none: /u);
    expect(code).toBe(6);
    expect(existsSync(files.data)).toBe(false);
  });

  it("answers asks no service that was made for the question", async () => {
    const files = await makeRun(FORMS);
    renameSync(files.data, `${files.data}-kept`);
    const { code, err } = await call(files, "answers");
    expect(err).toMatch(/must be used with workspace \S+, got none: /u);
    expect(code).toBe(6);
    expect(existsSync(files.data)).toBe(false);
  });
});

it.each(["sheets reprint --lines 3", "void --lines 3 --yes", "reconcile", "scan out/shelves.pdf"])(
  "%s of a job of another server, in a shell that does not name it",
  async (words) => {
    const files = makeJobFolder("shelf\nA\nB\nC\n", CODES);
    const home = mkdtempSync(path.join(os.tmpdir(), "makeready-home-"));
    const remote = await openRemote(home, "https://codes.example");
    const ran = await runInProcess(["run", files.manifest], remote);
    expect(ran.code, ran.err).toBe(0);
    await remote.close();
    const left = readdirSync(files.data);
    const { code, err } = await call(files, words);
    expect(err).toContain("must be used with server https://codes.example/api/v2, got embedded");
    expect(err).toContain("set MAKEREADY_BASE_URL to https://codes.example/api/v2");
    expect(code).toBe(6);
    expect(readdirSync(files.data)).toEqual(left);
  },
);
