/** What a hostile server, or a man in the middle, sends instead of pictures reaches no customer. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { readZip } from "../pack/read-zip.ts";
import { attacks, bombs, type Attack } from "../svg/attacks.ts";
import { frozenClock, type InProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const open: Remote[] = [];

afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

const MANIFEST = `version: 1
name: drawings
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "code {{ n }}" }
output:
  dir: ../out
  files: [svg]
  file_name: "{{ n }}"
  zip: { name: all.zip }
`;

const makeRows = (count: number): string =>
  ["n,url", ...Array.from({ length: count }, (_, n) => `${n},https://a.example/${n}`)].join("\n");

/** Waiting for a broken file to get better takes no time here. */
const clock = { ...frozenClock, sleep: () => Promise.resolve() };

/** What is sent instead of a body of a type; undefined: the body as it is. */
type Tamper = (type: string, body: Uint8Array, url: string) => Uint8Array | undefined;

async function openAttacked(files: JobFolder, tamper: Tamper): Promise<Remote> {
  const remote = await openRemote(files.data, "https://codes.example");
  open.push(remote);
  return {
    ...remote,
    transport: {
      ...remote.transport,
      send: async (request) => {
        const answer = await remote.transport.send(request);
        const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
        return { ...answer, body: tamper(type, answer.body, request.url) ?? answer.body };
      },
    },
  };
}

const listFiles = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted() : [];

/** Sends the n-th attack as the n-th file, and the first in every answer but that of row 0. */
function tamperAll(list: readonly Attack[]): Tamper {
  const byUrl = new Map<string, Uint8Array>();
  return (type, body, url) => {
    if (type === "image/svg+xml") {
      const [, file = ""] = list[byUrl.size % list.length] ?? [];
      if (!byUrl.has(url)) byUrl.set(url, Buffer.from(file));
      return byUrl.get(url);
    }
    if (type !== "application/json" || body.length === 0) return undefined;
    const fields = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
    if (typeof fields["svg"] !== "string" || fields["display_name"] === "code 0") return undefined;
    return Buffer.from(JSON.stringify({ ...fields, svg: String(list[0]?.[1]) }));
  };
}

async function runAttacked(list: readonly Attack[]): Promise<{ run: InProcess; out: string }> {
  const files = makeJobFolder(makeRows(list.length + 1), MANIFEST);
  const remote = await openAttacked(files, tamperAll(list));
  const run = await runJson(["run", files.manifest], { ...remote, clock });
  return { run, out: files.out };
}

/** One more, and the service's limit of 60 writes a minute would be waited for. */
const MOST_ROWS = 40;

describe("drawings of a hostile server", () => {
  it.each([
    ["that would run or load something", attacks.slice(0, MOST_ROWS)],
    ["that would run or load something in other ways", attacks.slice(MOST_ROWS)],
    ["that would hold up whoever draws them", bombs.filter(([, file]) => file.length < 1e5)],
  ])("%s are refused one by one; none gets into artwork, archive or index", async (_, list) => {
    const { run, out } = await runAttacked(list);
    expect(run.code, run.err).toBe(3);
    expect(lineOf(run, "summary")).toMatchObject({
      failed: 0,
      withoutFiles: list.length,
    });
    for (const [name, , says] of list) {
      expect(run.out, name).toContain(JSON.stringify(says).slice(1, -1));
    }
    expect(listFiles(path.join(out, "artwork"))).toEqual(["0.svg"]);
    const { entries } = readZip(path.join(out, "all.zip"));
    expect(
      entries.filter(({ name }) => name.endsWith(".svg")).map(({ name }) => path.basename(name)),
    ).toEqual(["0.svg"]);
    const report = readFileSync(path.join(out, "report.html"), "utf8");
    expect(report).not.toMatch(/<script>alert|onerror=alert|<img src=x/iu);
  });

  it("that are clean are kept as they came", async () => {
    const files = makeJobFolder(makeRows(2), MANIFEST);
    const sent: Uint8Array[] = [];
    const remote = await openAttacked(files, (type, body) => {
      if (type !== "image/svg+xml") {
        const text = new TextDecoder().decode(body);
        return Buffer.from(text.replace(/"svg":"(?:[^"\\]|\\.)*"/u, '"svg":null'));
      }
      const file = Buffer.concat([Buffer.from("<?xml version='1.0'?>\r\n<!-- own -->\r\n"), body]);
      sent.push(file);
      return file;
    });
    const run = await runJson(["run", files.manifest], { ...remote, clock });
    expect(run.code, run.err).toBe(0);
    const kept = ["0.svg", "1.svg"].map((name) =>
      readFileSync(path.join(files.out, "artwork", name)),
    );
    expect(kept.map(String).toSorted()).toEqual(sent.map(String).toSorted());
  });
});

describe("a PNG of a hostile server", () => {
  it("with a page behind its end is refused", async () => {
    const files = makeJobFolder(makeRows(2), MANIFEST.replace("[svg]", "[png]"));
    const tail = Buffer.from("<html><script>alert(1)</script></html>");
    const remote = await openAttacked(files, (type, body) =>
      type === "image/png" ? Buffer.concat([body, tail]) : undefined,
    );
    const run = await runJson(["run", files.manifest], { ...remote, clock });
    expect(run.code).toBe(3);
    expect(run.out).toContain("the PNG of the code has bytes after its end");
    expect(listFiles(path.join(files.out, "artwork"))).toEqual([]);
  });
});
