/** What the columns of a spreadsheet are probably good for, for each thing that a row may become. Pure. */
import type { ColumnProfile } from "../../read/profile.ts";
import { byHeader, headerFits, isMeasure, type RoleName } from "./columns.ts";
import { rolesOf, things, type Role, type Thing } from "./things.ts";

/** Roles whose headers are those of another role. */
const HEADERS: Partial<Record<Role, readonly RoleName[]>> = {
  payload: ["url"],
  new_url: ["new_url", "target"],
  last_name: ["last_name", "full_name"],
  mobile_number: ["mobile_number", "phone_number"],
  button_1: [],
  button_2: [],
  button_3: [],
  button_4: [],
  question_1: ["question"],
  question_2: ["question"],
  question_3: ["question"],
  question_4: ["question"],
};

const TYPES: Partial<Record<Role, ColumnProfile["type"]>> = {
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

function namedFor(role: Role, columns: readonly ColumnProfile[]): ColumnProfile[] {
  const names = HEADERS[role] ?? [role as RoleName];
  const found = new Set(names.flatMap((name) => byHeader(columns, name, ({ column }) => column)));
  return [...found];
}

/** The column that a role most likely means: by its header and its cells, else by either. */
function guess(role: Role, columns: readonly ColumnProfile[]): string | undefined {
  const filled = columns.filter((column) => column.filled > 0);
  const named = namedFor(role, filled);
  const isOther = ({ column }: ColumnProfile): boolean =>
    role === "new_url" && headerFits(column, "old_url");
  const typed = filled.filter((column) => column.type === TYPES[role] && !isOther(column));
  const isGs1Date = (column: ColumnProfile): boolean =>
    role === "expiry" && column.isGs1Date === true;
  const both = named.find((column) => typed.includes(column) || isGs1Date(column));
  const wantsType = TYPES[role] !== undefined;
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

const rankOf = ({ column, type, isUnique }: ColumnProfile): number =>
  (isMeasure(column, type) ? 2 : 0) + (isUnique ? 0 : 1);

/**
 * Columns that identify rows, best first: those in which every row differs, then those with few
 * repeats, as in a list with a row twice. Prices, amounts and dates come last.
 */
function keyCandidates(columns: readonly ColumnProfile[]): readonly string[] {
  return columns
    .filter(({ isNearlyUnique, type }) => isNearlyUnique && type !== "url")
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ column }) => column);
}

/** Telephone numbers and streets differ, too, but name nobody. */
function offerContactTexts(
  differ: readonly string[],
  names: readonly string[],
  email: string | undefined,
): { readonly tells: readonly string[]; readonly caption: readonly string[] } {
  const isName = (header: string): boolean => names.includes(header);
  const fits = (header: string): boolean =>
    isName(header) || header === email || headerFits(header, "person_number");
  const offered = differ.find(fits) ?? differ[0];
  if (offered !== undefined && headerFits(offered, "person_number")) {
    return { tells: [offered], caption: [offered] };
  }
  if (email !== undefined && differ.includes(email)) return { tells: [email], caption: names };
  if (offered === undefined) return { tells: [], caption: names };
  return { tells: isName(offered) ? names : [offered], caption: names };
}

/**
 * The key, and the line below the code: the best column that identifies rows. In a short list even
 * first names may differ, so the key of people is an e-mail address or both names, and that of
 * products a GTIN.
 */
export function offerTexts(
  columns: readonly ColumnProfile[],
  { first_name: first, last_name: last, email, gtin }: Guesses[Thing],
): { readonly tells: readonly string[]; readonly caption: readonly string[] } {
  const differ = keyCandidates(columns);
  const names = [first, last].filter((name) => name !== undefined);
  if (names.length > 0) return offerContactTexts(differ, names, email);
  const best = differ.slice(0, 1);
  return { tells: gtin !== undefined && differ.includes(gtin) ? [gtin] : best, caption: best };
}
