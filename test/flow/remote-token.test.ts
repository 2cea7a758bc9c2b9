/** A finished job whose server refuses the token, or is not asked: what each step says of it. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const ORIGIN = "https://codes.example";
const HEAD = "site,table,region,Link\n";
const ROWS = `${HEAD}A,1,N,https://a.example/1\nB,2,N,https://a.example/2\n`;
const open: Remote[] = [];

afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

async function makeRun(): Promise<readonly [JobFolder, Remote]> {
  const files = makeJobFolder(ROWS);
  const remote = await openRemote(files.data, ORIGIN);
  open.push(remote);
  expect((await runInProcess(["run", files.manifest], remote)).code).toBe(0);
  remote.forget();
  return [files, remote];
}

const withToken = (remote: Remote, token: string | undefined): Remote => {
  const { MAKEREADY_TOKEN: _token, ...env } = remote.env;
  return { ...remote, env: { ...env, ...(token !== undefined && { MAKEREADY_TOKEN: token }) } };
};

const REFUSED = `the server refused the token (401), so it did not say whether short links still begin with ${ORIGIN}`;
const UNSET = `the server was not asked whether short links still begin with ${ORIGIN}: no token is set`;
const unknown = (place: string): string =>
  `error: the server at codes.example does not know the token of ${place} (401)`;
const SILENT = `the server did not say whether short links still begin with ${ORIGIN}: it gave no usable answer`;

describe("a finished job of a remote server", () => {
  it.each(["plan", "run", "verify", "doctor"])(
    "%s warns of a token that the server refuses",
    async (step) => {
      const [files, remote] = await makeRun();
      const { out, err } = await runInProcess([step, files.manifest], withToken(remote, "wrong"));
      expect(out + err).toContain(REFUSED);
      expect(out + err).toContain("warning");
      expect(out + err).not.toContain("was not asked whether");
      if (step !== "doctor") expect(out + err).toContain("check the token of MAKEREADY_TOKEN");
    },
  );

  it("counts the read that was refused, and the check before anything is sent stays", async () => {
    const [files, remote] = await makeRun();
    const wrong = withToken(remote, "wrong");
    for (const [step, line] of [
      ["plan", "plan"],
      ["run", "summary"],
    ] as const) {
      remote.forget();
      expect(lineOf(await runJson([step, files.manifest], wrong), line)).toMatchObject({
        reads: 1,
        writes: 0,
      });
      expect(remote.asked).toHaveLength(1);
    }
    writeFileSync(files.csv, `${ROWS}C,3,N,https://a.example/3\n`);
    remote.forget();
    const { code, err } = await runInProcess(["run", files.manifest], wrong);
    expect(code).toBe(4);
    expect(err).toContain(unknown("MAKEREADY_TOKEN"));
    expect(err).toContain("put a new one there, then run the same command again");
    const tokenFile = path.join(files.root, "token.txt");
    writeFileSync(tokenFile, "wrong");
    const named = await runInProcess(
      ["run", files.manifest, "--set", `api.token_file=${tokenFile}`],
      withToken(remote, undefined),
    );
    expect(named.err).toContain(unknown(tokenFile));
    expect(remote.asked.filter((one) => !one.startsWith("GET "))).toEqual([]);
  });

  it("says that no token is set, and that no answer came", async () => {
    const [files, remote] = await makeRun();
    const plan = async (at: Remote) => (await runInProcess(["plan", files.manifest], at)).out;
    expect(await plan(withToken(remote, undefined))).toContain(UNSET);
    const away = await openRemote(files.data, ORIGIN, () => 503);
    open.push(away);
    expect(await plan(away)).toContain(SILENT);
  });
});
