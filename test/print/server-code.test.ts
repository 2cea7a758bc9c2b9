/** Drawings of servers, read for the press: one by one, and no more of each than a code has. */
import { describe, expect, it } from "vitest";

import { Drawings } from "../../src/print/art/drawings.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { makeSheetJob, type SheetRecord } from "../../src/print/sheet-job.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { renderSvg } from "../../src/qr/draw/svg.ts";

const PAYLOAD = "https://codes.example/a";
const LONG = `https://codes.example/${"a".repeat(1500)}`;

const draw = (text: string): string => renderSvg(text, resolveDesign({ sizePx: 300 }));

/** Light, and so below everything that can be seen. */
const hide = (svg: string, path: string): string =>
  svg.replace(/<svg[^>]*>/u, (head) => `${head}<path fill="#fff" d="${path}"/>`);

async function makeDrawings(): Promise<Drawings> {
  const job = makeSheetJob({
    sheet: await loadSheet("a4-24up-63.5x33.9"),
    title: "drawings",
    createdAt: "2026-01-01T00:00:00.000Z",
    slug: { job: "drawings", input: "rows.csv", inputHash: "0", rehearsal: false },
    marks: [],
    artwork: "server",
  });
  return new Drawings(job);
}

const repeat = (records: readonly SheetRecord[]) =>
  records.map((record, row) => ({ record, row, copy: 0 }));

const record = (key: string, svg: string, payload = PAYLOAD): SheetRecord => ({
  key,
  payload,
  level: "M",
  caption: [],
  svg,
});

describe("drawings of servers", () => {
  it("are asked for one by one", async () => {
    const asked: string[] = [];
    const records = ["a", "b"].map((key) => ({
      ...record(key, ""),
      get svg() {
        asked.push(key);
        return draw(PAYLOAD);
      },
    }));
    const codes = await (await makeDrawings()).readAll(repeat(records), undefined);
    expect([...codes.keys()]).toEqual(["a", "b"]);
    expect(asked).toEqual(["a", "b"]);
  });

  it("can be stopped between two of them", async () => {
    const stop = new AbortController();
    const asked: string[] = [];
    const records = ["a", "b", "c"].map((key) => ({
      ...record(key, ""),
      get svg() {
        asked.push(key);
        stop.abort(new Error("enough"));
        return "<html/>";
      },
    }));
    const reading = (await makeDrawings()).readAll(repeat(records), stop.signal);
    await expect(reading).rejects.toThrow("enough");
    expect(asked).toEqual(["a"]);
  });

  it.each([
    [
      "with far more shapes than its code is drawn from its text",
      draw(PAYLOAD).replace("</svg>", `<path d="M5 4.2${"h0".repeat(90_000)}v.5h.5"/></svg>`),
      PAYLOAD,
      "has far more shapes than its code",
    ],
    [
      "that takes too much looking at is drawn from its text",
      hide(draw(LONG), `M0 0V200H1${"h0".repeat(320_000)}`),
      LONG,
      "has more edges than a code has",
    ],
  ])("one %s", async (_, svg, payload, says) => {
    const drawings = await makeDrawings();
    const codes = await drawings.readAll(repeat([record("a", svg, payload)]), undefined);
    expect([...codes.keys()]).toEqual([]);
    expect(drawings.warnings().join()).toContain(says);
  });
});
