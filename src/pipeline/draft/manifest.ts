/** Manifests as a person would write them, with a word on the lines that people change first. Pure. */
import { linesOf } from "../../base/text/lines-of.ts";
import { toSlug, type SlugLanguage } from "../../base/text/slug.ts";
import type { ColumnType } from "../../job/job.ts";
import type { Kind } from "../../kinds/names.ts";
import { cleanHeader } from "../../read/header/header.ts";
import type { Shape } from "./look.ts";
import { findGerman } from "./header-words.ts";
import { arePictures, filledHeaders, typeOf, type Column, type Role, type Roles } from "./roles.ts";
import { factsOf, quote, rolesOf, thingLines, type Asked, type Thing } from "./things.ts";

/** The parts of every manifest. */
export interface Parts {
  /** Remarks at its head. */
  readonly head: readonly string[];
  readonly name: string;
  readonly kind: Kind;
  readonly source?: readonly string[];
  /** Lines between source and output. */
  readonly body: readonly string[];
  /** Lines below `output`. */
  readonly output: readonly string[];
}

export const writeParts = ({ head, name, kind, source = [], body, output }: Parts): string =>
  `${[...head, "version: 1", `name: ${name}`, `kind: ${kind}`, ...source, ...body, "output:", ...output].join("\n")}\n`;

/** What `output` says of a job with labels: without a label sheet, artwork and archive only. */
export const toOutputLines = (
  name: string,
  sheet: string | undefined,
  caption: string | undefined,
): string[] =>
  linesOf(
    `  dir: out/${name}`,
    "  files: [svg, png]",
    "  zip: true",
    sheet !== undefined &&
      caption !== undefined &&
      `  sheets: { sheet: ${sheet}, caption: ${caption} }  # makeready sheets lists them`,
    "  index: [csv, xlsx]",
  );

/** What a person or a guess chose for a spreadsheet. */
export interface Draft {
  readonly head: readonly string[];
  /** Lower-case letters, digits, hyphens. */
  readonly name: string;
  /** As the manifest writes it. */
  readonly file: string;
  readonly look: Shape;
  readonly thing: Thing;
  /** Role -> header of the spreadsheet. */
  readonly columns: Roles;
  /** Headers that tell rows apart. */
  readonly key: readonly string[];
  /** Headers of the lines under the code. */
  readonly caption: readonly string[];
  /** Label sheet; undefined: pictures and archive only. */
  readonly sheet?: string | undefined;
  /** Questions of a form whose spreadsheet has none. Default: English ones. */
  readonly asked?: Asked | undefined;
}

const SIMPLE_NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** The header where templates can write it, else a slug with the header as alias. */
function nameOf(header: string, taken: readonly string[], language?: SlugLanguage): string {
  const plain = header.normalize("NFKC").trim();
  if (SIMPLE_NAME.test(plain)) return plain;
  const base =
    toSlug(plain, language)
      .replaceAll("-", "_")
      .replace(/^(?=\d)/u, "_") || "column";
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}_${n}`;
    if (!taken.includes(name)) return name;
  }
}

/** A name of its own for each header, in order. */
function nameColumns(
  headers: readonly string[],
  language: SlugLanguage | undefined,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const header of headers) names.set(header, nameOf(header, [...names.values()], language));
  return names;
}

/** Words that YAML reads as something else. */
const YAML_WORD = /^(?:y|n|yes|no|on|off|true|false|null|~)$/iu;
const toKey = (name: string): string => (YAML_WORD.test(name) ? quote(name) : name);

/**
 * What a column holds: a website may stand there without https://, and an expiry date as GS1 writes
 * it, which no format of dates reads; such cells stay as they are.
 */
function columnType({ thing, look, columns }: Draft, role: Role): ColumnType | undefined {
  const column = look.columns.find((one) => one.column === columns[role]);
  if (column?.lacksScheme === true) return undefined;
  if (role === "payload") return thing === "text" ? undefined : "url";
  if (role === "website" && column?.type !== "url") return undefined;
  return role === "expiry" && column?.isGs1Date === true ? undefined : typeOf(role);
}

/** Contacts with several numbers in a cell: the first one counts. Types take the first by themselves. */
function takesFirst(draft: Draft, role: Role): boolean {
  const { thing, look, columns } = draft;
  const column = look.columns.find((one) => one.column === columns[role]);
  const type = columnType(draft, role);
  return thing === "contact" && column?.holdsMany === true && type !== "email" && type !== "url";
}

/** What stands in front of addresses that lack it; texts and contacts stay as they are. */
const schemeFor = ({ thing, look, columns }: Draft, role: Role): string =>
  thing !== "text" &&
  typeOf(role) === "url" &&
  role !== "website" &&
  look.columns.some(({ column, lacksScheme }) => column === columns[role] && lacksScheme === true)
    ? "https://"
    : "";

const hasGaps = ({ look, columns }: Draft, role: Role): boolean =>
  look.columns.some(({ column, filled }) => column === columns[role] && filled < look.count);

/** No contact is without a first name; an open network has no password. */
function isNeeded(draft: Draft, role: Role): boolean {
  const { thing, columns, look } = draft;
  if (thing === "contact")
    return role === (columns.first_name === undefined ? "last_name" : "first_name");
  const mayBeOpen = columns.wifi_type !== undefined || hasGaps(draft, role);
  if (role === "wifi_password" && mayBeOpen) return false;
  // The advice beside it is to write other addresses in their place: rows without a picture are no bad ones then.
  const { payload } = columns;
  const isPicture = look.columns.some((one) => one.column === payload && arePictures(one));
  if (role === "payload" && isPicture) return false;
  return factsOf[thing].needed.includes(role);
}

function ruleLine(draft: Draft, header: string, name: string): string {
  const roles = (Object.keys(draft.columns) as Role[]).filter(
    (one) => draft.columns[one] === header,
  );
  const type = roles.map((role) => columnType(draft, role)).find((one) => one !== undefined);
  // A product may be without a batch and without a serial.
  const mayBeEmpty = roles.includes("lot") || roles.includes("serial");
  const isKey = draft.key.includes(header) && !mayBeEmpty;
  const isRequired = isKey || roles.some((role) => isNeeded(draft, role));
  const parts = linesOf(
    type !== undefined && `type: ${type}`,
    isRequired && "required: true",
    name !== header.trim() && `aliases: [${quote(header.trim())}]`,
  );
  return `    ${toKey(name)}: ${parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`}`;
}

/** What `source.key` says; codes that exist are told apart by themselves. */
function keyLine({ thing, key }: Draft, toName: (header: string) => string): string | false {
  if (thing === "retarget") return false;
  return key.length === 0
    ? "  # key: [...]  # columns that identify a row, so that a change becomes an update"
    : `  key: [${key.map((header) => toKey(toName(header))).join(", ")}]  # what identifies a row when you run again`;
}

const fill = (names: readonly string[], between: string): string =>
  names.map((name) => `{{ ${name} }}`).join(between);

/** The lines under a code: first and last name stand in one. */
function toLines({ thing, key, caption, columns }: Draft): readonly (readonly string[])[] {
  const main = columns[factsOf[thing].needed[0]];
  const shown =
    [caption, key].find((some) => some.length > 0) ?? (main === undefined ? [] : [main]);
  const { first_name: first, last_name: last } = columns;
  const names = [first, last].filter((header) => header !== undefined);
  const areBoth = names.length === 2 && names.every((header) => shown.includes(header));
  const lines = shown.map((header) => (areBoth && names.includes(header) ? names : [header]));
  return lines.filter((line, at) => line !== names || lines.indexOf(names) === at);
}

/** The columns that a manifest names, in order. */
const headersIn = ({ thing, key, caption, columns }: Draft): string[] => {
  const used = rolesOf(thing).flatMap((role) => columns[role] ?? []);
  return [...new Set(factsOf[thing].hasLabels ? [...key, ...used, ...caption] : used)];
};

function sourceLines(draft: Draft, names: ReadonlyMap<string, string>): string[] {
  const { sheetName, otherSheets, headerRow, columns } = draft.look;
  const others = otherSheets.map(quote).join(", ");
  return linesOf(
    "source:",
    `  file: ${quote(draft.file)}`,
    sheetName !== undefined &&
      `  sheet: ${quote(sheetName)}${others === "" ? "" : `  # there are also ${others}`}`,
    headerRow !== undefined && `  header_row: ${headerRow}`,
    languageOf(columns) !== undefined && "  language: de  # slugs write ä as ae",
    keyLine(draft, (header) => names.get(header) ?? header),
    "  columns:",
    ...[...names].map(([header, name]) => ruleLine(draft, header, name)),
  );
}

/** How the slugs of a spreadsheet's job are spelt, its name included. */
export const languageOf = (columns: readonly Column[]): SlugLanguage | undefined =>
  findGerman(filledHeaders(columns)).length > 0 ? "de" : undefined;

/** Headers between `{{` and `}}`, under the names that the manifest gives them. */
function withNames(
  text: string,
  { columns }: Draft["look"],
  names: ReadonlyMap<string, string>,
): string {
  return text.replaceAll(/\{\{([^{}|]*)/gu, (place, written: string) => {
    const header = columns.find(({ column }) => column.trim() === written.trim())?.column;
    return header === undefined ? place : `{{ ${names.get(header) ?? cleanHeader(header)} `;
  });
}

/** The manifest of a job from a spreadsheet. */
export function writeManifest(draft: Draft): string {
  const { head, thing, name, look, columns, sheet } = draft;
  const { kind, hasLabels } = factsOf[thing];
  const names = nameColumns(headersIn(draft), languageOf(look.columns));
  const namesOf = (headers: readonly string[]): string[] =>
    headers.map((header) => names.get(header) ?? header);
  const lines = toLines(draft).map((headers) => fill(namesOf(headers), " "));
  const body = thingLines[thing]({
    template: (role, filter) => {
      const header = columns[role];
      if (header === undefined) return undefined;
      const filters = linesOf(
        (typeOf(role) === undefined || columnType(draft, role) !== undefined) && (filter ?? false),
        takesFirst(draft, role) && "first",
      );
      const scheme = schemeFor(draft, role);
      const isWhole = scheme === "" || isNeeded(draft, role);
      const put = isWhole ? [] : [`prefix: '${scheme}'`];
      const text = `{{ ${[...namesOf([header]), ...filters, ...put].join(" | ")} }}`;
      return quote(isWhole ? scheme + text : text);
    },
    header: (role) => columns[role],
    hasGaps: (role) => hasGaps(draft, role),
    name: quote(lines.join(" / ")),
    asked: draft.asked && {
      rating: withNames(draft.asked.rating, look, names),
      text: withNames(draft.asked.text, look, names),
    },
  });
  const slug = toSlug(name);
  const texts = lines.map(quote);
  const output = hasLabels
    ? toOutputLines(slug, sheet, texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`)
    : [`  dir: out/${slug}`, "  index: [csv]"];
  return writeParts({ head, name: slug, kind, source: sourceLines(draft, names), body, output });
}
