/** An output folder that was moved or renamed: a run without it would make every code a second time. */
import { renameSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { dynamic: false, type: Text, qr_data: "{{ n }}" }
output: { dir: out/flow, files: [svg], sheets: true }
`;

it("is found again, and every step that lacks it says where it is", async () => {
  const files = makeJobFolder("n\n1\n2\n", MANIFEST);
  const cwd = path.join(files.root, "jobs");
  const ask = async (...args: string[]) => {
    const { out, err } = await runInProcess(args, { cwd });
    return `${out}\n${err}`;
  };
  expect(await ask("plan", "flow.yaml")).not.toContain("second time");
  await runInProcess(["run", "flow.yaml"], { cwd });
  renameSync(path.join(cwd, "out"), path.join(cwd, "alt"));
  const moved = path.join(cwd, "alt/flow");
  const says = "alt/flow holds the codes that this job has made";
  const planned = await ask("plan", "flow.yaml");
  expect(planned).toContain(says);
  expect(planned).toContain(`makeready plan flow.yaml --out ${moved}`);
  expect(await ask("status", "flow.yaml")).toContain(says);
  const verified = await ask("verify", "flow.yaml");
  expect(verified).toContain(
    "if the output folder was moved or renamed, name it with --out FOLDER",
  );
  expect(await ask("plan", "flow.yaml", "--out", "alt/flow")).toContain("2 unchanged");
  expect(await ask("run", "flow.yaml")).toContain(says);
  // Now both have made them, and this one is the job's own.
  expect(await ask("plan", "flow.yaml")).not.toContain(says);
});
