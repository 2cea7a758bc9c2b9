import { beforeAll, describe, expect, it } from "vitest";

import { encodeQr, isDark } from "../../src/qr/encode/encode.ts";
import { qrLevels } from "../../src/qr/encode/tables.ts";
import { compareModules } from "../../src/verify/pixels/compare-modules.ts";
import { encodeByOther } from "../../src/verify/pixels/other-matrix.ts";
import { proveSheets, type SheetProof } from "../../src/verify/proof/prove-sheets.ts";
import { DECODED_OF, sampleClaims } from "../../src/verify/rules/sample-claims.ts";
import { payloadSource, seededRandom } from "../qr/payloads.ts";
import { makePressJob, type PressJob, save, spoilContent } from "./press.ts";

const PAGES = 5;
let job: PressJob;
beforeAll(async () => {
  job = await makePressJob({}, 24 * PAGES);
});

const textsOf = ({ records }: PressJob): Map<string, string> =>
  new Map(records.map(({ key, payload }) => [key, payload]));

/** Only what pixels show: the rules of objects have their own tests. */
async function prove(bytes: Uint8Array, isSampled = true): Promise<SheetProof> {
  const { options, written } = job;
  const volumes = [{ file: await save(job, bytes) }];
  const texts = isSampled ? textsOf(job) : undefined;
  const proof = await proveSheets({ options, volumes, cells: written.cells, texts, workers: 1 });
  return { ...proof, findings: proof.findings.filter(({ rule }) => rule === "decoded") };
}

/** Where codes of the first page are drawn, in points. Neither the first nor the last, nor one of a hundred. */
const [FIFTH, SIXTH] = ["254.4 679.8", "441.48 679.8"];
const KEY = "north/6";

function changeCode(place: string, change: (drawn: string) => string) {
  return (content: string): string => {
    const from = content.indexOf(` ${place} cm\n`);
    expect(from).toBeGreaterThan(0);
    const drawn = content.slice(content.lastIndexOf("q ", from), content.indexOf("f\n", from));
    return content.replace(drawn, change(drawn));
  };
}

const spoil = (change: (drawn: string) => string): Promise<Uint8Array> =>
  spoilContent(job.bytes, changeCode(SIXTH, change));

describe("a sampled proof", () => {
  it("compares every code, decodes one of a hundred and the ends of each page, and is never ready for press", async () => {
    const decoded = 2 * PAGES + 1;
    expect(await prove(job.bytes)).toMatchObject({
      findings: [],
      codes: 24 * PAGES,
      decoded,
      compared: 24 * PAGES - decoded,
      readyForPress: false,
    });
    expect(await prove(job.bytes, false)).toMatchObject({ compared: 0, readyForPress: true });
  });

  it("finds a module that was flipped where nothing is decoded, which error correction hides", async () => {
    const bytes = await spoil((drawn) => `${drawn}14 12 1 4 re\n`);
    expect((await prove(bytes, false)).findings).toEqual([]);
    const { findings, decoded, compared } = await prove(bytes);
    expect(findings).toMatchObject([{ severity: "error", rule: "decoded", page: 1, key: KEY }]);
    expect(findings[0]?.message).toMatch(
      /^code must have the modules that its row's payload makes, got (another one|[2-4] others, the first) at row \d+, column 15 of its modules$/u,
    );
    expect(decoded + compared).toBe(24 * PAGES - 1);
  });

  it("finds a light module where a dark one must be, in data and in what the code says of itself", async () => {
    for (const lost of [/^14 \d+ 1 1 re\n/mu, /^8 \d+ 1 1 re\n/mu]) {
      const { findings } = await prove(await spoil((drawn) => drawn.replace(lost, "")));
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ key: KEY });
    }
  });

  it("finds two codes that changed places", async () => {
    let [one, other] = ["", ""];
    const place = /^q .*\n/u;
    const bytes = await spoilContent(job.bytes, (content) => {
      changeCode(FIFTH, (drawn) => (one = drawn))(content);
      changeCode(SIXTH, (drawn) => (other = drawn))(content);
      const at = (drawn: string): string => place.exec(drawn)?.[0] ?? "";
      return content
        .replace(one, "ONE")
        .replace(other, at(other) + one.replace(place, ""))
        .replace("ONE", at(one) + other.replace(place, ""));
    });
    const { findings } = await prove(bytes);
    expect(findings.map(({ key }) => key)).toEqual(["north/5", KEY]);
    expect(findings[0]?.message).toContain("code must hold its row's payload");
  });

  it("finds white on white, a code moved by half a module, a larger one, one that is not there", async () => {
    const head = /^q ([\d.]+) 0 0 [\d.]+ ([\d.]+) ([\d.]+) cm/u;
    const moved = (by: number, scale: number) => (drawn: string) =>
      drawn.replace(head, (_, size: string, x: string, y: string) => {
        const side = Number(size) * scale;
        return `q ${side} 0 0 ${side} ${Number(x) + by * side} ${Number(y)} cm`;
      });
    const cases: ((drawn: string) => string)[] = [
      (drawn) => `0 0 0 0 k\n${drawn}`,
      moved(0.5, 1),
      moved(1, 1),
      moved(0, 1.05),
      moved(0, 0.95),
      () => "q\n",
    ];
    for (const change of cases) {
      const { findings } = await prove(await spoil(change));
      expect(findings.map(({ key }) => key)).toContain(KEY);
    }
  });

  it("decodes what it can't compare: symbols, codes in designs and on pages of others", () => {
    const [cell] = job.written.cells;
    if (cell === undefined) throw new Error("no cell");
    const claims = Array.from({ length: 250 }, (_, i) => ({
      ...cell,
      page: 1,
      row: Math.floor(i / 10),
      column: 9 - (i % 10),
      moduleMm: 0.5,
    }));
    const texts = new Map([[cell.key, "x"]]);
    const sampled = sampleClaims(claims, texts);
    const decoded = sampled.flatMap((claim, i) => (claim.sampled?.isDecoded ? [i] : []));
    expect(decoded).toEqual([0, 9, DECODED_OF, 2 * DECODED_OF, 240]);
    for (const other of [{ symbol: "ean-13" }, { quietMm: 2 }, { moduleMm: undefined }] as const) {
      const [claim] = sampleClaims([{ ...claims[0]!, ...other }], texts);
      expect(claim).not.toHaveProperty("sampled");
    }
  });
});

describe("the other encoder", () => {
  it("makes the modules that ours makes, of every text and level", () => {
    const source = payloadSource(seededRandom(20));
    for (let i = 0; i < 400; i += 1) {
      const text = i % 8 === 7 ? `Zürich ${i} 東京 ${i}` : source.pick();
      const level = qrLevels[i % 4] ?? "Q";
      let ours;
      try {
        ours = encodeQr(text, { level });
      } catch {
        continue;
      }
      const other = encodeByOther(text, ours);
      const { size } = ours;
      let differing = 0;
      for (let y = 0; y < size; y += 1)
        for (let x = 0; x < size; x += 1)
          if (other?.get(x, y) !== isDark(ours, x, y)) differing += 1;
      expect([text, other?.size, differing]).toEqual([text, size, 0]);
    }
  });

  it("has no code for a text that its size does not hold", () => {
    expect(encodeByOther("x".repeat(100), { version: 1, level: "Q", mask: 0 })).toBeUndefined();
  });
});

/** A picture of a code, so many pixels a module, each module as `grey` says. */
function paint(text: string, px: number, grey = (isInk: boolean): number => (isInk ? 0 : 255)) {
  const code = encodeQr(text);
  const side = (code.size + 8) * px;
  const data = new Uint8Array(side * side);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const [column, row] = [Math.floor(x / px) - 4, Math.floor(y / px) - 4];
      data[y * side + x] = grey(isDark(code, column, row));
    }
  const place = {
    left: 4 * px,
    top: 4 * px,
    width: code.size * px,
    height: code.size * px,
    size: code.size,
  };
  return { image: { data, width: side, height: side }, place };
}

describe("comparing modules", () => {
  const text = "https://qr.example/A1";

  it("says same, or which module is another one", () => {
    const { image, place } = paint(text, 3);
    expect(compareModules(image, place, text)).toEqual({ kind: "same" });
    expect(compareModules(image, place, "https://qr.example/A2").kind).toBe("differs");
    expect(compareModules(image, { ...place, left: place.left + 1.5 }, text).kind).toBe("differs");
    expect(compareModules(image, place, "x".repeat(300))).toMatchObject({
      message: "code must have room for its row's payload, got too few modules",
    });
  });

  it("leaves to a decoder what is too faint, or a module that is neither dark nor light", () => {
    const faint = paint(text, 4, (isInk) => (isInk ? 200 : 255));
    expect(compareModules(faint.image, faint.place, text)).toEqual({ kind: "unclear" });
    const { image, place } = paint(text, 4);
    for (let y = 0; y < 4; y += 1)
      image.data.fill(128, (60 + y) * image.width + 60, (60 + y) * image.width + 64);
    expect(compareModules(image, place, text)).toEqual({ kind: "unclear" });
  });
});
