import { expect, test } from "vitest";

import type { YamlValue } from "../../src/job/yaml/edit-yaml.ts";
import { readSetting, readUnset, toSettingWords } from "../../src/job/yaml/field-settings.ts";

const values: readonly YamlValue[] = [
  "plain",
  "https://go.example.com",
  "0 6 * * *",
  "{{ shelf }}: left\n# right",
  "#0a4d7c",
  "Shelf: {{ shelf }}",
  "a # b",
  "007",
  "null",
  "true",
  "",
  " ends with a blank ",
  "[a",
  7,
  0.5,
  true,
  ["a", "b: c"],
  { cron: "0 6 * * *", paused: true },
];

test.each(values)("%j is written as a word and read back", (value) => {
  const edit = { path: ["output", "dir"], value };
  const [word = ""] = toSettingWords([edit]);
  expect(readSetting(word)).toEqual(edit);
});

test.each([
  [["source", "columns", "Personal-Nr."], 'source.columns["Personal-Nr."]'],
  [["source", "columns", "Straße", "type"], 'source.columns["Straße"].type'],
  [["source", "columns", 'a="b" \\'], 'source.columns["a=\\"b\\" \\\\"]'],
])("%j: names that are no plain words stand in quotes", (keys, field) => {
  const edit = { path: keys, value: { required: true } };
  const [word = ""] = toSettingWords([edit]);
  expect(word).toBe(`${field}={ required: true }`);
  expect(readSetting(word)).toEqual(edit);
  expect(readUnset(field)).toEqual({ path: keys, value: undefined });
  expect(readSetting("source.columns['Personal-Nr.'].type=text").path).toEqual([
    "source",
    "columns",
    "Personal-Nr.",
    "type",
  ]);
});

test("fields that go come last", () => {
  const gone = { path: ["schedule", "paused"], value: undefined };
  const words = toSettingWords([gone, { path: ["name"], value: "a" }]);
  expect(words).toEqual(["name=a", "--unset", "schedule.paused"]);
  expect(readUnset("schedule.paused")).toEqual(gone);
});

test.each(["output.dir", "=x", "a b=c", "a..b=c", "a.b.=c", 'a[""]=c', 'a["b]=c'])(
  "%s is no field with a value",
  (text) => {
    expect(() => readSetting(text)).toThrow("a field must be written FIELD=VALUE");
    expect(() => readSetting(text)).toThrow(
      expect.objectContaining({
        hint: `for example output.dir=out/test; a name that is no plain word goes into quotes: 'source.columns["Item No."]={ required: true }'`,
      }) as Error,
    );
  },
);
