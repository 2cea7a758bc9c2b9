/** A printer is measured at the desk: printers.json and the manifest have it, and the sheets undo it. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { loadCalibration } from "../../src/print/layout/calibration.ts";
import { openAskedDesk, readForm, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-printer-"));
const at = (name: string): string => path.join(folder, name);
const MANIFEST = `version: 1
name: tables # for the boss
kind: codes
source: { file: tables.csv, key: [n] }
code: { dynamic: false, qr_data: "{{ url }}" }
output: { dir: out, files: [], sheets: true }
`;
const page = "/job/tables.yaml/printer";
let desk: AskedDesk;

beforeAll(async () => {
  writeFileSync(at("tables.csv"), "n,url\n1,https://example.com/1\n");
  writeFileSync(at("tables.yaml"), MANIFEST);
  writeFileSync(at("scans.yaml"), "version: 1\nname: scans\nkind: report\nselect: {}\n");
  desk = await openAskedDesk(folder);
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

const printers = () => JSON.parse(readFileSync(at("printers.json"), "utf8")) as object;

describe("the printer of a job", () => {
  test("is led to from the label, with the alignment page of the job's sheet", async () => {
    expect(await (await desk.get("/job/tables.yaml/label")).text()).toContain(`href="${page}"`);
    const shown = await (await desk.get(page)).text();
    expect(shown).toContain("This job corrects no printer.");
    expect(readForm(shown)).toEqual({
      name: "",
      offset_x_mm: "0",
      offset_y_mm: "0",
      scale_x_percent: "100",
      scale_y_percent: "100",
      turn_degrees: "0",
    });
    const pdf = await desk.get(`${page}/alignment.pdf`);
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect((await pdf.text()).slice(0, 5)).toBe("%PDF-");
  });

  test("is written as people type it; other printers and fields stay", async () => {
    const other = { offset_x_mm: 1 };
    writeFileSync(at("printers.json"), JSON.stringify({ hall: other, Büro: { device_dpi: 600 } }));
    const typed = { offset_x_mm: "0,4", offset_y_mm: "−0.25", scale_x_percent: "100,3" };
    const sent = await desk.post(page, { do: "save", name: " Büro ", ...typed, turn_degrees: "" });
    expect(sent.headers.get("location")).toBe(`${page}?saved`);
    expect(printers()).toEqual({
      hall: other,
      Büro: {
        device_dpi: 600,
        offset_x_mm: 0.4,
        offset_y_mm: -0.25,
        scale_x_percent: 100.3,
        scale_y_percent: 100,
        turn_degrees: 0,
      },
    });
    expect(await loadCalibration("Büro", folder)).toMatchObject({ offsetXMm: 0.4, scaleX: 1.003 });
    const manifest = readFileSync(at("tables.yaml"), "utf8");
    expect(manifest).toContain("# for the boss");
    expect(manifest).toMatch(/printer: Büro/u);
    const german = await (await desk.get(`${page}?saved`, "de")).text();
    expect(german).toContain("gleicht den Drucker Büro aus");
    expect(readForm(german)).toMatchObject({ name: "Büro", offset_x_mm: "0,4" });
    expect(german).toContain(`${page}?name=hall`);
  });

  test("takes over what a scan has measured, on top of what is known", async () => {
    const asked = `${page}?offset_x_mm=0.1&turn_degrees=-0.5`;
    expect(readForm(await (await desk.get(asked)).text())).toMatchObject({
      name: "Büro",
      offset_x_mm: "0.1",
      offset_y_mm: "-0.25",
      turn_degrees: "-0.5",
    });
  });

  test("is refused in words where no printer is so far off, and nothing is written", async () => {
    const before = [readFileSync(at("printers.json")), readFileSync(at("tables.yaml"))];
    const typed = { offset_x_mm: "12", offset_y_mm: "a lot", scale_x_percent: "0,997" };
    const sent = await desk.post(page, { do: "save", name: "", ...typed });
    expect(sent.status).toBe(400);
    const said = await sent.text();
    expect(said).toContain("The printer must have a name, got none.");
    expect(said).toContain("must be a number from -10 to 10, got 12.");
    expect(said).toContain("must be a number from -10 to 10, got a lot.");
    expect(said).toContain("must be a number from 97 to 103, got 0,997.");
    expect(readForm(said)).toMatchObject(typed);
    expect([readFileSync(at("printers.json")), readFileSync(at("tables.yaml"))]).toEqual(before);
  });

  test("is left out again; what was measured stays", async () => {
    const before = printers();
    expect((await desk.post(page, { do: "off" })).status).toBe(303);
    expect(readFileSync(at("tables.yaml"), "utf8")).toBe(MANIFEST);
    expect(await (await desk.get(`${page}?off`)).text()).toContain("corrects no printer. Run it");
    expect(printers()).toEqual(before);
  });

  test("is not for jobs without sheets, and its file doesn't lead out of the folder", async () => {
    const none = await (await desk.get("/job/scans.yaml/printer")).text();
    expect(none).toContain("This job prints no sheets of labels.");
    expect((await desk.get("/job/scans.yaml/printer/alignment.pdf")).status).toBe(404);
    writeFileSync(at("printers.json"), "{");
    expect(await (await desk.get(page, "de")).text()).toContain("printers.json muss JSON sein");
    const outside = mkdtempSync(path.join(tmpdir(), "desk-printer-"));
    const kept = path.join(outside, "printers.json");
    writeFileSync(kept, "{}");
    rmSync(at("printers.json"));
    symlinkSync(kept, at("printers.json"));
    const sent = await desk.post(page, { do: "save", name: "office" });
    expect(await sent.text()).toContain("must lie in the desk");
    expect(readFileSync(kept, "utf8")).toBe("{}");
    rmSync(outside, { recursive: true });
  });
});
