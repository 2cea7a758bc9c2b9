/** What is begun in the desk and not saved is there when the page is opened again; nothing is half-written. */
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { runInProcess } from "../flow/in-process.ts";
import { readForm } from "./ask-desk.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("kept");
const { write, read, textOf } = at;

const LIST = "No,Room,Link\n1,Hall,https://a.example/1\n2,Loft,https://a.example/2\n";
const seen = (): string[] => readdirSync(at.folder).filter((name) => !name.startsWith("."));

/** Sends a spreadsheet; answers the address of its columns. */
async function send(text = LIST): Promise<string> {
  const sent = await at.desk.post("/new/upload", { file: new File([text], "rooms.csv") });
  return sent.headers.get("location") ?? "";
}

const choices = (html: string): Record<string, string> => ({
  ...readForm(html),
  thing: "text",
  "text.payload": "Room",
  key: "No",
  caption: "Link",
  name: "labels",
});

describe("a spreadsheet that was sent", () => {
  test("is offered until it is a job, with what was chosen", async () => {
    const columns = await send();
    const href = columns.replaceAll("&", "&amp;");
    for (const page of ["/", "/new"]) expect(await textOf(page)).toContain(href);
    const opened = await textOf(columns);
    expect(opened).not.toContain("was kept");
    expect(opened).toContain("What you change above is not in it.");
    const form = choices(opened);
    expect((await at.desk.post("/new/columns/keep", form)).status).toBe(204);
    const html = await textOf(columns);
    expect(html).toContain("were kept");
    expect(html).toMatch(/name="thing" value="text" checked/u);
    expect(html).toMatch(/name="caption" value="Link" checked/u);
    expect(html).not.toMatch(/name="caption" value="No" checked/u);
    expect(readForm(html)["name"]).toBe("labels");
    expect(seen()).toEqual([]);
    await at.desk.post("/new/columns", form);
    expect(seen()).toEqual(["labels.csv", "labels.yaml"]);
    for (const page of ["/", "/new"]) expect(await textOf(page)).not.toContain(href);
  });

  test("is forgotten when asked to", async () => {
    const columns = await send();
    const source = new URL(columns, at.desk.origin).searchParams.get("source") ?? "";
    await at.desk.post("/new/columns/forget", { source });
    expect(await textOf("/new")).not.toContain("not yet a job");
  });

  test("the commands on its page leave the same files", async () => {
    const html = await textOf(await send());
    const [copy = "", init = ""] = [...html.matchAll(/data-command[^>]*>([^<]*)</gu)].map(
      ([, text = ""]) => text,
    );
    const [, from = "", to = ""] = copy.split(" ");
    copyFileSync(path.join(at.folder, from), path.join(at.folder, to));
    const typed = await runInProcess(init.split(" ").slice(1), {
      cwd: at.folder,
      clock: systemClock,
    });
    expect([typed.code, typed.code === 0 ? "" : typed.err]).toEqual([0, ""]);
    const manifest = read("rooms.yaml");
    rmSync(path.join(at.folder, "rooms.yaml"));
    rmSync(path.join(at.folder, "rooms.csv"));
    const form = {
      thing: "dynamic-link",
      "dynamic-link.payload": "Link",
      key: "No",
      caption: "No",
    };
    await at.desk.post("/new/columns", { ...readForm(html), ...form });
    expect([read("rooms.yaml"), read("rooms.csv")]).toEqual([manifest, LIST]);
  });

  test("gets a name that no other spreadsheet has", async () => {
    write("rooms.csv", "another\n1\n");
    expect(readForm(await textOf(await send()))["name"]).toBe("rooms-2");
  });

  test("is not written beside a job of the same name", async () => {
    const form = choices(await textOf(await send()));
    write("labels.yaml", "version: 1\n");
    const answer = await at.desk.post("/new/columns", form);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("labels.yaml is there already"),
    ]);
    expect(seen()).toEqual(["labels.yaml"]);
  });
});

describe("changes of label and sheet", () => {
  const label = "/job/shelves.yaml/label";
  const manifest = `version: 1
name: shelves
kind: codes
source: shelves.csv
code: { dynamic: false, type: Text, qr_data: "{{ No }}" }
output: { dir: out, files: [], sheets: { caption: "{{ No }}" } }
`;

  beforeEach(() => {
    write("shelves.csv", LIST);
    write("shelves.yaml", manifest);
  });

  /** What the page sends while somebody types. */
  async function typeCopies(copies: string): Promise<Record<string, string>> {
    const { hash = "", was = "" } = readForm(await textOf(label));
    const body = { hash, was, copies, looks: "label" };
    expect((await at.desk.post(`${label}/preview`, body)).status).toBe(200);
    return body;
  }

  test("are shown again, and the plan says that it knows nothing of them", async () => {
    await typeCopies("3");
    expect(read("shelves.yaml")).toBe(manifest);
    const html = await textOf(label);
    expect([html.includes("were not saved yet"), readForm(html)["copies"]]).toEqual([true, "3"]);
    expect(await textOf("/job/shelves.yaml/plan")).toContain("This plan knows nothing of them");
    await at.desk.post(label, { do: "discard" });
    const fresh = await textOf(label);
    expect([fresh.includes("were not saved yet"), readForm(fresh)["copies"]]).toEqual([false, "1"]);
  });

  test("are gone once they are saved, also where a picture comes late", async () => {
    const form = await typeCopies("3");
    await at.desk.post(label, { ...form, do: "save" });
    await at.desk.post(`${label}/preview`, form);
    expect(read("shelves.yaml")).toContain("copies: 3");
    expect(await textOf(label)).not.toContain("were not saved yet");
    expect(await textOf("/job/shelves.yaml/plan")).not.toContain("knows nothing of them");
  });
});

test("a job that was removed is no bug of makeready", async () => {
  const answer = await at.desk.get("/job/gone.yaml/plan");
  const html = await answer.text();
  expect([answer.status, html]).toEqual([400, expect.stringContaining("got gone.yaml")]);
  expect(html).toContain("moved, renamed or removed");
  expect(html).toContain("To the list of jobs");
  const german = await (await at.desk.get("/job/gone.yaml/plan", "de")).text();
  expect(german).toContain("dort fehlt gone.yaml");
  expect(german).toContain("Er wurde verschoben, umbenannt oder gelöscht");
  expect(german).not.toMatch(/<(?:strong|p|span) lang="en"/u);
});

test("a new file for a job may be as large as the first one", async () => {
  write("list.csv", LIST);
  write("list.yaml", "version: 1\nname: list\nkind: codes\nsource: list.csv\n");
  write(
    "list.yaml",
    `${read("list.yaml")}code: { dynamic: false, qr_data: "{{ Link }}" }\noutput: { dir: out }\n`,
  );
  const file = new File([new Uint8Array(5 * 2 ** 20)], "list.bin");
  const answer = await at.desk.post("/job/list.yaml/new-file", { file, source: "" });
  expect(await answer.text()).toContain("must be CSV, TSV or XLSX, got list.bin");
});

test("a spreadsheet of another format is told what to save it as, sent or lying in the folder", async () => {
  for (const name of ["old.xls", "open.ods", "apple.numbers"]) {
    write(name, "x");
    const answer = await at.desk.post("/new/upload", { file: new File(["x"], name) });
    const html = await answer.text();
    expect(html).toContain(`must be CSV, TSV or XLSX, got ${name}`);
    expect(html).toContain("save it as XLSX or CSV, and choose that file");
  }
  const html = await textOf("/new");
  expect(html).toContain("apple.numbers, old.xls, open.ods. Open it, save it as XLSX or CSV");
  expect(html).not.toContain("source=old.xls");
  expect(html).toMatch(/accept="[^"]*\.xls,[^"]*\.ods,\.numbers"/u);
});
