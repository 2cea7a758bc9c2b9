/** The ledger of a job whose service keeps its data in PostgreSQL: asked under its address, as any other. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { freshDatabase, hasPostgres } from "../postgres.ts";
import { readIndex } from "./check-output.ts";
import { runInProcess, type InProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";
import { openRemote } from "./remote.ts";

test.skipIf(!hasPostgres)("codes of a database are voided, replaced and reconciled", async () => {
  const files = makeJobFolder(
    "",
    `version: 1
name: passports
kind: codes
source: { rows: 6, serial: { length: 12, check: true } }
code: { type: Link, dynamic: true, qr_data: "https://id.example/21/{{ serial }}", display_name: "{{ serial }}" }
run: { marker: true }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, reprint: new } }
`,
  );
  const store = await freshDatabase();
  const remote = await openRemote(files.data, "https://go.example", undefined, store);
  const { env, transport } = remote;
  const call = (command: string, ...more: string[]): Promise<InProcess> =>
    runInProcess([command, files.manifest, "--json", ...more], { user: "anna", env, transport });
  const ok = async (command: string, ...more: string[]): Promise<Record<string, unknown>> => {
    const { code, out, err } = await call(command, ...more);
    expect(code, `${out}${err}`).toBe(0);
    return JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;
  };
  try {
    await ok("run");
    const [target] = readIndex(files.out);
    const key = target?.["key"] ?? "";
    // A server of its own has no page for void codes: said, not passed over.
    expect(await ok("void", "--key", key, "--yes")).toMatchObject({
      marked: [key],
      silenced: 0,
      alive: 1,
    });
    const report = JSON.parse((await call("reconcile")).out) as Record<string, unknown>;
    expect(report).toMatchObject({ isReconciled: true });
    await ok("replace", "--key", key, "--yes");
    await ok("activate", "--lines", "2-3");
    expect(readFileSync(path.join(files.out, "units.csv"), "utf8")).toContain(key);
  } finally {
    await remote.close();
  }
});
