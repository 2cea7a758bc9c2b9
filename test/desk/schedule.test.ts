/** Schedules are switched on and off in the manifest; the scheduler goes by it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { toCron, toWhen } from "../../src/desk/screens/schedule/presets.ts";
import { readScheduledJob } from "../../src/job/schedule.ts";
import { findDue } from "../../src/pipeline/schedule/due.ts";
import { readEntry, writeEntry } from "../../src/pipeline/schedule/ledger.ts";
import { toDataDir } from "../../src/pipeline/address/server.ts";
import { frozenClock, runInProcess } from "../flow/in-process.ts";
import { openAskedDesk, readForm, type AskedDesk } from "./ask-desk.ts";

/** Noon of January 1, 2026. */
const NEW_YEAR = frozenClock;

const folder = mkdtempSync(path.join(tmpdir(), "desk-schedule-"));
const file = path.join(folder, "scans.yaml");
const MANIFEST = "version: 1\nname: scans # for the boss\nkind: report\nselect: {}\n";
let desk: AskedDesk;

beforeAll(async () => {
  writeFileSync(file, MANIFEST);
  desk = await openAskedDesk(folder, { clock: NEW_YEAR });
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

const page = "/job/scans.yaml/schedule";
const weekly = { every: "week", weekday: "5", time: "06:30", cron: "", timezone: "Europe/Berlin" };
const read = (): string => readFileSync(file, "utf8");

describe("the schedule of a job", () => {
  test("is switched on: written into the manifest, which keeps the rest", async () => {
    await desk.post(page, { ...weekly, do: "on" });
    expect(read()).toContain(MANIFEST.trimEnd());
    const job = await readScheduledJob(file, {});
    expect(job?.schedule).toEqual({ cron: "30 6 * * 5", timezone: "Europe/Berlin" });
    expect(await (await desk.get(page)).text()).toContain("Switched on");
    expect(await (await desk.get("/")).text()).toContain("Runs by itself next: Fri");
  });

  test("is switched off: the rule stays, and the scheduler sees it paused", async () => {
    await desk.post(page, { do: "off" });
    expect(read()).toContain("30 6 * * 5");
    expect((await readScheduledJob(file, {}))?.schedule.paused).toBe(true);
    expect(await (await desk.get("/")).text()).toContain("Schedule switched off");
  });

  test("is switched on again: what was missed meanwhile is not made up for", async () => {
    const since = "2020-01-01T00:00:00.000Z";
    const job = {
      file,
      name: "scans",
      schedule: { cron: "", timezone: "UTC" },
      confirmOver: undefined,
    };
    const known = { job: file, since, due: since, startedAt: since, endedAt: since, exitCode: 0 };
    await writeEntry(toDataDir(file), job, known);
    await desk.post(page, { ...weekly, do: "on" });
    const scheduled = await readScheduledJob(file, {});
    expect(scheduled).toBeDefined();
    const entry = await readEntry(toDataDir(file), job);
    const now = Date.parse(entry?.due ?? "");
    expect(findDue({ cron: "30 6 * * 5", timezone: "UTC" }, entry, now)).toBeUndefined();
    expect(entry?.startedAt).toBe(since);
  });

  test.each([
    [0, "Last run by itself", "It did not end well"],
    [3, "Last run by itself", "It did not end well"],
    [2, "It did not end well", "Last run by itself"],
  ])("says how the last run ended: exit code %i", async (exitCode, says, saysNot) => {
    await desk.post(page, { ...weekly, do: "on" });
    const job = await readScheduledJob(file, {});
    if (job === undefined) throw new Error("no schedule");
    const since = "2020-01-01T00:00:00.000Z";
    const known = { job: file, since, due: since, startedAt: since, endedAt: since, exitCode };
    await writeEntry(toDataDir(file), job, known);
    const html = await (await desk.get(page)).text();
    expect(html).toContain(says);
    expect(html).not.toContain(saysNot);
  });

  test("can be switched off where the state of the job can't be read", async () => {
    mkdirSync(path.join(folder, "out"));
    writeFileSync(path.join(folder, "out", "state.db"), "no database");
    writeFileSync(
      path.join(folder, "rows.yaml"),
      `version: 1
name: rows
kind: codes
source: { range: [1, 2] }
code: { qr_data: "https://a.example/{{ number }}" }
schedule: { cron: "30 6 * * 5", timezone: UTC }
output: { dir: out }
`,
    );
    const answer = await desk.get("/job/rows.yaml/schedule");
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Switch off");
  });

  test("whose moment was missed is due: both pages say the moment that `schedule list` says", async () => {
    await desk.post(page, { ...weekly, do: "on" });
    const schedule = { cron: "30 6 * * 5", timezone: "Europe/Berlin" };
    const since = "2020-01-01T00:00:00.000Z";
    const known = { job: file, schedule, startedAt: since, endedAt: since, exitCode: 0 };
    await writeEntry(
      toDataDir(file),
      { file, name: "scans", schedule, confirmOver: undefined },
      { ...known, since, due: "2025-12-19T05:30:00.000Z" },
    );
    for (const at of ["/", page]) {
      const text = await (await desk.get(at)).text();
      expect(text).toContain("due since Fri, Dec 26, 2025, 06:30 AM");
    }
    const listed = await runInProcess(["schedule", "list", file], { clock: NEW_YEAR });
    expect(listed.out).toContain("2025-12-26 06:30 Europe/Berlin");
    expect(await (await desk.get("/", "de")).text()).toContain("fällig seit Fr., 26. Dez. 2025");
  });

  test.each(["en", "de"] as const)(
    "its command for a timer works in the folder: %s",
    async (to) => {
      const html = await (await desk.get(page, to)).text();
      const [, words = ""] = /\(makeready (schedule print [^)]*)\)/u.exec(html) ?? [];
      const { code, out } = await runInProcess(words.split(" "), {
        cwd: folder,
        clock: systemClock,
      });
      expect(code).toBe(0);
      expect(out).toContain(path.join(folder, "scans.yaml"));
      expect(out).toContain("OnCalendar=");
    },
  );

  test.each([
    [{ ...weekly, time: "25:00" }, "such as 06:00, got 25:00", "wie 06:00; hier steht 25:00"],
    [
      { ...weekly, every: "own", cron: "61 1 * * *" },
      "with its minute of 0 to 59, got 61 1 * * *",
      "mit Minute von 0 bis 59; hier steht 61 1 * * *",
    ],
    [{ ...weekly, every: "own", cron: "monthly" }, "3 1 * *&quot;, got monthly", "steht monthly"],
    [{ ...weekly, every: "own", cron: "0 3 30 2 *" }, "a moment that comes", "den es gibt"],
    [
      { ...weekly, every: "own", cron: "*/0 * * * *" },
      "with steps of its minute like */2, got */0",
      "mit Schritten wie */2 im Feld Minute; hier steht */0",
    ],
    [
      { ...weekly, every: "own", cron: "0 0 * * 1#6" },
      "with 1 to 5 behind the # of its weekday, got 0 0",
      "mit 1 bis 5 hinter dem # im Feld Wochentag; hier steht 0 0",
    ],
    [{ ...weekly, every: "own", cron: "" }, "* *&quot;, got nothing", "; hier steht nichts"],
    [{ ...weekly, time: "" }, "such as 06:00, got nothing", "wie 06:00; hier steht nichts"],
    [{ ...weekly, timezone: "" }, "like Europe/Berlin, got nothing", "/Berlin; hier steht nichts"],
    [{ ...weekly, timezone: "Moon/Base" }, "the time zone must be one like", "Die Zeitzone muss"],
  ])(
    "an invalid rule is refused with what was typed, and nothing is written: %j",
    async (form, says, german) => {
      const before = read();
      const answer = await desk.post(page, { ...form, do: "on" });
      const html = await answer.text();
      expect([answer.status, html]).toEqual([400, expect.stringContaining(says)]);
      const { time, cron, timezone } = readForm(html);
      expect({ time, cron, timezone }).toEqual({
        time: form.time,
        cron: form.cron,
        timezone: form.timezone,
      });
      expect(html).toMatch(new RegExp(`<option value="${form.every}" selected`, "u"));
      expect(await (await desk.post(page, { ...form, do: "on" }, "de")).text()).toContain(german);
      expect(read()).toBe(before);
    },
  );
  test("a rule that has become right is kept", async () => {
    await desk.post(page, { ...weekly, every: "own", cron: "6 1 * * *", do: "on" });
    expect(read()).toContain("6 1 * * *");
  });
});

test.each(["0 6 * * *", "30 6 * * 1-5", "5 22 * * 0", "0 7 1 * *", "*/10 * * * *", "0 6 1 * 1"])(
  "%s is shown and written back as it was",
  (cron) => {
    expect(toCron(toWhen(cron))).toBe(cron);
  },
);
