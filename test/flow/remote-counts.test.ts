/** What a plan promises of a remote server is what its run sends there, counted at the server. */
import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { makeJobFolder, type JobFolder } from "./job-folder.ts";
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

/** Plans and runs: what the plan and the summary say, and what the server was asked. */
async function compare(manifest: string, remote: Remote) {
  const plan = lineOf(await runJson(["plan", manifest], remote), "plan");
  remote.forget();
  const ran = lineOf(await runJson(["run", manifest, "--yes"], remote), "summary");
  const sent = remote.asked.filter((one) => one.includes("/api/v2/"));
  const reads = sent.filter((one) => one.startsWith("GET ")).length;
  const took = { writes: sent.length - reads, reads };
  const told = ({ writes, reads: read }: typeof plan) => ({ writes, reads: read });
  return { plan: told(plan), run: told(ran), server: took };
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
