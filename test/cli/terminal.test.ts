import { stripVTControlCharacters } from "node:util";

import { describe, expect, it } from "vitest";

import { formatError } from "../../src/cli/views/human-view.ts";
import { makeProcessContext } from "../../src/cli/program.ts";
import { AppError } from "../../src/base/errors.ts";
import {
  paintLine,
  toPeople,
  toTerminalText,
  wantsColor,
  wrapLine,
} from "../../src/cli/terminal.ts";
import * as fc from "../help/property.ts";
import { runInProcess } from "../flow/in-process.ts";
import { makeJobFolder } from "../flow/job-folder.ts";

const ESCAPE = "\u001B[";

describe("colours", () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ TERM: "dumb" }, true, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "false" }, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  ])("%j, terminal %j: %j", (env, isTerminal, expected) => {
    expect(wantsColor(env, isTerminal)).toBe(expected);
  });

  it("stand where a line judges, and change no letter", () => {
    for (const line of ["error: no", "  failed: x", "Done: a", "  warning   odd", "→ go on"]) {
      expect(paintLine(line)).toContain(ESCAPE);
      expect(stripVTControlCharacters(paintLine(line))).toBe(line);
    }
    expect(paintLine("  rows      3 rows")).toBe("  rows      3 rows");
  });
});

describe("lines", () => {
  const line =
    "  warning   samples/tables.csv line 7: cells are shown otherwise than they are used here";

  it("are wrapped at spaces below their text", () => {
    expect(wrapLine(line, 50)).toEqual([
      "  warning   samples/tables.csv line 7: cells are",
      "            shown otherwise than they are used",
      "            here",
    ]);
  });

  it("keep commands and long words whole, so that they can be copied", () => {
    const step = "→ go on with what is left: makeready run jobs/table-codes.yaml --out /tmp/proof";
    expect(wrapLine(step, 40)).toEqual([
      "→ go on with what is left:",
      "  makeready run jobs/table-codes.yaml --out /tmp/proof",
    ]);
    expect(wrapLine(`note: ${"x".repeat(60)} end`, 30)).toEqual([
      "note:",
      `  ${"x".repeat(60)}`,
      "  end",
    ]);
    expect(wrapLine("→ go on with: node 'my bin/main.js' run jobs/a.yaml", 24)).toEqual([
      "→ go on with:",
      "  node 'my bin/main.js' run jobs/a.yaml",
    ]);
    expect(wrapLine("go on with: npx makeready run jobs/a.yaml", 24)).toEqual([
      "go on with:",
      "  npx makeready run jobs/a.yaml",
    ]);
    expect(wrapLine("kept: `makeready undo` puts it back", 24)).toEqual([
      "kept: `makeready undo`",
      "  puts it back",
    ]);
  });

  it("lose no word, whatever the width (property)", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 30 }), fc.integer({ min: 1, max: 60 }), (text, width) => {
        expect(wrapLine(text, width).join(" ").split(/\s+/u)).toEqual(text.split(/\s+/u));
      }),
    );
  });

  it("of pipes stay as they are", () => {
    expect(toTerminalText(line, { width: undefined, hasColor: false })).toBe(line);
  });
});

it("people get both, programs none", async () => {
  const context = {
    ...makeProcessContext(),
    out: () => undefined,
    terminalWidth: 36,
    colors: { out: true, err: true },
  };
  let shown = "";
  const { err } = toPeople({ ...context, err: (text) => void (shown += text) });
  err(`${formatError(new AppError("bad-usage", "a name must be lower-case letters"), "/")}\n`);
  expect(shown).toContain(ESCAPE);
  expect(stripVTControlCharacters(shown)).toBe("error: a name must be lower-case\n  letters\n");

  const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/1\n");
  const wide = { outWidth: 40, terminalWidth: 40, colors: { out: true, err: true } };
  const plan = await runInProcess(["plan", files.manifest], wide);
  expect(plan.out).toContain(`${ESCAPE}1mPlan for flow`);
  const json = await runInProcess(["plan", files.manifest, "--json"], wide);
  expect(json.out).not.toContain(ESCAPE);
  expect(JSON.parse(json.out)).toMatchObject({ job: "flow" });
});
