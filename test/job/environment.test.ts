import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { expandText } from "../../src/job/yaml/environment.ts";

const ENV = { A: "one", EMPTY: "", B_2: "two", DOLLAR: "${A}" };

describe("expandText", () => {
  it.each([
    ["plain", "plain"],
    ["${A}", "one"],
    ["x${A}y${B_2}z", "xoneytwoz"],
    ["${EMPTY}", ""],
    ["${EMPTY:-d}", "d"],
    ["${NOPE:-}", ""],
    ["${NOPE:-a b:c/d?e}", "a b:c/d?e"],
    ["${A:-d}", "one"],
    ["${A:?must be set}", "one"],
    ["$$", "$"],
    ["$${A}", "${A}"],
    ["$$$$", "$$"],
    ["costs $5", "costs $5"],
    ["$", "$"],
    ["$A", "$A"],
    ["${DOLLAR}", "${A}"],
  ])("%j gives %j", (text, expected) => {
    expect(expandText(text, ENV)).toEqual({ text: expected, problems: [], unset: [] });
  });

  it("lists every name that is not set", () => {
    expect(expandText("${X}-${A}-${Y}", ENV)).toMatchObject({ text: "-one-", unset: ["X", "Y"] });
  });

  it.each([
    ["${X:?say X}", "say X"],
    ["${EMPTY:?}", "${EMPTY} must be set"],
    ["${", "variable must be written"],
    ["${A", "variable must be written"],
    ["${1A}", "variable must be written"],
    ["${A:=x}", "variable must be written"],
    ["${MY_SECRET}", "must not hold secrets"],
    ["${db_password:-x}", "must not hold secrets"],
    ["${MAKEREADY_STORE}", "must not hold secrets"],
  ])("%j is a problem", (text, expected) => {
    const { problems } = expandText(text, ENV);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.problem).toContain(expected);
  });

  it("keeps text without dollar signs, and doubles come back single", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const escaped = text.replaceAll("$", "$$$$");
        expect(expandText(escaped, {})).toEqual({ text, problems: [], unset: [] });
      }),
    );
  });

  it("never reads what an object inherits", () => {
    expect(expandText("${toString}", { __proto__: null } as never).unset).toEqual(["toString"]);
  });
});
