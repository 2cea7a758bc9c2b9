/** Scans against a model: totals, unique scans, days and top codes agree whatever happens. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { makeService, type TestService, type Wire } from "./make-service.ts";

const DAY_MS = 86_400_000;
const AGENTS = ["Phone A", "Phone B", "Googlebot/2.1"];

interface Visit {
  readonly code: number;
  readonly agent: number;
  /** Hours until the next visit. */
  readonly wait: number;
}
interface Scan {
  readonly code: number;
  readonly agent: number;
  readonly day: string;
  readonly timeMs: number;
}

const visits = fc.array(
  fc.record({
    code: fc.nat({ max: 2 }),
    agent: fc.nat({ max: AGENTS.length - 1 }),
    wait: fc.nat({ max: 40 }),
  }),
  { maxLength: 25 },
);

async function play(service: TestService, codes: Wire[], steps: readonly Visit[]): Promise<Scan[]> {
  const scans: Scan[] = [];
  for (const { code, agent, wait } of steps) {
    const timeMs = service.clock.nowMs();
    await service.scan(codes[code].shortlink_url, AGENTS[agent]);
    if (agent < 2) {
      scans.push({ code, agent, timeMs, day: new Date(timeMs).toISOString().slice(0, 10) });
    }
    await service.clock.advance(wait * 3_600_000);
  }
  return scans;
}

const unique = (scans: readonly Scan[]): number =>
  new Set(scans.map(({ code, agent }) => `${code} ${agent}`)).size;

function expectAnalytics(body: Wire, scans: readonly Scan[], nowMs: number): void {
  expect([body.total_scans, body.unique_scans]).toEqual([scans.length, unique(scans)]);
  const today = Math.floor(nowMs / DAY_MS);
  const days = body.scans_by_day as { date: string; scans: number; unique_scans: number }[];
  expect(days.map(({ date }) => date)).toEqual(
    days.map((_, index) =>
      new Date((today - days.length + 1 + index) * DAY_MS).toISOString().slice(0, 10),
    ),
  );
  for (const day of days) {
    const there = scans.filter((scan) => scan.day === day.date);
    expect([day.scans, day.unique_scans]).toEqual([there.length, unique(there)]);
  }
}

async function check(service: TestService, codes: Wire[], scans: readonly Scan[]): Promise<void> {
  const nowMs = service.clock.nowMs();
  const days = 10;
  const startMs = (Math.floor(nowMs / DAY_MS) - days + 1) * DAY_MS;
  const inWindow = scans.filter(({ timeMs }) => timeMs >= startMs);
  const path = `/workspace/${service.workspace}`;
  const list = (await service.get(`${path}/qrcodes/?include=scans`)).body.results;
  const recent = (await service.get(`${path}/qrcodes/?include=scans&days=${days}`)).body.results;
  for (const [index, { id }] of codes.entries()) {
    const mine = scans.filter(({ code }) => code === index);
    const lately = inWindow.filter(({ code }) => code === index);
    expectAnalytics(
      (await service.get(`/qrcode/${id}/analytics/?days=${days}`)).body,
      lately,
      nowMs,
    );
    const counts = (items: Wire[]): unknown[] => {
      const item = items.find((one) => one.id === id);
      return [item.total_scans, item.unique_scans];
    };
    expect(counts(list)).toEqual([mine.length, unique(mine)]);
    expect(counts(recent)).toEqual([lately.length, unique(lately)]);
  }
  const whole = (await service.get(`${path}/analytics/?days=${days}`)).body;
  expectAnalytics(whole, inWindow, nowMs);
  const tops = whole.top_codes.map(({ scans: count }: Wire) => count);
  expect(tops).toEqual(tops.toSorted((a: number, b: number) => b - a));
  expect(tops.reduce((sum: number, count: number) => sum + count, 0)).toBe(inWindow.length);
}

it("agrees with a model that counts by hand (2.7)", async () => {
  const property = fc.asyncProperty(visits, async (steps) => {
    const service = await makeService();
    const codes = [];
    for (let n = 0; n < 3; n += 1) codes.push(await service.code({ dynamic: true }));
    await check(service, codes, await play(service, codes, steps));
    await service.close();
  });
  await expect(fc.assert(property, { numRuns: 15 })).resolves.toBeUndefined();
});
