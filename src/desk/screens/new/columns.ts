/** What a spreadsheet holds, and what its columns are probably good for. */
import { stat } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../../../base/errors.ts";
import { rolesOf, things, type Role, type Thing } from "../../../pipeline/draft/things.ts";
import { PLAIN_SOURCE } from "../../../job/job.ts";
import { findFullestSheet } from "../../../read/fullest-sheet.ts";
import { profileSource, type ColumnProfile } from "../../../read/profile.ts";
import { openSource } from "../../../read/source.ts";
import { resolveInside } from "../../folder.ts";

const ROWS_SHOWN = 8;

export interface Looked {
  readonly headers: readonly string[];
  readonly columns: readonly ColumnProfile[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly count: number;
  readonly sheetName: string | undefined;
  /** Nobody has chosen the sheet: it is the one that holds the most. */
  readonly isGuessed: boolean;
  readonly otherSheets: readonly string[];
  readonly headerRow: number | undefined;
}

/** Spreadsheets that were looked at last, by what changes when somebody saves them. */
const known = new Map<string, Looked>();
const MOST_KNOWN = 8;

/**
 * What a spreadsheet holds; of a workbook the sheet that is named, or the one that holds the most. It is
 * read once, until somebody saves it. Throws what opening it throws.
 */
export async function lookAtSource(
  folder: string,
  source: string,
  sheet: string | null,
): Promise<Looked> {
  const file = path.resolve(await resolveInside(folder, source));
  const stamp = await stat(file).catch(() => undefined);
  const key = JSON.stringify([file, sheet, stamp?.mtimeMs, stamp?.size, stamp?.ino]);
  const looked = known.get(key) ?? (await readLooked(file, sheet));
  known.delete(key);
  known.set(key, looked);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return looked;
}

async function readLooked(file: string, sheet: string | null): Promise<Looked> {
  const fullest = sheet ?? (await findFullestSheet({ ...PLAIN_SOURCE, file })) ?? null;
  const opened = await openSource({ ...PLAIN_SOURCE, file, sheet: fullest });
  try {
    const rows: Readonly<Record<string, string>>[] = [];
    let count = 0;
    const columns = await profileSource(opened, ({ cells }) => {
      count += 1;
      if (rows.length < ROWS_SHOWN) rows.push(cells);
    });
    const { sheet: sheetName, otherSheets = [], headerLine } = opened.detected;
    return {
      headers: [...opened.columns],
      columns,
      rows,
      count,
      sheetName,
      isGuessed: sheet === null && fullest !== null,
      otherSheets,
      headerRow: headerLine === 1 ? undefined : headerLine,
    };
  } finally {
    await opened.close();
  }
}

/** Throws `bad-usage` for columns that the spreadsheet hasn't: it was changed since they were chosen. */
export async function checkColumns(
  folder: string,
  { source, sheet }: { readonly source: string; readonly sheet: string | null },
  chosen: readonly string[],
): Promise<void> {
  const file = path.resolve(await resolveInside(folder, source));
  const opened = await openSource({ ...PLAIN_SOURCE, file, sheet });
  try {
    const gone = chosen.filter((column) => !opened.columns.includes(column));
    if (gone.length === 0) return;
    const names = [...new Set(gone)].join(", ");
    throw new AppError("bad-usage", `columns must be in the spreadsheet, got ${names}`, {
      hint: "it was changed since: go back, load the page again and choose once more; nothing was written",
    });
  } finally {
    await opened.close();
  }
}

const QUESTION = /^(?:question|frage|pregunta)/iu;

/** Words that headers of a role begin with or are, in the languages of our users. */
const HINTS: Partial<Record<Role, RegExp>> = {
  payload:
    /^(?:url|link|web|website|destination|ziel|address|adresse|href|target|seite|page|verweis|internet)/iu,
  first_name: /^(?:first|given|vorname|pr[eé]nom|nombre|imi[eę])/iu,
  last_name: /^(?:last|sur|family|nachname|familienname|nom|apellido|nazwisko|name)/iu,
  company_name: /^(?:company|firma|organi[sz]ation|org|soci[eé]t[eé]|empresa)/iu,
  position: /^(?:position|title|job|role|funktion|titel|poste|cargo)/iu,
  email: /^e-?mail|^mail|^courriel/iu,
  mobile_number: /^(?:mobile|mobil|cell|handy|phone|tel)/iu,
  website: /^(?:web|url|site|homepage)/iu,
  gtin: /^(?:gtin|ean|upc|barcode)/iu,
  lot: /^(?:lot|batch|charge)/iu,
  expiry: /^(?:exp|best.?before|mhd|use.?by|verfall)/iu,
  title: /^(?:title|product|name|produkt|bezeichnung|artikel|titel)/iu,
  slug: /^(?:slug|short|kurz)/iu,
  file: /^(?:pdf|file|datei|fichier|archivo)/iu,
  about: /^(?:description|beschreibung|about|über|text)/iu,
  question_1: QUESTION,
  question_2: QUESTION,
  question_3: QUESTION,
  question_4: QUESTION,
  code: /^(?:code|id|short.?link|kurzlink|display.?name)/iu,
  new_url: /^(?:new|neu)/iu,
  old_url: /^(?:old|alt)/iu,
};

const TYPE_OF: Partial<Record<Role, string>> = {
  payload: "url",
  email: "email",
  gtin: "gtin",
  expiry: "date",
  button_1: "url",
  button_2: "url",
  button_3: "url",
  button_4: "url",
  new_url: "url",
};

/** The column that a role most likely means: by its header and its cells, else by either. */
function guess(role: Role, columns: readonly ColumnProfile[]): string | undefined {
  const filled = columns.filter((column) => column.filled > 0);
  const named = filled.filter(({ column }) => HINTS[role]?.test(column.trim()) === true);
  const typed = filled.filter(({ type }) => type === TYPE_OF[role]);
  const both = named.find((column) => typed.includes(column));
  const wantsType = TYPE_OF[role] !== undefined;
  return (both ?? (wantsType ? typed[0] : named[0]) ?? named[0])?.column;
}

export type Guesses = Readonly<Record<Thing, Partial<Record<Role, string>>>>;

/** Role -> header, for everything that a row may become. */
export function guessColumns(columns: readonly ColumnProfile[]): Guesses {
  const ofThing = (thing: Thing): Partial<Record<Role, string>> => {
    const { needed, more } = rolesOf[thing];
    const taken = new Set<string>();
    const found: Partial<Record<Role, string>> = {};
    for (const role of [...needed, ...more]) {
      const header = guess(
        role,
        columns.filter(({ column }) => !taken.has(column)),
      );
      if (header === undefined) continue;
      taken.add(header);
      found[role] = header;
    }
    return found;
  };
  return Object.fromEntries(things.map((thing) => [thing, ofThing(thing)])) as Guesses;
}

/** What a row of this spreadsheet most likely becomes. */
export function guessThing(columns: readonly ColumnProfile[], guesses: Guesses): Thing {
  const has = (type: string): boolean => columns.some((column) => column.type === type);
  if (has("gtin") && guesses.product.payload !== undefined) return "product";
  if (guesses.contact.first_name !== undefined && guesses.contact.last_name !== undefined) {
    return "contact";
  }
  if (guesses.form.question_1 !== undefined && !has("url")) return "form";
  const { new_url: fresh, old_url: old } = guesses.retarget;
  if (fresh !== undefined && old !== undefined) return "retarget";
  return has("url") ? "dynamic-link" : "text";
}

/** Columns in which every row differs, best first. */
const keyCandidates = (columns: readonly ColumnProfile[]): readonly string[] =>
  columns.filter(({ isUnique, type }) => isUnique && type !== "url").map(({ column }) => column);

/**
 * What tells rows apart and what stands below the code: the first column in which every row differs. First
 * names may differ in a short list: an e-mail address or both names tell people apart, and a GTIN products.
 */
export function offerTexts(
  columns: readonly ColumnProfile[],
  { first_name: first, last_name: last, email, gtin }: Guesses[Thing],
): { readonly tells: readonly string[]; readonly caption: readonly string[] } {
  const differ = keyCandidates(columns);
  const best = differ.slice(0, 1);
  const [offered] = best;
  const names = [first, last].filter((name) => name !== undefined);
  if (offered !== undefined && names.includes(offered)) {
    return {
      tells: email !== undefined && differ.includes(email) ? [email] : names,
      caption: names,
    };
  }
  return { tells: gtin !== undefined && differ.includes(gtin) ? [gtin] : best, caption: best };
}
