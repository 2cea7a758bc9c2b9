/** What became of labels that a scan found spoiled: said of the state as one look shows it. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, vi } from "vitest";

import { randomIds, sha256 as hashOf } from "../../src/base/ids/ids.ts";
import type { RowJob } from "../../src/kinds/any-job.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import type { SpoiledLabel } from "../../src/pack/spoiled-labels.ts";
import { findSpoiledLeft } from "../../src/pipeline/units/spoiled-left.ts";
import { State } from "../../src/state/state.ts";
import { parseIndex } from "./check-output.ts";
import { frozenClock, runInProcess } from "./in-process.ts";
import { type JobFolder, makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { dynamic: true, qr_data: "{{ url }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, name: flow.pdf } }
`;

/** Labels as a scan-back finds them spoiled, by the index. */
function spoil({ out }: JobFolder, keys: readonly string[]): SpoiledLabel[] {
  const index = parseIndex(readFileSync(path.join(out, "index.csv"), "utf8"));
  const labels = keys.map((key): SpoiledLabel => {
    const {
      line,
      sheet_file: file = "",
      sheet,
      row,
      column,
    } = index.find((one) => one["key"] === key) ?? {};
    const place = { file, page: Number(sheet), row: Number(row), column: Number(column) };
    const seen = { state: "damaged", reason: "no code is read", picture: "scan.png" } as const;
    const sha256 = hashOf(readFileSync(path.join(out, file)));
    const print = { sha256, scanned: new Date(frozenClock.nowMs()).toISOString() };
    return { line: Number(line), key, caption: "", ...place, ...seen, ...print };
  });
  const lines = labels.map((one) => Object.values(one).join(","));
  const head = Object.keys(labels[0] ?? {}).join(",");
  writeFileSync(path.join(out, "spoiled.csv"), `${[head, ...lines].join("\n")}\n`);
  return labels;
}

it("names the latest PDF of each label that was printed again, and opens the state once", async () => {
  const files = makeJobFolder(
    "n,url\n1,https://a.example/1\n2,https://a.example/2\n3,https://a.example/3\n",
    MANIFEST,
  );
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  for (const keys of [["1", "2"], ["3"]]) {
    spoil(files, keys);
    const done = await runInProcess(["replace", files.manifest, "--spoiled", "--yes"]);
    expect(done.code, done.err).toBe(0);
  }
  const spoiled = spoil(files, ["1", "2", "3"]);
  const job = (await loadJob(files.manifest, { env: {} })) as RowJob;
  const order = { job, server: { dataDir: files.data } } as Parameters<typeof findSpoiledLeft>[0];
  const ports = { clock: frozenClock, ids: randomIds, writer: "makeready test" };
  const close = vi.spyOn(State.prototype, "close");
  const inOut = (name: string): string => path.join(files.out, name);
  expect(await findSpoiledLeft(order, spoiled, ports)).toEqual({
    left: 0,
    dead: 0,
    again: 3,
    files: [inOut("flow-reprint-2.pdf"), inOut("flow-reprint.pdf")],
    earlier: 0,
    earlierFiles: [],
  });
  expect(close).toHaveBeenCalledTimes(1);
  rmSync(inOut("flow-reprint.pdf"));
  const { files: left } = await findSpoiledLeft(order, spoiled, ports);
  expect(left).toEqual([inOut("flow-reprint-2.pdf")]);
  appendFileSync(files.csv, "4,https://a.example/4\n");
  expect(await runInProcess(["run", files.manifest, "--yes"])).toMatchObject({ code: 0 });
  expect(await findSpoiledLeft(order, spoiled, ports)).toMatchObject({ left: 0, again: 3 });
});
