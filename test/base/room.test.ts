import { describe, expect, it } from "vitest";

import { mapAtOnce, Room } from "../../src/base/flow/room.ts";

/** Lets everything that is ready go on. */
const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

describe("Room", () => {
  it("lets in what fits, in the order of coming; what is too large goes alone", async () => {
    const room = new Room(10);
    const order: string[] = [];
    const enter = (name: string, amount: number) =>
      room.take(amount).then((giveBack) => {
        order.push(name);
        return giveBack;
      });
    const [a, b, c, d] = [enter("a", 6), enter("b", 4), enter("large", 99), enter("d", 1)];
    await settle();
    expect(order).toEqual(["a", "b"]);
    (await a)();
    (await a)();
    await settle();
    expect(order).toEqual(["a", "b"]);
    (await b)();
    await settle();
    expect(order).toEqual(["a", "b", "large"]);
    (await c)();
    await settle();
    expect(order).toEqual(["a", "b", "large", "d"]);
    (await d)();
  });

  it("is given back by work that fails", async () => {
    const room = new Room(1);
    await expect(room.use(1, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await room.use(1, () => Promise.resolve("yes"))).toBe("yes");
  });
});

describe("mapAtOnce", () => {
  it("keeps the order of items, and works on no more at once than asked", async () => {
    let [now, most] = [0, 0];
    const results = await mapAtOnce([5, 1, 4, 2, 3], 2, async (item, index) => {
      now += 1;
      most = Math.max(most, now);
      for (let turn = 0; turn < item; turn += 1) await settle();
      now -= 1;
      return `${index}:${item}`;
    });
    expect(results).toEqual(["0:5", "1:1", "2:4", "3:2", "4:3"]);
    expect(most).toBe(2);
    expect(await mapAtOnce([], 3, () => Promise.resolve(1))).toEqual([]);
  });

  it("throws what fails first, and begins nothing more", async () => {
    const begun: number[] = [];
    const work = (item: number): Promise<number> => {
      begun.push(item);
      return item === 1 ? Promise.reject(new Error("one")) : settle().then(() => item);
    };
    await expect(mapAtOnce([0, 1, 2, 3, 4, 5], 2, work)).rejects.toThrow("one");
    await settle();
    expect(begun.length).toBeLessThan(5);
  });
});
