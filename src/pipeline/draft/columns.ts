/** Columns of a spreadsheet and what their headers and cells look like. Pure. */
import type { ColumnType } from "../../job/job.ts";
import type { ColumnProfile } from "../../read/profile.ts";
import { nameOf, quote, toRuleLine } from "./manifest-lines.ts";

/** A column of the spreadsheet. */
export interface DraftColumn {
  readonly header: string;
  readonly type: ColumnType;
  /** Its cells are links whose texts differ from their addresses. */
  readonly isLinked?: true;
  /** All its cells are dates as GS1 writes them: six digits, YYMMDD. */
  readonly isGs1Date?: true;
}

interface Role {
  /** Of a header, lower case. */
  readonly header: RegExp;
  /** Headers that mean it only where no other does. */
  readonly elseHeader?: RegExp;
  /** What its cells are, where the header says nothing. */
  readonly type?: ColumnType;
  /** "looks like …". */
  readonly says: string;
}

/** What a column may be for, as headers in English, German and a few more say. */
const roles = {
  gtin: { header: /^(?:gtin|ean|upc|isbn|barcode)(?![a-z])/u, type: "gtin", says: "GTINs" },
  lot: { header: /^(?:lot|batch|charge|los)\b/u, says: "lots" },
  expiry: { header: /^(?:expiry|best.?before|use.?by|exp|mhd|verfall)/u, says: "expiry dates" },
  brand: { header: /^(?:brand|marke|marque|marca)\b/u, says: "brands" },
  title: {
    header:
      /^(?:title|titel|(?:product|produkt|artikel)(?!.?(?:id|code|nr|no|num))|name|bezeichnung|aussteller|exhibitor)/u,
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
    says: "last names",
  },
  full_name: { header: /^(?:full.?name|name|contact|kontakt)$/u, says: "names" },
  company_name: {
    header: /^(?:company|firma|org$|organi[sz]ation|soci[eé]t[eé]|empresa)/u,
    says: "companies",
  },
  position: {
    header: /^(?:position|job|role|funktion|poste|cargo)/u,
    // Beside a position, a title is one like "Dr.".
    elseHeader: /^tit(?:le|el)$/u,
    says: "positions",
  },
  email: { header: /^(?:e-?mail|mail|courriel)/u, type: "email", says: "e-mail addresses" },
  mobile_number: { header: /^(?:mobile?|handy|cell)/u, says: "mobile numbers" },
  phone_number: { header: /^(?:phone|tel)/u, says: "phone numbers" },
  website: { header: /^(?:web|homepage|site|url$)/u, type: "url", says: "websites" },
  street: { header: /^(?:street|stra(?:ß|ss)e|address$|adresse$)/u, says: "streets" },
  city: { header: /^(?:city|town|ort|stadt)\b/u, says: "towns" },
  post_code: { header: /^(?:post.?code|zip|plz|postleitzahl)/u, says: "post codes" },
  country: { header: /^(?:country|land|pays|país)\b/u, says: "countries" },
  state: { header: /^(?:state|bundesland|province)\b/u, says: "states" },
  slug: {
    header: /^(?:slug|short(?!.?link)|kurz(?!.?(?:link|url|adresse))|alias)/u,
    says: "last parts of short links",
  },
  new_url: {
    header:
      /^(?:new|neu|nouv|nuev|nuov|nov[aoyé]|now[aey]|nieuw|ny(?:tt|a|e)?\b)|\b(?:new|neu|nouve(?:au|lle)|nuev[ao]|nuov[ao])$/u,
    says: "new addresses",
  },
  old_url: {
    header:
      /^(?:old|alt|today|heute|aktuell|current|ancien|viej|antigu|vecchi|star[aey]|oud)|\b(?:old|alt|today|heute|bisher|ancien(?:ne)?|actuel(?:le)?)$/u,
    says: "addresses of today",
  },
  target: { header: /^(?:target|destin|ziel|cible|doel|cel\b)/u, says: "new addresses" },
  person_number: {
    header:
      /^(?:id$|nr\.?$|no\.?$|(?:personal|staff|employee|mitarbeiter|mitglied|member).?(?:nr|num|no|id))/u,
    says: "numbers of people",
  },
  code: {
    header: /^(?:code|id|short.?link|kurz.?(?:link|url|adresse)|display.?name)/u,
    says: "codes, by id, short link or name",
  },
  url: {
    header: /^(?:url|link|web|ziel|destination|href|target|page|seite|verweis|internet)/u,
    type: "url",
    says: "addresses",
  },
  file: { header: /^(?:pdf|file|datei|fichier|archivo)\b/u, says: "PDF files" },
  question: { header: /^(?:question|frage|pregunta)/u, says: "questions" },
} as const satisfies Record<string, Role>;

export type RoleName = keyof typeof roles;

const bare = (header: string): string => header.normalize("NFKC").trim().toLowerCase();

const fitsElse = (header: string, role: Role): boolean =>
  role.elseHeader?.test(bare(header)) === true;

export const headerFits = (header: string, role: RoleName): boolean =>
  roles[role].header.test(bare(header)) || fitsElse(header, roles[role]);

/** Those whose headers fit a role, best first. */
export function byHeader<C>(
  columns: readonly C[],
  role: RoleName,
  headerOf: (column: C) => string,
): C[] {
  const fitting = columns.filter((column) => headerFits(headerOf(column), role));
  const rank = (column: C): number => Number(fitsElse(headerOf(column), roles[role]));
  return fitting.toSorted((a, b) => rank(a) - rank(b));
}

/** The columns that fit a role: by their headers, then by their cells. */
export function findAll(columns: readonly DraftColumn[], name: RoleName): DraftColumn[] {
  const role: Role = roles[name];
  const named = byHeader(columns, name, ({ header }) => header);
  const byCells = columns.filter(({ type }) => role.type !== undefined && type === role.type);
  return [...new Set([...named, ...byCells])];
}

const MEASURE =
  /^(?:(?:verkaufs|einkaufs|stück|einzel|gesamt)?(?:preis|kosten|betrag)|price|cost|amount|total|summe|prix|precio|menge|anzahl|stückzahl|quantity|qty|count|datum|date|gewicht|weight|größe|size|rabatt|discount)(?![a-zäöüß])/u;

/** Whether a column says what something costs, weighs or when it was: no name of a thing, also where all cells differ. */
export const isMeasure = (header: string, type: ColumnProfile["type"]): boolean =>
  type === "number" || type === "date" || MEASURE.test(bare(header));

/** Words that German headers have, and those of hardly another language. */
const GERMAN = new Set(
  "anzahl artikel aussteller bemerkung beschreibung bezeichnung datum empfänger frage gerät größe halle haus kampagne kanal kunde lager menge nachname nummer plz postleitzahl preis raum regal sendung sprache stadt standort straße strasse tisch vorname ziel zimmer zuständig überschrift".split(
    " ",
  ),
);

/** Headers that say that a spreadsheet is German. */
export const findGerman = (headers: readonly string[]): string[] =>
  headers.filter((header) =>
    bare(header)
      .split(/[^\p{L}]+/u)
      .some((word) => GERMAN.has(word)),
  );

interface Used extends DraftColumn {
  readonly name: string;
  isRequired: boolean;
}

/** The columns that a manifest uses, each under one name, and the guesses about them. */
export class ColumnBook {
  readonly columns: readonly DraftColumn[];
  readonly #used: Used[] = [];
  readonly #isGerman: boolean;
  readonly guesses: string[] = [];

  constructor(columns: readonly DraftColumn[]) {
    this.columns = columns;
    this.#isGerman = findGerman(columns.map(({ header }) => header)).length > 0;
  }

  /** The first column that fits and that nothing uses yet. */
  find(role: RoleName): DraftColumn | undefined {
    const isFree = ({ header }: DraftColumn): boolean =>
      !this.#used.some((one) => one.header === header);
    return findAll(this.columns, role).find(isFree);
  }

  /** Its name in templates. */
  use(column: DraftColumn, { type = column.type, isRequired = false } = {}): string {
    const known = this.#used.find(({ header }) => header === column.header);
    if (column.isLinked === true && known === undefined && type === "url") {
      const which = quote(column.header.trim());
      this.guesses.push(
        `column ${which} shows texts that differ from its links: the links are taken`,
      );
    }
    if (known !== undefined) {
      known.isRequired ||= isRequired;
      return known.name;
    }
    const taken = this.#used.map(({ name }) => name);
    const name = nameOf(column.header, taken, this.#isGerman ? "de" : undefined);
    this.#used.push({ header: column.header, type, name, isRequired });
    return name;
  }

  /** Uses the column of a role as `field`, and says so; undefined when there is none. */
  take(
    role: RoleName,
    field: string,
    {
      type,
      isRequired,
      looks = roles[role].says,
    }: { type?: ColumnType; isRequired?: boolean; looks?: string } = {},
  ): string | undefined {
    const column = this.find(role);
    if (column === undefined) return undefined;
    this.say(column, looks, field);
    const own: Role = roles[role];
    return this.use(column, { type: type ?? own.type ?? "text", isRequired: isRequired ?? false });
  }

  /** `column "ean" looks like GTINs: product.identifier_value`. */
  say({ header }: DraftColumn, looks: string, field: string): void {
    this.guesses.push(`column ${quote(header.trim())} looks like ${looks}: ${field}`);
  }

  /** The rules of `source.columns`. */
  get rules(): string[] {
    return this.#used.map(toRuleLine);
  }
}
