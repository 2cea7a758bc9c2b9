/** Sampled proofs: requested, refused, reported everywhere, and never mistaken for full ones. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { parseCertificate } from "../../src/pack/certificate.ts";
import { runInProcess, type InProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

/** So many labels as ask for a sampled proof take minutes to be made. */
const runMost = (args: readonly string[]) => runInProcess(args, { mostDecodedAll: 100 });

const LABELS = 130;
/** The first and last of six pages, and the 101st. */
const DECODED = 13;
const SAYS = `sampled proof of ${LABELS} codes: ${DECODED} decoded, each module of the others compared`;

const manifestOf = (sheets: string, source = `{ range: [1, ${LABELS}] }`): string => `version: 1
name: flow
kind: codes
source: ${source}
code: { type: Link, qr_data: "https://a.example/{{ number }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, ${sheets} } }
`;

const summaryOf = ({ out, err }: InProcess): Record<string, unknown> => {
  const line = out.trim().split("\n").at(-1);
  expect(line, err).toBeTruthy();
  return JSON.parse(line ?? "") as Record<string, unknown>;
};

let job: JobFolder;
let first: Record<string, unknown>;
const run = async (...more: string[]) =>
  summaryOf(await runMost(["run", job.manifest, "--json", ...more]));
const certificate = () =>
  parseCertificate(readFileSync(path.join(job.out, "certificate.json"), "utf8"));
const report = () =>
  readFileSync(path.join(job.out, "report.html"), "utf8").replaceAll(/\s+/gu, " ");

const pdf = () => readFileSync(path.join(job.out, "flow.pdf"));

beforeAll(async () => {
  job = makeJobFolder("", manifestOf("proof: sampled"));
  first = await run();
});

describe("a sampled proof", () => {
  it("is reported by plan, run, report, certificate and check, and is never ready for press", async () => {
    const planned = await runMost(["plan", job.manifest, "--set", "output.sheets.copies=2"]);
    expect(planned.out).toContain("sampled proof: of 260 labels one of 100 is decoded");
    expect(first).toMatchObject({
      proof: `${SAYS}, all of them right, no rule broken`,
      press: {
        verdict: "ready-sampled",
        says: `Ready, ${SAYS}`,
        sampled: { codes: LABELS, decoded: DECODED },
      },
    });
    expect(report()).toContain(`Ready, ${SAYS}`);
    expect(report()).toContain(
      `The proof was sampled: ${LABELS - DECODED} codes were not read; each of their modules was compared`,
    );
    expect(report()).not.toContain("Ready for press");
    const { statement } = certificate();
    expect(statement).toMatchObject({
      version: 2,
      press: { verdict: "ready-sampled" },
      proof: { codes: LABELS, read: DECODED, compared: LABELS - DECODED },
    });
    const checked = await runMost(["check", path.join(job.out, "certificate.json")]);
    expect(checked).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        `${LABELS} printed codes on 6 pages, sampled proof: ${DECODED} read back, each module of ${LABELS - DECODED} compared`,
      ) as string,
    });
  });

  it("stays sampled in runs that find nothing to do, while verify decodes every code", async () => {
    const verified = await runMost(["verify", job.manifest]);
    expect(verified.out).toContain(`all ${LABELS} codes read back from the PDFs`);
    expect(verified.out).toContain("\nready for press\n");
    expect(await run()).toMatchObject({ press: first["press"], unchanged: LABELS });
  });

  it("is proven in full when the job asks for that, and stays so", async () => {
    const before = pdf();
    const full = await run("--set", "output.sheets.proof=full");
    const ready = { verdict: "ready", says: "Ready for press", warnings: [] };
    expect(full).toMatchObject({
      proof: `all ${LABELS} codes read back from the PDFs, no rule broken`,
      press: ready,
    });
    expect(certificate().statement).toMatchObject({ version: 1, proof: { read: LABELS } });
    expect(certificate().statement.proof).not.toHaveProperty("compared");
    expect((await run()).press).toEqual(ready);
    expect(report()).toContain("Ready for press");
    expect(pdf().equals(before)).toBe(true);
  });
});

it("decodes every code of a run of few rows, whose next run is sampled", async () => {
  const { manifest } = makeJobFolder("", manifestOf("proof: sampled"));
  const ran = await runMost(["run", manifest, "--json", "--limit", "40"]);
  const few = summaryOf(ran);
  expect(ran.out).toContain(
    "sampled proof for all 130 labels of the job; this run leaves 90 rows for later",
  );
  expect(few).toMatchObject({
    proof: "all 40 codes read back from the PDFs, no rule broken",
    press: { verdict: "ready-with-warnings" },
  });
  const all = summaryOf(await runMost(["run", manifest, "--json"]));
  expect(all).toMatchObject({ press: { verdict: "ready-sampled" } });
});

const plan = async (manifest: string, rows = ""): Promise<InProcess> => {
  const files = makeJobFolder(rows, manifest);
  const ended = await runMost(["plan", files.manifest]);
  expect(ended.code).toBe(2);
  expect(existsSync(files.out)).toBe(false);
  return ended;
};

describe("a sampled proof is refused", () => {
  it("of 100,000 labels and less", async () => {
    const few = (labels: number) =>
      runInProcess([
        "plan",
        makeJobFolder(
          "",
          manifestOf(`proof: sampled, copies: ${labels / 10}`, "{ range: [1, 10] }"),
        ).manifest,
      ]);
    expect((await few(100_000)).err).toContain(
      "output.sheets.proof: sampled must have more than 100,000 labels, got 100,000\n  → proof: full decodes every code; up to 100,000 take minutes at most",
    );
    const more = manifestOf("proof: sampled, copies: 9091", "{ range: [1, 11] }");
    const planned = await runInProcess(["plan", makeJobFolder("", more).manifest]);
    expect(planned.out, planned.err).toContain("sampled proof: of 100,001 labels");
  });

  it.each([
    [
      "rows of a spreadsheet",
      manifestOf("proof: sampled", "{ file: ../rows.csv }"),
      /output\.sheets\.proof must be "full" where rows are not generated/u,
    ],
    [
      "codes of the server",
      manifestOf("proof: sampled, artwork: server"),
      /must be "full" where the server draws the codes/u,
    ],
    [
      "few labels",
      manifestOf("proof: sampled", "{ range: [1, 100] }"),
      /must have more than 100 labels, got 100/u,
    ],
    [
      "a style",
      manifestOf("proof: sampled, code_style: { pattern: Circles }"),
      /must go without a style of codes/u,
    ],
    [
      "a design",
      manifestOf("proof: sampled").replace('}" }', '}", design: { pattern: Circles } }'),
      /must go without designs of codes/u,
    ],
    [
      "symbols",
      manifestOf(
        'proof: sampled, label: { items: [{ code: true, at: [3.5, 3.5, 24, 24] }, { symbol: code-128, data: "{{ number }}", at: [28, 4, 32, 16] }] }',
      ),
      /must go without symbols or pictures/u,
    ],
  ])("%s", async (_, manifest, says) => {
    const { err } = await plan(manifest, "number\n1\n");
    expect(err).toMatch(says);
  });
});
