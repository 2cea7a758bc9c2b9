/** What a plan promises of a remote server is what its run sends there, counted at the server. */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { everyPair } from "../help/every-pair.ts";
import { runInProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const open: Remote[] = [];
afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

const CODES = `code:
  { dynamic: true, qr_data: "{{ url }}", display_name: "{{ n }}", folder: Tables/North, tags: [a] }`;
const DESIGN = 'design: { primary_color: "#0a3d62" }';
const LATER = `code: { folder: Tables/North, tags: [a], ${DESIGN} }`;

/** What each kind makes of the rows; `some-`: one of them names its slug. */
const THINGS: Readonly<Record<string, string>> = {
  codes: CODES,
  contacts:
    'code: { type: vCard, dynamic: true, display_name: "{{ n }} {{ name }}", vcard: { first_name: "{{ n }}" } }',
  links: 'link: { link: "{{ url }}", display_name: "{{ n }}" }',
  products: `product:
  identifier_value: "{{ gtin }}"
  links:
    - { link_type: "gs1:pip", title: Product, destination_url: "{{ url }}" }
    - { link_type: "gs1:recipeInfo", title: Recipes, destination_url: "{{ url }}/recipes" }
code: { folder: Tables/North, tags: [a], ${DESIGN} }`,
  "some-links": 'link: { link: "{{ url }}", display_name: "{{ n }}", slug: "{{ slug }}" }',
  "some-pages":
    'page: { title: "Table {{ n }}", links: [{ url: "{{ url }}" }], slug: "{{ slug }}" }',
  "some-forms":
    'form: { title: "{{ n }}", description: "{{ url }}", slug: "{{ slug }}", fields: [{ field_type: text, label: Name }] }',
  forms: `form:
  title: "{{ n }}"
  description: "{{ url }}"
  fields: [{ field_type: text, label: Name }]`,
  pages: `page: { title: "Table {{ n }}", links: [{ url: "{{ url }}" }] }\n${LATER}`,
  pdfs: `pdf: { file: "{{ file }}", filename: "{{ name }}.pdf" }\n${LATER}`,
};

const GTINS = ["4006381333931", "5000112548167", "9780201379624"];

const rows = (word: string, changed = 0): string =>
  [
    "n,url,gtin,file,name,slug",
    ...GTINS.map((gtin, at) => {
      const target = `https://a.example/${at < changed ? `${word}-${at}` : `first-${at}`}`;
      return `${at + 1},${target},${gtin},${at + 1}.pdf,${word}${at},${at === 1 ? "named" : ""}`;
    }),
    "",
  ].join("\n");

const toManifest = (kind: string, thing: string): string => `version: 1
name: ${kind}
kind: ${kind === "contacts" ? "codes" : kind.replace("some-", "")}
source: { file: ../rows.csv, key: [n], columns: { gtin: { type: gtin } } }
${thing}
output: { dir: ../out, files: [svg, png] }
`;

/** Of a code that lists name `1`, `2` and `3`. */
const RETARGET = `version: 1
name: retarget
kind: retarget
source: { file: ../rows.csv }
match: { by: [display_name], value: "{{ n }}" }
set: { qr_data: "{{ url }}" }
output: { dir: ../out-retarget }
`;
const toRedesign = (color: string): string => `version: 1
name: redesign
kind: redesign
select: { folder: Tables/North, subfolders: true }
design: { primary_color: "${color}" }
output: { dir: ../out-redesign, files: [svg, png] }
`;
const toExport = (files: string): string => `version: 1
name: fetched
kind: export
select: { folder: Tables/North, subfolders: true }
output: { dir: ../out-export, files: [${files}] }
`;
const REPORT = `version: 1
name: scans
kind: report
select: { folder: Tables/North, subfolders: true }
window: { start: 2025-12-28, end: 2025-12-30, compare: previous }
flag: { zero_scans_for_days: 5 }
output: { dir: ../out-report, formats: [csv] }
`;

/** The same server, but answers leave out a field, as those of other servers do. */
const without = (remote: Remote, paths: RegExp, field: string): Remote => ({
  ...remote,
  transport: {
    ...remote.transport,
    send: async (request) => {
      const answer = await remote.transport.send(request);
      if (!paths.test(new URL(request.url).pathname)) return answer;
      const text = JSON.stringify(
        JSON.parse(new TextDecoder().decode(answer.body), (key, value: unknown) =>
          key === field ? undefined : value,
        ),
      );
      return { ...answer, body: new TextEncoder().encode(text) };
    },
  },
});

/** Plans and runs: what the plan and the summary say, and what the server was asked. */
async function compare(manifest: string, remote: Remote) {
  const plan = lineOf(await runJson(["plan", manifest], remote), "plan");
  remote.forget();
  const ran = lineOf(await runJson(["run", manifest, "--yes"], remote), "summary");
  const sent = remote.asked.filter((one) => one.includes("/api/v2/"));
  const reads = sent.filter((one) => one.startsWith("GET ")).length;
  const took = { writes: sent.length - reads, reads };
  const told = ({ writes, reads: read }: typeof plan) => ({
    writes: Number(writes),
    reads: Number(read),
  });
  const isAtMost = plan["readsAtMost"] === true;
  return { plan: told(plan), run: told(ran), server: took, isAtMost };
}

async function openAt(files: JobFolder): Promise<Remote> {
  const remote = await openRemote(files.data, "https://codes.example");
  open.push(remote);
  return remote;
}

function writePdfs({ manifest }: JobFolder, changed: number): void {
  for (const [at] of GTINS.entries()) {
    const file = path.join(path.dirname(manifest), `${at + 1}.pdf`);
    cpSync(at < changed ? "samples/manuals/Übersicht.pdf" : "samples/jam-label.pdf", file);
  }
}

it.each(Object.entries(THINGS))("%s: first, again, two rows changed", async (kind, thing) => {
  const files = makeJobFolder(rows("first"), toManifest(kind, thing));
  writePdfs(files, 0);
  const remote = await openAt(files);
  const runs = [await compare(files.manifest, remote), await compare(files.manifest, remote)];
  writeFileSync(files.csv, rows("second", 2));
  writePdfs(files, 2);
  runs.push(await compare(files.manifest, remote));
  expect(runs.map(({ plan }) => plan)).toEqual(runs.map(({ server }) => server));
  expect(runs.map(({ run }) => run)).toEqual(runs.map(({ server }) => server));
});

it.each(["codes", "links", "products", "forms"])("%s: a row more", async (kind) => {
  const files = makeJobFolder("", toManifest(kind, THINGS[kind] ?? ""));
  const remote = await openAt(files);
  const runs: Awaited<ReturnType<typeof compare>>[] = [];
  for (const count of [1, 2, 3]) {
    const lines = rows("first").split("\n");
    writeFileSync(files.csv, `${lines.slice(0, count + 1).join("\n")}\n`);
    runs.push(await compare(files.manifest, remote));
  }
  expect(findFalse(runs)).toEqual([]);
});

it.each(["retarget", "redesign"])("%s: first, again, changed", async (kind) => {
  const files = makeJobFolder(rows("first"), toManifest("codes", CODES));
  const remote = await openAt(files);
  const runs = [await compare(files.manifest, remote)];
  const job = path.join(path.dirname(files.manifest), `${kind}.yaml`);
  const steps = [
    ["#0a3d62", 0],
    ["#0a3d62", 0],
    ["#6a1b9a", 2],
  ] as const;
  for (const [color, changed] of steps) {
    writeFileSync(job, kind === "redesign" ? toRedesign(color) : RETARGET);
    writeFileSync(files.csv, rows("second", changed));
    runs.push(await compare(job, remote));
  }
  expect(runs.map(({ plan }) => plan)).toEqual(runs.map(({ server }) => server));
  expect(runs.map(({ run }) => run)).toEqual(runs.map(({ server }) => server));
});

async function makeCodes(): Promise<JobFolder> {
  const files = makeJobFolder(rows("first"), toManifest("codes", CODES));
  const remote = await openRemote(files.data, "https://codes.example");
  await runJson(["run", files.manifest], remote);
  await remote.close();
  return files;
}
const made = madeOnce(makeCodes);

/** Three codes of a job, and another job beside it. */
async function openMade(kind: string) {
  const files = await made("codes");
  const remote = await openAt(files);
  return { files, remote, job: path.join(path.dirname(files.manifest), `${kind}.yaml`) };
}

/** The runs of which plan or summary don't say what was sent; "at most" is true of fewer, too. */
const findFalse = (runs: readonly Awaited<ReturnType<typeof compare>>[]) =>
  runs.filter(({ plan, run, server, isAtMost }) => {
    const isTrue = isAtMost ? plan.reads >= server.reads : plan.reads === server.reads;
    return !isTrue || run.reads !== server.reads || plan.writes !== server.writes;
  });

it.each(["svg", "png", "svg, png", ""])(
  "export of [%s]: first, again, redesigned elsewhere, a file gone, another name",
  async (list) => {
    const { files, remote, job } = await openMade("export");
    writeFileSync(job, toExport(list));
    const runs = [await compare(job, remote), await compare(job, remote)];
    const other = path.join(path.dirname(job), "redesign.yaml");
    writeFileSync(other, toRedesign("#6a1b9a"));
    await runJson(["run", other, "--yes"], remote);
    runs.push(await compare(job, remote));
    rmSync(path.join(files.root, "out-export/artwork"), { recursive: true, force: true });
    runs.push(await compare(job, remote));
    writeFileSync(job, toExport(list).replace("] }", '], file_name: "x-{{ id }}" }'));
    runs.push(await compare(job, remote));
    expect(findFalse(runs)).toEqual([]);
  },
);

it("export says that this server doesn't tell whether looks have changed", async () => {
  const { remote, job } = await openMade("export");
  writeFileSync(job, toExport("svg"));
  await runJson(["run", job], remote);
  const { out } = await runInProcess(["plan", job], remote);
  expect(out).toContain("0 writes, 5 reads");
  expect(out).toContain(
    "the files of 3 codes are fetched anew, as in every run: this server's list doesn't tell whether their looks have changed",
  );
});

it("report: a second window that begins with the first one", async () => {
  const { remote, job } = await openMade("report");
  writeFileSync(job, REPORT);
  expect(findFalse([await compare(job, remote)])).toEqual([]);
});

const REDESIGNS = everyPair(
  ["true", "false"].flatMap((keep) =>
    ["true", "false"].flatMap((skip) =>
      ["svg", "svg, png"].flatMap((list) =>
        ["shows", "hides"].map((does) => [keep, skip, list, does] as const),
      ),
    ),
  ),
);

it.each(REDESIGNS)(
  "redesign with keep_previous: %s, skip_unchanged: %s and files [%s] of a server that %s designs",
  async (keep, skip, list, does) => {
    const safety = `keep_previous: ${keep}, skip_unchanged: ${skip}`;
    const { files, remote, job } = await openMade("redesign");
    const at =
      does === "shows" ? remote : without(remote, /\/qrcode\/[^/]+\/(?:design\/)?$/u, "design");
    const text = `${toRedesign("#6a1b9a").replace("svg, png", list)}safety: { ${safety} }\n`;
    writeFileSync(job, text);
    const runs = [await compare(job, at), await compare(job, at)];
    rmSync(path.join(files.root, "out-redesign/artwork"), { recursive: true, force: true });
    runs.push(await compare(job, at));
    writeFileSync(job, text.replace("6a1b9a", "0a3d62"));
    runs.push(await compare(job, at));
    expect(findFalse(runs)).toEqual([]);
    const mayBeSo = list === "svg" && does === "shows" && skip === "true";
    expect(runs[0]?.isAtMost).toBe(mayBeSo);
  },
);

it("redesign that was stopped and goes on sends nothing twice, as its plan says", async () => {
  const { remote, job } = await openMade("redesign");
  writeFileSync(job, `${toRedesign("#6a1b9a")}safety: { skip_unchanged: false }\n`);
  const stop = new AbortController();
  const send: Remote["transport"]["send"] = (request) => {
    const answer = remote.transport.send(request);
    if (request.method === "PATCH") stop.abort();
    return answer;
  };
  const transport = { ...remote.transport, send };
  await runJson(["run", job, "--yes"], { ...remote, transport, signal: stop.signal });
  expect(findFalse([await compare(job, remote)])).toEqual([]);
});

it("redesign of codes that look so already takes the reads that the plan names at most", async () => {
  const { remote, job } = await openMade("redesign");
  writeFileSync(job, toRedesign("#111111").replace("svg, png", "svg"));
  expect((await runInProcess(["plan", job], remote)).out).toContain("3 writes, at most 9 reads");
  expect((await compare(job, remote)).server).toEqual({ writes: 0, reads: 9 });
});

it("retarget into a new folder, then others into the same one", async () => {
  const { files, remote, job } = await openMade("retarget");
  const text = RETARGET.replace("set: {", "set: { folder: Tables/South,");
  writeFileSync(job, text);
  const [header, ...cells] = rows("second", 3).split("\n");
  const part = (from: number, to: number): string => [header, ...cells.slice(from, to)].join("\n");
  writeFileSync(files.csv, part(0, 1));
  const runs = [await compare(job, remote)];
  writeFileSync(files.csv, part(1, 3));
  runs.push(await compare(job, remote), await compare(job, remote));
  expect(findFalse(runs)).toEqual([]);
});

it.each(["retarget", "export"])("%s where lists leave out short links", async (kind) => {
  const { files, remote, job } = await openMade(kind);
  writeFileSync(job, kind === "export" ? toExport("svg, png") : RETARGET);
  writeFileSync(files.csv, rows("second", 2));
  const at = without(remote, /\/qrcodes\/$/u, "shortlink_url");
  expect(findFalse([await compare(job, at), await compare(job, at)])).toEqual([]);
});

it.each([
  ["files: [svg]", "the pictures of 3 codes show the look that they had when they were fetched"],
  ["files: [png], zip: true", "the pictures of 3 codes show the look that they had"],
  ["files: [], sheets: { sheet: a4-24up-63.5x33.9 }", "the sheets print 3 codes as this job made"],
  ["files: []", undefined],
])("the plan of a job with %s says that looks are not asked", async (output, says) => {
  const text = toManifest("codes", CODES).replace("files: [svg, png]", output);
  const files = makeJobFolder(rows("first"), text);
  const remote = await openAt(files);
  const isNoted = async () => (await runInProcess(["plan", files.manifest], remote)).out;
  expect(await isNoted()).not.toContain("only code by code");
  await runJson(["run", files.manifest], remote);
  for (const _time of [1, 2]) {
    expect((await isNoted()).includes("only code by code")).toBe(says !== undefined);
    expect(await isNoted()).toContain(says ?? "3 unchanged");
    await runJson(["run", files.manifest], remote);
  }
});
