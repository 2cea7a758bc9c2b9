import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { frozenClock, runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const CSV = "site,table,region,Link\nA,1,North,https://a.example/1\n";

/** A job folder whose job is to run at three in the morning, Berlin time. */
function makeScheduledFolder(): JobFolder {
  const files = makeJobFolder(CSV);
  const manifest = readFileSync(files.manifest, "utf8");
  writeFileSync(
    files.manifest,
    `schedule: { cron: "0 3 * * *", timezone: Europe/Berlin }\n${manifest}`,
  );
  return files;
}

const ask = (): Promise<boolean> => Promise.reject(new Error("nobody is there"));
const at = (iso: string) => ({ clock: { ...frozenClock, nowMs: () => Date.parse(iso) } });
const linesOf = (out: string): Record<string, unknown>[] =>
  out
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const eventsOf = (out: string) => linesOf(out).filter(({ type }) => type === "schedule");

describe("makeready schedule (docs/spec/jobs.md section 2)", () => {
  it("run: runs what is due, once; then nothing until the next night", async () => {
    const files = makeScheduledFolder();
    const cwd = files.root;
    const due = await runInProcess(["schedule", "run", "--json"], {
      ...at("2026-11-20T02:00:30Z"),
      cwd,
    });
    expect(due.code, due.err).toBe(0);
    expect(linesOf(due.out).find(({ type }) => type === "summary")).toMatchObject({ created: 1 });
    expect(eventsOf(due.out)).toMatchObject([
      { event: "due", job: "flow", due: "2026-11-20T02:00:00.000Z", missed: 0 },
      { event: "ended", exitCode: 0 },
      { event: "next", next: "2026-11-21T02:00:00.000Z" },
    ]);
    const again = await runInProcess(["schedule", "run", "--once", "--json", files.manifest], {
      ...at("2026-11-20T03:00:00Z"),
      cwd,
    });
    expect(eventsOf(again.out)).toMatchObject([{ event: "next" }]);
    const later = await runInProcess(["schedule", "run", "--json"], {
      ...at("2026-11-23T12:00:00Z"),
      cwd,
    });
    expect(eventsOf(later.out)[0]).toMatchObject({ event: "due", missed: 2 });
    expect(linesOf(later.out).find(({ type }) => type === "summary")).toMatchObject({ writes: 0 });
  });

  it("lists jobs with their last and next runs, and leaves jobs without schedule out", async () => {
    const files = makeScheduledFolder();
    writeFileSync(path.join(files.root, "jobs", "plain.yaml"), "version: 1\nkind: codes\n");
    const listed = await runInProcess(["schedule"], {
      ...at("2026-11-20T12:00:00Z"),
      cwd: files.root,
    });
    expect(listed.code, listed.err).toBe(0);
    expect(listed.out).toMatch(/^flow\s+0 3 \* \* \*\s+never\s+2026-11-21 03:00 Europe\/Berlin$/mu);
    // A run by hand is none of the schedule.
    expect(listed.out).toMatch(/^job +cron +last run by the schedule +next run\n/u);
    expect(listed.out).not.toContain("plain");
  });

  it("names beside a job why it is refused; a new job that is refused is told once a moment", async () => {
    const files = makeScheduledFolder();
    const manifest = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, `${manifest}bogus: 1\n`);
    const options = { ...at("2026-11-20T02:00:30Z"), cwd: files.root };
    const { out } = await runInProcess(["schedule", "list"], options);
    expect(out).toMatch(/^flow .*Europe\/Berlin  refused: jobs\/flow\.yaml:\d+:1: bogus must be/mu);
    const [told] = eventsOf((await runInProcess(["schedule", "list", "--json"], options)).out);
    expect(told?.["refused"]).toMatch(/^refused: .*bogus must be a known field/u);
    writeFileSync(files.manifest, manifest.replace("name: flow", "name: flow${SHOP}"));
    const unset = await runInProcess(["schedule", "list"], options);
    expect(unset.out).toMatch(
      / {2}refused in this environment: .*variable \$\{SHOP\} must be set/u,
    );
    writeFileSync(
      files.manifest,
      `name: flow\${SHOP}\n${manifest.replace("name: flow\n", "")}bogus: 1\n`,
    );
    expect((await runInProcess(["schedule", "list"], options)).out).toMatch(
      / {2}refused: .*\(1 more fault\)/u,
    );
    writeFileSync(files.manifest, `${manifest}bogus: 1\n`);
    const run = await runInProcess(["schedule", "run"], options);
    expect([run.code, run.err]).toEqual([2, expect.stringContaining("bogus must be")]);
    const again = await runInProcess(["schedule", "run", "--json"], options);
    expect([again.code, again.err]).toEqual([0, ""]);
    expect(eventsOf(again.out)).toMatchObject([
      { event: "next", next: "2026-11-21T02:00:00.000Z" },
    ]);
  });

  it("says of a paused schedule that it is paused, and how to resume it", async () => {
    const files = makeScheduledFolder();
    const options = { ...at("2026-11-20T02:00:30Z"), cwd: files.root };
    await runInProcess(["set", "jobs/flow.yaml", "schedule.paused=true"], options);
    const resume = "makeready set jobs/flow.yaml schedule.paused=false";
    for (const words of [
      ["schedule", "list"],
      ["schedule", "run"],
      ["schedule", "print", "--cron"],
    ]) {
      const { code, out, err } = await runInProcess(words, options);
      expect([words, code, out, err]).toEqual([
        words,
        0,
        "",
        `flow: the schedule is paused; to resume it: ${resume}\n`,
      ]);
    }
    const listed = await runInProcess(["schedule", "list", "--json"], options);
    expect(linesOf(listed.out)).toMatchObject([
      { type: "schedule", event: "paused", job: "flow", next: null, paused: true },
    ]);
    await runInProcess(resume.split(" ").slice(1), options);
    expect((await runInProcess(["schedule", "list"], options)).err).toBe("");
  });

  it("a broken schedule is reported with its place and stops no other job", async () => {
    const files = makeScheduledFolder();
    writeFileSync(
      path.join(files.root, "jobs", "broken.yaml"),
      'version: 1\nkind: codes\nschedule:\n  cron: "0 25 * * *"\n  timezone: Europe/Atlantis\n',
    );
    const ran = await runInProcess(["schedule", "run"], {
      ...at("2026-11-20T02:00:30Z"),
      cwd: files.root,
    });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("jobs/broken.yaml:4:9: schedule.cron must be five fields");
    expect(ran.err).toContain("schedule.timezone must be a time zone");
    expect(ran.err).toContain("flow: ended with exit code 0");
  });

  it("a job that fails gives its exit code, and counts as run", async () => {
    const files = makeScheduledFolder();
    writeFileSync(files.csv, `${CSV}B,2,North,htp://nowhere\n`);
    const args = ["schedule", "run"];
    const ran = await runInProcess(args, { ...at("2026-11-20T02:00:30Z"), cwd: files.root });
    expect(ran.code).toBe(3);
    const again = await runInProcess(args, { ...at("2026-11-20T02:01:30Z"), cwd: files.root });
    expect(again.code).toBe(0);
  });

  it("print: timers for systemd, as text or as files, and lines for crontab", async () => {
    const files = makeScheduledFolder();
    const options = {
      ...at("2026-11-20T12:00:00Z"),
      cwd: files.root,
      env: { TZ: "Europe/Berlin" },
    };
    const units = await runInProcess(["schedule", "print", "--systemd"], options);
    expect(units.out).toContain("# /etc/systemd/system/makeready-flow.timer");
    expect(units.out).toContain("OnCalendar=*-*-* 03:00:00 Europe/Berlin");
    const out = path.join(files.root, "units");
    mkdirSync(out);
    expect(units.err).toContain("write the files with --out DIR, which says how");
    const written = await runInProcess(["schedule", "print", "--systemd", "--out", out], options);
    expect(written.err).toContain(`wrote 2 files to ${out}\n`);
    const both = ["service", "timer"].map((end) => `makeready-flow.${end}`);
    const [copied, installed] = [out, "/etc/systemd/system"].map((folder) =>
      both.map((name) => path.join(folder, name)).join(" "),
    );
    expect(written.err).toContain(
      `start the timers:\n  sudo cp ${copied} /etc/systemd/system/ && sudo systemctl daemon-reload && sudo systemctl enable --now makeready-flow.timer\n`,
    );
    expect(written.err).toContain(
      `stop and remove them:\n  sudo systemctl disable --now makeready-flow.timer && sudo rm ${installed} && sudo systemctl daemon-reload\n`,
    );
    expect(readdirSync(out).toSorted()).toEqual(["makeready-flow.service", "makeready-flow.timer"]);
    const cron = await runInProcess(["schedule", "print", "--cron"], options);
    expect(cron.out).toContain(
      `0 3 * * * cd ${files.root} && makeready schedule run --once ${files.manifest}`,
    );
    const neither = await runInProcess(["schedule", "print"], options);
    expect(neither.code).toBe(2);
    expect(neither.err).toContain("--systemd and --cron");
  });

  it("print: leaves the units of another job of the same name, and overwrites its own", async () => {
    const [ours, theirs] = [makeScheduledFolder(), makeScheduledFolder()];
    const out = path.join(ours.root, "units");
    const print = ({ root: cwd }: JobFolder) =>
      runInProcess(["schedule", "print", "--systemd", "--out", out], { cwd });
    const first = await print(ours);
    expect(first.err).not.toContain("warning");
    const other = await print(theirs);
    expect(other.code).toBe(0);
    expect(other.err).toContain(
      `warning: makeready-flow runs ${ours.manifest} already, so this job's units are makeready-flow-2 (if that job is gone, delete makeready-flow.service`,
    );
    expect(other.err).toContain(`${out}/makeready-flow-2.service`);
    // Each finds its own again.
    expect((await print(ours)).err).toBe(first.err);
    expect((await print(theirs)).err).toBe(other.err);
    const names = ["", "-2"].flatMap((n) => [`flow${n}.service`, `flow${n}.timer`]);
    expect(readdirSync(out).toSorted()).toEqual(
      names.map((name) => `makeready-${name}`).toSorted(),
    );
    const runs = (name: string) => readFileSync(path.join(out, name), "utf8");
    expect(runs("makeready-flow.service")).toContain(`"--once" "${ours.manifest}"`);
    expect(runs("makeready-flow-2.service")).toContain(`"--once" "${theirs.manifest}"`);
  });

  it("units run as the user who printed them: a run by hand can replace their files", async () => {
    const files = makeScheduledFolder();
    const args = ["schedule", "print", "--systemd"];
    const { out } = await runInProcess(args, { cwd: files.root, user: "petra" });
    expect(out).toContain("[Service]\nType=oneshot\nUser=petra\n");
  });

  it("print says which timers start runs that are refused", async () => {
    const files = makeScheduledFolder();
    const text = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, text.replace(/dir: \S+?(?=[,\s])/u, 'dir: "out-{{ today }}"'));
    const told = "warning: flow: its timer will start runs that are refused: jobs/flow.yaml:";
    for (const way of [["--cron"], ["--systemd"], ["--systemd", "--out", "units"]]) {
      const words = ["schedule", "print", ...way];
      const { code, err } = await runInProcess(words, { cwd: files.root });
      expect([code, err]).toEqual([0, expect.stringContaining(told)]);
    }
  });

  it.each([["list"], ["run"], ["print", "--cron"], ["print", "--systemd", "--out", "units"]])(
    "%s %s says that no job has a schedule",
    async (...args) => {
      const files = makeScheduledFolder();
      writeFileSync(files.manifest, "version: 1\nname: flow\nkind: codes\n");
      const ran = await runInProcess(["schedule", ...args], { cwd: files.root });
      expect(ran).toMatchObject({ code: 0, out: "" });
      expect(ran.err).toContain("no job here has a schedule; give one with: schedule: { cron:");
    },
  );

  it("safety.confirm_over: reported by list and print; a run never asks, and stops without a yes", async () => {
    const files = makeScheduledFolder();
    const text = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, `${text}safety: { confirm_over: 0 }\n`);
    const { root: cwd } = files;
    const day = (n: number) => ({ ...at(`2026-11-2${n}T02:00:30Z`), cwd });
    for (const args of [["schedule"], ["schedule", "print", "--cron"]]) {
      const told = await runInProcess(args, day(0));
      expect(told.err).toContain(
        "jobs/flow.yaml: nobody is there to say yes: a scheduled run of more than 0 changes",
      );
      const sure = await runInProcess([...args, "--yes"], day(0));
      expect(sure.err).toBe("");
      expect(sure.out.includes("--yes")).toBe(args.includes("print"));
    }
    const stopped = await runInProcess(["schedule", "run"], { ...day(0), ask });
    expect(stopped.code).toBe(2);
    expect(stopped.err).toContain("on a schedule: schedule: { yes: true }");
    expect((await runInProcess(["schedule", "run", "--yes"], day(1))).code).toBe(0);

    writeFileSync(files.csv, `${CSV}B,2,North,https://a.example/2\n`);
    writeFileSync(
      files.manifest,
      readFileSync(files.manifest, "utf8").replace("Europe/Berlin }", "Europe/Berlin, yes: true }"),
    );
    expect((await runInProcess(["schedule"], day(1))).err).toBe("");
    const ran = await runInProcess(["schedule", "run", "--json"], { ...day(2), ask });
    expect(linesOf(ran.out).find(({ type }) => type === "summary")).toMatchObject({ created: 1 });
    // By hand it still wants a yes.
    writeFileSync(files.csv, `${CSV}C,3,North,https://a.example/3\n`);
    expect((await runInProcess(["run", files.manifest], day(2))).code).toBe(2);
  });

  it("an unknown action and a folder that isn't there are usage errors", async () => {
    const files = makeScheduledFolder();
    const unknown = await runInProcess(["schedule", "runn"], { cwd: files.root });
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('did you mean "run"?');
    const nowhere = await runInProcess(["schedule", "list", "nowhere"], { cwd: files.root });
    expect(nowhere.code).toBe(2);
    expect(nowhere.err).toContain("must be a manifest or a folder of manifests");
  });
});
