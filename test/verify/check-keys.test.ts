import { beforeAll, describe, expect, it } from "vitest";

import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import type { SheetOptions } from "../../src/print/sheets.ts";
import { checkKeys } from "../../src/verify/rules/check-keys.ts";
import type { ExpectedCell } from "../../src/verify/rules/sheet-context.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { makePressJob, type PressJob } from "./press.ts";

const CHANGES: Partial<SheetOptions> = {
  copies: 2,
  copyOrder: "series",
  overs: 0.2,
  spares: 3,
  spareLabels: "repeat",
  order: "columns",
  corner: "bottom-right",
};

let job: PressJob;
let volumes: { file: string }[];
beforeAll(async () => {
  job = await makePressJob(CHANGES);
  volumes = job.written.volumes.map(({ file }) => ({ file }));
});

const messages = (cells: readonly ExpectedCell[], options = job.options): string[] =>
  checkKeys({ options, cells, volumes }).map(({ key = "", message }) => `${key}: ${message}`);

/** The last cells of the column order from the lower right: the upper left. */
const isSpare = ({ row, column }: ExpectedCell): boolean => column === 1 && row <= 3;

describe("rows, copies, overs and spares", () => {
  it("are right as written, and proven", async () => {
    const { options, written } = job;
    expect(written.cells).toHaveLength(5 * 2 + 1 + 3);
    expect(written.cells.filter(isSpare).map(({ key }) => key)).toEqual([
      "north/1",
      "north/2",
      "north/3",
    ]);
    const proof = await verifySheets({ options, volumes, cells: written.cells });
    expect(proof.findings).toEqual([]);
    expect(proof).toMatchObject({ codes: 14, decoded: 14, readyForPress: true });
  });

  it("are missed when a copy is lost, or one is too many", () => {
    const own = job.written.cells.filter((cell) => !isSpare(cell));
    expect(messages(own.slice(1))).toEqual([": overs must be 1 labels, got 0"]);
    const [, second] = own;
    expect(messages(own.filter((cell) => cell !== second))).toEqual([
      "north/2: row must be on 2 labels, got 1",
    ]);
    const twice = own.filter(({ key }) => key === "north/4");
    expect(messages([...own, ...twice])).toEqual(["north/4: row must be on 2 labels, got 4"]);
  });

  it("are held to the copies that each row wants", () => {
    const own = job.written.cells.filter((cell) => !isSpare(cell));
    const told = (copies: ReadonlyMap<string, number>): string[] =>
      checkKeys({ options: job.options, cells: own, volumes, copies }).map(
        ({ key = "", message }) => `${key}: ${message}`,
      );
    const keys = [...new Set(own.map(({ key }) => key))];
    const asWritten = new Map(keys.map((key) => [key, 2]));
    expect(told(asWritten)).toEqual([]);
    expect(told(new Map([...asWritten, ["north/3", 4]]))).toEqual([
      "north/3: row must be on 4 labels, got 2",
    ]);
    expect(told(new Map([...asWritten, ["none", 0]]))).toEqual([]);
    expect(told(new Map([...asWritten, ["lost", 3]]))).toContain(
      "lost: row must be on 3 labels, got 0",
    );
  });

  it("are missed when there are more overs than asked", () => {
    const own = job.written.cells.filter((cell) => !isSpare(cell));
    const more = own.find(({ key }) => key === "north/3");
    expect(messages([...own, ...(more === undefined ? [] : [more])])).toEqual([
      "north/3: row must be on 2 labels, got 3",
    ]);
  });

  it("are wrong in a spare cell that is to be empty, or of another sheet", () => {
    const { cells } = job.written;
    expect(messages(cells, { ...job.options, spareLabels: "empty" })).toEqual(
      ["north/1", "north/2", "north/3"].map(
        (key) => `${key}: spare cell must be empty, got a label`,
      ),
    );
    const moved = cells.map((cell) => (isSpare(cell) ? { ...cell, sheet: 2 } : cell));
    expect(messages(moved)).toHaveLength(3);
    expect(messages(moved)[0]).toMatch(/must repeat a label of its own sheet/u);
  });

  it("leave spare cells of every sheet empty unless asked", async () => {
    const sheet = await loadSheet("a4-24up-63.5x33.9");
    const { written, options } = await makePressJob({ sheet, spares: 20 }, 9);
    expect(written.volumes[0]?.pages).toBe(3);
    expect(written.cells.every(({ row }) => row <= 2)).toBe(true);
    expect(checkKeys({ options, cells: written.cells, volumes: written.volumes })).toEqual([]);
  });
});
