import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import * as fc from "../../help/property.ts";
import { describe, expect, it } from "vitest";

import { checkCron, nextRunMs } from "../../../src/base/time/cron.ts";
import { readCronFields } from "../../../src/pipeline/schedule/cron-fields.ts";
import { toCrontab } from "../../../src/pipeline/schedule/crontab.ts";
import { toCalendar, toUnits } from "../../../src/pipeline/schedule/systemd.ts";

const job = {
  file: "/srv/print shop/100%/it's $HOME.yaml",
  name: "Winter menus 50%",
  schedule: { cron: "0 3 1 * *", timezone: "Europe/Berlin" },
  confirmOver: undefined,
};
const launch = { program: ["/usr/bin/node", "/opt/make ready/main.js"], cwd: "/srv", options: [] };
const nowMs = Date.parse("2026-11-20T12:00:00Z");

describe("calendar events (systemd.time(7))", () => {
  it.each([
    ["0 3 1 * *", ["*-*-01 03:00:00 UTC"]],
    ["0 7 * * 1", ["Mon *-*-* 07:00:00 UTC"]],
    ["*/30 9-11 * * MON-FRI", ["Mon,Tue,Wed,Thu,Fri *-*-* 09,10,11:00,30:00 UTC"]],
    ["0 0 13 * 5", ["*-*-13 00:00:00 UTC", "Fri *-*-* 00:00:00 UTC"]],
    ["0 0 1 jan,jul *", ["*-01,07-01 00:00:00 UTC"]],
    ["@weekly", ["Sun *-*-* 00:00:00 UTC"]],
    ["15 * * * 7", ["Sun *-*-* *:15:00 UTC"]],
  ])("%s", (cron, events) => expect(toCalendar(cron, "UTC")).toEqual(events));

  it("what has no such form comes up too often rather than too seldom", () => {
    expect(toCalendar("0 7 L * *", "UTC")).toEqual(["*-*-* 07:00:00 UTC"]);
    expect(toCalendar("0 7 * * MON#1", "UTC")).toEqual(["*-*-* 07:00:00 UTC"]);
    expect(toCalendar("0 7 L * 1", "UTC")).toEqual(["*-*-* 07:00:00 UTC"]);
  });
});

/** Undoes the quoting of ExecStart as systemd.service(5) says. */
function readExecStart(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, inner = ""]) =>
    inner.replaceAll(/\\(.)/gu, "$1").replaceAll("%%", "%").replaceAll("$$", "$"),
  );
}

describe("units", () => {
  const [service, timer] = toUnits([job], launch);

  it("start the job that is due, whatever stands in its path", () => {
    expect(service?.name).toBe("makeready-winter-menus-50.service");
    const exec = /^ExecStart=(.*)$/mu.exec(service?.text ?? "")?.[1] ?? "";
    expect(readExecStart(exec)).toEqual([...launch.program, "schedule", "run", "--once", job.file]);
  });

  it("make up for what was missed, in the zone of the job", () => {
    expect(timer?.text).toContain("OnCalendar=*-*-01 03:00:00 Europe/Berlin\n");
    expect(timer?.text).toContain("Persistent=true");
  });

  it("of two jobs of one name have two names", () => {
    const names = toUnits([job, { ...job, file: "/other.yaml" }], launch).map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
  });

  it.runIf(existsSync("/usr/bin/systemd-analyze"))("are what systemd understands", () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-units-"));
    const units = toUnits([{ ...job, file: "/srv/jobs/a.yaml" }], {
      ...launch,
      program: [process.execPath],
    });
    for (const { name, text } of units) writeFileSync(path.join(folder, name), text);
    for (const event of toCalendar("*/30 9-11 1,15 * MON-FRI", "Europe/Berlin")) {
      const said = execFileSync("systemd-analyze", ["calendar", event], { encoding: "utf8" });
      expect(said).toContain("Normalized form");
    }
  });
});

/** What a shell gets of a crontab line: `\%` is a percent sign. */
function runLine(line: string): string[] {
  const command = line.replaceAll("\\%", "%");
  const printed = execFileSync("sh", ["-c", command.replace(/^cd \S+ && /u, "printf '%s\\n' ")], {
    encoding: "utf8",
  });
  return printed.trimEnd().split("\n");
}

const linesIn = (timeZone: string, one = job): string[] =>
  toCrontab([one], { ...launch, timeZone, nowMs })
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

describe("crontab(5)", () => {
  it("in the computer's own zone: the fields as they were written", () => {
    const [line = ""] = linesIn("Europe/Berlin");
    expect(line).toMatch(/^0 3 1 \* \* cd \/srv && /u);
    expect(runLine(line.split(" ").slice(5).join(" "))).toEqual([
      ...launch.program,
      "schedule",
      "run",
      "--once",
      job.file,
    ]);
  });

  it("for a job of another zone: asks every hour, and says how a cron with CRON_TZ needs not", () => {
    expect(linesIn("UTC")[0]).toMatch(/^0 \* \* \* \* cd /u);
    expect(toCrontab([job], { ...launch, timeZone: "UTC", nowMs })).toContain(
      "#   CRON_TZ=Europe/Berlin\n#   0 3 1 * * cd /srv",
    );
  });

  it("knows zones that are half an hour off", () => {
    const india = {
      ...job,
      schedule: { cron: "0,20 3 * * *", timezone: "Asia/Kolkata" },
    };
    expect(linesIn("UTC", india)[0]).toMatch(/^30,50 \* \* \* \* /u);
    expect(toCrontab([india], { ...launch, timeZone: "UTC", nowMs })).toContain(
      "it asks 2 times an hour, and makeready",
    );
  });

  it("writes names as numbers, which every cron knows", () => {
    const weekdays = {
      ...job,
      schedule: { cron: "0 7 * jan MON-FRI", timezone: "UTC" },
    };
    expect(linesIn("UTC", weekdays)[0]).toMatch(/^0 7 \* 1 1,2,3,4,5 cd/u);
  });
});

it("fields are read as croner reads them", () => {
  const part = fc.oneof(
    fc.constant("*"),
    fc.integer({ min: 1, max: 5 }).map(String),
    fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 3, max: 6 }))
      .map((r) => r.join("-")),
    fc.integer({ min: 1, max: 4 }).map((step) => `*/${step}`),
  );
  fc.assert(
    fc.property(fc.tuple(part, part, part, part, part), (parts) => {
      const cron = parts.join(" ");
      fc.pre(checkCron(cron) === undefined);
      const fields = readCronFields(cron);
      const next = new Date(nextRunMs({ cron, timezone: "UTC" }, nowMs) ?? Number.NaN);
      expect(fields.isExact).toBe(true);
      expect(fields.minutes ?? [next.getUTCMinutes()]).toContain(next.getUTCMinutes());
      expect(fields.hours ?? [next.getUTCHours()]).toContain(next.getUTCHours());
      expect(fields.months ?? [next.getUTCMonth() + 1]).toContain(next.getUTCMonth() + 1);
      const isDay = fields.days?.includes(next.getUTCDate());
      const isWeekday = fields.weekdays?.includes(next.getUTCDay());
      expect(
        [isDay, isWeekday].some((is) => is === true) || (isDay ?? isWeekday) === undefined,
      ).toBe(true);
    }),
    { numRuns: 150 },
  );
});
