/** What a plan says of the size of captions is what stands in the PDF. */
import { expect, test } from "vitest";

import { makeJobFolder } from "../flow/job-folder.ts";
import { runInProcess } from "../flow/in-process.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Text, qr_data: "{{ n }}", display_name: "{{ name }}" }
output: { dir: ../out, files: [], sheets: true }
`;
const LONG = "Verwaltungsgebäude Nordhafen Besprechungsraum im zweiten Obergeschoss links";
const ENDLESS = "Sehr langer Titel mit vielen Wörtern ".repeat(11);

const plan = async (names: readonly string[], text: string = MANIFEST): Promise<string> => {
  const rows = names.map((name, i) => `A${i + 1},${name}\n`).join("");
  const { manifest } = makeJobFolder(`n,name\n${rows}`, text);
  const { code, out, err } = await runInProcess(["plan", manifest]);
  expect(code, err).toBe(0);
  return out;
};

test("a caption that fits no common size is told of by itself, and makes no other smaller", async () => {
  const said = await plan([ENDLESS, "kurz"]);
  expect(said).toMatch(/1 caption is too small to be read well: 4\.5 pt \(row A1\)/u);
  expect(said).not.toContain("captions have one size");
});

test("the note of the common size says that such a caption is not of it", async () => {
  const alone = await plan([LONG, "kurz"]);
  const [note = ""] = /captions have one size in a PDF: .*$/mu.exec(alone) ?? [];
  expect(note).toMatch(/pt in flow\.pdf, since key A1 needs it$/u);
  expect(await plan([LONG, "kurz", ENDLESS])).toContain(
    `${note} (1 caption that has no room at 6 pt is smaller)`,
  );
});

test("where all labels take the same size, the note names no row that needs it", async () => {
  const said = await plan(
    ["A", "A"],
    MANIFEST.replace("sheets: true", "sheets: { sheet: a4-8up-105x74.25 }"),
  );
  expect(said).toMatch(
    /captions have one size in a PDF: [\d.]+ pt in flow\.pdf, since no label has room for more$/mu,
  );
});
