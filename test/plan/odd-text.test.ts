/** Texts that phones don't act on. */
import { expect, it } from "vitest";

import { escapeWifi, findWifiFault, toWifiType } from "../../src/base/text/wifi-text.ts";
import { reasonInGerman } from "../../src/desk/words/reasons.ts";
import { findOddText } from "../../src/plan/odd-text.ts";
import type { Wanted } from "../../src/state/row.ts";
import * as fc from "../help/property.ts";

const say = (qrData: string, type: Wanted["type"] = "Text"): string | undefined =>
  findOddText({ type, qrData } as Wanted)[0]?.message;

/** As the readers of phones take a field apart. */
function readField(code: string, name: string): string {
  const [, found = ""] = new RegExp(`[:;]${name}:((?:\\\\.|[^\\\\;])*);`, "su").exec(code) ?? [];
  return found.replaceAll(/\\(.)/gsu, "$1");
}

it("a name and a password come out of the code as they went in", () => {
  const texts = fc.string({ minLength: 8, maxLength: 32 });
  fc.assert(
    fc.property(texts, texts, (name, password) => {
      const code = `WIFI:T:WPA;S:${escapeWifi(name)};P:${escapeWifi(password)};;`;
      expect([readField(code, "S"), readField(code, "P")]).toEqual([name, password]);
      expect(findWifiFault(code)).toBeUndefined();
    }),
  );
});

it.each([
  ["WIFI:T:WPA;S:a;P:12345678;;", undefined],
  ["WIFI:S:a;T:nopass;P:;;", undefined],
  ["WIFI:S:a;;", undefined],
  ["WIFI:T:WPA;R:1;S:a;P:abc\\;b\\:c\\\\d;H:true;;", undefined],
  [`WIFI:T:WPA;S:a;P:${"0f".repeat(32)};;`, undefined],
  ["Guests", undefined],
  ["WIFI:T:WPA;S:a;P:1234567;;", "P must be a password of 8 to 63 characters"],
  ["WIFI:T:WPA;S:a;P:;;", "P must be a password of 8 to 63 characters"],
  ["WIFI:T:WPA;S:;P:12345678;;", "S must be the name"],
  ["WIFI:T:WPA2;S:a;P:12345678;;", undefined],
  ["WIFI:T:WPA/WPA2;S:a;P:12345678;;", undefined],
  ["WIFI:T:WPA2-EAP;S:a;I:b;P:c;;", undefined],
  ["WiFi: Gast / Passwort: abc", undefined],
  ["WIFI: Gast;S:a", undefined],
  ["WIFI:T:WPA3;S:a;P:1234567;;", "P must be a password of 8 to 63 characters"],
  ["WIFI:T:SAE;S:a;P:123456;;", undefined],
  ["WIFI:T:SAE;S:a;P:;;", "P must be the password"],
  ["WIFI:S:a;P:secretpass;;", "T must be WPA"],
  ["WIFI:T:nopass;S:Gast6;P:abcdefgh1;;", "with nopass, phones look for open networks"],
  ["WIFI:T:nopass;S:a;P:ohne;;", undefined],
  ["WIFI:T:WPA;S:a;P:kein Passwort;;", "not a word for none"],
  ["WIFI:T:WPA;S:a;P:ohne Passwort;;", "not a word for none"],
  ["WIFI: T:WPA;S:a;P:12345678;;", "must be capitals without spaces"],
  ["WIFI:t:WPA;s:a;P:12345678;;", "must be capitals without spaces"],
  ["wifi:T:WPA;S:a;P:12345678;;", "must be capitals without spaces"],
  ["WIFI:T:WPA; S:a; P:12345678;;", "must be capitals without spaces"],
  ["WIFI:T:RSN;S:a;P:12345678;;", "T must be WPA"],
  ["WIFI:T:WEP;S:a;P:;;", "P must be the password"],
  ["WIFI:T:WPA;S:a;P:1234;5678;;", "a backslash must stand before"],
  ["WIFI:T:WPA;S:a;P:1234\\5678;;", "a backslash must stand before"],
] as const)("what joins no network is told: %s", (code, fault) => {
  const expected = fault === undefined ? undefined : expect.stringContaining(fault);
  expect(say(code)).toEqual(expected);
});

it.each([
  ["WIFI:T:WPA;S:a;P:abc;;", "the password in the cells of this row or in qr_data, which"],
  [
    "WIFI:T:WPA;S:;P:12345678;;",
    "the name of the network in the cells of this row or in qr_data, which",
  ],
  [
    "WIFI:T:RSN;S:a;P:12345678;;",
    "the kind of network in the cells of this row or in qr_data, which",
  ],
  ["WIFI:S:a;P:12345678;;", "the kind of network in the cells of this row or in qr_data, which"],
  [
    "WIFI:T:nopass;S:a;P:12345678;;",
    "the kind of network in the cells of this row or in qr_data, which",
  ],
  [
    "WIFI:T:WPA;P:12345678;;",
    "the name of the network in the cells of this row or in qr_data, which",
  ],
  ["WIFI:T:WPA;S:a;P:1234;5678;;", "the cells of this row; qr_data"],
])("the advice names the cell, and how qr_data is best written: %s", (qrData, where) => {
  expect(findOddText({ type: "Text", qrData } as Wanted)[0]?.hint).toBe(
    `look at ${where} is best written as WIFI:T:WPA;S:{{ ssid | wifi }};P:{{ password | wifi }};; with the names of your columns`,
  );
});

it.each([
  ["WPA2/WPA3", "WPA"],
  ["WPA2-PSK", "WPA"],
  ["wep", "WEP"],
  ["Offen", "nopass"],
  ["ohne", "nopass"],
  ["Kein Passwort", "nopass"],
  ["unverschlüsselt", "nopass"],
  ["sans", "nopass"],
  ["WPA2-Enterprise", undefined],
  ["802.1X", undefined],
] as const)("%s is the kind %s", (word, type) => expect(toWifiType(word)).toBe(type));

it.each([
  ["shop.de/a", true],
  ["www.x.fr", true],
  ["nordwerk.com", true],
  ["https://shop.de/a", false],
  ["WWW.Shop.DE", true],
  ["menu.shop.it", true],
  ["shop.pl/a", true],
  ["wa.me/491701234567", true],
  ["bit.ly/3abcD", true],
  ["maps.app.goo.gl/aB3", true],
  ["nordwerk.berlin/c", true],
  ["NORDWERK.DE/A", true],
  ["nordwerk.de:8443/a", true],
  ["nordwerk.de?x=1", true],
  ["4711.de", true],
  ["360.com/a", true],
  ["Lehrer.in/Erzieher.in", false],
  ["nav.main.page", false],
  ["manual.pdf", false],
  ["ASP.NET", false],
  ["HQ.IT", false],
  ["hq.it", false],
  ["menu.pl", false],
  ["Regal.links/rechts", false],
  ["10.20.IT", false],
  ["Nr.ab/12", false],
  ["Art.nr/77", false],
  ["Dr.med/x", false],
  ["1.5.at", false],
  ["12.be", false],
  ["1.5.at/2", false],
  ["A-01", false],
  ["Hall 3, shop.de/a", false],
])("an address without https:// is told: %s", (text, isTold) => {
  expect(say(text)?.includes("without https://") ?? false).toBe(isTold);
  expect(say(text, "Link")).toBeUndefined();
});

it.each([
  ["tel:", true],
  ["tel: ", true],
  ["SMSTO::Hello", true],
  ["sms:?body=Hello", true],
  ["mailto:?subject=Tour", true],
  ["MATMSG:TO:;SUB:Tour;;", true],
  ["mailto:?to=&subject=Tour", true],
  ["tel:+43533278260", false],
  ["SMSTO:+43533278260:Hello", false],
  ["mailto:tour@a.example?subject=Tour", false],
  ["MATMSG:TO:tour@a.example;;", false],
  ["mailto:?to=tour@a.example&subject=Tour", false],
  ["mailto:?subject=Tour&bcc=tour@a.example", false],
  ["Tel: 05332 78260", false],
])("a code that calls or writes to nobody is told, in German, too: %s", (text, isTold) => {
  const said = say(text);
  expect(said?.includes("to nobody") ?? false).toBe(isTold);
  expect(isTold ? reasonInGerman(said ?? "") : "erreicht niemand").toContain("erreicht niemand");
});

it("a text that the manifest itself begins without a number leaves it to people whom they write to", () => {
  const wanted = { type: "Text", qrData: "sms:?body=I am at stand 7" } as Wanted;
  const told = (template: string): number => findOddText(wanted, template).length;
  expect(told("sms:?body=I am at stand {{ stand }}")).toBe(0);
  expect([told("sms:{{ number }}?body=I am at stand 7"), told("{{ text }}")]).toEqual([1, 1]);
  const mail = { type: "Text", qrData: "mailto:?to=&subject=Stand 7" } as Wanted;
  expect(findOddText(mail, "mailto:?to={{ mail }}&subject=Stand {{ stand }}")).toHaveLength(1);
});

it.each([
  ["+49 (0)30 123456", "write +49 30 123456 in place of +49 (0)30 123456"],
  ["+44 (0) 20 7946 0123", "write +44 20 7946 0123 in place of +44 (0) 20 7946 0123"],
  ["0049(0)89-12", "write 0049 89-12 in place of 0049(0)89-12"],
  ["(030) 123456", undefined],
  ["+49 30 (0800)", undefined],
  ["030 12 (0)", undefined],
  // In Italy, the 0 is always dialled.
  ["+39 (0)471 123456", undefined],
])(
  "a 0 in brackets that phones may dial behind a country's code is warned of: %s",
  (phone, hint) => {
    const vcard = { first_name: "Ada", phone_number: phone };
    const [told] = findOddText({ type: "vCard", qrData: null, vcard } as unknown as Wanted);
    expect(told?.hint).toBe(hint);
    const link = findOddText({ type: "Link", qrData: `tel:${phone}`, vcard: null } as Wanted);
    expect(link).toHaveLength(hint === undefined ? 0 : 1);
    for (const text of [told?.message, told?.hint])
      if (text !== undefined) expect(reasonInGerman(text)).toMatch(/wählen|anstelle/u);
  },
);
