/** Answers of a megabyte, of every type, in the shape that would cost the most: measured, not read. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { fieldTypes, type FieldType } from "../../src/api/form.ts";
import { en } from "../../src/service/public/words/en.ts";
import { fieldRules } from "../../src/service/public/forms/field-rules.ts";

import { makeService, type TestService } from "./make-service.ts";
import { listResponses, publishForm, submit } from "./visit-form.ts";

let service: TestService;
beforeEach(async () => {
  service = await makeService();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.close();
});

const MEGABYTE = 1_000_000;
const options = [{ value: "s", label: "Small" }];
const toField = (type: FieldType): Record<string, unknown> => ({
  id: `temp-${type}`,
  field_type: type,
  label: `Your ${type}`,
  ...(["select", "radio", "checkbox"].includes(type) ? { options } : {}),
});

/** What is repeated, and what fits. */
const worst = {
  text: ["a", "a"],
  textarea: ["a", "a"],
  email: ["a.", "a@b.example"],
  phone: ["0", "020 7946"],
  number: ["1", "12.5"],
  select: ["s", "s"],
  radio: ["s", "s"],
  checkbox: ["s", "s"],
  date: ["1", "2026-11-20"],
  time: ["1", "14:30"],
  url: ["https", "https://a.example/"],
  rating: ["1", "1"],
  scale: ["1", "1"],
  yes_no: ["yes", "yes"],
} as const satisfies Record<Exclude<FieldType, "image">, readonly [string, string]>;

/** How often the shape of an answer is checked, and the answer to the sender. */
async function send(type: keyof typeof worst, text: string) {
  const form = await publishForm(service, [toField(type)]);
  let reads = 0;
  const { read } = fieldRules[type];
  vi.spyOn(fieldRules[type], "read").mockImplementation((field) => {
    const readOne = read(field);
    return (given) => {
      reads += 1;
      return readOne(given);
    };
  });
  const { status, html } = await submit(service, form.share_url, {
    answers: { [form.fields[0].id]: text },
  });
  const { results } = await listResponses(service, form.id);
  return { status, reads, html, stored: results.length };
}

describe("an answer", () => {
  it("has a worst case of every type", () => {
    expect([...Object.keys(worst), "image"].toSorted()).toEqual([...fieldTypes].toSorted());
  });

  describe.each(Object.entries(worst))("to a %s field", (name, [repeated, fitting]) => {
    const type = name as keyof typeof worst;

    it("of a megabyte is refused for its length, without a look at its shape", async () => {
      const long = repeated.repeat(MEGABYTE / repeated.length);
      const { status, reads, html, stored } = await send(type, long);
      expect([status, reads, stored]).toEqual([400, 0, 0]);
      expect(html).toContain(en.answer[fieldRules[type].invalid].replaceAll("'", "&#39;"));
    });

    it("of a megabyte comes back in part only, however it grows when it is shown", async () => {
      const { html } = await send(type, '"'.repeat(MEGABYTE));
      expect(html.length).toBeLessThan(200_000);
    });

    it("that is one character too long is refused as well", async () => {
      const { maxLength } = fieldRules[type];
      const long = repeated.repeat(maxLength + 1).slice(0, maxLength + 1);
      const { status, reads } = await send(type, long);
      expect([status, reads]).toEqual([400, 0]);
    });

    it("that fits is read once, with the blanks and line breaks of its sender", async () => {
      const { status, reads, stored } = await send(type, `\r\n  ${fitting}  \r\n`);
      expect([status, reads, stored]).toEqual([303, 1, 1]);
    });
  });

  it("of the length that a browser lets through is taken, line breaks and all", async () => {
    const { maxLength } = fieldRules.textarea;
    const { status, stored } = await send("textarea", `a${"\r\n".repeat(maxLength - 2)}a`);
    expect([status, stored]).toEqual([303, 1]);
  });
});
