/** Codes whose design or destination another job has changed: what the sheets print of them, and what is said of it. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { PDFDocument } from "pdf-lib";
import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { type JobFolder, madeOnce, makeJobFolder } from "./job-folder.ts";
import { lineOf, runJson } from "./seed.ts";

const ENV = { env: { MAKEREADY_PUBLIC_URL: "https://go.example.com" } };
const SHEET = "sheet: a4-24up-63.5x33.9";
const BLUE = '{ primary_color: "#0a3d62", pattern: Circles, frame: card, text: SCAN }';

const owners = (more = "{}", sheets = SHEET): string => `version: 1
name: own
kind: codes
source: { file: ../rows.csv, key: [n], columns: { url: { type: url } } }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "code {{ n }}", folder: Tables, design: ${more} }
output: { dir: ../out, files: [svg], sheets: { ${sheets} } }
`;

const manifests = {
  restyle: `version: 1
name: restyle
kind: redesign
select: { folder: Tables }
design: ${BLUE}
output: { dir: ../restyle, files: [svg] }
`,
  restyleOnSheets: `version: 1
name: restyle
kind: redesign
select: { folder: Tables }
design: ${BLUE}
output: { dir: ../restyle, files: [], sheets: { ${SHEET} } }
`,
  move: `version: 1
name: move
kind: retarget
source: { file: ../moved.csv }
match: { by: [display_name], value: "{{ code }}" }
set: { qr_data: "{{ to }}" }
output: { dir: ../move }
`,
  print: `version: 1
name: print
kind: export
select: { folder: Tables }
output: { dir: ../print, files: [png], sheets: { ${SHEET} } }
`,
  printPlain: `version: 1
name: print
kind: export
select: { folder: Tables }
output: { dir: ../print, files: [], sheets: { print: plain, ${SHEET} } }
`,
} as const;

const ROWS = "n,url\n1,https://a.example/1\n2,https://a.example/2\n";

/** Two codes of a job, in blue since another job came. */
async function restyle(manifest: string): Promise<JobFolder> {
  const files = makeJobFolder(ROWS, manifest);
  expect((await runInProcess(["run", files.manifest], ENV)).code).toBe(0);
  const ran = await runInProcess(["run", write(files, "restyle")], ENV);
  expect(ran.code, ran.err).toBe(0);
  return files;
}
const restyled = madeOnce(restyle);
const makeRestyled = (manifest = owners()): Promise<JobFolder> => restyled(manifest);

function write({ manifest }: JobFolder, name: keyof typeof manifests): string {
  const file = path.join(path.dirname(manifest), `${name}.yaml`);
  writeFileSync(file, manifests[name]);
  return file;
}

const plan = (file: string) => runInProcess(["plan", file], ENV);
const run = (file: string) => runInProcess(["run", file], ENV);
const report = (files: JobFolder, folder: string): string =>
  readFileSync(path.join(files.root, folder, "report.html"), "utf8");

const inksOf = async (file: string): Promise<string> => {
  const pdf = await PDFDocument.load(readFileSync(file));
  return pdf.context
    .enumerateIndirectObjects()
    .map(([, object]) => String(object))
    .join("\n");
};

const BLACK =
  "the sheets print 2 codes plain black: without the colours, pattern, frame and frame text that they have at the service, since this job gave them no design";

describe("the job that made codes, after another one redesigned them", () => {
  it("says in plan, run and report how many print black, and why", async () => {
    const files = await makeRestyled();
    expect((await plan(files.manifest)).out).toContain(`warning   ${BLACK} (rows 1, 2)`);
    const ran = await run(files.manifest);
    expect(ran.out).toContain("press     Ready, with 1 warning\n");
    expect(ran.out).toContain(`warning   ${BLACK}`);
    expect(report(files, "out")).toContain(BLACK.replace("the", "The"));
    const again = await runJson(["run", files.manifest], ENV);
    const warnings = [{ code: "codes-designed-since", count: 2, rows: ["1", "2"] }];
    expect(lineOf(again, "summary")).toMatchObject({ writes: 0, press: { warnings } });
  });

  it("says the same in verify and in the certificate", async () => {
    const files = await makeRestyled();
    await run(files.manifest);
    const verified = await runInProcess(["verify", files.manifest], ENV);
    expect(verified.out).toContain(BLACK);
    expect(verified.out).toContain("ready for press, with 1 warning\n");
    const proof = lineOf(await runJson(["verify", files.manifest], ENV), "summary");
    const warnings = [{ code: "codes-designed-since", count: 2, rows: ["1", "2"] }];
    expect(proof).toMatchObject({ press: { verdict: "ready-with-warnings", warnings } });
    const checked = await runInProcess(["check", path.join(files.out, "certificate.json")]);
    expect(checked.out).toContain("; 1 warning\n");
    expect(checked.out).toContain(`warning   ${BLACK}`);
  });

  it("says so of codes that it had designed itself", async () => {
    const green = '{ primary_color: "#006400" }';
    const files = await makeRestyled(owners(green, `print: plain, ${SHEET}`));
    expect((await plan(files.manifest)).out).toContain(
      "the sheets print 2 codes in the look that this job knows, which the service has changed since: colours, pattern, frame and frame text (rows 1, 2)",
    );
  });

  it("says nothing once the look is its own, or the change was undone", async () => {
    const files = await makeRestyled();
    writeFileSync(files.manifest, owners(BLUE));
    const planned = await plan(files.manifest);
    expect(planned.out).not.toContain("at the service");
    expect((await run(files.manifest)).out).toContain("press     Ready for press\n");
    const other = await makeRestyled();
    await run(other.manifest);
    const undone = await runInProcess(["undo", write(other, "restyle"), "--yes"], ENV);
    expect(undone.code, undone.err).toBe(0);
    expect((await plan(other.manifest)).out).not.toContain("at the service");
    expect((await run(other.manifest)).out).toContain("press     Ready for press\n");
    expect(report(other, "out")).not.toContain("at the service");
  });
});

/** Two codes of a job; the first leads elsewhere since another job came. */
async function move(): Promise<JobFolder> {
  const files = makeJobFolder(ROWS, owners());
  expect((await runInProcess(["run", files.manifest], ENV)).code).toBe(0);
  writeFileSync(path.join(files.root, "moved.csv"), "code,to\ncode 1,https://neu.example/1\n");
  const ran = await runInProcess(["run", write(files, "move")], ENV);
  expect(ran.code, ran.err).toBe(0);
  return files;
}
const moved = madeOnce(move);
const makeMoved = (): Promise<JobFolder> => moved("");

describe("the job that made codes, after another one moved them", () => {
  const ELSEWHERE =
    "1 code leads elsewhere than this job made it: line 2 to https://neu.example/1 instead of https://a.example/1. The answer to a change was lost, or another job or a person has changed it since; the index has the old destination";

  it("says in plan, run and report where they lead, also when nothing is to be done", async () => {
    const files = await makeMoved();
    expect((await plan(files.manifest)).out).toContain(`warning   ${ELSEWHERE}`);
    const ran = await run(files.manifest);
    expect(ran.out).toContain(`warning   ${ELSEWHERE}`);
    expect(ran.out.split("Done: ")[1]).toContain(`note      ${ELSEWHERE}`);
    expect(report(files, "out")).toContain(ELSEWHERE);
    const again = await run(files.manifest);
    expect(again.out).toContain(`warning   ${ELSEWHERE}`);
    expect(again.out.split("Done: ")[1]).toContain(`note      ${ELSEWHERE}`);
    const verified = await runInProcess(["verify", files.manifest], ENV);
    expect(verified.out).toContain(ELSEWHERE);
    expect(verified.code).toBe(0);
  });

  it("says nothing once the spreadsheet has the new destination, or the move was undone", async () => {
    const files = await makeMoved();
    writeFileSync(files.csv, ROWS.replace("https://a.example/1", "https://neu.example/1"));
    expect((await plan(files.manifest)).out).not.toContain("elsewhere");
    await run(files.manifest);
    expect((await plan(files.manifest)).out).not.toContain("elsewhere");
    const other = await makeMoved();
    await run(other.manifest);
    expect((await runInProcess(["undo", write(other, "move"), "--yes"], ENV)).code).toBe(0);
    expect((await plan(other.manifest)).out).not.toContain("elsewhere");
    await run(other.manifest);
    expect(report(other, "out")).not.toContain("elsewhere");
  });
});

it("a job says which of its codes another one has renamed and filed elsewhere", async () => {
  const files = makeJobFolder(
    ROWS,
    owners().replace("files: [svg], sheets: { sheet: a4-24up-63.5x33.9 }", "files: [svg]"),
  );
  await run(files.manifest);
  const other = write(files, "move");
  writeFileSync(
    other,
    manifests.move.replace(/set: .*/u, 'set: { display_name: "{{ to }}", folder: "{{ in }}" }'),
  );
  writeFileSync(
    path.join(files.root, "moved.csv"),
    "code,to,in\ncode 1,Alpha,Tables/neu\ncode 2,code 2,tables\n",
  );
  expect((await plan(files.manifest)).out).not.toContain("another");
  expect((await run(other)).code).toBe(0);
  const told =
    'warning   1 code has another name or folder than this job gave it: line 2 the name "Alpha" instead of "code 1" and the folder "Tables/neu" instead of "Tables". The answer to a change was lost, or another job or a person has changed it since; the index has the old name and folder';
  expect((await plan(files.manifest)).out).toContain(told);
  expect((await run(files.manifest)).out).toContain(told);
  expect((await runInProcess(["undo", other, "--yes"], ENV)).code).toBe(0);
  expect((await plan(files.manifest)).out).not.toContain("another name");
});

const GS1 = {
  products: `product: { identifier_value: "{{ gtin }}", links: [{ link_type: "gs1:pip", title: Page, destination_url: "{{ url }}" }] }
code: {}`,
  codes: `code: { type: GS1, gs1_product: { identifier_value: "{{ gtin }}", destination_url: "{{ url }}" } }`,
} as const;

/** Two jobs register the same GTIN with another destination; the second one isn't run yet. */
async function registerTwice(kind: "products" | "codes") {
  const of = (name: string): string => `version: 1
name: ${name}
kind: ${kind}
source: { file: ../rows.csv, key: [gtin], columns: { gtin: { type: gtin }, url: { type: url } } }
${GS1[kind]}
output: { dir: ../${name}, files: [svg] }
`;
  const files = makeJobFolder(GTINS, of("own"));
  const first = await runInProcess(["run", files.manifest], ENV);
  expect(first.code, first.err).toBe(0);
  writeFileSync(files.csv, GTINS.replace("/brot", "/anders"));
  const other = path.join(path.dirname(files.manifest), "other.yaml");
  writeFileSync(other, of("other"));
  const again = async (manifest: string, url: string, command: string): Promise<string> => {
    writeFileSync(files.csv, GTINS.replace("/brot", url));
    const { code, out, err } = await runInProcess([command, manifest], ENV);
    expect(code, err).toBe(0);
    return out;
  };
  return { files, other, again };
}

const GTINS =
  "gtin,url\n4000000010005,https://a.example/brot\n4000000010371,https://a.example/kuchen\n";

describe.each(["products", "codes"] as const)(
  "a GTIN that another job of kind %s makes again",
  (kind) => {
    const TAKEN =
      "1 product is registered already and leads elsewhere; this run changes where its printed codes lead: line 2 from https://a.example/brot to https://a.example/anders";
    const MOVED =
      "1 product leads elsewhere than this job made it: line 2 to https://a.example/anders instead of https://a.example/brot. The answer to a change was lost, or another job or a person has changed it since; the index has the old destination";

    it("is named before and by the run that takes it over, and by the job that it was taken from", async () => {
      const { files, other, again } = await registerTwice(kind);
      expect(await again(files.manifest, "/brot", "plan")).not.toContain("elsewhere");
      expect(await again(other, "/anders", "plan")).toContain(`warning   ${TAKEN}`);
      expect(await again(other, "/anders", "run")).toContain(`warning   ${TAKEN}`);
      expect(await again(other, "/anders", "plan")).not.toContain("elsewhere");
      expect(await again(files.manifest, "/brot", "plan")).toContain(`warning   ${MOVED}`);
      expect(await again(files.manifest, "/brot", "run")).toContain(`warning   ${MOVED}`);
      expect(await again(files.manifest, "/brot", "run")).toContain(`warning   ${MOVED}`);
      expect(await again(files.manifest, "/anders", "plan")).not.toContain("elsewhere");
    });

    it("is nothing to speak of where it leads to the same address", async () => {
      const { other, again } = await registerTwice(kind);
      expect(await again(other, "/brot", "plan")).not.toContain("elsewhere");
      expect(await again(other, "/brot", "run")).not.toContain("elsewhere");
    });
  },
);

describe("products that another job has registered already", () => {
  it("are all named, and the plan counts at most the writes of the run", async () => {
    const { files, other, again } = await registerTwice("products");
    const planned = await again(other, "/anders", "plan");
    expect(planned).toMatch(/\n {2}calls {5}at most \d writes, /u);
    const json = await runJson(["plan", other], ENV);
    expect(lineOf(json, "plan")).toMatchObject({ writesAtMost: true });
    expect(planned).toContain(
      "2 products are registered already: line 2, line 3; the run sends at most the writes that are counted here",
    );
    expect(await again(other, "/anders", "run")).toContain("2 products are registered already:");
    expect(await again(other, "/anders", "plan")).not.toContain("registered already");
    expect(await again(files.manifest, "/brot", "plan")).not.toContain("registered already");
  });

  it("are taken back by the rows of the job that has changed them", async () => {
    const { files, other, again } = await registerTwice("products");
    await again(other, "/anders", "run");
    expect(await again(files.manifest, "/brot", "plan")).toContain(
      "to take it back, write the old destination into the rows of the job that has changed it, and run that job",
    );
    await again(other, "/brot", "run");
    expect(await again(files.manifest, "/brot", "plan")).not.toContain("elsewhere");
  });
});

describe("pictures that were fetched while another job's look stood", () => {
  it("are named by the plan once it is undone, and fetched anew by the run", async () => {
    const files = makeJobFolder(ROWS, owners());
    const first = await runInProcess(["run", files.manifest]);
    // The end of each stage is shown.
    expect(first.err).toMatch(/codes 2\/2 .*\n.*files 2\/2 /u);
    const restyle = write(files, "restyle");
    await runInProcess(["run", restyle]);
    await run(files.manifest);
    const pictures = path.join(files.root, "out/artwork");
    const picture = path.join(pictures, readdirSync(pictures)[0] ?? "");
    expect(readFileSync(picture, "utf8")).toContain("#0a3d62");
    expect((await plan(files.manifest)).out).not.toContain("the pictures of");
    expect((await runInProcess(["undo", restyle, "--yes"])).code).toBe(0);
    const says =
      "the pictures of 2 codes show a look that the service has changed since: colours, pattern, frame and frame text; a run fetches them anew (rows 1, 2)";
    const planned = await plan(files.manifest);
    expect(planned.out).toContain(`warning   ${says}`);
    expect(planned.out).toContain("0 writes, 2 reads");
    const ran = await run(files.manifest);
    expect(ran.out).toContain("0 writes and 2 reads");
    expect(ran.out).toContain("press     Ready for press\n");
    expect(readFileSync(picture, "utf8")).not.toContain("#0a3d62");
    expect((await plan(files.manifest)).out).not.toContain("the pictures of");
  });
});

const onlyPictures = (output: string): string =>
  owners().replace(/^output: .*$/mu, `output: { dir: ../out, ${output} }`);

describe.each(["files: [svg]", "files: [png]", "files: [svg, png], zip: { name: all.zip }"])(
  "a job with %s and no sheets, after another one redesigned its codes",
  (output) => {
    const says =
      "the pictures of 2 codes show the look that this job gave them, which the service has changed since: colours, pattern, frame and frame text (rows 1, 2)";

    it("says in plan, run and report that its pictures show the look before", async () => {
      const files = await makeRestyled(onlyPictures(output));
      for (const _time of [1, 2]) {
        expect((await plan(files.manifest)).out).toContain(`warning   ${says}`);
        const ran = await run(files.manifest);
        expect(ran.out).toContain(`warning   ${says}`);
        expect(ran.out).toContain("0 writes and 0 reads");
      }
      expect(report(files, "out")).toContain(says.replace("the", "The"));
      const undone = await runInProcess(["undo", write(files, "restyle"), "--yes"], ENV);
      expect(undone.code, undone.err).toBe(0);
      expect((await plan(files.manifest)).out).not.toContain("the pictures of");
      expect((await run(files.manifest)).out).toContain(
        "verdict   Done: every picture was read back\n",
      );
    });

    it("says so of pictures fetched with that look, and fetches them anew once it is undone", async () => {
      const files = await makeRestyled(onlyPictures(output));
      rmSync(path.join(files.root, "out/artwork"), { recursive: true });
      writeFileSync(files.manifest, onlyPictures(`${output}, file_name: "x-{{ n }}"`));
      const there =
        "the pictures of 2 codes show a look that the service has given them since, not that of this job: colours, pattern, frame and frame text (rows 1, 2)";
      await run(files.manifest);
      const isPng = output.includes("png");
      const pictures = path.join(files.root, "out/artwork");
      const shown = readdirSync(pictures)
        .filter((name) => name.endsWith(".svg"))
        .map((name) => readFileSync(path.join(pictures, name), "utf8").includes("#0a3d62"));
      expect(shown.every((isTheirs) => isTheirs === isPng)).toBe(true);
      // A drawing that came with the code is kept, but not beside a PNG in another look.
      expect((await plan(files.manifest)).out).toContain(isPng ? there : says);
      expect((await runInProcess(["undo", write(files, "restyle"), "--yes"], ENV)).code).toBe(0);
      const stale = "show a look that the service has changed since";
      expect((await plan(files.manifest)).out.includes(stale)).toBe(isPng);
      expect((await run(files.manifest)).out).toContain(
        "verdict   Done: every picture was read back\n",
      );
      expect((await plan(files.manifest)).out).not.toContain("the pictures of");
    });
  },
);

describe("a job over codes that exist", () => {
  it("of kind export prints them as the service shows them", async () => {
    const files = await makeRestyled();
    const job = write(files, "print");
    const planned = await plan(job);
    expect(planned.out).toContain("codes are printed as designed: #0a3d62 as C97 M54 Y0 K60\n");
    expect(planned.out).not.toContain("plain black");
    const ran = await run(job);
    expect(ran.out).toContain("press     Ready for press\n");
    expect(await inksOf(path.join(files.root, "print/print.pdf"))).toMatch(/\/XObject/u);
    expect(report(files, "print")).not.toContain("on the sheet<");
    expect((await runInProcess(["verify", job], ENV)).out).toContain("ready for press\n");
  });

  it("says how many of them it prints plain, and without what", async () => {
    const files = await makeRestyled();
    const says =
      "the sheets print 2 codes plain black: without colours, pattern, frame and frame text";
    const job = write(files, "printPlain");
    expect((await plan(job)).out).toContain(says);
    expect((await run(job)).out).toContain(`warning   ${says}`);
  });

  it("says nothing of codes that are plain", async () => {
    const files = makeJobFolder(ROWS, owners());
    await run(files.manifest);
    for (const name of ["print", "printPlain"] as const) {
      expect((await plan(write(files, name))).out).not.toContain("warning");
      expect((await run(write(files, name))).out).toContain("press     Ready for press\n");
    }
  });

  it("names the logo that it has no drawing of", async () => {
    const logo = path.resolve(import.meta.dirname, "../../templates/logos/winter.png");
    const files = makeJobFolder(ROWS, owners(`{ logo_file: ${JSON.stringify(logo)} }`));
    await run(files.manifest);
    const job = write(files, "print");
    const says = "the sheets print 2 codes without logo";
    expect((await plan(job)).out).toContain(says);
    expect((await run(job)).out).toContain(`warning   ${says}`);
    writeFileSync(job, manifests.print.replace("[png]", "[svg]"));
    expect((await plan(job)).out).not.toContain(says);
    expect((await run(job)).out).toContain("press     Ready for press\n");
  });

  it("of kind redesign prints plain black, and says so before and after", async () => {
    const files = makeJobFolder(ROWS, owners());
    await run(files.manifest);
    const job = write(files, "restyleOnSheets");
    const says = "the sheets print 2 codes plain black: without the design that they have";
    expect((await plan(job)).out).toContain(says);
    expect((await run(job)).out).toContain(`warning   ${says}`);
  });
});
