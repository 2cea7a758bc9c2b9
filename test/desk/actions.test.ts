/** Every action of the desk: its page shows a command, which, typed, leaves the same files. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { makeApp } from "../../src/desk/app.tsx";
import { openAssets } from "../../src/desk/assets.ts";
import { plainKinds } from "../../src/desk/screens/new/plain.ts";
import { makeKeys } from "../../src/desk/security.ts";
import { listTasks, showAlive, TASK_FILES, tasksDir } from "../../src/desk/tasks/task.ts";
import { readLast } from "../../src/desk/tasks/tail.ts";
import { runInProcess } from "../flow/in-process.ts";
import { readForm, waitForTask } from "./ask-desk.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("actions");
const { write, read, textOf } = at;

const ENTITIES = { "&#39;": "'", "&quot;": '"', "&amp;": "&", "&gt;": ">", "&lt;": "<" } as const;

const commandsOf = (html: string): string[] =>
  [...html.matchAll(/data-command[^>]*>([^<]*)</gu)].map(([, text = ""]) =>
    text.replaceAll(/&[#a-z0-9]+;/gu, (one) => ENTITIES[one as keyof typeof ENTITIES] ?? one),
  );

const toWords = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? "");

async function type(command: string): Promise<void> {
  const [program = "", ...argv] = toWords(command);
  if (program === "cp")
    copyFileSync(path.join(at.folder, argv[0] ?? ""), path.join(at.folder, argv[1] ?? ""));
  else if (program === "makeready") {
    const { code, err } = await runInProcess(argv, { cwd: at.folder, clock: systemClock });
    expect([command, code, code === 0 ? "" : err]).toEqual([command, 0, ""]);
  } else execFileSync(program, argv);
}

/** What of the folder a person would see: every file but the desk's own and those of the service. */
function look(dir = at.folder): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (/^(?:\.makeready|schema|out.*)$/u.test(entry.name)) continue;
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) Object.assign(files, look(file));
    else files[path.relative(at.folder, file)] = readFileSync(file, "utf8");
  }
  return files;
}

/** Puts the folder back, lets the commands do what the click did, and compares. */
async function compare(before: Readonly<Record<string, string>>, commands: readonly string[]) {
  const clicked = look();
  expect(clicked).not.toEqual(before);
  for (const name of Object.keys(clicked)) {
    if (before[name] === undefined) rmSync(path.join(at.folder, name));
    else write(name, before[name]);
  }
  expect(commands).not.toEqual([]);
  for (const command of commands) await type(command);
  expect(look()).toEqual(clicked);
  return "the same";
}

const SHELVES = `version: 1
name: shelves # of the store
kind: codes
source: shelves.csv
code: { dynamic: false, type: Text, qr_data: "SHELF {{ shelf }}" }
output: { dir: out, files: [], index: [csv], sheets: { caption: "{{ shelf }}" } }
`;
const job = "/job/shelves.yaml";

function writeShelves(): Record<string, string> {
  write("shelves.csv", "shelf\nA-01\nA-02\n");
  write("shelves.yaml", SHELVES);
  return look();
}

const commandWith = (html: string, part: string): string[] =>
  commandsOf(html).filter((command) => command.includes(part));

/** Route -> the tests that hold the click against the typed command. */
const walked: Readonly<Record<string, string>> = {
  "/new/columns": "new-jobs.test.ts, kept.test.ts",
  "/new/plain": "here",
  "/new/sample": "here",
  "/job/:manifest/label": "here",
  "/job/:manifest/address": "here",
  "/job/:manifest/schedule": "here",
  "/job/:manifest/printer": "here",
  "/job/:manifest/new-file": "result.test.ts",
  "/job/:manifest/new-file/take": "here",
  "/job/:manifest/mend": "here",
  "/job/:manifest/plan": "result.test.ts",
  "/job/:manifest/run": "result.test.ts",
  "/job/:manifest/reprint": "result.test.ts",
  "/job/:manifest/proof": "result.test.ts",
  "/job/:manifest/verify": "result.test.ts",
  "/job/:manifest/void": "result.test.ts, units.test.ts",
  "/job/:manifest/replace": "units.test.ts",
  "/job/:manifest/activate": "units.test.ts",
  "/job/:manifest/reconcile": "units.test.ts",
  "/job/:manifest/undo": "here",
  "/job/:manifest/retry": "retired.test.ts",
  "/job/:manifest/scan": "scan.test.ts",
  "/job/:manifest/scan/void": "scan.test.ts",
  "/job/:manifest/scan/replace": "scan.test.ts",
  "/task/:id/stop": "here",
};

/** What changes no job: a file that is kept for the step after it, a picture, the language, an API. */
const changesNothing = [
  "/language",
  "/new/upload",
  "/new/columns/keep",
  "/new/columns/forget",
  "/job/:manifest/label/preview",
  "/job/:manifest/result",
  "/job/:manifest/mend/keep",
  "/job/:manifest/mend/forget",
  "/render/sheets",
  "/mcp",
];

test("no action of the desk is left out of the walk", async () => {
  const context = {
    folder: at.folder,
    clock: systemClock,
    ids: randomIds,
    writer: "makeready test",
    env: {},
  };
  const made = makeApp(
    { ...context, assets: await openAssets() },
    { keys: makeKeys(randomIds, false), port: () => 0 },
  );
  const posts = made.app.routes.filter(({ method }) => method === "POST").map((one) => one.path);
  await made.close();
  const known = [...Object.keys(walked), ...changesNothing];
  expect([...new Set(posts)].toSorted()).toEqual(known.toSorted());
});

test.each(Object.entries(walked))("%s is clicked in %s", (route, files) => {
  const click = new RegExp(`["'\`/]${path.basename(route)}["'\`]`, "u");
  for (const file of files.split(", ")) {
    const name = file === "here" ? "actions.test.ts" : file;
    const text = readFileSync(new URL(name, import.meta.url), "utf8");
    expect([name, click.test(text.replace(/const walked[^;]*;/u, ""))]).toEqual([name, true]);
  }
});

const leadsTo = async (route: string) => (await at.desk.get(route)).headers.get("location");

test("who loads the address of a form, as a change of language on a refused page does, gets a page", async () => {
  writeShelves();
  const routes = [...Object.keys(walked), ...changesNothing];
  for (const route of routes.filter((one) => /^\/(?:job|new)/u.test(one))) {
    let answer = await at.desk.get(route.replace(":manifest", "shelves.yaml"));
    for (let turns = 0; answer.status === 303 && turns < 3; turns += 1)
      answer = await at.desk.get(answer.headers.get("location") ?? "");
    expect([route, answer.status]).toEqual([route, 200]);
  }
  expect(await leadsTo(`${job}/reprint`)).toBe(`${job}/result`);
  expect(await leadsTo(`${job}/scan/void`)).toBe(`${job}/scan`);
  expect(await leadsTo(`${job}/address`)).toBe(`${job}/plan`);
});

describe("a new job", () => {
  test.each(plainKinds)("without a spreadsheet: %s", async (kind) => {
    mkdirSync(path.join(at.folder, "manuals"));
    write("manuals/saw.pdf", "%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n");
    const before = look();
    const commands = commandWith(await textOf("/new"), `--kind ${kind} `);
    await at.desk.post("/new/plain", { kind, name: "", folder: "manuals" });
    expect(await compare(before, commands)).toBe("the same");
  });

  test("the sample", async () => {
    const commands = commandsOf(await textOf("/"));
    await at.desk.post("/new/sample", {});
    await waitForTask(at.desk, at.folder, "sample.yaml");
    expect(await compare({}, commands)).toBe("the same");
  });
});

describe("fields of a manifest", () => {
  test("the public address", async () => {
    write("links.csv", "n\n1\n");
    write(
      "links.yaml",
      'version: 1\nname: links\nkind: codes\nsource: { file: links.csv, key: [n] } # by hand\ncode: { dynamic: true, qr_data: "https://a.example/{{ n }}" }\noutput: { dir: out }\n',
    );
    const before = look();
    await at.desk.post("/job/links.yaml/plan", {});
    await waitForTask(at.desk, at.folder, "links.yaml");
    const commands = commandWith(await textOf("/job/links.yaml/plan"), "api.public_url");
    await at.desk.post("/job/links.yaml/address", { address: "https://go.example.com" });
    await waitForTask(at.desk, at.folder, "links.yaml");
    expect(commandsOf(await textOf("/job/links.yaml/plan"))).toContain(commands[0]);
    expect(await compare(before, commands)).toBe("the same");
  });

  test("a schedule: on, off, on again", async () => {
    const when = { every: "day", weekday: "1", time: "06:00", cron: "" };
    const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
    const plain = writeShelves();
    const on = commandWith(await textOf(`${job}/schedule`), "schedule.cron=");
    await at.desk.post(`${job}/schedule`, { ...when, timezone, do: "on" });
    expect(await compare(plain, on)).toBe("the same");
    const running = look();
    const off = commandWith(await textOf(`${job}/schedule`), "schedule.paused=true");
    await at.desk.post(`${job}/schedule`, { do: "off" });
    expect(await compare(running, off)).toBe("the same");
    const paused = look();
    const again = commandWith(await textOf(`${job}/schedule`), "schedule.cron=");
    await at.desk.post(`${job}/schedule`, { ...when, timezone, do: "on" });
    expect(await compare(paused, again)).toBe("the same");
    expect(look()).toEqual(running);
  });

  test("a printer: measured, and no longer corrected", async () => {
    const plain = writeShelves();
    const typed = { name: "front desk", offset_x_mm: "0,4", scale_x_percent: "100.2" };
    await at.desk.post(`${job}/printer`, { ...typed, do: "save" });
    const measure = commandWith(await textOf(`${job}/printer`), "sheets measure");
    expect(await compare(plain, measure)).toBe("the same");
    const measured = look();
    await at.desk.post(`${job}/printer`, { do: "off" });
    const off = commandWith(await textOf(`${job}/printer`), "sheets.printer");
    expect(await compare(measured, off)).toBe("the same");
  });

  test("a new file, sent or from the folder", async () => {
    writeShelves();
    write("more.csv", "shelf\nA-01\nB-01\n");
    const sent = { file: new File(["shelf\nC-01\n"], "new.csv"), source: "" };
    for (const form of [sent, { source: "more.csv" }]) {
      write("shelves.yaml", SHELVES);
      const before = look();
      await at.desk.post(`${job}/new-file`, form);
      await waitForTask(at.desk, at.folder, "shelves.yaml");
      const [task] = await listTasks(at.folder, "shelves.yaml");
      const html = await textOf(`${job}/new-file?task=${task?.id}`);
      const commands = commandsOf(html).filter((command) => !command.includes(" plan "));
      await at.desk.post(`${job}/new-file/take`, { task: readForm(html)["task"] ?? "" });
      await waitForTask(at.desk, at.folder, "shelves.yaml");
      expect(await compare(before, commands)).toBe("the same");
    }
  });

  test("label and sheet", async () => {
    const before = writeShelves();
    const html = await textOf(`${job}/label`);
    const hash = /name="hash" value="([^"]+)"/u.exec(html)?.[1] ?? "";
    const changes = { copies: "3", caption: "Shelf {{ shelf }}: left\n{{ shelf }}", hash };
    await at.desk.post(`${job}/label`, { ...changes, do: "save" });
    const commands = commandWith(await textOf(`${job}/label?saved`), "makeready set");
    expect(await compare(before, commands)).toBe("the same");
  });

  test("mended rows: the file beside the spreadsheet is named", async () => {
    write("people.csv", "Mail\nada@example.com\nnobody\n");
    write(
      "people.yaml",
      'version: 1\nname: people\nkind: codes\nsource: { file: people.csv, columns: { Mail: { type: email } } }\ncode: { dynamic: false, qr_data: "mailto:{{ Mail }}" }\noutput: { dir: out }\n',
    );
    const manifest = read("people.yaml");
    await at.desk.post("/job/people.yaml/plan", {});
    await waitForTask(at.desk, at.folder, "people.yaml");
    const form = readForm(await textOf("/job/people.yaml/mend"));
    await at.desk.post("/job/people.yaml/mend", { ...form, "cell.3.0": "b@example.com" });
    await waitForTask(at.desk, at.folder, "people.yaml");
    const commands = commandWith(await textOf("/job/people.yaml/plan"), "makeready set");
    const before = { ...look(), "people.yaml": manifest };
    expect(await compare(before, commands)).toBe("the same");
  });
});

test("a run is undone", async () => {
  write("links.csv", "n\n1\n");
  write(
    "links.yaml",
    'version: 1\nname: links\nkind: codes\nsource: { file: links.csv, key: [n] }\ncode: { dynamic: true, qr_data: "https://a.example/{{ n }}" }\noutput: { dir: out, files: [] }\n',
  );
  write(
    "looks.yaml",
    'version: 1\nname: looks\nkind: redesign\nselect: {}\ndesign: { primary_color: "#0a4d7c" }\n',
  );
  await type("makeready run links.yaml --yes");
  await type("makeready run looks.yaml --yes");
  const commands = commandWith(await textOf("/job/looks.yaml/result"), " undo ");
  expect(commands).toHaveLength(1);
  await type(commands[0] ?? "");
  // Nothing is left to be undone by the click, as after a click.
  await at.desk.post("/job/looks.yaml/undo", {});
  await waitForTask(at.desk, at.folder, "looks.yaml");
  const [task] = await listTasks(at.folder, "looks.yaml");
  expect(task && (await readLast(task))).toMatchObject({
    result: { result: { changed: 0, failed: 0 } },
  });
});

test.runIf(process.platform !== "win32")("a pause is a command, too", async () => {
  writeShelves();
  const argv = ["-e", "setInterval(() => undefined, 1e9)"];
  const child = spawn(process.execPath, argv, { stdio: "ignore" });
  const ended = once(child, "exit");
  const dir = path.join(tasksDir(at.folder), "abcdefgh1");
  mkdirSync(dir, { recursive: true });
  const startedMs = systemClock.nowMs();
  const request = { step: "run", manifest: "shelves.yaml" };
  writeFileSync(path.join(dir, TASK_FILES.request), JSON.stringify({ startedMs, request }));
  writeFileSync(path.join(dir, TASK_FILES.lines), "");
  await showAlive(dir, startedMs, child.pid);
  const page = await textOf(`${job}/run`);
  expect(page.match(/The same from the command line/gu)).toHaveLength(1);
  const commands = commandsOf(page);
  expect(commands).toEqual([`kill -INT ${child.pid}`, "makeready run shelves.yaml"]);
  await type(commands[0] ?? "");
  expect(await ended).toEqual([null, "SIGINT"]);
  expect((await at.desk.post("/task/abcdefgh1/stop", {})).status).toBe(303);
});
