/** What a spreadsheet is for: its columns, what its rows become, what tells them apart. Pure. */
import { FEW_TWINS } from "../../read/rows/profile.ts";
import type { Shape } from "./look.ts";
import { namesThings } from "./header-words.ts";
import {
  columnsFor,
  haveLogins,
  headerFits,
  holdsPayloads,
  isMeasure,
  isRunning,
  isSecret,
  type Column,
  type Role,
  type Roles,
} from "./roles.ts";
import { factsOf, rolesOf, things, type Thing } from "./things.ts";

export type Guesses = Readonly<Record<Thing, Roles>>;

const toHeaders = (columns: readonly Column[]): string[] => columns.map(({ column }) => column);

/** Those with something in them; what only counts the rows comes last. */
const filledOf = ({ columns }: Shape): Column[] =>
  columns
    .filter(({ filled }) => filled > 0)
    .toSorted((a, b) => Number(isRunning(a)) - Number(isRunning(b)));

const namesNothing = ({ type }: Column): boolean => type === "url";

/** Few rows have an empty cell here, or that of an earlier row. */
const tellsApart = ({ count, misses }: Shape, headers: readonly string[]): boolean =>
  misses(headers) <= count * FEW_TWINS;

/** Most columns that tell rows apart stand among the first; others say so in their header. */
const FIRST = 5;

const singlesOf = (names: readonly string[]): string[][] => names.map((name) => [name]);

const firstOf = ({ columns }: Shape): string[] => toHeaders(columns.slice(0, FIRST));

const usableOf = (look: Shape): Column[] => filledOf(look).filter((one) => !namesNothing(one));

const isUnfit = (one: Column): boolean =>
  one.isRepeated === true || isMeasure(one) || isRunning(one) || isSecret(one);

/** What may name a row: no measure, no number of rows, and nothing that should stay secret. */
const textsOf = (columns: readonly Column[]): string[] =>
  toHeaders(columns.filter((one) => !isUnfit(one)));

const earlyOf = (look: Shape, texts: readonly string[]): string[] =>
  texts.filter((one) => firstOf(look).includes(one) || headerFits(one, "identifier"));

const isNumber = (header: string): boolean =>
  headerFits(header, "identifier") && !headerFits(header, "row_number");

/** Rows that share a number may be variants of one thing. */
const isOnceOrEmpty = ({ columns, count, misses }: Shape, header: string): boolean =>
  columns.some((one) => one.column === header && misses([header]) === count - one.filled);

/** The best of one column or two that tell rows apart; columns that only measure a row come last. */
function findKey(look: Shape, beside: string | undefined): readonly string[] {
  const usable = usableOf(look);
  const first = firstOf(look);
  const others = usable.filter(({ column }) => column !== beside);
  const texts = textsOf(others);
  const early = earlyOf(look, texts);
  const pairsOf = (names: readonly string[]): string[][] =>
    names
      .filter((name) => first.includes(name))
      .flatMap((a, at, all) => all.slice(at + 1).map((b) => [a, b]));
  // An empty cell of a number in front is a slip, which the plan names; texts behind it differ by chance.
  const numbers = early.filter((one) => isNumber(one) && isOnceOrEmpty(look, one));
  const inFront = numbers[0] === early[0] ? numbers : [];
  const wishes = [singlesOf(inFront), singlesOf(early), pairsOf(texts), singlesOf(texts)];
  const all = toHeaders(others);
  return (
    [...wishes, singlesOf(all), pairsOf(all), singlesOf(toHeaders(usable))]
      .map((some) => findBest(look, some))
      .find((best) => best !== undefined) ?? []
  );
}

/** A note or a person beside a text names it by chance only. */
const isNaming = (header: string): boolean =>
  headerFits(header, "identifier") || headerFits(header, "title") || namesThings(header);

/**
 * What names the rows beside the text of their codes, which need not be repeated below them; the
 * text where nothing else tells rows apart as well. A number of rows changes with their order.
 */
function findTextKey(look: Shape, payload: string): readonly string[] {
  const texts = textsOf(usableOf(look).filter(({ column }) => column !== payload));
  const headers = toHeaders(look.columns);
  const named = earlyOf(look, texts).filter(
    (one) =>
      !headerFits(one, "row_number") &&
      (headers.indexOf(one) < headers.indexOf(payload) || isNaming(one)),
  );
  const best = findBest(look, singlesOf(named));
  return best !== undefined && look.misses(best) <= look.misses([payload])
    ? best
    : findKey(look, undefined);
}

/** The wish that tells most rows apart, the first of equals; undefined when none does. */
const findBest = (
  look: Shape,
  wishes: readonly (readonly string[])[],
): readonly string[] | undefined =>
  wishes
    .filter((wish) => wish.length > 0 && tellsApart(look, wish))
    .toSorted((a, b) => look.misses(a) - look.misses(b))[0];

const filled = (...names: readonly (string | undefined)[]): string[] =>
  names.filter((name) => name !== undefined);

/**
 * Many people share a name or a company: a number of their own or an e-mail address tells them apart
 * best. A number of rows changes with their order.
 */
function contactWishes(look: Shape, roles: Roles): readonly (readonly string[])[] {
  const columns = filledOf(look);
  const [number, row] = (["person_number", "row_number"] as const).map(
    (role) => columnsFor(role, columns)[0]?.column,
  );
  const { email, first_name: first, last_name: last, mobile_number: mobile } = roles;
  const names = filled(first, last);
  return [filled(number), filled(email), names, filled(mobile), filled(row)];
}

/** Headers of what tells rows apart, and of the lines below a code. */
export interface Texts {
  readonly tells: readonly string[];
  readonly caption: readonly string[];
}

function guessContactTexts(look: Shape, roles: Roles): Texts {
  const { first_name: first, last_name: last } = roles;
  return {
    tells: findBest(look, contactWishes(look, roles)) ?? [],
    caption: filled(first, last),
  };
}

/** A place beside a network names it; a password stands in the code only. */
function guessWifiTexts(look: Shape, roles: Roles): Texts {
  const { ssid, wifi_password, wifi_type } = roles;
  const hidden = [wifi_password, wifi_type];
  const columns = look.columns.filter(({ column }) => !hidden.includes(column));
  const tells = findKey({ ...look, columns }, undefined);
  return { tells, caption: [...new Set([...tells, ...filled(ssid)])] };
}

/** What tells the rows of a thing apart, and what stands below their codes. */
export function guessTexts(look: Shape, thing: Thing, roles: Roles): Texts {
  const { gtin, lot, serial, title, payload } = roles;
  if (thing === "retarget") return { tells: [], caption: [] };
  if (thing === "contact") return guessContactTexts(look, roles);
  if (thing === "wifi") return guessWifiTexts(look, roles);
  if (thing === "product" && gtin !== undefined) {
    return { tells: filled(gtin, lot, serial), caption: [title ?? gtin] };
  }
  const tells =
    thing === "text" && payload !== undefined
      ? findTextKey(look, payload)
      : findKey(look, roles.file ?? roles.slug);
  if (title !== undefined) return { tells, caption: [title] };
  if (tells.length > 0) return { tells, caption: tells };
  const named = filledOf(look).filter((one) => !namesNothing(one));
  return { tells, caption: toHeaders(named).slice(0, 1) };
}

/** Columns that tell rows apart. */
export interface Keys {
  /** What rows may be told apart by, the one that is offered first. */
  readonly fit: readonly (readonly string[])[];
  /** Each row has another cell here, but the next rows may not, or a cell changes: why. */
  readonly unfit: readonly { readonly column: string; readonly why: string }[];
}

const SECRET = "it is secret";

/** Why a column is no key, though no cell stands there twice; undefined where it is one. */
function whyUnfit(
  thing: Thing,
  column: Column,
  wishes: readonly (readonly string[])[],
): string | undefined {
  if (column.isRepeated === true) return "another column has its name";
  if (namesNothing(column)) return "addresses change";
  if (isSecret(column)) return SECRET;
  if (isRunning(column)) return "it counts the rows, whose order may change";
  if (isMeasure(column)) return "others may have the same one day";
  const isWished = wishes.some((wish) => wish.length === 1 && wish[0] === column.column);
  return thing === "contact" && !isWished ? "people may share it" : undefined;
}

/** The key that is offered for a thing, and what each other column without twins is worth as one. */
export function findKeys(look: Shape, thing: Thing, roles: Roles): Keys {
  const { tells } = guessTexts(look, thing, roles);
  const offered = tellsApart(look, tells) ? [tells] : [];
  const wishes = contactWishes(look, roles);
  const others = filledOf(look)
    .filter(({ column, misses }) => misses === 0 && look.count > 1 && column !== tells.join())
    .map((column) => ({
      column: column.column,
      why: column.column === roles.wifi_password ? SECRET : whyUnfit(thing, column, wishes),
    }));
  return {
    fit: [
      ...offered,
      ...others.flatMap(({ column, why }) => (why === undefined ? [[column]] : [])),
    ],
    unfit: others.flatMap(({ column, why }) => (why === undefined ? [] : [{ column, why }])),
  };
}

/** Where rows share their first text, codes hold another one that they don't share, a number at best. */
function findOwnTexts(look: Shape): Column[] {
  const [first, ...others] = filledOf(look);
  if (first === undefined || tellsApart(look, [first.column])) return [];
  const apart = others.filter(
    (one) =>
      !namesNothing(one) && !isMeasure(one) && !isSecret(one) && tellsApart(look, [one.column]),
  );
  return [...apart.filter(({ column }) => headerFits(column, "identifier")), ...apart];
}

/** A column of places or things, each in one row. */
const isPlace = (one: Column): boolean =>
  !isUnfit(one) && namesThings(one.column) && one.misses === 0;

/** Columns for a role that none fits by its header or its cells, best first. */
function otherwise(look: Shape, thing: Thing, role: Role): readonly Column[] {
  const columns = filledOf(look);
  const named = columns.filter((one) => !namesNothing(one));
  if (role === "code") return [...named, ...columnsFor("payload", columns)];
  if (role === "payload" && thing === "text") {
    return [...columns.filter(holdsPayloads), ...findOwnTexts(look), ...columns];
  }
  if (role !== "title" || thing === "product") return [];
  // Two columns that tell rows apart are a title together only.
  const key = findKey(look, undefined);
  if (key.length > 1) return [];
  // "1" is no title beside "Cologne", unless there are two of it.
  const isBare = key.every((one) => headerFits(one, "identifier"));
  const ofKey = named.filter(({ column }) => key.length === 0 || key[0] === column);
  return isBare ? [...named.filter(isPlace), ...ofKey] : ofKey;
}

/** Role -> header of one thing; those that are `given` stay. */
export function guessRoles(look: Shape, thing: Thing, given: Roles = {}): Roles {
  const { needed } = factsOf[thing];
  const found = new Map<string, string>(Object.entries(given));
  const isFree = ({ column }: Column): boolean => ![...found.values()].includes(column);
  const take = (roles: readonly Role[], of: (role: Role) => readonly Column[]): void => {
    for (const role of roles) {
      const column = found.has(role) ? undefined : of(role).find(isFree)?.column;
      if (column !== undefined) found.set(role, column);
    }
  };
  const columns = filledOf(look);
  take([...needed, ...rolesOf(thing)], (role) => columnsFor(role, columns.filter(isFree)));
  take(needed, (role) => otherwise(look, thing, role));
  return Object.fromEntries(found) as Roles;
}

/** Role -> header, for everything that a row may become. */
export const guessColumns = (look: Shape): Guesses =>
  Object.fromEntries(things.map((thing) => [thing, guessRoles(look, thing)])) as Guesses;

/** Columns that the one that decides may be, best first; of codes, a single one of addresses. */
export function mainColumns(look: Shape, thing: Thing): readonly Column[] {
  const columns = filledOf(look);
  const found = columnsFor(factsOf[thing].needed[0], columns);
  const urls = columns.filter(namesNothing);
  return thing !== "text" || urls.length === 1
    ? found.filter((one) => thing === "product" || namesNothing(one))
    : [...new Set([...found, ...columns])];
}

const looks = (header: string, what: string): string =>
  `column ${JSON.stringify(header.trim())} looks like ${what}`;

/** Name, e-mail address and telephone, and nothing that leads somewhere. */
const areContacts = ({ last_name: name, email, ...others }: Roles): boolean =>
  [name, email, others.mobile_number ?? others.phone_number].every((one) => one !== undefined);

/** Why rows may become a thing, the surest first; undefined or false where nothing says so. */
const signs: readonly (readonly [
  Thing,
  (guesses: Guesses, columns: readonly Column[], hasUrl: boolean) => string | undefined | false,
])[] = [
  [
    "product",
    ({ product: { gtin = "" } }, columns) =>
      columns.some(
        ({ column, type }) =>
          column === gtin && type !== "text" && (type === "gtin" || !/^barcode/iu.test(column)),
      ) && looks(gtin, "GTINs"),
  ],
  [
    "wifi",
    ({ wifi: { ssid, wifi_password: password } }, columns) =>
      ssid !== undefined &&
      password !== undefined &&
      !haveLogins(columns) &&
      !columns.some(holdsPayloads) &&
      looks(ssid, "names of Wi-Fi networks"),
  ],
  ["contact", ({ contact: { first_name: one } }) => one && looks(one, "first names")],
  [
    "contact",
    ({ contact }, _, hasUrl) =>
      !hasUrl &&
      areContacts(contact) &&
      "the columns look like names, e-mail addresses and phone numbers",
  ],
  ["form", ({ form: { question_1: one } }, _, hasUrl) => !hasUrl && one && looks(one, "questions")],
  [
    "retarget",
    ({ retarget: { new_url: fresh = "", old_url: old } }, columns) =>
      // A text such as "Alt text" is no address of today.
      columns.some((one) => one.column === old && namesNothing(one)) &&
      (headerFits(fresh, "new_url") || headerFits(fresh, "target")) &&
      looks(fresh, "new addresses"),
  ],
];

/** What a row of this spreadsheet may become, the likeliest first, and why. */
export function guessThings(
  look: Shape,
  guesses: Guesses,
): readonly { readonly thing: Thing; readonly why?: string }[] {
  const columns = filledOf(look);
  const hasUrl = columns.some(({ type }) => type === "url");
  const signed = signs.flatMap(([thing, sign]) => {
    const why = sign(guesses, columns, hasUrl);
    return typeof why === "string" ? [{ thing, why }] : [];
  });
  return [...signed, { thing: hasUrl ? "dynamic-link" : "text" }];
}
