import { randomBytes } from "node:crypto";

import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import {
  countSerials,
  serialAlphabets,
  toCheckCharacter,
  toSerial,
  type SerialAlphabet,
} from "../../src/base/ids/serials.ts";
import { isSerial } from "../help/is-serial.ts";

const names = Object.keys(serialAlphabets) as SerialAlphabet[];
const alphabet = fc.constantFrom(...names);

/** ISO/IEC 7812-1 Annex B, and card numbers of payment providers for tests. */
const LUHN = ["79927398713", "4111111111111111", "5555555555554444", "378282246310005"];

describe("check character", () => {
  it.each(LUHN)("of digits is that of Luhn: %s", (number) => {
    expect(toCheckCharacter(number.slice(0, -1), "digits")).toBe(number.at(-1));
  });

  it("finds every wrong character, and every two neighbours swapped but first and last", () => {
    const form = fc.record({ length: fc.integer({ min: 4, max: 20 }), alphabet });
    fc.assert(
      fc.property(form, fc.nat(), fc.nat(), ({ length, alphabet: name }, at, by) => {
        const whole = { length, alphabet: name, check: true };
        const letters: string = serialAlphabets[name];
        const serial = toSerial(whole, () => randomBytes(32));
        expect(isSerial(serial, whole)).toBe(true);
        const place = at % length;
        const old = letters.indexOf(serial[place] ?? "");
        const other = letters[(old + 1 + (by % (letters.length - 1))) % letters.length] ?? "";
        expect(isSerial(serial.slice(0, place) + other + serial.slice(place + 1), whole)).toBe(
          false,
        );

        const left = at % (length - 1);
        const [a = "", b = ""] = serial.slice(left, left + 2);
        const pair = [a, b].map((letter) => letters.indexOf(letter)).toSorted((x, y) => x - y);
        if (a === b || (pair[0] === 0 && pair[1] === letters.length - 1)) return;
        const swapped = serial.slice(0, left) + b + a + serial.slice(left + 2);
        expect(isSerial(swapped, whole)).toBe(false);
      }),
    );
  });
});

describe("alphabets", () => {
  it("have no letter twice, no small ones, and safe32 none that look alike", () => {
    for (const letters of Object.values(serialAlphabets)) {
      expect(new Set(letters).size).toBe(letters.length);
      expect(letters).toBe(letters.toUpperCase());
    }
    expect(serialAlphabets.safe32).toHaveLength(32);
    expect(serialAlphabets.safe32).not.toMatch(/[ILOU]/u);
  });

  it("count what a form can hold, without the check character", () => {
    expect(countSerials({ length: 4, alphabet: "digits", check: false })).toBe(10_000n);
    expect(countSerials({ length: 4, alphabet: "digits", check: true })).toBe(1000n);
    expect(countSerials({ length: 12, alphabet: "safe32", check: true })).toBe(2n ** 55n);
  });
});

describe("bytes -> serial", () => {
  it.each(names)("favours no letter of %s", (name) => {
    // Each byte once: what is left out is the same for every letter.
    const letters = serialAlphabets[name];
    const length = 256 - (256 % letters.length);
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const serial = toSerial({ length, alphabet: name, check: false }, () => every);
    const counts = Array.from(letters).map((letter) => serial.split(letter).length - 1);
    expect(new Set(counts)).toEqual(new Set([length / letters.length]));
  });

  it("asks for more bytes until it is whole", () => {
    const asked: number[] = [];
    const serial = toSerial({ length: 6, alphabet: "digits", check: false }, (block) => {
      asked.push(block);
      return Uint8Array.of(255, 250, block, 252);
    });
    expect(serial).toBe("012345");
    expect(asked).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
