import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import type { CodeItem } from "../../src/api/code.ts";
import { findPngFault } from "../../src/download/check-png.ts";
import { findSvgFault } from "../../src/svg/check-svg.ts";
import { openService } from "../../src/service/service.ts";
import { openState } from "../../src/state/state.ts";
import { runHere } from "./in-process.ts";
import { makeJobFolder, makeRows, type JobFolder } from "./job-folder.ts";
import { lastLine, runProgram } from "./program.ts";

/** `KILL_ROUNDS=100` is the long way: `npm run test:kill`. */
const KILLS = Number(process.env["KILL_ROUNDS"] ?? 3);
const ROWS = KILLS * 15;
const MOST_ROUNDS = KILLS * 4;

/** A fixed sequence that looks random, so that a failure can be repeated. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function listCodes(
  files: JobFolder,
): Promise<{ codes: CodeItem[]; follow: (slug: string) => Promise<string | null> }> {
  const service = await openService({ dataDir: files.data, limits: "off" });
  const { token, workspaceId } = service.account;
  const codes: CodeItem[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await service.fetch(
      new Request(
        `http://localhost/api/v2/workspace/${workspaceId}/qrcodes/?page=${page}&page_size=200`,
        {
          headers: { authorization: `Token ${token}` },
        },
      ),
    );
    const body = (await answer.json()) as { results: CodeItem[]; next: string | null };
    codes.push(...body.results);
    if (body.next === null || body.next === undefined) break;
  }
  return {
    codes,
    follow: async (shortLink) => {
      const answer = await service.fetch(
        new Request(`http://localhost${new URL(shortLink).pathname}`),
      );
      return answer.status === 302 ? answer.headers.get("location") : null;
    },
  };
}

it(`killed at ${KILLS} random moments, a job ends with one code per good row and all files whole`, async () => {
  const files = makeJobFolder(makeRows(ROWS));
  const args = ["run", files.manifest, "--json"];
  const random = makeRandom(20_261_120);
  let killed = 0;
  for (let round = 0; killed < KILLS && round < MOST_ROUNDS; round += 1) {
    // A round that ends before the line at which it was to die counts for nothing; later rounds die
    // while files are packed and proven, too.
    const afterLines = 1 + Math.floor(random() * (round < KILLS ? 14 : 3));
    let seen = 0;
    const ended = await runProgram(args, {
      onLine: (_line, child) => {
        seen += 1;
        if (seen === afterLines) child.kill("SIGKILL");
      },
    });
    if (ended.signal === "SIGKILL") killed += 1;
  }
  expect(killed).toBe(KILLS);

  const last = await runHere(args);
  expect(last.code, last.err).toBe(3);
  expect(lastLine(last, "summary")).toMatchObject({ left: 0, failed: 0, bad: 2 });

  const { codes, follow } = await listCodes(files);
  expect(codes).toHaveLength(ROWS);
  expect(new Set(codes.map((code) => code.display_name)).size).toBe(ROWS);

  const state = openState(files.out, { writer: "test", salt: "", nowMs: 0 });
  const rows = [...state.rows()];
  state.close();
  expect(rows).toHaveLength(ROWS);
  expect(new Set(rows.map((row) => row.remoteId))).toEqual(new Set(codes.map((code) => code.id)));
  for (const row of rows) {
    const [svg, png] = row.artwork?.files ?? [];
    expect(
      await findSvgFault(readFileSync(path.join(files.out, svg?.name ?? ""), "utf8")),
    ).toBeUndefined();
    expect(await findPngFault(readFileSync(path.join(files.out, png?.name ?? "")))).toBeUndefined();
    expect(row.artwork?.proven).toEqual(row.artwork?.files.map(({ name }) => name));
    expect(await follow(row.shortLink ?? "")).toBe(row.wanted.qrData);
  }
  for (const name of [
    "tables-north.pdf",
    "tables-north.zip",
    "tables-south.pdf",
    "index.csv",
    "index.xlsx",
    "sheet-map.json",
    "failed-rows.csv",
    "failed-rows.xlsx",
    "report.html",
    "run.log",
  ]) {
    expect(existsSync(path.join(files.out, name)), name).toBe(true);
  }

  const again = await runHere(args);
  expect(lastLine(again, "summary")).toMatchObject({ writes: 0, reads: 0, unchanged: ROWS });
});
