/** Why a job is to be run again, or can't be: `status` says the reason, and a command that works. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeEach, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "makeready-reasons-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const HOME = "https://go.example.com";
const OTHER = "https://other.example.com";

const CODES = `version: 1
name: menus
kind: codes
source: { file: rows.csv, key: [number], columns: { url: { type: url, required: true } } }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "Table {{ number }}" }
output: { dir: out/menus, files: [svg], index: [csv] }
`;
const REDESIGN = `version: 1
name: restyle
kind: redesign
select: {}
design: { primary_color: "#003366" }
output: { dir: out/restyle, files: [svg], index: [csv] }
`;

let folder = "";

const call = (args: string, env: Readonly<Record<string, string>> = {}) =>
  runInProcess(args.split(" "), { cwd: folder, env });

const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);

beforeEach(() => {
  folder = mkdtempSync(path.join(root, "job-"));
  write("rows.csv", "number,url\n1,https://menu.example/1\n2,https://menu.example/2\n");
  write("menus.yaml", CODES);
  write("restyle.yaml", REDESIGN);
  write("other.yaml", CODES.replaceAll("menus", "other"));
});

it.each(["menus", "restyle"])(
  "codes of %s that another job has moved to another address",
  async (job) => {
    await call("run menus.yaml", { MAKEREADY_PUBLIC_URL: HOME });
    await call("run other.yaml");
    await call("run restyle.yaml --yes");
    expect((await call(`status ${job}.yaml`)).out).toBe(
      `${job}\n  ${job === "menus" ? 2 : 4} done\n`,
    );
    await call(`run other.yaml --change-public-url ${OTHER}`);
    const onwards = `run ${job}.yaml --change-public-url ${OTHER}`;
    const { out } = await call(`status ${job}.yaml`);
    expect(out).toContain(
      `the codes of this job have ${HOME}, but all codes in ${path.join(folder, ".makeready")} have been moved to ${OTHER} since: those printed with ${HOME} lead nowhere`,
    );
    expect(out).toContain(`to make this job's files anew with ${OTHER}: makeready ${onwards};`);
    expect(out).not.toContain("the job has changed");
    rmSync(path.join(folder, "out/menus/artwork"), { recursive: true });
    if (job === "menus")
      expect((await call("status menus.yaml")).out).toContain(
        `files of 2 not all there, not those that the job asks for, or somebody has changed them (fetched by: makeready ${onwards})`,
      );
    expect((await call("status menus.yaml --json")).out).toContain(`"wanted":"${OTHER}"`);
    expect((await call(`${onwards} --yes`)).code).toBe(0);
    expect((await call(`status ${job}.yaml`)).out).toBe(
      `${job}\n  ${job === "menus" ? 2 : 4} done\n`,
    );
  },
);

it("another address that is named now", async () => {
  await call("run menus.yaml", { MAKEREADY_PUBLIC_URL: HOME });
  const { out } = await call("status menus.yaml", { MAKEREADY_PUBLIC_URL: OTHER });
  expect(out).toContain(
    `the public address must be ${HOME}, which the codes of this job have, got ${OTHER}`,
  );
  expect(out).not.toContain("the job has changed");
});

it.each([
  [
    "a required column has another name",
    () => write("rows.csv", "number,link\n1,https://menu.example/1\n"),
    'header must have the required columns, but "url" is missing',
  ],
  [
    "mended rows can't be read",
    () => {
      write("mended.csv", "number,url\n1,https://menu.example/1\n");
      write("menus.yaml", CODES.replace("rows.csv,", "rows.csv, mended: mended.csv,"));
    },
    "mended.csv",
  ],
  ["the spreadsheet is gone", () => rmSync(path.join(folder, "rows.csv")), "rows.csv"],
])("%s", async (_case, change, says) => {
  await call("run menus.yaml", { MAKEREADY_PUBLIC_URL: HOME });
  change();
  const { out } = await call("status menus.yaml");
  expect(out).toContain("the spreadsheet can't be read as the job wants it: ");
  expect(out).toContain(says);
  expect(out).not.toContain("made anew by");
  expect(out).toContain("  2 done\n");
  const json = JSON.parse((await call("status menus.yaml --json")).out) as Record<string, unknown>;
  expect(JSON.stringify(json["unreadable"])).toContain("message");
  expect((await call("run menus.yaml")).code).toBe(2);
  expect(readFileSync(path.join(folder, "out/menus/index.csv"), "utf8")).toContain(HOME);
});
