/**
 * GS1's vectors against our reading of its dictionary (docs/spec/gs1.md section 8). Rows about
 * lists that makeready doesn't keep are skipped, counted by AI and named in the test's title.
 */
import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { makeAiTable } from "../../schema/ai-table.ts";
import { aiTable } from "../../src/gs1/ai-table.ts";
import { findAi } from "../../src/gs1/application-identifiers.ts";
import {
  buildDigitalLinkUri,
  isUriFault,
  parseDigitalLinkUri,
} from "../../src/gs1/digital-link-uri.ts";
import {
  checkElements,
  parseBracketed,
  parseElementString,
  toElementString,
} from "../../src/gs1/elements.ts";
import { escapeValue, unescapeValue } from "../../src/gs1/escape.ts";
import { gmnCheckPair, isGmn, makeGmn } from "../../src/gs1/gmn-helpers.ts";
import { findLint } from "../../src/gs1/lint.ts";
import { checkExclusions, checkRepeats, checkRequisites } from "../../src/gs1/pairings.ts";
import { readVectors, Skipped } from "./vectors.ts";

const dictionary = readFileSync(new URL("data/gs1-syntax-dictionary.txt", import.meta.url), "utf8");

describe("the table of AIs", () => {
  test("is what the dictionary says today (`npm run schema` writes it)", () => {
    expect(makeAiTable(dictionary)).toContain(aiTable);
  });
});

interface ParseRow {
  readonly uri: string;
  readonly valid: boolean;
  readonly elementString: string | null;
  readonly options: readonly string[];
}

/** `/gtin/` and the like are no longer part of the syntax: not offered. */
const ALPHAS = "permitConvenienceAlphas";

describe("Digital Link URIs", () => {
  const all = readVectors<ParseRow>("gs1-dl-uri-parse-vectors");
  const rows = all.filter(({ options }) => !options.includes(ALPHAS));

  test(`rows are there; skipped: ${all.length - rows.length} with names for AIs`, () => {
    expect([all.length, rows.length]).toEqual([118, 113]);
  });

  test.each(rows.map((row) => [row.uri, row] as const))("parse %s", (uri, row) => {
    const parsed = parseDigitalLinkUri(uri, {
      padGtin: row.options.includes("permitZeroSuppressedGTIN"),
      allowUnknown:
        row.options.includes("permitUnknownAIs") && row.options.includes("allowUnknownAsAttr"),
    });
    expect(isUriFault(parsed)).toBe(!row.valid);
    if (isUriFault(parsed)) expect(parsed.detail).toMatch(/^[A-Z].*\.$/u);
    else expect(toElementString([...parsed.path, ...parsed.attributes])).toBe(row.elementString);
  });

  interface BuildRow {
    readonly stem: string | null;
    readonly bracketed: string;
    readonly valid: boolean;
    readonly uri: string | null;
    readonly options: readonly string[];
  }
  const builds = readVectors<BuildRow>("gs1-dl-uri-generate-vectors");

  test.each(builds.map((row) => [row.bracketed, row] as const))("build %s", (bracketed, row) => {
    const elements = parseBracketed(bracketed) ?? [];
    const uri = buildDigitalLinkUri(elements, {
      ...(row.stem === null ? {} : { stem: row.stem }),
      allowUnknown: row.options.includes("allowUnknownAsAttr"),
    });
    expect(typeof uri === "string" ? uri : null).toBe(row.uri);
    // What we build we can read, and it says the same.
    if (typeof uri !== "string") return;
    const parsed = parseDigitalLinkUri(uri, { allowUnknown: row.options.length > 0 });
    if (isUriFault(parsed)) throw new Error(parsed.detail);
    expect(new Map([...parsed.path, ...parsed.attributes])).toEqual(new Map(elements));
  });

  interface EscapeRow {
    readonly kind: "escape" | "unescape";
    readonly input: string;
    readonly path: string;
    readonly query: string;
  }

  test("escaping and its reverse, in path and query: 31 rows", () => {
    const escapes = readVectors<EscapeRow>("gs1-dl-uri-escaping-vectors");
    expect(escapes).toHaveLength(31);
    for (const { kind, input, path, query } of escapes) {
      const inPath = kind === "escape" ? escapeValue(input) : unescapeValue(input);
      const inQuery =
        kind === "escape"
          ? escapeValue(input).replaceAll("%20", "+")
          : unescapeValue(input.replaceAll("+", " "));
      expect([input, inPath, inQuery]).toEqual([input, path, query]);
    }
  });

  test("every path sequence of the dictionary's keys is one of ours: 39 rows", () => {
    const sequences = readVectors<{ path: string[]; valid: boolean }>("gs1-dl-path-ai-sequences");
    expect(sequences).toHaveLength(39);
    for (const {
      path: [key = "", ...ais],
    } of sequences) {
      const alternatives = findAi(key)?.qualifiers;
      const isOurs =
        ais.length === 0
          ? alternatives !== undefined
          : alternatives?.some(
              (each) => each.filter((ai) => ais.includes(ai)).join() === ais.join(),
            );
      expect([key, ais, isOurs]).toEqual([key, ais, true]);
    }
  });
});

interface ElementRow {
  readonly fn: "parseAIdata" | "processAIdata";
  readonly input: string;
  readonly valid: boolean;
  readonly elementString: string | null;
}

/** Lists that makeready doesn't keep; the dictionary's names of their checks. */
const foreign = /iso3166|iso4217|iban|itude|coupon|mediatype|packagetype/u;

describe("element strings", () => {
  const rows = readVectors<ElementRow>("gs1-ai-element-vectors");

  test("rows are there", () => expect(rows).toHaveLength(106));

  test.each(rows.map((row) => [row.fn, row.input, row] as const))("%s %s", (fn, input, row) => {
    const elements = fn === "parseAIdata" ? parseBracketed(input) : parseElementString(input);
    const allowUnknown = fn === "parseAIdata";
    const isValid =
      elements !== undefined && checkElements(elements, { allowUnknown }) === undefined;
    expect(isValid).toBe(row.valid);
    if (row.elementString !== null) expect(toElementString(elements ?? [])).toBe(row.elementString);
  });
});

interface LinterRow {
  readonly linter: string;
  readonly input: string;
  readonly valid: boolean;
  readonly error: string | null;
  readonly highlight: string | null;
}

describe("checks of parts", () => {
  const all = readVectors<LinterRow>("gs1-linter-vectors");
  const skipped = new Skipped();
  const rows = all.filter(({ linter }) => {
    const isOurs = findLint(linter) !== undefined;
    if (!isOurs) skipped.add(linter);
    return isOurs;
  });

  test(`rows are there; skipped ${skipped.total} of ${all.length}: ${String(skipped)}`, () => {
    expect(all).toHaveLength(1177);
    expect(skipped.total).toBe(12);
  });

  test.each([...new Set(rows.map(({ linter }) => linter))])("%s", (name) => {
    for (const { linter, input, error, highlight } of rows) {
      if (linter !== name) continue;
      const fault = findLint(name)?.(input);
      expect([input, fault?.name ?? null]).toEqual([input, error]);
      if (fault === undefined) continue;
      const { at, length } = fault;
      const marked = `${input.slice(0, at)}*${input.slice(at, at + length)}*${input.slice(at + length)}`;
      expect(marked).toBe(highlight);
    }
  });
});

describe("checks of whole values", () => {
  interface ValueRow {
    readonly bracketed: string;
    readonly linterError: string | null;
  }
  const all = readVectors<ValueRow>("gs1-ai-linter-vectors");
  const skipped = new Skipped();
  const rows = all.filter(({ bracketed, linterError }) => {
    const ai = /^\((\d+)\)/u.exec(bracketed)?.[1] ?? "";
    const isForeign =
      /^811[02]$/u.test(ai) || /ISO(?:3166|4217)|IBAN|ITUDE/u.test(linterError ?? "");
    if (isForeign) skipped.add(ai);
    return !isForeign;
  });

  test(`rows are there; skipped by AI, ${skipped.total} of ${all.length}: ${String(skipped)}`, () => {
    expect(all).toHaveLength(99);
    expect(dictionary).toMatch(foreign);
    expect(skipped.total).toBe(64);
  });

  test.each(rows.map((row) => [row.bracketed, row.linterError] as const))(
    "%s: %s",
    (text, error) => {
      expect(checkElements(parseBracketed(text) ?? [])?.name ?? null).toBe(error);
    },
  );
});

describe("pairings", () => {
  interface PairRow {
    readonly rule: "repeats" | "mutex" | "requisites";
    readonly valid: boolean;
    readonly bracketed: string;
  }
  const rows = readVectors<PairRow>("gs1-ai-association-vectors");
  const checks = {
    repeats: checkRepeats,
    mutex: checkExclusions,
    requisites: checkRequisites,
  } as const;

  test("rows are there", () => expect(rows).toHaveLength(68));

  test.each(rows.map((row) => [row.rule, row.bracketed, row.valid] as const))(
    "%s of %s: %s",
    (rule, bracketed, valid) => {
      const clash = checks[rule](parseBracketed(bracketed) ?? []);
      expect(clash === undefined).toBe(valid);
    },
  );
});

describe("Global Model Numbers: 61 rows", () => {
  interface GmnRow {
    readonly fn: keyof typeof functions;
    readonly args: readonly [string, string, string];
    readonly throws: string | null;
    readonly returns: string | boolean | null;
  }
  /** GS1's name of a function -> the same from ours. */
  const functions = {
    checkCharacters: gmnCheckPair,
    addCheckCharacters: (body: string) => body + gmnCheckPair(body),
    verifyCheckCharacters: isGmn,
    checkCharactersGcpModel: (prefix: string, model: string) => makeGmn(prefix, model).slice(-2),
    addCheckCharactersGcpModel: makeGmn,
    verifyCheckCharactersGcpModelChecks: (prefix: string, model: string, pair: string) => {
      const gmn = makeGmn(prefix, model);
      if (pair.length !== 2) throw new RangeError("check must be 2 characters long");
      return gmn.slice(0, -2) + pair === gmn;
    },
  };
  const rows = readVectors<GmnRow>("gs1-gmn-vectors");

  test("rows are there", () => expect(rows).toHaveLength(61));

  test.each(rows.map((row) => [row.fn, row.args, row] as const))("%s(%j)", (fn, args, row) => {
    const call = (): string | boolean => functions[fn](...args);
    if (row.throws === null) expect(call()).toBe(row.returns);
    else expect(call).toThrow(row.throws);
  });
});
