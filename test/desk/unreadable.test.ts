/** A file of a job that can't be read is that job's affair, and files are not read again on each look. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { Readable } from "node:stream";

import { afterEach, describe, expect, test, vi } from "vitest";

import { waitForTask } from "./ask-desk.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("unreadable");

const toManifest = (name: string): string => `version: 1
name: ${name}
kind: codes
source: { file: ${name}.csv, key: [shelf] }
code: { dynamic: false, type: Text, qr_data: "SHELF {{ shelf }}" }
output: { dir: out/${name}, files: [svg] }
`;

async function makeDone(name: string): Promise<void> {
  at.write(`${name}.csv`, "shelf\nA-01\nA-02\n");
  at.write(`${name}.yaml`, toManifest(name));
  await at.desk.post(`/job/${name}.yaml/run`, {});
  await waitForTask(at.desk, at.folder, `${name}.yaml`);
}

const original = fs.createReadStream;

/** Every file that is read from here on; those that `refuse` gives a code for fail with it. */
function watchReads(refuse: (file: string) => string | undefined = () => undefined): string[] {
  const read: string[] = [];
  const watched = (file: fs.PathLike, ...more: []): fs.ReadStream => {
    read.push(path.basename(String(file)));
    const code = refuse(String(file));
    if (code === undefined) return original(file, ...more);
    const error = Object.assign(new Error(`${code}: refused, open '${String(file)}'`), { code });
    const failing = new Readable({ read: () => failing.destroy(error) });
    return failing as fs.ReadStream;
  };
  Reflect.set(fs, "createReadStream", watched);
  syncBuiltinESMExports();
  return read;
}

afterEach(() => {
  vi.restoreAllMocks();
  Reflect.set(fs, "createReadStream", original);
  syncBuiltinESMExports();
});

describe("a list that can't be read", () => {
  test.each([
    ["EBUSY", "another program uses it"],
    ["EACCES", "access is denied"],
    ["ENOTCONN", "ENOTCONN"],
  ])("with %s is the fault of its own card", async (code, why) => {
    await makeDone("bins");
    await makeDone("shelves");
    watchReads((file) => (file.endsWith("bins.csv") ? code : undefined));
    const home = await at.desk.get("/");
    expect(home.status).toBe(200);
    const html = await home.text();
    expect(html.match(/2 of 2 rows done/gu)).toHaveLength(2);
    expect(html).toContain(`bins.csv must be readable, but`);
    expect(html).toContain(why);
    expect(html).toContain("close the programs that use the file, or let this user read it");
    expect(html.match(/must be readable/gu)).toHaveLength(1);
    const result = await at.textOf("/job/bins.yaml/result");
    expect(result).toContain("Whether the job has changed since is not known:");
    expect(result).toContain(why);
    expect(await at.textOf("/job/shelves.yaml/result")).not.toContain("is not known");
  });

  test("since it was deleted a moment ago counts as one that is gone", async () => {
    await makeDone("bins");
    watchReads((file) => (file.endsWith("bins.csv") ? "ENOENT" : undefined));
    const html = await at.textOf("/");
    expect(html).toContain("The list or the manifest has changed since the last run.");
  });
});

test("the list of jobs reads a file again only once it was written", async () => {
  await makeDone("bins");
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
  const read = watchReads();
  for (const _look of [1, 2, 3]) await at.textOf("/");
  expect(read.filter((file) => file === "bins.csv")).toHaveLength(1);
  at.write("bins.csv", "shelf\nA-01\nA-03\n");
  for (const _look of [1, 2]) {
    expect(await at.textOf("/")).toContain("has changed since the last run");
  }
  expect(read.filter((file) => file === "bins.csv")).toHaveLength(2);
});
