/** Void codes of rows that are gone, and of another server than the one that is named. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { openService } from "../../src/service/service.ts";
import { runInProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote } from "./remote.ts";

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

const SERIALS = `version: 1
name: passes
kind: codes
source: { rows: 8, serial: { length: 10 } }
code: { type: Link, dynamic: true, qr_data: "https://id.example/{{ serial }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, reprint: new } }
`;

/** A job that was run. */
const made = madeOnce<"shelves" | "serials">(async (name) => {
  const isList = name === "shelves";
  const files = makeJobFolder(isList ? "shelf\nA\nB\nC\n" : "", isList ? MANIFEST : SERIALS);
  await ok(files, "run");
  return files;
});

it("a void code whose row is gone is not said to be printed again", async () => {
  const files = await made("shelves");
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

it("a void Digital Link whose code was deleted still works", async () => {
  const gs1 = `{ type: GS1, gs1_product: { identifier_value: "{{ gtin }}", destination_url: "https://menu.example" } }`;
  const files = makeJobFolder(
    "gtin\n09506000134352\n04012345123456\n",
    MANIFEST.replace("[shelf]", "[gtin]").replace(/code: .*/u, `code: ${gs1}`),
  );
  await ok(files, "run");
  await ok(files, "void", "--key", "09506000134352", "--yes");
  writeFileSync(files.csv, "gtin\n04012345123456\n");
  await ok(files, "run");
  await ok(files, "retire", "--delete", "--yes");
  const said = await ok(files, "void", "--key", "04012345123456", "--yes");
  expect(said).toContain("2 void codes can still be read");
});

it("a void code whose row is gone is nowhere said to work", async () => {
  const files = await made("shelves");
  await ok(files, "void", "--key", "A", "--yes");
  writeFileSync(files.csv, "shelf\nB\nC\n");
  const ran = await ok(files, "run");
  expect(ran).toContain(
    "1 code has no row any more (it is void), and this run left it as it is; to file or",
  );
  expect(ran).not.toContain("works");
  const listed = await ok(files, "retire");
  expect(listed).toContain("printed codes answer as before");
  expect(listed).not.toContain("working");
});

it("a void code that others deleted at the service is not said to lead on", async () => {
  const files = await made("shelves");
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

describe("serials whose rows are gone, after source.rows was lowered", () => {
  it.each([
    ["filed", ["--folder", "Alt"]],
    ["deleted", ["--delete"]],
  ])("are accounted for once they are %s", async (word, how) => {
    const files = await made("serials");
    await ok(files, "set", "source.rows=6");
    await ok(files, "run");
    const before = await runInProcess(["reconcile", files.manifest]);
    expect(before.code).toBe(3);
    expect(before.out).toContain("rows      6 with a row + 2 without a row = 8 codes");
    expect(before.out.match(/does not fit/gu)).toHaveLength(1);
    await ok(files, "retire", ...how, "--yes");
    const after = await ok(files, "reconcile");
    expect(after).toContain("passes: reconciled, every code and label is accounted for");
    expect(after).toContain("codes     8 minted, 0 void");
    expect(after).toContain(`rows      6 with a row + 2 ${word} = 8 codes`);
    const units = readFileSync(path.join(files.out, "units.csv"), "utf8");
    expect(units.match(new RegExp(`,${word},`, "gu"))).toHaveLength(2);
    await ok(files, "run");
    await ok(files, "reconcile");
    await ok(files, "set", "source.rows=8");
    await ok(files, "run");
    const back = await ok(files, "reconcile");
    if (word === "filed") return expect(back).not.toContain("  rows  ");
    expect(back).toContain("codes     10 minted, 0 void");
    expect(back).toContain("rows      8 with a row + 2 deleted = 10 codes");
  });

  it("void and replaced ones are accounted for as well, whether made or not", async () => {
    const files = await made("serials");
    await ok(files, "void", "--lines", "8", "--yes");
    await ok(files, "replace", "--lines", "7", "--yes");
    await ok(files, "run");
    await ok(files, "replace", "--lines", "6", "--yes");
    await ok(files, "set", "source.rows=5");
    await ok(files, "run");
    const { out } = await runInProcess(["reconcile", files.manifest]);
    expect(out.match(/does not fit.*/gu)).toEqual([expect.stringContaining("codes live on")]);
    await ok(files, "retire", "--delete", "--yes");
    const after = await ok(files, "reconcile");
    expect(after).toContain("codes     9 minted, 3 void, 2 replaced");
    expect(after).toContain("rows      5 with a row + 4 deleted = 9 codes");
  });

  it("are missed where the state is lost, with the way to account for them", async () => {
    const files = await made("serials");
    rmSync(files.out, { recursive: true });
    await ok(files, "set", "source.rows=6");
    await ok(files, "run");
    const { code, out } = await runInProcess(["reconcile", files.manifest]);
    expect(code).toBe(3);
    expect(out).toContain(
      "more serials were minted than there are rows: put a state.db that knows them back from a backup, or set source.rows to 8 again and run the job; then lower it, run the job and retire them (2): 8 minted, 6 rows",
    );
    await ok(files, "set", "source.rows=8");
    await ok(files, "run");
    await ok(files, "set", "source.rows=6");
    await ok(files, "run");
    await ok(files, "retire", "--folder", "Alt", "--yes");
    expect(await ok(files, "reconcile")).toContain("6 with a row + 2 filed = 8 codes");
  });
});

it("a void code that was deleted since is accounted for", async () => {
  const files = await made("shelves");
  await ok(files, "void", "--key", "A", "--yes");
  writeFileSync(files.csv, "shelf\nB\nC\n");
  await ok(files, "run");
  await ok(files, "retire", "--delete", "--yes");
  const out = await ok(files, "reconcile");
  expect(out).toContain("codes     3 minted, 1 void");
  expect(out).toContain("rows      2 with a row + 1 deleted = 3 codes");
  await ok(files, "run");
  await ok(files, "reconcile");
});

const linkOf = (line = ""): string => /http\S+/u.exec(line)?.[0] ?? "";

it("deleted codes stay listed once their rows are back with new codes", async () => {
  const files = await made("shelves");
  await ok(files, "void", "--key", "B", "--yes");
  const lines = (): string[] =>
    readFileSync(path.join(files.out, "units.csv"), "utf8").trim().split("\n").slice(1);
  await ok(files, "reconcile");
  const printed = lines();
  writeFileSync(files.csv, "shelf\nC\n");
  await ok(files, "run");
  await ok(files, "retire", "--delete", "--yes");
  await ok(files, "reconcile");
  expect(lines().map(linkOf).toSorted()).toEqual(printed.map(linkOf).toSorted());
  writeFileSync(files.csv, "shelf\nC\nA\n");
  await ok(files, "run");
  const out = await ok(files, "reconcile");
  expect(out).toContain("codes     4 minted, 1 void");
  expect(out).toContain("rows      2 with a row + 2 deleted = 4 codes");
  const [old] = lines().filter((line) => line.includes(linkOf(printed[0])));
  expect(old).toMatch(/^A,\d+,deleted,\d{4}-/u);
  const [dead] = lines().filter((line) => line.includes(linkOf(printed[1])));
  expect(dead).toMatch(/^B,\d+,void,\d{4}-/u);
  expect(lines()).toHaveLength(4);
  writeFileSync(files.csv, "shelf\nC\n");
  await ok(files, "run");
  await ok(files, "retire", "--delete", "--yes");
  expect(await ok(files, "reconcile")).toContain("1 with a row + 3 deleted = 4 codes");
});

it("of codes without a row, void ones are told apart: deleting kills none that is dead in print", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\nD\n", MANIFEST);
  await ok(files, "run");
  await ok(files, "void", "--key", "A", "--yes");
  writeFileSync(files.csv, "shelf\nD\n");
  const says = "3 codes have no rows any more (1 of them is void), and this run left them as they";
  expect(await ok(files, "run")).toContain(says);
  expect(await ok(files, "run")).toContain(says);
  const listed = await ok(files, "retire");
  expect(listed).toContain(
    "deletes them, 3 writes: 2 short links die: whoever scans one finds nothing, and nobody can bring them back; 1 void code no longer says that it is void",
  );
  expect(await ok(files, "retire", "--key", "A")).toContain(
    "deletes it, 1 write; 1 void code no longer says that it is void",
  );
  const asked = await runInProcess(["retire", files.manifest, "--delete"]);
  expect(asked.err).toContain("delete 3 codes for good; 2 short links will lead nowhere");
  const alone = await runInProcess(["retire", files.manifest, "--delete", "--key", "A"]);
  expect(alone.err).toContain("delete 1 code for good: it wants a yes");
});

/** Deletes the first code without a row at the service, as its owner may in the console. */
async function deleteOne(files: JobFolder): Promise<void> {
  const state = openSqlite(path.join(files.out, "state.db"));
  const sql = "SELECT remote_id AS id FROM rows WHERE presence = 'vanished' ORDER BY seq";
  const id = state.get<{ id: string }>(sql)?.id;
  state.close();
  const service = await openService({ dataDir: files.data, limits: "off" });
  const { status } = await service.fetch(
    new Request(`http://localhost/api/v2/qrcode/${id}/delete/`, {
      method: "DELETE",
      headers: { authorization: `Token ${service.account.token}` },
    }),
  );
  await service.close();
  expect(status).toBe(204);
}

const DELETED = "and the service no longer has their codes";

it("a code without a row that others deleted at the service is not said to live on", async () => {
  const files = await made("serials");
  await ok(files, "set", "source.rows=6");
  await ok(files, "run");
  await deleteOne(files);
  const { code, out } = await runInProcess(["reconcile", files.manifest], { cwd: files.root });
  expect(code).toBe(3);
  expect(out).toContain("rows      6 with a row + 1 without a row + 1 deleted = 8 codes");
  expect(out).toContain(`${DELETED}; to note that: makeready retire jobs/flow.yaml --delete (1)`);
  expect(out).toMatch(/codes live on whose rows .* \(1\)/u);
  const units = readFileSync(path.join(files.out, "units.csv"), "utf8");
  expect(units.match(/,deleted,/gu)).toHaveLength(1);
  await ok(files, "retire", "--delete", "--yes");
  expect(await ok(files, "reconcile")).toContain("6 with a row + 2 deleted = 8 codes");
});

it("codes without a row are looked up on a remote server, or said not to be", async () => {
  const files = makeJobFolder("shelf\nA\nB\nC\n", MANIFEST);
  const reconcile = async (context: object) => runInProcess(["reconcile", files.manifest], context);
  let remote = await openRemote(files.data, "https://codes.example");
  const run = () => runInProcess(["run", files.manifest], remote);
  expect((await run()).code).toBe(0);
  writeFileSync(files.csv, "shelf\nC\n");
  expect((await run()).code).toBe(0);
  await remote.close();
  await deleteOne(files);
  remote = await openRemote(files.data, "https://codes.example");
  const { out, err } = await reconcile(remote);
  expect([out, err]).toEqual([expect.stringContaining("1 without a row + 1 deleted"), ""]);
  expect(out).toContain(DELETED);
  // Two codes without a row, and one of the others for the address of all.
  expect(remote.asked).toHaveLength(3);
  const { MAKEREADY_TOKEN: _token, ...env } = remote.env;
  const untold = await reconcile({ ...remote, env });
  expect(untold.out).toContain("2 without a row");
  expect(untold.err).toContain(
    "the server was not asked whether it still has 2 codes without a row: no token is set",
  );
  expect(untold.err).toContain("makeready doctor");
  const wrong = await reconcile({ ...remote, env: { ...env, MAKEREADY_TOKEN: "wrong" } });
  expect(wrong.err).toContain(
    "the server refused the token (401), so it did not say whether it still has 2 codes without a row",
  );
  await remote.close();
});

it("serials are replaced by new ones also where the last run did not end and links are to come", async () => {
  const files = await made("serials");
  const db = openSqlite(path.join(files.out, "state.db"));
  db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
  db.run("UPDATE rows SET short_link = NULL WHERE seq > 3");
  db.close();
  const { code, out, err } = await runInProcess([
    "replace",
    files.manifest,
    "--lines",
    "3",
    "--yes",
  ]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("1 ");
});
