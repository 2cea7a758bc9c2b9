/** Void codes of rows that are gone, and of another server than the one that is named. */
import { writeFileSync } from "node:fs";

import { expect, it } from "vitest";

import { openService } from "../../src/service/service.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: shelves
kind: codes
source: { file: ../rows.csv, key: [shelf] }
code: { type: Link, dynamic: true, qr_data: "https://example.com/{{ shelf }}", display_name: "{{ shelf }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9 } }
`;

async function ok(files: JobFolder, command: string, ...more: string[]): Promise<string> {
  const { code, out, err } = await runInProcess([command, files.manifest, ...more]);
  expect(code, `${out}${err}`).toBe(0);
  return out;
}

it("a void code whose row is gone is not said to be printed again", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", MANIFEST);
  await ok(files, "run");
  await ok(files, "void", "--key", "A", "--yes");
  writeFileSync(files.csv, "shelf\nB\nC\n");
  expect(await ok(files, "plan")).not.toContain("is void");
  expect(await ok(files, "run")).not.toContain("void code");
  expect(await ok(files, "plan")).not.toContain("is void");
});

it.each(["void", "replace", "activate", "reconcile"])(
  "%s refuses another server than the one with the codes",
  async (command) => {
    const files = makeJobFolder("shelf\nA\nB\n", MANIFEST);
    await ok(files, "run");
    const more = command === "reconcile" ? [] : ["--key", "A"];
    const yes = ["void", "replace"].includes(command) ? ["--yes"] : [];
    const { code, err } = await runInProcess([command, files.manifest, ...more, ...yes], {
      env: { MAKEREADY_BASE_URL: "http://127.0.0.1:9/api/v2" },
    });
    expect(err).toContain("must be used with server embedded, got http://127.0.0.1:9/api/v2");
    expect(code).toBe(6);
    expect(await ok(files, "reconcile")).toContain("2 minted");
  },
);

it("a void code whose row is gone is nowhere said to work", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", MANIFEST);
  await ok(files, "run");
  await ok(files, "void", "--key", "A", "--yes");
  writeFileSync(files.csv, "shelf\nB\nC\n");
  const ran = await ok(files, "run");
  expect(ran).toContain("1 code has no row any more, and this run left it as it is; to file or");
  expect(ran).not.toContain("works");
  const listed = await ok(files, "retire");
  expect(listed).toContain("printed codes answer as before");
  expect(listed).not.toContain("working");
});

it("a void code that others deleted at the service is not said to lead on", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", MANIFEST);
  await ok(files, "run");
  await ok(files, "void", "--key", "A", "--yes");
  const service = await openService({ dataDir: files.data, limits: "off" });
  const { token, workspaceId } = service.account;
  const ask = (method: string, path: string) =>
    service.fetch(
      new Request(`http://localhost/api/v2/${path}`, {
        method,
        headers: { authorization: `Token ${token}` },
      }),
    );
  const { results } = (await (await ask("GET", `workspace/${workspaceId}/qrcodes/`)).json()) as {
    results: { id: string; display_name: string }[];
  };
  const dead = results.find((one) => one.display_name === "A");
  expect((await ask("DELETE", `qrcode/${dead?.id}/delete/`)).status).toBe(204);
  await service.close();
  const { out } = await runInProcess(["reconcile", files.manifest]);
  expect(out).toContain("3 minted, 1 void");
  expect(out).not.toContain("still lead");
});
