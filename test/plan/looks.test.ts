import { describe, expect, it } from "vitest";

import {
  type Design,
  LookTally,
  lostLooks,
  toTemplateFacts,
  withTemplate,
} from "../../src/plan/looks.ts";
import { toPressHint } from "../../src/base/shapes/press-warning.ts";
import { toLevel, toOldLevel } from "../../src/api/design.ts";

const BLACK = { cmyk: [0, 0, 0, 1], spot: null, tint: 1 } as const;
const PLAIN = { print: "plain", artwork: "redraw", artworkInks: {}, codeStyle: null } as const;
const SERVER = { ...PLAIN, artwork: "server" } as const;
const styled = (pattern: string, eyes = "Square") => ({
  ...PLAIN,
  codeStyle: { pattern, eyes, ink: BLACK, eyeInk: BLACK },
});
const BLUE = { primary_color: "#0a3d62" };
const FRAMED = { ...BLUE, pattern: "Circles", frame: "card", text: "SCAN" };

describe("lostLooks", () => {
  it.each<[string, Design, Parameters<typeof lostLooks>[1], readonly string[]]>([
    ["nothing of a plain design", {}, PLAIN, []],
    [
      "nothing of near black on near white",
      { primary_color: "#111", background_color: "#fefefe" },
      PLAIN,
      [],
    ],
    ["colours of modules", BLUE, PLAIN, ["colours"]],
    ["colours of eyes", { eye_color: "#cc0000" }, PLAIN, ["colours"]],
    ["a background", { background_color: "#ffe4b5" }, PLAIN, ["background"]],
    ["shapes", { pattern: "Circles", eye_style: "Leaf" }, PLAIN, ["pattern", "eyes"]],
    ["frame and label", FRAMED, PLAIN, ["colours", "pattern", "frame", "frame text"]],
    ["a logo by its address", { logo_url: "https://a.example/l.png" }, PLAIN, ["logo"]],
    ["a logo by its file", { logo_file: "sha256:00" }, PLAIN, ["logo"]],
    ["no empty fields", { frame: "", text: "", logo_url: "" }, PLAIN, []],
    ["only the frame, in inks and the pattern", FRAMED, styled("Circles"), ["frame", "frame text"]],
    ["the pattern, in another one", { pattern: "Circles" }, styled("Diamonds"), ["pattern"]],
    ["the eyes, in others", { eye_style: "Leaf" }, styled("Original", "Drop"), ["eyes"]],
    ["no shapes of drawings", { pattern: "Circles", eye_style: "Leaf" }, SERVER, []],
    ["colours of drawings that are nobody's ink", BLUE, SERVER, ["colours"]],
    [
      "no colours of drawings that have their ink",
      { primary_color: "#0A3D62" },
      { ...SERVER, artworkInks: { "#0a3d62": BLACK } },
      [],
    ],
    [
      "everything of drawings with a frame",
      FRAMED,
      SERVER,
      ["colours", "pattern", "frame", "frame text"],
    ],
  ])("%s", (_, design, sheets, lost) => {
    expect(lostLooks(design, sheets)).toEqual(lost);
  });

  it("counts what a template brings, beneath the design's own", () => {
    const facts = toTemplateFacts({ ...FRAMED, id: "t", has_logo: true, error_correction: "M" });
    expect(facts).toEqual({ ...FRAMED, has_logo: true, error_correction: "M" });
    const whole = withTemplate({ template: "t", primary_color: "#000000" }, facts);
    expect(lostLooks(whole, PLAIN)).toEqual(["pattern", "frame", "frame text", "logo"]);
    expect(toLevel({ design: whole })).toBe("M");
  });
});

describe("a template under a colour of the job's own", () => {
  const facts = toTemplateFacts({
    primary_color: "#1b2a6b",
    eye_color: "#1B2A6B",
    frame_color: "#8a1c1c",
    frame: "card",
  });

  it("recolours what has the colour of the template's modules, and nothing else", () => {
    const whole = withTemplate({ template: "t", primary_color: "#b71c1c" }, facts);
    expect(whole).toEqual({
      template: "t",
      primary_color: "#b71c1c",
      frame_color: "#8a1c1c",
      frame: "card",
    });
    expect(withTemplate({ primary_color: "#b71c1c", eye_color: "#000" }, facts)).toMatchObject({
      eye_color: "#000",
    });
  });

  it("keeps the colour of a frame that isn't drawn: sheets that are finished stay so", () => {
    const bare = { primary_color: "#111111", frame_color: "#111111", frame: null, text: "" };
    const own = { primary_color: "#0a3d62" };
    expect(withTemplate(own, bare)).toEqual({ ...bare, ...own });
    for (const framed of [{ frame: "card" }, { text: "SCAN" }]) {
      expect(withTemplate({ ...own, ...framed }, bare)).not.toHaveProperty("frame_color");
      expect(withTemplate(own, { ...bare, ...framed })).not.toHaveProperty("frame_color");
    }
    expect(withTemplate({ ...own, frame: null }, { ...bare, frame: "card" })).toHaveProperty(
      "frame_color",
    );
  });

  it("leaves a template as it is where the job names no colour of modules", () => {
    expect(withTemplate({ template: "t", pattern: "Circles", primary_color: "" }, facts)).toEqual({
      ...facts,
      template: "t",
      pattern: "Circles",
      primary_color: "",
    });
  });
});

describe("LookTally", () => {
  it("is silent when nothing is lost, and distinguishes plain codes from simpler ones", () => {
    const plain = new LookTally(PLAIN);
    plain.add("a", []);
    expect(plain.list()).toEqual([]);
    plain.addAll({ rows: ["b", "c"], count: 7 }, ["frame"]);
    plain.add("d", ["logo", "frame"]);
    const found = { count: 8, rows: ["b", "c", "d"], what: ["frame", "logo"] };
    expect(plain.list()).toEqual([{ code: "codes-plain", ...found }]);
    const simpler = new LookTally(styled("Circles"));
    simpler.add("a", ["frame"]);
    expect(simpler.list()).toMatchObject([{ code: "codes-simpler" }]);
  });

  it("says only what is true of codes whose design is not known", () => {
    const unknown = new LookTally({ ...PLAIN, print: "designed" });
    unknown.add("a", ["unknown design"]);
    const [hint = "none"] = unknown.list().map(toPressHint);
    expect(hint).toContain("where the service is the embedded one, a job of kind export prints");
    expect(hint).toContain("the job that makes the codes prints them as its own code.design says");
  });
});

describe("levels", () => {
  it("are H with any logo; makeready 0.1.0 knew logos by their address only", () => {
    expect(toLevel({ design: { logo_file: "sha256:00" } })).toBe("H");
    expect(toOldLevel({ design: { logo_file: "sha256:00" } })).toBe("Q");
    expect(toOldLevel({ design: { logo_url: "https://a.example/l.png" } })).toBe("H");
    expect(toLevel({ design: { logo_file: "sha256:00", error_correction: "L" } })).toBe("L");
  });
});

describe("what to do about plain codes", () => {
  it("names no design where tills refuse it", () => {
    const tally = new LookTally({ ...PLAIN, application: "gs1-pos" });
    tally.add("1", ["colours"]);
    const [warning] = tally.list();
    expect(warning && toPressHint(warning)).toMatch(/^application: gs1-pos prints plain codes/u);
  });
});
