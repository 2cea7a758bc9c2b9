/** Printed sheets that are checked at the desk: pictures are sent, spoiled labels are named and replaced. */
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { printJob, toPixels, type PrintedCell, type PrintedJob } from "../scan/printed-job.ts";
import { blot, paint, scanPage, type Scanning } from "../scan/scanner.ts";
import { openAskedDesk, waitForTask, type AskedDesk } from "./ask-desk.ts";

const DPI = 100;
const screen = "/job/job.yaml/scan";

let job: PrintedJob;
let desk: AskedDesk;

beforeAll(async () => {
  job = await printJob(30);
  desk = await openAskedDesk(job.folder);
});
afterAll(async () => {
  await desk.close();
  job.close();
  rmSync(job.folder, { recursive: true, force: true });
});

const pick = (page: number, at: number): PrintedCell =>
  job.cells.filter((cell) => cell.page === page)[at] as PrintedCell;

interface Spoiling extends Scanning {
  readonly blotted?: readonly PrintedCell[];
  readonly white?: readonly PrintedCell[];
}

async function pictureOf(
  page: number,
  { blotted = [], white = [], ...how }: Spoiling = {},
): Promise<Buffer> {
  const drawn = await job.page(page, DPI);
  const image = { ...drawn, data: Uint8Array.from(drawn.data) };
  for (const cell of blotted) {
    const { left, top, width } = toPixels(cell.code, DPI);
    blot(image, { x: left + width / 2, y: top + width / 2, radius: width * 0.3 }, 20);
  }
  for (const cell of white) paint(image, toPixels(cell.label, DPI), 255);
  return scanPage(image, { dpi: DPI, ...how });
}

/** Nothing of a page may be loaded from elsewhere, and nothing in it leads there. */
async function expectOffline(): Promise<void> {
  const page = await desk.get(screen);
  expect(page.headers.get("content-security-policy")).toMatch(
    /^default-src 'self'; img-src 'self' data: blob:;/u,
  );
  const html = await page.text();
  const named = [...html.matchAll(/(?:href|src|action)="([^"]*)"/gu)].map(([, to = ""]) => to);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((to) => /^(?:[a-z]+:)?\/\//iu.test(to))).toEqual([]);
}

type Sent = readonly (readonly [name: string, bytes: Buffer])[];

/** Sends pictures and waits for what is said of them. */
async function send(pictures: Sent, more = false): Promise<string> {
  const form = new FormData();
  for (const [name, bytes] of pictures)
    form.append("file", new File([new Uint8Array(bytes)], name));
  if (more) form.append("more", "yes");
  const answer = await desk.postForm(screen, form);
  expect(answer.headers.get("location")).toMatch(/^\/task\//u);
  await waitForTask(desk, job.folder, "job.yaml");
  return (await desk.get(screen)).text();
}

/** Figures by their names. */
const figuresOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/gu)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );

const commandsOf = (html: string): string[] =>
  [...html.matchAll(/data-command[^>]*>([^<]*)</gu)].map(([, text = ""]) => text);

/** The page of a scan whose spoiled labels were printed again leads to them, and offers it no more. */
async function expectNothingLeft(): Promise<void> {
  const html = await (await desk.get(screen)).text();
  expect(html).toContain("2 of these labels were printed again already.");
  expect(html).toContain('href="/job/job.yaml/files/shelves-reprint.pdf?download"');
  expect(html).not.toContain("Print the spoiled labels again");
  expect(commandsOf(html).join("\n")).not.toContain("replace");
}

const type = (command: string) => job.run(...command.split(" ").slice(1));

describe("checking printed sheets at the desk", () => {
  test("is offered by the result, and says that a sheet is good", async () => {
    const result = await (await desk.get("/job/job.yaml/result")).text();
    expect(result).toContain(`href="${screen}"`);
    await expectOffline();
    const html = await send([["page 1.png", await pictureOf(1)]]);
    await expectOffline();
    expect(html).toContain("24 labels are good. Nothing has to be printed again.");
    expect(html).toContain("Sheets in no picture: shelves.pdf, page 2.");
    expect(html).not.toContain("Print the spoiled labels again");
    const [command = ""] = commandsOf(html);
    expect(command).toMatch(
      /^makeready scan job\.yaml \.makeready\/desk\/uploads\/scan-\w+\/page-1\.png$/u,
    );
    const typed = await type(command);
    expect([typed.code, typed.out]).toEqual([0, expect.stringContaining("24 of 24 labels good")]);
  });

  test("adds pictures to those before, shows progress and each spoiled label", async () => {
    const [damaged, missing] = [pick(2, 2), pick(2, 4)];
    const picture = await pictureOf(2, { blotted: [damaged], white: [missing], turn: 181 });
    const html = await send([["page 1.png", picture]], true);
    expect(figuresOf(html)).toEqual({
      "Sheets seen": "2",
      Good: "28",
      Damaged: "1",
      Missing: "1",
      "Not in the picture": "0",
      "Foreign codes": "0",
      "Codes in a wrong place": "0",
    });
    expect(html).toContain(`shelves.pdf, page 2, row ${damaged.row}, column ${damaged.column}`);
    expect(html).toContain("in page-1-2.png");
    const pictures = [...html.matchAll(/<img src="([^"]*)" alt="(\w+) as the picture/gu)];
    expect(pictures.map(([, , key]) => key)).toEqual([damaged.key, missing.key]);
    const cut = await desk.get(pictures[0]?.[1] ?? "");
    expect(cut.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await cut.arrayBuffer()).readUInt32BE(16)).toBe(160);
    const [, address = "", name = "", task = ""] =
      /^(.*\/label\/)(.*)\?task=(.*)$/u.exec(pictures[0]?.[1] ?? "") ?? [];
    const linked = `${"0".repeat(32)}.png`;
    const cuts = path.join(job.folder, ".makeready/desk/tasks", task, "cuts");
    expect(readdirSync(cuts)).toContain(name);
    symlinkSync(path.join(job.folder, "job.yaml"), path.join(cuts, linked));
    expect((await desk.get(`${address}${linked}?task=${task}`)).status).toBe(404);
    const csv = await desk.get("/job/job.yaml/files/spoiled.csv?download");
    expect(await csv.text()).toContain(`,${missing.key},`);
    const lines = readdirSync(path.join(job.folder, ".makeready/desk/tasks"))
      .toSorted()
      .map((id) => path.join(job.folder, ".makeready/desk/tasks", id, "events.ndjson"))
      .map((file) => readFileSync(file, "utf8"));
    expect(lines.at(-1)).toContain('"stage":"scan","done":2,"total":2');
  });

  test("keeps the spoiled labels of the check before that new pictures do not show", async () => {
    const html = await send([["page 1.png", await pictureOf(1)]]);
    expect(figuresOf(html)).toMatchObject({ "Sheets seen": "1", Good: "24", Missing: "0" });
    expect(html).not.toContain("Nothing has to be printed again.");
    const earlier = html.split("Spoiled labels of earlier checks").at(-1);
    for (const { key } of [pick(2, 2), pick(2, 4)]) expect(earlier).toContain(`>${key}<`);
  });

  test("has the spoiled labels printed again by the way that the command takes, once", async () => {
    const before = await (await desk.get(screen)).text();
    expect(commandsOf(before)).toContain("makeready replace job.yaml --spoiled");
    const answer = await desk.post(`${screen}/replace`, {});
    expect(answer.headers.get("location")).toMatch(/^\/task\//u);
    await waitForTask(desk, job.folder, "job.yaml");
    const html = await (await desk.get("/job/job.yaml/result")).text();
    expect(html).toContain("2 labels are ready to print again");
    expect(html).toContain("shelves-reprint.pdf");
    await expectNothingLeft();
    await desk.post(`${screen}/replace`, {});
    await waitForTask(desk, job.folder, "job.yaml");
    const again = await (await desk.get("/job/job.yaml/result")).text();
    expect(again).toContain("2 spoiled labels are void or printed again already.");
    expect(again).toMatch(
      /Labels printed again<br\/><span class="soft">shelves-reprint\.pdf<.*files\/shelves-reprint\.pdf\?download"/u,
    );
  });

  test("takes spoiled codes out of use, for a reason, as its command does", async () => {
    await desk.post(`${screen}/void`, { reason: "torn" });
    await waitForTask(desk, job.folder, "job.yaml");
    const html = await (await desk.get("/job/job.yaml/result")).text();
    expect(html).toContain("2 codes are void now.");
    expect(commandsOf(html)).toContain("makeready void job.yaml --spoiled --reason torn --yes");
  });

  test("acts on no other labels than those that it shows", async () => {
    const name = readdirSync(path.join(job.folder, ".makeready/desk/uploads"))[0] ?? "";
    const [picture = ""] = readdirSync(path.join(job.folder, ".makeready/desk/uploads", name));
    await type(`makeready scan job.yaml .makeready/desk/uploads/${name}/${picture}`);
    const html = await (await desk.get(screen)).text();
    expect(html).toContain("has written spoiled.csv since");
    const answer = await desk.post(`${screen}/replace`, {});
    expect(answer.headers.get("location")).toBe(screen);
  });

  test("says that labels of void codes must not ship, and that it can't read what it found before", async () => {
    writeFileSync(path.join(job.folder, "out/spoiled.csv"), "note\nmine\n");
    const html = await send([["page 2.png", await pictureOf(2)]]);
    expect(html).toContain("spoiled labels of earlier scans are not kept: ");
    expect(figuresOf(html)).toMatchObject({ Good: "4", Void: "2" });
    expect(html).toContain("void, must not ship");
    expect(html).toContain("Take the void labels off the sheets, and throw them away.");
    expect(html).not.toContain("Nothing has to be printed again.");
  });

  test("names foreign codes, and says for unusable pictures why and what to do", async () => {
    const other = await printJob(24, { text: (row) => `Strange ${row}` });
    const foreign = await scanPage(await other.page(1, DPI), { dpi: DPI });
    other.close();
    const html = await send([
      ["foreign.png", foreign],
      ["../../letter.png", Buffer.from("Dear all")],
    ]);
    expect(html).toContain("No label of this job was read in these pictures.");
    expect(html).toContain("foreign.png: no code of this job was read.");
    expect(html).toContain(
      "letter.png: scan must be PNG, JPEG, WebP, TIFF or PDF, got something else",
    );
    expect(html).toContain("Save it as PNG, JPEG, TIFF or PDF, and send it again.");
    expect(html).toContain("a foreign code: Strange 1<");
    expect(figuresOf(html)).toEqual({});
    expect(html).toContain("<h2>Pictures without a sheet of this job</h2>");
    expect(html).not.toContain("without a readable code");
    const german = await (await desk.get(screen, "de")).text();
    expect(german).toContain("foreign.png: kein Code dieses Auftrags wurde gelesen.");
    expect(german).not.toMatch(/sind englisch|<span lang="en">/u);
  });

  test("labels that have symbols only: says that no scan can judge them, and asks for no sharper picture", async () => {
    const label =
      'label: { items: [{ symbol: datamatrix, data: "{{ key }}", at: [4, 4, 20, 20] }] }';
    const manifest = readFileSync(path.join(job.folder, "job.yaml"), "utf8");
    const only = manifest
      .replace('caption: "{{ key }}"', label)
      .replace("dir: out", "dir: only")
      .replace("name: shelves\n", "name: only\n");
    writeFileSync(path.join(job.folder, "only.yaml"), only);
    const ran = await job.run("run", "only.yaml", "--yes");
    expect(ran.code, ran.err).toBe(0);
    const form = new FormData();
    form.append("file", new File([new Uint8Array(await pictureOf(1))], "page.png"));
    await desk.postForm("/job/only.yaml/scan", form);
    await waitForTask(desk, job.folder, "only.yaml");
    const html = await (await desk.get("/job/only.yaml/scan")).text();
    expect(html).toContain("Labels of this job have symbols and no QR codes");
    expect(html).not.toContain("No label of this job was read");
    expect(html).not.toMatch(/Look whether it shows a sheet/u);
  });

  test("sheets of an earlier run: says so, offers no measure and nothing to replace", async () => {
    const old = await pictureOf(1);
    const table = path.join(job.folder, "rows.csv");
    const rows = readFileSync(table, "utf8");
    writeFileSync(table, rows.replace(/^K5,.*\n/mu, ""));
    const ran = await job.run("run", "job.yaml", "--yes");
    expect(ran.code, ran.err).toBe(0);
    const html = await send([["old.png", old]]);
    expect(html).toContain("These sheets were printed before those of today were made.");
    expect(html).toMatch(
      /They were printed before the run of 20\d\d-\S+ \S+ UTC made the sheets anew/u,
    );
    expect(html).toContain("the code of K5, whose row is gone");
    expect(html).toContain("23 codes were read that the sheets of today hold as well.");
    for (const word of ["Spoiled labels", "Measured on", "a foreign code", "Print the spoiled"])
      expect(html).not.toContain(word);
    expect(commandsOf(html).join("\n")).not.toContain("replace");
  });

  test("refuses a form without pictures, one that is too large, and files of the desk", async () => {
    const none = await desk.post(screen, {});
    expect([none.status, await none.text()]).toEqual([
      400,
      expect.stringContaining("scans or photos must be sent, got none"),
    ]);
    const large = await desk.postLarge(screen, 201 * 2 ** 20);
    expect([large.status, await large.text()]).toEqual([
      400,
      expect.stringContaining("the pictures must have at most 200 MB together, got more"),
    ]);
    const wrong = await desk.get(`${screen}/label/..%2Frequest.json?task=none`);
    expect(wrong.status).toBe(404);
  });
});
