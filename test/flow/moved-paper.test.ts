/** Paper of a job whose codes another job has moved to another address: every command says so. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";

const HOME = "https://go.example.com";
const OTHER = "https://neu.example.org";

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-moved-paper-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifestOf = (name: string): string => `version: 1
name: ${name}
kind: codes
source: { file: ${name}.csv, key: [n] }
code: { dynamic: true, qr_data: "https://example.com/{{ n }}", display_name: "${name} {{ n }}" }
output: { dir: out/${name}, files: [], sheets: { sheet: a4-24up-63.5x33.9, name: labels.pdf } }
`;

async function call(args: string, env: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await runInProcess(args.split(" "), { cwd: folder, env });
  return { code, out, says: `${out}\n${err}` };
}

const MOVED = `the codes of this job have ${HOME}, but all codes in ${path.join(folder, ".makeready")} have been moved to ${OTHER} since: those printed with ${HOME} lead nowhere`;
const ONWARDS = `makeready run b.yaml --change-public-url ${OTHER}`;
const SCAN = "scan b.yaml out/b/labels.pdf";

async function mustRun(args: string, env?: Readonly<Record<string, string>>): Promise<void> {
  const { code, says } = await call(args, env);
  expect(code, says).toBe(0);
}

beforeAll(async () => {
  for (const name of ["a", "b"]) {
    writeFileSync(path.join(folder, `${name}.yaml`), manifestOf(name));
    writeFileSync(path.join(folder, `${name}.csv`), "n\n1\n2\n3\n");
    await mustRun(`run ${name}.yaml`, { MAKEREADY_PUBLIC_URL: HOME });
  }
  writeFileSync(path.join(folder, "b.csv"), "n\n1\n2\n");
  await mustRun("run b.yaml --yes");
  await mustRun(SCAN);
  await mustRun(`run a.yaml --change-public-url ${OTHER}`);
});

it("scan says that its codes lead nowhere, and offers no labels that would be refused", async () => {
  const { code, says } = await call(SCAN);
  expect(says).toContain(MOVED);
  expect(says).toContain(ONWARDS);
  expect(says).toContain("2 of 2 labels good");
  expect(code).toBe(3);
  const { out } = await call(`${SCAN} --json`);
  expect(JSON.parse(out)).toMatchObject({ next: null, address: [{ message: MOVED }] });
});

it("reconcile says it: codes that lead nowhere are no good ones", async () => {
  const { code, says } = await call("reconcile b.yaml");
  expect(says).toContain("NOT RECONCILED");
  expect(says).toContain(`does not fit: ${MOVED}`);
  expect(says).toContain(ONWARDS);
  expect(says).toContain("(2): 1; 2");
  expect(code).toBe(3);
});

it("retire says it: printed codes don't answer as before", async () => {
  for (const more of ["", " --folder Old"]) {
    const { says } = await call(`retire b.yaml${more}`);
    expect(says).toContain(MOVED);
    expect(says).toContain(ONWARDS);
    expect(says).not.toContain("answer as before");
  }
});

it("after the step that they name, paper of before is known, and nothing of it is said of today's", async () => {
  const ran = await call(`${ONWARDS.replace("makeready ", "")} --yes`);
  expect(ran.code, ran.says).toBe(0);
  const { code, says } = await call(SCAN);
  expect(says).not.toContain("lead nowhere");
  expect(code).toBe(0);
  expect((await call("retire b.yaml")).says).toContain("answer as before");
  expect((await call("reconcile b.yaml")).says).not.toContain("lead nowhere");
});
