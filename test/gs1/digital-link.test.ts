import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { computeCheckDigit } from "../../src/gs1/check-digit.ts";
import { isCompressed } from "../../src/gs1/compressed.ts";
import { CSET82 } from "../../src/gs1/cset82.ts";
import { readDigitalLink, toDigitalLink, toDigitalLinkPath } from "../../src/gs1/digital-link.ts";
import { escapeValue, unescapeValue } from "../../src/gs1/escape.ts";
import { linkTypes, readLinkType, toVocabularyUri } from "../../src/gs1/link-types.ts";
import { makeLinkset } from "../../src/gs1/linkset.ts";

const gtin = { type: "01", value: "09506000134352", qualifiers: [] } as const;

describe("toDigitalLink (docs/spec/gs1.md section 3)", () => {
  it.each([
    [[], null, "/01/09506000134352"],
    [[["10", "LOT1"]], null, "/01/09506000134352/10/LOT1"],
    [
      [
        ["10", "A/B"],
        ["21", "!'()*"],
      ],
      "261120",
      "/01/09506000134352/10/A%2FB/21/%21%27%28%29%2A?17=261120",
    ],
  ] as const)("%j %s", (qualifiers, expiry, expected) => {
    expect(toDigitalLink({ ...gtin, qualifiers }, expiry)).toBe(expected);
  });

  it("comes back from its path, whatever the values", () => {
    const value = fc
      .string({ unit: fc.constantFrom(...Array.from(CSET82)), minLength: 1, maxLength: 20 })
      .filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(value, value, fc.constantFrom("", "/a", "/some/where"), (batch, serial, stem) => {
        const qualifiers = [
          ["10", batch],
          ["21", serial],
        ] as const;
        const path = toDigitalLinkPath({ ...gtin, qualifiers });
        // It also survives a URL parser.
        expect(new URL(`https://id.example${stem}${path}`).pathname).toBe(stem + path);
        expect(readDigitalLink(stem + path, "")).toEqual({ ...gtin, qualifiers, stem });
      }),
    );
  });
});

describe("unescapeValue", () => {
  it("takes back what escapeValue did and leaves broken pairs as they stand", () => {
    expect(unescapeValue(escapeValue("a%2/b"))).toBe("a%2/b");
    expect([unescapeValue("%4g"), unescapeValue("%"), unescapeValue("%2f")]).toEqual([
      "%4g",
      "%",
      "/",
    ]);
  });
});

describe("readDigitalLink (docs/spec/gs1.md sections 3 and 6)", () => {
  it.each(["/", "", "/abc", "/abc/def", "/media/x/y", "/02/09506000134352"])(
    "%s is no Digital Link",
    (path) => {
      expect(readDigitalLink(path, "")).toBeUndefined();
    },
  );

  it.each([
    "/01",
    "/01/9506000134352",
    "/01/09506000134353",
    "/01/09506000134352/foo",
    "/01/09506000134352/10",
    "/01/09506000134352/10/",
    "/01/09506000134352/21/A/10/B",
    "/01/09506000134352//10/A",
    "/01/%00",
    "/01/09506000134352/10/A^",
    "/417/9506000134352/254/A",
    "/8018/950600013435212345/10/A",
  ])("%s has a fault", (path) => {
    expect(readDigitalLink(path, "")).toEqual(expect.any(String));
  });

  it("takes a batch that looks like a key for what it is", () => {
    expect(readDigitalLink("/01/09506000134352/10/01/21/414", "")).toMatchObject({
      type: "01",
      qualifiers: [
        ["10", "01"],
        ["21", "414"],
      ],
    });
  });

  it("takes the rightmost key", () => {
    expect(readDigitalLink("/00/faux/01/09506000134352", "")).toMatchObject({
      stem: "/00/faux",
      type: "01",
    });
  });

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("01", "10", "8004", "%", "%ff", "1234", "", ".")),
        (parts) => {
          expect(["undefined", "string", "object"]).toContain(
            typeof readDigitalLink(`/${parts.join("/")}`, ""),
          );
        },
      ),
    );
  });
});

const withCheck = (body: string): string => `${body}${computeCheckDigit(body)}`;
const GSRN = withCheck("95060001343523456");
/** The key behind its AI, as bits. */
const packed = (head: string, digits: string): string => {
  const bits = BigInt(digits)
    .toString(2)
    .padStart(Math.ceil(digits.length * Math.log2(10)), "0");
  const all = `${BigInt(`0x1${head}`).toString(2).slice(1)}${bits}`;
  const bytes = all.padEnd(Math.ceil(all.length / 8) * 8, "0").match(/.{8}/gu) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))).toString("base64url");
};

describe("isCompressed (docs/spec/gs1.md section 6)", () => {
  it.each([
    "AN2yxDhfaiaw",
    "AQnYUc1gmg",
    "AQnYUc1gmiCNV4JGQhcNT6K6c",
    "AQnYUc1gmkax7ipGrOHDPC5YNI8hMz",
    packed("253", "9506000134352"),
    packed("255", "9506000134352"),
    packed("402", withCheck("9506000134352345")),
    packed("414", "9506000134352"),
    packed("417", "9506000134352"),
    packed("8003", "09506000134352"),
    packed("8017", GSRN),
    packed("8018", GSRN),
    packed("0b", "09506000134352"),
    packed("1a", "09506000134352"),
  ])("%s is", (segment) => {
    expect(isCompressed(segment)).toBe(true);
  });

  it.each([
    "",
    "ab2cdefg",
    "nosuchslug",
    "does-not-exist",
    "unknown-2026",
    "Summer-2026",
    "AQnYUc1",
    "AQnYUc1gmg.png",
    packed("01", "09506000134353"),
    packed("8017", `${GSRN.slice(0, -1)}${(Number(GSRN.at(-1)) + 1) % 10}`),
  ])("%s is not", (segment) => {
    expect(isCompressed(segment)).toBe(false);
  });
});

const PATH = "/01/09506000134352";

describe("attributes (docs/spec/gs1.md section 3, query AI)", () => {
  it.each(["", "17=261120", "linkType=all&17=240200", "utm=1", "3103=000195", "99=A&&98=B", "17"])(
    "takes ?%s",
    (query) => {
      expect(readDigitalLink(PATH, query)).toMatchObject({ type: "01" });
    },
  );

  it.each([
    ["17=261320", "The value of AI 17 is wrong at character 3: illegal month."],
    ["17=", "The value of AI 17 is wrong at character 1: value too short."],
    ["17=261120&17=261120", "AI 17 must be given once, got it twice."],
    ["01=09506000134352", "AI 01 must be given once, got it twice."],
    ["10=LOT1", "AI 10 must stand in the path behind AI 01, got it in the query."],
    ["21=1", "AI 21 must stand in the path behind AI 01, got it in the query."],
    ["8200=x", "AI 8200 must not stand in the query."],
    ["999=x", "The query must hold AIs that GS1 knows, got 999."],
    ["37=5", "AI 01 must not stand with AI 37."],
    ["250=A", "AI 250 must stand with one of: 01 with 21, 03 with 21, 8006 with 21."],
  ])("refuses ?%s", (query, detail) => {
    expect(readDigitalLink(PATH, query)).toBe(detail);
  });

  it("refuses an expiry date for identifiers that don't expire", () => {
    expect(readDigitalLink("/414/9506000134352", "17=261120")).toContain("AI 17 must stand with");
    expect(readDigitalLink("/255/9506000134352", "17=261120")).toMatchObject({ type: "255" });
  });

  it("takes a batch in the query where the path could not hold it", () => {
    expect(readDigitalLink(`${PATH}/235/TPX`, "10=LOT1")).toMatchObject({ type: "01" });
  });
});

describe("link types (docs/spec/gs1.md section 4)", () => {
  it.each([
    ["gs1:pip", "gs1:pip"],
    ["https://ref.gs1.org/voc/pip", "gs1:pip"],
    ["http://www.gs1.org/voc/pip", "gs1:pip"],
    ["https://gs1.org/voc/epil", "gs1:ePIL"],
    ["gs1:ePIL", "gs1:ePIL"],
    ["gs1:sustainabilityInfo", "gs1:productSustainabilityInfo"],
    ["gs1:nosuchlt", undefined],
    ["pip", undefined],
    ["all", undefined],
    ["gs1:constructor", undefined],
  ])("%s means %s", (wanted, type) => {
    expect(readLinkType(wanted)).toBe(type);
  });

  it("has sixteen, each with an address of the vocabulary", () => {
    expect(linkTypes).toHaveLength(16);
    expect(toVocabularyUri("gs1:ePIL")).toBe("https://ref.gs1.org/voc/epil");
    for (const type of linkTypes) {
      expect(toVocabularyUri(type)).toMatch(/^https:\/\/ref\.gs1\.org\/voc\/[A-Za-z]+$/u);
    }
  });
});

it("makeLinkset writes schemes small, as GS1's schema wants them", () => {
  const link = { linkType: "gs1:pip", title: "P", mediaType: "text/html", language: null };
  const links = [{ ...link, href: "HTTPS://Example.com/A", isDefault: true }];
  const level = { type: "01" as const, value: "09506000134352", qualifiers: [], links };
  const [first = {}] = makeLinkset("https://id.example.com", [level]).linkset;
  for (const name of ["defaultLink", "pip"]) {
    const [{ href }] = first[`https://ref.gs1.org/voc/${name}`] as [{ href: string }];
    expect(href).toBe("https://Example.com/A");
  }
});

it("makeLinkset writes the example of docs/spec/gs1.md section 5", () => {
  const link = { title: "Product page", href: "https://example.com/p", mediaType: "text/html" };
  const levels = [
    {
      ...gtin,
      qualifiers: [["10", "LOT1"]] as const,
      links: [
        { ...link, linkType: "gs1:pip", language: "en", isDefault: true },
        {
          linkType: "gs1:ePIL",
          title: "Leaflet",
          href: "https://example.com/l.pdf",
          mediaType: "application/pdf",
          language: null,
          isDefault: false,
        },
      ],
    },
    { ...gtin, links: [] },
  ];
  expect(makeLinkset("https://id.example.com", levels)).toEqual({
    linkset: [
      {
        anchor: "https://id.example.com/01/09506000134352/10/LOT1",
        itemDescription: "GTIN 09506000134352, batch LOT1",
        "https://ref.gs1.org/voc/defaultLink": [
          { href: "https://example.com/p", title: "Product page" },
        ],
        "https://ref.gs1.org/voc/pip": [
          {
            href: "https://example.com/p",
            title: "Product page",
            type: "text/html",
            hreflang: ["en"],
          },
        ],
        "https://ref.gs1.org/voc/epil": [
          { href: "https://example.com/l.pdf", title: "Leaflet", type: "application/pdf" },
        ],
      },
      {
        anchor: "https://id.example.com/01/09506000134352",
        itemDescription: "GTIN 09506000134352",
      },
    ],
  });
});
