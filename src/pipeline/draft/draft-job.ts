/**
 * A job from a person's choices for a spreadsheet: its manifest, the files beside it, the guesses.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

import { BETWEEN_MANY } from "../../base/text/many-values.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { packagePath } from "../../base/files/package-files.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import { cutText, formatMany } from "../../base/text/words.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import { findKeys, guessRoles, guessTexts, type Keys } from "./guess.ts";
import type { Shape } from "./look.ts";
import { jobKindOf, kindOf, type FormTexts, type InitKindName, type PlainJob } from "./kinds.ts";
import { toOutputLines, writeManifest, writeParts, type Draft } from "./manifest.ts";
import { findGerman } from "./header-words.ts";
import {
  arePictures,
  filledHeaders,
  sayLooks,
  saysOf,
  typeOf,
  type Column,
  type Role,
  type Roles,
} from "./roles.ts";
import type { Sample } from "./samples.ts";
import { factsOf, quote, rolesOf, type Thing } from "./things.ts";
import { findUsedColumns, sayLeft, type UsedColumn } from "./used-columns.ts";

const SCHEMA_FILE = "schema/job.v1.json";

export interface ChosenSource {
  /** As the manifest writes it; undefined for a sample, and for jobs that read no rows. */
  readonly file: string | undefined;
  readonly look: Shape;
}

export interface Chosen {
  readonly name: string;
  readonly kind: InitKindName;
  readonly source: ChosenSource;
  /** Written in place of a spreadsheet. */
  readonly sample?: Sample | undefined;
  /** Header of the one that decides; undefined: it is guessed. */
  readonly column?: string | undefined;
  readonly isDynamic: boolean;
  readonly labelSheet: string | undefined;
  /** Why this kind was guessed; undefined where it was named. */
  readonly guess?: string | undefined;
  /** Of a single form. Default: its title is the name, and its questions are English. */
  readonly form?: FormTexts | undefined;
}

export interface Drafted {
  readonly manifest: string;
  readonly files: readonly (readonly [string, string])[];
  readonly guesses: readonly string[];
  /** Columns of a person's own spreadsheet that the manifest takes. */
  readonly used: readonly UsedColumn[];
  /** Fields of the manifest that lead to a made-up address until a person writes the real one. */
  readonly placeholders?: readonly string[];
}

/** Kinds that read no rows ask for none. */
export const readsRows = (kind: InitKindName | undefined): boolean =>
  kind === undefined || kindOf(kind).thing !== undefined;

const inQuotes = (text: string): string => JSON.stringify(text);

const quoteAll = (headers: readonly string[]): string =>
  headers.map((header) => inQuotes(header.trim())).join(", ");

/** The spreadsheet lacks the column that the kind needs: names its columns, and where else to look. */
function noColumn(what: string, look: Shape): AppError {
  const { sheetName, otherSheets } = look;
  const place = sheetName === undefined ? "the spreadsheet" : `sheet ${inQuotes(sheetName)}`;
  const headers = quoteAll(filledHeaders(look.columns));
  const others = quoteAll(otherSheets);
  const elsewhere = others === "" ? "" : `read another sheet with --worksheet: ${others}; or `;
  return badUsage(
    `${place} must have a column of ${what}, got ${headers || "none"}`,
    `${elsewhere}name the column with --column, or choose another --kind`,
  );
}

const SHOWN = 5;

/** A list without names of columns would lose its first row. */
function sayDoubt({ isDoubtful, columns, headerRow = 1 }: Shape): string | false {
  if (isDoubtful !== true) return false;
  const shown = columns.slice(0, SHOWN).map(({ column }) => cutText(column));
  return `line ${headerRow} is taken as the names of columns, so nothing is made of it: ${quoteAll(shown)}; if it is a row, put a line with names above it`;
}

/** Notes about the spreadsheet as a whole. */
function sayWhole(look: Shape, guess: string | undefined): string[] {
  const { sheetName, otherSheets, columns } = look;
  const german = findGerman(filledHeaders(columns));
  return linesOf(
    sayDoubt(look),
    otherSheets.length > 0 &&
      `sheet ${inQuotes(sheetName ?? "")} holds the rows; --worksheet takes another: ${quoteAll(otherSheets)}`,
    guess ?? false,
    german.length > 0 &&
      `${quoteAll(german)} ${german.length === 1 ? "sounds" : "sound"} German: slugs write ä as ae (source.language: de)`,
  );
}

/** What a column was found for; false where a person named one that looks like nothing. */
function sayFound(
  { thing, columns }: Pick<Draft, "thing" | "columns">,
  role: Role,
  column: Column,
  isGiven: boolean,
): string | false {
  const { fields } = factsOf[thing];
  const isFirst = thing === "contact" && role === "last_name" && columns.first_name === undefined;
  const filled = isFirst ? fields.first_name : fields[role];
  const header = inQuotes(column.column.trim());
  // Any column may be the text of a code.
  const looks = thing === "text" ? undefined : sayLooks(role, column);
  if (looks !== undefined) return `column ${header} looks like ${looks}: ${filled}`;
  if (isGiven) return false;
  return thing === "text"
    ? `column ${header} is the text of the codes: ${filled}`
    : `no column looks like ${saysOf(role)}: ${filled} takes ${header}`;
}

/** Of several numbers or addresses in a cell. */
const sayFirst = ({ column }: Column): string =>
  `column ${inQuotes(column.trim())} has cells with several values (a${BETWEEN_MANY}b): the first is taken, the others are left out`;

/** Of addresses without https://, which phones only show. */
function saySchemeless({ column, lacksScheme, schemeless }: Column, thing: Thing): string | false {
  if (schemeless === undefined) return false;
  const header = inQuotes(column.trim());
  const { count, first } = schemeless;
  if (thing !== "text" && lacksScheme !== true) return false;
  if (thing !== "text")
    return `column ${header} has addresses without https://, such as ${cutText(first)}: https:// is put in front of them`;
  return `column ${header} has ${formatMany(count, "address", "addresses")} without https://, such as ${cutText(first)}, which phones show instead of opening: put https:// in front`;
}

/** A column of kinds of networks whose words codes don't know; it is left out. */
const sayUnknownKinds = ({ column, wifiKinds }: Column): string =>
  `column ${inQuotes(column.trim())} has words that are not understood as kinds of networks, such as ${cutText(wifiKinds?.unknown ?? "")}: codes say WPA where a row has a password; where the network is another, write WEP or nopass`;

/** Codes that open pictures are seldom meant. */
function sayPictures({ column }: Column, look: Shape): string {
  const handle = look.columns.find((one) => one.column.trim().toLowerCase() === "handle");
  const own = handle === undefined ? "{{ column }}" : `{{ ${handle.column.trim()} }}`;
  return `column ${inQuotes(column.trim())} has addresses of pictures only: where the codes shall open pages, write their addresses in its place, such as "https://your-shop.com/products/${own}"`;
}

function sayColumn(draft: Omit<Draft, "head">, role: Role, isGiven: boolean): readonly string[] {
  const { thing, columns, look } = draft;
  const column = look.columns.find((one) => one.column === columns[role]);
  const { lacks = {} } = factsOf[thing];
  if (column === undefined) return lacks[role] === undefined ? [] : [lacks[role]];
  return linesOf(
    sayFound(draft, role, column, isGiven),
    column.isLinked === true &&
      typeOf(role) === "url" &&
      `column ${inQuotes(column.column.trim())} shows texts that differ from its links: the links are taken`,
    thing === "contact" && column.holdsMany === true && sayFirst(column),
    thing !== "contact" && typeOf(role) === "url" && saySchemeless(column, thing),
    role === "payload" && arePictures(column) && sayPictures(column, look),
  );
}

/** Columns without twins that are no key all the same, each with the reason. */
export const sayUnfit = (unfit: Keys["unfit"]): string =>
  unfit.map(({ column, why }) => `${inQuotes(cutText(column.trim()))}, since ${why}`).join("; ");

/** What was guessed of what tells the rows apart. */
function sayKey({
  thing,
  key,
  look,
  columns,
}: Pick<Draft, "thing" | "key" | "look" | "columns">): string | false {
  if (thing === "retarget") return false;
  if (key.length === 0) {
    const { unfit } = findKeys(look, thing, columns);
    const but = unfit.length === 0 ? "" : ` (no cell twice, but no key: ${sayUnfit(unfit)})`;
    return `no column tells all rows apart for good: all cells of a row together are its key${but}`;
  }
  const headers = key.map((header) => inQuotes(header.trim())).join(" and ");
  const twins = look.misses(key);
  const but =
    twins > 0 && Number.isFinite(twins)
      ? `, but not all of them (${formatMany(twins, "row")} twice or without): ${thing === "product" ? "add a column that does" : "mend these cells"}`
      : "";
  return `${key.length === 1 ? "column" : "columns"} ${headers} tell${key.length === 1 ? "s" : ""} the rows apart: source.key${but}`;
}

/** What the rows become: of codes, by the column that they hold. */
export function thingOf(
  { kind, column, isDynamic }: Pick<Chosen, "kind" | "column" | "isDynamic">,
  look: Shape,
): Thing {
  const { thing = "text" } = kindOf(kind);
  if (thing !== "text") return thing;
  const header = column ?? guessRoles(look, "text").payload;
  const isLink = look.columns.some((one) => one.column === header && one.type === "url");
  if (!isLink) return "text";
  return isDynamic ? "dynamic-link" : "static-link";
}

const SCHEMA_LINE = `# yaml-language-server: $schema=${SCHEMA_FILE}`;

/** Guesses stand at the head of the manifest, too. */
const toHead = (guesses: readonly string[]): string[] =>
  linesOf(
    SCHEMA_LINE,
    guesses.length > 0 && "# What init guessed; change what is wrong:",
    ...guesses.map((guess) => `# - ${guess}`),
  );

/** A job without a spreadsheet: its rows, if any, are the PDFs of a folder. */
function draftPlain(
  { name, kind, source, sample, labelSheet, guess, form }: Chosen,
  { body, output, caption }: PlainJob,
): Drafted {
  const files = sample?.files(name) ?? [];
  const folder = source.file ?? (files.length > 0 ? name : undefined);
  const guesses = guess === undefined ? [] : [guess];
  const manifest = writeParts({
    head: toHead(guesses),
    name,
    kind: jobKindOf(kind),
    source:
      folder === undefined
        ? []
        : [`source: { folder: ${quote(folder)} }  # every PDF is a row: {{ name }}, {{ folder }}`],
    body: body(name, form),
    output: output?.(name) ?? toOutputLines(name, labelSheet, caption?.(name, form)),
  });
  return { manifest, files, guesses, used: [] };
}

/** The column that decides stays as it was given. Throws `bad-usage` where a needed one is missing. */
function findRoles(look: Shape, thing: Thing, column: string | undefined): Roles {
  const { needed, lacks = {} } = factsOf[thing];
  const roles = guessRoles(look, thing, column === undefined ? {} : { [needed[0]]: column });
  const missing = needed.find((role) => roles[role] === undefined && lacks[role] === undefined);
  if (missing !== undefined) throw noColumn(saysOf(missing), look);
  return roles;
}

/** Fields that lead to a made-up address, since the spreadsheet has none. */
const findPlaceholders = ({ thing, columns }: Pick<Draft, "thing" | "columns">): string[] =>
  thing === "product" && columns.payload === undefined ? ["product.links"] : [];

/** Pure: nothing is written. Throws `bad-usage` where the kind lacks its column. */
export function draftJob(chosen: Chosen): Drafted {
  const { name, sample, source, column, labelSheet: sheet } = chosen;
  const look = sample?.look ?? source.look;
  const thing = thingOf(chosen, look);
  const { plain } = kindOf(chosen.kind);
  if (plain !== undefined && look.columns.length === 0) return draftPlain(chosen, plain);
  const columns = findRoles(look, thing, column);
  const { tells: key, caption } = guessTexts(look, thing, columns);
  const files = sample?.files(name) ?? [];
  const file = source.file ?? files[0]?.[0] ?? "";
  const draft = { name, file, look, thing, columns, key, caption, sheet };
  const manifest = writeManifest({ ...draft, head: toHead([]) });
  // A sample needs no guesses.
  if (sample !== undefined) return { manifest, files, guesses: [], used: [] };
  const { used, left } = findUsedColumns(manifest, filledHeaders(look.columns));
  const [main] = factsOf[thing].needed;
  const unknown = look.columns.filter(
    (one) =>
      thing === "wifi" && one.wifiKinds?.unknown !== undefined && one.column !== columns.wifi_type,
  );
  const guesses = linesOf(
    ...sayWhole(look, chosen.guess),
    ...rolesOf(thing).flatMap((role) =>
      sayColumn(draft, role, role === main && column !== undefined),
    ),
    ...unknown.map(sayUnknownKinds),
    sayKey(draft),
    left.length > 0 && sayLeft(left),
  );
  const placeholders = findPlaceholders(draft);
  const text = writeManifest({ ...draft, head: toHead(guesses) });
  return { manifest: text, files, guesses, used, placeholders };
}

const schemaSource = packagePath("schema/job.v1.json");

/**
 * Writes a job into a folder, with the schema for editors; writes nothing if one of the files
 * exists.
 */
export async function writeDraft(
  folder: string,
  name: string,
  { manifest, files }: Drafted,
): Promise<string[]> {
  const schema = await readFile(schemaSource, "utf8");
  const there = await readFile(path.join(folder, SCHEMA_FILE), "utf8").catch(() => undefined);
  const all = new Map([
    [`${name}.yaml`, manifest],
    ...files,
    ...(there === schema ? [] : [[SCHEMA_FILE, schema] as const]),
  ]);
  const taken = [...all.keys()].find((file) => existsSync(path.join(folder, file)));
  if (taken !== undefined) {
    throw new AppError("output-unwritable", `init must not overwrite files, got ${taken}`, {
      hint: "give the job another name: makeready init NAME",
    });
  }
  for (const [file, text] of all) {
    const target = path.join(folder, file);
    await makeFolder(path.dirname(target));
    await writeFile(target, text, { flag: "wx" });
  }
  return [...all.keys()];
}
