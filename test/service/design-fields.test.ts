import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { eyeStyles, frames, patterns } from "../../src/api/design.ts";
import { withTemplate } from "../../src/plan/looks.ts";
import { type Design, resolveDesign } from "../../src/qr/draw/design.ts";
import {
  overlayDesign,
  overlayTemplate,
  patchDesign,
  toDesignAnswer,
} from "../../src/service/designs/design-fields.ts";
import type { StoredDesign } from "../../src/service/designs/stored-design.ts";

const resolve = (design: StoredDesign) =>
  resolveDesign(design as Parameters<typeof resolveDesign>[0]);

const color = fc.constantFrom("#111111", "#aa0000", "#00aa00", "#0000aa");
const colored = {
  primary_color: color,
  eye_color: fc.option(color),
  background_color: fc.option(color),
  frame_color: fc.option(color),
};
const framed = fc.record(
  { ...colored, frame: fc.option(fc.constantFrom("card", "border")) },
  { requiredKeys: [] },
);
/** Nobody sees the colour of a frame that isn't drawn. */
const shown = ({ frameColor, ...design }: Design) =>
  design.frame === null ? design : { ...design, frameColor };
const given = fc.record(
  {
    ...colored,
    pattern: fc.constantFrom(...patterns),
    eye_style: fc.constantFrom(...eyeStyles),
    frame: fc.option(fc.constantFrom(...frames)),
    has_border: fc.boolean(),
    text: fc.option(fc.constantFrom("", "MENU")),
    size: fc.integer({ min: 40, max: 4000 }),
  },
  { requiredKeys: [] },
);

describe("overlayDesign", () => {
  it("keeps what is left out and forgets what is null", () => {
    const base = overlayDesign({}, { primary_color: "#aa0000", frame: "card", text: "A" });
    expect(base).toEqual({ primaryColor: "#aa0000", frame: "card", text: "A" });
    expect(overlayDesign(base, { text: "B" })).toEqual({ ...base, text: "B" });
    expect(overlayDesign(base, { frame: null, text: null })).toEqual({ primaryColor: "#aa0000" });
  });

  it("keeps the logo, which no field of these is", () => {
    expect(overlayDesign({ logo: "hash" }, { size: 300 })).toEqual({ sizePx: 300, logo: "hash" });
  });

  it("gives equal designs equal texts, whatever came first: files are named after them", () => {
    fc.assert(
      fc.property(given, given, (first, second) => {
        const stepwise = overlayDesign(overlayDesign({}, first), second);
        const merged = overlayDesign({}, { ...first, ...second });
        expect(JSON.stringify(stepwise)).toBe(JSON.stringify(merged));
        expect(overlayDesign(stepwise, {})).toEqual(stepwise);
      }),
    );
  });
});

describe("overlayTemplate (docs/spec/api.md section 4.1, create)", () => {
  it("looks as a job's own look says, whatever template and fields", () => {
    fc.assert(
      fc.property(framed, framed, (template, fields) => {
        const told = toDesignAnswer(resolve(overlayDesign({}, template)));
        const ofService = resolve(overlayTemplate(overlayDesign({}, template), fields));
        const ofJob = resolve(overlayDesign({}, withTemplate(fields, told)));
        expect(shown(ofService)).toEqual(shown(ofJob));
      }),
    );
  });

  it("recolours eyes and frame in the template's colour, and leaves those in their own", () => {
    const template = overlayDesign(
      {},
      { primary_color: "#00aa00", eye_color: "#0A0", frame_color: "#0000aa" },
    );
    expect(overlayTemplate(template, { primary_color: "#aa0000" })).toEqual({
      primaryColor: "#aa0000",
      frameColor: "#0000aa",
    });
  });
});

describe("patchDesign (docs/spec/api.md section 4.1, design)", () => {
  it("recolours eyes and frame with the primary colour, unless they are given", () => {
    fc.assert(
      fc.property(given, given, color, (before, patch, primary_color) => {
        const base = overlayDesign({}, before);
        const design = resolveDesign(
          patchDesign(base, { ...patch, primary_color }) as Parameters<typeof resolveDesign>[0],
        );
        expect(design.primaryColor).toBe(primary_color);
        expect(design.eyeColor).toBe(patch.eye_color ?? primary_color);
        expect(design.frameColor).toBe(patch.frame_color ?? primary_color);
      }),
    );
  });

  it("leaves eyes and frame alone without a primary colour", () => {
    const base = overlayDesign({}, { eye_color: "#aa0000", frame_color: "#00aa00" });
    expect(patchDesign(base, { pattern: "Circles" })).toEqual({ ...base, pattern: "Circles" });
  });
});

it("answers a design in the words of the wire, so that it can be sent back", () => {
  fc.assert(
    fc.property(given, (fields) => {
      const design = resolveDesign(
        overlayDesign({}, fields) as Parameters<typeof resolveDesign>[0],
      );
      const { has_logo: _hasLogo, ...wire } = toDesignAnswer(design);
      const again = resolveDesign(overlayDesign({}, wire) as Parameters<typeof resolveDesign>[0]);
      expect(again).toEqual(design);
    }),
  );
});
