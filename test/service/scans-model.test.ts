/**
 * Scans against a model that counts by hand: totals, unique scans, days, top lists and top codes
 * agree for any window, however many of the scans were rolled up already.
 */
import * as fc from "../help/property.ts";
import { expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "./make-service.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const IOS = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36";
const AGENTS = [IOS, WINDOWS, `${WINDOWS} x`, "Googlebot/2.1"];
const SYSTEMS = ["iOS", "Windows", "Windows"];
const ROBOT = 3;

interface Visit {
  readonly code: number;
  readonly agent: number;
  /** Hours until the next visit. */
  readonly wait: number;
}
interface Scan {
  readonly code: number;
  readonly agent: number;
  readonly timeMs: number;
}

const visits = fc.array(
  fc.record({
    code: fc.nat({ max: 2 }),
    agent: fc.nat({ max: ROBOT }),
    wait: fc.nat({ max: 40 }),
  }),
  { maxLength: 25 },
);
/** Hours before and after the first scan. */
const windows = fc.array(fc.tuple(fc.integer({ min: -30, max: 500 }), fc.nat({ max: 300 })), {
  minLength: 1,
  maxLength: 4,
});

async function play(service: TestService, codes: Wire[], steps: readonly Visit[]): Promise<Scan[]> {
  const scans: Scan[] = [];
  for (const { code, agent, wait } of steps) {
    const timeMs = service.clock.nowMs();
    await service.scan(codes[code].shortlink_url, AGENTS[agent]);
    if (agent !== ROBOT) scans.push({ code, agent, timeMs });
    // Whole hours pass less what the scan itself took, so that windows cut scans apart evenly.
    await service.clock.advance(wait * HOUR_MS);
  }
  return scans;
}

interface Counted {
  readonly scan: Scan;
  readonly isUnique: boolean;
}

/**
 * A unique scan is the first of a code by a scanner in the window (docs/spec/design.md section 5).
 */
function count(scans: readonly Scan[], startMs: number, endMs: number): Counted[] {
  const seen = new Set<string>();
  return scans
    .filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs)
    .map((scan) => {
      const who = `${scan.code} ${scan.agent}`;
      const isUnique = !seen.has(who);
      seen.add(who);
      return { scan, isUnique };
    });
}

const total = (counted: readonly Counted[]): [number, number] => [
  counted.length,
  counted.filter(({ isUnique }) => isUnique).length,
];
const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function expectAnalytics(
  body: Wire,
  counted: readonly Counted[],
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
): void {
  expect([body.total_scans, body.unique_scans]).toEqual(total(counted));
  const days = [];
  for (let day = Math.floor(firstMs / DAY_MS); day <= Math.floor(lastMs / DAY_MS); day += 1) {
    const date = toDate(day * DAY_MS);
    const there = total(counted.filter(({ scan }) => toDate(scan.timeMs) === date));
    days.push([date, ...there]);
  }
  const list = body.scans_by_day.map((day: Wire) => [day.date, day.scans, day.unique_scans]);
  expect(list).toEqual(days);
  for (const system of ["iOS", "Windows"]) {
    const there = total(counted.filter(({ scan }) => SYSTEMS[scan.agent] === system));
    const found = body.top_os.find(({ name }: Wire) => name === system);
    expect([found?.scans ?? 0, found?.unique_scans ?? 0]).toEqual(there);
  }
}

async function checkWindow(
  service: TestService,
  { codes, scans }: { codes: Wire[]; scans: readonly Scan[] },
  window: { query: string; startMs: number; endMs: number },
): Promise<void> {
  const { query, startMs, endMs } = window;
  const ends = { firstMs: startMs, lastMs: Math.min(endMs - 1, service.clock.nowMs()) };
  const path = `/workspace/${service.workspace}`;
  const listed = (await service.get(`${path}/qrcodes/?include=scans&${query}`)).body.results;
  for (const [index, { id }] of codes.entries()) {
    const mine = count(
      scans.filter(({ code }) => code === index),
      startMs,
      endMs,
    );
    expectAnalytics((await service.get(`/qrcode/${id}/analytics/?${query}`)).body, mine, ends);
    const item = listed.find((one: Wire) => one.id === id);
    expect([item.total_scans, item.unique_scans]).toEqual(total(mine));
  }
  const all = count(scans, startMs, endMs);
  const whole = (await service.get(`${path}/analytics/?${query}`)).body;
  expectAnalytics(whole, all, ends);
  const tops = codes
    .map(({ id }, index) => [id, ...total(all.filter(({ scan }) => scan.code === index))] as const)
    .filter(([, found]) => found > 0)
    .toSorted(([, a], [, b]) => b - a);
  expect(whole.top_codes.map((top: Wire) => [top.id, top.scans, top.unique_scans])).toEqual(
    expect.arrayContaining(tops),
  );
  expect(whole.top_codes.map((top: Wire) => top.scans)).toEqual(tops.map(([, found]) => found));
}

it("agrees with a model that counts by hand, for any window (docs/spec/api.md sections 2.7 and 4.1)", async () => {
  const property = fc.asyncProperty(visits, windows, async (steps, spans) => {
    const service = await makeService();
    const codes = [];
    for (let n = 0; n < 3; n += 1) codes.push(await service.code({ dynamic: true }));
    const beganMs = service.clock.nowMs();
    const scans = await play(service, codes, steps);
    const nowMs = service.clock.nowMs();
    const days = 10;
    const daysStartMs = (Math.floor(nowMs / DAY_MS) - days + 1) * DAY_MS;
    const toWindow = ([from, hours]: readonly [number, number]) => {
      const startMs = beganMs + from * HOUR_MS;
      const endMs = startMs + hours * HOUR_MS;
      const query = `start=${new Date(startMs).toISOString()}&end=${new Date(endMs).toISOString()}`;
      return { query, startMs, endMs };
    };
    const checks = [
      { query: `days=${days}`, startMs: daysStartMs, endMs: Infinity },
      ...spans.map(toWindow),
    ];
    for (const window of checks) await checkWindow(service, { codes, scans }, window);
    const list = (await service.get(`/workspace/${service.workspace}/qrcodes/?include=scans`)).body;
    for (const [index, { id }] of codes.entries()) {
      const mine = scans.filter(({ code }) => code === index);
      const item = list.results.find((one: Wire) => one.id === id);
      expect([item.total_scans, item.unique_scans]).toEqual(total(count(mine, 0, Infinity)));
      const endMs = beganMs + 60 * HOUR_MS;
      const until = `end=${new Date(endMs).toISOString()}`;
      const { body } = await service.get(`/qrcode/${id}/analytics/?${until}`);
      expect([body.total_scans, body.unique_scans]).toEqual(total(count(mine, 0, endMs)));
    }
    await service.close();
  });
  await expect(fc.assert(property, { numRuns: 20 })).resolves.toBeUndefined();
});
