/** Words of headers that say neither what a column is for nor what its cells are. Pure. */

/** A header as it is compared. */
export const bare = (header: string): string => header.normalize("NFKC").trim().toLowerCase();

/** Words that German headers have, and those of hardly another language. */
const GERMAN = new Set(
  "anzahl artikel aussteller bemerkung beschreibung bezeichnung datum empfänger frage gerät größe halle haus kampagne kanal kunde lager menge nachname nummer plz postleitzahl preis raum regal sendung sprache stadt standort straße strasse tisch vorname wein ziel zimmer zuständig überschrift".split(
    " ",
  ),
);

const toWords = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words of headers of places and things. */
const NAMING = toWords(
  "table tisch filiale branch room raum zimmer shelf regal seat platz place location standort area bereich building gebäude haus halle lager floor level station stand team group gruppe gast guest player zone object objekt machine maschine gerät artikel bezeichnung aussteller kampagne wine wein dish speise gericht",
);

/** Other words of headers, which say neither a role nor a language. */
const COMMON = toWords(
  "name category kategorie type typ status department abteilung note notiz text section color colour farbe",
);

const hasWordOf = (words: ReadonlySet<string>, header: string): boolean =>
  bare(header)
    .split(/[^\p{L}]+/u)
    .some((word) => words.has(word));

/** Headers that say that a spreadsheet is German. */
export const findGerman = (headers: readonly string[]): string[] =>
  headers.filter((header) => hasWordOf(GERMAN, header));

/** Whether a header says that its cells are names of places or things. */
export const namesThings = (header: string): boolean => hasWordOf(NAMING, header);

/** Whether a header has a word that often names a column. */
export const isCommon = (header: string): boolean =>
  [GERMAN, COMMON, NAMING].some((words) => hasWordOf(words, header));
