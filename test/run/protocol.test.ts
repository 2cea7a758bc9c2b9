/** The parts of the protocol that faults alone don't reach, against the hostile server. */
import { describe, expect, it } from "vitest";

import { simulate } from "./fault-simulation.ts";

const only =
  <Fault>(at: number, fault: Fault) =>
  (n: number): Fault | undefined =>
    n === at ? fault : undefined;

describe("without faults", () => {
  it("sends one write per code and per folder, and one read for the probe", async () => {
    const simulation = simulate({});
    await simulation.life();
    expect(simulation.api.writes).toBe(4 + 2);
    expect(simulation.api.reads).toBe(1);
  });

  it("asks a server that names no time for its newest code, once", async () => {
    const simulation = simulate({ isDateless: true, skewMs: -3_600_000 });
    await simulation.life();
    expect(simulation.api.reads).toBe(2);
  });
});

describe("a create whose answer was lost", () => {
  it("is found by the server's clock, whatever this machine's says", async () => {
    for (const skewMs of [-7_200_000, 7_200_000]) {
      for (const isDateless of [false, true]) {
        const simulation = simulate({ skewMs, isDateless, createFault: only(0, "drop-after") });
        expect((await simulation.run()).faults).toEqual([]);
        expect(simulation.api.creates).toBe(4);
      }
    }
  });

  it("is left to settle for four times the lag of the list", async () => {
    const simulation = simulate({ listLagMs: 12_000, createFault: only(2, "drop-after") });
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(4);
    expect(simulation.said.find((line) => line.includes("looking for them"))).toMatch(/in \d\d s/u);
  });

  it("is left to settle by the time that passes here, whatever clocks the server's machines have", async () => {
    let isSent = false;
    const simulation = simulate({
      lateMs: 9_000,
      random: () => 0.9,
      skewMs: () => (isSent ? 25_000 : 0),
      createFault: (n) => {
        isSent ||= n === 2;
        return n === 2 ? "late" : undefined;
      },
    });
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(4);
  });

  it.each([["folder"], ["display_name", "qr_data"]])(
    "is found where lists leave out %s and %s: the code's own answer has them",
    async (...omits) => {
      const simulation = simulate({ omits, createFault: only(2, "drop-after") });
      expect((await simulation.run()).faults).toEqual([]);
      expect(simulation.api.creates).toBe(4);
    },
  );

  it("is not taken for absent by a list from a cache, which lacks what the job has made", async () => {
    const simulation = simulate({ listCacheMs: 90_000, createFault: only(2, "drop-after") });
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(4);
    expect(simulation.said.join("\n")).toContain("list is behind");
  });

  it("stays in doubt as long as the list is behind, and no late double is looked for in it", async () => {
    const simulation = simulate({ listCacheMs: 7_200_000, createFault: only(2, "drop-after") });
    await expect(simulation.life()).rejects.toMatchObject({ code: "server-unavailable" });
    expect(simulation.api.creates).toBeLessThanOrEqual(4);
    expect(simulation.states()).toMatchObject({ doubt: 1 });
  });

  it.each([
    ["the list is waited for", "list is behind"],
    ["it is left to settle", "looking for them"],
    ["late doubles are waited for", "looking for late doubles"],
  ])("stays open when the run is stopped while %s: the next one decides", async (_, says) => {
    const simulation = simulate({ listCacheMs: 90_000, createFault: only(2, "drop-after") });
    let stoppedMs = 0;
    simulation.onWaiting = (message) => {
      if (!message.includes(says)) return;
      stoppedMs = simulation.clock.monotonicMs();
      simulation.stop();
    };
    await simulation.life();
    expect(simulation.said.at(-1)).toContain(says);
    expect(simulation.clock.monotonicMs()).toBe(stoppedMs);
    expect(simulation.count("doubted_from IS NOT NULL")).toBe(1);
    expect(simulation.api.creates).toBeLessThanOrEqual(4);
    simulation.onWaiting = () => undefined;
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(4);
  });

  it("stays in doubt over several runs in which the list lacks a single code", async () => {
    const simulation = simulate(
      { listCacheMs: 1_800_000, createFault: only(2, "drop-after") },
      { rows: 3, copies: 1, concurrency: 1 },
    );
    for (let run = 0; run < 2; run += 1) {
      await expect(simulation.life()).rejects.toMatchObject({ code: "server-unavailable" });
    }
    await simulation.clock.run(simulation.clock.sleep(1_800_000));
    await simulation.life();
    expect(simulation.states()).toEqual({ done: 3 });
    expect(simulation.api.creates).toBe(3);
  });

  it("is found beside codes of the job that somebody deleted, without waiting for those", async () => {
    const simulation = simulate({
      createFault: (n) => {
        if (n !== 2) return undefined;
        simulation.forgetFirst();
        return "drop-after";
      },
    });
    await simulation.life();
    expect(simulation.api.creates).toBe(4);
    expect(simulation.said.join("\n")).not.toContain("list is behind");
  });

  it("and that is committed after all has settled is a late double, which is deleted", async () => {
    const simulation = simulate(
      { createFault: only(2, "late"), lateMs: 30_000, random: () => 0.5 },
      { settleMs: 10_000 },
    );
    const ended = await simulation.run();
    expect(simulation.api.creates).toBe(5);
    expect(ended.faults).toEqual([]);
  });

  it("and whose double can't be distinguished from another's code is reported, not deleted", async () => {
    const simulation = simulate({
      createFault: (n) => {
        if (n === 3) simulation.addStranger();
        return n === 2 ? "late" : undefined;
      },
      lateMs: 30_000,
      random: () => 0.5,
    });
    await simulation.life();
    expect(simulation.said.join("\n")).toContain("may be a late double");
    expect(simulation.api.live).toHaveLength(6);
  });
});

describe("a row in doubt that vanishes from the spreadsheet", () => {
  it("is looked for all the same, and its code reported by name", async () => {
    const simulation = simulate(
      {
        createFault: (n) => {
          if (n !== 1) return undefined;
          simulation.stop();
          return "drop-after";
        },
      },
      { vanish: [1], concurrency: 1 },
    );
    await simulation.life();
    expect(simulation.count("state IN ('sending', 'doubt')")).toBe(1);
    await simulation.life();
    expect(simulation.count("presence = 'vanished' AND state = 'done'")).toBe(1);
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(4);
    expect(simulation.said.join("\n")).toMatch(/row row 1 is no longer .*"table 1"/u);
    expect(simulation.said).not.toContain("adopted row 1");
  });

  it("is not sent again when no code is found, whatever keys the server knows", async () => {
    for (const knowsKeys of [false, true]) {
      const simulation = simulate(
        { createFault: only(1, "drop-before"), knowsKeys },
        { vanish: [1], concurrency: 1 },
      );
      await expect(simulation.life(8)).rejects.toThrow("died");
      expect((await simulation.run()).faults).toEqual([]);
      expect(simulation.api.creates).toBe(4);
      expect(simulation.api.live).toHaveLength(3);
    }
  });
});

describe("a list with neither `next` nor `count`", () => {
  it("is read on as long as its pages are full", async () => {
    const simulation = simulate({
      isTerse: true,
      createFault: (n) => {
        if (n !== 2) return undefined;
        // So many codes of others come after it that it lies on the third page.
        queueMicrotask(() => {
          for (let other = 0; other < 450; other += 1) simulation.addStranger();
        });
        return "drop-after";
      },
    });
    await simulation.life();
    expect(simulation.states()).toEqual({ done: 4 });
    expect(simulation.api.creates).toBe(4);
  });
});

describe("run.late_doubles: report", () => {
  it("leaves a late double where it is and says so", async () => {
    const simulation = simulate(
      { createFault: only(2, "late"), lateMs: 30_000, random: () => 0.5 },
      { settleMs: 10_000, lateDoubles: "report" },
    );
    await simulation.life();
    expect(simulation.said.join("\n")).toContain("run.late_doubles is report");
    expect(simulation.api.live).toHaveLength(5);
  });
});

describe("a list that shows other than what was sent", () => {
  it("stops the run after one code and says why", async () => {
    const simulation = simulate({
      echo: (body) => ({ ...body, display_name: String(body["display_name"]).slice(0, 3) }),
    });
    await expect(simulation.life()).rejects.toMatchObject({
      code: "answer-unusable",
      message: expect.stringContaining('"display_name":"tab"') as string,
    });
    expect(simulation.api.creates).toBe(1);
  });
});

describe("a folder that somebody deletes", () => {
  it("is made again, and codes that lost it are adopted and filed again", async () => {
    const simulation = simulate(
      {
        createFault: (n) => {
          if (n === 1) return "drop-after";
          if (n === 2) simulation.api.forgetFolders();
          return undefined;
        },
      },
      { concurrency: 1 },
    );
    const ended = await simulation.run();
    expect(ended.faults).toEqual([]);
    expect(simulation.said).toContain("adopted row 1");
    const [adopted] = simulation.api.live.filter(
      ({ body }) => body["qr_data"] === "https://a.example/1",
    );
    expect([...simulation.api.folders.values()].map(({ id }) => id)).toContain(
      adopted?.fields["folder"],
    );
  });
});

describe("a create in doubt that is refused when it is sent again under its key", () => {
  it("is looked for: its first send may have made the code", async () => {
    const simulation = simulate(
      { echoesKeys: true, createFault: only(2, "drop-after") },
      { concurrency: 1, rows: 3 },
    );
    simulation.onDoubt = () => simulation.api.forgetFolders();
    await simulation.life();
    expect(simulation.said).toContain("adopted row 2");
    expect(simulation.states()).toEqual({ done: 3 });
    expect(simulation.api.live).toHaveLength(3);
  });
});

describe("a folder that somebody deletes while several creates are under way", () => {
  it("fails none of them", async () => {
    const forget = (n: number): undefined => {
      if (n === 4) simulation.api.forgetFolders();
    };
    const simulation = simulate({ createFault: forget }, { rows: 12, concurrency: 6 });
    await simulation.life();
    expect(simulation.states()).toEqual({ done: 12 });
    expect(simulation.api.live).toHaveLength(12);
  });
});

describe("a code that somebody renames while its row is in doubt", () => {
  it("is a conflict: nothing is sent until a person has cleared it up", async () => {
    const simulation = simulate({ createFault: only(2, "drop-after") }, { settleMs: 60_000 });
    simulation.onWaiting = () => simulation.rename("https://a.example/1", "Table one");
    await simulation.life();
    expect(simulation.states()).toEqual({ done: 3, conflict: 1 });
    await simulation.life();
    expect(simulation.api.creates).toBe(4);
    simulation.onWaiting = () => undefined;
    simulation.rename("https://a.example/1", "table 1");
    expect(simulation.retry()).toBe(true);
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(4);
  });
});

const words = { qr_data: ["This destination is not allowed."] };
const toMine = (body: Record<string, unknown>): boolean =>
  body["qr_data"] === "https://a.example/1";
const refuseMade = (body: Record<string, unknown>) =>
  toMine(body) ? { status: 422, body: words, isMade: true } : undefined;
const refuseAll = () => ({ status: 422, body: words });

describe("a create that the server refuses in words that prove nothing", () => {
  it.each([
    [422, 1],
    [406, 1],
    [409, 2],
    [423, 5],
  ])(
    "%i fails in the server's words after the list has shown nothing, with %i writes",
    async (status, writes) => {
      const refuse = (body: Record<string, unknown>) =>
        toMine(body) ? { status, body: words } : undefined;
      const simulation = simulate({ refuse });
      await simulation.life();
      expect(simulation.states()).toEqual({ done: 3, failed: 1 });
      expect(simulation.api.creates).toBe(3 + writes);
      expect(simulation.said.join("\n")).toMatch(
        /failed row 1: .*This destination is not allowed/u,
      );
      await simulation.life();
      expect(simulation.api.creates).toBe(3 + writes);
    },
  );

  it("and makes all the same is adopted", async () => {
    const simulation = simulate({ refuse: refuseMade });
    await simulation.life();
    expect(simulation.states()).toEqual({ done: 4 });
    expect(simulation.api.creates).toBe(4);
  });

  it("stops the run after as many as may fail, without a pause for a server that is away", async () => {
    const simulation = simulate(
      { refuse: refuseAll },
      { rows: 40, maxFailures: 6, concurrency: 1 },
    );
    await expect(simulation.life()).rejects.toMatchObject({ code: "too-many-failures" });
    expect(simulation.api.creates).toBe(7);
    expect(simulation.states()).toEqual({ failed: 7, pending: 33 });
    expect(simulation.said.join("\n")).not.toContain("does not answer");
  });
});

describe("a server that only ever says 429", () => {
  it("is given up after a while, with the exit code of a closed limit", async () => {
    const simulation = simulate({ createFault: () => "limited" });
    await expect(simulation.life()).rejects.toMatchObject({ code: "rate-limited", exitCode: 5 });
    expect(simulation.api.live).toHaveLength(0);
  });
});
