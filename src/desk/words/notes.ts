/** The notes of a plan in words. */
import { formatRunTime, formatTries } from "../../base/words.ts";
import type { PlanNote } from "../../pipeline/results.ts";

/** What each note says, in one language. */
export type NoteWords = {
  readonly [Code in PlanNote["code"]]: (note: Extract<PlanNote, { code: Code }>) => string;
};

export const sayNote = (words: NoteWords, note: PlanNote): string =>
  (words[note.code] as (note: PlanNote) => string)(note);

export const notesInEnglish: NoteWords = {
  "x-dimension": ({ xMm, dpi }) =>
    `One module of the code is ${xMm.toFixed(3)} mm wide${dpi === undefined ? "" : `, on the grid of ${dpi} dpi`}.`,
  "design-inks": ({ inks }) =>
    `Codes are printed as they were designed: ${inks.map(({ color, ink, isDull }) => `${color} as ${ink}${isDull ? " (duller: no press has it)" : ""}`).join(", ")}.`,
  "caption-size": ({ examples }) =>
    `All captions of a PDF have one size: ${examples.map(({ file, sizePt, row }) => `${sizePt} pt in ${file}, since row ${row} needs it`).join("; ")}.`,
  "sheets-anew": ({ files }) =>
    `These finished PDFs are made anew, since makeready draws their labels better now: ${files.join(", ")}.`,
  "least-width": ({ frame, codeMm, textMm }) =>
    `Print drawings with the frame ${frame} ${Math.max(codeMm, textMm ?? 0).toFixed(1)} mm wide or wider: below that their code or text is lost.`,
  "stronger-codes": ({ count, of }) =>
    `${count} of ${of} new codes bear more damage than usual (error correction H): they are no larger for it.`,
  "grown-codes": ({ count }) =>
    `${count} codes are larger than their text needs, so that the logo has room. A shorter text keeps them small.`,
  "needs-yes": ({ over }) =>
    `These are more than ${over} changes. Look at the figures before you run.`,
  "sends-nothing": ({ why }) => `${why}. A run sends nothing until this is mended.`,
  "renamed-files": ({ count, examples }) =>
    `${count} files would have equal names and get numbers: ${examples.join(", ")}.`,
  "address-moves": ({ from, to }) =>
    `Short links begin with ${to} instead of ${from}. The files of every code are made anew.`,
  "keeps-files": () => "No row is good. A run leaves all finished files as they are.",
  "nothing-selected": () => "No code is selected.",
  "same-looks-are-free": () => "A code that looks like this already costs nothing.",
  serials: ({ rows, form, tries }) =>
    `${rows} random serials of ${form}. A guess hits one of them once in ${formatTries(tries)} tries.`,
  "source-kept": ({ from, atMs, isOld }) =>
    isOld
      ? `Nothing came through ${from}. The rows of ${formatRunTime(atMs)} are used.`
      : `The rows of ${from} were read at ${formatRunTime(atMs)} and are kept.`,
  "kept-for-undo": () => "What is replaced is kept. You can undo this run.",
  "zip-volumes": ({ name, count }) =>
    `${name} is split into ${count} archives of 20,000 files each.`,
  "files-missing": ({ count, examples }) =>
    `The files of ${count} codes are missing, also in archives. A run fetches them. ${examples.map(({ row, message }) => `${row}: ${message}`).join("; ")}`,
  "files-unproven": ({ count }) =>
    `Pictures of ${count} codes are not proven. A run reads them; look at those that it can't read.`,
  "not-kept": () => "What is replaced is not kept. You can't undo this run.",
  "destinations-asked": () => "Each new destination is opened once to see that it answers.",
  "scans-of": ({ window }) => `Scans of ${window}.`,
  "compared-with": ({ window }) => `Compared with ${window}.`,
};

export const notesInGerman: NoteWords = {
  "x-dimension": ({ xMm, dpi }) =>
    `Ein Modul des Codes ist ${xMm.toFixed(3).replace(".", ",")} mm breit${dpi === undefined ? "" : `, im Raster von ${dpi} dpi`}.`,
  "design-inks": ({ inks }) =>
    `Codes werden gedruckt, wie sie gestaltet sind: ${inks.map(({ color, ink, isDull }) => `${color} als ${ink}${isDull ? " (matter: das druckt keine Presse)" : ""}`).join(", ")}.`,
  "caption-size": ({ examples }) =>
    `Alle Texte einer PDF haben eine Größe: ${examples.map(({ file, sizePt, row }) => `${String(sizePt).replace(".", ",")} pt in ${file}, denn Zeile ${row} braucht sie`).join("; ")}.`,
  "sheets-anew": ({ files }) =>
    `Diese fertigen PDFs werden neu gemacht, denn makeready zeichnet ihre Etiketten jetzt besser: ${files.join(", ")}.`,
  "least-width": ({ frame, codeMm, textMm }) =>
    `Drucken Sie Bilder mit dem Rahmen ${frame} mindestens ${Math.max(codeMm, textMm ?? 0)
      .toFixed(1)
      .replace(".", ",")} mm breit: darunter gehen Code oder Text verloren.`,
  "stronger-codes": ({ count, of }) =>
    `${count} von ${of} neuen Codes vertragen mehr Schaden als üblich (Fehlerkorrektur H): Sie werden davon nicht größer.`,
  "grown-codes": ({ count }) =>
    `${count} Codes sind größer, als ihr Text es braucht, damit das Logo Platz hat. Ein kürzerer Text hält sie klein.`,
  "needs-yes": ({ over }) =>
    `Das sind mehr als ${over} Änderungen. Prüfen Sie die Zahlen vor dem Lauf.`,
  "sends-nothing": ({ why }) => `${why}. Ein Lauf sendet nichts, bis das behoben ist.`,
  "renamed-files": ({ count, examples }) =>
    `${count} Dateien hätten gleiche Namen und bekommen Nummern: ${examples.join(", ")}.`,
  "address-moves": ({ from, to }) =>
    `Kurzlinks beginnen mit ${to} statt mit ${from}. Die Dateien aller Codes werden neu gemacht.`,
  "keeps-files": () => "Keine Zeile ist gut. Ein Lauf lässt alle fertigen Dateien, wie sie sind.",
  "nothing-selected": () => "Kein Code ist ausgewählt.",
  "same-looks-are-free": () => "Ein Code, der schon so aussieht, kostet nichts.",
  serials: ({ rows, tries }) =>
    `${rows} zufällige Seriennummern. Wer rät, trifft eine davon einmal in ${formatTries(tries, "de")} Versuchen.`,
  "source-kept": ({ from, atMs, isOld }) =>
    isOld
      ? `Über ${from} kam nichts. Die Zeilen von ${formatRunTime(atMs)} werden verwendet.`
      : `Die Zeilen von ${from} wurden um ${formatRunTime(atMs)} gelesen und bleiben aufgehoben.`,
  "kept-for-undo": () =>
    "Was ersetzt wird, bleibt aufgehoben. Sie können den Lauf rückgängig machen.",
  "zip-volumes": ({ name, count }) =>
    `${name} wird auf ${count} Archive mit je 20.000 Dateien verteilt.`,
  "files-missing": ({ count, examples }) =>
    `Die Dateien von ${count} Codes fehlen, auch in Archiven. Ein Lauf holt sie. ${examples.map(({ row, message }) => `${row}: ${message}`).join("; ")}`,
  "files-unproven": ({ count }) =>
    `Bilder von ${count} Codes sind nicht geprüft. Ein Lauf liest sie; sehen Sie die an, die er nicht lesen kann.`,
  "not-kept": () =>
    "Was ersetzt wird, bleibt nicht aufgehoben. Sie können den Lauf nicht rückgängig machen.",
  "destinations-asked": () => "Jedes neue Ziel wird einmal geöffnet, um zu sehen, ob es antwortet.",
  "scans-of": ({ window }) => `Scans von ${window}.`,
  "compared-with": ({ window }) => `Verglichen mit ${window}.`,
};
