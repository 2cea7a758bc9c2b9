/** Finished files of jobs over codes that exist, which a run makes anew: their plan says so before. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import type { JobOf } from "../../src/kinds/any-job.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import { forgetResult } from "../../src/pipeline/standing/last-result.ts";
import { openState } from "../../src/state/state.ts";
import { runInProcess } from "./in-process.ts";
import { type JobFolder, madeOnce, makeJobFolder } from "./job-folder.ts";
import { lineOf, runJson } from "./seed.ts";

const CODES = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "code {{ n }}" }
output: { dir: ../made, files: [] }
`;
const ROWS = "n,url\n1,https://a.example/1\n2,https://a.example/2\n";

const OUTPUT = `output:
  dir: ../out
  files: [svg]
  zip: { name: flow.zip }
  index: [csv]
  sheets: { sheet: a4-24up-63.5x33.9, name: flow.pdf, caption: "{{ display_name }}", print: designed }
`;
const EXPORT = `version: 1\nname: later\nkind: export\nselect: { q: code }\n${OUTPUT}`;
const MANIFESTS = {
  export: EXPORT,
  exportDrawn: EXPORT.replace("print: designed", "artwork: server"),
  redesign: `version: 1\nname: later\nkind: redesign\nselect: { q: code }\ndesign: { primary_color: "#003366" }\n${OUTPUT}`,
  retarget: `version: 1
name: later
kind: retarget
source: { file: ../targets.csv }
match: { by: [display_name], value: "{{ code }}" }
set: { qr_data: "{{ url }}" }
output: { dir: ../out, index: [csv] }
`,
} as const;

type Kind = keyof typeof MANIFESTS;

interface Shop {
  readonly out: string;
  readonly manifest: string;
  /** Another job gives the codes a colour. */
  readonly restyle: () => Promise<unknown>;
  /** The first job makes one more. */
  readonly more: () => Promise<unknown>;
  readonly ask: (
    command: string,
    ...more: (string | Parameters<typeof runInProcess>[1])[]
  ) => ReturnType<typeof runInProcess>;
}

const edit = (file: string, from: string, to: string): void =>
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));

/** A folder with codes, and a job over them that has not run yet. */
async function begin(kind: Kind): Promise<JobFolder> {
  const files = makeJobFolder(ROWS, CODES);
  expect((await runInProcess(["run", files.manifest], { cwd: files.root })).code).toBe(0);
  writeFileSync(path.join(files.root, "jobs", "later.yaml"), MANIFESTS[kind]);
  writeFileSync(path.join(files.root, "targets.csv"), "code,url\ncode 1,https://b.example/1\n");
  return files;
}
const begun = madeOnce(begin);

function openShop({ root, out, csv, manifest: codes }: JobFolder): Shop {
  const manifest = path.join(root, "jobs", "later.yaml");
  const ask: Shop["ask"] = (command, ...given) => {
    const args = given.filter((one) => typeof one === "string");
    const changes = given.filter((one) => typeof one !== "string");
    return runInProcess([command, manifest, ...args], Object.assign({ cwd: root }, ...changes));
  };
  const restyle = (): Promise<unknown> => {
    const other = path.join(root, "jobs", "other.yaml");
    const text = MANIFESTS.redesign.replace("name: later", "name: other");
    writeFileSync(other, text.replace("../out", "../other"));
    return runInProcess(["run", other], { cwd: root });
  };
  const more = (): Promise<unknown> => {
    writeFileSync(csv, `${ROWS}3,https://a.example/3\n`);
    return runInProcess(["run", codes], { cwd: root });
  };
  return { out, manifest, ask, restyle, more };
}

async function finish({ ask }: Shop): Promise<void> {
  const { code, err } = await ask("run");
  expect(code, err).toBe(0);
}

const done = madeOnce(async (kind: Kind) => {
  const files = await begun(kind);
  await finish(openShop(files));
  return files;
});
const makeDone = async (kind: Kind): Promise<Shop> => openShop(await done(kind));

type Change = readonly [Kind, (shop: Shop) => unknown, files: readonly string[], says: string];

const changes: Readonly<Record<string, Change>> = {
  "another label sheet": [
    "export",
    ({ manifest }) => edit(manifest, "a4-24up-63.5x33.9", "avery-3274.3"),
    ["flow.pdf"],
    "a run makes flow.pdf anew: layout or labels have changed since",
  ],
  "another label sheet of restyled codes": [
    "redesign",
    ({ manifest }) => edit(manifest, "a4-24up-63.5x33.9", "avery-3274.3"),
    ["flow.pdf"],
    "a run makes flow.pdf anew: layout or labels have changed since",
  ],
  "another design": [
    "redesign",
    ({ manifest }) => edit(manifest, "#003366", "#660033"),
    ["flow.zip"],
    "a run makes flow.zip anew: what is packed in it has changed since",
  ],
  "another error correction": [
    "redesign",
    ({ manifest }) => edit(manifest, "design: { ", "design: { error_correction: H, "),
    ["flow.pdf", "flow.zip"],
    "a run makes flow.pdf anew: layout or labels have changed since",
  ],
  "another design by another job": [
    "export",
    ({ restyle }) => restyle(),
    ["flow.pdf", "flow.zip"],
    "a run makes flow.pdf anew: layout or labels have changed since",
  ],
  "one more code": [
    "export",
    ({ more }) => more(),
    ["flow.pdf", "flow.zip"],
    "a run makes flow.zip anew: what is packed in it has changed since",
  ],
  "a code fewer": [
    "redesign",
    ({ manifest }) => edit(manifest, "q: code", "q: code 1"),
    ["flow.pdf", "flow.zip"],
    "a run makes flow.zip anew: what is packed in it has changed since",
  ],
  "another caption": [
    "export",
    ({ manifest }) => edit(manifest, '"{{ display_name }}"', '"No. {{ display_name }}"'),
    ["flow.pdf"],
    "a run makes flow.pdf anew: layout or labels have changed since",
  ],
  "a missing PDF": [
    "export",
    ({ out }) => rmSync(path.join(out, "flow.pdf")),
    ["flow.pdf"],
    "a run makes flow.pdf anew: it is missing",
  ],
  "a missing archive and report": [
    "redesign",
    ({ out }) => {
      rmSync(path.join(out, "flow.zip"));
      rmSync(path.join(out, "report.html"));
    },
    ["flow.zip", "report.html"],
    "a run makes flow.zip, report.html anew: they are missing",
  ],
  "a PDF with other bytes": [
    "export",
    ({ out }) => writeFileSync(path.join(out, "flow.pdf"), "x"),
    ["flow.pdf"],
    "a run makes flow.pdf anew: it is not as it was written",
  ],
  "a missing picture": [
    "export",
    ({ out }) => rmSync(path.join(out, "artwork", readdirSync(path.join(out, "artwork"))[0] ?? "")),
    [],
    "a run makes the pictures of 1 code anew: they are not all there",
  ],
  "a missing picture that its PDF prints": [
    "exportDrawn",
    ({ out }) => rmSync(path.join(out, "artwork", readdirSync(path.join(out, "artwork"))[0] ?? "")),
    [],
    "a run makes the pictures of 1 code anew: they are not all there",
  ],
  "a missing picture that its PDF prints, and another label sheet": [
    "exportDrawn",
    ({ out, manifest }) => {
      rmSync(path.join(out, "artwork", readdirSync(path.join(out, "artwork"))[0] ?? ""));
      edit(manifest, "a4-24up-63.5x33.9", "avery-3274.3");
    },
    ["flow.pdf"],
    "a run makes the pictures of 1 code anew: they are not all there",
  ],
  "a missing list": [
    "retarget",
    ({ out }) => rmSync(path.join(out, "index.csv")),
    ["index.csv"],
    "a run makes index.csv anew: it is missing",
  ],
};

const toStamps = (folder: string): Record<string, bigint> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      statSync(path.join(folder, name), { bigint: true }).ino,
    ]),
  );

const toFiles = (plan: ReturnType<typeof lineOf>): string[] =>
  (plan["notes"] as string[])
    .flatMap((note) => /^a run makes (.+) anew/u.exec(note)?.[1]?.split(", ") ?? [])
    .filter((name) => !name.startsWith("the "))
    .toSorted();

/** What was done to its files -> what status says, and has as data. */
const losses: Readonly<Record<string, readonly [says: string, json: object]>> = {
  "a missing PDF": ["flow.pdf is missing", { since: { missing: ["flow.pdf"], damaged: [] } }],
  "a missing archive and report": [
    "flow.zip, report.html are missing",
    { since: { missing: ["flow.zip", "report.html"], damaged: [] } },
  ],
  "a PDF with other bytes": [
    "flow.pdf is not as it was written",
    { since: { missing: [], damaged: ["flow.pdf"] } },
  ],
  "a missing picture": [
    "2 done, files of 1 not all there, not those that the job asks for, or somebody has changed them",
    { missingFiles: 1 },
  ],
  "a missing list": ["index.csv is missing", { since: { missing: ["index.csv"], damaged: [] } }],
};

describe("a finished job over codes that exist", () => {
  it.each(Object.entries(losses))("with %s has a status that says so", async (what, loss) => {
    const [kind, make] = changes[what] as Change;
    const [says, json] = loss;
    const shop = await makeDone(kind);
    const { out: whole } = await shop.ask("status");
    await make(shop);
    const { out } = await shop.ask("status");
    expect(out).toContain(says);
    expect(out).toContain("by: makeready run jobs/later.yaml)");
    expect(JSON.parse((await shop.ask("status", "--json")).out)).toMatchObject(json);
    await finish(shop);
    expect((await shop.ask("status")).out).toBe(whole);
  });

  it.each(Object.keys(MANIFESTS))("of kind %s has nothing to do", async (kind) => {
    const { ask } = await makeDone(kind as Kind);
    const { code, out } = await ask("plan", "--detailed-exitcode");
    expect(out).not.toContain(" anew");
    expect([code, out]).toEqual([0, expect.not.stringContaining("→ to do this")]);
  });

  it("that never ran has its files to make", async () => {
    const { ask } = openShop(await begun("export"));
    const { code, out } = await ask("plan", "--detailed-exitcode");
    expect([code, out]).toEqual([3, expect.stringContaining("→ to do this: ")]);
    expect(out).not.toContain(" anew");
  });

  it("names the program where another one made its files", async () => {
    const { ask } = await makeDone("redesign");
    const { out } = await ask("plan", { writer: "makeready next" });
    expect(out).toContain(
      "a run makes flow.pdf, flow.zip anew: another version of makeready wrote them",
    );
  });

  it("whose run was stopped says that a run finishes its files", async () => {
    const { ask, manifest } = await makeDone("export");
    const { stateDir } = (await loadJob(manifest, { env: {} })) as JobOf<"export">;
    const state = openState(stateDir, { writer: "makeready test", salt: "", nowMs: 0 });
    forgetResult(state);
    state.close();
    const { code, out } = await ask("plan", "--detailed-exitcode");
    expect(out).toContain("the last run did not end: a run finishes its files");
    expect(code).toBe(3);
  });

  it("whose next run gets a folder of its own makes nothing anew there", async () => {
    const { ask, manifest } = await makeDone("export");
    edit(manifest, "dir: ../out", 'dir: "../out/{{ date }}"');
    const { code, out } = await ask("plan", "--detailed-exitcode");
    expect([code, out]).toEqual([3, expect.not.stringContaining(" anew")]);
  });

  it.each(Object.entries(changes))("with %s is to be run again", async (_what, change) => {
    const [kind, make, files, says] = change;
    const shop = await makeDone(kind);
    await make(shop);
    const before = toStamps(shop.out);
    const planned = await shop.ask("plan", "--detailed-exitcode");
    expect(planned.out).toContain(says);
    expect(planned.out).toContain("→ to do this: ");
    expect(planned.code).toBe(3);
    const json = await runJson(["plan", shop.manifest]);
    expect(json.out).toContain(says);
    expect(toFiles(lineOf(json, "plan"))).toEqual(files);
    expect((await shop.ask("run")).code).toBe(0);
    // What was named is what was made; lists are written in every run.
    const after = toStamps(shop.out);
    const made = ["flow.pdf", "flow.zip"].filter((name) => before[name] !== after[name]);
    expect(made).toEqual(files.filter((name) => name.startsWith("flow.") && kind !== "retarget"));
    await finish(shop);
    const again = await shop.ask("plan", "--detailed-exitcode");
    expect([again.code, again.out]).toEqual([0, expect.not.stringContaining(" anew")]);
  });
});
