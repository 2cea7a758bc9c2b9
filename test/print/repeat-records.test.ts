import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import {
  copyOrders,
  countLabels,
  countOvers,
  repeatRecords,
  type Repeats,
} from "../../src/print/layout/repeat-records.ts";

async function collect<R>(records: AsyncIterable<{ readonly record: R }>): Promise<R[]> {
  const all: R[] = [];
  for await (const { record } of records) all.push(record);
  return all;
}

async function* stream(): AsyncGenerator<string> {
  yield* ["a", "b"];
}

const once = (): Iterable<string> => ["a", "b"].values();

const repeats = (changes: Partial<Repeats>): Repeats => ({
  copies: 1,
  copyOrder: "adjacent",
  overs: 0,
  ...changes,
});

const anyRepeats = fc.record({
  copies: fc.integer({ min: 1, max: 6 }),
  copyOrder: fc.constantFrom(...copyOrders),
  overs: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe("repeatRecords", () => {
  it.each([
    ["series", "a b a b a b"],
    ["adjacent", "a a a b b b"],
  ] as const)("repeats in %s", async (copyOrder, expected) => {
    const labels = await collect(repeatRecords(["a", "b"], repeats({ copies: 3, copyOrder })));
    expect(labels.join(" ")).toBe(expected);
  });

  it("adds the first records again as overs, one of a started share", async () => {
    expect(await collect(repeatRecords(["a", "b", "c"], repeats({ overs: 0.34 })))).toEqual([
      "a",
      "b",
      "c",
      "a",
      "b",
    ]);
    expect(countOvers(100, { overs: 0.07 })).toBe(7);
    expect(countOvers(0, { overs: 0.5 })).toBe(0);
  });

  it("gives record n what docs/spec/print.md section 8 says, in as many labels as it counts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), anyRepeats, async (count, how) => {
        const labels = await collect(
          repeatRecords(
            Array.from({ length: count }, (_, i) => i),
            how,
          ),
        );
        expect(labels).toHaveLength(countLabels(count, how));
        for (const [n, i] of labels.slice(0, count * how.copies).entries()) {
          expect(i).toBe(how.copyOrder === "series" ? n % count : Math.floor(n / how.copies));
        }
        expect(labels.slice(count * how.copies)).toEqual(
          Array.from({ length: countOvers(count, how) }, (_, i) => i),
        );
      }),
    );
  });

  it("takes no records, and records that come one by one", async () => {
    expect(await collect(repeatRecords([], repeats({ copies: 3, overs: 1 })))).toEqual([]);
    const labels = await collect(repeatRecords(stream(), repeats({ copies: 2 })));
    expect(labels.join("")).toBe("aabb");
  });

  it.each(copyOrders)(
    "gives each record its own copies in %s; one of none has no overs",
    async (copyOrder) => {
      const wanted: Readonly<Record<string, number>> = { a: 1, none: 0, b: 2, c: 3 };
      const how = repeats({ copyOrder, overs: 0.5 });
      const all: string[] = [];
      for await (const { record, copy } of repeatRecords(
        Object.keys(wanted),
        how,
        (record) => wanted[record] ?? 0,
      ))
        all.push(`${record}${copy}`);
      const own =
        copyOrder === "series"
          ? ["a0", "b0", "c0", "b1", "c1", "c2"]
          : ["a0", "b0", "b1", "c0", "c1", "c2"];
      expect(all).toEqual([...own, "a1", "b2"]);
      expect(all).toHaveLength(countLabels(3, how, 6));
    },
  );

  it("says so when records can't be read again", async () => {
    await expect(
      collect(repeatRecords(once(), repeats({ copies: 2, copyOrder: "series" }))),
    ).rejects.toThrow(/readable again/u);
    await expect(collect(repeatRecords(once(), repeats({ overs: 0.5 })))).rejects.toThrow(
      /readable again/u,
    );
  });
});
