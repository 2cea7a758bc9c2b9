import { afterEach, describe, expect, it, vi } from "vitest";

import { findTraps } from "../../src/job/yaml/traps.ts";
import { load, makeManifest, problemsOf } from "./make-manifest.ts";

/** `line:column fix` of every trap. */
const traps = (text: string): string[] =>
  findTraps(text, "f").problems.map(({ where, hint }) => `${where?.line}:${where?.column} ${hint}`);

/** How often the way in front of a character is looked back over. */
function countLooks(text: string): number {
  const look = vi.spyOn(String.prototype, "trimEnd");
  expect(traps(text)).toEqual(["1:" + (text.indexOf("#") + 1) + ' write "#111111"']);
  const { length } = look.mock.calls;
  look.mockRestore();
  return length;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("traps", () => {
  it("are looked for behind blanks, however many there are, once", () => {
    expect(countLooks(`a:${" ".repeat(100_000)}#111111`)).toBe(countLooks("a: #111111"));
    expect(countLooks(`a: [${" ".repeat(100_000)}#111111 ]`)).toBe(countLooks("a: [ #111111 ]"));
  });

  it.each([
    ["a: [1, -\t#111111]", ['1:10 write "#111111"']],
    ["- - #111111", ['1:5 write "#111111"']],
    ["? #111111", ['1:3 write "#111111"']],
    ["a- #111111", []],
    ["a: b - #111111", ['1:8 write "#111111"']],
  ])("distinguish a hyphen that begins an item from one that does not: %j", (text, expected) => {
    expect(traps(text)).toEqual(expected);
  });

  it.each([
    ["a: #111111", ['1:4 write "#111111"']],
    ["a: #abc   # dark", ['1:4 write "#abc"']],
    ["d: { c: #111111, e: 1 }", ['1:9 write "#111111"']],
    ["d: { c: #111111 }", ['1:9 write "#111111"']],
    ["d: {\n  c: #111111\n}", ['2:6 write "#111111"']],
    ["- #fff", ['1:3 write "#fff"']],
    ["a: {{ x }}", ['1:4 write "{{ x }}"']],
    ["a: {{ x | pad: 3 }}", ['1:4 write "{{ x | pad: 3 }}"']],
    ["a: {{ x }}.png # remark", ['1:4 write "{{ x }}.png"']],
    ["a: {{ x }} / table {{ y }}", ['1:4 write "{{ x }} / table {{ y }}"']],
    ['a: {{ x | prefix: "T" }}', [`1:4 write '{{ x | prefix: "T" }}'`]],
    ["- {{ x }}", ['1:3 write "{{ x }}"']],
    ['a: [{{ x }}, "b"]', ['1:5 write "{{ x }}"']],
    ["d: { a: x-{{ y }}, b: {{ z }} }", ['1:9 write "x-{{ y }}"', '1:23 write "{{ z }}"']],
    ["d: { a: ${X}, b: x-${Y:-1} }", ['1:9 write "${X}"', '1:18 write "x-${Y:-1}"']],
    ["a: &x {{ y }}", []],
  ])("in %j", (text, expected) => expect(traps(text)).toEqual(expected));

  it.each([
    "a: x-{{ y }}",
    "a: ${X}-{{ y }}",
    'a: { b: "${X}" }',
    "a: https://x.example/{{ y }}",
    'a: "{{ x }}"',
    "a: '{{ x }}'",
    "a: '#111111'",
    "a: it's {{ x }}",
    "# {{ x }} #111111",
    "a: x # {{ y }}",
    "key: #abc remark\n  b: 1",
    "a: # 111111",
    "a: #remark",
    "t: |\n  {{ x }}\n  #111111\nb: 1",
    "t: >-\n  {{ x }}\n\n  #111111",
    'a: "x\n  {{ y }} #111111\n  z"',
    "a: Tables,{{ x }}",
    "a: { b: { c: 1 } }",
    "a: {b: {c: {}}}",
  ])("not in %j", (text) => expect(traps(text)).toEqual([]));

  it("leave everything else where it was", () => {
    const text = "a: {{ x }}.png\nb: { c: #111111, d: 1 }\ne: 2\n";
    const { text: repaired } = findTraps(text, "f");
    expect(repaired).toHaveLength(text.length);
    expect(repaired.split("\n").map((line) => line.length)).toEqual(
      text.split("\n").map((line) => line.length),
    );
    expect(repaired).toContain(", d: 1 }\ne: 2\n");
  });

  it("are the only problem reported at their place", async () => {
    const code =
      "code:\n  qr_data: {{ url }}\n  design: { primary_color: #111111, eye_color: #fff }";
    expect(await problemsOf(makeManifest({ code }))).toEqual([
      '6:12 template must be in quotes, got {{ url }} (an unquoted { begins a map) (write "{{ url }}")',
      '7:28 colour must be in quotes, got #111111 (an unquoted # begins a remark, so the value is lost) (write "#111111")',
      '7:48 colour must be in quotes, got #fff (an unquoted # begins a remark, so the value is lost) (write "#fff")',
    ]);
  });

  it("lost zeros are reported with their fix", async () => {
    const source =
      "source: { file: a, columns: { gtin: { default: 09506000134352 }, url: {}, site: {} }, key: [007] }";
    expect(await problemsOf(makeManifest({ source }))).toEqual([
      '4:48 source.columns.gtin.default must be in quotes, got 09506000134352 (unquoted it is a number and loses its zero) (write "09506000134352")',
      '4:93 source.key[0] must be in quotes, got 007 (unquoted it is a number and loses its zero) (write "007")',
    ]);
  });

  it("quoted they are all fine", async () => {
    const job = await load(
      makeManifest({
        source: 'source: { file: a, columns: { url: { default: "09506000134352" }, site: {} } }',
        code: 'code: { qr_data: "{{ url }}.png", design: { primary_color: "#111111" } }',
      }),
    );
    expect(job.code).toMatchObject({
      qrData: "{{ url }}.png",
      design: { primary_color: "#111111" },
    });
  });
});
