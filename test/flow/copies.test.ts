/** `output.sheets.copies` from a column: so many labels of each row, from the plan to the reprint. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { readIndex, readSheetMap } from "./check-output.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const SHEET =
  "{ page: [100, 60], label: [45, 25], gutter: [2, 2], margin: 4, columns: 2, rows: 2 }";

const toCsv = (quantities: readonly string[]): string =>
  `table,qty\n${quantities.map((qty, n) => `${n + 1},${qty}`).join("\n")}\n`;

const makeFolder = (quantities: readonly string[], more = ""): JobFolder =>
  makeJobFolder(
    toCsv(quantities),
    `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [table] }
code: { type: Link, qr_data: "https://menu.example/{{ table }}", display_name: "T{{ table }}" }
output:
  dir: ../out
  files: []
  index: [csv]
  sheets: { sheet: ${SHEET}, copies: "{{ qty }}", caption: "{{ table }}"${more} }
`,
  );

/** Keys in the order of their places. */
const keysOf = ({ out }: JobFolder): string =>
  readSheetMap(out)
    .flatMap(({ cells }) => cells)
    .toSorted((a, b) => a.page - b.page || a.row - b.row || a.column - b.column)
    .map(({ key }) => key)
    .join(" ");

const summaryOf = (out: string): Record<string, unknown> =>
  JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;

describe("copies of a column", () => {
  it("are labels: the summary counts them so, beside the codes that were made", async () => {
    const files = makeFolder(["3", "2"]);
    const { out } = await runInProcess(["run", files.manifest, "--yes"]);
    expect(out).toContain("  codes     2 created\n");
    expect(out).toMatch(/flow\.pdf +5 labels on 2 sheets, PDF\/X-4/u);
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.out).not.toContain("5 codes");
    expect(plan.out).toContain("flow.pdf (2): 5 labels on 2 sheets of paper");
    const json = await runInProcess(["plan", files.manifest, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ sheetPages: 2, sheetLabels: 5 });
  });

  it("with a code on each side are still one label each", async () => {
    const back = ", back: { label: { items: [{ code: true, at: [4, 4, 15, 15] }] } }";
    const { manifest } = makeFolder(["3", "2"], back);
    const { out } = await runInProcess(["run", manifest, "--yes"]);
    expect(out).toMatch(/flow\.pdf +5 labels on 2 sheets/u);
    const plan = await runInProcess(["plan", manifest]);
    expect(plan.out).toContain("flow.pdf (2): 5 labels on 2 sheets of paper");
    expect(out).toContain("all 2 codes on 5 labels read back from the PDFs");
  });

  it.each([
    ["adjacent", "1 2 2 2 4 4 1 2"],
    ["series", "1 2 4 2 4 2 1 2"],
  ])("lie %s; none: a code without a label; bad ones are rows to mend", async (order, keys) => {
    const files = makeFolder(
      ["1", "3", "0", "2", "two", "", "10001"],
      `, copy_order: ${order}, overs: 50%`,
    );
    const plan = await runInProcess(["plan", files.manifest]);
    // 6 labels, and 2 of 3 rows once more, on sheets of four.
    expect(plan.out).toContain("flow.pdf (3): 8 labels on 2 sheets of paper");
    const { code, out, err } = await runInProcess(["run", files.manifest]);
    expect(code, err).toBe(3);
    expect(out).toContain("all 3 codes on 8 labels read back from the PDFs");
    const report = readFileSync(path.join(files.out, "report.html"), "utf8");
    expect(report).toContain("8 of 8 codes (of 3 codes on 8 labels) were read back");
    expect(keysOf(files)).toBe(keys);
    const index = readIndex(files.out);
    expect(index.map(({ key, sheet }) => [key, sheet])).toEqual([
      ["1", "1"],
      ["2", "1"],
      ["3", ""],
      ["4", expect.stringMatching(/[12]/u)],
    ]);
    expect(index[2]?.["id"]).not.toBe("");
    const text = readFileSync(path.join(files.out, "failed-rows.csv"), "utf8");
    const rule =
      'output.sheets.copies (column ""qty"") must be a whole number from 0 to 10000, got';
    expect(text).toContain(`5,two,6,"${rule} ""two"""`);
    expect(text).toContain(`6,,7,"${rule} """""`);
    expect(text).toContain(`7,10001,8,"${rule} ""10001"""`);
    expect((await runInProcess(["verify", files.manifest])).code).toBe(0);
  });

  it("changed in one row: only sheets are made anew; none any more: its place is forgotten", async () => {
    const files = makeFolder(["2", "2"]);
    expect((await runInProcess(["run", files.manifest])).code).toBe(0);
    expect(keysOf(files)).toBe("1 1 2 2");
    const again = await runInProcess(["run", files.manifest, "--json"]);
    expect(summaryOf(again.out)).toMatchObject({ unchanged: 2, writes: 0 });

    writeFileSync(files.csv, toCsv(["3", "0"]));
    const changed = await runInProcess(["run", files.manifest, "--json"]);
    expect(summaryOf(changed.out)).toMatchObject({ unchanged: 2, writes: 0 });
    expect(keysOf(files)).toBe("1 1 1");
    expect(readIndex(files.out)[1]).toMatchObject({ key: "2", sheet: "", sheet_file: "" });
    // No label was wished for: nothing is missing.
    expect(changed.out).not.toContain("rows-missing");
    expect((await runInProcess(["verify", files.manifest])).code).toBe(0);
  });

  it("print again as they lay; one label is one, whatever its row's copies", async () => {
    const files = makeFolder(["1", "5", "0", "3"]);
    expect((await runInProcess(["run", files.manifest])).code).toBe(0);
    const reprint = async (...more: string[]): Promise<Record<string, unknown>> => {
      const file = path.join(files.root, "again.pdf");
      const all = ["sheets", "reprint", files.manifest, "--out", file, "--json", ...more];
      const { code, out, err } = await runInProcess(all);
      expect(code, err).toBe(0);
      return summaryOf(out);
    };
    expect(await reprint("--sheets", "3")).toMatchObject({ codes: 1, decoded: 1 });
    expect(await reprint("--key", "2")).toMatchObject({ codes: 1, decoded: 1 });
    const none = await runInProcess(["sheets", "reprint", files.manifest, "--key", "3"]);
    expect(none.code).toBe(2);
    const wanted = "labels to print again must be in flow.pdf, got";
    const why = "the copies of its row are 0, so it has no label";
    const hint = "→ write into the row how many labels it gets, and run the job: that prints them";
    expect(none.err).toContain(`${wanted} "3": ${why}`);
    expect(none.err).toContain(hint);
    const line = await runInProcess(["sheets", "reprint", files.manifest, "--lines", "4"]);
    expect(line.err).toContain(`${wanted} line 4: ${why}`);
    expect(line.err).toContain(hint);
    const more = ["--key", "3", "--key", "9"];
    const some = await runInProcess(["sheets", "reprint", files.manifest, ...more]);
    expect(some.err).toContain(`${wanted} "3", "9": rows whose copies are 0 have no label, as "3"`);
  });

  it("are a number for codes that exist", async () => {
    const text = `version: 1
kind: export
output: { sheets: { copies: "{{ display_name }}" } }
`;
    const files = makeJobFolder("", text);
    const { code, err } = await runInProcess(["validate", files.manifest]);
    expect(code).toBe(2);
    expect(err).toContain("output.sheets.copies must be a number for kind export");
  });

  it("name a column of the source", async () => {
    const files = makeFolder(["1"]);
    const set = ["--set", "output.sheets.copies={{ pieces }}"];
    const { code, err } = await runInProcess(["validate", files.manifest, ...set]);
    expect(code).toBe(2);
    expect(err).toContain('must name a column of the source, got "pieces"');
  });
});

it("a plan names the volumes that a run writes", async () => {
  const quantities = Array.from({ length: 11 }, () => "1");
  const files = makeFolder(quantities, ", volume_codes: 4");
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.out).toContain("flow.pdf to flow-3.pdf (11 in 3 volumes): 3 sheets of paper");
  const volumes = { name: "flow.pdf", count: 3, last: "flow-3.pdf" };
  const json = await runInProcess(["plan", files.manifest, "--json"]);
  expect(summaryOf(json.out)).toMatchObject({ sheetVolumes: [volumes] });
  await runInProcess(["run", files.manifest]);
  const pdfs = readdirSync(files.out).filter((name) => name.endsWith(".pdf"));
  expect(pdfs.toSorted()).toEqual(["flow-2.pdf", "flow-3.pdf", "flow.pdf"]);
});
