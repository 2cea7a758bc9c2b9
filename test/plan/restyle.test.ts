import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import {
  isDesigned,
  isRestored,
  isUntouched,
  needsTemplateLogo,
  toRestyle,
  toTemplateFields,
  toUndoDesign,
} from "../../src/plan/restyle.ts";

const current = {
  primary_color: "#6a1b9a",
  eye_color: "#6a1b9a",
  frame_color: "#6a1b9a",
  background_color: null,
  pattern: "Original",
  eye_style: "Square",
  frame: "card",
  has_border: false,
  text: "MENU",
  has_logo: false,
};

describe("isDesigned (docs/spec/api.md section 4.1, design)", () => {
  it("compares what the update would leave behind: a colour alone recolours eyes and frame", () => {
    expect(isDesigned(current, { primary_color: "#6A1B9A", text: "MENU" })).toBe(true);
    expect(isDesigned({ ...current, eye_color: "#000000" }, { primary_color: "#6a1b9a" })).toBe(
      false,
    );
    const own = { primary_color: "#6a1b9a", eye_color: "#000" };
    expect(isDesigned({ ...current, eye_color: "#000000" }, own)).toBe(true);
  });

  it("never treats a logo as known, but knows when there is none", () => {
    expect(isDesigned({ ...current, has_logo: true }, { logo_file: "sha256:1" })).toBe(false);
    expect(isDesigned(current, { remove_logo: true })).toBe(true);
    expect(isDesigned({ ...current, has_logo: true }, { remove_logo: true })).toBe(false);
  });

  it("a field that the server doesn't send is unknown", () => {
    expect(isDesigned({}, { pattern: "Circles" })).toBe(false);
  });
});

describe("toTemplateFields (docs/spec/api.md section 2.3)", () => {
  it("takes the whole design, and back what the template has not", () => {
    expect(
      toTemplateFields({
        id: "t",
        title: "House",
        primary_color: "#0a3d62",
        eye_color: null,
        background_color: null,
        pattern: "Circles",
        frame: null,
        text: "",
        has_border: false,
        has_logo: true,
      }),
    ).toEqual({
      primary_color: "#0a3d62",
      background_color: null,
      pattern: "Circles",
      frame: null,
      text: null,
      has_border: false,
    });
  });
});

describe("toUndoDesign", () => {
  it("sends only what differs, and the colours that follow the main one", () => {
    const before = { ...current, primary_color: "#111111", eye_color: "#cc0000", frame: null };
    expect(toUndoDesign(before, current)).toEqual({
      patch: {
        primary_color: "#111111",
        eye_color: "#cc0000",
        frame_color: "#6a1b9a",
        frame: null,
      },
      lost: [],
    });
  });

  it("takes a new logo away, and says when an old one is gone", () => {
    const sent = { ...current, has_logo: true, logo_file: "sha256:1" };
    expect(toUndoDesign(current, sent)).toEqual({ patch: { remove_logo: true }, lost: [] });
    const lost = ["its logo: the API doesn't give one out"];
    expect(toUndoDesign({ ...current, has_logo: true }, sent)).toEqual({ patch: {}, lost });
  });

  it("of a design that is known in part only, says what can't be put back", () => {
    expect(
      toUndoDesign({ primary_color: "#111111" }, { primary_color: "#222222", frame: "card" }),
    ).toEqual({ patch: { primary_color: "#111111" }, lost: ["frame"] });
  });

  it("undoing restores what was there before, whatever that was", () => {
    const color = fc.constantFrom("#111111", "#6a1b9a", "#0a3d62");
    const design = fc.record({
      primary_color: color,
      eye_color: color,
      frame_color: color,
      background_color: fc.option(color),
      pattern: fc.constantFrom("Original", "Circles"),
      frame: fc.option(fc.constantFrom("card", "burst")),
      text: fc.constantFrom("", "MENU"),
      has_border: fc.boolean(),
    });
    fc.assert(
      fc.property(design, design, (before, after) => {
        const { patch, lost } = toUndoDesign(before, after);
        expect(lost).toEqual([]);
        const restored =
          patch["primary_color"] === undefined
            ? { ...after, ...patch }
            : {
                ...after,
                eye_color: patch["primary_color"],
                frame_color: patch["primary_color"],
                ...patch,
              };
        expect(isUntouched(restored, before)).toBe(true);
      }),
    );
  });
});

describe("isRestored", () => {
  const framed = { ...current, text: "TABLE 1", has_logo: true };
  const after = { ...current, primary_color: "#0a3d62", has_logo: true };

  it("is true of a design as before, with its logo and its frame", () => {
    expect(isRestored(framed, { before: framed, after })).toBe(true);
    expect(isRestored({ ...framed, text: "MINE" }, { before: framed, after })).toBe(false);
    expect(isRestored(after, { before: framed, after })).toBe(false);
  });

  it("is true of what an undo leaves that can't put back the logo", () => {
    const removed = { ...after, has_logo: false, remove_logo: true };
    const left = { ...framed, has_logo: false };
    expect(isRestored(left, { before: framed, after: removed })).toBe(true);
    expect(isRestored(removed, { before: framed, after: removed })).toBe(false);
  });

  it("of a design that is known in part, asks for the rest as the run had left it", () => {
    const before = { primary_color: "#111111", eye_color: "#111111", frame_color: "#111111" };
    expect(isRestored({ ...after, ...before }, { before, after })).toBe(true);
    expect(isRestored({ ...after, ...before, text: "MINE" }, { before, after })).toBe(false);
    expect(isRestored(before, { before, after: before })).toBe(false);
  });
});

const restyle = (before: object, wanted: object, template?: object): object =>
  toRestyle({ before, wanted, template } as Parameters<typeof toRestyle>[0]);

describe("the design of a code that a row made", () => {
  it("names what the row names, and takes back what it names no more", () => {
    expect(restyle({ frame: "card" }, { primary_color: "#000000" })).toEqual({
      primary_color: "#000000",
      frame: null,
    });
    expect(restyle({ eye_color: "#ff0000" }, {})).toEqual({ primary_color: "#111111" });
    expect(restyle({ logo_url: "https://a.example/l.png", error_correction: "L" }, {})).toEqual({
      remove_logo: true,
      error_correction: "Q",
    });
    expect(restyle({ pattern: "Circles" }, { pattern: "Circles" })).toEqual({ pattern: "Circles" });
  });

  it("has a template's fields under its own, since a design update knows no templates", () => {
    const dots = { id: "dots", title: "Dots", pattern: "Circles", frame: null, has_logo: false };
    expect(restyle({}, { template: "Dots", eye_style: "Leaf" }, dots)).toEqual({
      pattern: "Circles",
      frame: null,
      eye_style: "Leaf",
    });
    const ink = { title: "Ink", primary_color: "#1b2a6b", eye_color: "#1B2A6B" };
    expect(restyle({}, { template: "Ink", primary_color: "#000000" }, ink)).toEqual({
      primary_color: "#000000",
    });
    expect(restyle({ template: "Dots" }, {})).toMatchObject({
      pattern: "Original",
      frame: null,
      remove_logo: true,
    });
  });

  it("can't have the logo of another template", () => {
    const seal = { id: "seal", title: "Seal", has_logo: true };
    const wanted = { template: "Seal" };
    expect(needsTemplateLogo({ before: {}, wanted, template: seal })).toBe(true);
    expect(needsTemplateLogo({ before: wanted, wanted, template: seal })).toBe(false);
  });
});
