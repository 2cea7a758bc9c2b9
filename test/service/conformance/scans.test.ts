/**
 * Scans against docs/spec/api.md sections 2.6, 2.7, 4.1, 4.5 and 6, sentence by sentence, on one
 * running service.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Posted } from "../../../src/service/http/guarded-fetch.ts";

import { makeService, type TestService, type Wire } from "../make-service.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36";
const DAY_MS = 86_400_000;
const RECORD = "device id location qr_code_id scanner_id time_timezone_aware time_utc".split(" ");
const SHARED =
  "scans_by_day top_browsers top_cities top_countries top_os total_scans unique_scans".split(" ");

let service: TestService;
const reports: Wire[] = [];
/** Scanned on 17, 18 and 20 November at 08:00, twice on the last day; now is the 20th. */
let code: Wire;
let still: Wire;
let link: Wire;

const post = (_: string, { body }: Posted): Promise<number> => {
  reports.push(JSON.parse(Buffer.from(body).toString()));
  return Promise.resolve(200);
};

beforeAll(async () => {
  service = await makeService({ webhook: { url: "https://hooks.example/", secret: "s" }, post });
  code = await service.code({ dynamic: true, display_name: "Poster" });
  still = await service.code({ display_name: "Static" });
  const body = { workspace: service.workspace, link: "https://example.com/l" };
  link = (await service.send("POST", "/link/create/", body)).body;
  for (const [agent, days] of [
    [IPHONE, 1],
    [IPHONE, 2],
    [WINDOWS, 0],
    [IPHONE, 0],
  ] as const) {
    await service.scan(code.shortlink_url, agent);
    await service.clock.advance(days * DAY_MS - (days === 0 ? 0 : 100));
  }
  await service.scan(link.shortlink_url, IPHONE);
});
afterAll(() => service.close());

const get = async (path: string): Promise<Wire> => {
  const { status, body } = await service.get(path);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const keysOf = (value: object): string[] => Object.keys(value).toSorted();

describe("docs/spec/api.md section 2.6: an activity record", () => {
  it("has its seven fields for codes and for short links (docs/spec/api.md section 4.5), newest first", async () => {
    const list = await get(`/qrcode/${code.id}/activity/`);
    for (const record of list.results) expect(keysOf(record)).toEqual(RECORD);
    const times = list.results.map(({ time_utc: time }: Wire) => time as string);
    expect([times.length, times]).toEqual([4, times.toSorted().toReversed()]);
    expect(list.results[0]).toMatchObject({ qr_code_id: code.id });
    const clicks = await get(`/link/${link.id}/activity/`);
    expect(clicks.results.map(keysOf)).toEqual([RECORD]);
    expect(clicks.results[0].qr_code_id).toBe(link.id);
  });

  it("names one scanner by one opaque id, on every code", async () => {
    const { results } = await get(`/qrcode/${code.id}/activity/`);
    const [click] = (await get(`/link/${link.id}/activity/`)).results;
    const phones = results.filter(({ device }: Wire) => device.includes("iOS"));
    expect(new Set(phones.map(({ scanner_id: id }: Wire) => id))).toEqual(
      new Set([click.scanner_id]),
    );
    expect(new Set(results.map(({ scanner_id: id }: Wire) => id)).size).toBe(2);
    expect(new Set(results.map(({ id }: Wire) => id)).size).toBe(4);
  });

  it("doesn't exist for a static code: the list is empty and says so (docs/spec/api.md section 2)", async () => {
    expect(await get(`/qrcode/${still.id}/activity/`)).toMatchObject({
      message: expect.any(String) as string,
      results: [],
    });
  });
});

const countTwice = async (query: string): Promise<number[]> => {
  const analytics = await get(`/qrcode/${code.id}/analytics/?${query}`);
  const list = await get(`/workspace/${service.workspace}/qrcodes/?include=scans&${query}`);
  const item = list.results.find(({ id }: Wire) => id === code.id);
  return [analytics.total_scans, item.total_scans];
};
const countAll = async (query: string): Promise<number[]> => {
  const activity = await get(`/qrcode/${code.id}/activity/?${query}`);
  return [activity.count, ...(await countTwice(query))];
};

describe("docs/spec/api.md section 4.1: windows of activity, analytics and include=scans", () => {
  it.each([
    ["start=2026-11-20", 4],
    ["start=2026-11-21", 3],
    ["start=2026-11-22", 2],
    ["start=2026-11-24", 0],
    ["start=2020-01-01", 4],
    ["start=2026-11-20T08:00:00Z", 4],
    ["start=2026-11-20T08:00:00.001Z", 3],
    ["start=2026-11-20T08:00:00", 4],
    ["start=2026-11-20T10:00:00%2B02:00", 4],
    ["start=2026-11-20T10:00:01%2B02:00", 3],
    ["start=2026-11-20T03:00:00-05:00", 4],
    ["start=2026-11-20T03:00:01-05:00", 3],
    ["end=2026-11-19", 0],
    ["end=2026-11-20", 1],
    ["end=2026-11-23", 4],
    ["end=2026-11-21T08:00:00Z", 1],
    ["end=2026-11-21T08:00:00.001Z", 2],
    ["start=2026-11-21&end=2026-11-21", 1],
    ["start=2026-11-22&end=2026-11-22", 0],
    ["start=2026-11-20T08:00:00Z&end=2026-11-21T08:00:00Z", 1],
  ])("%s has %i scans: start in it, end not, a date whole and in UTC", async (query, scans) => {
    expect(await countAll(query)).toEqual([scans, scans, scans]);
  });

  it.each([
    ["days=1", 2],
    ["days=3", 3],
    ["days=4", 4],
    ["days=365", 4],
    ["days=1&end=2026-11-21", 1],
    ["days=2&end=2026-11-21", 2],
    ["days=1&start=2026-11-20", 4],
  ])(
    "%s has %i scans: days up to today or the end, unless there is a start",
    async (query, scans) => {
      expect(await countTwice(query)).toEqual([scans, scans]);
    },
  );

  it.each([
    ["", 30, "2026-10-25", "2026-11-23"],
    ["days=1", 1, "2026-11-23", "2026-11-23"],
    ["days=365", 365, "2025-11-24", "2026-11-23"],
    ["end=2026-11-21", 30, "2026-10-23", "2026-11-21"],
    ["end=2026-11-19", 30, "2026-10-21", "2026-11-19"],
    ["days=2&end=2026-11-19", 2, "2026-11-18", "2026-11-19"],
    ["start=2026-11-18&end=2026-11-21", 4, "2026-11-18", "2026-11-21"],
    ["start=2026-11-18T23:00:00Z&end=2026-11-21T01:00:00Z", 4, "2026-11-18", "2026-11-21"],
    ["start=2020-01-01", 2519, "2020-01-01", "2026-11-23"],
    // Of more than ten years, from the first code on.
    ["start=2010-01-01", 4, "2026-11-20", "2026-11-23"],
  ])("the series of %j has %i days, %s to %s, without gaps", async (query, length, first, last) => {
    for (const path of [`/qrcode/${code.id}`, `/workspace/${service.workspace}`]) {
      const { scans_by_day: days } = await get(`${path}/analytics/?${query}`);
      const dates: string[] = days.map(({ date }: Wire) => date as string);
      expect([dates.length, dates[0], dates.at(-1)]).toEqual([length, first, last]);
      const steps = dates.slice(1).map((date, n) => Date.parse(date) - Date.parse(dates[n] ?? ""));
      expect(new Set(steps)).toEqual(new Set(length === 1 ? [] : [DAY_MS]));
    }
  });
});

describe("docs/spec/api.md section 2.7: analytics", () => {
  it("of a code have their fields; days and tops add up to the totals", async () => {
    const body = await get(`/qrcode/${code.id}/analytics/`);
    expect(keysOf(body)).toEqual(SHARED);
    expect([body.total_scans, body.unique_scans]).toEqual([4, 2]);
    for (const name of ["scans_by_day", "top_os", "top_browsers"]) {
      const sum = (of: string): number =>
        body[name].reduce((total: number, each: Wire) => total + each[of], 0);
      expect([name, sum("scans"), sum("unique_scans")]).toEqual([name, 4, 2]);
    }
    const elements = [...body.top_os, ...body.top_browsers].map(keysOf);
    expect(new Set(elements.map(String))).toEqual(new Set(["name,scans,unique_scans"]));
    expect(keysOf(body.scans_by_day[0])).toEqual(["date", "scans", "unique_scans"]);
  });

  it("of a static code, and of one without scans, are zero on every day", async () => {
    for (const { id } of [still, await service.code({ dynamic: true })]) {
      const body = await get(`/qrcode/${id}/analytics/`);
      expect(keysOf(body)).toEqual(SHARED);
      expect([body.total_scans, body.unique_scans, body.top_os]).toEqual([0, 0, []]);
      expect(body.scans_by_day).toHaveLength(30);
    }
  });

  it("of a workspace have the same shape and top_codes, 10 unless asked, 1 to 100 (docs/spec/api.md section 4.1)", async () => {
    for (let n = 0; n < 10; n += 1) {
      await service.scan((await service.code({ dynamic: true })).shortlink_url, IPHONE);
    }
    const path = `/workspace/${service.workspace}/analytics/`;
    const body = await get(path);
    expect(keysOf(body)).toEqual([...SHARED, "top_codes"].toSorted());
    expect(body.top_codes).toHaveLength(10);
    for (const [top, length] of [
      [1, 1],
      [100, 12],
    ]) {
      const answer = await get(`${path}?top=${top}`);
      expect([answer.top_codes.length, answer.total_scans]).toEqual([length, 15]);
      expect(answer.top_codes[0]).toEqual({
        id: code.id,
        display_name: "Poster",
        destination: "https://example.com/",
        scans: 4,
        unique_scans: 2,
      });
    }
    expect((await get(`${path}?end=2026-11-01`)).top_codes).toEqual([]);
  });
});

const send = async (path: string, body: object): Promise<Wire> =>
  (await service.send("POST", path, { workspace: service.workspace, ...body })).body;
const toScan = ({ id, qr_id: codeId, shortlink_url: at }: Wire) => ({ id: codeId ?? id, at });

describe("docs/spec/api.md section 6: a report", () => {
  const url = "https://example.com/";

  it.each<[string, () => Promise<{ readonly id: string; readonly at: string }>]>([
    ["Link", async () => toScan(await service.code({ dynamic: true }))],
    [
      "vCard",
      async () =>
        toScan(
          await service.code({ qr_type: "vCard", dynamic: true, vcard: { first_name: "Ada" } }),
        ),
    ],
    [
      "GS1",
      async () => {
        const gs1_product = { identifier_value: "09506000134352", destination_url: url };
        return toScan(await service.code({ qr_type: "GS1", gs1_product }));
      },
    ],
    [
      "PDF",
      async () =>
        toScan(
          await send("/pdf/create/", {
            pdf_base64: Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64"),
          }),
        ),
    ],
    ["short link", async () => toScan(await send("/link/create/", { link: url }))],
    ["page", async () => toScan(await send("/page/create/", { title: "P" }))],
    [
      "form",
      async () => {
        const { id } = await send("/form/create/", { title: "F" });
        const fields = [{ id: "temp-1", field_type: "text", label: "L" }];
        await send(`/form/${id}/save/`, { fields });
        return toScan(await send(`/form/${id}/publish/`, {}));
      },
    ],
  ])("goes out for each scan of a %s, and is its activity record", async (_, make) => {
    const { id, at } = await make();
    const before = reports.length;
    await service.scan(at, IPHONE);
    await service.scan(at, WINDOWS);
    const there = reports.slice(before);
    expect(there.map(keysOf)).toEqual([RECORD, RECORD]);
    const { results } = await get(`/qrcode/${id}/activity/`).catch(() =>
      get(`/link/${id}/activity/`),
    );
    expect(there).toEqual(results.toReversed());
  });
});
