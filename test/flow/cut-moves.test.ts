/** A run that moves the codes of sheets to another address, killed while their links come: every step says so, and the next run ends it. */
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const open: Remote[] = [];
afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

const BEFORE = "https://codes.example";
const NOW = "https://new.example";
const ROWS = "n,url\n1,https://a.example/1\n2,https://a.example/2\n3,https://a.example/3\n";

const KINDS = {
  codes: 'kind: codes\ncode: { dynamic: true, qr_data: "{{ url }}", compact: true }',
  links: 'kind: links\nlink: { link: "{{ url }}" }',
};

const toManifest = (kind: keyof typeof KINDS): string => `version: 1
name: flow
${KINDS[kind]}
source: { file: ../rows.csv, key: [n] }
output:
  dir: ../out
  files: [svg, png]
  index: [csv]
  sheets: { sheet: avery-l7160, caption: ["{{ n }}"] }
`;

/** The server is called the same, whatever address it gives its codes. */
async function openAt(files: JobFolder, origin: string): Promise<Remote> {
  const remote = await openRemote(files.data, origin);
  open.push(remote);
  return { ...remote, env: { ...remote.env, MAKEREADY_BASE_URL: "https://qr.example/api/v2" } };
}

/** Of compact codes, too: their links are in capitals. */
const MOVED = "replace(replace(short_link, ?, ?), upper(?), upper(?))";

/** As a kill leaves a job whose links are forgotten; those of `came` rows came already. */
function cut({ out }: JobFolder, from: string, came: number): void {
  const db = openSqlite(path.join(out, "state.db"));
  db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
  db.run("DELETE FROM meta WHERE key = 'seal'");
  db.run("DELETE FROM pictures");
  const swap = [from, NOW, from, NOW];
  db.run(`UPDATE rows SET artwork = NULL, short_link = ${MOVED}`, ...swap);
  db.run("UPDATE rows SET short_link = NULL WHERE row_key > ?", String(came));
  db.close();
}

const count = (asked: readonly string[], start: string): number =>
  asked.filter((one) => one.startsWith(start)).length;

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])("a killed move of %s", (kind) => {
  it.each([0, 1])("on a remote server goes on and ends where %i links came", async (came) => {
    const files = makeJobFolder(ROWS, toManifest(kind));
    const before = await openAt(files, BEFORE);
    expect((await runInProcess(["run", files.manifest], before)).code).toBe(0);
    await open.pop()?.close();
    const now = await openAt(files, NOW);
    cut(files, BEFORE, came);
    const flag = ["--change-public-url", NOW];
    const call = (step: string, ...more: string[]) =>
      runInProcess([...step.split(" "), files.manifest, ...more], now);

    for (const more of [[], flag]) {
      const plan = await call("plan", ...more);
      expect([plan.code, plan.err]).toEqual([0, ""]);
      expect(plan.out).toContain("the files of 3 codes are missing");
      expect(plan.out).toContain("→ to do this: ");
    }
    const verified = await call("verify");
    expect([verified.code, verified.err]).toEqual([3, ""]);
    expect(verified.out).toContain("the last run did not end");
    expect(verified.out).toContain("finish it with: ");
    const again = await call("sheets reprint", "--lines", "4");
    expect([again.code, again.err]).toEqual([
      2,
      expect.stringContaining("the last run did not end"),
    ]);
    expect(again.err).toContain("finish it with: ");
    const replaced = await call("replace", "--lines", "4");
    expect([replaced.code, replaced.err]).toEqual([
      2,
      expect.stringContaining(
        "replace must have the short links of all codes, got some that are still to come: the last run did not end",
      ),
    ]);
    expect(replaced.err).toContain("finish it with: ");

    const plan = lineOf(await runJson(["plan", files.manifest, ...flag], now), "plan");
    now.forget();
    const ran = await runJson(["run", files.manifest, ...flag], now);
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(lineOf(ran, "summary")).toMatchObject({ writes: 0, reads: plan["reads"] });
    expect(count(now.asked, "POST ")).toBe(0);
    const ended = await call("verify");
    expect([ended.code, ended.out]).toEqual([0, expect.stringMatching(/ready for press/u)]);
    expect((await call("plan")).out).toContain("3 unchanged");
    expect((await call("status")).out).toBe("flow\n  3 done\n");
  });
});
