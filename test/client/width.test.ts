/** docs/spec/engine.md section 2.5: additive increase, multiplicative decrease. */
import { describe, expect, it } from "vitest";

import { Width } from "../../src/client/width.ts";

type Entry = NonNullable<ReturnType<Width["enter"]>>;

function enterAll(width: Width, atMost = 100): Entry[] {
  const entries: Entry[] = [];
  while (entries.length < atMost) {
    const entry = width.enter();
    if (entry === undefined) break;
    entries.push(entry);
  }
  return entries;
}

/** A width of 8 under way, of which all failed. */
function afterTrouble(): Width {
  const width = new Width();
  for (const entry of enterAll(width, 8)) width.done(entry, "bad");
  return width;
}

describe("the number of requests under way", () => {
  it("has no bound of its own while the server answers", () => {
    expect(enterAll(new Width(), 64)).toHaveLength(64);
  });

  it("is halved once by failures that left together", () => {
    expect(enterAll(afterTrouble())).toHaveLength(4);
  });

  it("falls to one, never to none", () => {
    const width = afterTrouble();
    for (let round = 0; round < 10; round += 1) {
      for (const entry of enterAll(width)) width.done(entry, "bad");
    }
    expect(enterAll(width)).toHaveLength(1);
  });

  it("grows by one with every round of good answers", () => {
    const width = afterTrouble();
    const sizes = [4, 5, 6, 7, 8];
    for (const size of sizes) {
      const entries = enterAll(width);
      expect(entries).toHaveLength(size);
      for (const entry of entries) width.done(entry, "good");
    }
  });

  it("is not changed by what never left", () => {
    const width = afterTrouble();
    for (const entry of enterAll(width)) width.done(entry, "none");
    expect(enterAll(width)).toHaveLength(4);
  });
});
