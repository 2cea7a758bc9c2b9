import { describe, expect, it } from "vitest";

import { load, makeManifest, problemsOf } from "./make-manifest.ts";

const withDesign = (design: string, more = ""): string =>
  makeManifest({ code: `code: { qr_data: "{{ url }}", design: ${design} }`, more });

describe("a design that can work for no row is a fault of the manifest, told once", () => {
  it("a file where an address belongs", async () => {
    expect(await problemsOf(withDesign("{ logo_url: logo.png }"))).toEqual([
      '5:51 code.design.logo_url must be an http or https address, got "logo.png" (a file of this computer goes into logo_file)',
    ]);
  });

  it("the same for codes that exist", async () => {
    const redesign = "version: 1\nkind: redesign\nname: winter\nselect: { folder: A }\n";
    const problems = await problemsOf(`${redesign}design: { logo_url: ../logo.png }\n`);
    expect(problems).toEqual([
      expect.stringMatching(/^5:\d+ design\.logo_url must be an http or https address/u),
    ]);
  });

  it.each([
    ['{ primary_color: "#eeee00" }', "primary_color", "#eeee00"],
    ['{ background_color: "#111111" }', "background_color", "#111111"],
    ['{ primary_color: "#000", eye_color: "#eee" }', "eye_color", "#eee"],
  ])("colours that scanners can't tell apart: %s", async (design, field, color) => {
    const [problem = "", ...others] = await problemsOf(withDesign(design));
    expect(others).toEqual([]);
    expect(problem).toContain(
      `code.design.${field} must be a colour that scanners read, got "${color}": `,
    );
    expect(problem).toContain("take a darker ink");
  });

  it.each([
    ['{ primary_color: "#eeee00" }', "safety: { contrast: warn }"],
    ['{ primary_color: "{{ site }}", background_color: "#111111" }', ""],
    ['{ primary_color: "#eeee00", template: Night }', ""],
    ['{ logo_url: "{{ site }}.png" }', ""],
    ['{ logo_url: "https://example.com/logo.png" }', ""],
  ])("what rows decide, or the person allows, is left to the rows: %s", async (design, safety) => {
    const job = await load(withDesign(design, safety));
    expect(Object.keys(job.code.design)).not.toEqual([]);
  });
});
