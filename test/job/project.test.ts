import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import type { CodesJob } from "../../src/kinds/codes/job.ts";
import { explainJob, loadJob, type LoadOptions } from "../../src/kinds/manifest.ts";
import { PROJECT_FILE } from "../../src/kinds/project.ts";

const MANIFEST = `version: 1
name: shelves
kind: codes
source: { file: rows.csv, key: [shelf], columns: { shelf: { required: true } } }
code: { qr_data: "{{ shelf }}", type: Text, display_name: "{{ shelf }}" }
output: { sheets: { copies: 2 } }
run: { concurrency: 2 }
`;

/** A project: its config above, a manifest in jobs/. */
function makeProject(config: string, manifest = MANIFEST): { folder: string; file: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-project-"));
  mkdirSync(path.join(folder, "jobs"));
  const file = path.join(folder, "jobs", "shelves.yaml");
  writeFileSync(file, manifest);
  writeFileSync(path.join(folder, PROJECT_FILE), config);
  return { folder, file };
}

async function load(config: string, options: Partial<LoadOptions> = {}, manifest = MANIFEST) {
  const { folder, file } = makeProject(config, manifest);
  const job = (await loadJob(file, { env: {}, ...options })) as CodesJob;
  return { job, folder, file };
}

async function refuse(config: string): Promise<{ error: AppError; folder: string }> {
  const { folder, file } = makeProject(config);
  const error: unknown = await loadJob(file, { env: {} }).catch((caught: unknown) => caught);
  if (error instanceof AppError) return { error, folder };
  throw new Error("the config should have been refused");
}

describe("order: flags > environment > manifest > project config > default (docs/spec/jobs.md section 1)", () => {
  const CONFIG = "run: { concurrency: 5, share: 0.5 }\noutput: { sheets: { device_dpi: 600 } }\n";

  it("the project says what the manifest leaves open", async () => {
    const { job } = await load(CONFIG);
    expect(job.run).toMatchObject({ concurrency: 2, share: 0.5, onRowError: "continue" });
    expect(job.output.sheets).toMatchObject({ copies: 2, deviceDpi: 600 });
  });

  it("a flag and the environment win over both", async () => {
    const { job } = await load(CONFIG, { set: ["run.concurrency=7", "run.share=1"] });
    expect(job.run).toMatchObject({ concurrency: 7, share: 1 });
    const api = "api: { base_url: https://project.example/api/v2, workspace: P }\n";
    const env = { MAKEREADY_BASE_URL: "https://env.example/api/v2", MAKEREADY_WORKSPACE: "E" };
    expect((await load(api)).job.api).toEqual({
      baseUrl: "https://project.example/api/v2",
      workspace: "P",
    });
    expect((await load(api, { env })).job.api).toEqual({
      baseUrl: "https://env.example/api/v2",
      workspace: "E",
    });
    const baseUrl = "https://flag.example/api/v2";
    expect((await load(api, { env, baseUrl })).job.api.baseUrl).toBe(baseUrl);
  });

  it("the nearest config counts, and none is fine", async () => {
    const { folder, file } = makeProject(CONFIG);
    writeFileSync(path.join(folder, "jobs", PROJECT_FILE), "run: { share: 0.25 }\n");
    const job = (await loadJob(file, { env: {} })) as CodesJob;
    expect(job.run.share).toBe(0.25);
    expect(job.output.sheets?.deviceDpi).toBeNull();
  });
});

describe("what a project shares", () => {
  it("turns on no sheets, archive or code that the manifest doesn't ask for", async () => {
    const config = "output: { zip: true, sheets: { device_dpi: 600 } }\n";
    const plain = MANIFEST.replace(/^output.*\n/mu, "");
    expect((await load(config, {}, plain)).job.output).toMatchObject({ zip: null, sheets: null });
    const short = MANIFEST.replace(/^output.*$/mu, "output: { sheets: true, zip: false }");
    const { job } = await load(config, {}, short);
    expect(job.output.zip).toBeNull();
    expect(job.output.sheets?.deviceDpi).toBe(600);
  });

  it("has paths of its own, relative to itself", async () => {
    const { job, folder } = await load("api: { base_url: https://a.example, token_file: token }\n");
    expect(job.api.tokenFile).toBe(path.join(folder, "token"));
  });

  it("takes the environment like manifests", async () => {
    const config = "run: { concurrency: 5, share: ${SHARE} }\n".replace("${SHARE}", '"${SHARE}"');
    const { job } = await load(config, { env: { SHARE: "0.75" } });
    expect(job.run.share).toBe(0.75);
  });

  it("leaves kinds alone that don't know a field", async () => {
    const report = "version: 1\nname: r\nkind: report\nselect: {}\nwindow: { days: 7 }\n";
    const { file } = makeProject("output: { files: [svg], sheets: { copies: 2 } }\n", report);
    expect((await loadJob(file, { env: {} })).kind).toBe("report");
  });
});

describe("mistakes in it are reported at their place", () => {
  it.each([
    ["name: x\n", `name must not stand in ${PROJECT_FILE}: it is a job's own`, 1],
    ["output:\n  dir: out\n", `output.dir must not stand in ${PROJECT_FILE}`, 2],
    ["run:\n  concurency: 3\n", "run.concurency must be a known field", 2],
    ["api:\n  token: x\n", "secrets never do", 2],
    ["- a\n", "must be a map", 1],
  ])("%j", async (config, message, line) => {
    const { error, folder } = await refuse(config);
    expect(error.problems[0]?.message).toContain(message);
    expect(error.problems[0]?.where).toMatchObject({
      file: path.join(folder, PROJECT_FILE),
      line,
    });
  });
});

describe("explainJob", () => {
  it("says of every value where it comes from", async () => {
    const manifest = MANIFEST.replace("concurrency: 2", 'settle: "${SETTLE:-90s}"');
    const { folder, file } = makeProject("run: { concurrency: 5 }\n", manifest);
    const options = { env: { SETTLE: "45s" }, set: ["output.index=[xlsx]"], out: "/tmp/x" };
    const { fields } = await explainJob(file, options);
    const found = Object.fromEntries(fields.map(({ field, ...rest }) => [field, rest]));
    const here = { kind: "manifest", name: file };
    expect(found).toMatchObject({
      name: { value: "shelves", origin: { ...here, line: 2 } },
      "source.columns.shelf.required": { value: true, origin: { ...here, line: 4 } },
      "run.concurrency": {
        value: 5,
        origin: { kind: "project", name: path.join(folder, PROJECT_FILE), line: 1 },
      },
      "run.settle": { value: "45s", origin: { kind: "environment", name: "SETTLE" } },
      "run.max_failures": { value: "100%", origin: { kind: "default" } },
      "output.dir": { value: "/tmp/x", origin: { kind: "flag", name: "--out" } },
      "output.index": {
        value: ["xlsx"],
        origin: { kind: "flag", name: "--set output.index=[xlsx]" },
      },
      "output.sheets.copies": { value: 2, origin: { ...here, line: 6 } },
      "output.sheets.overs": { value: "0%", origin: { kind: "default" } },
    });
    const unset = await explainJob(file, { env: {} });
    expect(unset.fields.find(({ field }) => field === "run.settle")).toMatchObject({
      value: "90s",
      origin: { kind: "manifest", line: 7 },
    });
  });

  it("can be fed back: every field is one that --set takes, with the value shown", async () => {
    const { file } = makeProject("");
    const { fields } = await explainJob(file, { env: {} });
    const set = fields.map(({ field, value }) => `${field}=${JSON.stringify(value)}`);
    const again = await explainJob(file, { env: {}, set });
    expect(again.fields.map(({ field, value }) => [field, value])).toEqual(
      fields.map(({ field, value }) => [field, value]),
    );
    expect(again.fields.every(({ origin }) => origin.kind === "flag")).toBe(true);
  });
});
