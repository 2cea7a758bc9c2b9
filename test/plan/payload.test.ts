import { describe, expect, it } from "vitest";

import { fitQr } from "../../src/qr/encode/encode.ts";
import { findOverflow, growsForLogo, toLarger, toLargerPath } from "../../src/plan/payload.ts";
import { encodeQr, maxBytes } from "../../src/qr/encode/encode.ts";
import { longestText } from "../../src/pipeline/address/sample-link.ts";
import type { Wanted } from "../../src/state/row.ts";
import { makeWanted } from "../state/planned-row.ts";

const text = (qrData: string, changes: Partial<Wanted> = {}): Wanted =>
  makeWanted({ type: "Text", dynamic: false, qrData, ...changes });

describe("a static code", () => {
  it("holds exactly what the encoder holds, at its level", () => {
    for (const level of ["L", "M", "Q", "H"] as const) {
      const design = { error_correction: level };
      const most = "a".repeat(maxBytes(level));
      expect(findOverflow(text(most, { design }))).toEqual([]);
      expect(() => encodeQr(most, { level })).not.toThrow();
      expect(findOverflow(text(`${most}a`, { design }))).toHaveLength(1);
    }
  });

  it("holds more digits than letters, and fewer letters beyond ASCII", () => {
    expect(findOverflow(text("7".repeat(3_993)))).toEqual([]);
    expect(findOverflow(text("7".repeat(3_994)))).toHaveLength(1);
    expect(findOverflow(text("ż".repeat(831)))).toEqual([]);
    expect(findOverflow(text("ż".repeat(832)))).toHaveLength(1);
  });

  it("that is too long says by how much, and what to do", () => {
    const [problem] = findOverflow(text("a".repeat(2_000)));
    expect(problem?.message).toContain("got 2000 bytes");
    expect(problem?.hint).toContain("lower error_correction to M");
  });

  it("of broken Unicode is a bad row too", () => {
    expect(findOverflow(text("half a \uD83D pair"))[0]?.message).toContain("well-formed");
  });

  it("with a logo has room for less, as a vCard for what its lines take", () => {
    const some = "a".repeat(maxBytes("H") + 1);
    expect(findOverflow(text(some))).toEqual([]);
    expect(
      findOverflow(text(some, { design: { logo_url: "https://a.example/l.png" } })),
    ).toHaveLength(1);
    const vcard = { first_name: "Ann", description: "a".repeat(1_700) };
    expect(findOverflow(text("", { type: "vCard", qrData: null, vcard }))).toHaveLength(1);
  });
});

it("a dynamic code holds its short link, however long its destination is", () => {
  expect(findOverflow(text("a".repeat(9_000), { type: "Link", dynamic: true }))).toEqual([]);
});

describe("a code with a logo", () => {
  const logo = { logo_url: "https://a.example/logo.png" };
  const grows = (length: number, changes: Partial<Wanted> = {}): boolean =>
    growsForLogo(text("x".repeat(length), { design: logo, ...changes }));

  it("is larger than its text needs where an alignment pattern lies in its middle", () => {
    // Level H: version 6 holds 58 bytes, version 13 holds 177.
    expect([1, 58, 59, 177, 178].map((length) => grows(length))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
    expect(grows(59, { design: { ...logo, error_correction: "M" } })).toBe(false);
    expect(grows(59, { design: {} })).toBe(false);
    expect(grows(59, { dynamic: true })).toBe(false);
  });
});

describe("of two texts, the one that needs the larger code", () => {
  it("has letters rather than capitals, and capitals rather than digits; the first of two equals", () => {
    const [letters, capitals, digits] = ["abcdefgh", "ABCDEFGH", "12345678"];
    for (const of of [toLarger, toLargerPath]) {
      expect(of(`/${digits}`, `/${letters}`)).toBe(`/${letters}`);
      expect(of(`/${capitals}`, `/${letters}`)).toBe(`/${letters}`);
      expect(of(`/${digits}`, `/${capitals}`)).toBe(`/${capitals}`);
      expect(of(`/${letters}`, "/ijklmnop")).toBe(`/${letters}`);
      expect(of("", `/${digits}`)).toBe(`/${digits}`);
    }
  });

  it("is judged at the level of the code: segments cost more from version 10 on", () => {
    const mixed =
      "https://go.example.com/hcefma/23241012383/fdwhcyql/351259751392056/wkmqt/5892961494/eeswtljuahsn/70719609979/yfaqexuov/093336088764593/";
    const letters = `https://go.example.com/${"o".repeat(93)}`;
    expect(fitQr(mixed, "H")?.version).toBeGreaterThan(fitQr(letters, "H")?.version ?? 0);
    expect(toLarger(mixed, letters, "H")).toBe(mixed);
    expect(toLarger(letters, mixed, "H")).toBe(mixed);
    expect(toLarger(mixed, letters)).toBe(letters);
    const { length } = "https://go.example.com";
    const paths = [mixed.slice(length), letters.slice(length)] as const;
    expect(toLargerPath(...paths, "H")).toBe(paths[0]);
    expect(toLargerPath(...paths)).toBe(paths[1]);
    const group = { longestPayload: "", hasUntoldLinks: true, longestLink: letters } as const;
    const at = (level: string): string =>
      longestText({
        groups: [{ ...group, longestPath: paths[0] }],
        links: { publicUrl: undefined, inCapitals: false, areTold: true },
        design: { error_correction: level },
      });
    expect([at("H"), at("L")]).toEqual([mixed, letters]);
  });

  it("is the one that no code holds", () => {
    expect(toLarger("a".repeat(2_000), "b".repeat(9_000))).toBe("b".repeat(9_000));
  });
});
