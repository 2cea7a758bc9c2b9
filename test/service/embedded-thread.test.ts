import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { expect, it } from "vitest";

import { SHORT_LIVED } from "../flow/program.ts";
import { isEveryCase } from "../help/every-pair.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { openInThread } from "../../src/service/embedded/thread.ts";

const toOptions = (dataDir: string): Parameters<typeof openInThread>[0] => ({
  dataDir,
  publicUrl: "https://go.example.com",
  limits: "off",
  capitalLinks: false,
});
const makeFolder = (): string => mkdtempSync(path.join(os.tmpdir(), "thread-"));

it("a service in a thread answers until it is closed, and its folder can be opened again", async () => {
  const folder = makeFolder();
  const first = await openInThread(toOptions(folder));
  const headers = { authorization: `Token ${first.token}` };
  const answer = await fetch(`${first.baseUrl}/workspace/${first.workspace}/qrcodes/`, { headers });
  expect([answer.status, await answer.json()]).toMatchObject([200, { count: 0 }]);
  await first.close();
  await expect(fetch(`${first.baseUrl}/`, { headers })).rejects.toThrow(/fetch failed/u);
  const second = await openInThread(toOptions(folder));
  await second.close();
  expect([second.token, second.workspace]).toEqual([first.token, first.workspace]);
});

it("a fault at its opening is reported as if there were no thread", async () => {
  const folder = makeFolder();
  await (await openInThread(toOptions(folder))).close();
  const store = openSqlite(path.join(folder, "service.db"));
  store.exec("PRAGMA user_version=100000");
  store.close();
  await expect(openInThread(toOptions(folder))).rejects.toMatchObject({
    code: "state-newer",
    hint: expect.any(String),
  });
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  await expect(openInThread(toOptions(file))).rejects.toMatchObject({
    code: "data-unwritable",
  });
});

/** As it is built: processes that each compile the sources would take most of their time for it. */
const [BUILT = ""] = readdirSync("dist/chunks").filter((name) => /^thread-\w+\.js$/u.test(name));
const THREAD = pathToFileURL(path.resolve("dist/chunks", BUILT)).href;
const ROUNDS = isEveryCase ? 16 : 2;
/** Ends itself while the service creates codes. */
const LEAVING = `
  import { openInThread } from ${JSON.stringify(THREAD)};
  const { baseUrl, token, workspace } = await openInThread(JSON.parse(process.argv[2]));
  const headers = { authorization: "Token " + token, "content-type": "application/json" };
  const body = JSON.stringify({ qr_type: "Text", dynamic: false, qr_data: "a", workspace });
  let made = 0;
  const create = async () => {
    for (;;) {
      const answer = await fetch(baseUrl + "/qrcode/create/", { method: "POST", headers, body });
      await answer.arrayBuffer();
      if (!answer.ok) process.exit(1);
      if ((made += 1) === 40) process.exit(7);
    }
  };
  await Promise.all(Array.from({ length: 8 }, create));
`;

it("a process that leaves while its service writes ends with its own exit code, never by an abort", async () => {
  const ends: unknown[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = makeFolder();
    const script = path.join(folder, "leaving.mjs");
    writeFileSync(script, LEAVING);
    const args = [...SHORT_LIVED, script, JSON.stringify(toOptions(path.join(folder, "data")))];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    ends.push(await once(child, "exit"));
  }
  expect(ends).toEqual(Array.from({ length: ROUNDS }, () => [7, null]));
});
