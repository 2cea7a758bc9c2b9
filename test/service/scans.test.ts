import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";

import { makeService, PUBLIC_URL, type TestService, type Wire } from "./make-service.ts";

let service: TestService;
afterEach(() => service.close());

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0";

const visit = (url: string, init: RequestInit = {}) =>
  service.fetch(new Request(url, { redirect: "manual", ...init }));
const totals = async (id: string): Promise<[number, number]> => {
  const { body } = await service.get(`/qrcode/${id}/`);
  return [body.total_scans, body.unique_scans];
};

describe("a short link (docs/spec/design.md section 5)", () => {
  it("redirects with 302 and no-store", async () => {
    service = await makeService();
    const { shortlink_url: url } = await service.code({
      dynamic: true,
      qr_data: "https://example.com/x?y=1#z",
    });
    const answer = await visit(url);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("https://example.com/x?y=1#z");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("writes other letters so that a header takes them", async () => {
    service = await makeService();
    const { shortlink_url: url } = await service.code({
      dynamic: true,
      qr_data: "https://example.com/ü?q=東",
    });
    expect((await visit(url)).headers.get("location")).toBe(
      "https://example.com/%C3%BC?q=%E6%9D%B1",
    );
  });

  it("answers unknown slugs with a page (404), and never lists anything", async () => {
    service = await makeService();
    for (const path of ["/unknown8", "/a/b", "/%00", "/%ff", "/..%2f"]) {
      const answer = await visit(PUBLIC_URL + path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.headers.get("content-type")).toContain("text/html");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("hands out the contact of a dynamic vCard", async () => {
    service = await makeService();
    const code = await service.code({
      qr_type: "vCard",
      dynamic: true,
      vcard: { first_name: "Ada" },
    });
    const answer = await visit(code.shortlink_url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await answer.text()).toContain("<h1>Ada</h1>");
  });

  it("looks, but does not count, on HEAD", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    const answer = await visit(code.shortlink_url, { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([302, ""]);
    await service.clock.advance(200);
    expect(await totals(code.id)).toEqual([0, 0]);
  });
});

describe("recording", () => {
  it("stores scans at most 100 ms after the answer, all of a batch (docs/spec/design.md promise 9)", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    await visit(code.shortlink_url);
    await service.clock.advance(20);
    await visit(code.shortlink_url);
    await service.clock.advance(20);
    expect(await totals(code.id)).toEqual([0, 0]);
    await service.clock.advance(60);
    expect(await totals(code.id)).toEqual([2, 1]);
    await service.scan(code.shortlink_url);
    expect(await totals(code.id)).toEqual([3, 2]);
  });

  it("knows activity, newest first, without the address itself (docs/spec/api.md section 2.6)", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, IPHONE);
    await service.clock.advance(60_000);
    await service.scan(code.shortlink_url, WINDOWS);
    const { body } = await service.get(`/qrcode/${code.id}/activity/`);
    expect(body.count).toBe(2);
    expect(body.results[0]).toEqual({
      id: expect.any(String),
      qr_code_id: code.id,
      time_utc: "2026-11-20T08:01:00.100Z",
      time_timezone_aware: "20 Nov 2026, 08:01:00 UTC",
      location: "",
      device: "Desktop, Windows, Microsoft Edge",
      scanner_id: expect.stringMatching(/^[a-z2-7]{32}$/u),
    });
    expect(body.results[1].device).toBe("Mobile, iOS, Safari");
    expect(body.results[1].scanner_id).not.toBe(body.results[0].scanner_id);
    const after = await service.get(
      `/qrcode/${code.id}/activity/?start=2026-11-20T08:00:30Z&page_size=1`,
    );
    expect([after.body.count, after.body.results[0].id]).toEqual([1, body.results[0].id]);
  });

  it("shows bots and link previews as activity and counts them nowhere", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    for (const agent of ["Googlebot/2.1", "WhatsApp/2.23", "facebookexternalhit/1.1"]) {
      await service.scan(code.shortlink_url, agent);
    }
    await service.scan(code.shortlink_url, IPHONE);
    expect(await totals(code.id)).toEqual([1, 1]);
    const activity = (await service.get(`/qrcode/${code.id}/activity/`)).body;
    expect(activity.results.map(({ device }: Wire) => device).slice(1)).toEqual([
      "bot",
      "bot",
      "bot",
    ]);
    expect((await service.get(`/qrcode/${code.id}/analytics/`)).body.total_scans).toBe(1);
  });

  it("drops scans of a code that was deleted before they were stored", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    const other = await service.code({ dynamic: true });
    await visit(code.shortlink_url);
    await visit(other.shortlink_url);
    await service.send("DELETE", `/qrcode/${code.id}/delete/`);
    await service.clock.advance(100);
    expect(await totals(other.id)).toEqual([1, 1]);
  });
});

describe("analytics (docs/spec/api.md section 2.7)", () => {
  it("counts per day without gaps, per system and browser", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, IPHONE);
    await service.scan(code.shortlink_url, IPHONE);
    await service.clock.advance(2 * 86_400_000);
    await service.scan(code.shortlink_url, WINDOWS);
    const { body } = await service.get(`/qrcode/${code.id}/analytics/?days=4`);
    expect(body).toEqual({
      total_scans: 3,
      unique_scans: 2,
      scans_by_day: [
        { date: "2026-11-19", scans: 0, unique_scans: 0 },
        { date: "2026-11-20", scans: 2, unique_scans: 1 },
        { date: "2026-11-21", scans: 0, unique_scans: 0 },
        { date: "2026-11-22", scans: 1, unique_scans: 1 },
      ],
      top_countries: [],
      top_cities: [],
      top_os: [
        { name: "iOS", scans: 2, unique_scans: 1 },
        { name: "Windows", scans: 1, unique_scans: 1 },
      ],
      top_browsers: [
        { name: "Safari", scans: 2, unique_scans: 1 },
        { name: "Microsoft Edge", scans: 1, unique_scans: 1 },
      ],
    });
  });

  it("covers the last 30 days unless asked; start alone means all since then", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url);
    await service.clock.advance(40 * 86_400_000);
    const recent = (await service.get(`/qrcode/${code.id}/analytics/`)).body;
    expect([recent.total_scans, recent.scans_by_day.length]).toEqual([0, 30]);
    const ever = (await service.get(`/qrcode/${code.id}/analytics/?start=1970-01-01`)).body;
    expect(ever.total_scans).toBe(1);
    expect(ever.scans_by_day[0]).toEqual({ date: "2026-11-20", scans: 1, unique_scans: 1 });
    expect(ever.scans_by_day).toHaveLength(41);
  });

  it.each([
    ["2025-11-20", 366],
    ["2025-11-19", 367],
    ["2016-11-21", 3652],
    ["2016-11-18", 2],
  ])(
    "lists every day since %s, of more than ten years since the first code",
    async (start, days) => {
      service = await makeService();
      const code = await service.code({ dynamic: true });
      await service.scan(code.shortlink_url);
      await service.clock.advance(86_400_000);
      const path = `/qrcode/${code.id}/analytics/?start=${start}`;
      const { scans_by_day: list } = (await service.get(path)).body;
      const scanned = { date: "2026-11-20", scans: 1, unique_scans: 1 };
      expect([list.length, list.at(-2)]).toEqual([days + Number(days > 2), scanned]);
    },
  );

  it("adds up the workspace with its top codes, the most scanned first", async () => {
    service = await makeService();
    const codes = [];
    for (let n = 0; n < 3; n += 1) {
      const code = await service.code({ dynamic: true, display_name: `Code ${n}` });
      for (let scans = 0; scans <= n; scans += 1) await service.scan(code.shortlink_url);
      codes.push(code);
    }
    const path = `/workspace/${service.workspace}/analytics/`;
    const { body } = await service.get(path);
    expect([body.total_scans, body.unique_scans]).toEqual([6, 3]);
    expect(body.top_codes.map(({ id, scans }: Wire) => [id, scans])).toEqual([
      [codes[2].id, 3],
      [codes[1].id, 2],
      [codes[0].id, 1],
    ]);
    expect(body.top_codes[0]).toEqual({
      id: codes[2].id,
      display_name: "Code 2",
      destination: "https://example.com/",
      scans: 3,
      unique_scans: 1,
    });
    expect((await service.get(`${path}?top=1`)).body.top_codes).toHaveLength(1);
    for (const bad of ["top=0", "top=101", "days=366", "start=x"]) {
      const answer = await service.get(`${path}?${bad}`);
      expect([answer.status, Object.keys(answer.body)]).toEqual([400, [bad.split("=")[0]]]);
    }
  });
});

const places = async (): Promise<string[]> => {
  const code = await service.code({ dynamic: true });
  const link = (
    await service.send("POST", "/link/create/", {
      workspace: service.workspace,
      link: "https://example.com/",
    })
  ).body;
  return [
    `/qrcode/${code.id}/analytics/`,
    `/workspace/${service.workspace}/analytics/`,
    `/workspace/${service.workspace}/qrcodes/?include=scans`,
    `/qrcode/${code.id}/activity/`,
    `/link/${link.id}/activity/`,
  ];
};
const join = (path: string, query: string): string =>
  `${path}${path.includes("?") ? "&" : "?"}${query}`;

describe("windows (docs/spec/api.md section 4.1)", () => {
  it.each([
    ["days=0", "days"],
    ["days=366", "days"],
    ["days=-1", "days"],
    ["days=1.5", "days"],
    ["days=week", "days"],
    ["days=", "days"],
    ["start=yesterday", "start"],
    ["start=2026-02-30", "start"],
    ["start=2026-13-01", "start"],
    ["end=20261120", "end"],
    ["end=2026-11-20T25:00:00Z", "end"],
    ["start=2026-11-20&end=2026-11-18", "end"],
    ["start=2026-11-20&end=2026-11-19", "end"],
  ])("refuse %s, naming the field (400)", async (query, field) => {
    service = await makeService();
    for (const path of await places()) {
      // Activity has no days.
      if (field === "days" && path.includes("/activity/")) continue;
      const answer = await service.get(join(path, query));
      expect([path, answer.status, Object.keys(answer.body)]).toEqual([path, 400, [field]]);
    }
  });

  it.each([
    "days=1",
    "days=365",
    "start=2026-11-20",
    "start=2026-11-20&end=2026-11-20",
    "start=2026-11-20T08:00:00Z",
    "start=2026-11-20T10:00:00%2B02:00",
    "start=2026-11-20T10:00:00+02:00",
    "start=1970-01-01",
    "end=2026-11-20",
  ])("take %s everywhere", async (query) => {
    service = await makeService();
    for (const path of await places())
      expect((await service.get(join(path, query))).status).toBe(200);
  });

  it("of days count whole days up to now: 1 is today, 365 a year", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    for (const [days, first] of [
      [1, "2026-11-20"],
      [30, "2026-10-22"],
      [365, "2025-11-21"],
    ] as const) {
      const list = (await service.get(`/qrcode/${code.id}/analytics/?days=${days}`)).body
        .scans_by_day;
      expect([list.length, list[0].date, list.at(-1).date]).toEqual([days, first, "2026-11-20"]);
    }
  });

  it("of an end take its whole day in, and of a moment not the moment itself", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, IPHONE);
    const count = async (query: string): Promise<number> =>
      (await service.get(`/qrcode/${code.id}/activity/?${query}`)).body.count;
    expect(await count("end=2026-11-20")).toBe(1);
    expect(await count("end=2026-11-20T08:00:00Z")).toBe(0);
    expect(await count("end=2026-11-20T08:00:00.001Z")).toBe(1);
    expect(await count("start=2026-11-20T08:00:00Z")).toBe(1);
  });

  it.each(["top=0", "top=101", "top=x", "top=2.5"])("%s is refused (400)", async (query) => {
    service = await makeService();
    const answer = await service.get(`/workspace/${service.workspace}/analytics/?${query}`);
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ["top"]]);
  });

  it("of a static code are null in lists: it can't be tracked (docs/spec/api.md section 2.1)", async () => {
    service = await makeService();
    await service.code({});
    const path = `/workspace/${service.workspace}/qrcodes/?include=scans&days=7`;
    const [item] = (await service.get(path)).body.results;
    expect([item.total_scans, item.unique_scans]).toEqual([null, null]);
  });
});

it("scans that could not be stored are stored with the next ones (docs/spec/design.md promise 9)", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "stubborn-"));
  service = await makeService({ dataDir });
  const code = await service.code({ dynamic: true });
  // Somebody else makes the store refuse: first at the end of the batch, then no longer.
  const other = openSqlite(path.join(dataDir, "service.db"));
  other.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON scan_totals BEGIN SELECT RAISE(FAIL, 'full'); END",
  );
  await visit(code.shortlink_url, { headers: { "user-agent": IPHONE } });
  await visit(code.shortlink_url, { headers: { "user-agent": WINDOWS } });
  await service.clock.advance(500);
  expect(await totals(code.id)).toEqual([0, 0]);
  other.exec("DROP TRIGGER refuse");
  other.close();
  await service.scan(code.shortlink_url, IPHONE);
  expect(await totals(code.id)).toEqual([3, 2]);
  const { results } = (await service.get(`/qrcode/${code.id}/activity/`)).body;
  expect(results.map(({ device }: Wire) => device)).toEqual([
    "Mobile, iOS, Safari",
    "Desktop, Windows, Microsoft Edge",
    "Mobile, iOS, Safari",
  ]);
  await service.close();
  await rm(dataDir, { recursive: true });
});
