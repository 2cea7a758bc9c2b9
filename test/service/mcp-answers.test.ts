/** What assistants get: few words, pictures on request, shapes and prompts. */
import { Ajv } from "ajv";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connectTo, type Session } from "./assistant.ts";
import { makeService, type TestService, type Wire } from "./make-service.ts";
import { readCode } from "./read-code.ts";

let service: TestService;
let session: Session;
beforeAll(async () => {
  service = await makeService();
  session = await connectTo({ at: service });
  // From then on, the client holds every answer to its schema.
  await session.client.listTools();
});
afterAll(() => service.close());

const use: Session["call"] = (name, args) => session.call(name, args);

/** All that comes over the wire for a call. */
const weigh = (answer: Wire): number => JSON.stringify(answer).length;

/** A form with a field, not yet published; answers its id. */
async function makeForm(): Promise<string> {
  const made = await use("create_form", { title: "Visit" });
  const { id } = made.structuredContent;
  const fields = [{ id: "temp-1", field_type: "text", label: "Name" }];
  await use("save_form_fields", { form_id: id, fields });
  return id;
}

describe("pictures", () => {
  it("are in no answer unless they are asked for: a code is a few hundred bytes", async () => {
    const code = await use("create_qr_code", { qr_data: "https://example.com/", dynamic: true });
    const page = await use("create_landing_page", { title: "Menu" });
    const link = await use("create_short_link", { link: "https://example.com/" });
    const published = await use("publish_form", { form_id: await makeForm() });
    const others = [
      await use("get_landing_page", { page_id: page.structuredContent.id }),
      await use("list_landing_pages"),
      await use("get_short_link", { link_id: link.structuredContent.id }),
    ];
    for (const answer of [code, page, link, published, ...others]) {
      expect(JSON.stringify(answer)).not.toContain("<svg");
      expect(weigh(answer)).toBeLessThan(2000);
    }
  });

  it("come as an image item, which a phone reads", async () => {
    const looks = { qr_data: "https://example.com/a", dynamic: true, primary_color: "#1a237e" };
    const made = await use("create_qr_code", { ...looks, frame: "card", picture: "png" });
    const { id, shortlink_url: short } = made.structuredContent;
    const seen = await use("get_qr_code", { qr_code_id: id, picture: "png" });
    for (const { content, structuredContent } of [made, seen]) {
      expect(content).toHaveLength(2);
      const [text, image] = content;
      expect(JSON.parse(text.text)).toEqual(structuredContent);
      expect(image).toMatchObject({ type: "image", mimeType: "image/png" });
      const png = Buffer.from(image.data, "base64");
      const { width, hasAlpha } = await sharp(png).metadata();
      expect(width).toBe(440);
      // Transparent codes are black on black in a dark window.
      if (hasAlpha) expect((await sharp(png).stats()).isOpaque).toBe(true);
      expect(await readCode(png)).toBe(short);
    }
  });

  it.each([
    ["create_landing_page", { title: "Menu" }, "shortlink_url"],
    ["create_short_link", { link: "https://example.com/" }, "shortlink_url"],
    ["create_pdf_qr_code", { pdf_base64: "JVBERi0xLjc=" }, "shortlink_url"],
  ])("are there for %s", async (name, args, field) => {
    const { content, structuredContent } = await use(name, { ...args, picture: "png" });
    expect(await readCode(Buffer.from(content[1].data, "base64"))).toBe(structuredContent[field]);
  });

  it("are there for a form once it has a code, and for a link's code and files", async () => {
    const id = await makeForm();
    const published = await use("publish_form", { form_id: id, picture: "png" });
    expect(published.content[1].type).toBe("image");
    const link = (await use("create_short_link", { link: "https://example.com/" }))
      .structuredContent;
    const qr = await use("get_short_link_qr_code", { link_id: link.id, picture: "png" });
    expect([qr.structuredContent.url, qr.content[1].type]).toEqual([
      expect.stringContaining(".png"),
      "image",
    ]);
    const code = await service.code();
    const files = await use("download_qr_code", { qr_code_id: code.id, picture: "png" });
    expect(files.content[1].type).toBe("image");
  });

  it("come as text when they are asked for as SVG; other words are refused", async () => {
    const made = await use("create_qr_code", { qr_data: "https://example.com/", picture: "svg" });
    expect(made.structuredContent.svg).toMatch(/^<svg/u);
    expect(made.content).toHaveLength(1);
    const refused = await use("create_qr_code", { qr_data: "https://a.test/", picture: "gif" });
    expect(refused.content[0].text).toContain("picture: Must be one of png, svg.");
  });
});

describe("lists", () => {
  it("have ten entries unless more are asked for", async () => {
    for (let n = 0; n < 12; n += 1) await service.folder(`Folder ${n}`);
    const [few, all] = [await use("list_folders"), await use("list_folders", { page_size: 50 })];
    expect(few.structuredContent.results).toHaveLength(10);
    expect(few.structuredContent.next).toContain("page=2");
    expect(all.structuredContent.results).toHaveLength(12);
    const second = await use("list_folders", { page: 2 });
    expect(second.structuredContent.results).toHaveLength(2);
    const { tools } = await session.client.listTools();
    const { properties = {} } =
      tools.find(({ name }) => name === "list_folders")?.inputSchema ?? {};
    expect(properties["page_size"]).toMatchObject({ default: 10, maximum: 200 });
  });
});

describe("output schemas", () => {
  it("say of every tool what it answers, in few words", async () => {
    const { tools } = await session.client.listTools();
    const ajv = new Ajv({ allowUnionTypes: true });
    for (const { name, outputSchema } of tools) {
      expect([name, outputSchema?.type]).toEqual([name, "object"]);
      expect(ajv.validateSchema(outputSchema as object)).toBe(true);
      expect(JSON.stringify(outputSchema)).not.toContain('"description":"');
      expect(JSON.stringify(outputSchema).length).toBeLessThan(1600);
    }
    const find = (wanted: string): Wire => tools.find(({ name }) => name === wanted)?.outputSchema;
    expect(find("create_qr_code").required).toContain("shortlink_url");
    expect(find("create_qr_code").properties.svg).toEqual({ type: "string" });
    expect(find("list_landing_pages").properties.results.items.properties).not.toHaveProperty(
      "svg",
    );
    expect(find("delete_folder").required).toEqual(["deleted"]);
  });
});

const isTool = (word: string): boolean =>
  /^(?:create|list|get|update|add|save|publish)_/u.test(word);

describe("prompts", () => {
  it("are listed with their arguments, and name tools that there are", async () => {
    const { prompts } = await session.client.listPrompts();
    const { tools } = await session.client.listTools();
    const known = new Set(tools.map(({ name }) => name));
    expect(prompts.map(({ name }) => name)).toContain("make_code");
    for (const { name, title, description, arguments: taken = [] } of prompts) {
      expect([title, description]).toEqual([expect.any(String), expect.stringMatching(/\.$/u)]);
      const given = Object.fromEntries(taken.map((one) => [one.name, `my "${one.name}"`]));
      const { messages } = await session.client.getPrompt({ name, arguments: given });
      const [{ role, content }] = messages as [Wire];
      expect(role).toBe("user");
      // What a person typed is quoted, so that it is data.
      for (const one of taken) expect(content.text).toContain(`"my \\"${one.name}\\""`);
      const named = content.text.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/gu) ?? [];
      expect(named.filter((word: string) => isTool(word) && !known.has(word))).toEqual([]);
    }
  });

  it("say what is missing", async () => {
    const { client } = session;
    await expect(client.getPrompt({ name: "make_code" })).rejects.toThrow(
      "Missing arguments: address",
    );
    await expect(client.getPrompt({ name: "toString" })).rejects.toThrow(
      "Unknown prompt: toString",
    );
  });
});
