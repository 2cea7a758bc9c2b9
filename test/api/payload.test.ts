import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { isOpenableUrl } from "../../src/api/fields.ts";
import { foldLine, toLinkPayload, toVcardFile, toVcardPayload } from "../../src/api/payload.ts";

describe("toLinkPayload", () => {
  it.each([
    ["https://example.com", "https://example.com"],
    ["HTTPS://Example.COM/a%2f?b={c}", "HTTPS://Example.COM/a%2f?b={c}"],
    ["https://müller.de/ä?ö#ü", "https://xn--mller-kva.de/%C3%A4?%C3%B6#%C3%BC"],
  ])("%s", (url, expected) => {
    expect(toLinkPayload(url)).toBe(expected);
  });

  it("is always ASCII, and stays as it is the second time", () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        fc.string({ unit: "grapheme" }),
        (url, tail) => {
          fc.pre(isOpenableUrl(url + tail));
          const payload = toLinkPayload(url + tail);
          expect(payload).toMatch(/^[\u0021-\u007e]+$/u);
          expect(toLinkPayload(payload)).toBe(payload);
        },
      ),
    );
  });
});

describe("toVcardPayload", () => {
  it("writes every field, in vCard 3.0 (RFC 2426)", () => {
    const lines = toVcardPayload({
      first_name: "Ada",
      last_name: "Lovelace",
      company_name: "Analytical; Engines, Ltd",
      position: "Countess",
      email: "ada@example.com",
      mobile_number: "+44 1",
      phone_number: "+44 2",
      website: "https://example.com",
      street: "1 St James's Sq",
      city: "London",
      state: "",
      country: "UK",
      post_code: "SW1Y",
      description: "Notes\non \\ engines",
    }).split("\r\n");
    expect(lines).toEqual([
      "BEGIN:VCARD",
      "VERSION:3.0",
      "N:Lovelace;Ada;;;",
      "FN:Ada Lovelace",
      "ORG:Analytical\\; Engines\\, Ltd",
      "TITLE:Countess",
      "EMAIL;TYPE=INTERNET:ada@example.com",
      "TEL;TYPE=CELL:+44 1",
      "TEL;TYPE=WORK:+44 2",
      "URL:https://example.com",
      "ADR;TYPE=WORK:;;1 St James's Sq;London;;SW1Y;UK",
      "NOTE:Notes\\non \\\\ engines",
      "END:VCARD",
    ]);
  });

  it("leaves out what was not given", () => {
    expect(toVcardPayload({ first_name: "Ada", city: null, email: "" }).split("\r\n")).toEqual([
      "BEGIN:VCARD",
      "VERSION:3.0",
      "N:;Ada;;;",
      "FN:Ada",
      "END:VCARD",
    ]);
  });

  it("never lets a value begin a line of its own", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "\r", "\n", ";", "\\", ",", ":") }),
        (value) => {
          const payload = toVcardPayload({ first_name: `x${value}`, description: value });
          for (const line of payload.split(/\r\n|\r|\n/u)) {
            expect(line).toMatch(/^(?: |(?:BEGIN|VERSION|N|FN|NOTE|END):)/u);
          }
        },
      ),
    );
  });
});

const unfold = (text: string): string => text.replace(/\r\n[ \t]/gu, "");

describe("vCard lines", () => {
  it("have at most 75 octets, cut no character in two and unfold to what was folded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        const folded = foldLine(`NOTE:${text.replace(/[\r\n]/gu, "")}`);
        for (const line of folded.split("\r\n")) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line.isWellFormed()).toBe(true);
        }
        expect(unfold(folded)).toBe(`NOTE:${text.replace(/[\r\n]/gu, "")}`);
      }),
    );
  });

  it("are left alone up to 75 octets and fold right behind", () => {
    expect(foldLine("a".repeat(75))).toBe("a".repeat(75));
    expect(foldLine("a".repeat(76))).toBe(`${"a".repeat(75)}\r\n a`);
    expect(foldLine(`${"a".repeat(74)}é`)).toBe(`${"a".repeat(74)}\r\n é`);
  });

  it("are those of vCard 4.0 where the contact asks for it (RFC 6350)", () => {
    const lines = toVcardPayload({
      first_name: "Ada",
      email: "a@example.com",
      mobile_number: "+44 1",
      website: "https://example.com/?a=1,2;3",
      version: "4.0",
    }).split("\r\n");
    expect(lines).toEqual([
      "BEGIN:VCARD",
      "VERSION:4.0",
      "N:;Ada;;;",
      "FN:Ada",
      "EMAIL:a@example.com",
      "TEL;TYPE=cell:+44 1",
      "URL:https://example.com/?a=1,2;3",
      "END:VCARD",
    ]);
  });

  it("of a website never end early", () => {
    expect(toVcardPayload({ first_name: "A", website: "x\r\nNOTE:evil" })).toContain(
      "URL:x%0D%0ANOTE:evil",
    );
  });

  it("are all ended in a file", () => {
    expect(toVcardFile({ first_name: "Ada" })).toMatch(/\r\nEND:VCARD\r\n$/u);
    expect(toVcardFile({ first_name: "Ada" }, "4.0")).toContain("VERSION:4.0");
  });
});
