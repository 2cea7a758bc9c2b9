import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { computeCheckDigit } from "../../src/gs1/check-digit.ts";
import { CSET82, isCset82 } from "../../src/gs1/cset82.ts";
import { checkExpiryDate } from "../../src/gs1/expiry-date.ts";
import { computeGmnPair } from "../../src/gs1/gmn.ts";
import {
  checkIdentifier,
  identifierKinds,
  identifierTypes,
  toIdentifierValue,
  type IdentifierType,
} from "../../src/gs1/identifiers.ts";
import { checkQualifier } from "../../src/gs1/qualifiers.ts";

const withCheck = (body: string): string => body + String(computeCheckDigit(body));

describe("CSET 82", () => {
  it("has 82 characters, each once", () => {
    expect(new Set(CSET82).size).toBe(82);
    expect(isCset82(CSET82)).toBe(true);
    for (const odd of [" ", "#", "$", "@", "~", "^", "\\", "é"]) expect(isCset82(odd)).toBe(false);
  });
});

describe("checkIdentifier (docs/spec/gs1.md section 1)", () => {
  const right: [IdentifierType, string][] = [
    ["00", withCheck("12345678901234567")],
    ["01", "09506000134352"],
    ["01", "9506000134352"],
    ["01", withCheck("01234567890")],
    ["01", withCheck("1234567")],
    ["01", "00000000000000"],
    ["253", `${withCheck("950600013435")}SERIAL-1`],
    ["253", withCheck("950600013435")],
    ["255", `${withCheck("950600013435")}123456789012`],
    ["401", "9506ABC"],
    ["402", withCheck("9506000134352123")],
    ["414", withCheck("950600013435")],
    ["417", withCheck("950600013435")],
    ["8003", `0${withCheck("950600013435")}ABC`],
    ["8004", "1234"],
    ["8006", `${withCheck("0950600013435")}0203`],
    ["8013", "1987654Ad4X4bL5ttr2310c2K"],
    ["8017", withCheck("95060001343521234")],
    ["8018", withCheck("95060001343521234")],
  ];
  it.each(right)("(%s) takes %s", (type, value) => {
    expect(checkIdentifier(type, value)).toBeUndefined();
  });

  it.each<[IdentifierType, string]>([
    ["00", "123"],
    ["01", "09506000134353"],
    ["01", "950600013435"],
    ["01", "95060001343520"],
    ["01", "123456"],
    ["01", "0950600013435X"],
    ["01", "٠٩٥٠٦٠٠٠١٣٤٣٥٢"],
    ["253", `${withCheck("950600013435")}${"A".repeat(18)}`],
    ["253", `${withCheck("950600013435")} `],
    ["255", `${withCheck("950600013435")}A`],
    ["401", "ABC123"],
    ["401", "1".repeat(31)],
    ["8003", `1${withCheck("950600013435")}`],
    ["8004", "12"],
    ["8006", `${withCheck("0950600013435")}0302`],
    ["8006", `${withCheck("0950600013435")}0001`],
    ["8013", "1987654Ad4X4bL5ttr2310c2L"],
    ["8004", ".."],
  ])("(%s) refuses %s", (type, value) => {
    expect(checkIdentifier(type, value)).toMatch(/^must /u);
  });

  it.each<[IdentifierType, string, string]>([
    ["01", "4006381333930", "must have the check digit 1 at the end"],
    ["414", "4006381333930", "must have the check digit 1 at the end"],
    ["253", "4006381333930SERIAL", "must have the check digit 1 at position 13"],
    ["8006", "040063813339300203", "must have the check digit 1 at position 14"],
  ])("(%s) says of %s where its check digit stands: in what was given", (type, value, says) => {
    expect(checkIdentifier(type, value)).toBe(says);
  });

  it("refuses every value in which one digit of a GTIN was changed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 13 }), fc.integer({ min: 1, max: 9 }), (at, add) => {
        const digits = Array.from("09506000134352");
        digits[at] = String((Number(digits[at]) + add) % 10);
        expect(checkIdentifier("01", digits.join(""))).toBeDefined();
      }),
    );
  });

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...identifierTypes),
        fc.string({ unit: "binary", maxLength: 60 }),
        (type, value) => {
          expect(checkIdentifier(type, value) ?? "must").toMatch(/^must/u);
        },
      ),
    );
  });

  it("keeps all lengths of one GTIN as one", () => {
    expect(toIdentifierValue("01", "9506000134352")).toBe("09506000134352");
    expect(toIdentifierValue("414", "9506000134352")).toBe("9506000134352");
  });

  it("has a label for every kind", () => {
    for (const type of identifierTypes) expect(identifierKinds[type].label).toMatch(/^[A-Z]/u);
  });
});

describe("computeGmnPair (docs/spec/gs1.md section 2)", () => {
  it.each([
    ["12345A", "NJ"],
    ["1987654Ad4X4bL5ttr2310c", "2K"],
    ["", "22"],
  ])("%s -> %s", (body, pair) => {
    expect(computeGmnPair(body)).toBe(pair);
  });

  it("refuses what it cannot count", () => {
    expect(() => computeGmnPair("é")).toThrow(RangeError);
    expect(() => computeGmnPair("1".repeat(98))).toThrow(RangeError);
  });
});

describe("checkExpiryDate", () => {
  it.each(["240200", "240229", "251231", "000101", "260430"])("takes %s", (text) => {
    expect(checkExpiryDate(text)).toBeUndefined();
  });
  it.each(["250229", "300230", "251301", "250001", "25123", "2512311", "25-1-1", ""])(
    "refuses %s",
    (text) => {
      expect(checkExpiryDate(text)).toMatch(/^must/u);
    },
  );
});

describe("batch and serial number", () => {
  it.each(["LOT 1", "", "A".repeat(21), ".", "..", "a#b", "ä"])("refuses %j", (value) => {
    expect(checkQualifier(value)).toMatch(/^must/u);
  });

  it.each(["A/B%!", "1", "A".repeat(20)])("takes %j", (value) => {
    expect(checkQualifier(value)).toBeUndefined();
  });
});
