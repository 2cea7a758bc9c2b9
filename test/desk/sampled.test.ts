/** What the desk says of a sampled proof. */
import { expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { judge } from "../../src/desk/screens/result/verdict.ts";
import { de } from "../../src/desk/words/de.ts";
import { en } from "../../src/desk/words/en.ts";
import { notesInEnglish, notesInGerman, sayNote } from "../../src/desk/words/notes.ts";
import type { RunResult } from "../../src/pipeline/results.ts";
import { runInProcess } from "../flow/in-process.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("sampled");

test("is reported on the page of its result, with the number of compared codes", async () => {
  at.write(
    "labels.yaml",
    `version: 1
name: labels
kind: codes
source: { range: [1, 30] }
code: { dynamic: false, type: Text, qr_data: "{{ number }}" }
output: { dir: out, files: [], sheets: { sheet: a4-24up-63.5x33.9, proof: sampled } }
`,
  );
  const { code, err } = await runInProcess(["run", "labels.yaml"], {
    cwd: at.folder,
    clock: systemClock,
    mostDecodedAll: 20,
  });
  expect(code, err).toBe(0);
  const html = await at.textOf("/job/labels.yaml/result");
  expect(html).toContain('<span class="verdict warn">Ready, sampled proof</span>');
  expect(html).toContain("<p>4 of 30 codes decoded, each module of the others compared</p>");
  expect(html).not.toContain("read back from the PDFs");
});

test("says how many warnings there are", () => {
  const result = {
    failed: 0,
    bad: 0,
    isRehearsal: false,
    proof: { isProven: true, codes: 30, decoded: 4, compared: 26 },
    press: { verdict: "ready-sampled", warnings: [{ code: "below-grade" }, {}] },
  } as unknown as RunResult;
  expect(judge(result, en)).toEqual(["warn", "Ready, sampled proof, warnings: 2"]);
  expect(judge(result, de)).toEqual(["warn", "Druckreif nach Stichprobe, mit Hinweisen: 2"]);
});

test("the plan of a part says what the run decodes, and what it leaves for later", () => {
  const note = { code: "proof-sampled", labels: 250_000, later: 249_000 } as const;
  expect(sayNote(notesInEnglish, note)).toBe(
    "The proof of all 250,000 labels of the job is sampled. This run leaves 249,000 rows for later. If it prints at most 100,000 labels, it decodes every code.",
  );
  expect(sayNote(notesInGerman, note)).toContain("lässt 249.000 Zeilen für später");
  expect(sayNote(notesInEnglish, { code: "proof-sampled", labels: 250_000 })).toContain(
    "one of 100 is decoded",
  );
});
