/** Jobs without a PDF are not called ready for press: not in the terminal, the report, or the desk. */
import { expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { runInProcess } from "../flow/in-process.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("pictures-only");

async function type(...words: string[]): Promise<string> {
  const { code, err, out } = await runInProcess(words, { cwd: at.folder, clock: systemClock });
  expect(code, err).toBe(0);
  return out;
}

const DONE = "Done: every picture was read back";

/** What the terminal, the report and the desk say of a job that has just been run. */
async function expectDone(name: string, out: string): Promise<void> {
  expect(out).toContain(`  verdict   ${DONE}\n`);
  const report = at.read(`${name}/report.html`);
  expect(report).toContain(`>${DONE}<`);
  expect(report).not.toContain("0 of 0 codes");
  const desk = await at.textOf(`/job/${name}.yaml/result`);
  expect(desk).toContain(`>${DONE}<`);
  for (const text of [out, report, desk]) expect(text).not.toMatch(/ready for press/iu);
}

test("codes and redesigns without sheets, and their undo, say that every picture was read back", async () => {
  at.write("s.csv", "shelf\nA-01\nA-02\n");
  const shared = `api: { public_url: "https://go.example.com" }\n`;
  at.write(
    "s.yaml",
    `version: 1
name: s
kind: codes
source: s.csv
code: { dynamic: true, qr_data: "https://a.example/{{ shelf }}" }
output: { dir: s, files: [svg], zip: true }
${shared}`,
  );
  at.write(
    "re.yaml",
    `version: 1
name: re
kind: redesign
select: {}
design: { primary_color: "#0a3d62" }
output: { dir: re, files: [svg], zip: true }
${shared}`,
  );
  await expectDone("s", await type("run", "s.yaml"));
  const verified = await type("verify", "s.yaml");
  expect(verified).toMatch(/\nevery picture was read back\n$/u);
  await expectDone("re", await type("run", "re.yaml", "--yes"));
  await expectDone("re", await type("undo", "re.yaml", "--yes"));
});
