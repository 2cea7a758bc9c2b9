/** A job that has changed since its last run: its old sheets are not said to be ready. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { runInProcess } from "../flow/in-process.ts";
import { waitForTask } from "./ask-desk.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("changed");

const MANIFEST = `version: 1
name: shelves
kind: codes
source: { file: shelves.csv, key: [shelf] }
code: { dynamic: false, type: Text, qr_data: "SHELF {{ shelf }}" }
output: { dir: out, files: [svg], sheets: { caption: "{{ shelf }}" } }
`;

async function step(name: "run" | "plan" | "verify"): Promise<void> {
  await at.desk.post(`/job/shelves.yaml/${name}`, {});
  await waitForTask(at.desk, at.folder, "shelves.yaml");
}

async function makeDone(): Promise<void> {
  at.write("shelves.csv", "shelf\nA-01\nA-02\n");
  at.write("shelves.yaml", MANIFEST);
  await step("run");
  expect(await at.textOf("/job/shelves.yaml/result")).toContain("Ready for press");
}

describe("the list of jobs", () => {
  const says = "The list or the manifest has changed since the last run. Look at the plan.";

  test.each([
    ["a longer list", () => at.write("shelves.csv", "shelf\nA-01\nA-02\nA-03\n")],
    [
      "another label",
      () => at.write("shelves.yaml", MANIFEST.replace(`caption: "`, `caption: "No. `)),
    ],
  ])("says of a job with %s that it has changed, and leads to the plan", async (_what, change) => {
    await makeDone();
    expect(await at.textOf("/")).not.toContain(says);
    change();
    const html = await at.textOf("/");
    expect(html).toContain(`href="/job/shelves.yaml/plan">${says}</a>`);
    expect(html).toContain('<span class="state warn">2 of 2 rows done</span>');
    await step("run");
    const after = await at.textOf("/");
    expect(after).not.toContain(says);
    expect(after).toContain('<span class="state good">');
  });
});

describe("a finished job", () => {
  test.each([
    [
      "another label",
      () =>
        at.write("shelves.yaml", MANIFEST.replace("sheets: {", "sheets: { sheet: avery-3274.3,")),
      "The job has changed since. Run it again before you print.",
      "A run makes shelves.pdf anew: layout or labels have changed since.",
    ],
    [
      "a longer list",
      () => at.write("shelves.csv", "shelf\nA-01\nA-02\nA-03\n"),
      "The job has changed since. Run it again before you print.",
      "Run: 1 of 3 rows",
    ],
    [
      "a PDF that is gone",
      () => rmSync(path.join(at.folder, "out/shelves.pdf")),
      "A file is missing: shelves.pdf. Run again to make it.",
      "A run makes shelves.pdf anew: it is missing.",
    ],
    [
      "a PDF that somebody altered",
      () => writeFileSync(path.join(at.folder, "out/shelves.pdf"), "x"),
      "A file is not as it was written: shelves.pdf. Run again to make it anew.",
      "A run makes shelves.pdf anew: it is not as it was written.",
    ],
  ])(
    "with %s is no longer ready for press until it has run again",
    async (_what, change, result, plan) => {
      await makeDone();
      change();
      const html = await at.textOf("/job/shelves.yaml/result");
      expect(html).toContain(result);
      expect(html).not.toContain("Ready for press");
      // Nothing leads to a PDF that is gone, and one that is none is no fault of the program.
      const isGone = result.includes("missing");
      expect(html.includes("/shelves.pdf?download")).toBe(!isGone);
      const isWhole = plan.includes("layout") || plan.startsWith("Run:");
      const { status } = await at.desk.get("/job/shelves.yaml/show/shelves.pdf");
      expect(status).toBe(isGone ? 404 : isWhole ? 200 : 400);
      await step("plan");
      const planned = await at.textOf("/job/shelves.yaml/plan");
      expect(planned).not.toContain("A run would change nothing");
      expect(planned).toContain(plan);
      await step("run");
      expect(await at.textOf("/job/shelves.yaml/result")).toContain("Ready for press");
    },
  );

  test("that a check found faults in is ready again once a command finds all files right", async () => {
    await makeDone();
    const svg = at.read("out/artwork/a-01.svg");
    at.write("out/artwork/a-01.svg", "<svg/>");
    await step("verify");
    at.write("out/artwork/a-01.svg", svg);
    const bad = "Do not print yet: the last check of the files found something wrong";
    const found = await at.textOf("/job/shelves.yaml/result");
    expect(found).toContain(bad);
    expect(found).toMatch(/<td class="word">a-01\.svg \(artwork-[a-z]+\)<\/td>/u);
    const argv = ["verify", "shelves.yaml"];
    const verified = await runInProcess(argv, { cwd: at.folder, clock: systemClock });
    expect(verified.code, verified.err).toBe(0);
    const html = await at.textOf("/job/shelves.yaml/result");
    expect(html).not.toContain(bad);
    expect(html).toContain("Ready for press");
    await step("verify");
    const good = "every file is as it was written";
    expect(await at.textOf("/job/shelves.yaml/result")).toContain(good);
    rmSync(path.join(at.folder, "out/shelves.pdf"));
    expect(await at.textOf("/job/shelves.yaml/result")).not.toContain(good);
  });
});
