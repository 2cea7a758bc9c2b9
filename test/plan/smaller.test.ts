import { describe, expect, it } from "vitest";

import { toCapitals, toStaticPayload, toVcardPayload } from "../../src/api/payload.ts";
import { toExpectedDesign, toSpared } from "../../src/plan/smaller.ts";
import { encodeQr, fitQr } from "../../src/qr/encode/encode.ts";
import { qrLevels } from "../../src/qr/encode/tables.ts";
import type { KnownRow, RowState, Wanted } from "../../src/state/row.ts";
import { saysTheSame } from "../../src/api/carried.ts";

const LINK: Wanted = {
  type: "Link",
  dynamic: false,
  qrData: "https://example.com/a",
  displayName: "A",
  folder: null,
  tags: [],
  gpsTracking: false,
  domain: null,
  vcard: null,
  gs1Product: null,
  design: {},
};

const CONTACT: Wanted = {
  ...LINK,
  type: "vCard",
  qrData: null,
  vcard: {
    first_name: "Ada",
    last_name: "Lovelace",
    company_name: "Analytical Engines",
    position: "Engineer",
    email: "ada@example.com",
    mobile_number: "+44 7700 900123",
    phone_number: "+44 20 7946 0123",
    website: "https://example.com/",
    street: "12 St James's Square",
    city: "London",
    country: "United Kingdom",
    post_code: "SW1Y 4JH",
  },
};

const known = (state: RowState, made: Wanted | null): KnownRow =>
  ({ state, made }) as unknown as KnownRow;

const spare = (wanted: Wanted, isCompact = false, row?: KnownRow): Wanted =>
  toSpared(wanted, { isCompact, known: row });

const levelOf = ({ design }: Wanted): unknown => design["error_correction"];

describe("fitQr", () => {
  it("says version and highest free level as the encoder does", () => {
    for (const length of [1, 9, 13, 14, 20, 21, 31, 60, 61, 150, 400]) {
      const text = "https://example.com/".padEnd(length, "x1é").slice(0, length);
      for (const level of qrLevels) {
        const { version } = encodeQr(text, { level });
        const free = qrLevels
          .slice(qrLevels.indexOf(level))
          .findLast((other) => encodeQr(text, { level: other }).version === version);
        expect(fitQr(text, level), `${length} at ${level}`).toEqual({ version, level: free });
      }
    }
  });

  it("is undefined for a text that no code holds", () => {
    expect(fitQr("x".repeat(2000), "H")).toBeUndefined();
    expect(fitQr("x".repeat(20_000), "L")).toBeUndefined();
  });
});

describe("a level that was not set", () => {
  it("is the highest that makes the code no larger", () => {
    // 21 bytes: version 2 holds 20 at Q, version 3 holds 24 at H.
    expect(levelOf(spare(LINK))).toBe("H");
    // 16 bytes: version 2 holds 20 at Q, 14 at H.
    expect(spare({ ...LINK, qrData: "https://a.exampl" })).toEqual({
      ...LINK,
      qrData: "https://a.exampl",
    });
  });

  it("stays where somebody set it, where a template or a logo may, and of codes whose text is not known", () => {
    for (const design of [
      { error_correction: "Q" },
      { template: "halftone" },
      { logo_url: "https://example.com/logo.png" },
      { logo_file: "sha256:1" },
    ]) {
      expect(spare({ ...LINK, design })).toEqual({ ...LINK, design });
    }
    expect(spare({ ...LINK, dynamic: true })).toEqual({ ...LINK, dynamic: true });
    const product: Wanted = { ...LINK, type: "GS1", dynamic: true, qrData: null };
    expect(spare(product)).toEqual(product);
  });

  it("stays with codes that were made without one, and with those that were made with a free one", () => {
    expect(spare(LINK, false, known("done", LINK))).toEqual(LINK);
    expect(spare(LINK, true, known("done", LINK))).toEqual(LINK);
    expect(spare(LINK, false, known("doubt", LINK))).toEqual(LINK);
    const strong = spare(LINK);
    expect(spare(LINK, false, known("done", strong))).toEqual(strong);
    // It is unknown how it was made.
    expect(spare(LINK, false, known("done", null))).toEqual(LINK);
    // It was never made.
    expect(spare(LINK, false, known("failed", LINK))).toEqual(strong);
  });

  it("stays with texts that are no links", () => {
    const text: Wanted = { ...LINK, type: "Text", qrData: "shelf 6" };
    expect(levelOf(spare(text))).toBe("H");
    expect(spare(text, true, known("done", text))).toEqual(text);
  });

  it("is that of a new code when a manifest takes back one that it had set", () => {
    for (const design of [{ error_correction: "L" }, { template: "halftone" }])
      expect(spare(LINK, false, known("done", { ...LINK, design }))).toEqual(spare(LINK));
  });

  it("stays with codes that were made before a job became compact", () => {
    const made = spare(LINK);
    expect(levelOf(made)).toBe("H");
    expect(spare(LINK, true, known("done", made))).toEqual(made);
    const dynamic = { ...LINK, dynamic: true };
    expect(spare(dynamic, true, known("done", dynamic))).toEqual(dynamic);
  });
});

describe("compact codes", () => {
  const DIGITAL: Wanted = {
    ...LINK,
    qrData: "https://id.example.com/01/09520123456788/21/12345678901234567890",
  };

  it("have scheme and host in capitals where a smaller version holds them", () => {
    const small = spare(DIGITAL, true);
    expect(small.qrData).toBe("HTTPS://ID.EXAMPLE.COM/01/09520123456788/21/12345678901234567890");
    const level = "M";
    const [is, was] = [small, DIGITAL].map(
      (wish) => encodeQr(toStaticPayload(wish), { level }).version,
    );
    expect(is).toBeLessThan(was as number);
    expect(
      saysTheSame(small.qrData ?? "", { ...wishOf(DIGITAL), text: DIGITAL.qrData ?? "" }),
    ).toBe(true);
    expect(spare(DIGITAL, false).qrData).toBe(DIGITAL.qrData);
    expect(spare(LINK, true).qrData).toBe(LINK.qrData);
  });

  it("keep path, query and user names as they are", () => {
    expect(toCapitals("https://a.example/Path?q=z#F")).toBe("HTTPS://A.EXAMPLE/Path?q=z#F");
    expect(toCapitals("http://a.example")).toBe("HTTP://A.EXAMPLE");
    expect(toCapitals("https://user:Pass@a.example/x")).toBe("https://user:Pass@a.example/x");
    expect(toCapitals("mailto:a@a.example")).toBe("mailto:a@a.example");
    expect(toCapitals("https://bücher.example/ü")).toBe("HTTPS://XN--BCHER-KVA.EXAMPLE/%C3%BC");
  });

  it("take M or the best that their size holds; short links take M", () => {
    expect(levelOf(spare({ ...LINK, dynamic: true }, true))).toBe("M");
    const { version } = encodeQr(LINK.qrData ?? "", { level: "M" });
    const level = levelOf(spare(LINK, true)) as "M";
    expect(encodeQr(LINK.qrData ?? "", { level }).version).toBe(version);
    expect(toExpectedDesign({}, true)).toEqual({ error_correction: "M" });
    expect(toExpectedDesign({}, false)).toEqual({});
    expect(toExpectedDesign({ error_correction: "H" }, true)).toEqual({ error_correction: "H" });
  });

  it("have contacts of the same details and 15 percent fewer letters", () => {
    const lean = spare(CONTACT, true);
    const [is, was] = [lean, CONTACT].map(toStaticPayload) as [string, string];
    expect(is.length / was.length).toBeLessThan(0.85);
    const details = { ...wishOf(CONTACT), text: was };
    expect(saysTheSame(is, details)).toBe(true);
    expect(propertiesOf(is)).toEqual(propertiesOf(was));
    expect(is).toContain("\nVERSION:3.0\nN:Lovelace;Ada\n");
    expect(is).toContain("\nTEL;TYPE=CELL:+44 7700 900123\nTEL:+44 20 7946 0123\n");
    expect(toVcardPayload({ first_name: "A;b", note: "x" } as never, "lean")).toContain(
      "N:;A\\;b\n",
    );
  });

  it("leave codes alone that were made otherwise, in either direction", () => {
    for (const wish of [DIGITAL, CONTACT]) {
      expect(spare(wish, true, known("done", wish))).toEqual(wish);
      const small = spare(wish, true);
      expect(spare(wish, true, known("done", small))).toEqual(small);
      const { vcard, qrData } = spare(wish, false, known("done", small));
      expect({ vcard, qrData }).toEqual({ vcard: small.vcard, qrData: small.qrData });
    }
  });
});

function wishOf({ type, vcard }: Wanted) {
  return { type, vcard, digitalLink: null };
}

const propertiesOf = (text: string): (string | undefined)[] =>
  text.split(/\r?\n/u).map((line) => line.split(/[:;]/u, 1)[0]);
