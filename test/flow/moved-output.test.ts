/** An output folder that was moved or renamed: a run without it would make every code a second time. */
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
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

const toCodes = (kind: string): string => `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { dynamic: ${kind === "dynamic"}, qr_data: "https://a.example/{{ url }}" }
output: { dir: out/flow }
`;
const THREE = "n,url\n1,1\n2,2\n3,3\n";

/** A finished job of two rows, and what is done with it. */
async function make(manifest: string, more: readonly string[] = [], rows = "n\n1\n2\n") {
  const files = makeJobFolder(rows, manifest);
  const cwd = path.join(files.root, "jobs");
  const ask = async (...args: string[]) => {
    const { code, out, err } = await runInProcess(args, { cwd });
    return { code, says: `${out}\n${err}` };
  };
  const made = await runInProcess(["run", "flow.yaml", ...more], { cwd });
  expect(made.code).toBe(0);
  const write = (text: string, name = "flow.yaml") => writeFileSync(path.join(cwd, name), text);
  return { files, cwd, ask, write };
}

describe("a manifest that names another folder once its codes are made", () => {
  const BY_NAME = MANIFEST.replace("dir: out/flow, ", "");
  const RENAMED = BY_NAME.replace("name: flow", "name: next");

  /** What is changed -> the manifests, what is said, and the way back. */
  const changes: readonly (readonly [string, string, string, string, string])[] = [
    [
      "its name",
      BY_NAME,
      RENAMED,
      "out/flow, made under name: flow: a run would make the codes of 2 rows a second time",
      "put name: flow back, or write output.dir: out/flow",
    ],
    [
      "output.dir",
      MANIFEST,
      MANIFEST.replace("out/flow", "other/place"),
      "out/flow: a run would make the codes of 2 rows a second time",
      "write output.dir: out/flow",
    ],
    [
      "its name and what the codes say",
      BY_NAME,
      RENAMED.replace("{{ n }}", "No. {{ n }}"),
      "made under name: flow",
      "put name: flow back",
    ],
  ];

  it.each(changes)("is refused: %s", async (_what, before, now, says, back) => {
    const { cwd, ask, write } = await make(before);
    write(now);
    const planned = await ask("plan", "flow.yaml");
    expect(planned.code).toBe(0);
    for (const text of [says, back, "--fresh --yes"]) expect(planned.says).toContain(text);
    expect(planned.says).not.toContain("to do this");
    const refused = await ask("run", "flow.yaml", "--yes");
    expect(refused.code).toBe(2);
    expect(refused.says).toContain(says);
    expect(existsSync(path.join(cwd, "other/place"))).toBe(false);
    write(before);
    expect((await ask("plan", "flow.yaml")).says).toContain("2 unchanged");
    write(now);
    expect((await ask("run", "flow.yaml", "--fresh", "--yes")).says).toContain("2 created");
    expect((await ask("run", "flow.yaml")).says).toContain("2 unchanged");
  });

  it("is refused where some rows changed as well, and counts all that have codes", async () => {
    const manifest = toCodes("static");
    const { files, ask, write } = await make(manifest, [], THREE);
    writeFileSync(files.csv, THREE.replace("3,3", "3,c"));
    write(manifest.replace("out/flow", "out/next"));
    const says = "out/flow: a run would make the codes of 3 rows a second time";
    expect((await ask("plan", "flow.yaml")).says).toContain(says);
    const refused = await ask("run", "flow.yaml", "--yes");
    expect(refused.code).toBe(2);
    expect(refused.says).toContain(says);
  });

  it.each(["static", "dynamic"])(
    "is said where all rows are others with the same keys, as of another campaign: %s",
    async (kind) => {
      const manifest = toCodes(kind);
      const { files, ask, write } = await make(manifest, [], THREE);
      writeFileSync(files.csv, "n,url\n1,a\n2,b\n3,c\n");
      write(manifest.replace("out/flow", "out/next"));
      const says = "this manifest has made the codes of 3 rows before, into out/flow";
      expect((await ask("plan", "flow.yaml")).says).toContain(says);
      expect(await ask("run", "flow.yaml", "--yes")).toMatchObject({ code: 0 });
    },
  );

  it("is not said of codes that were deleted", async () => {
    const manifest = toCodes("static");
    const { files, ask, write } = await make(manifest, [], THREE);
    writeFileSync(files.csv, "n,url\n4,4\n");
    await ask("run", "flow.yaml");
    expect((await ask("retire", "flow.yaml", "--delete", "--yes")).says).toContain("3 codes");
    writeFileSync(files.csv, THREE);
    write(manifest.replace("out/flow", "out/next"));
    const run = await ask("run", "flow.yaml", "--yes");
    expect([run.code, run.says.includes("second time")], run.says).toEqual([0, false]);
  });

  it("goes on where the folder is named under the new name", async () => {
    const { ask, write } = await make(BY_NAME);
    write(MANIFEST.replace("name: flow", "name: next"));
    expect((await ask("plan", "flow.yaml")).says).toContain("2 unchanged");
  });

  it("is refused where the last run was cut short, or an older makeready made it", async () => {
    for (const sql of [
      "UPDATE meta SET value = '' WHERE key = 'last_result'",
      "DELETE FROM meta WHERE key = 'chosen_by'",
    ]) {
      const { cwd, ask, write } = await make(BY_NAME);
      const db = openSqlite(path.join(cwd, "out/flow/state.db"));
      expect(db.run(sql)).toBe(1);
      db.close();
      write(RENAMED);
      expect((await ask("plan", "flow.yaml")).says).toContain("made under name: flow");
    }
  });

  it("is free for a copy, for the rows of another campaign, and for folders of options", async () => {
    const { files, cwd, ask, write } = await make(BY_NAME);
    const isFree = async (...args: string[]) => {
      const { says } = await ask("plan", ...args);
      expect(says).toContain("2 to create");
      expect(says).not.toContain("second time");
    };
    write(RENAMED, "copy.yaml");
    await isFree("copy.yaml");
    await isFree("flow.yaml", "--out", "proof");
    await isFree("flow.yaml", "--set", "name=proof");
    // The codes are still those of the manifest that this one was made from.
    renameSync(path.join(cwd, "flow.yaml"), path.join(cwd, "first.yaml"));
    write(RENAMED);
    await isFree("flow.yaml");
    rmSync(path.join(cwd, "first.yaml"));
    writeFileSync(files.csv, "n\n3\n4\n");
    await isFree("flow.yaml");
  });

  it("is told of rows that were made before, where they are few", async () => {
    const { files, ask, write } = await make(BY_NAME);
    write(RENAMED);
    const status = await ask("status", "flow.yaml");
    expect(status.says).toContain("not started");
    expect(status.says).toContain(
      "2 codes of this manifest are in out/flow, made under name: flow",
    );
    expect(status.says).toContain("put name: flow back, or write output.dir: out/flow");
    expect((await ask("status", "flow.yaml", "--out", "x")).says).not.toContain("made under");
    writeFileSync(files.csv, "n\n1\n3\n4\n");
    for (const [step, did] of [
      ["plan", "3 to create"],
      ["run", "3 created"],
    ] as const) {
      const { code, says } = await ask(step, "flow.yaml");
      expect(code).toBe(0);
      expect(says).toContain(did);
      expect(says).toContain(
        "this manifest has made the code of 1 row before, into out/flow, made under name: flow: a run makes",
      );
      expect(says).toContain("put name: flow back, or write output.dir: out/flow");
    }
    expect((await ask("plan", "flow.yaml")).says).not.toContain("made under");
    expect((await ask("status", "flow.yaml")).says).not.toContain("made under");
  });

  it("is free after a run into a folder that an option chose", async () => {
    const { ask } = await make(BY_NAME, ["--out", "out/proof"]);
    const planned = await ask("plan", "flow.yaml");
    expect(planned.says).toContain("2 to create");
    expect(planned.says).not.toContain("second time");
  });
});
