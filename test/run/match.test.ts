import { describe, expect, it } from "vitest";

import type { ToldCode } from "../../src/api/code.ts";
import { matchRows, toCreatedMs, type MatchOptions } from "../../src/run/match.ts";
import { hasLost } from "../../src/run/scan.ts";
import type { StateRow, Wanted } from "../../src/state/row.ts";

const NOW = Date.UTC(2026, 0, 1, 12);

const wanted: Wanted = {
  type: "Link",
  dynamic: true,
  qrData: "https://a.example/1",
  displayName: "table 1",
  folder: "Tables",
  tags: [],
  gpsTracking: false,
  vcard: null,
  gs1Product: null,
  domain: null,
  design: {},
};

function row(changes: Partial<StateRow> = {}): StateRow {
  const known = { key: "row", seq: 0, wanted, made: wanted, intentAtMs: NOW, sentAtMs: NOW };
  return { ...known, ...changes } as StateRow;
}

function item(changes: Partial<ToldCode> = {}): ToldCode {
  return {
    id: "c1",
    display_name: "table 1",
    qr_data: "https://a.example/1",
    qr_type: "Link",
    dynamic: true,
    created: new Date(NOW + 1_000).toISOString(),
    folder: { id: "f", name: "Tables" },
    ...changes,
  };
}

const OPTIONS: MatchOptions = {
  isHeld: () => false,
  folderId: () => "f",
  sentName: (one) => one.wanted.displayName,
  explained: new Set(),
  doubted: [],
  isGone: () => false,
  windowMs: 120_000,
};

const kindOf = (code: ToldCode, options: Partial<MatchOptions> = {}): string | undefined =>
  matchRows([row()], [code], { ...OPTIONS, ...options })[0]?.kind;

const contact = (key: string, mail: string): StateRow => {
  const made: Wanted = { ...wanted, type: "vCard", qrData: null, vcard: { email: mail } };
  return row({ key, made, wanted: made });
};

describe("matching a row in doubt", () => {
  it.each([
    ["the very code", {}, "found"],
    ["a URL written another way", { qr_data: "HTTPS://A.EXAMPLE/1" }, "found"],
    ["a little older than the intent", { created: new Date(NOW - 59_000).toISOString() }, "found"],
    ["a time without zone", { created: "2026-01-01 12:00:01" }, "found"],
    ["a time that nobody can read", { created: "yesterday" }, "found"],
    ["much older", { created: new Date(NOW - 61_000).toISOString() }, "absent"],
    ["another type", { qr_type: "Text" }, "absent"],
    ["static", { dynamic: false }, "absent"],
    ["another destination", { qr_data: "https://a.example/2" }, "absent"],
    ["its folder is gone", { folder: null }, "unfiled"],
    ["renamed", { display_name: "Table one" }, "conflict"],
    ["moved", { folder: { id: "g", name: "Elsewhere" } }, "conflict"],
    ["renamed and moved", { display_name: "x", folder: { id: "g", name: "y" } }, "absent"],
    [
      "renamed, but made an hour later",
      { display_name: "x", created: new Date(NOW + 3_600_000).toISOString() },
      "absent",
    ],
  ] satisfies [string, Partial<ToldCode>, string][])("%s -> %s", (_says, changes, kind) => {
    expect(kindOf(item(changes))).toBe(kind);
  });

  it("gives a code to an equal row that is still there before one that is gone", () => {
    const rows = [row({ key: "gone" }), row({ key: "there", intentAtMs: NOW + 500, seq: 1 })];
    const verdicts = matchRows(rows, [item()], {
      ...OPTIONS,
      isGone: ({ key }) => key === "gone",
    });
    expect(verdicts.map(({ row: { key }, kind }) => [key, kind])).toEqual([
      ["there", "found"],
      ["gone", "absent"],
    ]);
  });

  it("leaves codes alone that a row holds, or that another row explains", () => {
    expect(kindOf(item(), { isHeld: () => true })).toBe("absent");
    const renamed = item({ display_name: "table 2" });
    const key = JSON.stringify(["table 2", "Link", "https://a.example/1", true, "f"]);
    expect(kindOf(renamed, { explained: new Set([key]) })).toBe("absent");
  });

  it("does not guess between contacts that share a name", () => {
    const code = item({ qr_type: "vCard", qr_data: null });
    const kinds = (...rows: StateRow[]): string[] =>
      matchRows(rows, [code, { ...code, id: "c2" }], OPTIONS).map(({ kind }) => kind);
    expect(kinds(contact("a", "a@a.example"), contact("b", "b@a.example"))).toEqual([
      "conflict",
      "conflict",
    ]);
    expect(kinds(contact("a", "a@a.example"), contact("b", "a@a.example"))).toEqual([
      "found",
      "found",
    ]);
  });

  it("nor between a contact and one of its name whose code may still come late", () => {
    const code = item({ qr_type: "vCard", qr_data: null });
    const kindBeside = (...doubted: StateRow[]): string | undefined =>
      matchRows([contact("a", "a@a.example")], [code], { ...OPTIONS, doubted })[0]?.kind;
    expect(kindBeside(contact("b", "b@a.example"))).toBe("conflict");
    expect(kindBeside(contact("b", "a@a.example"))).toBe("found");
  });

  it("gives each code to one row, the exact ones first, the oldest to the oldest", () => {
    const rows = [row({ key: "late", seq: 1, intentAtMs: NOW + 5_000 }), row({ key: "early" })];
    const codes = [
      item({ id: "unfiled", folder: null }),
      item({ id: "exact", created: new Date(NOW + 9_000).toISOString() }),
    ];
    const verdicts = matchRows(rows, codes, OPTIONS);
    expect(verdicts.map((one) => [one.row.key, "item" in one ? one.item.id : null])).toEqual([
      ["early", "exact"],
      ["late", "unfiled"],
    ]);
  });
});

it("takes a time without zone for UTC", () => {
  expect(toCreatedMs({ created: "2026-01-01T12:00:00.5" })).toBe(NOW + 500);
  expect(toCreatedMs({ created: "2026-01-01T14:00:00+0200" })).toBe(NOW);
  expect(toCreatedMs({ created: "" })).toBeNaN();
});

const ids = (text: string): { id: string }[] => Array.from(text, (id) => ({ id }));

describe("a first page that is read again", () => {
  it.each([
    ["stands still", "edcba", "edcba", false],
    ["was pushed on by new codes", "edcba", "gfedc", false],
    ["lost one", "edcba", "edca9", true],
    ["lost one while one came", "edcba", "fedca", true],
    ["lost its last", "edcba", "edcb", true],
  ])("%s", (_says, before, now, lost) => {
    expect(hasLost(ids(before), ids(now))).toBe(lost);
  });
});
