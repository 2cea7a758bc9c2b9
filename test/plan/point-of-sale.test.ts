import { describe, expect, test } from "vitest";

import { BLACK_INK } from "../../src/base/shapes/label-art.ts";
import type { Ink } from "../../src/base/shapes/label-art.ts";
import type { JobSheets } from "../../src/job/job.ts";
import { checkTillSheets, toTillReason } from "../../src/pipeline/checks/point-of-sale.ts";
import { checkColors } from "../../src/plan/contrast.ts";
import { findTillFaults } from "../../src/plan/point-of-sale.ts";
import type { Wanted } from "../../src/state/row.ts";

const GOOD = "https://id.example.com/01/09506000134352/10/ABC?17=261231";

const tills = (more: Partial<JobSheets> = {}): JobSheets =>
  ({
    application: "gs1-pos",
    artwork: "redraw",
    artworkInks: {},
    codeStyle: null,
    ...more,
  }) as JobSheets;

const row = (more: Partial<Wanted>): Wanted =>
  ({
    type: "Link",
    dynamic: false,
    qrData: GOOD,
    vcard: null,
    gs1Product: null,
    design: {},
    ...more,
  }) as Wanted;

const faultsOf = (wanted: Wanted, sheets = tills()): string[] =>
  findTillFaults(wanted, sheets, checkColors(wanted.design)).map(({ message }) => message);

const productOf = (type: string, value: string): Partial<Wanted> => ({
  type: "GS1",
  qrData: null,
  product: {
    identifier_type: type,
    identifier_value: value,
    batch_lot: null,
    serial_number: null,
    expiry_date: null,
    links: [],
    hasCode: true,
  },
});

describe("a code for tills", () => {
  test("passes with a Digital Link and a GTIN, linked or of a product", () => {
    expect(faultsOf(row({}))).toEqual([]);
    expect(faultsOf(row(productOf("01", "09506000134352")))).toEqual([]);
    expect(
      faultsOf(
        row({ type: "GS1", qrData: null, gs1Product: { identifier_value: "9506000134352" } }),
      ),
    ).toEqual([]);
  });

  test.each<[Partial<Wanted>, string]>([
    [{ dynamic: true }, "got a short link, which has no GTIN"],
    [{ type: "Text", qrData: "(01)09506000134352" }, "got a Text code"],
    [{ qrData: "https://example.com/menu" }, "must hold a GS1 key"],
    [{ qrData: "https://id.example.com/01/09506000134353" }, "check digit"],
    [
      { qrData: "https://id.example.com/01/09506000134352?17=261345" },
      "The value of AI 17 is wrong",
    ],
    [
      { qrData: "https://id.example.com/414/9506000134352" },
      "must begin with a GTIN (AI 01), got AI 414",
    ],
    [productOf("414", "9506000134352"), "must begin with a GTIN (AI 01), got AI 414"],
    [{ design: { error_correction: "L" } }, "must be M, Q or H, got L"],
  ])("%j is refused for what is wrong with it", (wanted, reason) => {
    const faults = faultsOf(row(wanted));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(reason);
  });

  test("says all that is wrong with the server's drawing, and nothing of it where codes are redrawn", () => {
    const design = {
      primary_color: "#d20000",
      pattern: "Circles",
      eye_style: "Leaf",
      logo_url: "https://example.com/logo.png",
    };
    expect(faultsOf(row({ design }))).toEqual([]);
    expect(faultsOf(row({ design }), tills({ artwork: "server" }))).toEqual([
      "pattern of a code for tills must be Original, got Circles",
      "eye_style of a code for tills must be Square, got Leaf",
      expect.stringContaining("must have no logo_url"),
      expect.stringContaining("red light at 660 nm"),
    ]);
  });

  test("is judged in jobs for tills only", () => {
    expect(faultsOf(row({ dynamic: true }), tills({ application: "general" }))).toEqual([]);
    expect(findTillFaults(row({ dynamic: true }), null, checkColors({}))).toEqual([]);
  });
});

const ink = (cmyk: Ink["cmyk"], more: Partial<Ink> = {}): Ink => ({
  cmyk,
  spot: null,
  tint: 1,
  ...more,
});
const styled = (main: Ink, more = {}): JobSheets =>
  tills({ codeStyle: { pattern: "Original", eyes: "Square", ink: main, eyeInk: main, ...more } });
const messages = (sheets: JobSheets): string[] =>
  checkTillSheets(sheets).map(({ message }) => message);

describe("sheets for tills", () => {
  test("pass in black, and in one solid ink that is dark in red light", () => {
    expect(messages(tills())).toEqual([]);
    expect(messages(styled(BLACK_INK))).toEqual([]);
    expect(messages(styled(ink([1, 0, 0, 0])))).toEqual([]);
  });

  test("are refused for ink that red light does not see, screens and shapes, each by name", () => {
    expect(messages(styled(ink([0, 1, 1, 0])))).toEqual([
      expect.stringMatching(
        /^codeStyle.ink must have a symbol contrast of at least 40% .* in red light/u,
      ),
    ]);
    expect(messages(styled(ink([0, 0, 0, 0.8])))).toEqual([
      expect.stringMatching(/^codeStyle.ink must be solid/u),
    ]);
    expect(messages(styled(ink([1, 0.5, 0, 0], { spot: "Blue", tint: 0.9 })))[0]).toContain(
      "must be solid",
    );
    expect(messages(styled(BLACK_INK, { pattern: "Circles", eyes: "Drop" }))).toEqual([
      "codeStyle.pattern must be Original with application: gs1-pos, got Circles",
      "codeStyle.eyes must be Square with application: gs1-pos, got Drop",
    ]);
    expect(messages({ ...styled(ink([0, 1, 1, 0])), application: "general" })).toEqual([]);
  });

  test("a code that is too small gets no advice to become a short link", () => {
    const where = { field: "sheets" };
    const problem = {
      message: "module (X) must be larger",
      where,
      hint: "a dynamic code is short",
    };
    expect(toTillReason(tills(), problem).hint).not.toContain("dynamic");
    expect(toTillReason(tills({ application: "general" }), problem)).toBe(problem);
    const other = { ...problem, where: { field: "start" } };
    expect(toTillReason(tills(), other)).toEqual(other);
    expect(toTillReason(tills(), undefined)).toBeUndefined();
  });
});
