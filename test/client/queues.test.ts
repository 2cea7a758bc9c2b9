import { describe, expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { feed, makeQueue, makeQueues, type Priority } from "../../src/client/queues.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Works that end on request. */
function makeWorks(): {
  begin(name: string): Promise<void>;
  end(name: string): void;
  begun: string[];
} {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    begin: (name) => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    end: (name) => ends.get(name)?.(),
  };
}

async function* slowLetters(): AsyncIterable<string> {
  yield "a";
  await turn();
  yield "b";
}

function* brokenFile(): Iterable<number> {
  yield 1;
  throw new Error("the file is broken");
}

describe("makeQueue", () => {
  it("runs no more at a time than it should, the most urgent first, else in order", async () => {
    const queue = makeQueue(1);
    const works = makeWorks();
    const add = (name: string, priority: Priority): Promise<void> =>
      queue.add(() => works.begin(name), priority);
    const all = [
      add("first", "downloads"),
      add("download", "downloads"),
      add("create 1", "creates"),
      add("update", "updates"),
      add("create 2", "creates"),
      add("lane", "lane"),
    ];
    expect([queue.pending, queue.size]).toEqual([1, 5]);
    const order = ["first", "lane", "update", "create 1", "create 2", "download"];
    for (const name of order) {
      await turn();
      expect(works.begun.at(-1)).toBe(name);
      works.end(name);
    }
    await Promise.all(all);
    await queue.onIdle();
    expect(works.begun).toEqual(order);
  });

  it("hands back what a work returns or throws", async () => {
    const queue = makeQueue(2);
    await expect(queue.add(async () => 7, "creates")).resolves.toBe(7);
    await expect(
      queue.add(async () => {
        throw new Error("no");
      }, "creates"),
    ).rejects.toThrow("no");
  });
});

describe("makeQueues", () => {
  it("makes three, apart from each other", async () => {
    const queues = makeQueues(3);
    expect([queues.write.concurrency, queues.read.concurrency]).toEqual([3, 3]);
    expect(queues.cpu.concurrency).toBeGreaterThan(0);
    expect(makeQueues().write.concurrency).toBe(8);
  });
});

describe("feed", () => {
  const options = { priority: "creates" } as const;

  it("works through everything, and says how much", async () => {
    const seen: number[] = [];
    const count = await feed(
      makeQueue(3),
      [1, 2, 3, 4, 5],
      async (n) => void seen.push(n),
      options,
    );
    expect(count).toBe(5);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    await expect(feed(makeQueue(3), [], async () => {}, options)).resolves.toBe(0);
  });

  it("reads a long source only as far as it has room, in flat memory", async () => {
    const clock = fakeClock();
    const queue = makeQueue(4);
    let read = 0;
    let running = 0;
    let most = 0;
    function* source(): Iterable<number> {
      for (; read < 1_000; read += 1) yield read;
    }
    const feeding = feed(
      queue,
      source(),
      async () => {
        running += 1;
        most = Math.max(most, running);
        await clock.sleep(10);
        running -= 1;
      },
      options,
    );
    await clock.advance(0);
    // 4 run, 8 wait, one is in hand.
    expect(read).toBeLessThanOrEqual(4 + 8 + 1);
    await clock.advance(2_500);
    await expect(feeding).resolves.toBe(1_000);
    expect(most).toBe(4);
  });

  it("takes an async source", async () => {
    const seen: string[] = [];
    await feed(makeQueue(2), slowLetters(), async (name) => void seen.push(name), options);
    expect(seen).toEqual(["a", "b"]);
  });

  it("stops at the first error, lets what runs end, begins nothing more, and throws it", async () => {
    const works = makeWorks();
    const queue = makeQueue(2);
    const feeding = feed(
      queue,
      ["good", "bad", "c", "d", "e", "f", "g", "h", "i"],
      async (name) => {
        if (name === "bad") {
          await turn();
          throw new Error("bad row");
        }
        await works.begin(name);
      },
      options,
    );
    let isOver = false;
    const settled = feeding.catch(() => {}).then(() => (isOver = true));
    await turn();
    // Others are waiting by now.
    expect(queue.size).toBeGreaterThan(2);
    await turn();
    expect(isOver).toBe(false);
    works.end("good");
    await settled;
    await expect(feeding).rejects.toThrow("bad row");
    expect(works.begun).toEqual(["good"]);
    expect([queue.pending, queue.size]).toEqual([0, 0]);
  });

  it("throws what the source throws, after what runs has ended", async () => {
    const done: number[] = [];
    const feeding = feed(
      makeQueue(2),
      brokenFile(),
      async (n) => {
        await turn();
        done.push(n);
      },
      options,
    );
    await expect(feeding).rejects.toThrow("the file is broken");
    expect(done).toEqual([1]);
  });

  it("begins nothing more once it is stopped, and still counts", async () => {
    const stop = new AbortController();
    const count = await feed(
      makeQueue(1),
      [1, 2, 3, 4, 5, 6],
      async (n) => {
        if (n === 2) stop.abort();
      },
      { ...options, signal: stop.signal },
    );
    expect(count).toBe(2);
  });

  it("lets urgent work of others in between", async () => {
    const queue = makeQueue(1);
    const order: string[] = [];
    const feeding = feed(
      queue,
      ["row 1", "row 2", "row 3"],
      async (name) => {
        order.push(name);
        if (name === "row 1") void queue.add(async () => void order.push("lane"), "lane");
        await turn();
      },
      options,
    );
    await feeding;
    expect(order).toEqual(["row 1", "lane", "row 2", "row 3"]);
  });
});
