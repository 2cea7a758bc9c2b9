/** A logo that lies on this computer: judged by the plan, sent along with a change of the code. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeDesignJob, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const ENV = { env: { MAKEREADY_PUBLIC_URL: "https://go.example.com" } };
const ROWS =
  "n,url,logo\n1,https://a.example/1,red.png\n2,https://a.example/2,blue.png\n3,https://a.example/3,\n";

const open: Remote[] = [];
afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

const toPng = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .png()
    .toBuffer();

const makeFolder = async (logo: string, rows = ROWS): Promise<JobFolder> =>
  makeDesignJob(
    rows,
    { design: `logo_file: ${logo}`, output: "files: [svg]" },
    { "red.png": await toPng("red"), "blue.png": await toPng("blue"), "notes.png": "no image" },
  );

const svgOf = ({ out }: JobFolder, n: number): string =>
  readFileSync(path.join(out, "artwork", `${n}.svg`), "utf8");
const run = ({ manifest }: JobFolder, at: Partial<Remote> = ENV) => runJson(["run", manifest], at);

describe("code.design.logo_file", () => {
  it.each([
    ["gone.png", "a file that can be read"],
    ["notes.png", "a PNG, JPEG, GIF, WebP or SVG image"],
  ])(
    "is a fault of the manifest at its line, reported once by plan and run: %s",
    async (logo, rule) => {
      const files = await makeFolder(logo);
      for (const step of ["plan", "run", "validate"]) {
        const { code, err } = await runInProcess([step, files.manifest], ENV);
        expect(code).toBe(2);
        expect(err.match(/code\.design\.logo_file must be/gu)).toHaveLength(1);
        expect(err).toContain(`code.design.logo_file must be ${rule}, got `);
        expect(err).toContain("relative to the manifest");
      }
      expect((await runInProcess(["plan", files.manifest], ENV)).err).toMatch(/\.yaml:9:\d+: /u);
      expect(existsSync(files.out)).toBe(false);
    },
  );

  it("of a column is judged row by row, at its line", async () => {
    const files = await makeFolder('"{{ logo }}"', ROWS.replace("blue.png", "gone.png"));
    const plan = lineOf(await runJson(["plan", files.manifest], ENV), "plan");
    expect(plan).toMatchObject({ good: 2, bad: 1 });
    expect(JSON.stringify(plan)).toContain("logo_file must be a file that can be read");
    expect(plan).toMatchObject({ problems: [{ where: { line: 3 } }] });
  });

  it("costs one more write a code, once; another image in the file changes the codes", async () => {
    const files = await makeFolder("red.png");
    const plan = lineOf(await runJson(["plan", files.manifest], ENV), "plan");
    expect(plan).toMatchObject({ creates: 3, writes: 6 });
    expect(lineOf(await run(files), "summary")).toMatchObject({ created: 3, writes: 6 });
    const red = svgOf(files, 1);
    expect(red).toContain("<image");
    expect(lineOf(await run(files), "summary")).toMatchObject({ writes: 0, unchanged: 3 });
    writeFileSync(path.join(path.dirname(files.manifest), "red.png"), await toPng("green"));
    expect(lineOf(await run(files), "summary")).toMatchObject({ writes: 3, changed: 3 });
    expect(svgOf(files, 1)).toContain("<image");
    expect(svgOf(files, 1)).not.toBe(red);
  });

  it("of a column differs from row to row; an empty cell means none", async () => {
    const files = await makeFolder('"{{ logo }}"');
    expect(lineOf(await run(files), "summary")).toMatchObject({ created: 3, writes: 5 });
    const images = [1, 2, 3].map((n) => /<image[^>]*>/u.exec(svgOf(files, n))?.[0]);
    expect(images[0]).toBeDefined();
    expect(images[1]).toBeDefined();
    expect(images[0]).not.toBe(images[1]);
    expect(images[2]).toBeUndefined();
    const status = async () => lineOf(await runJson(["status", files.manifest], ENV), "summary");
    expect(await status()).not.toHaveProperty("since");
    writeFileSync(path.join(path.dirname(files.manifest), "blue.png"), await toPng("green"));
    expect(await status()).toMatchObject({ since: { isChanged: true } });
    expect(lineOf(await run(files), "summary")).toMatchObject({ writes: 1, changed: 1 });
    expect(await status()).not.toHaveProperty("since");
  });

  it("that the manifest names no more is taken off", async () => {
    const files = await makeFolder("red.png");
    await run(files);
    const text = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, text.replace("logo_file: red.png", ""));
    expect(lineOf(await run(files), "summary")).toMatchObject({ changed: 3, writes: 3 });
    expect(svgOf(files, 1)).not.toContain("<image");
  });

  it.each([
    "files: [svg]",
    "files: [png], zip: true",
    "files: [], sheets: { sheet: a4-24up-63.5x33.9 }",
    "files: []",
  ])("of another image since the last run is noticed by plan and run, with %s", async (output) => {
    for (const isRemote of [false, true]) {
      const files = await makeFolder("red.png");
      const text = readFileSync(files.manifest, "utf8").replace("files: [svg]", output);
      writeFileSync(files.manifest, text);
      let at: Partial<Remote> = ENV;
      if (isRemote) {
        const remote = await openRemote(files.data, "https://codes.example");
        open.push(remote);
        at = remote;
      }
      await run(files, at);
      const planned = async () => lineOf(await runJson(["plan", files.manifest], at), "plan");
      expect(await planned()).toMatchObject({ writes: 0, unchanged: 3 });
      writeFileSync(path.join(path.dirname(files.manifest), "red.png"), await toPng("green"));
      expect(await planned()).toMatchObject({ writes: 3, restyles: 3 });
      expect(lineOf(await run(files, at), "summary")).toMatchObject({ writes: 3, changed: 3 });
      expect(await planned()).toMatchObject({ writes: 0, unchanged: 3 });
    }
  });

  it("of another image is noticed by a redesign, too", async () => {
    const files = await makeFolder("red.png");
    await run(files);
    const job = path.join(path.dirname(files.manifest), "redesign.yaml");
    writeFileSync(
      job,
      "version: 1\nname: re\nkind: redesign\nselect: {}\ndesign: { logo_file: blue.png }\noutput: { dir: ../re, files: [svg] }\n",
    );
    const plan = async () => lineOf(await runJson(["plan", job], ENV), "plan");
    await runJson(["run", job, "--yes"], ENV);
    expect(await plan()).toMatchObject({ writes: 0 });
    writeFileSync(path.join(path.dirname(job), "blue.png"), await toPng("green"));
    expect(await plan()).toMatchObject({ writes: 3 });
    const ran = lineOf(await runJson(["run", job, "--yes"], ENV), "summary");
    expect(ran).toMatchObject({ writes: 3, changed: 3 });
  });

  it("reaches a remote server in the same way", async () => {
    const files = await makeFolder("red.png");
    const remote = await openRemote(files.data, "https://codes.example");
    open.push(remote);
    expect(lineOf(await run(files, remote), "summary")).toMatchObject({ created: 3, writes: 6 });
    expect(remote.asked.filter((one) => one.startsWith("PATCH "))).toHaveLength(3);
    expect(svgOf(files, 2)).toContain("<image");
  });
});
