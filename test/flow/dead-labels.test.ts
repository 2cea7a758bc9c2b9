/** Sheets with codes that their server no longer has are not ready for press, whoever prints or proves them. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openService } from "../../src/service/service.ts";
import { runInProcess, type InProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";

const CODES = `version: 1
name: shelves
kind: codes
source: { file: ../rows.csv, key: [shelf] }
code: { type: Link, dynamic: true, qr_data: "https://a.de/{{ shelf }}", display_name: "{{ shelf }}", folder: F }
output: { dir: ../out, files: [], sheets: { sheet: avery-l7159, name: shelves.pdf } }
`;
const REDESIGN = `version: 1
name: red
kind: redesign
select: { folder: F }
design: { primary_color: "#112233" }
output: { dir: ../red, files: [svg], sheets: { sheet: avery-l7159 } }
`;
const EXPORT = REDESIGN.replace(/design:.*\n/u, "")
  .replace("red\nkind: redesign", "exp\nkind: export")
  .replace("../red", "../exp");

type With = Parameters<typeof runInProcess>[1];

const step = ({ root }: JobFolder, words: string, how: With = {}): Promise<InProcess> =>
  runInProcess(words.split(" "), { cwd: root, ...how });

async function ok(files: JobFolder, words: string, how: With = {}): Promise<string> {
  const { code, out, err } = await step(files, words, how);
  expect(code, `${out}${err}`).toBe(0);
  return out;
}

const GO = "--yes --public-url https://go.example.com";

const made = madeOnce<"here" | "there">(async (where) => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", CODES);
  if (where === "here") await ok(files, `run jobs/flow.yaml ${GO}`);
  else {
    const remote = await openRemote(files.data, "https://codes.example");
    await ok(files, "run jobs/flow.yaml --yes", remote);
    await remote.close();
  }
  return files;
});

/** Somebody deletes a code at the service. */
async function remove({ data }: JobFolder, name: string): Promise<void> {
  const service = await openService({ dataDir: data, limits: "off" });
  const { token, workspaceId } = service.account;
  const ask = (method: string, at: string) =>
    service.fetch(
      new Request(`http://localhost/api/v2/${at}`, {
        method,
        headers: { authorization: `Token ${token}` },
      }),
    );
  const listed = await ask("GET", `workspace/${workspaceId}/qrcodes/`);
  const { results } = (await listed.json()) as { results: { id: string; display_name: string }[] };
  const { id } = results.find(({ display_name: own }) => own === name) ?? {};
  expect((await ask("DELETE", `qrcode/${id}/delete/`)).status).toBe(204);
  await service.close();
}

const isPrinted = ({ out }: JobFolder): boolean =>
  existsSync(path.join(out, "shelves-reprint.pdf"));

describe("labels that are printed again, with a code that was deleted", () => {
  const NAMED = ["sheets reprint jobs/flow.yaml --key A", "replace jobs/flow.yaml --key A --yes"];

  it.each(NAMED)("%s refuses, and names the label", async (words) => {
    const files = await made("here");
    await remove(files, "A");
    const { code, err } = await step(files, words);
    expect(err).toContain('but the server no longer has the code of "A": its label leads nowhere');
    expect([code, isPrinted(files)]).toEqual([2, false]);
    const other = await ok(files, words.replace("--key A", "--key B"));
    expect(other).toContain("ready for press");
  });

  it("the way out names these labels alone, however they were named", async () => {
    const files = await made("here");
    await remove(files, "A");
    for (const words of [
      "sheets reprint jobs/flow.yaml --lines 2-4",
      "replace jobs/flow.yaml --lines 2-4 --reason torn --yes",
    ]) {
      const { code, err } = await step(files, words);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining("makeready void jobs/flow.yaml --key A\n"),
      ]);
    }
  });

  it("prints labels of Digital Links, which their products answer without a code", async () => {
    const files = makeJobFolder(
      "shelf,gtin\nA,09506000134352\nB,09506000134369\n",
      CODES.replace("kind: codes", "kind: products").replace(
        /code: .*/u,
        'product: { identifier_type: "01", identifier_value: "{{ gtin }}", links: [{ link_type: "gs1:pip", title: A, destination_url: "https://a.de/{{ shelf }}", is_default: true }] }\ncode: { display_name: "{{ shelf }}", folder: F }',
      ),
    );
    await ok(files, `run jobs/flow.yaml ${GO}`);
    await remove(files, "A");
    const out = await ok(files, "sheets reprint jobs/flow.yaml --key A");
    expect(out).toMatch(/^ready for press$/mu);
  });

  it("whole sheets are printed, and not ready for press", async () => {
    const files = await made("here");
    await remove(files, "A");
    const { code, out } = await step(files, "sheets reprint jobs/flow.yaml --sheets 1");
    expect(out).toContain('codes-gone: the server no longer has the code of "A"');
    expect(out).toMatch(/^not ready for press$/mu);
    expect([code, isPrinted(files)]).toEqual([3, true]);
  });

  it.each([...NAMED, "sheets reprint jobs/flow.yaml --sheets 1"])(
    "%s asks a remote server for exactly these",
    async (words) => {
      const files = await made("there");
      await remove(files, "A");
      const remote: Remote = await openRemote(files.data, "https://codes.example");
      const { code, out, err } = await step(files, words, remote);
      expect(`${out}${err}`).toContain('the server no longer has the code of "A"');
      expect(code).toBe(words.includes("--sheets") ? 3 : 2);
      const { MAKEREADY_TOKEN: _token, ...env } = remote.env;
      const untold = await step(files, words.replace("--key A", "--key B"), { ...remote, env });
      expect(untold.err).toMatch(
        /was not asked whether it still has the codes of \d labels?: no token/u,
      );
      await remote.close();
    },
  );
});

describe("jobs over codes that another job has deleted", () => {
  const over = madeOnce<"both">(async () => {
    const files = await made("here");
    for (const [name, manifest] of [
      ["red", REDESIGN],
      ["exp", EXPORT],
    ] as const) {
      writeFileSync(path.join(files.root, "jobs", `${name}.yaml`), manifest);
      await ok(files, `run jobs/${name}.yaml ${GO}`);
    }
    writeFileSync(files.csv, "shelf\nA\nC\n");
    await ok(files, "run jobs/flow.yaml --yes");
    await ok(files, "retire jobs/flow.yaml --delete --yes");
    return files;
  });

  it.each(["red", "exp"])("%s: verify and status say what is gone and what helps", async (name) => {
    const files = await over("both");
    const { code, out } = await step(files, `verify jobs/${name}.yaml`);
    expect(out).toContain("no longer has 1 of 3 codes: B; their short links lead nowhere");
    expect(out).toMatch(/^not ready for press$/mu);
    expect(code).toBe(3);
    const status = await ok(files, `status jobs/${name}.yaml`);
    expect(status).toContain(`to go on without it: makeready run jobs/${name}.yaml`);
    expect(status).toContain("retry of the job that made it");
    expect(status).not.toMatch(/retry jobs|out of the source/u);
    await ok(files, `run jobs/${name}.yaml --yes`);
    expect(await ok(files, `verify jobs/${name}.yaml`)).toMatch(/^ready for press/mu);
  });

  it("verify asks a remote server, too, and says where that has not told", async () => {
    const files = await made("there");
    writeFileSync(path.join(files.root, "jobs", "exp.yaml"), EXPORT);
    let remote = await openRemote(files.data, "https://codes.example");
    await ok(files, "run jobs/exp.yaml --yes", remote);
    const whole = await step(files, "verify jobs/exp.yaml", remote);
    expect([whole.code, whole.err]).toEqual([
      0,
      expect.not.stringContaining("warning: the server"),
    ]);
    await remote.close();
    await remove(files, "B");
    remote = await openRemote(files.data, "https://codes.example");
    const { code, out } = await step(files, "verify jobs/exp.yaml", remote);
    expect(out).toContain("no longer has 1 of 3 codes: B");
    expect([code, out]).toEqual([3, expect.stringMatching(/^not ready for press$/mu)]);
    const { MAKEREADY_TOKEN: _token, ...env } = remote.env;
    const untold = await step(files, "verify jobs/exp.yaml", { ...remote, env });
    expect(untold.err).toContain("was not asked whether it still has these codes: no token is set");
    await remote.close();
  });

  it("undo makes the sheets as they were, and says that they are not ready", async () => {
    const files = await over("both");
    const { code, out, err } = await step(files, "undo jobs/red.yaml --yes");
    expect(`${out}${err}`).toContain("the code is gone");
    expect(out).toMatch(/press +Not ready/u);
    expect(out).toContain("1 code is no longer at the server: its label leads nowhere");
    expect(code).toBe(3);
  });
});
