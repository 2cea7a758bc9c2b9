/** The protocol against servers that write their lists otherwise than the document shows. */
import { describe, expect, it } from "vitest";

import type { HostileOptions } from "../help/hostile-api.ts";
import { simulate, type FaultSimulation } from "./fault-simulation.ts";

type Fields = Record<string, unknown>;

const loseThird: HostileOptions["createFault"] = (n) => (n === 2 ? "drop-after" : undefined);
const loseFirst: HostileOptions["createFault"] = (n) => (n === 0 ? "drop-after" : undefined);

const rename = (item: Fields, field: string, to: (value: never) => unknown): Fields => ({
  ...item,
  ...(field in item && { [field]: to(item[field] as never) }),
});

const toNumber = (id: string | undefined): number | undefined =>
  id === undefined ? undefined : Number(id.replaceAll(/\D/gu, ""));

describe("a list that leaves out", () => {
  it.each([
    [["dynamic"]],
    [["qr_type"]],
    [["dynamic", "shortlink_url"]],
    [["dynamic", "shortlink_url", "qr_type", "folder", "qr_data", "display_name"]],
    [["created"]],
    [["created", "dynamic", "shortlink_url", "qr_type", "folder", "qr_data", "display_name"]],
  ])("%s: the code's own answer has them, and each lost code is found", async (omits) => {
    for (const createFault of [loseFirst, loseThird]) {
      const simulation = simulate({ omits, createFault });
      expect((await simulation.run()).faults).toEqual([]);
      expect(simulation.api.creates).toBe(4);
    }
  });

  it("a field: asks, by its other fields, only for codes that may be a row's, and once for each", async () => {
    const simulation = simulate({
      omits: ["folder"],
      createFault: (n) => {
        if (n === 3) for (let other = 0; other < 20; other += 1) simulation.addStranger();
        return loseThird(n);
      },
    });
    await simulation.life();
    expect(simulation.states()).toEqual({ done: 4 });
    // The probe, the lane and the audit read the list; the probe's code and the lost one are
    // requested, and for the audit each code with an unknown folder.
    expect(simulation.api.reads).toBeLessThanOrEqual(3 + 2 + 20);
  });

  it.each([[["dynamic", "shortlink_url"]], [["qr_type"]], [["folder"]], [["display_name"]]])(
    "%s, as does the answer for the code itself, stops every run before it makes a second code",
    async (omits) => {
      const simulation = simulate({ omits, omitsAlone: omits });
      for (let run = 0; run < 3; run += 1) {
        await expect(simulation.life()).rejects.toMatchObject({
          code: "answer-unusable",
          message: expect.stringContaining(`must show ${omits[0]} of code`) as string,
        });
        expect(simulation.api.creates).toBe(1);
      }
    },
  );

  it("a field, of a code that can't be asked for, proves nothing absent", async () => {
    const simulation = simulate({ omits: ["folder"], createFault: loseFirst }, { rows: 1 });
    const handle = simulation.api.handle.bind(simulation.api);
    simulation.api.handle = async (request) =>
      /\/qrcode\/code-\d+\/$/u.test(request.path)
        ? handle({ ...request, path: "/api/v2/nowhere/" })
        : handle(request);
    for (let run = 0; run < 3; run += 1) {
      await expect(simulation.life()).rejects.toMatchObject({ code: "server-unavailable" });
    }
    expect(simulation.api.creates).toBe(1);
    simulation.api.handle = handle;
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(1);
  });
});

describe("a list that shows another name than was sent", () => {
  it("stops every run before it makes a second code, until the server is mended", async () => {
    let isCut = true;
    const simulation = simulate({
      spell: (item) =>
        rename(item, "display_name", (name: string) => (isCut ? name.slice(0, 3) : name)),
    });
    for (let run = 0; run < 3; run += 1) {
      await expect(simulation.life()).rejects.toMatchObject({ code: "answer-unusable" });
      expect(simulation.api.creates).toBe(1);
    }
    isCut = false;
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(4);
  });
});

describe("a server that writes", () => {
  const spellings: Readonly<Record<string, (item: Fields) => Fields>> = {
    "types in small letters": (item) =>
      rename(item, "qr_type", (type: string) => type.toLowerCase()),
    "types in capitals": (item) => rename(item, "qr_type", (type: string) => type.toUpperCase()),
    "booleans as text": (item) => rename(item, "dynamic", String),
    "booleans as True": (item) => rename(item, "dynamic", (is: boolean) => (is ? "True" : "False")),
    "booleans as numbers": (item) => rename(item, "dynamic", Number),
    "times with an offset": (item) =>
      rename(item, "created", (at: string) => at.replace("Z", "+00:00")),
    "times of another zone": (item) =>
      rename(item, "created", (at: string) =>
        new Date(Date.parse(at) + 7_200_000).toISOString().replace("Z", "+0200"),
      ),
    "times with a short offset": (item) =>
      rename(item, "created", (at: string) => at.replace("T", " ").replace("Z", "+00")),
    "times without zone": (item) => rename(item, "created", (at: string) => at.replace("Z", "")),
    "times in microseconds": (item) =>
      rename(item, "created", (at: string) => at.replace("Z", "456Z")),
    "times in whole seconds": (item) =>
      rename(item, "created", (at: string) => at.replace(/\.\d+Z/u, "Z")),
    "times as numbers of seconds": (item) =>
      rename(item, "created", (at: string) => Date.parse(at) / 1000),
    "times as numbers of milliseconds": (item) =>
      rename(item, "created", (at: string) => Date.parse(at)),
    "folders as ids": (item) =>
      rename(item, "folder", (folder: { id: string } | null) => folder?.id ?? null),
    "folders without names": (item) =>
      rename(item, "folder", (folder: { id: string } | null) => folder && { id: folder.id }),
    "no folder as an empty text": (item) =>
      rename(item, "folder", (folder: { id: string } | null) => folder ?? ""),
    "fields that can't be what they are called": (item) => ({
      ...item,
      png: 5,
      tags: "none",
      total_scans: "many",
    }),
  };

  it.each(Object.entries(spellings))("%s is understood", async (_says, spell) => {
    const simulation = simulate({ spell, createFault: loseThird });
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(4);
  });

  it("ids as numbers is understood", async () => {
    const simulation = simulate({
      createFault: loseThird,
      spell: (item) => rename(item, "id", toNumber),
    });
    await simulation.life();
    expect(simulation.states()).toEqual({ done: 4 });
    expect(simulation.api.creates).toBe(4);
  });
});

const strangers = (simulation: FaultSimulation, n: number): void => {
  for (let other = 0; other < n; other += 1) simulation.addStranger();
};

const next = (told: unknown): Partial<HostileOptions> => ({
  spellPage: (page) => ({ ...page, next: page["next"] === null ? null : told }),
});
const drop = (...fields: readonly string[]): Partial<HostileOptions> => ({
  spellPage: (page) =>
    Object.fromEntries(Object.entries(page).filter(([field]) => !fields.includes(field))),
});

/** A server that can't be asked for ever: after 300 reads it is away. */
const tire = ({ api }: FaultSimulation): void => {
  const handle = api.handle.bind(api);
  api.handle = async (request) => (api.reads > 300 ? { kind: "drop" } : handle(request));
};

describe("a list whose pages", () => {
  const ways: Readonly<Record<string, Partial<HostileOptions>>> = {
    "are shorter than asked for": { maxPageSize: 7 },
    "are shorter than asked for and tell nothing of the next one": {
      maxPageSize: 7,
      isTerse: true,
    },
    "are the same, and behind the last one is a 404": {
      maxPageSize: 7,
      isTerse: true,
      behind: "404",
    },
    "are the same, and the last one is shown again and again": {
      maxPageSize: 7,
      isTerse: true,
      behind: "last",
    },
    "name the next one by a relative address": { maxPageSize: 7, ...next("?page=2") },
    "name the next one on another host": {
      maxPageSize: 7,
      ...next("https://other.example/?page=2"),
    },
    "name the next one by http": { maxPageSize: 7, ...next("http://api.example/api/v2/?page=2") },
    "name the next one by its number": { maxPageSize: 7, ...next(2) },
    "name no next one but a count": { maxPageSize: 7, ...drop("next") },
    "have no count": { maxPageSize: 7, ...drop("count") },
    "have a count in words": {
      maxPageSize: 7,
      spellPage: (page) => ({ ...page, count: String(page["count"]) }),
    },
    "have a count that nobody can read": {
      maxPageSize: 7,
      spellPage: (page) => ({ ...page, count: "many" }),
    },
    "go from old to new": { maxPageSize: 7, order: "oldest" },
    "go by name": { maxPageSize: 7, order: "name" },
    "go from old to new and tell no times": { maxPageSize: 7, order: "oldest", omits: ["created"] },
  };

  it.each(Object.entries(ways))("%s is read as far as it must be", async (_says, server) => {
    for (const lost of [0, 2]) {
      const simulation: FaultSimulation = simulate(
        {
          ...server,
          createFault: (n) => {
            if (n === lost) queueMicrotask(() => strangers(simulation, 20));
            return n === lost ? "drop-after" : undefined;
          },
        },
        { concurrency: 1 },
      );
      strangers(simulation, 20);
      await simulation.clock.run(simulation.clock.sleep(3_600_000));
      await simulation.life();
      expect(simulation.states()).toEqual({ done: 4 });
      expect(simulation.api.creates).toBe(4);
    }
  });

  const broken: Readonly<Record<string, Partial<HostileOptions>>> = {
    "have no results": { ...drop("results") },
    "are a plain array": { spellPage: (page) => page["results"] },
    "are the first one, with a count, whatever is asked for": {
      maxPageSize: 7,
      behind: "first",
      ...drop("next"),
    },
    "are the first one whatever is asked for": { maxPageSize: 7, isTerse: true, behind: "first" },
  };

  it.each(Object.entries(broken))("%s stops every run before a double", async (_says, server) => {
    const simulation: FaultSimulation = simulate(
      { ...server, createFault: loseFirst },
      { rows: 4 },
    );
    strangers(simulation, 20);
    for (let run = 0; run < 3; run += 1) {
      await expect(simulation.life()).rejects.toMatchObject({ code: "answer-unusable" });
    }
    const destinations = simulation.api.live.map(({ body }) => body["qr_data"]);
    const ours = destinations.filter((data) => String(data).startsWith("https://a.example/"));
    expect(new Set(ours).size).toBe(ours.length);
    expect(simulation.states()).toMatchObject({ doubt: 1 });
  });

  it("are the first one, from old to new, always with a next one, stop every run after one code", async () => {
    const simulation = simulate({
      maxPageSize: 7,
      behind: "first",
      order: "oldest",
      spellPage: (page) => ({ ...page, next: "https://api.example/next" }),
    });
    strangers(simulation, 20);
    await simulation.clock.run(simulation.clock.sleep(3_600_000));
    tire(simulation);
    for (let run = 0; run < 2; run += 1) {
      await expect(simulation.life()).rejects.toMatchObject({ code: "answer-unusable" });
      expect(simulation.api.creates).toBe(1);
    }
  });

  it("show no end and lack the new code for a minute hold up nothing", async () => {
    const omits = ["created"];
    const server = { isTerse: true, listLagMs: 60_000, omits, omitsAlone: omits };
    const simulation = simulate({ ...server, behind: "last" });
    strangers(simulation, 5);
    await simulation.clock.run(simulation.clock.sleep(3_600_000));
    const before = simulation.api.reads;
    await simulation.life();
    expect(simulation.api.creates).toBe(4);
    expect(simulation.api.reads - before).toBeLessThanOrEqual(30);
  });

  it("are not found for a moment, though the count says that they are there, hide no code", async () => {
    const simulation: FaultSimulation = simulate(
      {
        maxPageSize: 7,
        createFault: (n) => {
          if (n === 0) queueMicrotask(() => strangers(simulation, 20));
          return n === 0 ? "drop-after" : undefined;
        },
      },
      { rows: 1 },
    );
    let missing = 2;
    const handle = simulation.api.handle.bind(simulation.api);
    simulation.api.handle = async (request) => {
      if (missing === 0 || !/[?&]page=[2-9]/u.test(request.path)) return handle(request);
      missing -= 1;
      return handle({ ...request, path: "/api/v2/nowhere/" });
    };
    await simulation.life();
    expect([missing, simulation.api.creates]).toEqual([0, 1]);
  });
});

describe("a server that dates codes in a time of its own, without zone", () => {
  const hours = 5 * 3_600_000;
  it.each([
    [-hours, "drop-after", 4],
    [hours, "drop-after", 4],
    [-hours, "late", 2],
    [hours, "late", 2],
  ] as const)("%d ms off: the first create, %s, is made once", async (offMs, fault, rows) => {
    const simulation = simulate(
      {
        createFault: (n) => (n === 0 ? fault : undefined),
        lateMs: 9_000,
        spell: (item) =>
          rename(item, "created", (at: string) =>
            new Date(Date.parse(at) + offMs).toISOString().replace("Z", ""),
          ),
      },
      { rows },
    );
    expect((await simulation.run()).faults).toEqual([]);
    expect(simulation.api.creates).toBe(rows);
  });
});
