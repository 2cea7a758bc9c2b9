/** Codes of a lost state that were made with another error correction than the manifest gives today. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { lookAtDrawing } from "../../src/print/art/drawing-look.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const manifest = (design: string): string => `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [name] }
code: { type: Link, qr_data: "{{ url }}"${design} }
run: { marker: true }
output:
  dir: ../out
  files: [svg]
  sheets: { sheet: a4-24up-63.5x33.9 }
`;

it("codes that were taken back are printed with the error correction of their artwork", async () => {
  const files = makeJobFolder("name,url\nBar,https://example.com/a\n");
  writeFileSync(files.manifest, manifest(", design: { error_correction: Q }"));
  expect((await runInProcess(["run", files.manifest])).code).toBe(0);
  for (const name of readdirSync(files.out))
    if (name.startsWith("state.db")) rmSync(path.join(files.out, name));
  // Without a level in the manifest, new codes of this length get H at no cost.
  writeFileSync(files.manifest, manifest(""));
  const again = await runInProcess(["run", files.manifest, "--yes"]);
  expect(again.out).toContain("1 found on the server");

  const svg = readFileSync(path.join(files.out, "artwork", "bar.svg"), "utf8");
  const document = await openRenderer(readFileSync(path.join(files.out, "flow.pdf")));
  const page = await document.render(0, { width: 1654, height: 2339 });
  document.close();
  const [code] = (await loadDecoder()).decodeGrey(page);
  expect([(await lookAtDrawing(svg))?.level, code?.level]).toEqual(["Q", "Q"]);
});
