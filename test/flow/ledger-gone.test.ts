/** Void codes of rows that are gone, and of another server than the one that is named. */
import { writeFileSync } from "node:fs";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: shelves
kind: codes
source: { file: ../rows.csv, key: [shelf] }
code: { type: Link, dynamic: true, qr_data: "https://example.com/{{ shelf }}", display_name: "{{ shelf }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9 } }
`;

async function ok(files: JobFolder, command: string, ...more: string[]): Promise<string> {
  const { code, out, err } = await runInProcess([command, files.manifest, ...more]);
  expect(code, `${out}${err}`).toBe(0);
  return out;
}

it("a void code whose row is gone is not said to be printed again", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", MANIFEST);
  await ok(files, "run");
  await ok(files, "void", "--key", "A", "--yes");
  writeFileSync(files.csv, "shelf\nB\nC\n");
  expect(await ok(files, "plan")).not.toContain("is void");
  expect(await ok(files, "run")).not.toContain("void code");
  expect(await ok(files, "plan")).not.toContain("is void");
});

it.each(["void", "replace", "activate", "reconcile"])(
  "%s refuses another server than the one with the codes",
  async (command) => {
    const files = makeJobFolder("shelf\nA\nB\n", MANIFEST);
    await ok(files, "run");
    const more = command === "reconcile" ? [] : ["--key", "A"];
    const yes = ["void", "replace"].includes(command) ? ["--yes"] : [];
    const { code, err } = await runInProcess([command, files.manifest, ...more, ...yes], {
      env: { MAKEREADY_BASE_URL: "http://127.0.0.1:9/api/v2" },
    });
    expect(err).toContain("must be used with server embedded, got http://127.0.0.1:9/api/v2");
    expect(code).toBe(6);
    expect(await ok(files, "reconcile")).toContain("2 minted");
  },
);
