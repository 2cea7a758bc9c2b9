/** The API's rules with their friendly words, and GS1's dictionary: the same values pass both. */
import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { findAi } from "../../src/gs1/application-identifiers.ts";
import { computeCheckDigit } from "../../src/gs1/check-digit.ts";
import { CSET82 } from "../../src/gs1/cset82.ts";
import { checkValue } from "../../src/gs1/elements.ts";
import { checkExpiryDate } from "../../src/gs1/expiry-date.ts";
import { computeGmnPair } from "../../src/gs1/gmn.ts";
import { checkIdentifier, identifierTypes } from "../../src/gs1/identifiers.ts";
import { checkQualifier, takesBatch, takesExpiry } from "../../src/gs1/qualifiers.ts";

const passes = (ai: string, value: string): boolean => {
  const entry = findAi(ai);
  if (entry === undefined) throw new Error(`AI ${ai} must be in the dictionary`);
  return checkValue(entry, value) === undefined;
};

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from("0123456789")), minLength: min, maxLength: max });
const withDigit = digits(11, 17).map((body) => `${body}${computeCheckDigit(body)}`);
const tail = fc.string({
  unit: fc.constantFrom(...Array.from(CSET82), "#", "ä"),
  maxLength: 22,
});

/** Mostly right, sometimes wrong in one thing. */
const values = fc.oneof(
  withDigit,
  digits(1, 32),
  fc.tuple(withDigit, tail).map(([start, end]) => start + end),
  fc.tuple(withDigit, tail).map(([start, end]) => `0${start}${end}`),
  fc.tuple(digits(4, 13), tail).map(([start, end]) => start + end),
  fc
    .tuple(digits(4, 9), fc.string({ unit: fc.constantFrom(...Array.from(CSET82)), maxLength: 14 }))
    .map(([start, end]) => `${start}${end}${computeGmnPair(start + end)}`),
  fc.tuple(withDigit, digits(4, 4)).map(([start, piece]) => start + piece),
);

describe("values of the fourteen keys", () => {
  it.each(identifierTypes)("%s", (type) => {
    let count = 0;
    fc.assert(
      fc.property(values, (value) => {
        // The API fills up GTINs; a URI never does.
        fc.pre(type !== "01" || value.length === 14);
        const isFine = checkIdentifier(type, value) === undefined;
        count += Number(isFine);
        expect([value, isFine]).toEqual([value, passes(type, value)]);
      }),
      { numRuns: 2000, seed: 7 },
    );
    expect(count).toBeGreaterThan(0);
  });
});

it.each(["10", "21"])("values of qualifier %s", (ai) => {
  fc.assert(
    fc.property(fc.oneof(tail, digits(0, 24)), (value) => {
      // A URL can't hold these two.
      fc.pre(value !== "." && value !== "..");
      expect([value, checkQualifier(value) === undefined]).toEqual([value, passes(ai, value)]);
    }),
    { numRuns: 500, seed: 7 },
  );
});

it("expiry dates", () => {
  fc.assert(
    fc.property(fc.oneof(digits(6, 6), digits(0, 8)), (value) => {
      expect([value, checkExpiryDate(value) === undefined]).toEqual([value, passes("17", value)]);
    }),
    { numRuns: 2000, seed: 7 },
  );
});

it("only GTIN and ITIP take batch and serial, only they and GCN an expiry (docs/spec/gs1.md section 1)", () => {
  expect(identifierTypes.filter(takesBatch)).toEqual(["01", "8006"]);
  expect(identifierTypes.filter(takesExpiry)).toEqual(["01", "255", "8006"]);
});
