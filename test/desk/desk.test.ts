import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Desk } from "../../src/desk/desk.ts";
import { canRunAsNobody, uid } from "../help/nobody.ts";
import { waitForTask } from "./ask-desk.ts";
import { ask as askDesk, openTestDesk, type Asked } from "./open-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-"));
let desk: Desk;

const ask = (target: string, asked?: Asked): ReturnType<typeof askDesk> =>
  askDesk(desk, target, asked);

let cookie = "";

/** A body of so many bytes, with its length told or in chunks. */
function send(to: string, bytes: number, isChunked = false) {
  const headers = {
    cookie,
    origin: desk.origin,
    "content-type": "application/x-www-form-urlencoded",
    ...(!isChunked && { "content-length": `${bytes}` }),
  };
  return ask(to, { method: "POST", headers, body: Buffer.alloc(bytes, "a=1&") });
}

beforeAll(async () => {
  writeFileSync(path.join(folder, "shelves.csv"), "shelf,url\nA-01,https://example.com/a\n");
  writeFileSync(
    path.join(folder, "shelves.yaml"),
    'version: 1\nname: shelves\nkind: codes\nsource: { file: shelves.csv, key: [shelf] }\ncode: { dynamic: false, qr_data: "{{ url }}" }\noutput: { dir: out }\n',
  );
  desk = await openTestDesk(folder, { env: process.env });
  const { pathname, search } = new URL(desk.link);
  const opened = await ask(`${pathname}${search}`);
  cookie = String(opened.headers["set-cookie"]).split(";")[0] ?? "";
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a desk lets in one browser of this computer", () => {
  test("the session cookie can't be read by scripts, nor sent by other sites", async () => {
    expect(cookie).toMatch(/^makeready_desk_\d+=[a-z0-9]{32}$/u);
    const { status, text } = await ask("/", { headers: { cookie } });
    expect(status).toBe(200);
    expect(text).toContain("shelves");
  });

  test("the link works once", async () => {
    const { pathname, search } = new URL(desk.link);
    const { status, text, headers } = await ask(`${pathname}${search}`);
    expect(status).toBe(403);
    expect(text).toContain("This link works once");
    expect(headers["set-cookie"]).toBeUndefined();
  });

  test.each([
    ["no cookie", {}],
    ["a made-up session", { cookie: "makeready_desk_1=abc" }],
  ])("refuses %s", async (_name, headers) => {
    const { status, text } = await ask("/", { headers });
    expect(status).toBe(403);
    expect(text).not.toContain("shelves");
  });

  test("refuses a name that was bound to this computer (DNS rebinding)", async () => {
    const { port } = new URL(desk.origin);
    const headers = { cookie, host: `evil.example:${port}` };
    expect((await ask("/", { headers })).status).toBe(403);
    expect((await ask("/", { headers: { cookie, host: "127.0.0.1" } })).status).toBe(403);
  });

  test.each([["https://evil.example"], ["null"], [undefined]])(
    "refuses changes from %s",
    async (origin) => {
      const headers = { cookie, ...(origin !== undefined && { origin }) };
      const { status } = await ask("/job/shelves.yaml/plan", { method: "POST", headers });
      expect(status).toBe(403);
    },
  );

  test("pages may load nothing from elsewhere", async () => {
    const { headers } = await ask("/", { headers: { cookie } });
    expect(headers["content-security-policy"]).toContain("default-src 'self'");
    expect(headers["cache-control"]).toBe("no-store");
  });
});

test.each([
  ["npx", { env: { npm_lifecycle_event: "npx" } }, "npx makeready plan shelves.yaml"],
  [
    "its file",
    { program: ["node", "/opt/own/main.js"] },
    "node /opt/own/main.js plan shelves.yaml",
  ],
  ["its name", { program: ["node", "/bin/makeready"] }, "makeready plan shelves.yaml"],
])("commands start the program as the desk was begun: by %s", async (_name, changes, command) => {
  const other = await openTestDesk(folder, changes);
  const { pathname, search } = new URL(other.link);
  const opened = await askDesk(other, `${pathname}${search}`);
  const headers = { cookie: String(opened.headers["set-cookie"]).split(";")[0] ?? "" };
  const { text } = await askDesk(other, "/job/shelves.yaml/plan", { headers });
  expect(text).toContain(`data-command="true">${command}<`);
  const again = await askDesk(other, `${pathname}${search}`);
  expect(again.text).toContain(
    `Otherwise run \`${command.replace("plan shelves.yaml", "desk")}\` again`,
  );
  const { text: schedule } = await askDesk(other, "/job/shelves.yaml/schedule", { headers });
  expect(schedule).toContain(
    command.replace("plan shelves.yaml", "schedule print shelves.yaml --systemd"),
  );
  await other.close();
});

test("reports of its runs name the command in the same way, in the language of its pages", async () => {
  const own = mkdtempSync(path.join(tmpdir(), "desk-report-"));
  writeFileSync(path.join(own, "shelves.csv"), "shelf,url\nA-01,https://a.example/1\nA-02,htp:\n");
  const manifest = readFileSync(path.join(folder, "shelves.yaml"), "utf8");
  const typed = manifest.replace("key: [shelf]", "key: [shelf], columns: { url: { type: url } }");
  writeFileSync(path.join(own, "shelves.yaml"), typed);
  const other = await openTestDesk(own, { program: ["node", "/opt/own/main.js"] });
  const { pathname, search } = new URL(other.link);
  const opened = await askDesk(other, `${pathname}${search}`);
  const headers = {
    cookie: String(opened.headers["set-cookie"]).split(";")[0] ?? "",
    origin: other.origin,
    "accept-language": "de",
  };
  await askDesk(other, "/job/shelves.yaml/run", { method: "POST", headers });
  await waitForTask(
    { get: (at) => fetch(`${other.origin}${at}`, { headers }) },
    own,
    "shelves.yaml",
  );
  const report = readFileSync(path.join(own, "out/report.html"), "utf8");
  expect(report).toContain("node /opt/own/main.js run shelves.yaml");
  expect(report).toContain('<html lang="de">');
  expect(report).toContain("Zeilen, die scheiterten");
  expect(report).not.toContain('lang="en"');
  await other.close();
  rmSync(own, { recursive: true, force: true });
});

describe("a desk takes in no more than it can use", () => {
  test.each([
    ["with its length told", false],
    ["in chunks", true],
  ])("of a form %s", async (_name, isChunked) => {
    const { status, text } = await send("/language", 5 * 1024 * 1024, isChunked);
    expect(status).toBe(400);
    expect(text).toContain("must have at most 4 MB");
    expect((await send("/language", 1024 * 1024, isChunked)).status).toBe(303);
  });

  test("of a spreadsheet", async () => {
    const { status, text } = await send("/new/upload", 201 * 1024 * 1024);
    expect(status).toBe(400);
    expect(text).toContain("the file must have at most 200 MB, got more");
  });
});

describe("a desk stays in its folder", () => {
  test.each([["../../etc/passwd"], ["/etc/passwd"], ["link/passwd"]])(
    "refuses %s",
    async (name) => {
      symlinkSync("/etc", path.join(folder, "link"), "dir");
      const { status, text } = await ask(`/job/${encodeURIComponent(name)}/plan`, {
        headers: { cookie },
      });
      rmSync(path.join(folder, "link"));
      expect(status).toBe(400);
      expect(text).toContain("must lie in the desk");
    },
  );
});

test("all scripts of the desk together stay below 30 kB, packed", () => {
  const islands = fileURLToPath(new URL("../../dist/desk/islands/", import.meta.url));
  const scripts = readdirSync(islands).filter((name) => name.endsWith(".js"));
  expect(scripts).toContain("label.js");
  const bytes = scripts.map((name) => gzipSync(readFileSync(path.join(islands, name))).length);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(30_000);
});

test("a manifest sees nothing of the environment of the desk", async () => {
  const secret = "MAKEREADY_DESK_SECRET";
  writeFileSync(
    path.join(folder, "nosy.yaml"),
    `version: 1\nname: nosy\nkind: codes\nsource: shelves.csv\ncode: { dynamic: false, qr_data: "https://example.com/\${${secret}}" }\noutput: { dir: out }\n`,
  );
  const { status, text } = await ask("/job/nosy.yaml/label", { headers: { cookie } });
  expect([status, text]).toEqual([400, expect.stringContaining(secret)]);
});

describe("a desk that can't do its work says why", () => {
  test("its port is taken, its folder is a file", async () => {
    const port = Number(new URL(desk.origin).port);
    await expect(openTestDesk(folder, { port })).rejects.toMatchObject({
      hint: `another program uses port ${port}: leave --port out, and a free one is taken`,
    });
    const file = path.join(folder, "shelves.csv");
    await expect(openTestDesk(file)).rejects.toThrow("the desk must get a folder, got the file");
  });

  test.runIf(canRunAsNobody)(
    "its folder may not be written: nothing is, and the page has a sentence",
    async () => {
      const closed = mkdtempSync(path.join(tmpdir(), "desk-closed-"));
      writeFileSync(path.join(closed, "a.csv"), "n\n1\n");
      chmodSync(closed, 0o555);
      const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
      const argv = [program, "desk", closed, "--no-browser", "--json"];
      const child = spawn(process.execPath, argv, { uid, stdio: ["ignore", "pipe", "ignore"] });
      const [first] = (await once(child.stdout, "data")) as [Buffer];
      const { origin, href } = new URL((JSON.parse(first.toString()) as { url: string }).url);
      const opened = await fetch(href, { redirect: "manual" });
      const session = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
      const body = new FormData();
      const form = { source: "a.csv", name: "a", thing: "text", "text.payload": "n" };
      for (const [name, value] of Object.entries(form)) body.set(name, value);
      const headers = { cookie: session, origin };
      for (const target of ["/new/columns", "/new/sample"]) {
        const answer = await fetch(`${origin}${target}`, { method: "POST", headers, body });
        expect([answer.status, await answer.text()]).toEqual([
          400,
          expect.stringContaining("must be writable, but access is denied"),
        ]);
      }
      expect(readdirSync(closed)).toEqual(["a.csv"]);
      child.kill();
      chmodSync(closed, 0o755);
      rmSync(closed, { recursive: true });
    },
  );
});
