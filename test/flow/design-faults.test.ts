/** What is wrong with the looks of codes is found before anything is made, at its own place. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { type JobFolder, makeJobFolder } from "./job-folder.ts";

const makeFolder = (design: string, sheets = "print: designed"): JobFolder =>
  makeJobFolder(
    "id,text\na,one\nb,two\n",
    `version: 1
name: looks
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { dynamic: true, qr_data: "https://a.example/{{ id }}", display_name: "{{ id }}", design: { ${design} } }
output:
  dir: ../out
  files: [svg]
  sheets: { sheet: a4-24up-63.5x33.9, caption: "{{ id }}", ${sheets} }
`,
  );

const redesign = (design: string): JobFolder =>
  makeJobFolder(
    "",
    `version: 1
name: looks
kind: redesign
select: { folder: Tables }
design: { ${design} }
output: { dir: ../out }
`,
  );

async function say(command: string, { manifest }: JobFolder) {
  const { code, out, err } = await runInProcess([command, manifest]);
  return { code, said: `${out}${err}` };
}

describe("a text of the frame that can't be drawn", () => {
  const faults = [
    ["text: 'SCAN 日'", 'code.design.text must have only characters that one font holds, got "日"'],
    [
      "frame: text-frame, text: ABCDEFGHIJKLMNOPQRSTUVWXYZABCDE",
      "code.design.text must be at most 30 characters in the frame text-frame, got 31",
    ],
  ] as const;

  it.each(faults)("%s is one fault of the manifest", async (design, message) => {
    const files = makeFolder(design);
    for (const command of ["validate", "plan", "doctor", "run"]) {
      const { code, said } = await say(command, files);
      expect([command, code]).toEqual([command, 2]);
      expect(said.split(message)).toHaveLength(2);
      expect(said).not.toContain("rows.csv line");
    }
  });

  it("is found in the second line of a redesign, too", async () => {
    const { code, said } = await say("validate", redesign('text: SCAN, text_secondary: "日"'));
    expect(said).toContain("design.text_secondary must have only characters that one font holds");
    expect(code).toBe(2);
  });

  it.each(['text_secondary: "日"', 'text: "", text_secondary: "日"'])(
    "is none in a second line that may not be drawn: %s",
    async (design) => {
      const { code, said } = await say("validate", redesign(design));
      expect(said).not.toContain("design.text_secondary must");
      expect(code).toBe(0);
    },
  );

  it("is a fault of the rows that fill it in", async () => {
    const files = makeFolder("text: '{{ text }}日'");
    const { said } = await say("plan", files);
    expect(said).toContain("0 good, 2 bad");
    expect(said).toMatch(/line 2: text must have only characters that one font holds, got "日"/u);
    const good = await say("plan", makeFolder("text: '{{ text }}'"));
    expect(good.said).toContain("2 to create");
  });
});

it.each(["plan", "run"])("%s says what x_dimension_mm is beside qr_size_mm", async (command) => {
  const files = makeFolder("pattern: Original", "x_dimension_mm: 0.4, qr_size_mm: 20");
  const { code, said } = await say(command, files);
  expect(code, said).toBe(0);
  expect(said).toContain("x_dimension_mm beside it is only the least size of a module");
});

it.each(["validate", "plan", "run"])(
  "%s says that a caption beside a label isn't printed",
  async (command) => {
    const label = "label: { items: [{ code: true, at: [4, 4, 24, 24] }] }";
    const { code, said } = await say(command, makeFolder("", `caption_size: 8, ${label}`));
    expect(code, said).toBe(0);
    expect(said).toContain(
      "output.sheets.label says all that stands on a label: caption, caption_size beside it change nothing",
    );
    expect((await say(command, makeFolder("", "caption_size: 8"))).said).not.toContain(
      "change nothing",
    );
  },
);

const LEAST = /(?<width>[\d.]+) mm wide or wider/u;

it.each([
  "text: SCAN ME, frame: card",
  "template: label-frame, text: ENTER HERE",
  "template: scan-card",
  "template: asset-tag, frame: card, text: SCAN ME",
  "frame: '{{ text }}', text: SCAN ME",
])("plan and preview name one smallest width: %s", async (design) => {
  const files = makeFolder(design.replace("{{ text }}", "swirl"));
  const plan = await say("plan", files);
  const args = ["preview", files.manifest, "--line", "2", "--out", path.join(files.root, "p")];
  const { out } = await runInProcess(args);
  const width = LEAST.exec(out)?.groups?.["width"];
  expect(width).toBeDefined();
  expect(LEAST.exec(plan.said)?.groups?.["width"]).toBe(width);
});

it("only a colour that no press comes near is called duller", async () => {
  const files = makeFolder(
    "primary_color: '#000000', eye_color: '#111111', frame: border, frame_color: '#0000ff', background_color: '#ffffff'",
  );
  const { said } = await say("plan", files);
  expect(said).toContain("#000000 as C0 M0 Y0 K100, #111111 as C0 M0 Y0 K100, #ffffff as");
  expect(said.match(/#\w+ as [^(,]*\(duller/gu)).toEqual([expect.stringMatching(/^#0000ff/u)]);
});

it("an ink that the manifest names for a colour is not called the nearest of the press", async () => {
  const files = makeFolder(
    "primary_color: '#0000aa'",
    "print: designed, inks: { wine: { cmyk: [0, 100, 0, 60] } }, artwork_inks: { '#0000aa': wine }",
  );
  const { said } = await say("plan", files);
  expect(said).toContain("#0000aa as C0 M100 Y0 K60");
  expect(said).not.toContain("duller");
});

it("validate leaves codes and texts of rows to the plan where labels are printed", async () => {
  const { code, said } = await say("validate", makeFolder("pattern: Original"));
  expect(code).toBe(0);
  expect(said).toContain("whether each row's code and texts fit its label is judged by the plan");
});

describe("a frame that can't show its text", () => {
  const SWAP = "the frame swirl shows no text: the code gets the frame card instead";

  it.each(["plan", "run"])("is named once by %s", async (command) => {
    const { said } = await say(command, makeFolder("frame: swirl, text: SCAN ME"));
    expect(said.split(SWAP)).toHaveLength(2);
    expect(said).not.toContain("more like it");
  });

  it("is named at the rows that want it", async () => {
    const { said } = await say("plan", makeFolder("frame: swirl, text: '{{ text }}'"));
    expect(said).toContain(`line 2: ${SWAP}; and 1 more like it`);
    const shown = await say("plan", makeFolder("frame: card, text: '{{ text }}'"));
    expect(shown.said).not.toContain("shows no text");
  });
});

const SWAPPED =
  "the frame swirl of the template swirl-teal shows no text: 2 codes get the frame card";

describe("a template's frame that can't show a text", () => {
  it.each(["plan", "run"])("that rows give is named by %s, with the rows", async (command) => {
    const design = "template: swirl-teal, text: '{{ text }}'";
    const { said } = await say(command, makeFolder(design));
    expect(said.split(`${SWAPPED} instead (rows a, b)`)).toHaveLength(2);
    expect(said).toContain("take one of ");
  });

  it.each([
    ["template: swirl-teal, text: SCAN ME", 1],
    ["template: swirl-teal", 0],
    ["template: swirl-teal, frame: card, text: '{{ text }}'", 0],
    ["template: scan-card, text: '{{ text }}'", 0],
  ])("%s: %d warnings", async (design, count) => {
    const { said } = await say("plan", makeFolder(design));
    expect(said.split("shows no text")).toHaveLength(count + 1);
  });

  it("is named at the text that a template gives to a frame of the job", async () => {
    const { said } = await say("plan", makeFolder("template: scan-card, frame: swirl"));
    expect(said).toContain("the frame swirl shows no text of the template scan-card: 2 codes");
  });
});

describe("a redesign whose frame can't show the text", () => {
  it.each([
    ["frame: swirl, text: SCAN ME", "plan"],
    ["frame: swirl, text: SCAN ME", "run"],
    ["template: swirl-teal, text: SCAN ME", "plan"],
    ["template: swirl-teal, text: SCAN ME", "run"],
    ["template: scan-card, frame: swirl", "plan"],
  ])("%s is named once by %s", async (design, command) => {
    const files = makeFolder("pattern: Original", "print: plain");
    await say("run", files);
    const manifest = path.join(path.dirname(files.manifest), "redesign.yaml");
    writeFileSync(
      manifest,
      `version: 1
name: restyle
kind: redesign
select: { q: "b" }
design: { ${design} }
output: { dir: ../restyle, files: [] }
`,
    );
    const { code, said } = await say(command, { ...files, manifest });
    expect(code, said).toBe(0);
    expect(said.split("the frame swirl shows no text: the code gets the frame card")).toHaveLength(
      2,
    );
  });
});

it("an unknown template is answered with one list by validate and by plan", async () => {
  const lists = await Promise.all(
    [
      ["validate", "template: nothing"],
      ["plan", "template: '{{ text }}'"],
    ].map(async ([command = "", design = ""]) => {
      const { said } = await say(command, makeFolder(design));
      return /known: (?<list>[^)\n]*)/u.exec(said)?.groups?.["list"];
    }),
  );
  expect(lists[0]).toContain("Classic, Confetti");
  expect(lists[1]).toBe(lists[0]);
});
