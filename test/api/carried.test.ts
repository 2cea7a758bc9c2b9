import { describe, expect, it } from "vitest";

import { saysTheSame, toCarried, type Meaning } from "../../src/api/carried.ts";
import { toVcardPayload } from "../../src/api/payload.ts";

const SHORT = "https://go.example/x1";
const DIGITAL_LINK = "https://id.example/01/09506000134352/10/LOT1";

describe("toCarried (docs/spec/api.md sections 2.1 and 4.1)", () => {
  it.each([
    ["Link", "https://shop.example", SHORT, SHORT],
    ["Link", "https://shop.example", null, null],
    ["Text", "hello", "", null],
    ["GS1", "https://shop.example", "", null],
    ["GS1", "https://shop.example", DIGITAL_LINK, DIGITAL_LINK],
    ["GS1", DIGITAL_LINK, SHORT, DIGITAL_LINK],
    ["GS1", null, SHORT, SHORT],
    ["GS1", "https://shop.example", SHORT, SHORT],
    ["vCard", DIGITAL_LINK, SHORT, SHORT],
    ["Link", "https://shop.example", "javascript:alert(1)", null],
    ["Link", "https://shop.example", "DATA:text/html,<script>", null],
    ["Link", "https://shop.example", "file:///etc/passwd", null],
    ["Link", "https://shop.example", "https://go.example/\r\nx", null],
    ["Link", "https://shop.example", "localhost:8080/x1", "localhost:8080/x1"],
  ])("%s of %s with short link %s", (type, data, shortLink, expected) => {
    expect(toCarried({ qr_type: type, qr_data: data, shortlink_url: shortLink })).toBe(expected);
  });
});

describe("saysTheSame: what the API leaves open", () => {
  const plain: Meaning = { type: "Text", text: "a", vcard: null, digitalLink: null };

  it("takes any writing of one URL, and of a text only itself", () => {
    const link = { ...plain, type: "Link", text: "https://xn--mller-kva.de/%C3%A4" };
    expect(saysTheSame("https://müller.de/ä", link)).toBe(true);
    expect(saysTheSame("https://müller.de/b", link)).toBe(false);
    expect(saysTheSame("no url", link)).toBe(false);
    expect(saysTheSame("A", plain)).toBe(false);
    expect(saysTheSame("a", plain)).toBe(true);
  });

  const contact = {
    first_name: "Ada",
    last_name: "Lovelace; née Byron",
    mobile_number: "+44 20 7946",
    website: "https://ada.example",
  };
  const vcard = { ...plain, type: "vCard", text: toVcardPayload(contact), vcard: contact };

  it.each([
    ["version 4.0 (RFC 6350)", toVcardPayload(contact, "4.0"), true],
    [
      "lines ended by LF, folded, properties in another order",
      "BEGIN:VCARD\nVERSION:3.0\nTEL:+4420\n 7946\nURL:https://ada.example\nFN:Ada Lovelace\\; née Byron\nEND:VCARD",
      true,
    ],
    [
      "MECARD",
      "MECARD:N:Lovelace\\; née Byron,Ada;TEL:+44207946;URL:https\\://ada.example;;",
      true,
    ],
    [
      "another person",
      toVcardPayload({ ...contact, first_name: "Bob", last_name: "Lovelace" }),
      false,
    ],
    ["another number", toVcardPayload({ ...contact, mobile_number: "+44 20 7947" }), false],
    ["its short link", SHORT, false],
  ])("a contact as %s", (_name, text, same) => {
    expect(saysTheSame(text, vcard)).toBe(same);
  });

  it("takes any contact for a code whose data the server doesn't return", () => {
    const untold = { ...plain, type: "vCard", text: "" };
    expect(saysTheSame(vcard.text, untold)).toBe(true);
    expect(saysTheSame(SHORT, untold)).toBe(false);
  });

  const product = { ...plain, type: "GS1", text: SHORT, digitalLink: "/01/09506000134352/10/LOT1" };

  it.each([
    [DIGITAL_LINK, true],
    ["https://other.example/stem/01/09506000134352/10/LOT1?17=270101", true],
    ["https://id.example/01/09506000134352", false],
    ["https://id.example/01/09506000134369/10/LOT1", false],
    ["https://id.example/x", false],
  ])("a product as %s: %s", (text, same) => {
    expect(saysTheSame(text, product)).toBe(same);
    expect(saysTheSame(text, { ...product, digitalLink: null })).toBe(false);
  });
});
