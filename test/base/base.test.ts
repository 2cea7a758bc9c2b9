import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { streamFileAtomic, writeFileAtomic } from "../../src/base/files/atomic-file.ts";
import { fakeClock } from "../help/fake-clock.ts";
import { isHexColor, parseHexColor, toLuma } from "../../src/base/color/color.ts";
import { AppError, errorCodes, errorKinds, sortProblems, toPlace } from "../../src/base/errors.ts";
import { hashFile } from "../../src/base/files/hash-file.ts";
import { randomIds, sha256, toBase32 } from "../../src/base/ids/ids.ts";
import { sequentialIds } from "../help/sequential-ids.ts";
import { makeLog } from "../../src/base/log.ts";
import { toSlug } from "../../src/base/text/slug.ts";
import { openSqlite, tryLockFile } from "../../src/base/sqlite/sqlite.ts";
import { mmToPt, mmToPx, ptToMm, pxToMm } from "../../src/base/shapes/units.ts";
import { quoteText } from "../../src/base/text/words.ts";

const folder = (): string => mkdtempSync(path.join(os.tmpdir(), "base-"));

/** A problem at a place. */
const at = (line: number, column: number) => ({
  message: "m",
  where: { file: "f", line, column },
});

describe("errors", () => {
  it("say their exit code through their kind", () => {
    expect(new AppError("job-locked", "x").exitCode).toBe(7);
    expect(new AppError("token-refused", "x").exitCode).toBe(4);
    for (const { kind } of Object.values(errorCodes))
      expect(errorKinds[kind].exit).toBeGreaterThan(0);
  });

  it("sort by file, line and column, and name the place", () => {
    expect(sortProblems([at(2, 1), at(1, 9), at(1, 2)]).map((p) => toPlace(p.where))).toEqual([
      "f:1:2",
      "f:1:9",
      "f:2:1",
    ]);
    expect(toPlace(undefined)).toBe("");
  });
});

describe("the fake clock", () => {
  it("wakes sleepers in the order of their moments, and none early", async () => {
    const clock = fakeClock();
    const woken: string[] = [];
    const sleep = async (ms: number, name: string): Promise<void> => {
      await clock.sleep(ms);
      woken.push(name);
    };
    void sleep(20, "b");
    void sleep(10, "a");
    void sleep(30, "c");
    await clock.advance(25);
    expect(woken).toEqual(["a", "b"]);
    expect(clock.waiting).toBe(1);
    await clock.advance(5);
    expect(woken).toEqual(["a", "b", "c"]);
  });

  it("lets an aborted sleeper go at once", async () => {
    const stop = new AbortController();
    const sleeping = fakeClock().sleep(1e9, stop.signal);
    stop.abort();
    await expect(sleeping).resolves.toBeUndefined();
  });
});

describe("a file written atomically", () => {
  it("is whole or as before; a failed write leaves nothing beside it", async () => {
    const file = path.join(folder(), "deep", "file.txt");
    await writeFileAtomic(file, "first");
    await expect(
      streamFileAtomic(file, async (stream) => {
        stream.write("half");
        await Promise.reject(new Error("disk full"));
      }),
    ).rejects.toThrow("disk full");
    expect(readFileSync(file, "utf8")).toBe("first");
    expect(readdirSync(path.dirname(file))).toEqual(["file.txt"]);
    await streamFileAtomic(file, async (stream) => {
      stream.write("second");
      await Promise.resolve();
    });
    expect(readFileSync(file, "utf8")).toBe("second");
  });

  it("can't be written where a folder is", async () => {
    const place = path.join(folder(), "place");
    mkdirSync(place);
    await expect(writeFileAtomic(place, "x")).rejects.toThrow(/EISDIR|EEXIST|ENOTEMPTY|EPERM/u);
    expect(readdirSync(path.dirname(place))).toEqual(["place"]);
  });

  it("has the hash of its bytes", async () => {
    const file = path.join(folder(), "x");
    writeFileSync(file, "abc");
    expect(await hashFile(file)).toBe(sha256("abc"));
  });
});

describe("identifiers", () => {
  it("in base 32 are those of RFC 4648 section 10, in lower case", () => {
    const vectors = [
      ["", ""],
      ["f", "my"],
      ["fo", "mzxq"],
      ["foo", "mzxw6"],
      ["foob", "mzxw6yq"],
      ["fooba", "mzxw6ytb"],
      ["foobar", "mzxw6ytboi"],
    ];
    for (const [text, expected] of vectors)
      expect(toBase32(Buffer.from(text ?? ""))).toBe(expected);
  });

  it("as slugs have their length and no look-alikes", () => {
    const slugs = Array.from({ length: 500 }, () => randomIds.slug(8));
    expect(new Set(slugs).size).toBe(500);
    for (const slug of slugs) expect(slug).toMatch(/^[2-9a-hjkmnp-z]{8}$/u);
    expect(sequentialIds().slug(8)).toBe(sequentialIds().slug(8));
  });
});

describe("a slug", () => {
  it.each([
    ["Café München #3", "cafe-munchen-3"],
    ["Łódź & Søn", "lodz-son"],
    ["Straße", "strasse"],
    ["Αθήνα", "αθηνα"],
    ["  --  ", ""],
    ["Đà Nẵng", "da-nang"],
    ["Україна", "україна"],
    ["テーブル 1", "テーブル-1"],
    ["𝓐 Menu™", "a-menutm"],
    ["क्षत्रिय", "क्षत्रिय"],
  ])("of %j is %j", (text, slug) => {
    expect(toSlug(text)).toBe(slug);
  });

  it.each([
    ["Grüße aus Köln", "gruesse-aus-koeln"],
    ["ÄÖÜ äöü ß", "aeoeue-aeoeue-ss"],
    ["Mu\u0308nchen", "muenchen"],
    ["Café Łódź", "cafe-lodz"],
  ])("of the German %j is %j", (text, slug) => {
    expect(toSlug(text, "de")).toBe(slug);
  });

  it("of a slug is itself (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(toSlug(toSlug(text))).toBe(toSlug(text));
      }),
    );
  });
});

describe("colours", () => {
  it("are read in both lengths and refused otherwise", () => {
    expect(parseHexColor("#1aF")).toEqual({ r: 0x11, g: 0xaa, b: 0xff });
    expect(parseHexColor("#0a3d62")).toEqual({ r: 10, g: 61, b: 98 });
    for (const text of ["", "111111", "#11111", "#gggggg", "red"]) {
      expect(isHexColor(text)).toBe(false);
      expect(() => parseHexColor(text)).toThrow(RangeError);
    }
    expect(toLuma({ r: 255, g: 255, b: 255 })).toBeCloseTo(1);
  });
});

describe("units", () => {
  it("go there and back", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e4, noNaN: true }), (mm) => {
        expect(ptToMm(mmToPt(mm))).toBeCloseTo(mm, 9);
        expect(pxToMm(mmToPx(mm, 600), 600)).toBeCloseTo(mm, 9);
      }),
    );
    expect(mmToPt(25.4)).toBeCloseTo(72);
  });
});

describe("the log", () => {
  it("never shows a token, however it comes", () => {
    const lines: string[] = [];
    const log = makeLog({ to: { write: (text: string) => void lines.push(text) } });
    log.info(
      { token: "s3cret", headers: { authorization: "Token s3cret" }, a: { token: "s3cret" } },
      "x",
    );
    expect(lines.join("")).not.toContain("s3cret");
    expect(lines.join("")).toContain("[secret]");
  });
});

describe("SQLite", () => {
  it("gives wide rows without copying them, beside plain ones of the same statement", () => {
    const db = openSqlite(":memory:");
    db.exec("CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, NULL)");
    const sql = "SELECT rowid AS place, a * 2 AS twice, b FROM t WHERE a > ?";
    interface Seen {
      readonly place: number;
      readonly twice: number;
      readonly b: string | null;
    }
    const read = ({ place, twice, b }: Seen): unknown[] => [place, twice, b];
    const expected = [
      [1, 2, "x"],
      [2, 4, null],
    ];
    for (const rows of [db.view<Seen>(sql, 0), [...db.iterateView<Seen>(sql, 0)]]) {
      expect(rows.map(read)).toEqual(expected);
      // Values by name would be own properties.
      if (process.getBuiltinModule?.("node:sqlite") === undefined)
        expect(rows.map((row) => Object.keys(row))).toEqual([[], []]);
    }
    expect(db.all<Seen>(sql, 1).map((row) => ({ ...row }))).toEqual([
      { place: 2, twice: 4, b: null },
    ]);
    expect(db.view(sql, 9)).toEqual([]);
    db.close();
  });

  it("commits a transaction as a whole or not at all", () => {
    const db = openSqlite(":memory:");
    db.exec("CREATE TABLE t (a INTEGER) STRICT");
    expect(() =>
      db.transaction(() => {
        db.run("INSERT INTO t VALUES (1)");
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(db.get("SELECT count(*) AS n FROM t")).toEqual({ n: 0 });
    db.transaction(() => db.run("INSERT INTO t VALUES (1)"), "full");
    expect(db.get("SELECT count(*) AS n FROM t")).toEqual({ n: 1 });
    expect(() => db.transaction(() => db.transaction(() => 1))).toThrow(/inside another/u);
    db.close();
  });

  it("hands out rows one by one while others are written", () => {
    const db = openSqlite(":memory:");
    db.exec("CREATE TABLE t (a INTEGER) STRICT");
    for (let n = 0; n < 5; n += 1) db.run("INSERT INTO t VALUES (?)", n);
    const seen: unknown[] = [];
    for (const row of db.iterate("SELECT a FROM t WHERE a < 5 ORDER BY a")) {
      seen.push(row["a"]);
      db.run("INSERT INTO t VALUES (99)");
    }
    expect(seen).toEqual([0, 1, 2, 3, 4]);
    db.close();
  });

  it("holds up nobody once it is closed, though somebody stopped reading half-way", () => {
    const file = path.join(folder(), "t.db");
    const db = openSqlite(file, "delete");
    db.exec("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (1), (2)");
    const rows = db.iterate("SELECT a FROM t ORDER BY a");
    expect(rows.next().value).toEqual({ a: 1 });
    db.close();
    const other = openSqlite(file, "delete");
    other.exec("PRAGMA busy_timeout=0");
    expect(other.run("INSERT INTO t VALUES (3)")).toBe(1);
    other.close();
    expect(() => rows.next()).toThrow(/closed|finalized/u);
  });

  it("locks a file for one holder", () => {
    const file = path.join(folder(), "lock");
    const held = tryLockFile(file);
    expect(held).toBeDefined();
    expect(tryLockFile(file)).toBeUndefined();
    held?.release();
    const again = tryLockFile(file);
    expect(again).toBeDefined();
    again?.release();
    expect(existsSync(file)).toBe(true);
  });
});

it.each([
  ["geh\\;eim", '"geh\\;eim"'],
  ['say "hi"', '"say "hi""'],
  ["C:\\new\tx", '"C:\\\\new\\tx"'],
])(
  "a cell %j stands in a message as it is, and in one way with signs that nobody sees",
  (text, says) => {
    expect(quoteText(text)).toBe(says);
  },
);
