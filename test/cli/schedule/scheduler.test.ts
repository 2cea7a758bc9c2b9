import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import type { Clock } from "../../../src/base/time/clock.ts";
import { randomIds } from "../../../src/base/ids/ids.ts";
import { Call } from "../../../src/cli/call.ts";
import type { CliContext } from "../../../src/cli/context.ts";
import { lockJob } from "../../../src/pipeline/schedule/ledger.ts";
import { runDue, type Scheduler } from "../../../src/pipeline/schedule/run-due.ts";
import { makeScheduleView } from "../../../src/cli/views/schedule-view.ts";
import { stay } from "../../../src/pipeline/schedule/stay.ts";

const HOUR_MS = 3_600_000;
const job = {
  file: "/srv/jobs/night.yaml",
  name: "night",
  schedule: { cron: "0 3 * * *", timezone: "Europe/Berlin" },
  confirmOver: undefined,
};

/** A scheduler on a clock that jumps when it is slept on; `work` stands for the job. */
function makeScheduler(start: string, work: (nowMs: number) => number = () => 0) {
  let nowMs = Date.parse(start);
  const stop = new AbortController();
  const runs: string[] = [];
  let err = "";
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "makeready-schedule-"));
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
  const context: CliContext = {
    env: {},
    cwd: "/",
    clock,
    ids: randomIds,
    out: () => undefined,
    err: (text) => {
      err += text;
    },
    terminalWidth: undefined,
    writer: "makeready test",
    signal: stop.signal,
  };
  const scheduler: Scheduler = {
    clock,
    signal: stop.signal,
    tell: makeScheduleView(new Call(context, { argument: "run", options: {} })),
    dataDirOf: () => dataDir,
    runJob: () => {
      runs.push(new Date(nowMs).toISOString());
      return Promise.resolve(work(nowMs));
    },
  };
  return {
    scheduler,
    dataDir,
    runs,
    stop,
    said: () => err,
    goTo: (iso: string) => {
      nowMs = Date.parse(iso);
    },
    nowMs: () => nowMs,
  };
}

describe("runDue (docs/spec/jobs.md section 2, schedule)", () => {
  it("runs a job once per moment, however often it is asked", async () => {
    const { scheduler, runs, goTo } = makeScheduler("2026-11-20T00:00:00Z");
    await runDue(scheduler, [job]);
    expect(runs).toEqual([]);
    goTo("2026-11-20T02:00:00Z");
    await runDue(scheduler, [job]);
    await runDue(scheduler, [job]);
    expect(runs).toEqual(["2026-11-20T02:00:00.000Z"]);
  });

  it("reports missed runs and their delay, and runs once for all of them", async () => {
    const { scheduler, runs, goTo, said } = makeScheduler("2026-11-20T00:00:00Z");
    await runDue(scheduler, [job]);
    goTo("2026-11-23T09:00:00Z");
    await runDue(scheduler, [job]);
    expect(runs).toHaveLength(1);
    expect(said()).toContain(
      "warning: night: 3 runs were missed (2026-11-22 03:00 Europe/Berlin, 2026-11-21 03:00 Europe/Berlin, 2026-11-20 03:00 Europe/Berlin)",
    );
    expect(said()).toContain("due 2026-11-23 03:00 Europe/Berlin, 7 h 00 min late");
  });

  it("a schedule that was changed has missed nothing before it was seen", async () => {
    const { scheduler, runs, goTo, said } = makeScheduler("2026-11-20T02:00:00Z");
    await runDue(scheduler, [job]);
    const often = { ...job, schedule: { cron: "*/5 * * * *", timezone: "Europe/Berlin" } };
    goTo("2026-11-23T09:01:00Z");
    await runDue(scheduler, [often]);
    expect([runs.length, said()]).toEqual([2, expect.not.stringContaining("missed")]);
    goTo("2026-11-23T09:16:00Z");
    await runDue(scheduler, [often]);
    expect(said()).toContain("warning: night: 2 runs were missed (2026-11-23 10:10");
    // Seen while nothing was due: what comes from then on can be missed.
    goTo("2026-11-23T09:17:00Z");
    const hourly = { ...job, schedule: { cron: "30 * * * *", timezone: "Europe/Berlin" } };
    await runDue(scheduler, [hourly]);
    goTo("2026-11-23T11:40:00Z");
    await runDue(scheduler, [hourly]);
    expect(said()).toContain(
      "2 runs were missed (2026-11-23 11:30 Europe/Berlin, 2026-11-23 10:30 Europe/Berlin)",
    );
  });

  it("a job that failed has run; one that was locked or stopped is still due", async () => {
    const codes = [7, 130, 3];
    const { scheduler, runs } = makeScheduler("2026-11-20T02:00:00Z", () => codes.shift() ?? 0);
    expect(await runDue(scheduler, [job])).toBe(7);
    expect(await runDue(scheduler, [job])).toBe(130);
    expect(await runDue(scheduler, [job])).toBe(3);
    expect(await runDue(scheduler, [job])).toBe(0);
    expect(runs).toHaveLength(3);
  });

  it("a scheduler that was killed in mid-run runs the job again", async () => {
    const { scheduler, runs, goTo } = makeScheduler("2026-11-20T00:00:00Z");
    await runDue(scheduler, [job]);
    goTo("2026-11-20T02:00:00Z");
    const killed = { ...scheduler, runJob: () => Promise.reject(new Error("killed")) };
    await expect(runDue(killed, [job])).rejects.toThrow("killed");
    await runDue(scheduler, [job]);
    expect(runs).toHaveLength(1);
  });

  it("leaves a job alone that another scheduler holds", async () => {
    const { scheduler, runs, said, dataDir } = makeScheduler("2026-11-20T02:00:00Z");
    const lock = await lockJob(dataDir, job);
    expect(await runDue(scheduler, [job])).toBe(0);
    expect(runs).toEqual([]);
    expect(said()).toContain("another scheduler has it");
    lock?.release();
    await runDue(scheduler, [job]);
    expect(runs).toHaveLength(1);
  });

  it("a damaged ledger is like none", async () => {
    const { scheduler, runs, dataDir } = makeScheduler("2026-11-20T02:00:00Z");
    await runDue(scheduler, [job]);
    const folder = path.join(dataDir, "schedule");
    const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".json"));
    expect(JSON.parse(readFileSync(path.join(folder, file), "utf8"))).toMatchObject({
      job: job.file,
      due: "2026-11-20T02:00:00.000Z",
      exitCode: 0,
    });
    writeFileSync(path.join(folder, file), '{"job": "/srv');
    await runDue(scheduler, [job]);
    expect(runs).toHaveLength(2);
  });
});

describe("a scheduler that stays", () => {
  it("runs a nightly job at its hour on the wall, through the end of summer time", async () => {
    const { scheduler, runs, stop, nowMs } = makeScheduler("2026-10-24T00:00:00Z");
    await stay(scheduler, {
      find: () => {
        if (nowMs() > Date.parse("2026-10-26T03:00:00Z")) stop.abort();
        return Promise.resolve({ jobs: [job], faults: [] });
      },
      tellFaults: () => undefined,
    });
    expect(runs).toEqual([
      "2026-10-24T01:00:00.000Z",
      "2026-10-25T02:00:00.000Z",
      "2026-10-26T02:00:00.000Z",
    ]);
  });

  it("asks again a minute later for a job that somebody else holds", async () => {
    const codes = [7, 0];
    const { scheduler, runs, stop, nowMs } = makeScheduler(
      "2026-11-20T02:00:00Z",
      () => codes.shift() ?? 0,
    );
    const endMs = nowMs() + HOUR_MS;
    await stay(scheduler, {
      find: () => {
        if (nowMs() > endMs) stop.abort();
        return Promise.resolve({ jobs: [job], faults: [] });
      },
      tellFaults: () => undefined,
    });
    expect(runs).toEqual(["2026-11-20T02:00:00.000Z", "2026-11-20T02:01:00.000Z"]);
  });

  it("tells once a moment that a new job is refused, when it was due and how it ended", async () => {
    const { scheduler, runs, stop, nowMs, said } = makeScheduler("2026-11-20T02:00:00Z", () => 2);
    const endMs = nowMs() + HOUR_MS;
    await stay(scheduler, {
      find: () => {
        if (nowMs() > endMs) stop.abort();
        return Promise.resolve({ jobs: [job], faults: [] });
      },
      tellFaults: () => undefined,
    });
    expect(runs).toHaveLength(1);
    expect(said().match(/night: (?:due|ended) .*/gu)).toEqual([
      "night: due 2026-11-20 03:00 Europe/Berlin, running",
      "night: ended with exit code 2",
    ]);
  });
});
