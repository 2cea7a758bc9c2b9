import { expect, it } from "vitest";

import { listFieldErrors, readErrorBody } from "../../src/api/errors.ts";

it("lists field errors with their place", () => {
  const errors = {
    workspace: ["This field is required."],
    vcard: { first_name: ["Too long.", "Ugly."], non_field_errors: ["Odd."] },
    non_field_errors: ["Not JSON."],
  };
  expect(listFieldErrors(errors)).toEqual([
    "workspace: This field is required.",
    "vcard.first_name: Too long.",
    "vcard.first_name: Ugly.",
    "vcard: Odd.",
    "Not JSON.",
  ]);
});

it.each<[unknown, string[]]>([
  [{ detail: "Not found.", code: 5 }, ["Not found."]],
  [{ slug: ["Taken."] }, ["slug: Taken."]],
  ["<html>", []],
  [null, []],
  [{ detail: 5 }, []],
  [[], []],
])("reads %j", (body, expected) => {
  expect(readErrorBody(body)).toEqual(expected);
});
