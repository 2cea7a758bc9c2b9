/** A move to a public address: the plan counts the reads that the run then takes. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const ROWS = "name,url\nA,https://a.example/\nB,https://b.example/\nC,https://c.example/\n";

const makeManifest = (kind: string, fields: string, files: string): string =>
  `version: 1\nname: moved\nkind: ${kind}\nsource: { file: ../rows.csv, key: [name] }\n${fields}\noutput: { dir: ../out, files: [${files}] }\n`;

const QUESTION = "{ field_type: text, label: Why? }";
const KINDS: Readonly<Record<string, readonly [kind: string, fields: string]>> = {
  "dynamic codes": ["codes", 'code: { dynamic: true, qr_data: "{{ url }}" }'],
  "static codes": ["codes", 'code: { dynamic: false, qr_data: "{{ url }}" }'],
  "short links": ["links", 'link: { link: "{{ url }}" }'],
  "landing pages": [
    "pages",
    'page: { title: "{{ name }}", links: [{ type: url, title: Go, url: "{{ url }}" }] }',
  ],
  forms: ["forms", `form: { title: "{{ name }}", fields: [${QUESTION}] }`],
};

const looks = (level: string): string =>
  `code: { dynamic: true, qr_data: "{{ url }}", design: { error_correction: ${level} } }`;

const toLinks = (isDynamic: boolean): string =>
  makeManifest("codes", `code: { dynamic: ${isDynamic}, qr_data: "{{ url }}" }`, "svg");

const readsOf = (out: string, type: string): unknown => {
  const lines = out.split("\n").filter((line) => line.startsWith(`{"type":"${type}"`));
  return (JSON.parse(lines.at(-1) ?? "{}") as { reads?: number }).reads;
};

describe("after a move to a public address", () => {
  it.each(
    Object.entries(KINDS).flatMap(([name, kind]) => [
      [name, "svg", ...kind] as const,
      [name, "svg, png", ...kind] as const,
    ]),
  )(
    "the plan of %s with files [%s] counts the reads of the run",
    async (name, files, kind, fields) => {
      const job = makeJobFolder(ROWS, makeManifest(kind, fields, files));
      const made = await runInProcess(["run", job.manifest, "--json"]);
      expect([made.code, made.err]).toEqual([0, ""]);
      writeFileSync(
        job.manifest,
        `${readFileSync(job.manifest, "utf8")}api: { public_url: "https://go.example.com" }\n`,
      );
      const planned = await runInProcess(["plan", job.manifest, "--json"]);
      const run = await runInProcess(["run", job.manifest, "--json", "--yes"]);
      expect(run.code).toBe(0);
      const [wish, took] = [readsOf(planned.out, "plan"), readsOf(run.out, "summary")];
      expect(planned.out.includes("short links begin with")).toBe(name !== "static codes");
      expect(took === 0).toBe(name === "static codes");
      expect(wish).toBe(took);
    },
  );

  it("nothing is left to do for static codes, which hold no address of a server", async () => {
    const [kind, fields] = KINDS["static codes"] ?? ["", ""];
    const job = makeJobFolder(ROWS, makeManifest(kind, fields, "svg, png"));
    await runInProcess(["run", job.manifest]);
    const env = { MAKEREADY_PUBLIC_URL: "https://go.example.com" };
    const { code, out } = await runInProcess(["plan", job.manifest, "--detailed-exitcode"], {
      env,
    });
    expect([code, out]).toEqual([0, expect.stringContaining("0 writes, 0 reads")]);
    expect(out).not.toContain("→ to do this");
    expect((await runInProcess(["status", job.manifest], { env })).out).toBe("moved\n  3 done\n");
  });

  it("a missing file of a static code is named where the dynamic codes of before are bad now", async () => {
    const job = makeJobFolder(ROWS, toLinks(false));
    await runInProcess(["run", job.manifest]);
    writeFileSync(job.manifest, toLinks(true));
    writeFileSync(job.csv, `${ROWS}D,https://d.example/\n`);
    await runInProcess(["run", job.manifest, "--yes"]);
    writeFileSync(job.manifest, `${toLinks(false)}api: { public_url: "https://go.example.com" }\n`);
    const artwork = path.join(job.out, "artwork");
    rmSync(path.join(artwork, readdirSync(artwork).toSorted()[0] ?? ""));
    const planned = await runInProcess(["plan", job.manifest, "--json"]);
    const run = await runInProcess(["run", job.manifest, "--json", "--yes"]);
    expect(readsOf(planned.out, "plan")).toBe(readsOf(run.out, "summary"));
    expect(planned.out).not.toContain("short links begin with");
    expect(planned.out).toContain("the pictures of 1 code anew");
  });

  it("and says at most where the changed part shows what would be read", async () => {
    const [kind, fields] = KINDS["forms"] ?? ["", ""];
    const job = makeJobFolder(ROWS, makeManifest(kind, fields, "svg, png"));
    await runInProcess(["run", job.manifest]);
    const moved = readFileSync(job.manifest, "utf8").replace("Why?", "How?");
    writeFileSync(job.manifest, `${moved}api: { public_url: "https://go.example.com" }\n`);
    const planned = await runInProcess(["plan", job.manifest]);
    expect(planned.out).toContain("at most 6 reads");
    const run = await runInProcess(["run", job.manifest, "--json", "--yes"]);
    expect(readsOf(run.out, "summary")).toBe(3);
  });

  it.each([
    ["all rows are bad now", "A B C", "calls     0 writes, 0 reads\n", 0],
    ["one is bad now", "A", "calls     0 writes, 4 reads\n", 4],
    ["one is gone", "-", "calls     0 writes, 4 reads\n", 4],
  ])("and is true where %s", async (_case, changed, says, reads) => {
    const [kind, fields] = KINDS["landing pages"] ?? ["", ""];
    const job = makeJobFolder(ROWS, makeManifest(kind, fields, "svg"));
    await runInProcess(["run", job.manifest]);
    const rows = ROWS.split("\n").filter((row) => changed !== "-" || !row.startsWith("A,"));
    const other = rows.map((row) =>
      changed.includes(row.charAt(0)) ? row.replace("https:", "https://new.example/?") : row,
    );
    writeFileSync(job.csv, other.join("\n"));
    writeFileSync(
      job.manifest,
      `${readFileSync(job.manifest, "utf8")}api: { public_url: "https://go.example.com" }\n`,
    );
    const planned = await runInProcess(["plan", job.manifest]);
    expect(planned.out).toContain(says);
    expect(planned.out.includes("short links begin with")).toBe(reads > 0);
    const run = await runInProcess(["run", job.manifest, "--json", "--yes"]);
    expect(readsOf(run.out, "summary")).toBe(reads);
  });

  it("and no more than that is read where codes get another look with the move", async () => {
    const many = [
      "name,url",
      ...Array.from({ length: 40 }, (_, at) => `A${at},https://a.example/`),
    ];
    const rows = `${many.join("\n")}\n`;
    const job = makeJobFolder(rows, makeManifest("codes", looks("H"), "svg, png"));
    await runInProcess(["run", job.manifest]);
    const moved = makeManifest("codes", looks("M"), "svg, png");
    writeFileSync(job.manifest, `${moved}api: { public_url: "https://go.example.com" }\n`);
    const planned = await runInProcess(["plan", job.manifest, "--json"]);
    const run = await runInProcess(["run", job.manifest, "--json", "--yes"]);
    const [wish, took] = [readsOf(planned.out, "plan"), readsOf(run.out, "summary")];
    expect(took).toBeLessThanOrEqual(Number(wish));
  });
});
