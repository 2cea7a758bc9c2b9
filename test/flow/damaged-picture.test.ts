/** A picture that somebody damaged after it was proven, and an archive that is to be made anew. */
import { readFileSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { stampPicture } from "../../src/download/picture-files.ts";
import { readZip } from "../pack/read-zip.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";
import { noteStamps } from "./note-stamps.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [nr] }
code: { dynamic: true, qr_data: "https://a.example/{{ nr }}", display_name: "{{ nr }}" }
output: { dir: ../out, files: [svg, png], zip: true }
`;

it.each([
  ["that shows it is fetched anew by the next run", true],
  ["that shows it by nothing is named by the run that finds it, and fetched by the next", false],
] as const)("one %s", async (_what, shows) => {
  const { manifest, out } = makeJobFolder("nr\n1\n2\n", MANIFEST);
  const run = () => runInProcess(["run", manifest]);
  expect(await run()).toMatchObject({ code: 0 });
  const archive = path.join(out, "flow.zip");
  const picture = path.join(out, "artwork", "2.svg");
  const read = () => readZip(archive).entries.find(({ name }) => name.endsWith("2.svg"))?.data;
  const whole = readFileSync(picture);
  expect(read()).toEqual(whole);
  truncateSync(picture, 20);
  rmSync(archive);
  if (!shows) {
    noteStamps(out, stampPicture);
    const found = await run();
    expect(found.code).toBe(3);
    expect(found.err).toContain("run the same command again: it fetches the picture anew");
  }
  expect(await run()).toMatchObject({ code: 0 });
  expect([readFileSync(picture), read()]).toEqual([whole, whole]);
});
