import { describe, expect, it } from "vitest";

import type { CodesJob as Job } from "../../src/kinds/codes/job.ts";
import { checkColors } from "../../src/plan/contrast.ts";
import { Planner } from "../../src/plan/planner.ts";
import { toWish } from "../../src/plan/wish.ts";
import type { SourceRow } from "../../src/read/rows/rows.ts";

const jobOf = (design: Job["code"]["design"], contrast: Job["safety"]["contrast"]): Job =>
  ({
    kind: "codes",
    source: { from: "spreadsheet", file: "tables.csv", key: ["table"], columns: {} },
    code: {
      type: "Text",
      dynamic: false,
      qrData: "{{ table }}",
      displayName: "{{ table }}",
      folder: null,
      tags: [],
      gpsTracking: false,
      domain: null,
      vcard: null,
      gs1Product: null,
      design,
    },
    output: { files: [], fileName: "{{ table }}", zip: null, sheets: null },
    safety: { contrast },
    api: {},
  }) as unknown as Job;

const row = (line: number, values: Record<string, string>): SourceRow => ({
  line,
  cells: values,
  values,
  problems: [],
});

describe("checkColors", () => {
  it.each([
    ["#111111", "#ffffff"],
    ["#767676", "#ffffff"],
    ["#ff0000", "#ffffff"],
    ["#00aa00", "#ffffff"],
    ["#000", "#FFF"],
  ])("lets %s on %s pass", (primary, background) => {
    expect(checkColors({ primary_color: primary, background_color: background })).toMatchObject({
      problems: [],
      unreadable: [],
    });
  });

  it.each([
    ["#808080", "#ffffff"],
    ["#999999", "#ffffff"],
    ["#ffcc00", "#ffffff"],
    ["#1e90ff", "#ffe4b5"],
    ["#ff0000", "#00aa00"],
    ["#000000", "#555555"],
    ["#ffffff", "#000000"],
  ])("finds %s on %s, with both colours, their luma and the limit", (primary, background) => {
    const { unreadable } = checkColors({ primary_color: primary, background_color: background });
    expect(unreadable).toHaveLength(1);
    expect(unreadable[0]).toContain(`${primary} (luma `);
    expect(unreadable[0]).toContain(`${background} (luma `);
    expect(unreadable[0]).toContain("at most 0.48 of the background's luma");
  });

  it("says both findings of a pair: a ground that is too dark and ink that is too light", () => {
    const [found, ...others] = checkColors({
      primary_color: "#808080",
      background_color: "#b0b0b0",
    }).unreadable;
    expect(others).toEqual([]);
    expect(found).toContain("the background's luma must be at least 0.75");
    expect(found).toContain("the luma of primary_color must be at most 0.19");
  });

  it.each([
    ["#111111", "#ffffff", []],
    ["#003399", "#ffffff", []],
    ["#ff0000", "#ffffff", ["grades at best 0 in red light at 660 nm (contrast 0%): verifiers"]],
    ["#d20000", "#ffe48a", ["grades at best 1 in red light at 660 nm (contrast "]],
    [
      "#7a7a00",
      "#c8c8c8",
      [
        "grades at best 1 in white light (contrast 39%) and 1 in red light at 660 nm (contrast 38%)",
      ],
    ],
  ])("grades %s on %s in white and in red light", (primary, background, says) => {
    const { poor } = checkColors({ primary_color: primary, background_color: background });
    expect(poor).toEqual(says.map((words) => expect.stringContaining(words)));
  });

  it("grades eyes and modules together: what is pale beside dark eyes is light to a verifier", () => {
    expect(checkColors({ primary_color: "#b02020" }).poor).toEqual([]);
    expect(checkColors({ primary_color: "#b02020", eye_color: "#000000" }).poor).toEqual([
      expect.stringContaining("grades at best 0 in red light"),
    ]);
    const [pale] = checkColors({ primary_color: "#eeeeaa", eye_color: "#111111" }).poor;
    expect(pale).toContain(
      "grades at best 0 in white light (contrast 99%, but primary_color is too light beside eye_color)",
    );
  });

  it("holds a transparent background to be white, and the default ink to be dark", () => {
    expect(checkColors({}).unreadable).toEqual([]);
    expect(checkColors({ primary_color: "#dddddd" }).unreadable).toHaveLength(1);
    expect(checkColors({ background_color: "#222222" }).unreadable[0]).toContain("#111111");
  });

  it("checks eyes of their own colour, not those that follow", () => {
    expect(checkColors({ eye_color: "#ff9900" }).unreadable[0]).toContain("eye_color #ff9900");
    expect(checkColors({ primary_color: "#ff9900" }).unreadable).toHaveLength(1);
    expect(checkColors({ eye_color: "#cc0000" }).unreadable).toEqual([]);
  });

  it("doesn't guess what a saved template brings", () => {
    expect(checkColors({ template: "Night", primary_color: "#dddddd" }).unreadable).toEqual([]);
    const both = { template: "Night", primary_color: "#dddddd", background_color: "#eeeeee" };
    expect(checkColors(both).unreadable).toHaveLength(1);
  });

  it("names every cell that is no colour, and judges none of them", () => {
    const { problems, unreadable } = checkColors({
      primary_color: "red",
      eye_color: "#12345",
      frame_color: "#fff",
    });
    expect(problems).toEqual([
      'primary_color must be a colour as #rgb or #rrggbb, got "red"',
      'eye_color must be a colour as #rgb or #rrggbb, got "#12345"',
    ]);
    expect(unreadable).toEqual([]);
  });
});

describe("a row whose logo is no address", () => {
  it("is refused at its line", () => {
    const job = jobOf({ logo_url: "{{ logo }}" }, "refuse");
    const { problems } = toWish(job, row(7, { table: "1", logo: "logo.png" }), { nowMs: 0 });
    expect(problems).toEqual([
      {
        message: 'logo_url must be an http or https address, got "logo.png"',
        where: { file: "tables.csv", line: 7 },
      },
    ]);
    const without = toWish(job, row(8, { table: "2", logo: "" }), { nowMs: 0 });
    expect(without.problems).toEqual([]);
  });
});

describe("a row whose colours don't scan", () => {
  const design = { primary_color: "{{ ink }}", background_color: "#ffffff" };

  it("is refused at its line, with a way out", () => {
    const { problems, warnings } = toWish(
      jobOf(design, "refuse"),
      row(7, { table: "1", ink: "#999999" }),
      { nowMs: 0 },
    );
    expect(warnings).toEqual([]);
    expect(problems).toEqual([
      {
        message: expect.stringContaining("primary_color #999999 (luma 0.60)"),
        where: { file: "tables.csv", line: 7 },
        hint: expect.stringContaining("contrast: warn"),
      },
    ]);
  });

  it("harms no other row", () => {
    const planner = new Planner({
      job: jobOf(design, "refuse"),
      known: () => undefined,
      hasFolder: () => false,
      context: { nowMs: 0 },
      retryFailed: false,
    });
    expect(planner.add(row(2, { table: "1", ink: "#999999" })).good).toBe(false);
    expect(planner.add(row(3, { table: "2", ink: "#111111" })).good).toBe(true);
    expect(planner.summary()).toMatchObject({ good: 1, bad: 1 });
    expect(planner.warnings()).toEqual([]);
  });

  it("is made with a warning where the manifest says so; equal warnings are given once", () => {
    const planner = new Planner({
      job: jobOf(design, "warn"),
      known: () => undefined,
      hasFolder: () => false,
      context: { nowMs: 0 },
      retryFailed: false,
    });
    for (const [i, ink] of ["#999999", "#999999", "#aaaaaa", "#000000"].entries()) {
      expect(planner.add(row(i + 2, { table: String(i), ink })).good).toBe(true);
    }
    expect(planner.summary()).toMatchObject({ good: 4, bad: 0, problems: [] });
    expect(planner.warnings()).toMatchObject([
      { where: { line: 2 }, message: expect.stringContaining("#999999") },
      { where: { line: 4 }, message: expect.stringContaining("#aaaaaa") },
    ]);
  });

  it("is refused for an invalid colour, warn or not", () => {
    const wished = toWish(jobOf(design, "warn"), row(2, { table: "1", ink: "reddish" }), {
      nowMs: 0,
    });
    expect(wished.problems).toMatchObject([{ message: expect.stringContaining('"reddish"') }]);
  });
});
