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

it("status and verify say what became of rows that are all bad after a good run", async () => {
  const good = "n,url\n1,https://a.example/1\n2,https://a.example/2\n";
  const files = makeJobFolder(good, MANIFEST);
  const call = async (...args: string[]): Promise<string> =>
    (await runInProcess([...args], { cwd: files.root })).out;
  await call("run", files.manifest);
  writeFileSync(files.csv, "n,url\n1,htp://a\n2,htp://b\n3,htp://c\n");
  await call("run", files.manifest);
  expect(await call("status", files.manifest)).toBe(
    [
      "none",
      "  no row is good: the last run kept all finished files as they were (mend the rows, then: makeready run jobs/flow.yaml)",
      "  2 done",
      "  3 bad in the spreadsheet in the last run, of which 2 done by an earlier run",
      "",
    ].join("\n"),
  );
  const verified = await call("verify", files.manifest);
  expect(verified).toContain("all 2 codes read back from the PDFs");
  expect(verified).toContain("1 row of the job is missing: line 4");
  expect(verified).toContain(
    "2 rows of the job are bad now, and their labels are as an earlier run made them: line 2 and line 3",
  );
  writeFileSync(files.csv, good);
  const mended = await call("status", files.manifest);
  expect(mended).toContain("the job is again as it was when its files were made");
  expect(mended).not.toContain("changed since");
  await call("run", files.manifest);
  expect(await call("status", files.manifest)).toBe("none\n  2 done\n");
  expect(await call("verify", files.manifest)).not.toContain("bad now");
  writeFileSync(files.csv, "n,url\n1,https://a.example/new\n2,htp://b\n");
  expect(await call("status", files.manifest)).toContain(
    "  the spreadsheet has changed since the last run",
  );
});

it("rows that only the manifest makes bad send nobody to the spreadsheet", async () => {
  const good = "n,url\n1,https://a.example/1\n2,https://a.example/2\n";
  const files = makeJobFolder(good, MANIFEST);
  const call = async (...args: string[]): Promise<string> => {
    const { out, err } = await runInProcess([...args], { cwd: files.root });
    return `${out}${err}`;
  };
  await call("run", files.manifest);
  for (const changed of [
    MANIFEST.replace("dynamic: true", "dynamic: false"),
    MANIFEST.replace("dynamic: true", "type: Text, dynamic: false"),
  ]) {
    writeFileSync(files.manifest, changed);
    const planned = await call("plan", files.manifest);
    expect(planned).toContain("no row is good: mend them in the manifest, then plan again");
    const ran = await call("run", files.manifest);
    expect(ran).toContain(
      "mend jobs/flow.yaml as failed-rows.csv says: the cells of its rows are right; then run again",
    );
    expect(ran).not.toContain("mend these rows in");
  }
  const strict = `${MANIFEST.replace("dynamic: true", "dynamic: false")}run: { on_row_error: stop }\n`;
  writeFileSync(files.manifest, strict);
  expect(await call("run", files.manifest)).toContain("mend the manifest as failed-rows.csv says");
  // A row that is bad by itself is mended where it stands.
  writeFileSync(files.manifest, MANIFEST.replace("dynamic: true", "dynamic: false"));
  writeFileSync(files.csv, good.replace("https://a.example/2", "htp://a"));
  expect(await call("run", files.manifest)).toContain("mend these rows in rows.csv");
  writeFileSync(files.csv, good);
  writeFileSync(files.manifest, MANIFEST);
  expect(await call("plan", files.manifest)).toContain("2 unchanged");
});
