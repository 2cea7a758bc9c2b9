/** Commands that look after a service: on a database, or with advice what to do. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { randomIds } from "../../src/base/ids/ids.ts";
import { readDesigns } from "../../src/service/designs/read-designs.ts";
import { toStoreDamage } from "../../src/service/store/store-damage.ts";
import { runInProcess } from "../flow/in-process.ts";
import { freshDatabase, hasPostgres } from "../postgres.ts";
import { makeService, type TestService } from "../service/make-service.ts";

/** Commands for a data folder alone, and where each says to go on. */
const withoutStore: [argv: string[], hint: RegExp][] = [
  [["backup", "copy"], /pg_dump/u],
  [["restore", "copy"], /move-store postgres/u],
  [["move", "other", "--yes"], /move-store postgres/u],
  [["export-resolver", "links"], /move-store sqlite/u],
  [["drill", "links"], /move-store sqlite/u],
];

describe.skipIf(!hasPostgres)("commands with --store", () => {
  let folder: string;
  let url: string;
  let service: TestService;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "makeready-store-"));
    url = await freshDatabase();
    service = await makeService({ store: url, dataDir: folder, ids: randomIds });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const type = (env: Record<string, string>, ...argv: string[]) =>
    runInProcess(argv, { cwd: folder, env });
  const onDatabase = (...argv: string[]) =>
    type({ MAKEREADY_STORE: url }, ...argv, "--data", folder);

  test("accounts make and revoke tokens that the service knows at once", async () => {
    const made = await onDatabase("accounts", "token", "press", "--json");
    expect(made.err).toBe("");
    const { token } = JSON.parse(made.out) as { token: string };
    const ask = async () =>
      (await service.send("GET", `/workspace/${service.workspace}/folders/`, undefined, { token }))
        .status;
    expect(await ask()).toBe(200);
    expect((await onDatabase("accounts", "revoke", "press")).code).toBe(0);
    expect(await ask()).toBe(401);
  });

  test("a token of a file that another folder has is called neither current nor former", async () => {
    const told = await type({ MAKEREADY_STORE: url }, "accounts");
    expect([told.code, told.out]).toEqual([0, expect.stringContaining("(of a file token)")]);
    const id = / (\S+) +\(of a file/u.exec(told.out)?.[1] ?? "";
    const revoked = await type({ MAKEREADY_STORE: url }, "accounts", "revoke", id);
    expect(revoked.out).toMatch(/remove that file, too: the next start would accept it again/u);
  });

  test("webhooks are added, listed and removed", async () => {
    const added = await onDatabase("webhooks", "add", "https://crm.example.com/in");
    expect(added).toMatchObject({ code: 0, err: "" });
    const [one] = await service.webhooks.list();
    expect(one?.url).toBe("https://crm.example.com/in");
    expect((await onDatabase("webhooks", "list")).out).toContain(one?.id);
    expect((await onDatabase("webhooks", "remove", String(one?.id))).code).toBe(0);
    expect(await service.webhooks.list()).toEqual([]);
  });

  test("a database without a service's data stays empty", async () => {
    const empty = await freshDatabase();
    const told = await type({}, "accounts", "--store", empty, "--data", folder);
    expect(told.code).toBe(2);
    expect(told.err).toMatch(/must hold the data of a service, got none/u);
    // It still takes the data of another store: nothing was made in it.
    expect((await type({}, "accounts", "--store", empty, "--data", folder)).err).toBe(told.err);
  });

  test.each(withoutStore)("%j says what to do instead, and touches nothing", async (argv, hint) => {
    const before = readdirSync(folder);
    const told = await type({}, ...argv, "--store", url);
    expect(told.code).toBe(2);
    expect(told.err).toMatch(/works on a data folder with SQLite, but --store names a database/u);
    expect(told.err).toMatch(hint);
    expect((await type({ MAKEREADY_STORE: url }, ...argv)).err).toMatch(/MAKEREADY_STORE names/u);
    expect(readdirSync(folder)).toEqual(before);
  });

  test.each([
    [
      "of the variable",
      { MAKEREADY_STORE: "postgres://db/x" },
      /MAKEREADY_STORE names a database/u,
    ],
    ["that was moved away", {}, /was moved into a database/u],
  ])("jobs open no store beside one %s", async (_, env, says) => {
    const at = mkdtempSync(path.join(folder, "job-"));
    writeFileSync(path.join(at, "rows.csv"), "url\nhttps://example.com/1\n");
    writeFileSync(path.join(at, "service.db.moved"), "");
    await runInProcess(["init", "shelf", "--source", "rows.csv", "--yes"], { cwd: at, env: {} });
    const told = await runInProcess(["run", "shelf.yaml", "--data", at, "--yes"], {
      cwd: at,
      env,
    });
    expect(told.err).toMatch(says);
    expect(told.err).toMatch(/MAKEREADY_TOKEN/u);
    expect(readdirSync(at)).not.toContain("service.db");
  });
});

describe("a data folder whose store was moved into a database", () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "makeready-moved-"));
    writeFileSync(path.join(folder, "rows.csv"), "url\nhttps://example.com/1\n");
    await type("init", "shelf", "--source", "rows.csv", "--yes");
    const codes = "version: 1\nname: all\nkind: export\nselect: { folder: Nowhere }\n";
    writeFileSync(path.join(folder, "all.yaml"), `${codes}output: { dir: all }\n`);
    await type("run", "shelf.yaml", "--yes");
    writeFileSync(path.join(folder, "bad.csv"), "Table,Link\nA,https://example.com/1\nB,x\n");
    await type("init", "bad", "--source", "bad.csv", "--yes");
    await type("run", "bad.yaml", "--yes");
    const store = path.join(folder, ".makeready", "service.db");
    renameSync(store, `${store}.moved`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const type = (...argv: string[]) => runInProcess(argv, { cwd: folder, env: {} });

  test("is not moved once more, and the way on is named", async () => {
    const { code, err } = await type("move-store", "postgres", "--store", "postgres://h.example/x");
    expect([code, err]).toEqual([2, expect.stringContaining("makeready move-store sqlite --data")]);
    expect(err).not.toContain("a job takes");
  });

  test.each([
    ["status", "shelf.yaml"],
    ["plan", "shelf.yaml"],
    ["run", "shelf.yaml", "--yes"],
    ["run", "shelf.yaml", "--yes", "--out", "elsewhere"],
    ["retry", "shelf.yaml", "--yes"],
    ["verify", "shelf.yaml"],
    ["undo", "shelf.yaml", "--yes"],
    ["retire", "shelf.yaml"],
    ["sheets", "reprint", "shelf.yaml", "--lines", "2"],
    ["scan", "shelf.yaml", "rows.csv"],
    ["void", "shelf.yaml", "--lines", "2", "--yes"],
    ["replace", "shelf.yaml", "--lines", "2", "--yes"],
    ["activate", "shelf.yaml", "--lines", "2"],
    ["reconcile", "shelf.yaml"],
    ["doctor", "shelf.yaml"],
    ["plan", "all.yaml"],
    ["run", "all.yaml"],
    ["accounts"],
    ["webhooks", "list"],
    ["move", ".makeready", "--data", "other", "--yes"],
    ["serve", "--port", "0"],
  ])("%s %s says so, and makes nothing", async (...argv) => {
    const { err, code } = await type(...argv);
    expect(err).toMatch(/^error: the store was moved into a database: .*service\.db\.moved$/mu);
    expect(err).toMatch(/MAKEREADY_BASE_URL.*--change-server/u);
    expect(code).toBe(2);
    expect(readdirSync(path.join(folder, ".makeready"))).not.toContain("service.db");
  });

  test.each(withoutStore)("%j says so, and what to do instead", async (argv, hint) => {
    const { err, code } = await type(...argv);
    expect(err).toMatch(/^error: the store was moved into a database: .*service\.db\.moved$/mu);
    expect(err).toMatch(hint);
    expect([code, err]).toEqual([2, expect.not.stringContaining("--change-server")]);
    expect(readdirSync(path.join(folder, ".makeready"))).not.toContain("service.db");
  });

  test.each([
    ["validate", "shelf.yaml"],
    ["preview", "shelf.yaml"],
    ["config", "shelf.yaml"],
    ["set", "shelf.yaml", "output.zip=false"],
    ["set", "shelf.yaml", "source.header_row=1"],
    ["sheets", "proof", "shelf.yaml"],
  ])("%s looks for no codes, works, and warns once", async (...argv) => {
    const { err, code } = await type(...argv);
    const says = err.match(/^warning: the store was moved into a database: .*--change-server/gmu);
    expect([code, says?.length]).toEqual([0, 1]);
  });

  test("rows are mended all the same", async () => {
    const list = path.join(folder, "out", "bad", "failed-rows.csv");
    writeFileSync(list, readFileSync(list, "utf8").replace("B,x", "B,https://example.com/2"));
    const { out, err } = await type("mend", "bad.yaml", list);
    expect([out, err]).toEqual([
      expect.stringContaining("1 row mended"),
      expect.stringMatching(/^warning: the store was moved/u),
    ]);
  });

  test("doctor without a job lists it as failed, beside all else", async () => {
    const { out, code } = await type("doctor", "--data", ".makeready");
    expect(code).toBe(2);
    expect(out).toMatch(/^ {2}ok +Node/mu);
    expect(out).toMatch(/^ {2}FAILED +server +the store was moved into a database/mu);
  });

  test("schedule print takes jobs of a server, by variable, flag or manifest", async () => {
    const at = path.join(folder, "nightly.yaml");
    const shelf = readFileSync(path.join(folder, "shelf.yaml"), "utf8");
    const job = (api: string) =>
      writeFileSync(at, `schedule: { cron: "0 3 * * *", timezone: UTC }\n${api}${shelf}`);
    const print = ["schedule", "print", "nightly.yaml", "--cron"];
    const url = "https://codes.example/api/v2";
    job("");
    const refused = await type(...print);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("was moved into")]);
    expect((await type(...print, "--base-url", url)).code).toBe(0);
    const byVariable = await runInProcess(print, { cwd: folder, env: { MAKEREADY_BASE_URL: url } });
    expect([byVariable.code, byVariable.out]).toEqual([0, expect.stringContaining(url)]);
    job(`api: { base_url: "${url}" }\n`);
    expect(await type(...print)).toMatchObject({ code: 0, err: "" });
  });
});

describe("a data folder whose store is no database", () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "makeready-damaged-"));
    writeFileSync(path.join(folder, "rows.csv"), "url\nhttps://example.com/1\n");
    await type("init", "shelf", "--source", "rows.csv", "--yes");
    mkdirSync(path.join(folder, ".makeready"));
    writeFileSync(path.join(folder, ".makeready", "service.db"), "no database at all");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const type = (...argv: string[]) => runInProcess(argv, { cwd: folder, env: {} });
  const says = "service.db must be a whole database, got file is not a database";

  test.each([
    ["plan", "shelf.yaml"],
    ["run", "shelf.yaml", "--yes"],
    ["accounts"],
    ["backup", "copy"],
    ["export-resolver", "links"],
    ["move", ".makeready", "--data", "other", "--yes"],
    ["serve", "--port", "0"],
  ])("%s %s names it, and a backup", async (...argv) => {
    const { err, code } = await type(...argv);
    expect([code, err]).toEqual([6, expect.stringContaining(says)]);
    expect(err).toMatch(/from a backup \(makeready restore\)/u);
  });

  test("one without tables holds no designs; a text that is no JSON is no damage of it", () => {
    const data = path.join(folder, "empty");
    mkdirSync(data);
    writeFileSync(path.join(data, "service.db"), "");
    expect(readDesigns(data, ["some-id"])).toEqual(new Map());
    expect(() => readDesigns(path.join(folder, ".makeready"), ["some-id"])).toThrow(says);
    const other = new Error("malformed JSON");
    expect(toStoreDamage("service.db", other)).toBe(other);
    const damaged = new Error("database disk image is malformed");
    expect(toStoreDamage("service.db", damaged)).toMatchObject({ code: "state-damaged" });
  });

  test("doctor lists it as failed, and preview works", async () => {
    const { out } = await type("doctor");
    expect(out).toMatch(/^ {2}FAILED +server +.*service\.db must be a whole database/mu);
    const { err, code } = await type("preview", "shelf.yaml");
    expect([code, err]).toEqual([0, expect.stringContaining(says)]);
  });
});
