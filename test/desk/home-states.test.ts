/** What the home page says of jobs that something is done with, and of files that are sent for them. */
import { expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { startTask } from "../../src/desk/tasks/start.ts";
import type { Step } from "../../src/desk/tasks/task.ts";
import { waitForTask } from "./ask-desk.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("home-states");

function writeJob(): void {
  at.write("list.csv", "shelf\nA\n");
  at.write(
    "list.yaml",
    `version: 1
name: list
kind: codes
source: { file: list.csv, key: [shelf] }
code: { dynamic: false, type: Text, qr_data: "{{ shelf }}" }
output: { dir: out, files: [svg] }
`,
  );
}

test.each<[Step, string, string]>([
  ["plan", "Making the plan", "Der Plan entsteht"],
  ["verify", "Proving the files", "Die Dateien werden geprüft"],
  ["run", "running", "läuft"],
])("a job whose %s goes on", async (step, english, german) => {
  writeJob();
  const { folder } = at;
  const desk = { folder, clock: systemClock, ids: randomIds, env: {}, begin: () => process.pid };
  await startTask({ step, manifest: "list.yaml" }, desk);
  expect(await at.textOf("/")).toContain(`<span class="state warn">${english}</span>`);
  expect(await (await at.desk.get("/", "de")).text()).toContain(
    `<span class="state warn">${german}</span>`,
  );
});

test("a new file that is empty, or has a header only, is named as it was sent", async () => {
  writeJob();
  const send = (text: string, name: string): Promise<Response> =>
    at.desk.post("/job/list.yaml/new-file", { file: new File([text], name), source: "" });
  const refused = await send("", "empty.csv");
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("source must have rows, got an empty file: empty.csv"),
  ]);
  const sent = await send("shelf\n", "head.csv");
  expect(sent.status).toBe(303);
  await waitForTask(at.desk, at.folder, "list.yaml");
  const id = (sent.headers.get("location") ?? "").split("/").at(-1) ?? "";
  const html = await at.textOf(`/job/list.yaml/new-file?task=${id}`);
  expect(html).toContain("got only a header: head.csv");
  const none = await send("", "");
  expect([none.status, await none.text()]).toEqual([
    400,
    expect.stringContaining("a file must be sent or chosen, got none"),
  ]);
});
