import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeService, type Answer, type TestService, type Wire } from "../make-service.ts";
import { readCode } from "../read-code.ts";

const DATA = "https://example.com/t/7";
// Written out from the document, not taken from the code.
const patterns = ["Original", "Circles", "Squares", "Diamonds", "Triangles"];
const eyeStyles = ["Square", "Rounded", "Drop", "Leaf"];
const textFrames = ["speech-bubble", "speech-bubble-above", "card", "card-above", "text-frame"];
const otherFrames = [
  "border",
  "border-small",
  "border-large",
  "square",
  "round-frame",
  "circle-viewfinder",
  "solid-spin",
  "burst",
  "scattered-lines",
  "polkadot",
  "swirl",
];
const frames = [...textFrames, ...otherFrames];

let service: TestService;
let logo: Buffer;
let plain: Wire;
beforeAll(async () => {
  const pixels = { width: 40, height: 40, channels: 3 as const, background: "#0000cc" };
  logo = await sharp({ create: pixels }).png().toBuffer();
  service = await makeService({ fetch: async () => logo });
  plain = await service.code({ qr_data: DATA });
});
afterAll(() => service.close());

const create = (fields: Record<string, unknown>): Promise<Answer> =>
  service.send("POST", "/qrcode/create/", {
    workspace: service.workspace,
    qr_data: DATA,
    ...fields,
  });
const restyle = (id: string, fields: unknown): Promise<Answer> =>
  service.send("PATCH", `/qrcode/${id}/design/`, fields);
const designOf = async (id: string): Promise<Wire> =>
  (await service.get(`/qrcode/${id}/`)).body.design;
const svgOf = async (fields: Record<string, unknown>): Promise<string> => {
  const { status, body, text } = await create(fields);
  if (status !== 200) throw new Error(text);
  return body.svg;
};
const decode = async (id: string): Promise<string | undefined> => {
  const { png_url: url } = (await service.get(`/qrcode/${id}/download/`)).body;
  const response = await service.fetch(new Request(url));
  return readCode(new Uint8Array(await response.arrayBuffer()));
};

/** Every value of every enumerated field. */
const values: [string, string][] = [
  ...patterns.map((value): [string, string] => ["pattern", value]),
  ...eyeStyles.map((value): [string, string] => ["eye_style", value]),
  ...frames.map((value): [string, string] => ["frame", value]),
  ...["L", "M", "Q", "H"].map((value): [string, string] => ["error_correction", value]),
];
const defaults: Readonly<Record<string, string>> = {
  pattern: "Original",
  eye_style: "Square",
  error_correction: "Q",
};

describe("docs/spec/api.md section 2.2: values", () => {
  it.each(values)("%s %s is drawn by the create, and can be scanned", async (field, value) => {
    const { status, body } = await create({ [field]: value });
    expect(status).toBe(200);
    expect(await designOf(body.id)).toMatchObject({ [field]: value });
    expect(body.svg === plain.svg).toBe(defaults[field] === value);
    expect(await decode(body.id)).toBe(DATA);
  });

  it.each(values)("%s %s is drawn alike by the design update", async (field, value) => {
    const code = await service.code({ qr_data: DATA });
    const { status, body } = await restyle(code.id, { [field]: value });
    expect([status, body.svg]).toEqual([200, await svgOf({ [field]: value })]);
    expect(body.design).toMatchObject({ [field]: value });
  });

  it.each(values)("%s %s is meant as it is written", async (field, value) => {
    const other = value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase();
    for (const wrong of [other, ` ${value}`, `${value}x`, "", 1, true, [value], { value }]) {
      const made = await create({ [field]: wrong });
      expect([made.status, Object.keys(made.body)]).toEqual([400, [field]]);
      const styled = await restyle(plain.id, { [field]: wrong });
      expect([styled.status, Object.keys(styled.body)]).toEqual([400, [field]]);
    }
  });

  it.each(["primary_color", "eye_color", "background_color", "frame_color"])(
    "%s takes hex colours with #",
    async (field) => {
      const styled = { frame: "card", text: "HI" };
      for (const color of ["#aa0000", "#AA0000", "#a00"]) {
        const { status, body } = await create({ ...styled, [field]: color });
        expect(status).toBe(200);
        expect((await designOf(body.id))[field]).toBe(color);
        expect(body.svg).not.toBe(await svgOf(styled));
      }
      for (const wrong of ["aa0000", "red", "#aa00", "#gg0000", "rgb(1,2,3)", "", 5, ["#aa0000"]]) {
        const made = await create({ [field]: wrong });
        expect([made.status, Object.keys(made.body)]).toEqual([400, [field]]);
        const again = await restyle(plain.id, { [field]: wrong });
        expect([again.status, Object.keys(again.body)]).toEqual([400, [field]]);
      }
    },
  );

  it.each(["has_border", "logo_round"])("%s is a boolean", async (field) => {
    for (const right of [true, false]) expect((await create({ [field]: right })).status).toBe(200);
    for (const wrong of ["true", 1, 0, "", [], {}]) {
      const made = await create({ [field]: wrong });
      expect([made.status, Object.keys(made.body)]).toEqual([400, [field]]);
    }
  });

  it.each(["text", "logo_url"])("%s is a string", async (field) => {
    for (const wrong of [5, true, [], {}]) {
      const made = await create({ [field]: wrong });
      expect([made.status, Object.keys(made.body)]).toEqual([400, [field]]);
    }
  });
});

const widthOf = (svg: string): string | undefined => / width="(\d+)"/u.exec(svg)?.[1];
const heightOf = (svg: string): number => Number(/ height="([\d.]+)"/u.exec(svg)?.[1]);

describe("docs/spec/api.md section 2.2: size", () => {
  it("is 220 pixels wide by default", async () => {
    expect(widthOf(plain.svg)).toBe("220");
    const { body } = await create({ generate_png: true });
    const png = await service.fetch(new Request(body.png));
    const { width, height } = await sharp(await png.arrayBuffer()).metadata();
    expect([width, height]).toEqual([220, 220]);
  });

  it.each([100, 221, 1000, 4096, 5000])("%i pixels make an SVG of that width", async (size) => {
    expect(widthOf(await svgOf({ size }))).toBe(String(size));
  });

  it("lets the height follow width and frame", async () => {
    expect(heightOf(await svgOf({ size: 300 }))).toBe(300);
    const card = await svgOf({ size: 300, frame: "card", text: "MENU" });
    expect(widthOf(card)).toBe("300");
    expect(heightOf(card)).toBeGreaterThan(300);
  });

  it.each([0, -1, 1.5, "220", true, [220], 1e9])("%j is refused", async (size) => {
    const { status, body } = await create({ size });
    expect([status, Object.keys(body)]).toEqual([400, ["size"]]);
  });
});

describe("docs/spec/api.md section 2.2: defaults", () => {
  it("are those of the table", async () => {
    expect(await designOf(plain.id)).toEqual({
      primary_color: "#111111",
      eye_color: "#111111",
      background_color: null,
      frame_color: "#111111",
      pattern: "Original",
      eye_style: "Square",
      frame: null,
      has_border: false,
      text: "",
      text_secondary: "",
      error_correction: "Q",
      size: 220,
      logo_round: false,
      has_logo: false,
    });
  });

  it("error_correction is Q without a logo, H with one, and what is given wins", async () => {
    const url = "https://cdn.example/logo.png";
    const made = await create({ logo_url: url });
    expect(await designOf(made.body.id)).toMatchObject({ error_correction: "H", has_logo: true });
    const given = await create({ logo_url: url, error_correction: "Q" });
    expect(await designOf(given.body.id)).toMatchObject({ error_correction: "Q", has_logo: true });
    const later = await restyle(plain.id, { logo_url: url });
    expect(later.body.design).toMatchObject({ error_correction: "H" });
    const bare = await restyle(plain.id, { remove_logo: true });
    expect(bare.body.design).toMatchObject({ error_correction: "Q", has_logo: false });
  });

  it("the background is transparent", async () => {
    const { body } = await create({ generate_png: true });
    const png = await service.fetch(new Request(body.png));
    const { data, info } = await sharp(await png.arrayBuffer())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(0);
    expect(info.channels).toBe(4);
    const white = await create({ generate_png: true, background_color: "#ffffff" });
    const filled = await service.fetch(new Request(white.body.png));
    const pixels = await sharp(await filled.arrayBuffer())
      .ensureAlpha()
      .raw()
      .toBuffer();
    expect([...pixels.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  });

  it("logo_round cuts the logo to a circle", async () => {
    const url = "https://cdn.example/logo.png";
    const square = await svgOf({ logo_url: url });
    const round = await svgOf({ logo_url: url, logo_round: true });
    expect(round).not.toBe(square);
    expect(await decode((await create({ logo_url: url, logo_round: true })).body.id)).toBe(DATA);
  });
});

describe("docs/spec/api.md section 2.2, rule 1: eyes and frame take primary_color unless given", () => {
  it("on create", async () => {
    const frame = { frame: "card", text: "HI" };
    const blue = { primary_color: "#000099" };
    expect(await svgOf({ ...frame, ...blue })).toBe(
      await svgOf({ ...frame, ...blue, eye_color: "#000099", frame_color: "#000099" }),
    );
    const red = await create({ ...frame, ...blue, eye_color: "#990000", frame_color: "#006600" });
    for (const color of ["#000099", "#990000", "#006600"]) expect(red.body.svg).toContain(color);
  });
});

describe("docs/spec/api.md section 2.2, rule 2: a text needs a frame that shows it", () => {
  it("takes card when no frame is given", async () => {
    expect(await svgOf({ text: "MENU" })).toBe(await svgOf({ text: "MENU", frame: "card" }));
  });

  it.each(otherFrames)("takes card for %s, which shows none", async (frame) => {
    const { body } = await create({ text: "MENU", frame });
    expect((await designOf(body.id)).frame).toBe("card");
    const code = await service.code({ frame });
    expect((await restyle(code.id, { text: "MENU" })).body.design.frame).toBe("card");
  });

  it.each(textFrames)("keeps %s, which shows it", async (frame) => {
    const { body } = await create({ text: "MENU", frame });
    expect(await designOf(body.id)).toMatchObject({ frame, text: "MENU" });
    expect(body.svg).not.toBe(await svgOf({ text: "OTHER", frame }));
    const code = await service.code({ frame });
    expect((await restyle(code.id, { text: "MENU" })).body.design.frame).toBe(frame);
    expect(await decode(body.id)).toBe(DATA);
  });

  it("refuses a text longer than the frame shows", async () => {
    for (const frame of textFrames) {
      expect((await create({ frame, text: "x".repeat(30) })).status).toBe(200);
      const { status, body } = await create({ frame, text: "x".repeat(31) });
      expect([status, Object.keys(body)]).toEqual([400, ["text"]]);
    }
  });
});

describe("docs/spec/api.md section 2.2, rule 3: no effect without the option", () => {
  it("has_border without a frame, or in one that has none", async () => {
    expect(await svgOf({ has_border: true })).toBe(plain.svg);
    for (const frame of ["border", "border-small", "border-large", "square", "text-frame"]) {
      expect(await svgOf({ frame, has_border: true })).toBe(await svgOf({ frame }));
    }
    for (const frame of ["card", "round-frame", "swirl"]) {
      expect(await svgOf({ frame, has_border: true })).not.toBe(await svgOf({ frame }));
    }
  });

  it("an empty text counts as no text", async () => {
    expect(await svgOf({ text: "" })).toBe(plain.svg);
    expect(await svgOf({ text: "", frame: "swirl" })).toBe(await svgOf({ frame: "swirl" }));
  });

  it("text_secondary belongs to the design update only", async () => {
    const code = await service.code({ text: "MENU", text_secondary: "ignored" });
    expect((await designOf(code.id)).text_secondary).toBe("");
    const { body } = await restyle(code.id, { text_secondary: "open late" });
    expect(body.design.text_secondary).toBe("open late");
    expect(body.svg).not.toBe(code.svg);
  });
});

describe("docs/spec/api.md section 4.1: design update", () => {
  it("keeps destination, short link, scans, tags and folder", async () => {
    const folder = await service.folder("Kept");
    const code = await service.code({ dynamic: true, folder: folder.id });
    await service.send("POST", `/qrcode/${code.id}/tags/add/`, [{ title: "Kept" }]);
    await service.scan(code.shortlink_url);
    const before = (await service.get(`/qrcode/${code.id}/`)).body;
    const { body } = await restyle(code.id, { primary_color: "#330000", frame: "burst" });
    const { svg, design, ...rest } = body;
    const { design: old, ...kept } = before;
    expect(rest).toEqual(kept);
    expect(design).not.toEqual(old);
    expect(svg).toContain("#330000");
    const visit = await service.scan(code.shortlink_url);
    expect(visit.headers.get("location")).toBe(code.qr_data);
  });

  it.each(["JPEG", "PNG", "GIF", "WebP"] as const)(
    "takes a logo_base64 of type %s",
    async (type) => {
      const bytes = await sharp(logo)
        .toFormat(type.toLowerCase() as "png")
        .toBuffer();
      const { status, body } = await restyle(plain.id, { logo_base64: bytes.toString("base64") });
      expect([status, body.design.has_logo]).toEqual([200, true]);
      await restyle(plain.id, { remove_logo: true });
    },
  );

  it("remove_logo false keeps the logo", async () => {
    const code = await service.code({ logo_url: "https://cdn.example/logo.png" });
    const { body } = await restyle(code.id, { remove_logo: false });
    expect(body.design.has_logo).toBe(true);
    expect(body.svg).toBe(code.svg);
  });

  it("changes nothing when nothing is sent", async () => {
    const code = await service.code({ text: "MENU", primary_color: "#003300" });
    const { status, body } = await restyle(code.id, {});
    expect([status, body.svg]).toEqual([200, code.svg]);
  });
});
