/** Two jobs in one output folder: the second would take the codes of the first for vanished rows. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";

const MANIFEST = `version: 1
name: chairs
kind: codes
source: { range: [1, 2] }
code: { dynamic: true, qr_data: "https://a.example/{{ number }}", display_name: "{{ number }}" }
output: { dir: ../out, files: [] }
`;

it("an output folder belongs to one job; its name or its manifest may change, not both", async () => {
  const files = makeJobFolder("", MANIFEST);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  const other = path.join(path.dirname(files.manifest), "boxes.yaml");
  const boxes = MANIFEST.replace("name: chairs", "name: boxes").replace("a.example", "b.example");
  writeFileSync(other, boxes);
  for (const command of ["plan", "run", "retire"]) {
    const { code, out, err } = await runInProcess([command, other]);
    expect([code, out]).toEqual([6, ""]);
    expect(err).toContain(
      "output.dir must be a folder of this job alone, but ../out holds the codes of the job chairs",
    );
    expect(err).toContain("where it is the same job under a new name, write name: chairs");
  }
  const status = await runInProcess(["status", other]);
  expect(status.out).toContain("../out holds the codes of the job chairs (flow.yaml)");
  expect(status.out).not.toContain("made anew by");
  const own = await runInProcess(["plan", other, "--set", "output.dir=../boxes", "--json"]);
  expect(JSON.parse(own.out)).toMatchObject({ creates: 2, gone: 0 });
  // A manifest under another name, a name in the same manifest.
  writeFileSync(other, MANIFEST);
  const moved = await runInProcess(["plan", other, "--json"]);
  expect(JSON.parse(moved.out)).toMatchObject({ unchanged: 2 });
  const renamed = await runInProcess(["plan", files.manifest, "--set", "name=seats", "--json"]);
  expect(JSON.parse(renamed.out)).toMatchObject({ unchanged: 2 });
});

it("a job keeps its kind while answers are lost: a run looks for these codes as what they were sent", async () => {
  const files = makeJobFolder("", MANIFEST);
  let isUp = false;
  const stop = new AbortController();
  const remote = await openRemote(
    path.join(files.root, "at"),
    "https://at.example",
    ({ method }) => {
      if (isUp || method !== "POST") return undefined;
      stop.abort();
      return 502;
    },
  );
  const { signal } = stop;
  const { code } = await runInProcess(["run", files.manifest], { ...remote, signal });
  expect(code).not.toBe(0);
  isUp = true;
  const pages = MANIFEST.replace("kind: codes", "kind: pages").replace(
    /code: .*/u,
    'page: { title: "{{ number }}", links: [{ title: a, url: "https://a.example/" }] }',
  );
  writeFileSync(files.manifest, pages);
  for (const command of ["plan", "run"]) {
    const { code, err } = await runInProcess([command, files.manifest], remote);
    expect(err).toMatch(/kind must stay codes, got pages: \d rows? may have been made as codes/u);
    expect(code).toBe(6);
  }
  await remote.close();
});

/** A job whose creates are all answered so by a first server, and a second server that takes them. */
async function refuseBy(
  status: number,
  work: (at: {
    readonly first: Awaited<ReturnType<typeof runInProcess>>;
    readonly type: (command: string) => ReturnType<typeof runInProcess>;
  }) => Promise<void>,
): Promise<void> {
  const files = makeJobFolder("", MANIFEST);
  const wrong = await openRemote(
    path.join(files.root, "wrong"),
    "https://wrong.example",
    ({ method }) => (method === "POST" ? status : undefined),
  );
  const right = await openRemote(path.join(files.root, "right"), "https://right.example");
  const typeAt = (command: string, { env, transport }: Remote) =>
    runInProcess([command, files.manifest, "--json"], { env, transport });
  try {
    const first = await typeAt("run", wrong);
    await work({ first, type: (command) => typeAt(command, right) });
  } finally {
    await wrong.close();
    await right.close();
  }
}

it("a state is free for another server while every create was refused: no code was made", async () => {
  await refuseBy(403, async ({ first, type }) => {
    expect(first.code).toBe(4);
    const planned = await type("plan");
    expect(planned.code, planned.out).toBe(0);
    expect(JSON.parse(planned.out)).toMatchObject({ creates: 2 });
    expect((await type("run")).code).toBe(0);
    expect(JSON.parse((await type("plan")).out)).toMatchObject({ unchanged: 2 });
  });
  await refuseBy(400, async ({ first, type }) => {
    expect(first.code).toBe(3);
    const planned = await type("plan");
    expect(planned.code, planned.out).toBe(0);
    expect((await type("retry")).code).toBe(0);
    expect(JSON.parse((await type("plan")).out)).toMatchObject({ unchanged: 2 });
  });
});
