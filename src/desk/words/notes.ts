/** The notes of a plan in words. */
import { sayWorst, toGradeLetter } from "../../base/text/grade-words.ts";
import { numberFormat } from "../../base/text/number-format.ts";
import { cutKey, formatRunTime, formatTries } from "../../base/text/words.ts";
import { MOST_DECODED_ALL } from "../../job/job.ts";
import type { RemadeReason } from "../../pipeline/files/remade.ts";
import { whetherStill } from "../../pipeline/address/address-words.ts";
import type { CaptionSize, PlanNote } from "../../pipeline/paper/plan-notes.ts";
import { sayUntold, type Untold } from "../../pipeline/address/untold.ts";
import { toFrameName } from "./fillings.ts";
import { many } from "./many.ts";

/** What each note says, in one language. */
export type NoteWords = {
  readonly [Code in PlanNote["code"]]: (note: Extract<PlanNote, { code: Code }>) => string;
};

/** A plan that another makeready made may have notes without words here. */
export const sayNotes = (words: NoteWords, notes: readonly PlanNote[]): string[] =>
  notes.filter(({ code }) => code in words).map((note) => sayNote(words, note));

export const sayNote = (words: NoteWords, note: PlanNote): string =>
  (words[note.code] as (note: PlanNote) => string)(note);

type Reasons = Readonly<Record<Exclude<RemadeReason, "unfinished">, (isOne: boolean) => string>>;

const remadeInEnglish: Reasons = {
  missing: (isOne) => (isOne ? "it is missing" : "they are missing"),
  damaged: (isOne) => (isOne ? "it is not as it was written" : "they are not as they were written"),
  program: (isOne) => `another version of makeready wrote ${isOne ? "it" : "them"}`,
  changed: () => "layout or labels have changed since",
  contents: (isOne) => `what is packed in ${isOne ? "it" : "them"} has changed since`,
  input: () => "the list has changed since",
};

const remadeInGerman: Reasons = {
  missing: (isOne) => (isOne ? "sie fehlt" : "sie fehlen"),
  damaged: (isOne) =>
    isOne
      ? "sie ist nicht, wie sie geschrieben wurde"
      : "sie sind nicht, wie sie geschrieben wurden",
  program: () => "eine andere Version von makeready hat sie geschrieben",
  changed: () => "Anordnung oder Etiketten haben sich seitdem geändert",
  contents: () => "ihr Inhalt hat sich seitdem geändert",
  input: () => "die Liste hat sich seitdem geändert",
};

function sayUntoldInGerman(what: string, untold: Untold): string {
  switch (untold.why) {
    case "not-set":
      return `Der Server wurde nicht gefragt, ${what}: Es ist kein ${untold.missing === "token" ? "Token" : "Workspace"} gesetzt.`;
    case "refused":
      return `Der Server hat das Token abgelehnt (${untold.status}) und darum nicht gesagt, ${what}.`;
    case "no-workspace":
      return `Der Server hat nicht gesagt, ${what}: Unter seiner Adresse gibt es diesen Workspace nicht, oder dort antwortet keine API.`;
    case "no-answer":
      return `Der Server hat nicht gesagt, ${what}: Es kam keine brauchbare Antwort.`;
    case "not-shown":
      return `Der Server hat nicht gesagt, ${what}: Er zeigt den Code nicht, nach dem gefragt wurde, oder nicht seinen Link.`;
  }
}

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const inEnglish = (n: number): string => numberFormat("en").format(n);
const inGerman = (n: number): string => numberFormat("de").format(n);

const INKS_SHOWN = 6;

type NoteOf<Code extends PlanNote["code"]> = Extract<PlanNote, { code: Code }>;

/** The first colours, and how many there are besides. */
function listInks({ inks }: NoteOf<"design-inks">, as: string, duller: string, more: string) {
  const shown = inks
    .slice(0, INKS_SHOWN)
    .map(({ color, ink, isDull }) => `${color} ${as} ${ink}${isDull ? ` (${duller})` : ""}`);
  const left = inks.length - shown.length;
  return `${shown.join(", ")}${left > 0 ? `, ${more.replace("{count}", String(left))}` : ""}`;
}

const listFiles = ({ examples }: NoteOf<"files-missing">): string =>
  examples.map(({ row, message }) => `${row}: ${message}`).join("; ");

function sayNeeding(
  { isOfAll, row, line, code }: Omit<CaptionSize, "file" | "sizePt">,
  words: Readonly<Record<"all" | "line" | "code" | "key" | "needs", string>>,
): string {
  if (isOfAll === true) return words.all;
  if (line !== undefined) return `${words.line} ${line} ${words.needs}`;
  const named =
    code === undefined ? `${words.key} ${cutKey(row)}` : `${words.code} ${cutKey(code)}`;
  return `${named} ${words.needs}`;
}

const needingInEnglish = {
  all: "no label has room for more",
  line: "line",
  code: "code",
  key: "key",
  needs: "needs it",
};

const needingInGerman = {
  all: "mehr hat auf keinem Etikett Platz",
  line: "Zeile",
  code: "Code",
  key: "Schlüssel",
  needs: "braucht sie",
};

export const notesInEnglish: NoteWords = {
  "x-dimension": ({ xMm, dpi, isMost, linkLength, keptMm }) =>
    `One module of the code is ${isMost === true ? "at most " : ""}${xMm.toFixed(3)} mm wide${dpi === undefined ? "" : `, on the grid of ${dpi} dpi`}${linkLength === undefined ? "" : `, if short links have ${linkLength} characters: their length is known once the server has made them`}.${keptMm === undefined ? "" : ` Finished sheets stay as they are, with ${keptMm.toFixed(3)} mm.`}`,
  "design-inks": (note) =>
    `Codes are printed as they were designed: ${listInks(note, "as", "duller: no press can print it", "and {count} more colours")}.`,
  grades: (note) => `Verifiers are expected to grade ${sayWorst(note)}.`,
  "grades-later": ({ count }) =>
    `The predicted grade of ${many(inEnglish(count), "code", "codes")} is known after the run: the server's list shows no designs.`,
  "logo-shapes": ({ files }) => `The sheets print the shapes of ${files.join(", ")} as vectors.`,
  "svg-sent": ({ files }) =>
    `The server takes no SVG: it is sent ${files.join(", ")} as a picture of 1024 pixels.`,
  "caption-size": ({ examples }) =>
    `All captions of a PDF have one size: ${examples.map(({ file, sizePt, smaller: less, ...row }) => `${sizePt} pt in ${file}, since ${sayNeeding(row, needingInEnglish)}${less === undefined ? "" : ` (${less.count === 1 ? "one that has" : `${less.count} that have`} no room at ${less.leastPt} pt ${less.count === 1 ? "is" : "are"} smaller)`}`).join("; ")}.`,
  "sheet-start": ({ begins }) =>
    `${begins.map(({ file, cell }) => (cell === 1 ? `${file} begins with a whole sheet` : `${file} begins at cell ${cell} of a part-used sheet`)).join("; ")}.`,
  "sheets-anew": ({ files }) =>
    `These finished PDFs are made anew, since makeready draws their labels better now: ${files.join(", ")}.`,
  "files-remade": ({ why, files }) =>
    why === "unfinished"
      ? "The last run did not end. A run finishes its files."
      : `A run makes ${files.join(", ")} anew: ${remadeInEnglish[why](files.length === 1)}.`,
  "undo-unfinished": () =>
    "The last undo did not end: undo again to finish it. A run changes again what it has put back.",
  "files-to-fetch": ({ count, of }) =>
    `The ${of === "files" ? "files" : "short links"} of ${many(inEnglish(count), "code", "codes")} are missing. A run fetches them.`,
  "files-removed": ({ files }) =>
    `A run removes ${files.join(", ")}: nothing goes into ${files.length === 1 ? "it" : "them"} any more.`,
  "pictures-remade": ({ count }) =>
    `A run makes the pictures of ${many(inEnglish(count), "code", "codes")} anew: they are not all there, not those that the job asks for, or somebody has changed them.`,
  "frame-texts-empty": ({ count }) =>
    `${many(inEnglish(count), "code has a frame", "codes have frames")} without a text: ${count === 1 ? "its row gives" : "their rows give"} none.`,
  "least-width": ({ frame, codeMm, textMm }) =>
    `Print drawings with the frame ${frame} ${Math.max(codeMm, textMm ?? 0).toFixed(1)} mm wide or wider: below that their code or text is lost.`,
  "stronger-codes": ({ count, of }) =>
    `${of === 1 ? "The new code" : `${inEnglish(count)} of ${inEnglish(of)} new codes`} ${count === 1 ? "bears" : "bear"} more damage than usual (error correction H) and ${count === 1 ? "is" : "are"} no larger for it.`,
  "grown-codes": ({ count }) =>
    `${many(inEnglish(count), "code is larger than its text needs", "codes are larger than their texts need")}, so that the logo has room. A shorter text keeps codes small.`,
  "needs-yes": ({ over }) =>
    `These are more than ${many(inEnglish(over), "change", "changes")}. Look at the figures before you run.`,
  "sends-nothing": ({ why }) => `${why}. A run sends nothing until this is mended.`,
  "renamed-files": ({ count, examples }) =>
    `${many(inEnglish(count), "file has the name of another one and gets a number", "files have the names of others and get numbers")}: ${examples.join(", ")}${count > examples.length ? " …" : ""}`,
  "address-moves": ({ from, to, count }) =>
    `Short links begin with ${to} instead of ${from}. The files of ${many(inEnglish(count), "code", "codes")} are made anew.`,
  "address-not-told": ({ from, because }) => toSentence(sayUntold(whetherStill(from), because)),
  limited: ({ count, of }) =>
    `This run makes ${inEnglish(count)} of the ${many(inEnglish(of), "new code", "new codes")}. Codes of earlier runs don't count.`,
  "limited-changes": ({ count, of }) =>
    `This run changes ${inEnglish(count)} of the ${many(inEnglish(of), "code that is", "codes that are")} to be changed. The next one goes on with the others.`,
  "keeps-files": () => "No row is good. A run leaves all finished files as they are.",
  "void-codes": ({ count, examples }) =>
    `${many(inEnglish(count), "code on the sheets is", "codes on the sheets are")} void: ${examples.join(", ")}${count > examples.length ? " …" : ""}. If a run makes ${count === 1 ? "its PDF anew, that prints it again: do not use that label" : "their PDF anew, that prints them again: do not use those labels"}.`,
  "looks-not-asked": ({ count, of }) =>
    of === "pictures"
      ? `The pictures of ${many(inEnglish(count), "code", "codes")} show the look that ${count === 1 ? "it" : "they"} had when they were fetched. If another job has redesigned ${count === 1 ? "it" : "them"} on the server since, makeready doesn't know.`
      : `The sheets print ${many(inEnglish(count), "code", "codes")} as this job made ${count === 1 ? "it" : "them"}. If another job has redesigned ${count === 1 ? "it" : "them"} on the server since, makeready doesn't know.`,
  "nothing-selected": () => "No code is selected.",
  "files-anew": ({ count }) =>
    `Files of ${many(inEnglish(count), "code", "codes")} are fetched anew: the server has changed ${count === 1 ? "it" : "them"} since.`,
  "files-untold": ({ count }) =>
    `Files of ${many(inEnglish(count), "code", "codes")} are fetched anew, as in every run: the server's list doesn't tell whether ${count === 1 ? "its look has" : "their looks have"} changed.`,
  "same-looks-are-free": () => "A code that looks like this already costs nothing.",
  serials: ({ rows, form, tries }) =>
    `${many(inEnglish(rows), "random serial", "random serials")} of ${form}. A guess hits ${rows === 1 ? "it" : "one of them"} once in ${formatTries(tries)} tries.`,
  "source-kept": ({ from, atMs, isOld }) =>
    isOld
      ? `${from} gave nothing. The rows of ${formatRunTime(atMs)} are used.`
      : `The rows of ${from} were read at ${formatRunTime(atMs)} and are kept.`,
  "proof-sampled": ({ labels, later }) =>
    later === undefined
      ? `The proof is sampled: of ${many(inEnglish(labels), "label", "labels")} one of 100 is decoded, and the first and last of each page; each module of the others is compared.`
      : `The proof of all ${many(inEnglish(labels), "label", "labels")} of the job is sampled. This run leaves ${many(inEnglish(later), "row", "rows")} for later. If it prints at most ${inEnglish(MOST_DECODED_ALL)} labels, it decodes every code.`,
  "kept-for-undo": () => "What is replaced is kept. You can undo this run.",
  "files-missing": (note) =>
    `The files of ${many(inEnglish(note.count), "code", "codes")} are missing${note.isZipped ? ", also in archives" : ""}. A run fetches them. ${listFiles(note)}`,
  "files-unproven": ({ count }) =>
    `The pictures of ${many(inEnglish(count), "code", "codes")} are not proven. A run reads them; look at those that it can't read.`,
  "not-kept": () => "What is replaced is not kept. You can't undo this run.",
  "destinations-asked": () => "Each new destination is opened once to see that it answers.",
  "scans-of": ({ window }) => `Scans of ${window}.`,
  "compared-with": ({ window }) => `Compared with ${window}.`,
  "server-not-asked": () =>
    "The plan doesn't ask the server. The run finds out whether your token is right.",
  "without-links": () => "Short links are not counted here. Their own page shows their scans.",
};

/** `2026-11-16 to 2026-11-22` with German days. */
export const windowInGerman = (window: string): string =>
  window.replace(" to ", " bis ").replaceAll(/(\d{4})-(\d\d)-(\d\d)/gu, "$3.$2.$1");

export const notesInGerman: NoteWords = {
  "x-dimension": ({ xMm, dpi, isMost, linkLength, keptMm }) =>
    `Ein Modul des Codes ist ${isMost === true ? "höchstens " : ""}${xMm.toFixed(3).replace(".", ",")} mm breit${dpi === undefined ? "" : `, im Raster von ${dpi} dpi`}${linkLength === undefined ? "" : `, wenn Kurzlinks ${linkLength} Zeichen haben: Wie lang sie sind, steht fest, sobald der Server sie gemacht hat`}.${keptMm === undefined ? "" : ` Fertige Bögen bleiben, wie sie sind, mit ${keptMm.toFixed(3).replace(".", ",")} mm.`}`,
  "design-inks": (note) =>
    `Codes werden gedruckt, wie sie gestaltet sind: ${listInks(note, "als", "matter: das druckt keine Presse", "und {count} weitere")}.`,
  grades: ({ grade, count, of }) =>
    `Prüfgeräte geben den Codes voraussichtlich Note ${grade.toFixed(1).replace(".", ",")} (${toGradeLetter(grade)})${count === of ? "" : ` oder besser; so schlecht sind ${inGerman(count)} von ${inGerman(of)}`}.`,
  "grades-later": ({ count }) =>
    `Die vorhergesagte Note von ${many(inGerman(count), "Code", "Codes")} steht nach dem Lauf fest: Die Liste des Servers zeigt keine Gestaltung.`,
  "logo-shapes": ({ files }) =>
    `Die Bogen drucken die Formen von ${files.join(", ")} als Vektoren.`,
  "svg-sent": ({ files }) =>
    `Der Server nimmt kein SVG an: er bekommt ${files.join(", ")} als Bild mit 1024 Pixeln.`,
  "caption-size": ({ examples }) =>
    `Alle Texte einer PDF haben eine Größe: ${examples.map(({ file, sizePt, smaller: less, ...row }) => `${String(sizePt).replace(".", ",")} pt in ${file}, denn ${sayNeeding(row, needingInGerman)}${less === undefined ? "" : ` (${less.count === 1 ? "einer, der" : `${inGerman(less.count)}, die`} bei ${String(less.leastPt).replace(".", ",")} pt keinen Platz ${less.count === 1 ? "hat, ist" : "haben, sind"} kleiner)`}`).join("; ")}.`,
  "sheet-start": ({ begins }) =>
    `${begins.map(({ file, cell }) => (cell === 1 ? `${file} beginnt auf einem ganzen Bogen` : `${file} beginnt an Platz ${cell} eines angebrochenen Bogens`)).join("; ")}.`,
  "sheets-anew": ({ files }) =>
    `Diese fertigen PDFs werden neu gemacht, denn makeready zeichnet ihre Etiketten jetzt besser: ${files.join(", ")}.`,
  "files-remade": ({ why, files }) =>
    why === "unfinished"
      ? "Der letzte Lauf kam nicht zu Ende. Ein Lauf macht seine Dateien fertig."
      : `Ein Lauf macht ${files.join(", ")} neu: ${remadeInGerman[why](files.length === 1)}.`,
  "undo-unfinished": () =>
    "Das letzte Rückgängigmachen kam nicht zu Ende: machen Sie noch einmal rückgängig. Ein Lauf ändert wieder, was zurückgesetzt ist.",
  "files-to-fetch": ({ count, of }) =>
    `Die ${of === "files" ? "Dateien" : "Kurzlinks"} von ${many(inGerman(count), "Code", "Codes")} fehlen. Ein Lauf holt sie.`,
  "files-removed": ({ files }) =>
    `Ein Lauf entfernt ${files.join(", ")}: Nichts gehört mehr hinein.`,
  "pictures-remade": ({ count }) =>
    `Ein Lauf macht die Bilder von ${many(inGerman(count), "Code", "Codes")} neu: Sie sind nicht alle da, nicht so, wie der Auftrag sie will, oder jemand hat sie geändert.`,
  "frame-texts-empty": ({ count }) =>
    `${many(inGerman(count), "Code hat einen Rahmen", "Codes haben Rahmen")} ohne Text: ${count === 1 ? "Seine Zeile gibt" : "Ihre Zeilen geben"} keinen an.`,
  "least-width": ({ frame, codeMm, textMm }) =>
    `Drucken Sie Bilder mit dem Rahmen ${toFrameName(frame)} mindestens ${Math.max(
      codeMm,
      textMm ?? 0,
    )
      .toFixed(1)
      .replace(".", ",")} mm breit: darunter gehen Code oder Text verloren.`,
  "stronger-codes": ({ count, of }) =>
    `${of === 1 ? "Der neue Code verträgt" : `${inGerman(count)} von ${inGerman(of)} neuen Codes ${count === 1 ? "verträgt" : "vertragen"}`} mehr Schaden als üblich (Fehlerkorrektur H) und ${count === 1 ? "wird" : "werden"} davon nicht größer.`,
  "grown-codes": ({ count }) =>
    `${many(inGerman(count), "Code ist größer, als sein Text es braucht", "Codes sind größer, als ihre Texte es brauchen")}, damit das Logo Platz hat. Ein kürzerer Text hält Codes klein.`,
  "needs-yes": ({ over }) =>
    `Das sind mehr als ${many(inGerman(over), "Änderung", "Änderungen")}. Prüfen Sie die Zahlen vor dem Lauf.`,
  "sends-nothing": ({ why }) => `${why}. Ein Lauf sendet nichts, bis das behoben ist.`,
  "renamed-files": ({ count, examples }) =>
    `${many(inGerman(count), "Datei heißt wie eine andere und bekommt eine Nummer", "Dateien heißen wie andere und bekommen Nummern")}: ${examples.map((one) => one.replace(/^line (?=\d)/u, "Zeile ")).join(", ")}${count > examples.length ? " …" : ""}`,
  "address-moves": ({ from, to, count }) =>
    `Kurzlinks beginnen mit ${to} statt mit ${from}. Die Dateien von ${many(inGerman(count), "Code", "Codes")} werden neu gemacht.`,
  "address-not-told": ({ from, because }) =>
    sayUntoldInGerman(`ob Kurzlinks noch mit ${from} beginnen`, because),
  limited: ({ count, of }) =>
    `Dieser Lauf macht ${inGerman(count)} von ${many(inGerman(of), "neuem Code", "neuen Codes")}. Codes früherer Läufe zählen nicht mit.`,
  "limited-changes": ({ count, of }) =>
    `Dieser Lauf ändert ${inGerman(count)} von ${many(inGerman(of), "Code, der", "Codes, die")} zu ändern sind. Der nächste macht mit den anderen weiter.`,
  "keeps-files": () => "Keine Zeile ist gut. Ein Lauf lässt alle fertigen Dateien, wie sie sind.",
  "void-codes": ({ count, examples }) =>
    `${many(inGerman(count), "Code auf den Bogen ist", "Codes auf den Bogen sind")} ungültig: ${examples.join(", ")}${count > examples.length ? " …" : ""}. Macht ein Lauf ${count === 1 ? "seine PDF neu, steht er wieder darauf: Verwenden Sie dieses Etikett nicht" : "ihre PDF neu, stehen sie wieder darauf: Verwenden Sie diese Etiketten nicht"}.`,
  "looks-not-asked": ({ count, of }) =>
    of === "pictures"
      ? `Die Bilder von ${many(inGerman(count), "Code", "Codes")} sehen so aus wie ${count === 1 ? "der Code" : "die Codes"}, als sie geholt wurden. Hat ein anderer Auftrag ${count === 1 ? "ihn" : "sie"} am Server inzwischen umgestaltet, weiß makeready das nicht.`
      : `Die Bogen drucken ${many(inGerman(count), "Code", "Codes")} so, wie dieser Auftrag ${count === 1 ? "ihn" : "sie"} gemacht hat. Hat ein anderer Auftrag ${count === 1 ? "ihn" : "sie"} am Server inzwischen umgestaltet, weiß makeready das nicht.`,
  "nothing-selected": () => "Kein Code ist ausgewählt.",
  "files-anew": ({ count }) =>
    `Dateien von ${many(inGerman(count), "Code", "Codes")} werden neu geholt: ${count === 1 ? "Er hat" : "Sie haben"} sich auf dem Server geändert.`,
  "files-untold": ({ count }) =>
    `Dateien von ${many(inGerman(count), "Code", "Codes")} werden neu geholt, wie in jedem Lauf: Die Liste des Servers sagt nicht, ob ${count === 1 ? "er" : "sie"} jetzt anders ${count === 1 ? "aussieht" : "aussehen"}.`,
  "same-looks-are-free": () => "Ein Code, der schon so aussieht, kostet nichts.",
  serials: ({ rows, tries }) =>
    `${many(inGerman(rows), "zufällige Seriennummer", "zufällige Seriennummern")}. Wer rät, trifft ${rows === 1 ? "sie" : "eine davon"} einmal in ${formatTries(tries, "de")} Versuchen.`,
  "source-kept": ({ from, atMs, isOld }) =>
    isOld
      ? `${from} lieferte nichts. Die Zeilen von ${formatRunTime(atMs)} werden verwendet.`
      : `Die Zeilen von ${from} wurden um ${formatRunTime(atMs)} gelesen und bleiben aufgehoben.`,
  "proof-sampled": ({ labels, later }) =>
    later === undefined
      ? `Stichprobe: Von ${many(inGerman(labels), "Etikett", "Etiketten")} wird eines von 100 gelesen, dazu das erste und letzte jeder Seite; von den anderen wird jedes Modul verglichen.`
      : `Der ganze Auftrag (${many(inGerman(labels), "Etikett", "Etiketten")}) wird in Stichproben geprüft. Dieser Lauf lässt ${many(inGerman(later), "Zeile", "Zeilen")} für später. Druckt er höchstens ${inGerman(MOST_DECODED_ALL)} Etiketten, liest er jeden Code.`,
  "kept-for-undo": () =>
    "Was ersetzt wird, bleibt aufgehoben. Sie können den Lauf rückgängig machen.",
  "files-missing": (note) =>
    `Die Dateien von ${many(inGerman(note.count), "Code", "Codes")} fehlen${note.isZipped ? ", auch in Archiven" : ""}. Ein Lauf holt sie. ${listFiles(note)}`,
  "files-unproven": ({ count }) =>
    `Die Bilder von ${many(inGerman(count), "Code", "Codes")} sind nicht geprüft. Ein Lauf liest sie; sehen Sie die an, die er nicht lesen kann.`,
  "not-kept": () =>
    "Was ersetzt wird, bleibt nicht aufgehoben. Sie können den Lauf nicht rückgängig machen.",
  "destinations-asked": () => "Jedes neue Ziel wird einmal geöffnet, um zu sehen, ob es antwortet.",
  "scans-of": ({ window }) => `Scans von ${windowInGerman(window)}.`,
  "compared-with": ({ window }) => `Verglichen mit ${windowInGerman(window)}.`,
  "server-not-asked": () => "Der Plan fragt den Server nicht. Ob Ihr Token stimmt, zeigt der Lauf.",
  "without-links": () => "Kurzlinks zählen hier nicht mit. Ihre eigene Seite zeigt ihre Scans.",
};
