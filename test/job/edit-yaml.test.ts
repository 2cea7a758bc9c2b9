import * as fc from "../help/property.ts";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import {
  editYaml,
  listYamlFields,
  readYamlField,
  type YamlValue,
} from "../../src/job/yaml/edit-yaml.ts";

const manifest = `# Ours; ask Ada before you change it.
version: 1
name: shelves   # printed on Mondays

source: { file: shelves.csv, key: [shelf] }
x_unknown:
    - kept   # as it is
code:
  qr_data: '{{ url }}'
  # The logo comes later.
  design: { pattern: Circles }
output:
  dir: out/shelves
  sheets: { sheet: a4-24up-63.5x33.9, caption: ["{{ shelf }}"] }  # makeready sheets lists them
  index: [csv]
# The end.
`;

describe("editing a manifest", () => {
  test("replaces one value, and no other letter", () => {
    const path = ["output", "sheets", "sheet"];
    expect(editYaml(manifest, [{ path, value: "roll-50" }])).toBe(
      manifest.replace("a4-24up-63.5x33.9", "roll-50"),
    );
  });

  test("adds a field to a map in braces, and to one of lines", () => {
    const text = editYaml(manifest, [
      { path: ["code", "design", "frame"], value: "None" },
      { path: ["output", "zip"], value: true },
    ]);
    expect(text).toContain("  design: { pattern: Circles, frame: None }\noutput:");
    expect(text).toContain("  index: [csv]\n  zip: true\n# The end.");
  });

  test("takes fields out, and a map with its last field", () => {
    const text = editYaml(manifest, [
      { path: ["code", "design", "pattern"], value: undefined },
      { path: ["output", "sheets", "caption"], value: undefined },
      { path: ["output", "dir"], value: undefined },
    ]);
    expect(text).toContain(
      "  # The logo comes later.\noutput:\n  sheets: { sheet: a4-24up-63.5x33.9 }  #",
    );
  });

  test("makes the maps that a field stands in; true stands for one without fields", () => {
    expect(editYaml("a: 1\n", [{ path: ["b", "c", "d"], value: "x" }])).toBe(
      "a: 1\nb: { c: { d: x } }\n",
    );
    const sheets = ["output", "sheets", "copies"];
    expect(editYaml("output:\n  sheets: true # yes\n", [{ path: sheets, value: 3 }])).toBe(
      "output:\n  sheets: { copies: 3 } # yes\n",
    );
    expect(editYaml("output: {}\n", [{ path: sheets, value: 3 }])).toBe(
      "output: { sheets: { copies: 3 } }\n",
    );
    expect(editYaml("code:\noutput:\n", [{ path: ["code", "type"], value: "Text" }])).toBe(
      "code: { type: Text }\noutput:\n",
    );
  });

  test("a list of lines, and text of several lines, give way to what is put there", () => {
    const text = "a:\n  list:\n    - one\n    - two\n  note: |\n    long\n    text\n\nb: 1\n";
    expect(
      editYaml(text, [
        { path: ["a", "list"], value: ["three"] },
        { path: ["a", "note"], value: "short" },
      ]),
    ).toBe("a:\n  list: [three]\n  note: short\n\nb: 1\n");
  });

  test("a line that grows long becomes a field a line", () => {
    const text = editYaml(manifest, [
      { path: ["output", "sheets", "copies"], value: 2 },
      { path: ["output", "sheets", "order"], value: "columns" },
    ]);
    expect(text).toContain(`  sheets:  # makeready sheets lists them
    sheet: a4-24up-63.5x33.9
    caption: ["{{ shelf }}"]
    copies: 2
    order: columns
  index`);
  });

  test("refuses a value that others share", () => {
    const text = "a: &same 1\nb: *same\n";
    for (const key of ["a", "b"]) {
      expect(() => editYaml(text, [{ path: [key], value: 2 }])).toThrow("others share it");
    }
  });

  test("quotes what YAML would read as something else", () => {
    for (const value of [
      "yes",
      "0123",
      "{{ a }}",
      "#fff",
      "a: b",
      " a",
      "",
      "null",
      "- x",
      "ä b",
    ]) {
      const text = editYaml("a: {}\n", [{ path: ["a", "b"], value }]);
      expect(parse(text)).toEqual({ a: { b: value } });
    }
  });

  test("any value in any place is what is read afterwards", () => {
    const value = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string()),
    );
    const path = fc.constantFrom(
      ["name"],
      ["output", "sheets"],
      ["output", "sheets", "sheet"],
      ["output", "sheets", "copies"],
      ["output", "new"],
      ["code", "design", "pattern"],
      ["source", "key"],
    );
    fc.assert(
      fc.property(path, value, (path, value) => {
        const text = editYaml(manifest, [{ path, value }]);
        expect(readYamlField(text, path)?.value).toEqual(value);
        expect(text).toContain("# Ours; ask Ada before you change it.");
        expect(text).toContain("    - kept   # as it is");
      }),
    );
  });
});

const edit =
  (text: string, ...path: readonly string[]) =>
  (value: YamlValue | undefined) =>
    editYaml(text, [{ path, value }]);

describe("a manifest in JSON", () => {
  const wide = `{
  "version": 1, "name": "two",
  "source": { "file": "a.csv" },
  "output": {
    "dir": "out",
    "files": ["png"]
  }
}
`;

  test("stays JSON, laid out as it was", () => {
    expect(edit(wide, "output", "zip")(true)).toBe(
      wide.replace('["png"]\n', '["png"],\n    "zip": true\n'),
    );
    expect(edit(wide, "source", "key")(["n"])).toBe(
      wide.replace('"a.csv" }', '"a.csv", "key": ["n"] }'),
    );
    expect(edit(wide, "name")("abc")).toBe(wide.replace('"two"', '"abc"'));
    expect(edit(wide, "output", "dir")(undefined)).toBe(wide.replace('"dir": "out",\n    ', ""));
    expect(edit('{"a":{}}', "b", "c")("d")).toBe('{"a":{}, "b": { "c": "d" }}');
    expect(edit(wide.replaceAll("\n", "\r\n"), "output", "zip")(true)).toContain(
      '["png"],\r\n    "zip": true\r\n',
    );
  });

  test("says in JSON what it is set to, whatever that is and wherever it stands", () => {
    const path = fc.constantFrom(
      ["name"],
      ["x"],
      ["source", "key"],
      ["output"],
      ["output", "a b"],
      ["o", "p"],
    );
    const value = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string()),
      fc.dictionary(fc.string({ minLength: 1 }), fc.boolean(), { noNullPrototype: true }),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(wide, JSON.stringify(JSON.parse(wide))),
        path,
        value,
        (text, path, value) => {
          const edited = edit(text, ...path)(value);
          expect(readYamlField(edited, path)?.value).toEqual(value);
          expect(JSON.parse(edited)).toEqual(parse(edited));
        },
      ),
    );
  });
});

test("a field is read as it is written", () => {
  expect(readYamlField(manifest, ["x_unknown"])?.yaml).toBe("x_unknown:\n    - kept   # as it is");
  expect(readYamlField(manifest, ["code", "design"])?.yaml).toBe("design: { pattern: Circles }");
  expect(readYamlField(manifest, ["code", "nothing"])).toBeUndefined();
  expect(listYamlFields(manifest, ["output"])).toEqual(["dir", "sheets", "index"]);
});
