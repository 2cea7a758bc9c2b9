/** What plans say beside their figures. */

import { sayWorst } from "../../base/text/grade-words.ts";
import {
  andMore,
  cutKey,
  formatBytes,
  formatCount,
  formatMany,
  formatRunTime,
  formatTries,
  quoteText,
} from "../../base/text/words.ts";
import { MOST_DECODED_ALL } from "../../job/job.ts";
import { sayMoves, whetherStill } from "../../pipeline/address/address-words.ts";
import type {
  AnewReason,
  CaptionSize,
  PlannedInk,
  PlanNote,
} from "../../pipeline/paper/plan-notes.ts";
import type { CommandOf } from "../../pipeline/ports.ts";
import type { RemadeReason } from "../../pipeline/files/remade.ts";
import { sayUntold } from "../../pipeline/address/untold.ts";
import { sayFiles } from "./lists.ts";

const reasons: Readonly<Record<Exclude<RemadeReason, "unfinished">, readonly [string, string]>> = {
  missing: ["it is missing", "they are missing"],
  damaged: ["it is not as it was written", "they are not as they were written"],
  program: ["another version of makeready wrote it", "another version of makeready wrote them"],
  changed: ["layout or labels have changed since", "layout or labels have changed since"],
  contents: ["what is packed in it has changed since", "what is packed in them has changed since"],
  input: ["the spreadsheet has changed since", "the spreadsheet has changed since"],
};

function sayRemade(why: RemadeReason, files: readonly string[]): string {
  if (why === "unfinished") return "the last run did not end: a run finishes its files";
  const [one, several] = reasons[why];
  return `a run makes ${sayFiles(files)} anew: ${files.length === 1 ? one : several}`;
}

type NoteWords = {
  readonly [Code in PlanNote["code"]]: (
    note: Extract<PlanNote, { code: Code }>,
    commandOf: CommandOf,
  ) => string;
};

/** Captions that are an exception from the size of their PDF. */
function saySmaller({ count, leastPt }: NonNullable<CaptionSize["smaller"]>): string {
  const [have, are] = count === 1 ? ["has", "is"] : ["have", "are"];
  return ` (${formatMany(count, "caption")} that ${have} no room at ${leastPt} pt ${are} smaller)`;
}

const STARTS_SHOWN = 3;

/** Why finished sheets are made anew. */
const anewWords: Readonly<Record<AnewReason, string>> = {
  captions: "their captions have one size now, and words are cut with hyphens only",
  matrix: "their codes have the error correction of the artwork now",
  shapes: "rounded eyes and diamonds are drawn so that verifiers pass them",
  designs: "codes are printed as they were designed now; print: plain keeps them black",
  posters: "captions of posters are larger now",
  paper: "marks lie on the press sheet now, and labels move in for them",
  grid: "modules are whole pixels of the printer or stock now",
  condition: "US paper is printed to GRACoL now",
  marks: "marks stand on every plate now",
  corners: "codes keep clear of round corners now",
  overprint: "black codes overprint what lies beneath them now",
  symbols: "white and varnish treat barcodes and other symbols as codes now",
  cells: "cells without a label get no white and no varnish now",
  accents: "lines with accents that were left out are printed now",
  "back-captions": "labels with a back have their caption on the front now",
  "roll-margin":
    "rolls have no margin unless the manifest gives one, so more labels fit side by side",
};

const INKS_SHOWN = 6;

const sayPlannedInk = ({ color, ink, isDull }: PlannedInk): string =>
  `${color} as ${ink}${isDull ? " (duller: no press can print it)" : ""}`;

export const WITHOUT_LINKS =
  "short links of jobs of kind links are not counted here; the desk and the console show their scans";

function sayNeeding({ isOfAll, row, line, code }: Omit<CaptionSize, "file" | "sizePt">): string {
  if (isOfAll === true) return "no label has room for more";
  if (line !== undefined) return `line ${line} needs it`;
  return `${code === undefined ? `key ${cutKey(row)}` : `code ${quoteText(cutKey(code))}`} needs it`;
}

const noteWords: NoteWords = {
  "x-dimension": ({ xMm, dpi, isMost, linkLength, keptMm }) =>
    `X-dimension ${isMost === true ? "at most " : ""}${xMm.toFixed(3)} mm${dpi === undefined ? "" : ` on the grid of ${dpi} dpi`}${linkLength === undefined ? "" : ` if short links have ${linkLength} characters: their length is known once the server has made them`}${keptMm === undefined ? "" : `; finished sheets stay as they are, with ${keptMm.toFixed(3)} mm`}`,
  "design-inks": ({ inks }) => {
    const shown = inks.slice(0, INKS_SHOWN).map(sayPlannedInk).join(", ");
    const more = inks.length - INKS_SHOWN;
    return `codes are printed as designed: ${shown}${more > 0 ? `, and ${formatCount(more)} more colours` : ""}`;
  },
  grades: (note) => `predicted grade ${sayWorst(note)}`,
  "grades-later": ({ count }) =>
    `the predicted grade of ${formatMany(count, "code")} is known after the run: the server's list shows no designs`,
  "logo-shapes": ({ files }) => `the sheets print the shapes of ${sayFiles(files)} as vectors`,
  "svg-sent": ({ files }) =>
    `to the server goes a picture of 1024 pixels of ${sayFiles(files)}: its API takes no SVG`,
  "caption-size": ({ count, examples }) => {
    const named = examples.map(
      ({ file, sizePt, smaller, ...row }) =>
        `${sizePt} pt in ${file}, since ${sayNeeding(row)}${smaller === undefined ? "" : saySmaller(smaller)}`,
    );
    const more = count - examples.length;
    const others = more > 0 ? `; smaller in ${formatMany(more, "more PDF")}` : "";
    return `captions have one size in a PDF: ${named.join("; ")}${others}`;
  },
  "sheet-start": ({ sheet, begins }) =>
    `on sheets ${sheet}, ${begins
      .slice(0, STARTS_SHOWN)
      .map(({ file, cell }) =>
        cell === 1
          ? `${file} begins with a whole sheet`
          : `${file} begins at cell ${cell} of a part-used sheet`,
      )
      .join("; ")}${andMore(begins.length - STARTS_SHOWN)}`,
  "sheets-anew": ({ reasons, files }) =>
    `finished sheets are made anew: ${[sayFiles(files), ...reasons.map((reason) => anewWords[reason])].join("; ")}`,
  "files-remade": ({ why, files }) => sayRemade(why, files),
  "undo-unfinished": (_note, commandOf) =>
    `the last undo did not end: finish it with ${commandOf("undo")}; a run changes again what it has put back`,
  "files-to-fetch": ({ count, of }) =>
    `the ${of === "files" ? "files" : "short links"} of ${formatMany(count, "code")} are missing: a run fetches them`,
  "files-removed": ({ files }) =>
    `a run removes ${sayFiles(files)}: nothing goes into ${files.length === 1 ? "it" : "them"} any more`,
  "pictures-remade": ({ count }) =>
    `a run makes the pictures of ${formatMany(count, "code")} anew: they are not all there, not those that the job asks for, or somebody has changed them`,
  "frame-texts-empty": ({ count }) =>
    `${formatMany(count, "code")} ${count === 1 ? "has a frame" : "have frames"} without a text: ${count === 1 ? "its row gives" : "their rows give"} none`,
  "least-width": ({ frame, codeMm, textMm }) =>
    `print drawings with the frame ${frame} ${codeMm.toFixed(1)} mm wide or wider${textMm === undefined || textMm <= codeMm ? "" : `, for its text ${textMm.toFixed(1)} mm`}`,
  "stronger-codes": ({ count, of }) =>
    `${of === 1 ? "the new code" : `${count === of ? "all" : formatCount(count)} of ${formatMany(of, "new code")}`} ${count === 1 ? "gets" : "get"} error correction H instead of Q: ${count === 1 ? "it is" : "they are"} no larger for it`,
  "grown-codes": ({ count, isLevelL }) =>
    `${formatMany(count, "code")} ${count === 1 ? "is" : "are"} larger than the text needs: codes of version 7 to 13 have an alignment pattern in the middle, which a logo must not cover; a shorter text${isLevelL === true ? "" : ", a lower error_correction"} or a dynamic code keeps them small`,
  "needs-yes": ({ over }) =>
    `more than ${formatMany(over, "change")} (safety.confirm_over): a run asks first, or takes --yes`,
  "sends-nothing": ({ why }) => `${why}: a run sends nothing`,
  "renamed-files": ({ count, examples }) =>
    `${formatMany(count, "file with the name of another one is", "files with the names of others are")} numbered: ${examples.join(", ")}${andMore(count - examples.length)}`,
  "files-missing": ({ count, isZipped, examples }) => {
    const more = count - examples.length;
    const others = more > 0 ? `; and ${formatCount(more)} more` : "";
    return `the files of ${formatMany(count, "code")} are missing${isZipped ? ", also in archives" : ""}; a run fetches them: ${examples.map(({ row, message }) => `${row}: ${message}`).join("; ")}${others}`;
  },
  "files-unproven": ({ count }) =>
    `the pictures of ${formatMany(count, "code")} are not proven: a run reads them; look at those that it can't read`,
  "void-codes": ({ count, examples }) =>
    `${formatMany(count, "code")} on the sheets ${count === 1 ? "is" : "are"} void: ${examples.join(", ")}${andMore(count - examples.length)}; if a run makes ${count === 1 ? "its PDF anew, that prints it again: do not use that label" : "their PDF anew, that prints them again: do not use those labels"}`,
  "looks-not-asked": ({ count, of }) =>
    `${of === "pictures" ? `the pictures of ${formatMany(count, "code")} show the look that ${count === 1 ? "it" : "they"} had when they were fetched` : `the sheets print ${formatMany(count, "code")} as this job made ${count === 1 ? "it" : "them"}`}; if another job has redesigned ${count === 1 ? "it" : "them"} on the server since, makeready does not know: this server tells looks only code by code`,
  "nothing-selected": () =>
    "no code is selected (short links of jobs of kind links are not among them)",
  "files-anew": ({ count }) =>
    `the files of ${formatMany(count, "code")} are fetched anew: what the server lists of ${count === 1 ? "it" : "them"} has changed`,
  "files-untold": ({ count }) =>
    `the files of ${formatMany(count, "code")} are fetched anew, as in every run: this server's list doesn't tell whether ${count === 1 ? "its look has" : "their looks have"} changed`,
  "same-looks-are-free": () => "codes that look like this already cost no write",
  limited: ({ count, of }) =>
    `this run makes ${formatCount(count)} of the ${formatMany(of, "new code")} (--limit); codes of earlier runs don't count, not even of one that was cut short`,
  "limited-changes": ({ count, of }) =>
    `this run changes ${formatCount(count)} of the ${formatMany(of, "code that is", "codes that are")} to be changed (--limit); the next one goes on with the others`,
  "keeps-files": () =>
    "no row is good: a run leaves all finished files of the last one as they are",
  "address-moves": ({ count, ...seen }) =>
    `${sayMoves(seen)}: the files of ${formatMany(count, "code")} are made anew`,
  "address-not-told": ({ from, because }) => sayUntold(whetherStill(from), because),
  serials: ({ rows, form, tries }) =>
    `${formatMany(rows, "serial")} of ${form}: a guess hits ${rows === 1 ? "it" : "one of them"} once in ${formatTries(tries)} tries`,
  "source-kept": ({ from, bytes, atMs, isOld, file }) =>
    isOld
      ? `nothing came through ${from}: the rows of ${formatRunTime(atMs)} are used (${file})`
      : `${formatBytes(bytes)} of ${from}, ${formatRunTime(atMs)}, kept as ${file}`,
  "proof-sampled": ({ labels, later }) =>
    later === undefined
      ? `sampled proof: of ${formatMany(labels, "label")} one of 100 is decoded, and the first and last of each page; each module of the others is compared. The job is then "ready, sampled", not "ready for press"`
      : `sampled proof for all ${formatMany(labels, "label")} of the job; this run leaves ${formatMany(later, "row")} for later, and decodes every code if it prints at most ${formatCount(MOST_DECODED_ALL)} labels`,
  "kept-for-undo": (_note, commandOf) =>
    `what is replaced is kept; to put it back: ${commandOf("undo")}`,
  "not-kept": () => "what is replaced is not kept (safety.keep_previous): it can't be undone",
  "destinations-asked": ({ method }) =>
    `each new destination is asked first (${method.toUpperCase()})`,
  "scans-of": ({ window }) => `scans of ${window}`,
  "compared-with": ({ window }) => `compared with ${window}`,
  "without-links": () => WITHOUT_LINKS,
  "server-not-asked": (_note, commandOf) =>
    `a plan doesn't try the token and the workspace; to try them now: ${commandOf("doctor")}`,
};

export const toNote = (note: PlanNote, commandOf: CommandOf): string =>
  (noteWords[note.code] as (note: PlanNote, commandOf: CommandOf) => string)(note, commandOf);
