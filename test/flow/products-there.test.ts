/** Products that a remote server has already: only the run learns of them, and says so. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const open: Remote[] = [];
afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

const toManifest = (name: string): string => `version: 1
name: ${name}
kind: products
source: { file: ../rows.csv, key: [gtin], columns: { gtin: { type: text } } }
product:
  identifier_value: "{{ gtin }}"
  links: [{ link_type: "gs1:pip", title: "{{ gtin }}", destination_url: "https://a.example/${name}/{{ gtin }}", is_default: true }]
code: {}
output: { dir: ../out-${name}, files: [svg], index: [csv] }
`;

const FIRST = "gtin\n4000000010005\n4000000010371\n";

it("a run says which products were there already, once, and retiring leaves them", async () => {
  const files = makeJobFolder(FIRST, toManifest("first"));
  const remote = await openRemote(files.data, "https://codes.example");
  open.push(remote);
  const first = await runInProcess(["run", files.manifest], remote);
  expect(first.code, first.err).toBe(0);
  expect(first.err).not.toContain("there already");
  const second = path.join(path.dirname(files.manifest), "second.yaml");
  writeFileSync(second, toManifest("second"));
  writeFileSync(files.csv, `${FIRST}4000000010555\n`);
  const says =
    "2 products were there already on the server, and their links lead now where their rows say: line 2, line 3";
  const ran = await runInProcess(["run", second], remote);
  expect(ran.code).toBe(0);
  expect(ran.err).toContain(says);
  const report = path.join(files.root, "out-second", "report.html");
  expect(readFileSync(report, "utf8")).toContain(says);
  const again = await runInProcess(["run", second], remote);
  expect(again.code).toBe(0);
  expect(again.err).not.toContain("were there already");
  const third = path.join(path.dirname(files.manifest), "third.yaml");
  writeFileSync(third, toManifest("third"));
  const told = await runJson(["run", third], remote);
  expect(told.out).toContain("3 products were there already on the server");
  // Retiring takes the codes of vanished rows; the products of others stay.
  writeFileSync(files.csv, "gtin\n4000000010555\n");
  expect((await runInProcess(["run", third], remote)).code).toBe(0);
  expect((await runInProcess(["retire", third, "--delete", "--yes"], remote)).code).toBe(0);
  remote.forget();
  writeFileSync(files.csv, FIRST);
  expect((await runInProcess(["run", files.manifest], remote)).code).toBe(0);
  expect(remote.asked.filter((one) => one.startsWith("DELETE"))).toEqual([]);
  const fourth = path.join(path.dirname(files.manifest), "fourth.yaml");
  writeFileSync(fourth, toManifest("fourth"));
  const last = await runInProcess(["run", fourth], remote);
  expect(last.err).toContain("2 products were there already");
});

it.each([
  ["language: de", 3],
  ["media_type: text/plain", 3],
  ["media_type: text/html", 2],
])(
  "the plan counts the write for a default link with %s, which its product does not bring along",
  async (field, each) => {
    const text = toManifest("first").replace("is_default: true", `is_default: true, ${field}`);
    const files = makeJobFolder(FIRST, text);
    const writes = 2 * each;
    expect(lineOf(await runJson(["plan", files.manifest]), "plan")).toMatchObject({ writes });
    expect(lineOf(await runJson(["run", files.manifest]), "summary")).toMatchObject({ writes });
  },
);

it("says so at the end of the next run, where the run that found them did not reach its end", async () => {
  const files = makeJobFolder(FIRST, toManifest("first"));
  let isOut = false;
  const remote = await openRemote(files.data, "https://codes.example", ({ method, url }) =>
    isOut && method === "POST" && url.endsWith("/qrcode/create/") ? 401 : undefined,
  );
  open.push(remote);
  expect((await runInProcess(["run", files.manifest], remote)).code).toBe(0);
  const second = path.join(path.dirname(files.manifest), "second.yaml");
  writeFileSync(second, toManifest("second"));
  isOut = true;
  const stopped = await runInProcess(["run", second], remote);
  expect(stopped.code).not.toBe(0);
  expect(stopped.err).not.toContain("there already");
  isOut = false;
  const ended = await runInProcess(["run", second], remote);
  expect(ended.code, ended.err).toBe(0);
  expect(ended.err).toMatch(
    /2 products were there already on the server, and their links lead now where their rows say: line 2, line 3/u,
  );
  const again = await runInProcess(["run", second], remote);
  expect(again.err).not.toContain("there already");
});
