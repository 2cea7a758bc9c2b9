/** Two jobs in one output folder: the second would take the codes of the first for vanished rows. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: chairs
kind: codes
source: { range: [1, 2] }
code: { dynamic: true, qr_data: "https://a.example/{{ number }}", display_name: "{{ number }}" }
output: { dir: ../out, files: [] }
`;

it("an output folder belongs to one job; its name or its manifest may change, not both", async () => {
  const files = makeJobFolder("", MANIFEST);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  const other = path.join(path.dirname(files.manifest), "boxes.yaml");
  const boxes = MANIFEST.replace("name: chairs", "name: boxes").replace("a.example", "b.example");
  writeFileSync(other, boxes);
  for (const command of ["plan", "run", "retire"]) {
    const { code, out, err } = await runInProcess([command, other]);
    expect([code, out]).toEqual([6, ""]);
    expect(err).toContain(
      "output.dir must be a folder of this job alone, but ../out holds the codes of the job chairs",
    );
    expect(err).toContain("where it is the same job under a new name, write name: chairs");
  }
  const own = await runInProcess(["plan", other, "--set", "output.dir=../boxes", "--json"]);
  expect(JSON.parse(own.out)).toMatchObject({ creates: 2, gone: 0 });
  // A manifest under another name, a name in the same manifest.
  writeFileSync(other, MANIFEST);
  const moved = await runInProcess(["plan", other, "--json"]);
  expect(JSON.parse(moved.out)).toMatchObject({ unchanged: 2 });
  const renamed = await runInProcess(["plan", files.manifest, "--set", "name=seats", "--json"]);
  expect(JSON.parse(renamed.out)).toMatchObject({ unchanged: 2 });
});
