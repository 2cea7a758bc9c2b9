/** Rows from standard input and from web addresses: kept, so that no later step needs them again. */
import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { makeReadStream } from "../../src/cli/read-stream.ts";
import type { ReadStream } from "../../src/pipeline/source/kept-source.ts";
import { readIndex } from "./check-output.ts";
import { runInProcess, type InProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const CSV = "shelf,url\nA-1,https://example.com/a\nA-2,nowhere\nA-3,https://example.com/c\n";

const makeJob = (source: string): JobFolder =>
  makeJobFolder(
    "",
    `version: 1
name: flow
kind: codes
source: { file: "${source}", key: [shelf] }
code: { type: Link, qr_data: "{{ url }}", display_name: "{{ shelf }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9 } }
`,
  );

interface Job {
  readonly files: JobFolder;
  readonly run: (command: string, ...more: string[]) => Promise<InProcess>;
  /** What comes in next; an error is thrown. */
  next: string | Error | undefined;
  readonly asked: string[];
}

function openJob(source: string): Job {
  const files = makeJob(source);
  const asked: string[] = [];
  const readStream: ReadStream = (from) => {
    asked.push(from);
    if (job.next instanceof Error) return Promise.reject(job.next);
    return Promise.resolve(job.next === undefined ? undefined : Buffer.from(job.next));
  };
  const job: Job = {
    files,
    asked,
    next: CSV,
    run: (command, ...more) =>
      runInProcess([...command.split(" "), files.manifest, ...more], { readStream }),
  };
  return job;
}

const copiesOf = ({ data }: JobFolder): string[] =>
  readdirSync(path.join(data, "sources")).filter((name) => !name.endsWith(".json"));

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield* [Buffer.from("a,"), Buffer.from("b\n")];
}

const rows = (name: string): string => `shelf,url\n${name},https://example.com/${name}\n`;

/** Reads an address of this computer, under a text of the switch that allows it. */
const readPrivate = (text: string): Promise<unknown> =>
  makeReadStream({ MAKEREADY_ALLOW_PRIVATE_FETCH: text }, chunks())("https://127.0.0.1:1/", 10);

describe("standard input", () => {
  it("is kept under its hash; what comes later needs none", async () => {
    const job = openJob("-");
    const plan = await job.run("plan");
    expect(plan.out).toContain("rows      3 rows: 2 good, 1 bad in standard input");
    expect(plan.out).toContain(`${CSV.length} B of standard input, 2026-01-01 12:00 UTC, kept as `);
    expect(plan.out).toContain("standard input line 3: qr_data of a Link must be a URL");
    const [copy = ""] = copiesOf(job.files);
    expect(copy).toMatch(/^[0-9a-f]{64}$/u);
    const kept = path.join(job.files.data, "sources", copy);
    expect(readFileSync(kept, "utf8")).toBe(CSV);
    expect(statSync(kept).mode & 0o077).toBe(process.platform === "win32" ? 0o066 : 0);

    job.next = undefined;
    const run = await job.run("run");
    expect(run.code, run.err).toBe(3);
    expect(run.out + run.err).toContain(
      "nothing came through standard input: the rows of 2026-01-01 12:00 UTC are used",
    );
    expect(readIndex(job.files.out).map(({ key }) => key)).toEqual(["A-1", "A-3"]);
    const times = job.asked.length;
    for (const step of ["verify", "status"]) expect((await job.run(step)).code, step).toBe(0);
    const again = path.join(job.files.root, "again.pdf");
    expect((await job.run("sheets reprint", "--lines", "4", "--out", again)).code).toBe(0);
    expect(job.asked).toHaveLength(times);

    job.next = CSV.replace("nowhere", "https://example.com/b");
    const mended = await job.run("run");
    expect(mended.code, mended.err).toBe(0);
    expect(readIndex(job.files.out)).toHaveLength(3);
    expect(copiesOf(job.files)).toHaveLength(2);
  });

  it("is swept after a week, but for the last rows and those of the last run", async () => {
    const job = openJob("-");
    const read = async (command: string, rows: string): Promise<string> => {
      job.next = `shelf,url\n${rows},https://example.com/${rows}\n`;
      expect((await job.run(command)).code).toBe(0);
      return sha256(Buffer.from(job.next));
    };
    const planned = await read("plan", "planned");
    const ran = await read("run", "ran");
    const looked = await read("plan", "looked");
    expect(copiesOf(job.files).toSorted()).toEqual([planned, ran, looked].toSorted());
    const eightDaysAgo = new Date(Date.UTC(2025, 11, 24, 12));
    for (const copy of copiesOf(job.files)) {
      utimesSync(path.join(job.files.data, "sources", copy), eightDaysAgo, eightDaysAgo);
    }
    const last = await read("plan", "last");
    expect(copiesOf(job.files).toSorted()).toEqual([ran, last].toSorted());
    await read("plan", "young");
    expect(copiesOf(job.files)).toContain(last);
  });

  it("keeps the rows that a run continued with, though nothing came in for that run", async () => {
    const job = openJob("-");
    job.next = rows("planned");
    expect((await job.run("plan")).code).toBe(0);
    const ran = sha256(Buffer.from(job.next));
    job.next = undefined;
    expect((await job.run("run")).code).toBe(0);
    job.next = rows("looked");
    expect((await job.run("plan")).code).toBe(0);
    const eightDaysAgo = new Date(Date.UTC(2025, 11, 24, 12));
    for (const copy of copiesOf(job.files)) {
      utimesSync(path.join(job.files.data, "sources", copy), eightDaysAgo, eightDaysAgo);
    }
    job.next = rows("last");
    expect((await job.run("plan")).code).toBe(0);
    expect(copiesOf(job.files)).toContain(ran);
  });

  it("that is empty, and always was, is reported with what to type", async () => {
    const job = openJob("-");
    job.next = undefined;
    const { code, err } = await job.run("run");
    expect(code).toBe(2);
    expect(err).toContain("standard input must hold rows, got nothing");
    expect(err).toContain("makeready run JOB < rows.csv");
  });

  it("that is too long, or breaks off, is reported as such", async () => {
    const job = openJob("-");
    job.next = new Error("the file must have at most 9 bytes");
    const { code, err } = await job.run("run");
    expect(code).toBe(2);
    expect(err).toContain("standard input must be read, but the file must have at most 9 bytes");
    expect(err).not.toContain("got nothing");
  });

  it("is read once, however many need it", async () => {
    const read = makeReadStream({}, chunks());
    expect([await read("-", 10), await read("-", 10)].map(String)).toEqual(["a,b\n", "a,b\n"]);
    await expect(makeReadStream({}, chunks())("-", 3)).rejects.toThrow(/at most 3 bytes/u);
    const terminal = Object.assign(chunks(), { isTTY: true });
    expect(await makeReadStream({}, terminal)("-", 10)).toBeUndefined();
  });
});

describe("an https address", () => {
  const ADDRESS = "https://lists.example.com/rows.csv?key=s3cret";

  it("is fetched anew by each plan and run; offline the copy is named", async () => {
    const job = openJob(ADDRESS);
    const run = await job.run("run");
    expect(run.code, run.err).toBe(3);
    expect(job.asked).toEqual([ADDRESS]);
    const told = run.out + run.err + (await job.run("plan")).out;
    expect(told).toContain("of https://lists.example.com/rows.csv, 2026-01-01 12:00 UTC, kept as");
    expect(told).not.toContain("s3cret");
    const written = readdirSync(path.join(job.files.data, "sources")).filter((name) =>
      name.endsWith(".json"),
    );
    const note = readFileSync(path.join(job.files.data, "sources", written[0] ?? ""), "utf8");
    expect(note).not.toContain("s3cret");

    job.next = new Error("getaddrinfo ENOTFOUND lists.example.com");
    const offline = await job.run("plan");
    expect(offline.code).toBe(2);
    expect(offline.err).toContain("source.file must be fetched, but getaddrinfo ENOTFOUND");
    const [, copy = ""] = /--set source\.file=(\S+[0-9a-f]{64})/u.exec(offline.err) ?? [];
    expect((await job.run("verify")).code).toBe(0);
    const kept = await job.run("run", "--set", `source.file=${copy}`, "--json");
    expect(kept.code, kept.err).toBe(3);
    expect(JSON.parse(kept.out.trim().split("\n").at(-1) ?? "")).toMatchObject({ created: 0 });
  });

  it.each([
    ["http://example.com/rows.csv", "must be an https:// address"],
    ["https://me:pw@example.com/rows.csv", "must be without user and password"],
  ])("%s is refused", async (source, says) => {
    const { code, err } = await openJob(source).run("validate");
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(err).not.toContain("me:pw");
  });

  it("takes the switch for private addresses as the service does", async () => {
    await expect(readPrivate("on")).rejects.toThrow(/nobody answers at 127\.0\.0\.1/u);
    await expect(readPrivate("off")).rejects.toThrow(/must be public/u);
    await expect(readPrivate("maybe")).rejects.toThrow(/must be true or false, got maybe/u);
  });

  it.each(["https://127.0.0.1/x.csv", "https://[::1]/x.csv", "https://10.0.0.8/x.csv"])(
    "%s leads into no private network",
    async (address) => {
      const read = makeReadStream({}, process.stdin);
      await expect(read(address, 10)).rejects.toThrow(
        /the address must be public, unless MAKEREADY_ALLOW_PRIVATE_FETCH=true is set$/u,
      );
    },
  );
});
