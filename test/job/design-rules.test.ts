import { describe, expect, it } from "vitest";

import { load, makeManifest, problemsOf } from "./make-manifest.ts";

const withDesign = (design: string, more = ""): string =>
  makeManifest({ code: `code: { qr_data: "{{ url }}", design: ${design} }`, more });

describe("a design that can work for no row is a fault of the manifest, reported once", () => {
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
  ])("colours that scanners can't distinguish: %s", async (design, field, color) => {
    const [problem = "", ...others] = await problemsOf(withDesign(design));
    expect(others).toEqual([]);
    expect(problem).toContain(
      `code.design.${field} must be a colour that scanners read, got "${color}": `,
    );
    expect(problem).toContain("take a darker ink");
  });

  it("colours of codes that exist, with the key where they stand", async () => {
    const redesign = "version: 1\nkind: redesign\nname: winter\nselect: { folder: A }\n";
    const [problem = "", ...others] = await problemsOf(
      `${redesign}design: { frame: speech-bubble, primary_color: "#ffff99" }\n`,
    );
    expect(others).toEqual([]);
    expect(problem).toMatch(
      /^5:\d+ design\.primary_color must be a colour that scanners read, got "#ffff99": /u,
    );
    expect(problem).toContain("safety: { contrast: warn }");
  });

  it.each([
    [
      "products",
      'product: { identifier_value: "{{ site }}", links: [{ link_type: "gs1:pip", title: More, destination_url: "{{ url }}" }] }',
      "",
    ],
    ["pdfs", 'pdf: { pdf_url: "{{ url }}" }', ""],
    ["pages", 'page: { title: "{{ site }}" }', ""],
    ["codes", "", 'type: vCard, vcard: { first_name: "{{ site }}" }, '],
  ])("the codes of every kind: %s", async (kind, thing, content) => {
    const code = `${thing}\ncode: { ${content}design: { primary_color: "#777777", background_color: "#777777", logo_url: l.png } }`;
    const problems = await problemsOf(makeManifest({ kind: `kind: ${kind}`, code }));
    expect(problems.map((text) => text.split(" ")[1])).toEqual([
      "code.design.primary_color",
      "code.design.logo_url",
    ]);
  });

  it("the logo of a form that is no address", async () => {
    const fields = "fields: [{ field_type: text, label: Name }]";
    const code = `form: { title: "{{ site }}", ${fields}, logo_url: logo.png }`;
    expect(await problemsOf(makeManifest({ kind: "kind: forms", code }))).toEqual([
      expect.stringContaining('form.logo_url must be an http or https address, got "logo.png"'),
    ]);
  });

  it("a colour that is the same for all rows, beside one of a column", async () => {
    const eyes = '{ primary_color: "#eeee00", eye_color: "{{ site }}" }';
    expect(await problemsOf(withDesign(eyes))).toEqual([
      expect.stringContaining("code.design.primary_color must be a colour that scanners read"),
    ]);
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
