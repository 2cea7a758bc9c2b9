/** Texts of frames that rows fill in: plan and run judge each of them, not a sample. */
import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { type JobFolder, makeJobFolder } from "./job-folder.ts";

const makeFolder = (
  texts: readonly string[],
  { code, design, sheets }: { code: string; design: string; sheets: string },
): JobFolder =>
  makeJobFolder(
    `id,text\n${texts.map((text, i) => `r${i},${text}`).join("\n")}\n`,
    `version: 1
name: looks
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { ${code}, display_name: "{{ id }}", design: { ${design} } }
output: { dir: ../out, files: [svg]${sheets} }
`,
  );

async function say(command: string, { manifest }: JobFolder) {
  // With it, a short link needs no more than version 2.
  const env = { MAKEREADY_PUBLIC_URL: "http://a.co" };
  const { code, out, err } = await runInProcess([command, manifest], { env });
  return { code, said: `${out}${err}` };
}

const SMALL =
  /\d+ codes? ha(?:ve|s) text in (?:its|their) frames? that is too small[^\n]*?\(rows [^)]*\)/gu;

describe("a text of one row's frame", () => {
  it("whose letters are too small on the label is named by the plan as by the run", async () => {
    const files = makeFolder(
      ["GO", "SCAN ME FOR THE MENU OF TODAY", "SCAN ME FOR THE MENU OF TODAY"],
      {
        code: 'dynamic: true, qr_data: "https://a.example/{{ id }}"',
        design: 'frame: card, text: "{{ text }}"',
        sheets: ", sheets: { sheet: avery-l4732, print: designed }",
      },
    );
    const plan = await say("plan", files);
    const run = await say("run", files);
    const [told] = run.said.match(SMALL)?.slice(-1) ?? [];
    expect(told).toMatch(/^2 codes have text in their frames .* \(rows r1, r2\)/u);
    expect(plan.said.match(SMALL)).toEqual([told]);
  });

  it.each([
    ["a short text in its code", 'dynamic: false, type: Text, qr_data: "A{{ id }}"'],
    ["a short link", 'dynamic: true, qr_data: "https://a.example/{{ id }}"'],
  ])("that no code of %s can show is a fault of the plan", async (_what, code) => {
    const wide = "W".repeat(30);
    const design = 'frame: text-frame, text: "{{ text }}"';
    const files = makeFolder(["GO", wide], { code, design, sheets: "" });
    const plan = await say("plan", files);
    expect(plan.said).toContain("1 good, 1 bad");
    expect(plan.said).toMatch(
      /line 3: text must be short enough to be read, letters of 1 modules or more, got letters of 0\.\d+[^\n]*shorten it to about \d+ %/u,
    );
    const run = await say("run", files);
    expect(run.said).toContain("1 created, 1 bad in the spreadsheet");
    expect(run.said).not.toContain("the server must make the code");
  });
});
