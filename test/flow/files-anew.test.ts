/** Finished files that a run makes anew though no code changes: plan and status say so before. */
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { areUntouched, noteUntouched, stampPicture } from "../../src/download/picture-files.ts";
import { openState } from "../../src/state/state.ts";
import { everyPair } from "../help/every-pair.ts";
import { runInProcess } from "./in-process.ts";
import { madeOnce, makeJobFolder, type JobFolder } from "./job-folder.ts";
import { noteStamps } from "./note-stamps.ts";
import { lineOf } from "./seed.ts";

const ENV = { env: { MAKEREADY_PUBLIC_URL: "https://go.example.com" } };

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "code {{ n }}" }
output:
  dir: ../out
  files: [svg]
  zip: true
  index: [csv]
  sheets: { sheet: a4-24up-63.5x33.9, caption: "{{ n }}" }
`;
const ROWS = "n,url,note\n1,https://a.example/1,x\n2,https://a.example/2,y\n";

const ask = (files: JobFolder, command: string, ...more: string[]) =>
  runInProcess([command, files.manifest, ...more], { ...ENV, cwd: files.root });

const edit = (file: string, from: string, to: string): void =>
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));

async function runNew(manifest: string): Promise<JobFolder> {
  const files = makeJobFolder(ROWS, manifest);
  expect((await ask(files, "run")).code).toBe(0);
  return files;
}
const done = madeOnce(runNew);
const makeDone = (manifest = MANIFEST): Promise<JobFolder> => done(manifest);

const SAYS_CHANGED = "the job has changed since the last run";
const SAYS_OTHER_ROWS = "  the spreadsheet has changed since the last run";

/** What is done to a finished job -> what the plan says of it, and what status says. */
const changes: Readonly<
  Record<string, readonly [(files: JobFolder) => void, says: string, status: string]>
> = {
  "another label sheet": [
    ({ manifest }) => edit(manifest, "a4-24up-63.5x33.9", "avery-3274.3"),
    "a run makes flow.pdf anew: layout or labels have changed since",
    SAYS_CHANGED,
  ],
  "another caption": [
    ({ manifest }) => edit(manifest, 'caption: "{{ n }}"', 'caption: "No. {{ n }}"'),
    "a run makes flow.pdf anew: layout or labels have changed since",
    SAYS_CHANGED,
  ],
  "another name of the PDF": [
    ({ manifest }) => edit(manifest, "sheets: {", "sheets: { name: other.pdf,"),
    "a run makes other.pdf anew: layout or labels have changed since",
    SAYS_CHANGED,
  ],
  "rows in another order": [
    ({ csv }) => writeFileSync(csv, "n,url\n2,https://a.example/2\n1,https://a.example/1\n"),
    "flow.pdf",
    SAYS_OTHER_ROWS,
  ],
  "a cell that no code uses": [
    ({ csv }) => edit(csv, ",x\n", ",z\n"),
    "a run makes flow.pdf anew: the spreadsheet has changed since",
    SAYS_OTHER_ROWS,
  ],
  "a caption and a cell": [
    ({ csv, manifest }) => {
      edit(csv, ",x\n", ",z\n");
      edit(manifest, 'caption: "{{ n }}"', 'caption: "No. {{ n }}"');
    },
    "a run makes flow.pdf anew: ",
    "  the spreadsheet and the job have changed since the last run",
  ],
  "another index": [
    ({ manifest }) => edit(manifest, "index: [csv]", "index: [csv, xlsx]"),
    "index.xlsx",
    SAYS_CHANGED,
  ],
  "a missing PDF": [
    ({ out }) => rmSync(path.join(out, "flow.pdf")),
    "a run makes flow.pdf anew: it is missing",
    "flow.pdf is missing (made anew by: makeready run jobs/flow.yaml)",
  ],
  "a missing report and archive": [
    ({ out }) => {
      rmSync(path.join(out, "report.html"));
      rmSync(path.join(out, "flow.zip"));
    },
    "a run makes flow.zip, report.html anew: they are missing",
    "flow.zip, report.html are missing",
  ],
  "a missing picture": [
    ({ out }) => rmSync(path.join(out, "artwork", readdirSync(path.join(out, "artwork"))[0] ?? "")),
    "a run makes the pictures of 1 code anew: they are not all there",
    "files of 1 not all there, not those that the job asks for, or somebody has changed them",
  ],
  "a PDF with other bytes": [
    ({ out }) => writeFileSync(path.join(out, "flow.pdf"), "x"),
    "a run makes flow.pdf anew: it is not as it was written",
    "flow.pdf is not as it was written (made anew by: makeready run jobs/flow.yaml)",
  ],
};

describe("a finished job", () => {
  it("has nothing to do", async () => {
    const files = await makeDone();
    const { code, out } = await ask(files, "plan", "--detailed-exitcode");
    expect([code, out]).toEqual([0, expect.not.stringContaining("→ to do this")]);
    expect((await ask(files, "status")).out).toBe("flow\n  2 done\n");
  });

  it.each(Object.entries(changes))("with %s is to be run again", async (_what, change) => {
    const [make, says, status] = change;
    const files = await makeDone();
    make(files);
    const planned = await ask(files, "plan", "--detailed-exitcode");
    expect(planned.out).toContain(says);
    expect(planned.out).toContain("→ to do this: ");
    expect(planned.out).toContain("2 unchanged");
    expect(planned.code).toBe(3);
    const { out } = await ask(files, "plan", "--json");
    expect(out).toContain(says);
    expect((await ask(files, "status")).out).toContain(status);
    expect((await ask(files, "run")).code).toBe(0);
    const again = await ask(files, "plan", "--detailed-exitcode");
    expect([again.code, again.out]).toEqual([0, expect.not.stringContaining(" anew")]);
    expect((await ask(files, "status")).out).toBe("flow\n  2 done\n");
  });

  it("under another public address is to be run again", async () => {
    const files = makeJobFolder(ROWS, MANIFEST);
    await runInProcess(["run", files.manifest]);
    const planned = await ask(files, "plan", "--detailed-exitcode");
    expect(planned.out).toContain("the files of 2 codes are made anew");
    expect(planned.out).toContain("→ to do this: ");
    expect(planned.code).toBe(3);
    expect((await ask(files, "status")).out).toContain(SAYS_CHANGED);
  });

  it("says only what changes where rows change, too", async () => {
    const files = await makeDone();
    edit(files.csv, "example/2", "example/two");
    expect((await ask(files, "plan")).out).not.toContain(" anew");
  });
});

const inArtwork = ({ out }: JobFolder, name: string): string => path.join(out, "artwork", name);

/** What happens to a picture of a finished job: the plan sees it. */
const lost: Readonly<Record<string, (files: JobFolder) => void>> = {
  "a missing PNG": (files) => rmSync(inArtwork(files, "1.png")),
  "a missing SVG": (files) => rmSync(inArtwork(files, "1.svg")),
  "a PNG with other bytes": (files) => writeFileSync(inArtwork(files, "1.png"), "x"),
  "an SVG with other bytes": (files) => writeFileSync(inArtwork(files, "1.svg"), "x"),
  "a PNG that is readable still": (files) => appendFileSync(inArtwork(files, "1.png"), "\n"),
  "an SVG that is readable still": (files) => appendFileSync(inArtwork(files, "1.svg"), "\n"),
};

const cases = ["codes", "links"].flatMap((kind) =>
  (kind === "codes" ? ["svg, png", "svg", "png"] : ["svg, png"]).flatMap((formats) =>
    Object.keys(lost)
      .filter((what) => formats.toUpperCase().includes(/PNG|SVG/u.exec(what)?.[0] ?? ""))
      .map((what) => [kind, formats, what] as const),
  ),
);

it.each(everyPair(cases))(
  "a finished job of %s with [%s] and %s: the plan is true before and after verify, which stays as it is",
  async (kind, formats, what) => {
    const manifest = MANIFEST.replace("files: [svg]", `files: [${formats}]`)
      .replace("kind: codes", `kind: ${kind}`)
      .replace(
        /^code: .*$/mu,
        kind === "codes" ? "$&" : 'link: { link: "{{ url }}", display_name: "code {{ n }}" }',
      );
    const files = await makeDone(manifest);
    const zip = sha256(readFileSync(path.join(files.out, "flow.zip")));
    lost[what]?.(files);
    const before = await ask(files, "plan");
    expect(before.out).toContain("a run makes the pictures of 1 code anew");
    expect(before.out).toContain("or somebody has changed them");
    const verified = await ask(files, "verify");
    expect(verified.code).toBe(3);
    expect(await ask(files, "verify")).toEqual(verified);
    const after = await ask(files, "plan");
    expect(after).toEqual(before);
    expect(after.out).not.toMatch(/also in archives|flow\.zip anew|not proven/u);
    expect((await ask(files, "status")).out).toContain(
      "files of 1 not all there, not those that the job asks for, or somebody has changed them",
    );
    const plan = lineOf(await ask(files, "plan", "--json"), "plan");
    const run = await ask(files, "run", "--json");
    expect(run.code, run.err).toBe(0);
    const summary = lineOf(run, "summary");
    expect(summary).toMatchObject({ writes: 0, reads: plan["reads"] });
    expect(plan["readsAtMost"]).toBeUndefined();
    expect(sha256(readFileSync(path.join(files.out, "flow.zip")))).toBe(zip);
    expect((await ask(files, "verify")).code).toBe(0);
    expect((await ask(files, "plan")).out).not.toContain(" anew");
  },
);

it("a picture with other bytes is made anew by a run alone, which reads it back", async () => {
  const files = await makeDone();
  const file = inArtwork(files, "1.svg");
  const bytes = readFileSync(file);
  appendFileSync(file, "\n");
  const { code, out } = await ask(files, "run");
  expect([code, out]).toEqual([0, expect.stringContaining("the pictures of 1 code anew")]);
  expect(out).toContain("1 SVG read back and 1 SVG proven before");
  expect(readFileSync(file)).toEqual(bytes);
  expect((await ask(files, "verify")).code).toBe(0);
});

it("a picture that shows its other bytes by nothing is made anew once verify has read it", async () => {
  const files = await makeDone();
  const file = inArtwork(files, "1.svg");
  const bytes = readFileSync(file);
  appendFileSync(file, "\n");
  noteStamps(files.out, stampPicture);
  expect((await ask(files, "plan")).out).not.toContain(" anew");
  expect((await ask(files, "verify")).out).toContain(
    "got other bytes (made anew by: makeready run",
  );
  expect((await ask(files, "run")).code).toBe(0);
  expect(readFileSync(file)).toEqual(bytes);
});

it.each(["other", undefined])(
  "pictures of a copied folder, or of an older makeready, are read once (stamps: %s)",
  async (stamp) => {
    const files = await makeDone();
    noteStamps(files.out, () => stamp);
    expect((await ask(files, "plan")).out).not.toContain(" anew");
    const { code, out } = await ask(files, "run");
    expect([code, out]).toEqual([0, expect.stringContaining("2 SVGs proven before")]);
    const state = openState(files.out, { writer: "test", salt: "", nowMs: 0 });
    expect(areUntouched(state, files.out)).toBe(true);
    state.close();
  },
);

it("a look at pictures that are as noted lets others have their turn", async () => {
  const { out } = await makeDone();
  const state = openState(out, { writer: "test", salt: "", nowMs: 0 });
  let isTurn = false;
  setImmediate(() => (isTurn = true));
  await noteUntouched(state, out, new AbortController().signal);
  state.close();
  expect(isTurn).toBe(true);
});

it("a picture that is put back is found by verify, and nothing is left to do", async () => {
  const files = await makeDone();
  const file = inArtwork(files, "1.svg");
  const bytes = readFileSync(file);
  writeFileSync(file, "x");
  expect((await ask(files, "verify")).code).toBe(3);
  writeFileSync(file, bytes);
  expect((await ask(files, "verify")).code).toBe(0);
  expect((await ask(files, "plan")).out).not.toContain(" anew");
});

it("an archive that holds a wrong picture is named as made anew, too", async () => {
  const files = await makeDone();
  const name = "artwork/1.svg";
  const other = readFileSync(inArtwork(files, "2.svg"));
  writeFileSync(path.join(files.out, name), other);
  const state = openState(files.out, { writer: "test", salt: "", nowMs: 0 });
  const row = [...state.rows()].find(({ artwork }) => artwork?.files[0]?.name === name);
  if (row?.artwork == null) throw new Error("no row with pictures");
  const wrong = [{ name, sha256: sha256(other) }];
  state.pictures.set(row.key, { ...row.artwork, files: wrong, proven: [name] });
  state.close();
  expect((await ask(files, "verify")).code).toBe(3);
  const { out } = await ask(files, "plan");
  expect(out).toContain("a run makes the pictures of 1 code anew");
  expect(out).toContain("a run makes flow.zip anew: what is packed in it has changed since");
  expect((await ask(files, "run")).code).toBe(0);
  expect((await ask(files, "verify")).code).toBe(0);
});

const spoil = ({ csv }: JobFolder): void => edit(csv, "https://a.example/2", "htp://a.example/2");

describe("a good row that becomes bad", () => {
  const typed = MANIFEST.replace("key: [n]", "key: [n], columns: { url: { type: url } }");

  it("leaves PDF and archive: the plan names both, and is done after the run", async () => {
    const files = await makeDone(typed);
    const packed = sha256(readFileSync(path.join(files.out, "flow.zip")));
    spoil(files);
    const { out } = await ask(files, "plan");
    expect(out).toMatch(/a run makes flow\.pdf.* anew/u);
    expect(out).toContain("a run makes flow.zip anew: what is packed in it has changed since");
    expect(out).toContain("→ to do this: makeready run");
    expect((await ask(files, "run")).code).toBe(3);
    expect(sha256(readFileSync(path.join(files.out, "flow.zip")))).not.toBe(packed);
    const after = await ask(files, "plan", "--detailed-exitcode");
    expect(after.out).not.toContain(" anew");
    // A run would change nothing.
    expect(after.code).toBe(3);
    expect(after.out).not.toContain("→ to do this");
    expect(after.out).toMatch(
      /→ nothing is left to do but the bad row: mend it in the spreadsheet, then run again: makeready run /u,
    );
    edit(files.csv, "htp://a.example/2", "https://a.example/2");
    expect((await ask(files, "plan")).out).toContain("→ to do this: makeready run");
  });
});

it("a row that the server has refused lies in no archive: a plan has none made anew for it", async () => {
  const links = MANIFEST.replace("kind: codes", "kind: links").replace(
    /code: .*/u,
    'link: { link: "{{ url }}", slug: "{{ note }}" }',
  );
  const files = makeJobFolder(ROWS.replace(/1,.*\n/u, ""), links);
  const other = ["--out", "other", "--set", "link.link=https://b.example/"];
  expect((await ask(files, "run", ...other)).code).toBe(0);
  writeFileSync(files.csv, ROWS);
  expect((await ask(files, "run")).code).toBe(3);
  const { out } = await ask(files, "plan");
  expect(out).toContain("1 refused before");
  expect(out).not.toContain("anew");
  expect(out).toMatch(/ZIP {7}flow\.zip \(1\)\n +PDF {7}flow\.pdf \(1\)/u);
  expect(out).toMatch(/predicted grade .* for the code\n/u);
});
