/** What the console writes for many codes at once is taken by the program as it was downloaded. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { runInProcess } from "../flow/in-process.ts";
import { openConsole, type TestConsole } from "./ask-console.ts";

const root = mkdtempSync(path.join(tmpdir(), "console-many-"));
const ODD = 'none: ${HOME} $5 "Nord" {{ x }} # ü\\';
let opened: TestConsole;
let url = "";
let odd = "";
let ids: string[] = [];

beforeAll(async () => {
  opened = await openConsole();
  const { service } = opened;
  ({ url } = await service.listen({ host: "127.0.0.1", port: 0 }));
  ({ id: odd } = await service.folder(ODD));
  const { id: none } = await service.folder("none");
  const made = [
    await service.code({ dynamic: true, display_name: "In none", folder: none }),
    await service.code({ dynamic: true, display_name: `=${ODD}`, folder: odd }),
    await service.code({ display_name: "Static", folder: odd }),
    await service.code({
      dynamic: true,
      qr_type: "vCard",
      qr_data: undefined,
      vcard: { first_name: "Ada" },
    }),
    await service.code({ dynamic: true, display_name: "Free" }),
  ];
  ids = made.map(({ id }: { id: string }) => id);
});
afterAll(async () => {
  await opened.service.close();
  rmSync(root, { recursive: true });
});

let folders = 0;

/** Downloads a manifest as a person would and asks the program what it would do. */
async function plan(kind: string, query: string, files: Readonly<Record<string, string>> = {}) {
  const { service, owner } = opened;
  const page = await owner.get(`/codes/many/console-${kind}.yaml?kind=${kind}&${query}`);
  expect([query, page.status, page.text]).toEqual([query, 200, page.text]);
  const cwd = path.join(root, String((folders += 1)));
  mkdirSync(cwd);
  // The service listens elsewhere than where the test asks it.
  const text = page.text.replace("https://go.example", url);
  writeFileSync(path.join(cwd, "job.yaml"), text);
  for (const [name, body] of Object.entries(files)) writeFileSync(path.join(cwd, name), body);
  const run = (...argv: string[]) =>
    runInProcess(argv, { cwd, env: { MAKEREADY_TOKEN: service.account.token } });
  return { cwd, text, run, ...(await run("plan", "job.yaml")) };
}

const everyChoice =
  "set_primary_color=yes&primary_color=%230a4d7c&set_eye_color=yes&eye_color=%23111111&set_background_color=yes&background_color=%23fff8f0&set_frame_color=yes&frame_color=%230a4d7c&pattern=Circles&eye_style=Leaf&frame=card&error_correction=H";

/** The line that counts the codes of a retarget. */
const countLine = async (query: string): Promise<string | undefined> => {
  const { text } = await opened.owner.get(`/codes/many?kind=retarget&${query}`);
  return /<strong>(These codes[^<]*)</u.exec(text)?.[1];
};

describe("a manifest for many codes", () => {
  test.each([
    ["one colour", "set_primary_color=yes&primary_color=%230a4d7c", 5],
    ["every choice", everyChoice, 5],
    ["of an odd folder", () => `folder=${odd}&pattern=Circles`, 2],
    ["of codes in no folder", "folder=none&pattern=Circles", 2],
    ["of a folder and those below", () => `folder=${odd}&subfolders=yes&pattern=Circles`, 2],
    ["of an odd search", `q=${encodeURIComponent(ODD)}&pattern=Circles`, 1],
    ["with an odd text", `frame=card&text=${encodeURIComponent('${HOME} "5 $" # ü')}`, 5],
    ["with a text of each code", `frame=card&text=${encodeURIComponent("{{ display_name }}")}`, 5],
  ])("is one that plan takes: %s", async (_, query, count) => {
    const wanted = typeof query === "string" ? query : query();
    const { code, out, err, text } = await plan("redesign", wanted);
    expect([text, err, code]).toEqual([text, "", 0]);
    expect(out).toMatch(new RegExp(`\\b${count} codes?\\b`, "u"));
    expect(out).not.toContain(odd);
    const page = await opened.owner.get(`/codes/many?kind=redesign&${wanted}`);
    expect(page.text).toContain(`These codes: ${count}<`);
  });

  test("says which codes the list of other destinations leaves out", async () => {
    const fixed = "can&#39;t lead elsewhere and are not in the list.";
    expect(await countLine("")).toBe(
      `These codes: 5. 2 of them are static or a contact: such codes ${fixed}`,
    );
    expect(await countLine(`folder=${odd}`)).toBe(
      `These codes: 2. 1 of them is static or a contact: such codes ${fixed}`,
    );
    expect(await countLine("folder=none")).toMatch(/^These codes: 2\. 1 of them/u);
    expect(await countLine("q=Free")).toBe("These codes: 1");
  });

  test("says what is missing, and writes no manifest that does nothing", async () => {
    const { owner } = opened;
    const page = await owner.get("/codes/many");
    expect(page.text).toContain("Choose at least one change");
    expect(page.text).not.toContain("version: 1");
    expect(page.text).not.toContain("console-redesign.yaml");
    expect((await owner.get("/codes/many/console-redesign.yaml?kind=redesign")).status).toBe(400);
    // What was not chosen stays as it is: colours of a form are never empty.
    const form = await owner.get(
      "/codes/many/console-redesign.yaml?pattern=Circles&primary_color=%23ffffff&eye_color=%23ffffff",
    );
    expect(form.text).toContain('design: { pattern: "Circles" }');
    const text = await owner.get(
      `/codes/many?frame=card&text=${encodeURIComponent("{{ price }}")}`,
    );
    expect(text.text).toContain("{{ price }}");
    expect(text.text).toContain('role="alert"');
    expect(text.text).not.toContain("version: 1");
  });

  test("writes none for colours that a plan refuses; a background begins white", async () => {
    const { owner } = opened;
    const first = await owner.get("/codes/many");
    expect(first.text).toMatch(/name="background_color" value="#ffffff"/u);
    expect(first.text).toMatch(/name="primary_color" value="#111111"/u);
    for (const query of [
      "set_background_color=yes&background_color=%23111111",
      "set_eye_color=yes&eye_color=%23ffff00",
    ]) {
      const page = await owner.get(`/codes/many?kind=redesign&${query}`);
      expect(page.text).toContain("Scanners can&#39;t read these colours");
      expect(page.text).not.toContain("version: 1");
      const file = await owner.get(`/codes/many/console-redesign.yaml?kind=redesign&${query}`);
      expect(file.status).toBe(400);
    }
    const white = "set_background_color=yes&background_color=%23ffffff";
    expect((await owner.get(`/codes/many?${white}`)).text).toContain("version: 1");
  });

  test("leads codes elsewhere by its own list; rows that were not filled in change nothing", async () => {
    const { owner, service } = opened;
    const list = (await owner.get("/codes/many/codes.csv?kind=retarget")).text;
    const [head = "", ...rows] = list.trim().split("\r\n");
    // Neither static codes nor contacts lead anywhere.
    expect(rows).toHaveLength(3);
    const filled = rows.map((row) =>
      row.startsWith(ids[4] ?? "") ? `${row}https://example.com/new` : row,
    );
    const csv = [head, ...filled, ""].join("\r\n");
    const { code, err, run } = await plan("retarget", "", { "codes.csv": csv });
    expect([err, code]).toEqual(["", 0]);
    const ran = await run("run", "job.yaml", "--yes");
    expect([ran.err, ran.code]).toEqual([ran.err, 0]);
    const led = await Promise.all(
      ids.map(async (id) => (await service.get(`/qrcode/${id}/`)).body.qr_data),
    );
    expect(led.filter((one) => one === "https://example.com/new")).toHaveLength(1);
    expect((await run("undo", "job.yaml", "--yes")).code).toBe(0);
    expect((await service.get(`/qrcode/${ids[4]}/`)).body.qr_data).toBe("https://example.com/");
  });

  test("downloads pictures of all that the list shows", async () => {
    const { code, err, cwd, run } = await plan("export", `folder=${odd}`);
    expect([err, code]).toEqual(["", 0]);
    expect((await run("run", "job.yaml")).code).toBe(0);
    const names = readdirSync(path.join(cwd, "out/export"), { recursive: true }).map(String);
    expect(names.filter((name) => name.endsWith(".svg"))).toHaveLength(2);
    expect(readFileSync(path.join(cwd, "job.yaml"), "utf8")).toContain("kind: export");
  });
});
