import { describe, expect, it } from "vitest";

import { findDue, findNext } from "../../../src/pipeline/schedule/due.ts";

const schedule = { cron: "0 3 1 * *", timezone: "Europe/Berlin" };
const at = (iso: string): number => Date.parse(iso);
const since = "2026-08-15T00:00:00.000Z";

describe("findDue (docs/spec/jobs.md section 2, schedule)", () => {
  it("a job that was never seen before is due only if its time was a few minutes ago", () => {
    expect(findDue(schedule, undefined, at("2026-12-01T02:04:00Z"))).toEqual({
      dueMs: at("2026-12-01T02:00:00Z"),
      missedMs: [],
    });
    expect(findDue(schedule, undefined, at("2026-12-01T05:00:00Z"))).toBeUndefined();
  });

  it("is due at its moment to the millisecond, and not before", () => {
    const known = { since, due: "2026-11-01T02:00:00.000Z" };
    expect(findDue(schedule, known, at("2026-12-01T01:59:59.999Z"))).toBeUndefined();
    expect(findDue(schedule, known, at("2026-12-01T02:00:00.000Z"))?.dueMs).toBe(
      at("2026-12-01T02:00:00Z"),
    );
  });

  it("one run stands for all that were missed", () => {
    const due = findDue(schedule, { since, due: null }, at("2026-11-20T00:00:00Z"));
    expect(due).toEqual({
      dueMs: at("2026-11-01T02:00:00Z"),
      missedMs: [at("2026-10-01T01:00:00Z"), at("2026-09-01T01:00:00Z")],
    });
  });

  it("after it ran nothing is due until its next moment, also when the clock goes back", () => {
    const known = { since, due: "2026-11-01T02:00:00.000Z" };
    expect(findDue(schedule, known, at("2026-11-20T00:00:00Z"))).toBeUndefined();
    expect(findDue(schedule, known, at("2026-10-20T00:00:00Z"))).toBeUndefined();
    expect(findNext(schedule, known, at("2026-11-20T00:00:00Z"))).toBe(at("2026-12-01T02:00:00Z"));
  });

  it("what lies before the first look at a job, or at another schedule of it, was not missed", () => {
    const often = { cron: "*/1 * * * *", timezone: "UTC" };
    const nowMs = at("2026-12-01T12:00:30Z");
    const due = { dueMs: at("2026-12-01T12:00:00Z"), missedMs: [] };
    expect(findDue(often, undefined, nowMs)).toEqual(due);
    const monthly = { since, due: "2026-11-01T02:00:00.000Z", schedule };
    expect(findDue(often, monthly, nowMs)).toEqual(due);
    // Seen for three minutes, but its runs were put off.
    const seen = { since: "2026-12-01T11:57:30.000Z", due: null, schedule: often };
    expect(findDue(often, seen, nowMs)?.missedMs).toEqual([
      at("2026-12-01T11:59:00Z"),
      at("2026-12-01T11:58:00Z"),
    ]);
  });

  it("a job of every minute that slept for a month gets a list of limited length", () => {
    const often = { cron: "* * * * *", timezone: "UTC" };
    const due = findDue(often, { since, due: since }, at("2026-09-15T00:00:00Z"));
    expect(due?.missedMs).toHaveLength(999);
  });
});
