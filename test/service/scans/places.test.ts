/**
 * Where scans come from (docs/spec/api.md sections 2.6 and 2.7): an operator's database, or headers
 * of its proxy.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { parseGeoHeaders } from "../../../src/service/scans/geo-headers.ts";

import { makeService, type TestService, type Wire } from "../make-service.ts";
import { makeMmdb } from "./make-mmdb.ts";

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";

const named = (en: string) => ({ names: { en } });

let folder: string;
let service: TestService | undefined;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "places-"));
  const file = makeMmdb({
    "81.2.0.0/16": {
      country: named("Germany"),
      region: "Land Berlin",
      city: named("Berlin"),
      location: { time_zone: "Europe/Berlin" },
    },
    "99.0.0.0/8": {
      country: named("United States"),
      region: "New York",
      city: named("New York"),
      location: { time_zone: "America/New_York" },
    },
    "98.0.0.0/8": {
      country: named("Nowhere"),
      region: "",
      city: "Plain text",
      location: { time_zone: "Not/A_Zone" },
    },
  });
  await writeFile(path.join(folder, "city.mmdb"), file);
  await writeFile(path.join(folder, "broken.mmdb"), "no database");
});
afterEach(() => service?.close());
afterAll(() => rm(folder, { recursive: true }));

const geoDatabase = (): string => path.join(folder, "city.mmdb");

async function open(options: Parameters<typeof makeService>[0]): Promise<TestService> {
  service = await makeService({ trustProxy: true, ...options });
  return service;
}

/** The activity record of a scan that comes with these headers. */
async function scanFrom(
  opened: TestService,
  headers: Record<string, string>,
): Promise<{ id: string; record: Wire }> {
  const code = await opened.code({ dynamic: true });
  await opened.fetch(
    new Request(code.shortlink_url, { headers: { "user-agent": PHONE, ...headers } }),
  );
  await opened.clock.advance(100);
  const { results } = (await opened.get(`/qrcode/${code.id}/activity/`)).body;
  return { id: code.id, record: results[0] };
}

describe("a geo database (MMDB)", () => {
  it.each([
    ["81.2.3.4", "Berlin, Land Berlin, Germany", "20 Nov 2026, 09:00:00 CET"],
    ["99.1.1.1", "New York, New York, United States", "20 Nov 2026, 03:00:00 GMT-5"],
    ["98.1.1.1", "Plain text, Nowhere", "20 Nov 2026, 08:00:00 UTC"],
    ["10.0.0.1", "", "20 Nov 2026, 08:00:00 UTC"],
    ["2001:db8::1", "", "20 Nov 2026, 08:00:00 UTC"],
    ["no address", "", "20 Nov 2026, 08:00:00 UTC"],
  ])("places %s", async (ip, location, local) => {
    const opened = await open({ geoDatabase: geoDatabase() });
    const { record } = await scanFrom(opened, { "x-forwarded-for": ip });
    expect([record.location, record.time_timezone_aware]).toEqual([location, local]);
    expect(record.time_utc).toBe("2026-11-20T08:00:00.000Z");
  });

  it("fills the top lists", async () => {
    const opened = await open({ geoDatabase: geoDatabase() });
    const { id } = await scanFrom(opened, { "x-forwarded-for": "81.2.3.4" });
    const { body } = await opened.get(`/qrcode/${id}/analytics/`);
    expect([body.top_countries, body.top_cities]).toEqual([
      [{ name: "Germany", scans: 1, unique_scans: 1 }],
      [{ name: "Berlin", scans: 1, unique_scans: 1 }],
    ]);
  });

  it("must be one", async () => {
    for (const name of ["broken.mmdb", "nothing.mmdb"]) {
      await expect(makeService({ geoDatabase: path.join(folder, name) })).rejects.toMatchObject({
        code: "bad-usage",
        message: expect.stringContaining(name) as string,
      });
    }
  });
});

describe("headers of a proxy", () => {
  it("come before the database; letters and country codes are read", async () => {
    const opened = await open({
      geoDatabase: geoDatabase(),
      geoHeaders: parseGeoHeaders("cloudflare"),
    });
    const { record } = await scanFrom(opened, {
      "x-forwarded-for": "81.2.3.4",
      "cf-ipcountry": "JP",
      "cf-region": "T%C5%8Dky%C5%8D",
      "cf-ipcity": Buffer.from("Mönchen").toString("latin1"),
      "cf-timezone": "Asia/Tokyo",
    });
    expect([record.location, record.time_timezone_aware]).toEqual([
      "Mönchen, Tōkyō, Japan",
      "20 Nov 2026, 17:00:00 GMT+9",
    ]);
  });

  it("that know nothing leave it to the database", async () => {
    const opened = await open({
      geoDatabase: geoDatabase(),
      geoHeaders: parseGeoHeaders("country=X-Country,city=X-City"),
    });
    for (const country of ["XX", "T1", ""]) {
      const { record } = await scanFrom(opened, {
        "x-forwarded-for": "81.2.3.4",
        "x-country": country,
        "x-city": "Liar",
      });
      expect(record.location).toBe("Berlin, Land Berlin, Germany");
    }
  });

  it("are not read of strangers", async () => {
    const opened = await open({
      trustProxy: ["10.0.0.0/8"],
      geoHeaders: parseGeoHeaders("country=X-Country"),
    });
    const { record } = await scanFrom(opened, { "x-country": "DE" });
    expect(record.location).toBe("");
  });

  it("are cut and cleaned: nothing long or invisible gets into the store", async () => {
    const opened = await open({ geoHeaders: parseGeoHeaders("country=X-Country,zone=X-Zone") });
    const { record } = await scanFrom(opened, {
      "x-country": `a%0d%0ab${"x".repeat(500)}`,
      "x-zone": "<script>",
    });
    expect(record.location).toMatch(/^a {2}bx{90,}$/u);
    expect(record.location.length).toBeLessThanOrEqual(100);
    expect(record.time_timezone_aware).toMatch(/UTC$/u);
  });

  it.each(["", "country", "planet=X", "country=a b", "country=X=Y"])("refuse %j", (text) => {
    expect(() => parseGeoHeaders(text)).toThrow("geo headers must be");
  });
});

describe("local time (docs/spec/api.md section 2.6)", () => {
  it("is the workspace's where the place is not known", async () => {
    const opened = await open({ timeZone: "Europe/Berlin" });
    const { record } = await scanFrom(opened, {});
    expect(record.time_timezone_aware).toBe("20 Nov 2026, 09:00:00 CET");
  });

  it("must be a zone", async () => {
    await expect(makeService({ timeZone: "Mars/Olympus" })).rejects.toMatchObject({
      code: "bad-usage",
    });
  });
});
