/** A report names each warning of plan and sheets once. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: stands
kind: codes
source: { file: ../rows.csv, key: [id] }
code:
  type: Text
  dynamic: false
  qr_data: "{{ id }}"
  design: { primary_color: "#0a3d62" }
output: { dir: ../out, files: [], index: [], sheets: { sheet: avery-l7165, per: hall, name: "{{ hall }}.pdf" } }
`;

it("has what the plan says of designs, and says nothing twice", async () => {
  const files = makeJobFolder("id,hall\na,north\nb,south\n", MANIFEST);
  const run = async (): Promise<string> => {
    await runInProcess(["run", files.manifest], { cwd: files.root });
    return readFileSync(path.join(files.out, "report.html"), "utf8");
  };
  // The second run makes nothing anew, and its report still tells of the same sheets.
  for (const report of [await run(), await run()]) {
    expect(report.split("its geometry is from").length).toBe(2);
    expect(report.split("the design of codes is screened").length).toBe(2);
  }
});
