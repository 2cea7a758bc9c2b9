import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import {
  checkGtin,
  computeCheckDigit,
  hasCheckDigit,
  toGtin14,
} from "../../src/gs1/check-digit.ts";

const digits = (length: number) =>
  fc.string({
    unit: fc.constantFrom(..."0123456789".split("")),
    minLength: length,
    maxLength: length,
  });

describe("mod-10 check digit", () => {
  it.each([
    ["950600013435", 2],
    ["629104150021", 3],
    ["0061414112345", 2],
    ["03600029145", 2],
    ["9638507", 4],
    ["00614141123456789", 0],
    ["00000000000000", 0],
  ])("of %s is %i", (body, expected) => {
    expect(computeCheckDigit(body)).toBe(expected);
  });

  it("is verified at the end, and every other digit refused", () => {
    fc.assert(
      fc.property(digits(13), fc.integer({ min: 1, max: 9 }), (body, shift) => {
        const right = computeCheckDigit(body);
        expect(hasCheckDigit(`${body}${right}`)).toBe(true);
        expect(hasCheckDigit(`${body}${(right + shift) % 10}`)).toBe(false);
      }),
    );
  });

  it("notices every single wrong digit", () => {
    const flip = fc.tuple(digits(12), fc.nat(11), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(flip, ([body, at, shift]) => {
        const wrong = body.replace(/./gu, (digit, index) =>
          index === at ? String((Number(digit) + shift) % 10) : digit,
        );
        expect(computeCheckDigit(wrong)).not.toBe(computeCheckDigit(body));
      }),
    );
  });

  it("stays right when zeros are put in front", () => {
    fc.assert(
      fc.property(digits(7), (body) => {
        const gtin = `${body}${computeCheckDigit(body)}`;
        expect(toGtin14(gtin)).toHaveLength(14);
        expect(hasCheckDigit(toGtin14(gtin))).toBe(true);
      }),
    );
  });

  it.each(["", "5", "12a4", "1 2"])("is not there in %j", (text) => {
    expect(hasCheckDigit(text)).toBe(false);
  });
});

describe("GTIN", () => {
  it.each(["09506000134352", "9506000134352", "036000291452", "96385074", "00000000000000"])(
    "%s is one",
    (text) => expect(checkGtin(text)).toBeUndefined(),
  );

  it("may have lost its zeros", () => {
    expect(checkGtin("36000291452")).toBeUndefined();
    expect(toGtin14("36000291452")).toBe("00036000291452");
  });

  it.each([
    ["9506000134353", "must be a GTIN with a right check digit (2 at the end)"],
    ["950600013435", "must be a GTIN with a right check digit"],
    ["123456", "must be a GTIN of 8, 12, 13 or 14 digits"],
    ["123456789012345", "must be a GTIN of 8, 12, 13 or 14 digits"],
    ["1234567890", "must be a GTIN of 8, 12, 13 or 14 digits"],
    ["95060001343AB", "must be a GTIN of digits only"],
    ["", "must be a GTIN of digits only"],
  ])("%j is none", (text, rule) => expect(checkGtin(text)).toContain(rule));
});
