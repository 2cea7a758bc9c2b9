/** A run that ends while it writes sheets leaves nothing that a later run takes for finished. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, vi } from "vitest";

import { LabelPlaces } from "../../src/state/label-places.ts";
import { State } from "../../src/state/state.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows } from "./job-folder.ts";

it("the places of labels are known again once the old caption is back", async () => {
  const files = makeJobFolder(makeRows(4));
  const manifest = readFileSync(files.manifest, "utf8");
  await runInProcess(["run", files.manifest]);
  const map = () => readFileSync(path.join(files.out, "sheet-map.json"), "utf8");
  const before = map();
  writeFileSync(files.manifest, manifest.replace("}} - {{", "}}, {{"));
  const clear: unknown = Reflect.get(LabelPlaces.prototype, "clear");
  const spy = vi.spyOn(LabelPlaces.prototype, "clear").mockImplementationOnce(function crash(
    this: LabelPlaces,
    group,
  ) {
    Reflect.apply(clear as () => void, this, [group]);
    throw new Error("crashed");
  });
  const crashed = await runInProcess(["run", files.manifest]);
  spy.mockRestore();
  expect(crashed.err).toContain("crashed");
  writeFileSync(files.manifest, manifest);
  const { code, out, err } = await runInProcess(["run", files.manifest]);
  expect(code, out + err).toBe(3);
  expect(map()).toBe(before);
});

it("verify says once which PDFs a run left that ended while it drew them", async () => {
  const files = makeJobFolder(makeRows(4));
  const manifest = readFileSync(files.manifest, "utf8");
  await runInProcess(["run", files.manifest]);
  writeFileSync(files.manifest, manifest.replace("}} - {{", "}}, {{"));
  const spy = vi.spyOn(LabelPlaces.prototype, "add").mockImplementationOnce(() => {
    throw new Error("crashed");
  });
  const crashed = await runInProcess(["run", files.manifest]);
  spy.mockRestore();
  expect(crashed.err).toContain("crashed");
  const { code, out } = await runInProcess(["verify", files.manifest]);
  expect(code).toBe(3);
  expect(out).toContain("the last run was cut while it drew sheets: ");
  expect(out).toMatch(/\S+\.pdf is drawn anew and not proven; \S+\.pdf .*still of the run before/u);
  expect(out.match(/finish it with: makeready run/gu)).toHaveLength(1);
  expect(out).not.toMatch(/\brule\b/u);
});

it("verify names PDFs that are gone or changed, though the last run did not come to them", async () => {
  const files = makeJobFolder(makeRows(4));
  const manifest = readFileSync(files.manifest, "utf8");
  await runInProcess(["run", files.manifest]);
  writeFileSync(files.manifest, manifest.replace("}} - {{", "}}, {{"));
  const spy = vi.spyOn(State.prototype, "setPackaged").mockImplementationOnce(() => {
    throw new Error("crashed");
  });
  const crashed = await runInProcess(["run", files.manifest]);
  spy.mockRestore();
  expect(crashed.err).toContain("crashed");
  const [north, south] = ["north", "south"].map((name) =>
    path.join(files.out, `tables-${name}.pdf`),
  );
  appendFileSync(north ?? "", "x");
  const damaged = await runInProcess(["verify", files.manifest]);
  expect(damaged.out).toMatch(/tables-north\.pdf: file was changed after it was written/u);
  expect(damaged.out).toContain("did not end: tables-south.pdf is still of the run before. Print");
  expect(damaged.out).not.toContain("drawn anew");
  rmSync(south ?? "");
  const { code, out } = await runInProcess(["verify", files.manifest]);
  expect(code).toBe(3);
  expect(out).toMatch(/tables-north\.pdf: file was changed after it was written/u);
  expect(out).toMatch(/tables-south\.pdf: file must be there, got none/u);
  expect(out).toContain("the last run did not end: files may be missing or unproven");
});

it("verify asks for no PDF that today's rows need no more, after a run that ended while it took it away", async () => {
  const files = makeJobFolder(makeRows(4));
  const manifest = readFileSync(files.manifest, "utf8").replace(
    'sheet: a4-24up-63.5x33.9, per: region, name: "tables-{{ region | slug }}.pdf"',
    "sheet: { page: A5, label: [130, 90], margin: 5 }, volume_codes: 2",
  );
  writeFileSync(files.manifest, manifest);
  await runInProcess(["run", files.manifest]);
  writeFileSync(files.csv, makeRows(2));
  const set: unknown = Reflect.get(State.prototype, "setPackaged");
  const crash = vi.spyOn(State.prototype, "setPackaged").mockImplementation(function end(
    this: State,
    name,
    print,
    kept,
  ) {
    if (name.startsWith("sheets ") && print !== "") throw new Error("crashed");
    Reflect.apply(set as () => void, this, [name, print, kept]);
  });
  const crashed = await runInProcess(["run", files.manifest]);
  crash.mockRestore();
  expect(crashed.err).toContain("crashed");
  const { out } = await runInProcess(["verify", files.manifest]);
  expect(out).toContain("the last run was cut while it drew sheets: ");
  expect(out).not.toContain("file must be there");
});
