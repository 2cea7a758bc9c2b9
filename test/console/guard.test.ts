/** Who may use the console: sign-in, sessions, forms of other sites, frames. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { makeConsole } from "../../src/console/console.tsx";
import { screens } from "../../src/console/screens/screens.ts";
import {
  makeService,
  openBeside,
  testStore,
  type TestService,
  type Wire,
} from "../service/make-service.ts";
import { openConsole, Visitor } from "./ask-console.ts";

const SESSION = "makeready_console";
let service: TestService;
let owner: Visitor;
let codeId = "";

beforeAll(async () => {
  ({ service, owner } = await openConsole());
  ({ id: codeId } = await service.code({ dynamic: true, display_name: "Table 1" }));
});
afterAll(() => service.close());

const fill = (path: string): string =>
  path.replace(/:as\{[^}]*\}/u, "svg").replaceAll(/:\w+/gu, codeId);

const signedIn = async (token = service.account.token): Promise<Visitor> => {
  const visitor = new Visitor(service);
  expect((await visitor.signIn(token)).status).toBe(303);
  return visitor;
};

describe("sign-in", () => {
  test("a token becomes a session that scripts can't read and other sites can't send", async () => {
    const visitor = new Visitor(service);
    const answer = await visitor.signIn(service.account.token);
    expect(answer.location).toBe("/console/codes");
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith(`${SESSION}=`)) ?? "";
    expect(cookie).toMatch(/^makeready_console=[a-z2-7]{52}; .*Path=\/console; HttpOnly/u);
    expect(cookie).toContain("SameSite=Strict");
    expect(cookie).not.toContain(service.account.token);
  });

  test("behind TLS, the cookie never goes over a plain line; a public path stands before it", async () => {
    const tls = await makeService({ console: makeConsole, publicUrl: "https://go.example/qr" });
    await tls.listen({ host: "127.0.0.1", port: 0 });
    const answer = await tls.fetch(new Request("http://service.test/console/sign-in"));
    expect(answer.headers.get("set-cookie")).toContain("Secure");
    expect(answer.headers.get("set-cookie")).toContain("Path=/qr/console");
    expect(await answer.text()).toContain('action="/qr/console/sign-in"');
    const below = await tls.fetch(new Request("http://service.test/qr/console/sign-in"));
    expect(below.status).toBe(200);
    await tls.close();
  });

  test("leads where one wanted to go, and never elsewhere", async () => {
    const visitor = new Visitor(service);
    const asked = await visitor.get(`/codes/${codeId}?page=2`);
    expect(asked.status).toBe(303);
    expect(asked.location).toBe(
      `/console/sign-in?to=${encodeURIComponent(`/codes/${codeId}?page=2`)}`,
    );
    expect((await visitor.signIn(service.account.token, `/codes/${codeId}`)).location).toBe(
      `/console/codes/${codeId}`,
    );
    const search = "/codes?q=*what?&tag=a+b%20c&status=";
    for (const [to, kept] of [
      [search, search],
      [`${search}&done=saved`, search],
      ["/codes?done=saved&q=done=x&undone=1", "/codes?q=done=x&undone=1"],
      ["/codes?done=saved", "/codes"],
    ] as const) {
      const { location } = await visitor.signIn(service.account.token, to);
      expect(location).toBe(`/console${kept}`);
    }
    for (const to of [
      "//evil.example",
      "https://evil.example",
      "/\\evil.example",
      "/codes/..//evil.example",
      "/%2e%2e/media/x",
      "x",
      "/language",
      "/workspace?x=1",
      "/codes/../sign-out",
    ]) {
      expect((await visitor.signIn(service.account.token, to)).location).toBe("/console/codes");
    }
  });

  test("leads back to the page whose form came after the session ended, and only there", async () => {
    const visitor = await signedIn();
    await visitor.post("/sign-out", {});
    const sent = async (path: string, referer?: string, origin = "http://service.test") => {
      const headers = { origin, ...(referer !== undefined && { referer }) };
      const { status, text } = await visitor.post(path, { display_name: "x" }, { headers });
      return [status, /name="to" value="([^"]*)"/u.exec(text)?.[1]];
    };
    const home = "http://service.test/console";
    expect(await sent(`/codes/${codeId}`)).toEqual([403, `/codes/${codeId}`]);
    const from = `${home}/folders?page=2&change=${codeId}&done=saved`;
    expect(await sent(`/folders/${codeId}`, from)).toEqual([
      403,
      `/folders?page=2&amp;change=${codeId}`,
    ]);
    for (const odd of ["https://evil.example/x", "http://service.test/media/x", "nonsense"]) {
      expect(await sent(`/codes/${codeId}/tags`, odd)).toEqual([403, `/codes/${codeId}/tags`]);
    }
    const evil = "https://evil.example";
    expect(await sent("/folders", `${evil}/console/links`, evil)).toEqual([403, "/codes"]);
  });

  test("a wrong token opens nothing, and is not written back", async () => {
    const visitor = new Visitor(service);
    const { status, text } = await visitor.signIn("0123456789abcdef");
    expect(status).toBe(403);
    expect(text).toContain("No account has this token");
    expect(text).not.toContain("0123456789abcdef");
    expect(visitor.cookies.has(SESSION)).toBe(false);
  });

  test("guessing is braked per network, and a right token waits, too, until the minute is over", async () => {
    const braked = await openConsole();
    const visitor = new Visitor(braked.service);
    const answers: number[] = [];
    for (let n = 0; n < 12; n += 1) answers.push((await visitor.signIn(`wrong${n}`)).status);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 403), 429, 429]);
    const { status, headers } = await visitor.signIn(braked.service.account.token);
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    await braked.service.clock.advance(60_000);
    expect((await visitor.signIn(braked.service.account.token)).status).toBe(303);
    await braked.service.close();
  });

  test("guesses that come all at once are braked as those one after the other", async () => {
    const braked = await openConsole();
    const visitor = new Visitor(braked.service);
    const { text } = await visitor.get("/sign-in");
    const ticket = /name="ticket" value="([^"]*)"/u.exec(text)?.[1] ?? "";
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const { status } = await visitor.post("/sign-in", { token: `wrong${n}`, ticket });
        return status;
      }),
    );
    expect(statuses.filter((status) => status === 403)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    await braked.service.close();
  });

  test("a sign-in that another site began is refused", async () => {
    const visitor = new Visitor(service);
    const { token } = service.account;
    const forged = await visitor.post("/sign-in", { token, ticket: "made-up" });
    expect(forged.status).toBe(403);
    const page = await visitor.get("/sign-in");
    const ticket = /name="ticket" value="([^"]*)"/u.exec(page.text)?.[1] ?? "";
    const foreign = await visitor.post(
      "/sign-in",
      { token, ticket },
      { headers: { origin: "https://evil.example" } },
    );
    expect(foreign.status).toBe(403);
    // Another browser's ticket.
    const other = new Visitor(service);
    await other.get("/sign-in");
    expect((await other.post("/sign-in", { token, ticket })).status).toBe(403);
  });

  test("a session that somebody planted is not the one that is signed in (fixation)", async () => {
    const attacker = await signedIn(service.other.token);
    const planted = attacker.cookies.get(SESSION) ?? "";
    const victim = new Visitor(service);
    victim.cookies.set(SESSION, planted);
    await victim.signIn(service.account.token);
    expect(victim.cookies.get(SESSION)).not.toBe(planted);
    // The planted one is over for its owner, too.
    expect((await attacker.get("/codes")).location).toContain("/console/sign-in");
    const made = new Visitor(service);
    made.cookies.set(SESSION, "a".repeat(52));
    await made.signIn(service.account.token);
    expect(made.cookies.get(SESSION)).not.toBe("a".repeat(52));
  });
});

describe("a session", () => {
  test("ends with sign-out: what was stolen before is worth nothing", async () => {
    const visitor = await signedIn();
    const stolen = new Visitor(service);
    stolen.cookies.set(SESSION, visitor.cookies.get(SESSION) ?? "");
    expect((await stolen.get("/codes")).status).toBe(200);
    expect((await visitor.post("/sign-out", {})).location).toBe("/console/sign-in");
    expect((await stolen.get("/codes")).location).toContain("/console/sign-in");
  });

  test("ends everywhere, for this account alone", async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const other = await signedIn(service.other.token);
    await one.post("/sign-out-everywhere", {});
    expect((await two.get("/codes")).status).toBe(303);
    expect((await other.get("/codes")).status).toBe(200);
    await owner.signIn(service.account.token);
  });

  test("ends after 12 hours without use, and after a week in any case", async () => {
    const aged = await openConsole();
    const hour = 3_600_000;
    await aged.service.clock.advance(11 * hour);
    expect((await aged.owner.get("/codes")).status).toBe(200);
    await aged.service.clock.advance(11 * hour);
    expect((await aged.owner.get("/codes")).status).toBe(200);
    await aged.service.clock.advance(13 * hour);
    expect((await aged.owner.get("/codes")).status).toBe(303);
    await aged.owner.signIn(aged.service.account.token);
    for (let n = 0; n < 15; n += 1) {
      await aged.service.clock.advance(11 * hour);
      expect((await aged.owner.get("/codes")).status).toBe(200);
    }
    await aged.service.clock.advance(11 * hour);
    expect((await aged.owner.get("/codes")).status).toBe(303);
    await aged.service.close();
  });

  test("is stored as a hash: a reader of the data folder can't take it over", async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "console-"));
    const stored = await openConsole({ dataDir });
    const secret = stored.owner.cookies.get(SESSION) ?? "";
    await stored.service.close();
    const bytes = await readAllStored(dataDir);
    rmSync(dataDir, { recursive: true });
    expect(secret).toMatch(/^[a-z2-7]{52}$/u);
    expect(bytes).toContain("console_sessions");
    expect(bytes).not.toContain(secret);
  });
});

/** All that a data folder, or its database, holds. */
async function readAllStored(dataDir: string): Promise<string> {
  const files = readdirSync(dataDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"));
  if (!testStore.isPostgres) return files.join("");
  const store = await openBeside(dataDir);
  const [row] = await store.rows.all<{ all: string }>(
    "SELECT database_to_xml(true, true, '')::text AS \"all\"",
  );
  await store.close();
  return `${files.join("")}${row?.all}`;
}

describe("forms", () => {
  const rename = { display_name: "Changed by another site", qr_data: "https://evil.example/" };

  test.each([
    ["without its key", { csrf: "" }],
    ["with another session's key", { csrf: "a".repeat(52) }],
    ["of another site", { headers: { origin: "https://evil.example" } }],
    ["of a page in a sandbox", { headers: { origin: "null" } }],
    ["of another site, as browsers mark it", { headers: { "sec-fetch-site": "cross-site" } }],
    ["of a neighbour's subdomain", { headers: { "sec-fetch-site": "same-site" } }],
  ])("a form %s changes nothing", async (_name, asking) => {
    const { status, text } = await owner.post(`/codes/${codeId}`, rename, asking);
    expect(status).toBe(403);
    expect(text).toContain("did not come from a page of the console");
    expect((await service.get(`/qrcode/${codeId}/`)).body.display_name).toBe("Table 1");
  });

  test("another session's key is refused even if it is a real one", async () => {
    const other = await signedIn(service.other.token);
    const { text } = await other.get("/settings");
    const csrf = /name="csrf" value="([^"]*)"/u.exec(text)?.[1] ?? "";
    expect(csrf).not.toBe("");
    expect((await owner.post(`/codes/${codeId}`, rename, { csrf })).status).toBe(403);
    await owner.get("/codes");
  });
});

describe("nothing is reachable without sign-in but its page and hashed files", () => {
  test("no screen of the table", async () => {
    const stranger = new Visitor(service);
    const paths = screens.flatMap(({ get = {} }) => Object.keys(get));
    expect(paths.length).toBeGreaterThan(1);
    for (const path of [...paths, "/", "/no-such-page"]) {
      const { status, location, text } = await stranger.get(fill(path));
      expect([path, status, text]).toEqual([path, 303, ""]);
      expect(location).toMatch(/^\/console\/sign-in\?to=/u);
    }
    for (const path of screens.flatMap(({ post = {} }) => Object.keys(post))) {
      const { status } = await stranger.post(fill(path), {});
      expect([path, status]).toEqual([path, 403]);
    }
  });

  test("its files have hashed names and are the same for all", async () => {
    const stranger = new Visitor(service);
    const { text, headers } = await stranger.get("/sign-in");
    const files = [...text.matchAll(/(?:href|src)="\/console(\/assets\/[^"]+)"/gu)].map(
      ([, file = ""]) => file,
    );
    expect(files).toHaveLength(2);
    for (const file of files) {
      const answer = await stranger.get(file);
      expect(file).toMatch(/^\/assets\/[0-9a-f]{16}\.(?:css|js)$/u);
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers.get("cache-control")).toContain("immutable");
    }
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("no page may stand in a frame, load from elsewhere or run what was slipped in", async () => {
    for (const page of [await owner.get("/codes"), await new Visitor(service).get("/sign-in")]) {
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
      expect(page.headers.get("x-frame-options")).toBe("DENY");
      expect(page.text).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/u);
    }
  });

  test("a link from elsewhere asks again from here, once: the cookie did not come along", async () => {
    const led = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    const { status, text } = await new Visitor(service).get("/codes", { headers: led });
    expect(status).toBe(200);
    expect(text).toContain('http-equiv="refresh" content="0"');
    expect(text.length).toBeLessThan(200);
  });

  test("a service without a console has nothing there", async () => {
    const bare = await makeService();
    const answer = await bare.fetch(new Request("http://service.test/console/sign-in"));
    expect(answer.status).toBe(404);
    await bare.close();
  });
});

describe("two accounts", () => {
  test("never see each other's code, history, picture or file", async () => {
    const other = await signedIn(service.other.token);
    const page = await other.get(`/codes/${codeId}`);
    expect(page.status).toBe(404);
    expect(page.text).not.toContain("Table 1");
    for (const path of ["/picture.svg", "/download/png"]) {
      expect((await other.get(`/codes/${codeId}${path}`)).status).toBe(404);
    }
    expect((await other.get("/codes?q=Table")).text).not.toContain("Table 1");
    for (const [path, fields] of [
      ["", { display_name: "mine" }],
      ["/delete", {}],
      ["/tags", { tag: "mine" }],
      ["/back", { n: "1" }],
    ] as const) {
      expect((await other.post(`/codes/${codeId}${path}`, fields)).status).toBe(404);
    }
    expect((await service.get(`/qrcode/${codeId}/`)).body.display_name).toBe("Table 1");
  });

  test("no screen shows and no form changes what is the other's, whatever id it is given", async () => {
    const { workspace } = service;
    const post = async (path: string, body: object): Promise<Wire> =>
      (await service.send("POST", path, { workspace, ...body })).body;
    const name = "Zebra";
    const to = `https://example.com/${name}`;
    const folder = await post("/folder/create/", { name });
    const code = await service.code({ dynamic: true, display_name: name, folder: folder.id });
    await service.send("PATCH", `/qrcode/${code.id}/update/`, { qr_data: to });
    await service.send("POST", `/qrcode/${code.id}/tags/add/`, [{ title: name }]);
    const [tag] = (await service.get(`/qrcode/${code.id}/`)).body.tags;
    const link = await post("/link/create/", { link: to, display_name: name });
    const gtin = { identifier_value: "9506000134352", destination_url: to };
    const product = await post("/gs1/products/", gtin);
    const form = await post("/form/create/", { title: name });
    await owner.post("/settings/webhooks", { url: to, events: "scan" });
    await owner.post("/settings/tokens", { name, access: "full", days: "" });
    const { text: settings } = await owner.get("/settings");
    const receiver = /webhooks\/([^/"]+)\/test/u.exec(settings)?.[1] ?? "";
    const [token = ""] = [...settings.matchAll(/name="token" value="([^"]+)"/gu)]
      .map(([, id = ""]) => id)
      .slice(-1);
    const ids = [code.id, link.id, product.id, form.id, folder.id, receiver, workspace];
    const look = async (): Promise<string> => {
      const paths = ["qrcodes", "links", "folders", "tags", "pages", "gs1/products"];
      const lists = await Promise.all(
        paths.map(async (one) => (await service.get(`/workspace/${workspace}/${one}/`)).body),
      );
      const one = (await service.get(`/qrcode/${code.id}/`)).body;
      const { text } = await owner.get("/settings");
      return JSON.stringify([lists, one, text.slice(0, text.indexOf('id="limits"'))]);
    };
    const before = await look();
    expect(before).toContain(token);
    const other = await signedIn(service.other.token);
    const fields = { qr_data: "https://evil.example/", name: "x", title: "x", folder: folder.id };
    const more = {
      parent: folder.id,
      tag: tag.id,
      link: product.link_types?.[0]?.id ?? to,
      token,
      n: "1",
    };
    const wish = { destination_url: to.toLowerCase(), link_type: "gs1:pip", pattern: "Circles" };
    const query = `?folder=${folder.id}&change=${folder.id}&kind=export&language=de`;
    for (const id of ids) {
      const at = (path: string): string =>
        path
          .replaceAll(/:file\{[^}]*\}/gu, "console-export.yaml")
          .replaceAll(/:\w+(?:\{[^}]*\})?/gu, id);
      for (const path of screens.flatMap(({ get = {} }) => Object.keys(get))) {
        const { status, text } = await other.get(`${at(path)}${query}`);
        expect([path, status < 500, text.includes(name)]).toEqual([path, true, false]);
      }
      for (const path of screens.flatMap(({ post: sent = {} }) => Object.keys(sent))) {
        const { status, text } = await other.post(at(path), { ...fields, ...more, ...wish });
        expect([path, status < 500, text.includes(name)]).toEqual([path, true, false]);
      }
    }
    expect(await look()).toBe(before);
  });

  test("a workspace of the other can't be chosen", async () => {
    const { status } = await owner.post("/workspace", { workspace: service.other.workspaceId });
    expect(status).toBe(404);
  });
});
