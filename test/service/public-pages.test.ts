/**
 * The live landing page: `/page/{slug}` (docs/spec/api.md sections 2.10 and 4.6). In a browser:
 * test/e2e.
 */
import * as fc from "../help/property.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { parseHexColor, toContrastRatio } from "../../src/base/color/color.ts";
import { toColorStyle } from "../../src/service/public/page-colors.ts";

import { makeService, type TestService, type Wire } from "./make-service.ts";

let service: TestService;
beforeEach(async () => {
  service = await makeService();
});
afterEach(() => service.close());

async function open(
  fields: Record<string, unknown>,
): Promise<{ html: string; headers: Headers; status: number }> {
  const { workspace } = service;
  const body = { workspace, title: "Café", ...fields };
  const made: Wire = (await service.send("POST", "/page/create/", body)).body;
  const answer = await service.fetch(new Request(made.share_url));
  return { html: await answer.text(), headers: answer.headers, status: answer.status };
}

it("has title, text and buttons in their order, each with its address", async () => {
  const links = [
    { url: "https://example.com/a?b=1&c=2", title: "First" },
    { url: "https://example.com/b", title: "Second", type: "Instagram" },
    { url: "https://sub.example.com/c" },
    { url: "https://example.com/d", type: "YouTube" },
    { url: "mailto:hi@example.com" },
    { url: "tel:+4930123" },
  ];
  const { html, headers, status } = await open({ description: "Open\ndaily", links });
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(html).toContain('<h1 dir="auto">Café</h1>');
  expect(html).toContain("Open\ndaily</p>");
  const shown = [...html.matchAll(/<a href="([^"]+)"[^>]*>.*?<span dir="auto">([^<]+)<\/span>/gu)];
  expect(shown.map(([, href, text]) => [href, text])).toEqual([
    ["https://example.com/a?b=1&amp;c=2", "First"],
    ["https://example.com/b", "Second"],
    ["https://sub.example.com/c", "sub.example.com"],
    ["https://example.com/d", "YouTube"],
    ["mailto:hi@example.com", "hi@example.com"],
    ["tel:+4930123", "+4930123"],
  ]);
});

it("runs no script and loads nothing (docs/spec/design.md promise 10)", async () => {
  const { html, headers } = await open({ links: [{ url: "https://example.com/" }] });
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/u,
  );
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(html).not.toMatch(/<script|<img|<link|@import|url\(| style=| on[a-z]+=/u);
});

it("escapes title, text, buttons and their kinds", async () => {
  const evil = `"><script>alert(1)</script>`;
  const url = `https://example.com/?q="><script>alert(1)</script>`;
  const { html } = await open({
    title: evil,
    description: evil,
    links: [
      { url, title: evil },
      { url, type: evil.slice(0, 50) },
    ],
  });
  expect(html).not.toContain("<script");
  expect(html.match(/&lt;script&gt;/gu)?.length).toBeGreaterThanOrEqual(7);
});

it.each([
  [{ type: "Instagram" }, { type: "instagram " }],
  [{ type: "WhatsApp" }, { type: "Telegram" }],
  [{ type: "Website" }, { type: "Something of next year" }],
  [{ type: "Email" }, { url: "mailto:a@b.example" }],
])("has an icon by what is behind a button: %j like %j", async (one, other) => {
  const url = "https://example.com/";
  const { html } = await open({
    links: [
      { url, ...one },
      { url, ...other },
    ],
  });
  const icons = [...html.matchAll(/<a [^>]*>(<svg.*?<\/svg>)/gu)].map(([, svg]) => svg);
  expect(icons).toHaveLength(2);
  expect(icons[0]).toBe(icons[1]);
  expect(icons[0]).toContain('aria-hidden="true"');
});

it("answers an unknown page with 404, other methods with 405", async () => {
  for (const slug of ["none", "__proto__", "%00", "a'--"]) {
    const answer = await service.fetch(new Request(`https://go.example/page/${slug}`));
    expect([answer.status, (await answer.text()).includes("Not found")]).toEqual([404, true]);
  }
  const post = await service.fetch(new Request("https://go.example/page/x", { method: "POST" }));
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

/** Each palette of a style: name -> colour. */
const readPalettes = (css: string) =>
  [...css.matchAll(/:root\{([^}]*)\}/gu)].map(
    ([, list = ""]) =>
      new Map(
        [...list.matchAll(/--([a-z-]+):(#[0-9a-f]{6})/gu)].map(([, name, value]) => [
          name,
          parseHexColor(value ?? ""),
        ]),
      ),
  );

const fail = (name: string): never => {
  throw new Error(`no colour ${name}`);
};

describe("colours (WCAG 2.2: 1.4.3, 1.4.11)", () => {
  const color = fc
    .tuple(...([0, 1, 2] as const).map(() => fc.integer({ min: 0, max: 255 })))
    .map((channels) => `#${channels.map((one) => one.toString(16).padStart(2, "0")).join("")}`);
  const chosen = fc.option(color, { nil: null });

  it("are the owner's choice where it is readable", () => {
    const css = toColorStyle({
      bg_color: "#0b3d2e",
      text_color: "#f7efe0",
      button_color: "#ffcc00",
      button_text_color: "#111111",
    });
    expect(css).toMatch(
      /--bg:#0b3d2e;--ink:#f7efe0;.*--button:#ffcc00;--button-ink:#111111;color-scheme:dark/u,
    );
    expect(css).not.toContain("@media");
    expect(toColorStyle({ bg_color: "#fff", text_color: "#eee" })).toMatch(
      /--bg:#ffffff;--ink:#1c1b19/u,
    );
    expect(toColorStyle({ bg_color: null, text_color: null })).toContain(
      "prefers-color-scheme:dark",
    );
  });

  it("can always be read: text 4.5 : 1, edges of controls 3 : 1", () => {
    fc.assert(
      fc.property(
        chosen,
        chosen,
        chosen,
        chosen,
        (bg_color, text_color, button_color, button_text_color) => {
          const palettes = readPalettes(
            toColorStyle({ bg_color, text_color, button_color, button_text_color }),
          );
          expect(palettes.length).toBe(bg_color === null && text_color === null ? 2 : 1);
          for (const palette of palettes) {
            const ratio = (over: string, ground: string): number =>
              toContrastRatio(palette.get(over) ?? fail(over), palette.get(ground) ?? fail(ground));
            for (const ground of ["bg", "surface"]) {
              for (const text of ["ink", "muted", "error"])
                expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5);
              expect(ratio("edge", ground)).toBeGreaterThanOrEqual(3);
            }
            expect(ratio("button-ink", "button")).toBeGreaterThanOrEqual(4.5);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
