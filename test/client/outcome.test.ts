import { describe, expect, it } from "vitest";

import { classify, type OutcomeClass } from "../../src/client/outcome.ts";

/** docs/spec/engine.md section 1.4, and then everything else. */
const certain: Readonly<Record<number, OutcomeClass>> = {
  200: "done",
  201: "done",
  400: "refused",
  401: "auth",
  402: "auth",
  403: "auth",
  404: "refused",
  405: "refused",
  410: "refused",
  413: "refused",
  414: "refused",
  415: "refused",
  429: "limited",
};

describe("classify", () => {
  it("knows that what was not written was not done", () => {
    expect(classify({ kind: "failure", written: false })).toBe("not-sent");
  });

  it("doubts what was written and not answered", () => {
    expect(classify({ kind: "failure", written: true })).toBe("doubt");
  });

  it.each(Object.entries(certain))("takes %s for %s", (status, expected) => {
    expect(classify({ kind: "answer", status: Number(status), hasId: true })).toBe(expected);
  });

  it.each([200, 201])("doubts a %i whose body holds no id", (status) => {
    expect(classify({ kind: "answer", status, hasId: false })).toBe("doubt");
  });

  it("doubts every other status there can be, with an id or without", () => {
    for (let status = 100; status < 1000; status += 1) {
      if (status in certain) continue;
      for (const hasId of [true, false]) {
        expect([status, classify({ kind: "answer", status, hasId })]).toEqual([status, "doubt"]);
      }
    }
  });

  it("does not let a body make a refusal of a success or the other way round", () => {
    expect(classify({ kind: "answer", status: 400, hasId: true })).toBe("refused");
    expect(classify({ kind: "answer", status: 429, hasId: true })).toBe("limited");
  });
});
