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

test("fields that go come last", () => {
  const gone = { path: ["schedule", "paused"], value: undefined };
  const words = toSettingWords([gone, { path: ["name"], value: "a" }]);
  expect(words).toEqual(["name=a", "--unset", "schedule.paused"]);
  expect(readUnset("schedule.paused")).toEqual(gone);
});

test.each(["output.dir", "=x", "a b=c", "a..b=c"])("%s is no field with a value", (text) => {
  expect(() => readSetting(text)).toThrow("a field must be written FIELD=VALUE");
});
