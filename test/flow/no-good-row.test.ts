/** A run that makes no code says nothing of where codes lead. */
import { writeFileSync } from "node:fs";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: none
kind: codes
source: { file: ../rows.csv, key: [n], columns: { url: { type: url, required: true } } }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ n }}" }
output: { dir: ../out, files: [svg], sheets: true }
`;

it("neither plan nor run of a job without a good row speaks of a rehearsal", async () => {
  const files = makeJobFolder("n,url\n1,\n2,\n", MANIFEST);
  const planned = await runInProcess(["plan", files.manifest]);
  const ran = await runInProcess(["run", files.manifest]);
  expect(ran.code).toBe(3);
  for (const { out } of [planned, ran]) {
    expect(out).not.toContain("REHEARSAL");
    expect(out).not.toContain("--public-url");
  }
  writeFileSync(files.csv, "n,url\n1,https://a.example/1\n2,\n");
  const mended = await runInProcess(["run", files.manifest]);
  expect(mended.out).toContain("REHEARSAL the codes point to this computer");
  // The finished files and their codes are kept.
  writeFileSync(files.csv, "n,url\n1,\n2,\n");
  const kept = await runInProcess(["run", files.manifest]);
  expect(kept.out).toContain("REHEARSAL the codes point to this computer");
});
