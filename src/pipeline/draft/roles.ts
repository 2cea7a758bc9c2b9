/** What a column of a spreadsheet may be for, as its header and its cells say. Pure. */
import type { ColumnType } from "../../job/job.ts";
import type { ColumnProfile } from "../../read/rows/profile.ts";
import { bare } from "./header-words.ts";

/** A column, as far as guesses need it. */
export type Column = Pick<
  ColumnProfile,
  "column" | "type" | "filled" | "isLinked" | "isGs1Date" | "misses" | "holdsMany" | "saysMobile"
> &
  Partial<Pick<ColumnProfile, "examples" | "schemeless" | "odd" | "oddCount">> & {
    /** All its cells are addresses without https://: it counts as one of addresses. */
    readonly lacksScheme?: boolean;
    /** Another column has its name, too: a job that uses it doesn't run. */
    readonly isRepeated?: boolean;
    /** Of a column that may name kinds of networks, by its header. */
    readonly wifiKinds?: {
      /** Some of them aren't WPA, and at least half of its cells name a kind. */
      readonly tells: boolean;
      /** The first cell that names none. */
      readonly unknown: string | undefined;
    };
  };

interface RoleFacts {
  /** Of a header, lower case. */
  readonly header: RegExp;
  /** Headers that mean it only where no other does. */
  readonly elseHeader?: RegExp;
  /** Roles whose headers mean it where its own are missing, best first. */
  readonly also?: readonly string[];
  /** What its cells are: so it is typed. */
  readonly type?: ColumnType;
  /** Default: columns of the type that the header names, then those of the type, then those named. */
  readonly found?: "by header" | "by header first" | "in order";
  /** Columns named for these aren't meant where only their cells or another header fit. */
  readonly never?: readonly string[];
  /** "looks like …". */
  readonly says: string;
}

/** What a column may be for, as headers in English, German and a few more languages say. */
const roles = {
  gtin: { header: /^(?:gtin|ean|upc|isbn|barcode)(?![a-z])/u, type: "gtin", says: "GTINs" },
  lot: {
    header:
      /^(?:lot|batch|charge|los|lote|lotto|partia|n[°ºo]\.? (?:de )?lote?)(?![\p{L}\p{N}_])(?!.(?:qty|quantity|size|menge|größe|anzahl))/u,
    says: "lots",
  },
  serial: {
    header: /^(?:serials?$|serial[ _-]?num(?:ber)?s?(?![\p{L}\p{N}_])|serien-?(?:nr|nummer))/u,
    says: "serial numbers",
  },
  expiry: {
    header:
      /^(?:expiry|best.?before|use.?by|exp|mhd|verfall|dlc$|ddm$|dluo$|(?:date|fecha) (?:de |d.)?(?:p[ée]remption|expiration|caducidad|vencimiento)|caducidad|vencimiento|scadenza|data ważności)/u,
    type: "date",
    found: "by header",
    says: "expiry dates",
  },
  title: {
    header:
      /^(?:title|titel|(?:product|produkt|artikel|item)(?!.?(?:id|code|nr|no|num))|name|bezeichnung|aussteller|exhibitor)/u,
    elseHeader: /^(?:wein|wine|vino|speise|gericht|dish)$/u,
    says: "names",
  },
  about: { header: /^(?:description|beschreibung|about|über|text$)/u, says: "descriptions" },
  first_name: {
    header: /^(?:first(?:.?name|$)|given.?name|vorname|pr[eé]nom|nombre|imi[eę])/u,
    says: "first names",
  },
  last_name: {
    header:
      /^(?:last(?:.?name|$)|surname|family.?name|nachname|familienname|nom$|apellido|nazwisko)/u,
    // Beside "Vorname", "Name" is the last name; one name alone is written as the first.
    also: ["full_name", "first_name"],
    says: "last names",
  },
  full_name: { header: /^(?:full.?name|name|contact|kontakt)$/u, says: "names" },
  company_name: {
    header: /^(?:company|firma|org$|organi[sz]ation(?! title)|soci[eé]t[eé]|empresa)/u,
    says: "companies",
  },
  position: {
    header: /^(?:position|job|role|funktion|poste|cargo|fonction|puesto|stanowisko)/u,
    // Beside a position, a title is one like "Dr.".
    elseHeader: /^(?:organization )?tit(?:le|el)$/u,
    says: "positions",
  },
  email: { header: /^(?:e-?mail|mail|courriel)/u, type: "email", says: "e-mail addresses" },
  mobile_number: {
    header: /^(?:mobile?|handy|cell|portable$|m[óo]vil|celular|telefon komórkowy)/u,
    says: "mobile numbers",
  },
  phone_number: { header: /^(?:(?:business )?phone|t[eé]l)/u, says: "phone numbers" },
  website: {
    header: /^(?:web|homepage|site|url$)/u,
    type: "url",
    found: "by header first",
    says: "websites",
  },
  street: {
    header:
      /^(?:(?:business |address 1 - )?street|stra(?:ß|ss)e|address(?: ?1)?$|adresse$|rue$|calle$|direcci[óo]n$|ulica)/u,
    says: "streets",
  },
  city: {
    header:
      /^(?:(?:business |address 1 - )?city|town|ort|stadt|ville|ciudad|localidad|miasto)(?![\p{L}\p{N}_])/u,
    says: "towns",
  },
  post_code: {
    header:
      /^(?:post.?code|(?:business |address 1 - )?postal.?code|zip|plz|postleitzahl|code postal|c[óo]digo postal|kod pocztowy)/u,
    says: "post codes",
  },
  country: {
    header: /^(?:(?:business |address 1 - )?country|land|pays|país|kraj)(?![\p{L}\p{N}_])/u,
    says: "countries",
  },
  state: {
    header: /^(?:(?:business )?state|address 1 - region|bundesland|province)\b/u,
    says: "states",
  },
  slug: {
    header: /^(?:slug|short(?!.?link)|kurz(?!.?(?:link|url|adresse))|alias)/u,
    says: "last parts of short links",
  },
  new_url: {
    header:
      /^(?:(?:new|neu(?:e[nrs]?)?)(?![a-zäöüß])|(?:new|neue?)(?=url|link|ziel|target|addr|dest)|nouv|nuev|nuov|nov[aoyé]|now[aey]|nieuw|ny(?:tt|a|e)?\b)|\b(?:new|neu|nouve(?:au|lle)|nuev[ao]|nuov[ao])$/u,
    also: ["target", "payload"],
    type: "url",
    never: ["old_url", "code"],
    says: "new addresses",
  },
  old_url: {
    header:
      /^(?:(?:old|alt(?:e[nrs]?)?)(?![a-zäöüß])|(?:old|alte?)(?=url|link|ziel|target|addr|dest)|today|heute|aktuell|current|ancien|viej|antigu|vecchi|star[aey]|oud)|\b(?:old|alt|today|heute|bisher|ancien(?:ne)?|actuel(?:le)?)$/u,
    type: "url",
    found: "by header",
    says: "addresses of today",
  },
  target: { header: /^(?:target|destin|ziel|cible|doel|cel\b)/u, says: "new addresses" },
  person_number: {
    header:
      /^(?:id$|(?:pers(?:onal)?|staff|employee|mitarbeiter|mitglied(?:er|s)?|member)\P{L}{0,2}(?:nr|num|no(?!t)|id))/u,
    says: "numbers of people",
  },
  row_number: { header: /^(?:nr|no|number|nummer)\.?$/u, says: "numbers of rows" },
  identifier: {
    header:
      /(?:^|[^\p{L}])(?:id|nr|no|sku|code|number)\.?$|nummer$|[a-zäöü]nr\.?$|^(?:kennung|serial)/u,
    says: "numbers of things",
  },
  code: {
    header: /^(?:code|id|short.?link|kurz.?(?:link|url|adresse)|display.?name)/u,
    says: "codes, by id, short link or name",
  },
  payload: {
    header:
      /^(?:url|link|web|ziel|destination|href|target|page|seite|verweis|internet|(?:lien|enlace|odkaz)(?!\p{L}))/u,
    // Beside a column of destinations, these say whose they are.
    elseHeader:
      /^(?:homepage|domain|www(?![a-z])|site (?:web|internet)|sitio web|p[áa]gina|strona)/u,
    type: "url",
    says: "addresses",
  },
  file: { header: /^(?:pdf|file|datei|fichier|archivo)\b/u, says: "PDF files" },
  ssid: {
    header: /(?<!\p{L})ssid(?!\p{L})/u,
    elseHeader:
      /^(?:wi-?fi|w-?lan|netz(?:werk)?|hotspot|network|r[ée]seau|red|rete|nombre de (?:la )?red|nom du r[ée]seau)[ _-]?(?:name|netzwerk)?$/u,
    says: "names of Wi-Fi networks",
  },
  wifi_password: {
    header:
      /pass(?:wor[dt]|phrase|code)|kennwort|mot de passe|contraseña|schlüssel$|^(?:(?:w-?lan|wi-?fi|network|netzwerk|security)[ _-]?)?(?:key|psk|pw)$|^cl[ée](?![a-z])/u,
    says: "passwords of Wi-Fi networks",
  },
  wifi_type: {
    header:
      /^(?:verschlüsselung|(?:wi-?fi |w-?lan-?)?(?:encryption|security|sicherheit|auth|typ)|s[ée]curit[ée]|chiffrement|cifrado|seguridad)/u,
    says: "kinds of encryption",
  },
  question: {
    header: /^(?:question|frage|pregunta)/u,
    found: "in order",
    says: "questions",
  },
  button: {
    header: /^(?:web|homepage|site|url$)/u,
    type: "url",
    found: "in order",
    says: "addresses",
  },
} as const satisfies Record<string, RoleFacts>;

type RoleName = keyof typeof roles;

type Numbered = `button_${number}` | `question_${number}`;
/** These only tell how a column is meant. */
type OnlyHeader = "full_name" | "target" | "person_number" | "row_number" | "identifier";
/** A role of which there is one. */
export type OneRole = Exclude<RoleName, OnlyHeader | "button" | "question">;

/** What a column is good for; of buttons and questions there are many. */
export type Role = OneRole | Numbered;

export type Roles = Readonly<Partial<Record<OneRole, string>> & Record<Numbered, string>>;

const MOST = 12;

const upToMost = <N extends "button" | "question">(name: N): `${N}_${number}`[] =>
  Array.from({ length: MOST }, (_, at) => `${name}_${at + 1}` as const);

export const buttons = upToMost("button");
export const questions = upToMost("question");

const factsOf = (name: string): RoleFacts => roles[name.replace(/_\d+$/u, "") as RoleName];

export const headerFits = (header: string, name: RoleName): boolean =>
  [factsOf(name).header, factsOf(name).elseHeader].some((one) => one?.test(bare(header)));

export const namesRoles = (header: string): RoleName[] =>
  (Object.keys(roles) as RoleName[]).filter((name) => headerFits(header, name));

/** What its cells are, where a manifest says so. */
export const typeOf = (role: Role): ColumnType | undefined => factsOf(role).type;

const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?)(?:[?#]|$)/iu;

/** Whether a column holds addresses of pictures: pages are meant, where there are any. */
export const arePictures = ({ type, examples = [] }: Column): boolean =>
  type === "url" && examples.length > 0 && examples.every((text) => PICTURE.test(text));

const picturesLast = (columns: readonly Column[]): Column[] =>
  columns.toSorted((a, b) => Number(arePictures(a)) - Number(arePictures(b)));

/** Columns of links name nothing, where others could. */
const linksLast = (columns: readonly Column[]): Column[] =>
  columns.toSorted((a, b) => Number(a.type === "url") - Number(b.type === "url"));

/** Shopify puts it before the parts of an address. */
const DEFAULT_ADDRESS = /^default address /u;
/** A number or an address of a person, as often as not not meant for others. */
const PRIVATE = /\bprivat|\bhome\b|\bmaison\b|\bcasa\b/u;

const plain = (header: string): string => bare(header).replace(DEFAULT_ADDRESS, "");

/** Those that are meant in the first place come first. */
const isSecond = ({ column }: Column): boolean =>
  DEFAULT_ADDRESS.test(bare(column)) || PRIVATE.test(bare(column));

/** Contacts of Google say "Mobile" or "Home" here of the value in the next column. */
const LABEL = / - (?:label|type)$/u;

function named(name: string, columns: readonly Column[]): Column[] {
  const { header, elseHeader, type } = factsOf(name);
  const values = columns.filter(({ column }) => !LABEL.test(bare(column)));
  // "Country" before "Country code", whichever stands first.
  const isLonger = (one: RegExp, { column }: Column): boolean =>
    one.exec(plain(column))?.[0] !== plain(column);
  const all = [header, ...(elseHeader === undefined ? [] : [elseHeader])].flatMap((one) =>
    values
      .filter(({ column }) => one.test(plain(column)))
      .toSorted((a, b) => Number(isLonger(one, a)) - Number(isLonger(one, b))),
  );
  const sorted = all.toSorted((a, b) => Number(isSecond(a)) - Number(isSecond(b)));
  return type === undefined ? linksLast(sorted) : picturesLast(sorted);
}

/** Google's first column of several; the others are private numbers and addresses as often as not. */
const FIRST_OF_MANY = / 1 - value$/u;
const VALUE = / - value$/u;

/** Whether Google's column of labels says of all the numbers of a column that they are of mobiles. */
function isLabelledMobile({ column, filled }: Column, columns: readonly Column[]): boolean {
  const value = bare(column);
  if (!VALUE.test(value)) return false;
  const stem = value.replace(VALUE, "");
  const label = columns.find((one) => {
    const other = bare(one.column);
    return LABEL.test(other) && other.replace(LABEL, "") === stem;
  });
  // A number without a label may be any.
  return label?.saysMobile === true && label.filled >= filled;
}

/**
 * The columns that a role may mean, best first. Numbers of phones that are of mobiles by their label
 * count as such only.
 */
export function columnsFor(role: Role | OnlyHeader, columns: readonly Column[]): readonly Column[] {
  if (role === "wifi_type")
    return columnsByFacts(role, columns).filter((one) => one.wifiKinds?.tells);
  if (role !== "mobile_number" && role !== "phone_number") return columnsByFacts(role, columns);
  const mobiles = named("phone_number", columns).filter((one) => isLabelledMobile(one, columns));
  const others = columns.filter((one) => !mobiles.includes(one) && mayDial(one));
  const found = columnsByFacts(role, others);
  if (role === "mobile_number") return [...found, ...mobiles];
  // Where the first number is that of a mobile, the others are private as often as not.
  return mobiles.length === 0 ? found : found.filter(({ column }) => !VALUE.test(bare(column)));
}

/** "Portable: yes" is no number. */
const mayDial = ({ examples }: Column): boolean =>
  examples === undefined || examples.some((text) => /\d/u.test(text));

function columnsByFacts(role: Role | OnlyHeader, columns: readonly Column[]): readonly Column[] {
  const { type, also = [], never = [], found } = factsOf(role);
  const isOther = (one: Column): boolean => never.some((name) => named(name, [one]).length > 0);
  const others = columns.filter((one) => !isOther(one));
  const byHeader = [...named(role, columns), ...also.flatMap((name) => named(name, others))];
  const byCells = others.filter((one) => one.type === type);
  if (found === "in order") {
    return columns.filter((one) => byHeader.includes(one) || byCells.includes(one));
  }
  const isTyped = (one: Column): boolean =>
    one.type === type ||
    (type === "date" && one.isGs1Date === true) ||
    // Some may be mistyped: the plan reports each of them.
    (type === "gtin" && (one.type === "integer" || one.type === "number"));
  const first = byHeader.find(
    ({ column, filled }) => filled > 0 && FIRST_OF_MANY.test(bare(column)),
  );
  if (first !== undefined) return [...new Set([first, ...byHeader])];
  const both = byHeader.filter(isTyped);
  if (found === "by header") return [...new Set([...both, ...byHeader])];
  if (found === "by header first") return [...new Set([...both, ...byHeader, ...byCells])];
  return picturesLast([...new Set([...both, ...byCells, ...byHeader])]);
}

/** What a column looks like that was found for a role; undefined where nothing says so. */
export function sayLooks(role: Role, column: Column): string | undefined {
  if (role === "expiry" && column.isGs1Date === true) {
    return "dates as GS1 writes them, YYMMDD";
  }
  const { also = [], type, says } = factsOf(role);
  if (role === "mobile_number" && named("phone_number", [column]).length > 0) {
    return `${says}, as their labels say`;
  }
  const name = [role, ...also].find((one) => named(one, [column]).length > 0);
  if (name !== undefined) return factsOf(name).says;
  return column.type === type ? says : undefined;
}

export const saysOf = (role: Role): string => factsOf(role).says;

const MEASURE =
  /^(?:(?:verkaufs|einkaufs|stück|einzel|gesamt)?(?:preis|kosten|betrag)|price|cost|amount|total|summe|prix|precio|menge|anzahl|stückzahl|quantity|qty|count|datum|date|gewicht|weight|größe|size|rabatt|discount|(?:sitz)?plätze|seats|capacity|kapazität|pax|floor|etage|stockwerk|year|jahr|jahrgang|baujahr|age|alter)(?![a-zäöüß])/u;

/** 2026, 8:00: what stands below it is counted or noted. */
const COUNTED = /^[^\p{L}\d]*\d[^\p{L}]*$/u;

/** Whether a column says what something costs, weighs or when it was: no name of a thing, also where all cells differ. */
export const isMeasure = ({ column, type }: Column): boolean =>
  type === "number" || type === "date" || MEASURE.test(bare(column)) || COUNTED.test(column);

/** As programs write the index of a table: without a name, which the next program calls `Unnamed: 0`. */
const NAMELESS = /^(?:column |unnamed: )\d+$/u;

/** Whether a column only counts the rows, whose order may change. */
export const isRunning = ({ column, type }: Column): boolean =>
  type === "integer" && NAMELESS.test(bare(column));

const SECRET =
  /pass(?:wor[dt]|phrase|code)|kennwort|mot de passe|contraseña|(?<!\p{L})pin(?!\p{L})/u;

const PAYLOAD = /^(?:wifi|matmsg|mecard|begin|smsto|tel|mailto|geo|otpauth):/iu;

/** Whether cells are what stands in codes already, such as `WIFI:S:Guests;;`. */
export const holdsPayloads = ({ examples = [] }: Column): boolean =>
  examples.length > 0 && examples.every((text) => PAYLOAD.test(text));

/** Whether a column holds passwords and the like: they belong in a code at most, not below it. */
export const isSecret = ({ column }: Column): boolean => SECRET.test(bare(column));

/** Whether columns say who logs in: then a network beside them is no Wi-Fi that guests join. */
export const haveLogins = (columns: readonly Column[]): boolean =>
  columns.some(({ column }) => /^(?:user|login|benutzer|usuario|utilisateur)/u.test(bare(column)));

export const filledHeaders = (columns: readonly Column[]): string[] =>
  columns.flatMap(({ column, filled }) => (filled > 0 ? [column] : []));
