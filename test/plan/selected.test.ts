import { expect, it } from "vitest";

import type { JobOutput } from "../../src/job/job.ts";
import { SelectionPlanner, type SelectedCode } from "../../src/plan/selected.ts";

const CODE: SelectedCode = {
  id: "c1",
  name: "Ada",
  shortLink: null,
  destination: "",
  type: "vCard",
  isDynamic: false,
  folder: null,
  tags: [],
  created: "2026-01-01T00:00:00Z",
};

const output = {
  fileName: "{{ display_name }}",
  files: [],
  zip: null,
  sheets: { per: null, name: "labels", caption: ["{{ display_name }}"], label: null, back: null },
} as unknown as JobOutput;

it("a code whose data aren't in lists is on no sheet, and the plan says so (docs/spec/api.md section 2.1)", () => {
  const planner = new SelectionPlanner({
    output,
    design: {},
    contrast: "refuse",
    context: { nowMs: 0, timeZone: undefined },
    known: () => undefined,
  });
  const [untold, told] = [CODE, { ...CODE, id: "c2", type: "Text", destination: "hello" }].map(
    (code) => planner.add(code),
  );
  expect(untold?.row.placing.sheets).toBeNull();
  expect(untold?.warnings[0]?.message).toContain("Ada: the server doesn't show");
  expect(told?.row.placing.sheets).toContain("labels");
  expect(told?.warnings).toEqual([]);
});

function warningsOf(color: string): string[] {
  const planner = new SelectionPlanner({
    output,
    design: { primary_color: color },
    contrast: "warn",
    context: { nowMs: 0, timeZone: undefined },
    known: () => undefined,
  });
  const codes = ["#ffff99", "#ffff88"].map((destination, n) => ({
    ...CODE,
    id: `c${n}`,
    name: `Table ${n}`,
    type: "Text",
    destination,
  }));
  const warnings = codes.flatMap((code) => planner.add(code).warnings);
  return [...new Set(warnings.map(({ message }) => message))];
}

it("colours that are the same for all codes are reported once, those of a code with its name", () => {
  expect(warningsOf("#ffff99")).toEqual([expect.stringMatching(/^primary_color #ffff99 /u)]);
  expect(warningsOf("{{ qr_data }}")).toEqual([
    expect.stringMatching(/^Table 0: primary_color #ffff99 /u),
    expect.stringMatching(/^Table 1: primary_color #ffff88 /u),
  ]);
});

it("a code that exists and leads to a placeholder is named before it is printed", () => {
  const planner = new SelectionPlanner({
    output,
    design: {},
    contrast: "warn",
    context: { nowMs: 0, timeZone: undefined },
    known: () => undefined,
  });
  const destination = "https://example.com/menu";
  const { warnings } = planner.add({ ...CODE, type: "Link", isDynamic: true, destination });
  expect(warnings).toEqual([
    expect.objectContaining({ hint: expect.stringContaining(destination) as string }),
  ]);
});
