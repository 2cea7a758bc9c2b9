/** Symbols beside codes: printed, proven, and faults reported. */
import { readFile } from "node:fs/promises";

import { beforeAll, describe, expect, it } from "vitest";

import { type SymbolItem, type SymbolName, symbolNames } from "../../src/base/shapes/label-art.ts";
import {
  openTextCheck,
  planSheets,
  type SheetOptions,
  type SheetRecord,
  writeSheets,
} from "../../src/print/sheets.ts";
import { defaultUse } from "../../src/symbol/sizes.ts";
import { symbolKinds } from "../../src/symbol/symbols.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { box, makeArt, makeCode, makeText, WHITE, ownSheet } from "../print/make-art.ts";
import { makePressJob, save, spoilContent } from "./press.ts";

const sheet = ownSheet({ label: [95, 70], gutter: [0, 0] });

function makeSymbol(symbol: SymbolName, changes: Partial<SymbolItem> = {}): SymbolItem {
  return {
    kind: "symbol",
    symbol,
    at: box(33, 3, 59, 45),
    text: 0,
    xMm: null,
    heightMm: null,
    hri: symbolKinds[symbol].hri,
    sizePt: 8,
    use: defaultUse(symbol),
    bearer: "bars",
    columns: null,
    panel: null,
    ...changes,
  };
}

const labelOf = (...items: readonly SymbolItem[]) => makeArt(makeCode(box(3, 3, 28, 28)), ...items);

async function makeJob(
  texts: string | readonly string[],
  items: readonly SymbolItem[],
  changes: Partial<SheetOptions> = {},
) {
  const label = labelOf(...items);
  const job = await makePressJob({ marks: [] }, 1);
  const options: SheetOptions = { ...job.options, sheet, label, safeMm: 2, ...changes };
  const record: SheetRecord = {
    key: "1",
    payload: "https://qr.example/1",
    level: "Q",
    caption: [texts].flat(),
  };
  const file = `${job.folder}/symbols.pdf`;
  const written = await writeSheets(options, [record], file);
  return { ...job, options, written, record };
}

/** What each symbol is tried with. */
const samples: Readonly<Record<SymbolName, string>> = {
  "ean-13": "4006381333931",
  "ean-8": "96385074",
  "upc-a": "036000291452",
  "upc-e": "04252614",
  "itf-14": "15400141288763",
  "code-128": "Box 17/b",
  "gs1-128": "(01)09506000134352(10)L1",
  "code-39": "AB-12",
  datamatrix: "Grüße, 日本",
  "gs1-datamatrix": "(01)09506000134352(10)LOT1(17)270101",
  "gs1-qr": "(01)09506000134352(10)LOT1",
  "databar-omni": "09506000134352",
  "databar-truncated": "09506000134352",
  "databar-stacked": "09506000134352",
  "databar-stacked-omni": "09506000134352",
  "databar-limited": "09506000134352",
  "databar-expanded": "(01)09506000134352",
  "databar-expanded-stacked": "(01)09506000134352(10)LOT1",
  aztec: "Grüße, 日本",
  pdf417: "Grüße, 日本",
};

/** Cartons want more room than this label has. */
const small = (name: SymbolName): Partial<SymbolItem> => ({
  use: defaultUse(name) === "distribution" ? "none" : defaultUse(name),
});

describe("every symbol", () => {
  it.each(symbolNames)("%s is printed beside the code and read back", async (name) => {
    const { options, written, record } = await makeJob(samples[name], [
      makeSymbol(name, small(name)),
    ]);
    expect(planSheets(options, { count: 1, maxVersion: 3 }).problems).toEqual([]);
    const check = await openTextCheck(options);
    expect(check({ texts: record.caption, payload: record.payload })).toEqual([]);
    const proof = await verifySheets({ options, ...written });
    expect(proof.findings).toEqual([]);
    expect([proof.codes, proof.decoded, proof.symbols]).toEqual([2, 2, 1]);
    expect(written.cells.map(({ symbol, item }) => [symbol, item])).toEqual([
      [undefined, undefined],
      [name, 2],
    ]);
  });

  it.each(["ean-13", "gs1-128", "gs1-datamatrix", "databar-stacked", "pdf417"] as const)(
    "%s is proven with narrower bars, too",
    async (name) => {
      const { options, written } = await makeJob(samples[name], [makeSymbol(name, small(name))], {
        barWidthReduction: 2,
      });
      const proof = await verifySheets({ options, ...written });
      expect(proof.findings).toEqual([]);
    },
  );

  it.each(["frame", "none"] as const)("ITF-14 is proven with %s as bearer bars", async (bearer) => {
    const item = makeSymbol("itf-14", { use: "none", bearer });
    const { options, written } = await makeJob(samples["itf-14"], [item]);
    expect((await verifySheets({ options, ...written })).findings).toEqual([]);
  });

  it.each(["above", "none"] as const)("EAN-13 is proven with its digits %s", async (hri) => {
    const { options, written } = await makeJob(samples["ean-13"], [makeSymbol("ean-13", { hri })]);
    expect((await verifySheets({ options, ...written })).findings).toEqual([]);
  });

  it("is drawn off the default grid when it would get too small on it", async () => {
    const item = makeSymbol("ean-13", { at: box(33, 3, 30.6, 30) });
    const { options, written } = await makeJob(samples["ean-13"], [item], { isDefaultDpi: true });
    expect(written.cells[1]?.xMm).toBeCloseTo(0.27, 2);
    expect((await verifySheets({ options, ...written })).findings).toEqual([]);
  });

  it("GS1-128 in a wide room is as wide as GS1 allows, and no wider", async () => {
    const wide = ownSheet({ label: [194, 60], gutter: [0, 0] });
    const label = makeArt(makeSymbol("gs1-128", { at: box(3, 3, 188, 50), use: "distribution" }));
    const { options, written, record } = await makeJob("(00)395060001000000013", [], {
      sheet: wide,
      label,
    });
    const check = await openTextCheck(options);
    expect(check({ texts: record.caption, payload: record.payload })).toEqual([]);
    // 156 modules and two quiet zones of 10 within 165.1 mm.
    expect(written.cells[0]?.xMm).toBeLessThanOrEqual(165.1 / 176);
    expect(written.cells[0]?.xMm).toBeGreaterThan(0.89);
    expect((await verifySheets({ options, ...written })).findings).toEqual([]);
  });

  it.each([
    ["its last letter would be its check character", "ZZ"],
    ["it would be a Code 32 of Italian pharmacies", "BTGKBB"],
  ])("Code 39 is read as any other where %s", async (_why, text) => {
    const { options, written } = await makeJob(text, [makeSymbol("code-39")]);
    expect((await verifySheets({ options, ...written })).findings).toEqual([]);
  });

  it("AIs that want each other may stand in two symbols, as on logistic labels", async () => {
    const contents = makeSymbol("gs1-datamatrix", { at: box(33, 3, 59, 26) });
    const unit = makeSymbol("gs1-128", { at: box(2, 32, 91, 35), text: 1 });
    const texts = ["(02)09506000134352(15)270131(37)5", "(00)340123450000000000"];
    const job = await makeJob(texts, [contents, unit]);
    const proof = await verifySheets({ ...job.written, options: job.options });
    expect(proof.findings).toEqual([]);
  });

  it("low bars are measured by the X that is printed", async () => {
    const item = makeSymbol("ean-13", { at: box(33, 3, 42, 20), xMm: 0.33 });
    const { options } = await makeJob(samples["ean-13"], [item], { deviceDpi: 300 });
    expect(planSheets(options, { count: 1, maxVersion: 3 }).warnings.join()).toContain(
      "asks for 23.5 mm at X 0.339 mm",
    );
  });

  it("a GS1-128 over the width that scanners take names that width, not its box", async () => {
    const item = makeSymbol("gs1-128", { at: box(2, 32, 186, 60), xMm: 0.6 });
    const wide = ownSheet({ label: [190, 95], gutter: [0, 0] });
    const { options } = await makeJob("(01)09506000134352", [item], { sheet: wide });
    const check = await openTextCheck(options, []);
    const text = `(01)09506000134352(10)${"L".repeat(20)}`;
    const [problem] = check({ texts: [text], payload: undefined });
    expect(problem?.message).toMatch(
      /must be at most 165\.1 mm wide with its quiet zones \(GS1 General Specifications 5\.4\), got \d/u,
    );
    expect(problem?.hint).toContain("make two symbols of it");
    expect(problem?.hint).not.toContain("larger");
  });

  it("low bars of DataBar for tills are reported", async () => {
    const item = makeSymbol("databar-omni", { at: box(33, 3, 40, 16), hri: "none" });
    const { options } = await makeJob(samples["databar-omni"], [item]);
    expect(planSheets(options, { count: 1, maxVersion: 3 }).warnings.join()).toMatch(
      /has bars of about 16\.0 mm; makeready asks for 17\.5 mm at X 0\.381 mm in retail/u,
    );
  });

  it("stands on a panel, black, and on a label without a code", async () => {
    const item = makeSymbol("ean-13", { panel: WHITE });
    const label = makeArt(item, makeText(0, box(3, 50, 60, 8)));
    const { options, written } = await makeJob(samples["ean-13"], [], { label });
    const plan = planSheets(options, { count: 1, maxVersion: 3 });
    expect(plan.problems).toEqual([]);
    expect(plan.warnings.join()).toContain("label has symbols and no code");
    const proof = await verifySheets({ options, ...written });
    expect(proof.findings).toEqual([]);
    expect([proof.codes, proof.decoded]).toEqual([1, 1]);
  });
});

describe("wherever a symbol falls between pixels", () => {
  it.each([
    // Blocks of the first reading cut its border.
    [makeSymbol("datamatrix", { at: box(28, 8, 18, 18) }), "P00026;Schraube M26 Ø8 µm", 600],
    // 3.4 pixels a bar at 300 dpi.
    [makeSymbol("code-39", { at: box(2, 3, 56, 20), xMm: 0.288 }), "3$0NQT0Q17F", null],
  ] as const)("$symbol is read back", async (item, text, deviceDpi) => {
    const own = ownSheet({ label: [60, 30], gutter: [3, 3] });
    const job = await makePressJob({ marks: ["crop"] }, 24);
    const options: SheetOptions = {
      ...job.options,
      sheet: own,
      label: makeArt(item),
      safeMm: 1,
      deviceDpi: deviceDpi ?? undefined,
    };
    const records = job.records.map((record) => ({ ...record, caption: [text] }));
    const written = await writeSheets(options, records, `${job.folder}/phases.pdf`);
    const proof = await verifySheets({ options, ...written });
    expect(proof.findings).toEqual([]);
    expect([proof.codes, proof.decoded]).toEqual([24, 24]);
  });
});

/** Bars of the EAN-13: its path is the last with a space of its own. */
const inBars = (content: string, change: (bars: string[]) => string[]): string => {
  const paths = [
    ...content.matchAll(/q [\d.]+ 0 0 [\d.]+ [\d. ]+ cm\n((?:[\d. -]+ re\n)+)f\nQ\n/gu),
  ];
  const bars = paths.at(-1)?.[1] ?? "";
  const lines = change(bars.trimEnd().split("\n"));
  return content.replace(bars, `${lines.join("\n")}\n`);
};

const turnBars = (content: string): string => inBars(content, (bars) => bars.toReversed());

/** Two digits change their places. */
function swapDigits(content: string): string {
  const shown = [...content.matchAll(/Tm (<[0-9A-F]+> Tj)/gu)].map(([, text]) => text ?? "");
  const [first = "", second = ""] = [...new Set(shown)];
  return content.replaceAll(first, "@").replaceAll(second, first).replaceAll("@", second);
}

describe("faults that verify reports", () => {
  let job: Awaited<ReturnType<typeof makeJob>>;

  beforeAll(async () => {
    job = await makeJob(samples["ean-13"], [makeSymbol("ean-13", { xMm: 0.33 })]);
  });

  const faults: readonly (readonly [string, (content: string) => string, RegExp])[] = [
    [
      "a bar that is gone",
      (content) => inBars(content, (bars) => bars.filter((_, i) => i !== 8)),
      /EAN-13 must have the 30 bars of its text, got 29/u,
    ],
    [
      "a bar that moved",
      (content) =>
        inBars(content, (bars) =>
          bars.map((bar, i) =>
            i === 8 ? bar.replace(/^\d+/u, (x) => String(Number(x) + 1)) : bar,
          ),
        ),
      /EAN-13 must have the bars of its text, got one at/u,
    ],
    [
      "a bar that is wider",
      (content) =>
        inBars(content, (bars) =>
          bars.map((bar, i) => (i === 8 ? bar.replace(/ (\d+) (\d+ re)$/u, " 9$1 $2") : bar)),
        ),
      /EAN-13/u,
    ],
    [
      "a symbol that is gone",
      (content) => inBars(content, () => ["0 0 0 0 re"]),
      /no EAN-13 can be read in the label/u,
    ],
  ];

  it.each(faults)("%s", async (_, spoil, says) => {
    const file = await save(job, await spoilContent(await readWritten(), spoil));
    const proof = await verifySheets({ ...job.written, options: job.options, volumes: [{ file }] });
    const told = proof.findings.map(({ message }) => message).join("\n");
    expect(told).toMatch(says);
  });

  it("nothing where bars are drawn in another order: the picture is the same", async () => {
    const file = await save(job, await spoilContent(await readWritten(), turnBars));
    const proof = await verifySheets({ ...job.written, options: job.options, volumes: [{ file }] });
    expect(proof.findings).toEqual([]);
  });

  it("a wrong digit under the bars", async () => {
    const file = await save(job, await spoilContent(await readWritten(), swapDigits));
    const proof = await verifySheets({ ...job.written, options: job.options, volumes: [{ file }] });
    expect(proof.findings.map(({ message }) => message).join()).toContain("text of EAN-13 must be");
  });

  it("another row's symbol", async () => {
    const cells = job.written.cells.map((cell) =>
      cell.symbol === undefined
        ? cell
        : { ...cell, text: "4006381333948", payloadHash: "0".repeat(64) },
    );
    const proof = await verifySheets({ ...job.written, options: job.options, cells });
    const told = proof.findings.map(({ rule, message }) => `${rule}: ${message}`).join("\n");
    expect(told).toMatch(/symbols: EAN-13 must have the bars of its text/u);
    expect(told).toMatch(/symbols: text of EAN-13 must be "4006381333948", got "4006381333931"/u);
    expect(told).toMatch(/decoded: EAN-13 must hold its row's text, got "4006381333931"/u);
  });

  async function readWritten(): Promise<Uint8Array> {
    return readFile(job.written.volumes[0]?.file ?? "");
  }
});
