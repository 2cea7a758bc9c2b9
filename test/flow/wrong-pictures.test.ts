/** Pictures whose code is wrong or missing are never handed out. */
import {
  appendFileSync,
  rmSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { openQrEngine, type QrEngine } from "../../src/qr/engine.ts";
import { openState } from "../../src/state/state.ts";
import { HostileApi } from "../help/hostile-api.ts";
import { hostileTransport } from "../help/hostile-transport.ts";
import { readZip } from "../pack/read-zip.ts";
import { frozenClock, type InProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { lineOf, runJson } from "./seed.ts";

const ROWS = "n\n1\n2\n3\n4\n";
const MANIFEST = `version: 1
name: pictures
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Link, dynamic: true, qr_data: "https://a.example/{{ n }}", display_name: "{{ n }}" }
output:
  dir: ../out
  files: [svg, png]
  file_name: "{{ n }}"
  zip: { name: all.zip }
`;

/** Waiting takes no time here. */
const clock = { ...frozenClock, sleep: () => Promise.resolve() };
const design = resolveDesign({ sizePx: 300 });
const CODELESS =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 2h9v7h-9z"/></svg>';

interface Picture {
  readonly png: Uint8Array;
  readonly svg: string;
}

let engine: QrEngine;
const right = new Map<string, Picture>();
const linkOf = (seq: number): string => `https://s.example/${String(seq).padStart(6, "0")}`;

beforeAll(async () => {
  engine = await openQrEngine();
  for (let seq = 1; seq <= 4; seq += 1) {
    const text = linkOf(seq);
    right.set(text, { png: await engine.png(text, design), svg: engine.svg(text, design) });
  }
});
afterAll(() => engine.close());

interface Attacked {
  readonly files: JobFolder;
  readonly api: HostileApi;
  /** What is sent instead of the pictures of a row. */
  readonly lies: Map<string, Partial<Picture>>;
  readonly step: (name?: string) => Promise<InProcess>;
}

/** A job whose server lies about the pictures of rows. */
function makeAttacked(): Attacked {
  const lies = new Map<string, Partial<Picture>>();
  const byLink = new Map<string, string>();
  const api: HostileApi = new HostileApi({
    clock,
    random: () => 0.5,
    inlineSvg: false,
    draw: (text) => {
      for (const { fields, seq } of api.live) byLink.set(linkOf(seq), String(fields["qr_data"]));
      const row = path.basename(byLink.get(text) ?? "");
      return { ...(right.get(text) ?? { png: new Uint8Array(), svg: "" }), ...lies.get(row) };
    },
  });
  const files = makeJobFolder(ROWS, MANIFEST);
  const remote = {
    env: {
      MAKEREADY_BASE_URL: "https://codes.example/api/v2",
      MAKEREADY_TOKEN: "secret",
      MAKEREADY_WORKSPACE: "w",
    },
    transport: hostileTransport(api, clock, { latencyMs: () => 0 }),
    clock,
  };
  return { files, api, lies, step: (name = "run") => runJson([name, files.manifest], remote) };
}

const listArtwork = (files: JobFolder): string[] =>
  readdirSync(path.join(files.out, "artwork")).toSorted();

const readPacked = (files: JobFolder): { pictures: string[]; index: string } => {
  const { entries } = readZip(path.join(files.out, "all.zip"));
  const index = entries.find(({ name }) => name === "index.csv")?.data.toString() ?? "";
  const names = entries.map(({ name }) => name).filter((name) => /\.(?:svg|png)$/u.test(name));
  return { pictures: names.toSorted(), index };
};

/** The picture of a code that no row of the job has. */
async function drawOther(): Promise<Picture> {
  const text = "https://evil.example/";
  return { png: await engine.png(text, design), svg: engine.svg(text, design) };
}

const ALL = [1, 2, 3, 4].flatMap((n) => [`${n}.png`, `${n}.svg`]);
const without = (...rows: string[]): string[] => ALL.filter((name) => !rows.includes(name));

describe("a picture of another code", () => {
  it.each([
    ["SVG", async () => ({ svg: (await drawOther()).svg })],
    ["PNG", async () => ({ png: (await drawOther()).png })],
  ] as const)("as %s is neither packed nor kept; the next run fetches it", async (_, draw) => {
    const { files, lies, step } = makeAttacked();
    lies.set("2", await draw());
    const run = await step();
    expect(run.code, run.err).toBe(3);
    expect(run.out).toContain("left out of all.zip");
    const lacks = "8 files (1 row lacks pictures that did not come or are not proven";
    expect(JSON.stringify(lineOf(run, "summary")["files"])).toContain(lacks);
    expect(listArtwork(files)).toEqual(without("2.svg", "2.png"));
    expect(readPacked(files).pictures).toEqual(without("2.svg", "2.png"));
    expect(readPacked(files).index).not.toContain("2.svg");
    const report = readFileSync(path.join(files.out, "report.html"), "utf8");
    expect(report).toContain("1 row lacks pictures");
    expect(report).toContain("left out of all.zip");
    const index = readFileSync(path.join(files.out, "index.csv"), "utf8");
    expect(index.split("\n").filter((line) => line.includes(",all.zip,"))).toHaveLength(3);

    const plan = await step("plan");
    expect(plan.out).toContain("the files of 1 code are missing");
    expect(plan.out).toContain('got \\"https://evil.example/\\"');

    lies.clear();
    const mended = await step();
    expect(mended.code, mended.err).toBe(0);
    expect(lineOf(mended, "summary")["reads"]).toBe(lineOf(plan, "plan")["reads"]);
    expect(listArtwork(files)).toEqual(ALL);
    expect(readPacked(files).pictures).toEqual(ALL);
    expect((await step("plan")).out).not.toContain("missing");
  });

  it("that comes again and again is never kept", async () => {
    const { files, lies, step, api } = makeAttacked();
    lies.set("2", await drawOther());
    await step();
    const again = await step();
    expect(again.code).toBe(3);
    expect(listArtwork(files)).toEqual(without("2.svg", "2.png"));
    expect(readPacked(files).pictures).toEqual(without("2.svg", "2.png"));
    expect(api.live).toHaveLength(4);
  });

  it("leaves an archive alone that was packed without it", async () => {
    const { files, lies, step } = makeAttacked();
    lies.set("2", await drawOther());
    await step();
    const before = statSync(path.join(files.out, "all.zip"));
    await step();
    expect(statSync(path.join(files.out, "all.zip")).mtimeMs).toBe(before.mtimeMs);
  });
});

const ON_SHEETS = MANIFEST.replace("[svg, png]", "[png]").replace(/zip: .*/u, "sheets: true");
const LACKING = { code: "files-missing", count: 1, rows: [], what: ["line 3"] };

it.each([
  [
    "changed",
    (file: string) => appendFileSync(file, "retouched"),
    ["only 0 of 1 PNG read back and 3 PNGs proven before", "not-ready"],
  ],
  ["deleted", (file: string) => rmSync(file), ["3 PNGs proven before", "ready-with-warnings"]],
] as const)(
  "a proven picture that somebody %s, and that can't be fetched again, is not called proven",
  async (_did, spoil, [proof, verdict]) => {
    const { files, lies, step } = makeAttacked();
    writeFileSync(files.manifest, ON_SHEETS);
    expect((await step()).code).toBe(0);
    const spoilt = path.join(files.out, "artwork/2.png");
    const whole = readFileSync(spoilt);
    spoil(spoilt);
    lies.set("2", { png: new Uint8Array() });
    const run = await step();
    expect(run.code, run.err).toBe(3);
    const summary = lineOf(run, "summary");
    expect(summary["proof"]).toContain(proof);
    expect(summary["press"]).toMatchObject({ verdict, warnings: [LACKING] });
    lies.clear();
    const mended = await step();
    expect(mended.code, mended.err).toBe(0);
    expect(readFileSync(spoilt)).toEqual(whole);
  },
);

it("sheets whose code lacks its picture from the start are ready with a warning", async () => {
  const { files, lies, step } = makeAttacked();
  writeFileSync(files.manifest, ON_SHEETS);
  lies.set("2", { png: new Uint8Array() });
  const run = await step();
  expect([run.code, lineOf(run, "summary")["press"]]).toEqual([
    3,
    {
      verdict: "ready-with-warnings",
      says: "Ready, with 1 warning",
      warnings: [expect.objectContaining(LACKING)],
    },
  ]);
});

describe("a picture without a code", () => {
  it("stays and is reported: another scanner may read it", async () => {
    const { files, lies, step } = makeAttacked();
    lies.set("3", { svg: CODELESS });
    const run = await step();
    expect(run.code, run.err).toBe(0);
    expect(listArtwork(files)).toEqual(ALL);
    expect(readPacked(files).pictures).toEqual(ALL);
    const report = readFileSync(path.join(files.out, "report.html"), "utf8");
    expect(report).toContain("no code can be read in the picture");
    expect((await step("plan")).out).toContain("pictures of 1 code are not proven");
  });
});

describe("pictures of a run that was killed before it read them", () => {
  it("are read before they are packed", async () => {
    const { files, step } = makeAttacked();
    expect((await step()).code).toBe(0);
    const state = openState(files.out, { writer: "test", salt: "", nowMs: 0 });
    const [row] = [...state.rows()];
    if (row?.artwork == null) throw new Error("no row with pictures");
    const { svg } = await drawOther();
    writeFileSync(path.join(files.out, "artwork/1.svg"), svg);
    const { proven: _, ...fetched } = row.artwork;
    const pictures = fetched.files.map((file) =>
      file.name.endsWith("1.svg") ? { ...file, sha256: sha256(svg) } : file,
    );
    state.pictures.set(row.key, { ...fetched, files: pictures });
    state.close();
    expect((await step()).code).toBe(3);
    expect(listArtwork(files)).toEqual(without("1.svg", "1.png"));
    expect(readPacked(files).pictures).toEqual(without("1.svg", "1.png"));
    expect((await step()).code).toBe(0);
    expect(readPacked(files).pictures).toEqual(ALL);
  });
});
