/**
 * Designs that change between runs: a code looks as one that is made so from the start
 * (docs/spec/design.md promise 4).
 */
import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote } from "./remote.ts";

const toManifest = (design: string): string => `version: 1
name: looks
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Text, dynamic: false, qr_data: "{{ n }}", display_name: "{{ n }}", design: ${design} }
output: { dir: ../out, files: [svg], file_name: code }
`;

const folderWith = (design: string): JobFolder => makeJobFolder("n\n1\n", toManifest(design));

async function runAnd(files: JobFolder, args: readonly string[] = []): Promise<string> {
  const run = await runInProcess(["run", files.manifest, ...args]);
  expect(run.code, run.err).toBe(0);
  return readFileSync(path.join(files.out, "artwork", "code.svg"), "utf8");
}

const DESIGNS: readonly Readonly<Record<string, string | boolean>>[] = [
  { primary_color: "#0a3d62", eye_color: "#7b1fa2", frame: "card", text: "MENU" },
  { primary_color: "#0a3d62", background_color: "#fffde7", error_correction: "H" },
  { template: "scan-card" },
  { template: "ink-blue" },
  { template: "ink-blue", primary_color: "#6a1b9a" },
  { pattern: "Circles", eye_style: "Leaf" },
  {},
];

it("a changed, shortened or removed design, and another template, reach codes that exist", async () => {
  const files = folderWith("{}");
  await runAnd(files);
  for (const design of DESIGNS) {
    const text = JSON.stringify(design);
    const restyled = await runAnd(files, ["--set", `code.design=${text}`]);
    expect(restyled, text).toBe(await runAnd(folderWith(text)));
  }
});

it("a template that the server doesn't have stops the run before folders are made", async () => {
  const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/1\n");
  const remote = await openRemote(files.data, "https://codes.example");
  const run = await runInProcess(
    ["run", files.manifest, "--set", "code.design.template=Clasic"],
    remote,
  );
  await remote.close();
  expect(run.code).toBe(2);
  expect(run.err).toContain('did you mean "Classic"?');
  expect(remote.asked.filter((one) => !one.startsWith("GET "))).toEqual([]);
});
