/** Spoiled labels of rows that are bad now: their PDF is kept, and nothing can be printed from it. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { type JobFolder, makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n], columns: { url: { type: url, required: true } } }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ n }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, name: "{{ zone }}.pdf", per: zone } }
`;
const GOOD =
  "n,zone,url\n1,north,https://a.example/1\n3,south,https://a.example/3\n4,south,https://a.example/4\n";
const BAD = "n,zone,url\n1,north,https://a.example/1\n3,south,htp://3\n4,south,htp://4\n";

const HEAD = "line,key,caption,file,page,row,column,state,reason,picture\n";
const labels = { south: "3,3,,south.pdf,1,1,1", north: "2,1,,north.pdf,1,1,1" } as const;

/** What a scan-back finds spoiled. */
function spoil({ out }: JobFolder, ...names: (keyof typeof labels)[]): void {
  const lines = names.map((name) => `${labels[name]},damaged,no code is read,scan.png\n`);
  writeFileSync(path.join(out, "spoiled.csv"), HEAD + lines.join(""));
}

async function makeKept(): Promise<JobFolder> {
  const files = makeJobFolder(GOOD, MANIFEST);
  expect((await runInProcess(["run", files.manifest])).code).toBe(0);
  writeFileSync(files.csv, BAD);
  const kept = await runInProcess(["run", files.manifest]);
  expect(kept.out).toContain("south.pdf");
  expect(kept.out).toContain("kept from the run of");
  return files;
}

const TOLD = 'the row of 1 label is bad now: "3"';
const FIX = "mend the row in the spreadsheet and run the job, then do this again";

it("replace --spoiled prints the other labels, and says what to do for these", async () => {
  const files = await makeKept();
  const replace = () => runInProcess(["replace", files.manifest, "--spoiled", "--yes"]);
  const inOut = (name: string): boolean => existsSync(path.join(files.out, name));
  spoil(files, "south", "north");
  const some = await replace();
  expect(some.code, some.err).toBe(0);
  expect(some.out).toContain("1 label on 1 page printed again");
  expect(some.err).toContain(`warning: ${TOLD}`);
  expect(some.err).toContain(FIX);
  expect([inOut("north-reprint.pdf"), inOut("south-reprint.pdf")]).toEqual([true, false]);
  spoil(files, "south");
  const none = await replace();
  expect(none.code).toBe(2);
  expect(none.err).toContain(`error: ${TOLD}`);
  expect(none.err).toContain(FIX);
  // What it says to do is enough.
  writeFileSync(files.csv, GOOD);
  expect((await runInProcess(["run", files.manifest])).code).toBe(0);
  const again = await replace();
  expect(again.code, again.err).toBe(0);
  expect(again.out).toContain("1 label on 1 page printed again");
  expect(inOut("south-reprint.pdf")).toBe(true);
});

it("void and replace name retire for a label whose row is gone, and a scan's others are printed", async () => {
  const files = await makeKept();
  writeFileSync(files.csv, GOOD.replace("3,south,https://a.example/3\n", ""));
  expect((await runInProcess(["run", files.manifest, "--yes"])).code).toBe(0);
  const told = `labels must be rows of the job, but 1 row is gone: "3" (to file or delete its code: makeready retire ${files.manifest})`;
  const voided = await runInProcess(["void", files.manifest, "--key", "3", "--yes"]);
  expect(voided.code).toBe(2);
  expect(voided.err).toContain(`: makeready retire ${files.manifest}`);
  spoil(files, "south", "north");
  const some = await runInProcess(["replace", files.manifest, "--spoiled", "--yes"]);
  expect(some.err).toContain(told);
  expect(some.out).toContain("1 label on 1 page printed again");
  // Once that is done, it is not said again.
  const retired = await runInProcess(["retire", files.manifest, "--delete", "--yes"]);
  expect(retired.code, retired.err).toBe(0);
  const late = await runInProcess(["void", files.manifest, "--key", "3", "--yes"]);
  expect(late.err).toContain('1 row is gone: "3"\n  → its code is filed or deleted already\n');
});

it.each<[args: string[], told: string]>([
  [["replace", "--key", "3", "--yes"], TOLD],
  [["replace", "--lines", "3", "--yes"], "the row of 1 label is bad now: line 3"],
  [["void", "--key", "3", "--yes"], TOLD],
  [["sheets", "reprint", "--key", "3"], TOLD],
  [["sheets", "reprint", "--lines", "3"], "the row of 1 label is bad now: line 3"],
])("%j says the same of a label that a person names", async (args, told) => {
  const files = await makeKept();
  const at = args[0] === "sheets" ? 2 : 1;
  const { code, err } = await runInProcess(args.toSpliced(at, 0, files.manifest));
  expect(code).toBe(2);
  expect(err).toContain(told);
  expect(err).toContain(FIX);
});
