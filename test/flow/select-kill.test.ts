import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runHere } from "./in-process.ts";
import { lastLine, runProgram, type Ended } from "./program.ts";
import { makeShop, withApi } from "./seed.ts";

const CODES = 12;

/** Lines of output at which a command dies. `KILL_ROUNDS` is the long way: each command at each. */
const MOMENTS = [3, 9];
const IS_LONG = process.env["KILL_ROUNDS"] !== undefined;
const EARLY = IS_LONG ? MOMENTS : [3];
const LATE = IS_LONG ? MOMENTS : [9];
/** One undo is killed below, and those of `undo-killed.test.ts` die between two codes. */
const MORE = IS_LONG ? MOMENTS : [];

/** Runs a command until it has been killed at each of these lines; then to its end. */
async function runKilled(args: readonly string[], moments: readonly number[]): Promise<Ended> {
  for (const [at, moment] of moments.entries()) {
    let seen = 0;
    const killed = await runProgram(args, {
      onLine: (_line, child) => {
        seen += 1;
        if (seen === moment) child.kill("SIGKILL");
      },
    });
    // What was done before a kill is not done again: the next run may end before its line.
    if (at > 0 && killed.signal === null) expect(killed.code, killed.err).toBe(0);
    else expect(killed.signal, killed.err).toBe("SIGKILL");
  }
  return runHere(args);
}

it("redesign, retarget and undo, killed over and over, end as if nothing had happened", async () => {
  const shop = makeShop();
  const before = await withApi(shop.data, async (api) => {
    for (let n = 0; n < CODES; n += 1) {
      await api.code({
        qr_data: `https://a.example/${n}`,
        dynamic: true,
        display_name: `table ${n}`,
        folderPath: "Tables/North",
        tags: ["tables"],
      });
    }
    return api.list();
  });
  const designs = () =>
    withApi(shop.data, async (api) => {
      const found: string[] = [];
      for (const { id } of before) {
        const { status, body } = await api.call("GET", `/qrcode/${String(id)}/`);
        found.push(JSON.stringify([status, body["design"], body["qr_data"]]));
      }
      return found;
    });
  const asBefore = await designs();

  const restyle = shop.job("monthly-restyle");
  const run = await runKilled(["run", restyle, "--json"], LATE);
  expect(run.code, run.err).toBe(0);
  expect(lastLine(run, "summary")).toMatchObject({ rows: CODES, failed: 0, left: 0 });
  const again = await runHere(["run", restyle, "--json"]);
  expect(lastLine(again, "summary")).toMatchObject({ writes: 0, unchanged: CODES });
  expect(new Set((await designs()).map((one) => one.includes("#6a1b9a")))).toEqual(new Set([true]));
  const undo = await runKilled(["undo", restyle, "--json"], MORE);
  expect(undo.code, undo.err).toBe(0);
  expect(await designs()).toEqual(asBefore);

  const change = shop.job("menu-url-change");
  const text = readFileSync(change, "utf8");
  writeFileSync(change, text.replace("check_destination: head", "check_destination: none"));
  const rows = before.map(
    (code) => `${String(code["id"])},${String(code["qr_data"])},https://b.example/`,
  );
  writeFileSync(
    path.join(shop.root, "samples/new-urls.csv"),
    ["code,old_url,new_url", ...rows].join("\n"),
  );
  const moved = await runKilled(["run", change, "--json"], EARLY);
  expect(moved.code, moved.err).toBe(0);
  expect(new Set((await designs()).map((one) => one.includes("https://b.example/")))).toEqual(
    new Set([true]),
  );
  const back = await runKilled(["undo", change, "--json"], LATE);
  expect(back.code, back.err).toBe(0);
  expect(await designs()).toEqual(asBefore);
});
