import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import sharp from "sharp";
import { afterEach, beforeEach, expect, it } from "vitest";

import { randomIds } from "../../src/base/ids/ids.ts";

import { makeService, type TestService, type Wire } from "./make-service.ts";

let dataDir: string;
let service: TestService | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "own-templates-"));
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

const open = async (): Promise<TestService> => {
  await service?.close();
  service = await makeService({ dataDir, ids: randomIds });
  return service;
};
const put = async (name: string, content: unknown): Promise<void> => {
  const file = path.join(dataDir, "templates", name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content instanceof Uint8Array ? content : JSON.stringify(content));
};
const list = async (token: string, workspace: string): Promise<Wire[]> =>
  (await service!.send("GET", `/workspace/${workspace}/templates/`, undefined, { token })).body
    .results;

it("lists files of the data folder first, then the built-in designs (docs/spec/api.md section 2.3)", async () => {
  await put("house-style.json", {
    title: "House style",
    design: { primary_color: "#004400", frame: "card", text: "HELLO" },
  });
  await put("amber.json", { title: "Amber", design: { primary_color: "#7a4a00" } });
  const { account, workspace, other } = await open();
  const mine = await list(account.token, workspace);
  expect(mine.map(({ id, is_default: builtIn }) => [id, builtIn]).slice(0, 3)).toEqual([
    ["amber", false],
    ["house-style", false],
    ["asset-tag", true],
  ]);
  expect(mine[1]).toMatchObject({
    title: "House style",
    primary_color: "#004400",
    eye_color: "#004400",
    frame: "card",
    text: "HELLO",
    has_logo: false,
    preview: expect.stringMatching(/\.svg$/u),
  });
  const theirs = await list(other.token, other.workspaceId);
  expect(theirs.filter((one) => !one.is_default)).toEqual([]);
});

it("applies the whole design, logo and all, with explicit fields over it (docs/spec/api.md section 4.1)", async () => {
  const pixels = { width: 30, height: 30, channels: 3 as const, background: "#cc0000" };
  await put("logo.png", await sharp({ create: pixels }).png().toBuffer());
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>';
  await put("logo.svg", Buffer.from(drawing));
  await put("drawn.json", { title: "Drawn", design: {}, logo: "logo.svg" });
  await put("brand.json", {
    title: "Brand",
    design: { primary_color: "#003366", pattern: "Circles", logo_round: true },
    logo: "logo.png",
  });
  const { account, workspace, other, code, get, send } = await open();
  expect((await list(account.token, workspace))[0]).toMatchObject({ id: "brand", has_logo: true });
  const made = await code({ template: "brand", pattern: "Squares" });
  expect(made.svg).toContain("data:image/png;base64,");
  expect((await code({ template: "drawn" })).svg).toContain("data:image/png;base64,");
  expect((await get(`/qrcode/${made.id}/`)).body.design).toMatchObject({
    primary_color: "#003366",
    pattern: "Squares",
    logo_round: true,
    error_correction: "H",
  });
  const body = { workspace: other.workspaceId, qr_data: "https://a.example/", template: "brand" };
  const foreign = await send("POST", "/qrcode/create/", body, { token: other.token });
  expect([foreign.status, Object.keys(foreign.body)]).toEqual([400, ["template"]]);
});

it("gives another workspace the templates of the folder that bears its id", async () => {
  const { other } = await open();
  await put(path.join(other.workspaceId, "theirs.json"), { title: "Theirs", design: {} });
  const { account, workspace } = await open();
  expect((await list(other.token, other.workspaceId))[0]?.id).toBe("theirs");
  expect((await list(account.token, workspace)).map(({ id }) => id)).not.toContain("theirs");
});

it("lets an own template take the place of the built-in one of its name", async () => {
  await put("classic.json", { title: "Our classic", design: { primary_color: "#222222" } });
  const { account, workspace } = await open();
  const found = (await list(account.token, workspace)).filter(({ id }) => id === "classic");
  expect(found.map(({ title }) => title)).toEqual(["Our classic"]);
});

it.each<[string, unknown, RegExp]>([
  ["no title", { design: {} }, /title: This field is required/u],
  ["an unknown pattern", { title: "x", design: { pattern: "Hearts" } }, /pattern/u],
  [
    "a misspelt field",
    { title: "x", design: { colour: "#000000" } },
    /design: Must have only the fields primary_color, .+, got colour\./u,
  ],
  [
    "a field more",
    { title: "x", design: {}, text_secondary: "x" },
    /Must have only the fields title, design, logo, got text_secondary\./u,
  ],
  ["a label too long", { title: "x", design: { text: "x".repeat(90) } }, /text/u],
  ["a logo that isn't there", { title: "x", design: {}, logo: "no.png" }, /no\.png/u],
  ["a logo that is none", { title: "x", design: {}, logo: "bad.json" }, /logo/u],
  ["no JSON", Buffer.from("{"), /JSON/u],
])("refuses to start with %s, and names the file", async (_, content, fault) => {
  await put("bad.json", content);
  await expect(open()).rejects.toThrow(
    expect.objectContaining({
      code: "bad-usage",
      where: { file: path.join(dataDir, "templates", "bad.json") },
      message: expect.stringMatching(fault) as string,
    }),
  );
});
