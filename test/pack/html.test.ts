import * as fc from "../help/property.ts";
import { describe, expect, test } from "vitest";

import { escapeHtml, Html, html, toRelativeHref, toWebHref } from "../../src/pack/html.ts";

describe("html", () => {
  test("escapes every value, joins lists, leaves undefined out, keeps Html", () => {
    const inner = html`<b>${"<i>"}</b>`;
    const out = html`<p title="${'"x"'}">${["a&b", 7, inner, undefined]}</p>`;
    expect(out.text).toBe('<p title="&quot;x&quot;">a&amp;b7<b>&lt;i&gt;</b></p>');
    expect(html`${new Html("<hr>")}`.text).toBe("<hr>");
  });

  test("no text opens a tag, ends an attribute or keeps a control character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const out = escapeHtml(text);
        expect(out).not.toMatch(/[<>"']/u);
        // eslint-disable-next-line no-control-regex
        expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u);
        expect(out.isWellFormed()).toBe(true);
      }),
    );
  });
});

test.each([
  ["tables-north.pdf", "./tables-north.pdf"],
  ["artwork/Süd 1#2?.svg", "./artwork/S%C3%BCd%201%232%3F.svg"],
  ["javascript:alert(1)", "./javascript%3Aalert(1)"],
  ["../up", undefined],
  ["/etc/passwd", undefined],
  ["//evil.example/x", undefined],
  ["a\\b", undefined],
  ["", undefined],
])("toRelativeHref(%j) is %j", (path, expected) => {
  expect(toRelativeHref(path)).toBe(expected);
});

test.each([
  ["https://example.com/a", "https://example.com/a"],
  ["HTTP://127.0.0.1:8787/x", "HTTP://127.0.0.1:8787/x"],
  ["javascript:alert(1)", undefined],
  ["\tjavascript:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["https://", undefined],
  ["nonsense", undefined],
])("toWebHref(%j) is %j", (address, expected) => {
  expect(toWebHref(address)).toBe(expected);
});
