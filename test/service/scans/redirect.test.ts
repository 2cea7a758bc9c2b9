/** Short links: docs/spec/design.md promise 9, docs/spec/design.md section 5. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import {
  makeService,
  PUBLIC_URL,
  testStore,
  type TestService,
  type Wire,
} from "../make-service.ts";

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";

let service: TestService;
afterEach(() => service.close());

interface Visit extends RequestInit {
  readonly headers?: Record<string, string>;
}

const visit = (url: string, init: Visit = {}) =>
  service.fetch(
    new Request(url, {
      redirect: "manual",
      ...init,
      headers: { "user-agent": PHONE, ...init.headers },
    }),
  );
const leadsTo = async (url: string): Promise<string | null> =>
  (await visit(url)).headers.get("location");
const totals = async (id: string): Promise<[number, number]> => {
  await service.clock.advance(100);
  const { body } = await service.get(`/qrcode/${id}/`);
  return [body.total_scans, body.unique_scans];
};

describe("methods", () => {
  it("other than GET and HEAD arrive as they were sent: 307, counted", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true, qr_data: "https://example.com/hook" });
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await visit(code.shortlink_url, { method });
      expect([answer.status, answer.headers.get("location")]).toEqual([
        307,
        "https://example.com/hook",
      ]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    expect(await totals(code.id)).toEqual([4, 1]);
  });

  it("that lead nowhere are refused with those that do (405)", async () => {
    service = await makeService();
    const mail = await service.code({ dynamic: true, qr_data: "mailto:a@example.com" });
    const options = await visit(mail.shortlink_url, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    const posted = await visit(mail.shortlink_url, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await visit(`${PUBLIC_URL}/unknown8`, { method: "POST" })).status).toBe(404);
    expect(await totals(mail.id)).toEqual([0, 0]);
  });

  it("HEAD is answered as GET and counts as nothing", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true, gps_tracking: true });
    expect((await visit(code.shortlink_url, { method: "HEAD" })).status).toBe(200);
    expect(await totals(code.id)).toEqual([0, 0]);
  });
});

describe("answers from memory are never out of date", () => {
  it("after an update, of codes, links, contacts and products", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true, qr_data: "https://example.com/1" });
    const link = (
      await service.send("POST", "/link/create/", {
        workspace: service.workspace,
        link: "https://example.com/l1",
      })
    ).body;
    for (let n = 2; n < 5; n += 1) {
      await leadsTo(code.shortlink_url);
      await leadsTo(link.shortlink_url);
      const to = `https://example.com/${n}`;
      await service.send("PATCH", `/qrcode/${code.id}/update/`, { qr_data: to });
      await service.send("PATCH", `/link/${link.id}/update/`, { link: to });
      expect([await leadsTo(code.shortlink_url), await leadsTo(link.shortlink_url)]).toEqual([
        to,
        to,
      ]);
    }
    const contact = await service.code({
      qr_type: "vCard",
      dynamic: true,
      vcard: { first_name: "Ada" },
    });
    expect(await (await visit(contact.shortlink_url)).text()).toContain("Ada");
    await service.send("PATCH", `/qrcode/${contact.id}/update/`, { vcard: { first_name: "Bob" } });
    expect(await (await visit(contact.shortlink_url)).text()).toContain("Bob");
    await service.send("PATCH", `/qrcode/${contact.id}/update/`, {
      qr_data: "https://example.com/",
    });
    expect(await leadsTo(contact.shortlink_url)).toBe("https://example.com/");
  });

  it("after a delete, and when the slug is taken again", async () => {
    service = await makeService();
    const make = (link: string) =>
      service.send("POST", "/link/create/", { workspace: service.workspace, link, slug: "menu" });
    const { body } = await make("https://example.com/old");
    expect(await leadsTo(`${PUBLIC_URL}/menu`)).toBe("https://example.com/old");
    await service.send("DELETE", `/link/${body.id}/delete/`);
    expect((await visit(`${PUBLIC_URL}/menu`)).status).toBe(404);
    await make("https://example.com/new");
    expect(await leadsTo(`${PUBLIC_URL}/menu`)).toBe("https://example.com/new");
  });

  it("when gps_tracking is switched on and off", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    for (const gps of [false, true, false]) {
      await service.send("PATCH", `/qrcode/${code.id}/update/`, { gps_tracking: gps });
      expect((await visit(code.shortlink_url)).status).toBe(gps ? 200 : 302);
    }
  });

  it("also when another process on the same data folder changed it", async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "targets-"));
    service = await makeService({ dataDir });
    const code = await service.code({ dynamic: true, qr_data: "https://example.com/1" });
    expect(await leadsTo(code.shortlink_url)).toBe("https://example.com/1");
    const other = await makeService({ dataDir });
    const answer = await other.fetch(
      new Request(`${PUBLIC_URL}/api/v2/qrcode/${code.id}/update/`, {
        method: "PATCH",
        headers: {
          authorization: `Token ${other.account.token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ qr_data: "https://example.com/2" }),
      }),
    );
    expect(answer.status).toBe(200);
    await other.close();
    await service.clock.advance(20);
    // A database tells of it by itself, soon.
    while (testStore.isPostgres && (await leadsTo(code.shortlink_url)) === "https://example.com/1");
    expect(await leadsTo(code.shortlink_url)).toBe("https://example.com/2");
    await rm(dataDir, { recursive: true });
  });
});

describe("over a socket", () => {
  it("the way around the router says the same as the router", async () => {
    service = await makeService({ trustProxy: ["loopback"] });
    const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
    const plain = await service.code({ dynamic: true, qr_data: "https://example.com/ü?a=1#b" });
    const gps = await service.code({ dynamic: true, gps_tracking: true });
    const contact = await service.code({
      qr_type: "vCard",
      dynamic: true,
      vcard: { first_name: "Ada" },
    });
    const shown = ["location", "cache-control", "x-content-type-options"];
    for (const { shortlink_url: short } of [plain, gps, contact, { shortlink_url: "/nothing8" }]) {
      const { pathname } = new URL(short, PUBLIC_URL);
      for (const target of [pathname, `${pathname}/`, `${pathname}?utm=1`]) {
        for (const method of ["GET", "HEAD", "POST"]) {
          const near = await fetch(url + target, { method, redirect: "manual" });
          const direct = await visit(PUBLIC_URL + target, { method });
          const pick = (answer: Response) => [
            answer.status,
            ...shown.map((name) => answer.headers.get(name)),
          ];
          expect([target, method, ...pick(near)]).toEqual([target, method, ...pick(direct)]);
          await near.arrayBuffer();
        }
      }
    }
    // Three GET and three POST, each by both ways; by both, the address was another.
    expect(await totals(plain.id)).toEqual([12, 2]);
  });

  it("counts a visitor behind a trusted proxy by the address from the proxy", async () => {
    service = await makeService({ trustProxy: ["loopback", "10.0.0.0/8"] });
    const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
    const code = await service.code({ dynamic: true });
    const { pathname } = new URL(code.shortlink_url);
    for (const chain of [
      "81.2.3.4",
      "81.2.3.4, 10.1.1.1",
      "6.6.6.6, 81.2.3.4, 10.1.1.1",
      "::ffff:81.2.3.4",
      "81.2.3.5",
    ]) {
      await fetch(url + pathname, { redirect: "manual", headers: { "x-forwarded-for": chain } });
    }
    expect(await totals(code.id)).toEqual([5, 2]);
  });

  it("believes no other sender", async () => {
    service = await makeService({ trustProxy: ["10.0.0.0/8"] });
    const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
    const code = await service.code({ dynamic: true });
    const { pathname } = new URL(code.shortlink_url);
    for (const chain of ["81.2.3.4", "81.2.3.5"]) {
      await fetch(url + pathname, { redirect: "manual", headers: { "x-forwarded-for": chain } });
    }
    expect(await totals(code.id)).toEqual([2, 1]);
  });

  it("refuses a list of proxies that can't be read", async () => {
    service = await makeService();
    for (const bad of ["10.0.0.0/33", "example.com", "", "10.0.0.0/8/8"]) {
      await expect(makeService({ trustProxy: [bad] })).rejects.toMatchObject({ code: "bad-usage" });
    }
  });
});

const openAsking = async (options: Parameters<typeof makeService>[0] = {}): Promise<Wire> => {
  service = await makeService(options);
  return service.code({
    dynamic: true,
    gps_tracking: true,
    qr_data: 'https://example.com/?a="><script>alert(1)</script>'.replaceAll(" ", "%20"),
  });
};
const tell = (url: string, body: unknown) =>
  visit(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const readTicket = (html: string): string => /data-ticket="([^"]+)"/u.exec(html)?.[1] ?? "";

describe("a code that asks for the position (gps_tracking, gps)", () => {
  it("shows a page that leads on without a script, and counts the scan at once", async () => {
    const code = await openAsking();
    const answer = await visit(code.shortlink_url);
    const html = await answer.text();
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(html).toContain(
      '<a class="choice" id="next" href="https://example.com/?a=&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"',
    );
    expect(html.match(/<script>/gu)).toHaveLength(1);
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/u,
    );
    expect(answer.headers.get("permissions-policy")).toBe("geolocation=(self)");
    expect(await totals(code.id)).toEqual([1, 1]);
    const { results } = (await service.get(`/qrcode/${code.id}/activity/`)).body;
    expect(results[0].location).toBe("");
  });

  it("keeps a position that a visitor shares, and sends it to the webhook", async () => {
    const posted: Wire[] = [];
    const code = await openAsking({
      webhook: { url: "https://receiver.example/", secret: "x" },
      post: async (_, { body }) => {
        posted.push(JSON.parse(Buffer.from(body).toString()));
        return 200;
      },
    });
    const ticket = readTicket(await (await visit(code.shortlink_url)).text());
    await service.clock.advance(5000);
    expect(posted).toEqual([]);
    const told = await tell(code.shortlink_url, { ticket, latitude: 52.52, longitude: 13.405004 });
    expect(told.status).toBe(204);
    await service.clock.advance(100);
    const [record] = (await service.get(`/qrcode/${code.id}/activity/`)).body.results;
    expect(record.location).toBe("52.5200, 13.4050");
    expect(posted).toEqual([record]);
    await tell(code.shortlink_url, { ticket, latitude: 1, longitude: 1 });
    const { results } = (await service.get(`/qrcode/${code.id}/activity/`)).body;
    expect(results.map((one: Wire) => one.location)).toEqual(["52.5200, 13.4050"]);
  });

  it("reports visitors who share nothing after 20 s, and holds up no other code", async () => {
    const posted: string[] = [];
    const code = await openAsking({
      webhook: { url: "https://receiver.example/", secret: "x" },
      post: async (_, { body }) => {
        const record: Wire = JSON.parse(Buffer.from(body).toString());
        posted.push(record.qr_code_id);
        return 200;
      },
    });
    const other = await service.code({ dynamic: true });
    await visit(code.shortlink_url);
    await visit(other.shortlink_url);
    await service.clock.advance(1000);
    expect(posted).toEqual([other.id]);
    await service.clock.advance(20_000);
    expect(posted).toEqual([other.id, code.id]);
  });

  it("refuses positions of nowhere, and tickets of no scan or of another code's", async () => {
    const code = await openAsking();
    const other = await service.code({ dynamic: true, gps_tracking: true });
    const ticket = readTicket(await (await visit(code.shortlink_url)).text());
    const foreign = readTicket(await (await visit(other.shortlink_url)).text());
    const right = { ticket, latitude: 1, longitude: 2 };
    for (const bad of [
      { ...right, latitude: 91 },
      { ...right, longitude: "2" },
      { ...right, ticket: `${ticket}x` },
      { ...right, ticket: "x" },
      {},
      [],
      "x".repeat(2000),
    ]) {
      expect((await tell(code.shortlink_url, bad)).status).toBe(400);
    }
    await tell(code.shortlink_url, { ...right, ticket: foreign });
    for (const { id } of [code, other]) {
      const { results } = (await service.get(`/qrcode/${id}/activity/`)).body;
      expect(results.map((one: Wire) => one.location)).toEqual([""]);
    }
  });

  it("leads robots straight on", async () => {
    const code = await openAsking();
    const answer = await visit(code.shortlink_url, { headers: { "user-agent": "Twitterbot/1.0" } });
    expect(answer.status).toBe(302);
  });
});
