/** What respondents sent, fetched into the output folder (docs/spec/api.md section 2.11). */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { parse } from "csv-parse/sync";
import sharp from "sharp";
import { expect, it } from "vitest";

import { DEFAULT_PUBLIC_URL } from "../../src/pipeline/address/server.ts";
import { openService } from "../../src/service/service.ts";
import { readZip } from "../pack/read-zip.ts";
import { look, submit, type Answers } from "../service/visit-form.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { lineOf, runJson } from "./seed.ts";

const MANIFEST = `version: 1
name: flow
kind: forms
source: { file: ../rows.csv, key: [room] }
form:
  title: "Room {{ room }}"
  fields:
    - { field_type: rating, label: "{{ ask }}" }
    - { field_type: textarea, label: More }
    - { field_type: checkbox, label: Liked, options: [Food, Music] }
    - { field_type: yes_no, label: Again }
    - { field_type: image, label: Photo }
output: { dir: ../out, files: [] }
`;
const ROWS = "room;ask\n1;How was it?\n2;How did you sleep?\n";

const photo = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
    .png()
    .toBuffer();

/** Sends answers, in the order of the form's fields. */
async function send(
  files: JobFolder,
  room: string,
  values: readonly (string | readonly string[] | Blob)[],
): Promise<void> {
  const index = parse<Record<string, string>>(
    readFileSync(path.join(files.out, "index.csv"), "utf8"),
    { columns: true, bom: true, delimiter: ";" },
  );
  const url = index.find((row) => row["key"] === room)?.["destination"] ?? "";
  const service = await openService({
    dataDir: files.data,
    publicUrl: DEFAULT_PUBLIC_URL,
    limits: "off",
  });
  try {
    const { html } = await look(service, url);
    const names = [
      ...new Set([...html.matchAll(/name="([0-9a-f-]{36})"/gu)].map(([, name]) => name)),
    ];
    const answers: Record<string, Answers[string]> = {};
    for (const [at, value] of values.entries()) {
      const name = names[at];
      if (name !== undefined && value !== "") answers[name] = value;
    }
    const { status } = await submit(service, url, { answers });
    expect(status).toBe(303);
  } finally {
    await service.close();
  }
}

const readAnswers = ({ out }: JobFolder): string[][] =>
  parse(readFileSync(path.join(out, "answers.csv")), { bom: true, delimiter: ";" });

it("responses become a CSV, a workbook and images; a second time only what is new is fetched", async () => {
  const files = makeJobFolder(ROWS, MANIFEST);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  const none = await runInProcess(["answers", files.manifest]);
  expect(none.code, none.err).toBe(0);
  expect(none.out).toContain("flow: 0 responses to 2 forms");
  const own = path.join(files.out, "answers.csv");
  writeFileSync(own, ROWS);
  writeFileSync(files.manifest, MANIFEST.replace("../rows.csv", "../out/answers.csv"));
  const refused = await runInProcess(["answers", files.manifest]);
  expect(refused.err).toContain("a file of your own, got answers.csv");
  expect(readFileSync(own, "utf8")).toBe(ROWS);
  writeFileSync(files.manifest, MANIFEST);

  const image = new Blob([new Uint8Array(await photo("red"))], { type: "image/png" });
  await send(files, "1", ["5", "=1+1\nand more", ["Food", "Music"], "yes", image]);
  await send(files, "1", ["3", "", ["Food"], "no", ""]);
  await send(files, "2", ["1", "fine", [], "", ""]);
  const first = await runJson(["answers", files.manifest]);
  expect(first.code, first.err).toBe(0);
  expect(lineOf(first, "summary")).toMatchObject({ forms: 2, responses: 3, images: 1, fetched: 1 });
  expect(first.out).toContain('"stage":"images","done":1,"total":1');
  expect(first.out).not.toContain('"stage":"images","done":3');
  const [header, ...rows] = readAnswers(files);
  expect(header).toEqual([
    "form",
    "key",
    "submitted_at",
    "seconds",
    "response_id",
    "How was it?",
    "More",
    "Liked",
    "Again",
    "Photo",
    "How did you sleep?",
  ]);
  const cells = rows.map((row) => [row[0], row[1], ...row.slice(5)]);
  const name = rows[0]?.[9] ?? "";
  expect(cells).toEqual([
    ["Room 1", "1", "5", "'=1+1\nand more", "Food | Music", "yes", name, ""],
    ["Room 1", "1", "3", "", "Food", "no", "", ""],
    ["Room 2", "2", "", "fine", "", "", "", "1"],
  ]);
  expect(name).toMatch(/^answers\/1\/\d{14}-\w{12}-5\.jpg$/u);
  const made = await sharp(path.join(files.out, name)).metadata();
  expect(made).toMatchObject({ format: "jpeg", width: 8 });
  const book = readZip(path.join(files.out, "answers.xlsx"));
  expect(book.entries.map((entry) => entry.name)).toContain("xl/worksheets/sheet1.xml");
  expect(readdirSync(files.out).filter((file) => file.endsWith(".part"))).toEqual([]);

  await send(files, "2", ["2", "again", [], "", image]);
  const second = await runInProcess(["answers", files.manifest]);
  expect(second.out).toContain("4 responses to 2 forms");
  const again = await runJson(["answers", files.manifest]);
  expect(lineOf(again, "summary")).toMatchObject({ responses: 4, images: 2, fetched: 0 });
});

it("a job of another kind, or one that was never run, has no answers", async () => {
  const codes = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/1\n");
  const other = await runInProcess(["answers", codes.manifest]);
  expect(other.code).toBe(2);
  expect(other.err).toContain("answers takes a job of kind forms, got codes");
  const files = makeJobFolder(ROWS, MANIFEST);
  const never = await runInProcess(["answers", files.manifest]);
  expect(never.code).toBe(2);
  expect(existsSync(files.out)).toBe(false);
});
