import { describe, expect, it } from "vitest";

import { reasonInGerman } from "../../src/desk/words/reasons.ts";
import { LogoFiles } from "../../src/kinds/codes/logo-files.ts";
import { readLogo } from "../../src/kinds/redesign/fields.ts";

describe.runIf(process.platform === "linux")("a device as a logo", () => {
  it("is refused before it is read", async () => {
    const says = "must be a file that can be read, got /dev/null";
    expect(new LogoFiles("/").of("/dev/null")).toEqual({ problem: says });
    await expect(readLogo("/dev/null")).rejects.toThrow(says);
  });
});

describe("a logo that is named badly", () => {
  it.each([
    ["an empty cell behind a folder", ".", 'as {{ column | prefix: "folder/" }} writes it, got /'],
    ["a file that is not there", "nobody.png", "must be a file that can be read, got /nobody.png"],
  ])("%s is told, in German, too", (_what, named, says) => {
    const fact = new LogoFiles("/").of(named);
    const problem = "problem" in fact ? fact.problem : "";
    expect(problem).toContain(says);
    expect(reasonInGerman(`logo_file ${problem}`)).toMatch(/^Die Logodatei \(logo_file\) muss/u);
  });
});
