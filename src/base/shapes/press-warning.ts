/**
 * Why sheets that may be printed differ from what was wanted. Warnings are data: stages find them,
 * states store them; the words are below, the same for the terminal and the report.
 */
import type { Problem } from "../errors.ts";
import { andMore, cutKey, formatCount, formatMany } from "../text/words.ts";

interface Told {
  /** Rows or labels concerned. */
  readonly count: number;
  /** Keys of the first few. */
  readonly rows: readonly string[];
  /** Details, such as the looks left out. */
  readonly what: readonly string[];
}

/** code -> its words. A new warning is a new line. */
const words = {
  /** Rows of the job without a label. */
  "rows-missing": ({ count, what }) =>
    `${formatMany(count, "row")} of the job ${are(count)} missing: ${listFirst(count, what)}`,
  /** Their rows are bad now: a run without a good row has kept the labels of an earlier one. */
  "rows-kept": ({ count, what }) =>
    `${formatMany(count, "row")} of the job ${are(count)} bad now, and ${count === 1 ? "its label is" : "their labels are"} as an earlier run made ${count === 1 ? "it" : "them"}: ${listFirst(count, what)}`,
  /** Made, but a later call for them was refused: they are as they were. */
  "changes-refused": ({ count, what }) =>
    `the server refused to change ${formatMany(count, "code")}, so ${count === 1 ? "it is" : "they are"} not as the job wants ${count === 1 ? "it" : "them"}: ${listFirst(count, what)}`,
  /** The sheets are whole; only pictures of their own could not be fetched. */
  "files-missing": ({ count, what }) =>
    `the files of ${formatMany(count, "code")} are missing: ${listFirst(count, what)}; a run fetches them`,
  /** Printed, but the server no longer has them. */
  "codes-gone": ({ count }) =>
    `${formatMany(count, "code")} ${are(count)} no longer at the server: ${count === 1 ? "its label leads" : "their labels lead"} nowhere`,
  /** Codes that lead to this computer, among others that don't. */
  "codes-lead-here": ({ count, what }) =>
    `${formatMany(count, "code")} ${count === 1 ? "leads" : "lead"} to this computer only: ${listFirst(count, what)}`,
  /** `what`: an address, and the first rows. */
  "codes-lead-nowhere": ({ count, what: [address = "", ...named] }) =>
    `${formatMany(count, "code")} ${count === 1 ? "leads" : "lead"} to a placeholder, such as ${address}, where nobody's site is: ${listFirst(count, named)}`,
  /** `what`: an address of the device itself, and the first rows. */
  "codes-lead-to-phone": ({ count, what: [address = "", ...named] }) =>
    `${formatMany(count, "code")} ${count === 1 ? "leads" : "lead"} to an address such as ${address}, which phones look for on themselves: ${listFirst(count, named)}`,
  /** One for each fault; `what`: the fault, and the first rows. */
  "networks-dead": ({ count, what: [fault = "", ...named] }) =>
    `no phone joins the network of ${formatMany(count, "code")}: ${fault}: ${listFirst(count, named)}`,
  /** Codes printed without their design. */
  "codes-plain": ({ count, what }) =>
    `the sheets print ${formatMany(count, "code")} plain black: without ${listed(what.map(sayLook))}`,
  /** Codes in inks and shapes of the press, with parts of their design left out. */
  "codes-simpler": ({ count, what }) =>
    `the sheets print ${formatMany(count, "code")} without ${listed(what.map(sayLook))}`,
  /** The job gave them no design. */
  "codes-designed-since": ({ count, what }) =>
    `the sheets print ${formatMany(count, "code")} plain black: without the ${listed(what)} that ${count === 1 ? "it has" : "they have"} at the service, since this job gave ${count === 1 ? "it" : "them"} no design`,
  /** The job gave them another design, or its sheets a style. */
  "codes-otherwise": ({ count, what }) =>
    `the sheets print ${formatMany(count, "code")} in the look that this job knows, which the service has changed since: ${listed(what)}`,
  /** Artwork in a look that the codes no longer have. */
  "pictures-otherwise": ({ count, what }) =>
    `the pictures of ${formatMany(count, "code")} show a look that the service has changed since: ${listed(what)}; a run fetches them anew`,
  /** Codes on no sheet. */
  "pictures-as-made": ({ count, what }) =>
    `the pictures of ${formatMany(count, "code")} show the look that this job gave them, which the service has changed since: ${listed(what)}`,
  /** The same, fetched after the change. */
  "pictures-as-there": ({ count, what }) =>
    `the pictures of ${formatMany(count, "code")} show a look that the service has given them since, not that of this job: ${listed(what)}`,
  /** With `artwork: server`: drawings that no press can print. */
  "codes-redrawn": ({ count, what }) =>
    `${formatMany(count, "code")} ${are(count)} printed plain black, since the server's drawing ${listed(what)}`,
  /** Labels without room for the matrix of the artwork. */
  "codes-other-matrix": ({ count, what }) =>
    `${formatMany(count, "code")} ${have(count)} another error correction in print than in the artwork: there is no room for ${listed(what)}`,
  /** Labels too small for what the design has around its code. */
  "codes-no-room": ({ count, what }) =>
    `${formatMany(count, "code")} ${are(count)} printed without ${count === 1 ? "its" : "their"} ${listed(what.map(withoutIts))}: there is no room`,
  /** Labels too small for the text of their frames. */
  "frame-text-small": ({ count, what }) =>
    `${formatMany(count, "code")} ${have(count)} text in ${count === 1 ? "its frame" : "their frames"} that is too small to be read well: ${listed(what)}`,
  /** White on yellow, for example. */
  "frame-text-pale": ({ count }) =>
    `${formatMany(count, "code")} ${have(count)} text in ${count === 1 ? "its frame" : "their frames"} that can hardly be read: it has nearly the colour behind it`,
  /** No ink stands out enough against their ground. */
  "codes-blackened": ({ count }) =>
    `${formatMany(count, "code")} ${are(count)} printed black: in inks of the press ${count === 1 ? "its" : "their"} colours are too much alike`,
  /** `what`: the wanted grade, the worst one, and what helps. */
  "grades-low": ({ count, what: [wish, worst] }) =>
    `${formatMany(count, "code")} ${have(count)} a predicted grade under ${wish}, such as ${worst}`,
  /** On PDFs that were written again. */
  "codes-void": ({ count, what }) =>
    `${formatMany(count, "void code")} ${are(count)} printed again: ${listFirst(count, what)}`,
  /** Colours that many scanners can't read. */
  "codes-hard-to-scan": ({ count }) =>
    `${formatMany(count, "code")} ${have(count)} colours that many scanners don't read`,
  "captions-left-out": ({ count }) =>
    `${formatMany(count, "caption")} ${are(count)} left out: there is no room`,
  /** Lines are left out as a whole: half a word would mean something else. */
  "lines-left-out": ({ count }) =>
    `${formatMany(count, "label")} ${count === 1 ? "lacks" : "lack"} a line in a script that no font has`,
  "captions-cut": ({ count }) => `${formatMany(count, "text")} ${are(count)} cut with "…"`,
  /** They don't fit in any larger size. */
  "captions-small": ({ count, what }) =>
    `${formatMany(count, "caption")} ${are(count)} too small to be read well: ${listed(what)}`,
  "characters-replaced": ({ count }) =>
    `${formatMany(count, "label")} ${count === 1 ? "shows" : "show"} \u{FFFD} for characters that no font has`,
  /** RGB pictures on labels. */
  "pictures-converted": ({ what }) =>
    `${formatMany(what.length, "RGB picture")} ${are(what.length)} printed in inks of the press, and may look different from the screen: ${listed(what)}`,
  /** SVG logos that consist of more than filled shapes. */
  "logos-as-pictures": ({ what }) =>
    `${formatMany(what.length, "SVG logo")} ${are(what.length)} printed as ${what.length === 1 ? "a picture" : "pictures"} of 512 pixels at most: ${listed(what)}`,
  /** A profile without a table of its inks' colours. */
  "colours-by-fogra39": ({ what }) =>
    `colours become inks by FOGRA39: ${listed(what)} ${what.length === 1 ? "has" : "have"} no table of colours that can be read`,
  /** Marks, die lines, colour bars that the job requests. */
  "marks-left-out": ({ what }) =>
    what.includes("colour bar")
      ? "the colour bar is left out: there is no room between the crop marks"
      : `${listed(what)} are left out: the stock is pre-cut`,
  /** Warnings of the proof. */
  "proof-warnings": ({ count, what }) =>
    `the proof has ${formatMany(count, "warning")}: ${listed(what)}`,
  /** Labels printed again, from sheets of an older makeready. */
  "labels-differ": () =>
    "an older makeready made the other labels: captions and codes may look different on them; run the job again, and print all of them",
  /** Labels printed again, after something that they depend on has changed. */
  "labels-changed": ({ what }) =>
    `the manifest or a file of it has changed since ${listed(what)} ${what.length === 1 ? "was" : "were"} made: labels there may look different from these; run the job again, and print all of them`,
  /** Labels printed again, after a run that was to make their sheets anew and did not end. */
  "labels-cut-short": ({ what }) =>
    `the last run did not end: the labels in ${listed(what)} may look different from these; finish it, and print all of them`,
  /** From sheets of an older makeready. */
  "sheet-warnings": ({ count }) =>
    `the sheets have ${formatMany(count, "warning")}: see the report`,
} as const satisfies Record<string, (told: Told) => string>;

export type PressWarningCode = keyof typeof words;

export interface PressWarning extends Told {
  readonly code: PressWarningCode;
  /** Of the same rows, where their keys are ids. */
  readonly names?: readonly string[];
  /** Of sheets that tills read: they take no designs. */
  readonly isForTills?: true;
}

/** States of an older makeready name parts of a design so: `its frame`. */
const withoutIts = (part: string): string => part.replace(/^its /u, "");

const are = (count: number): string => (count === 1 ? "is" : "are");
const have = (count: number): string => (count === 1 ? "has" : "have");

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** The first of so many, and how many there are besides. */
const listFirst = (count: number, names: readonly string[]): string =>
  listed(count > names.length ? [...names, `${formatCount(count - names.length)} more`] : names);

/** Looks have the words of their design; only unknown ones need others. */
function sayLook(look: string): string {
  if (look === "design") return "the design that they have";
  if (look === "unknown design") return "any design that they may have";
  return look.startsWith("template ") ? `the look of the ${look}` : look;
}

const TILLS_HINT =
  "application: gs1-pos prints plain codes, which tills are sure of; leave it out where no till reads them";

const DESIGNED_SINCE =
  "give code.design of this job the same look, or print these codes by a job of kind export";

const hints: Partial<Record<PressWarningCode, string>> = {
  "codes-plain":
    "output.sheets.print: designed prints them as they were designed; code_style asks for pattern, eyes and inks alone",
  "codes-simpler": "this is in the artwork only; inks for colours are artwork_inks or code_style",
  "codes-designed-since": DESIGNED_SINCE,
  "codes-otherwise": DESIGNED_SINCE,
  "pictures-as-made":
    "give code.design of this job the same look, or fetch the files of these codes by a job of kind export",
  "pictures-as-there":
    "give code.design of this job the same look, or undo the job that has changed it",
  "codes-no-room":
    "take larger labels, a smaller module (x_dimension_mm), or a design with a smaller frame",
  "frame-text-small": "shorten the text, take larger labels, or a design without a frame",
  "frame-text-pale":
    "take a darker frame_color, or another background_color: letters in a filled frame have that colour, white unless given",
  "codes-blackened": "name a darker ink for the colour in output.sheets.artwork_inks",
  "pictures-converted":
    "hold a proof against the screen; a CMYK JPEG made for the printing condition is printed as it is, as: gray in shades of black",
  "logos-as-pictures": "turn texts, outlines and effects of the logo into filled shapes",
  "colours-by-fogra39":
    "take a profile with a table from CMYK to Lab (A2B1 or A2B0), or name inks in artwork_inks",
  "codes-lead-here":
    "start the server with its address again (makeready serve --public-url), then run this job again",
  "codes-lead-nowhere":
    "put the real addresses into these rows, run the job again, and print only then",
  "codes-lead-to-phone":
    "put the real addresses into these rows, run the job again, and print only then",
  "networks-dead": "mend these codes or rows, run the job again, and print only then",
  "codes-gone":
    "restore a newer backup of the server's data; codes of the embedded service are made anew by makeready retry of the job that made them, and their printed labels stay dead",
  "rows-kept": "mend the rows, then run the job again",
  "changes-refused":
    "failed-rows.csv says why; mend the manifest or the rows, then run the job again",
  "codes-void": "leave these codes out (their rows, or by select), or throw their labels away",
  "captions-small": "shorten these captions, or use larger labels",
};

/** Looks that no setting of the sheets can show. */
const UNTOLD: readonly string[] = ["design", "unknown design"];

export function toPressHint({ code, what, isForTills }: PressWarning): string | undefined {
  if (code === "grades-low") return what[2];
  if (code === "codes-plain" && isForTills === true) return TILLS_HINT;
  const isUntold = code === "codes-plain" && what.some((look) => UNTOLD.includes(look));
  return isUntold
    ? "where the service is the embedded one, a job of kind export prints them as they look today; the job that makes the codes prints them as its own code.design says"
    : hints[code];
}

/** Warnings about the job, not about single rows, and those that name their rows themselves. */
const OF_ALL = new Set<PressWarningCode>(["codes-plain", "codes-simpler", "codes-void"]);

/** The same about codes that exist, whose keys are ids. */
export const withNames = (
  warnings: readonly PressWarning[],
  nameOf: (key: string) => string | undefined,
): PressWarning[] =>
  warnings.map((one) =>
    one.rows.length === 0 ? one : { ...one, names: one.rows.map((key) => nameOf(key) || key) },
  );

const ROWS_SHOWN = 3;

/** One sentence without its full stop, in lower case. */
export function sayPressWarning(warning: PressWarning): string {
  const { code, count, rows, names = rows } = warning;
  const says = words[code](warning);
  if (rows.length === 0 || OF_ALL.has(code)) return says;
  const shown = names.slice(0, ROWS_SHOWN).map(cutKey).join(", ");
  const more = andMore(count - Math.min(rows.length, ROWS_SHOWN));
  return `${says} (${count === 1 ? "row" : "rows"} ${shown}${more})`;
}

/** In a plan, warnings about characters name these already. */
const TOLD_BY_CHARACTER = new Set<PressWarningCode>(["characters-replaced", "lines-left-out"]);

/** A plan's warnings of this kind, beside its others. */
export const toPressProblems = (press: readonly PressWarning[]): Problem[] =>
  press
    .filter(({ code }) => !TOLD_BY_CHARACTER.has(code))
    .map((warning) => ({ message: sayPressWarning(warning), hint: toPressHint(warning) }));

/** Whether a job's files may be printed. */
export type PressVerdict =
  | "ready"
  | "ready-with-warnings"
  /** Not every code was decoded. */
  | "ready-sampled"
  | "rehearsal"
  | "not-ready";

/** Codes of which some stand on several labels, and those labels. */
export interface PrintedCount {
  /** Each once. */
  readonly codes: number;
  readonly labels: number;
}

/** `3 codes on 15 labels`. */
export const sayPrinted = ({ codes, labels }: PrintedCount): string =>
  `${formatMany(codes, "code")} on ${formatMany(labels, "label")}`;

/** What a sampled proof checked. */
export interface SampledCount {
  readonly codes: number;
  readonly decoded: number;
  readonly printed?: PrintedCount | undefined;
}

/** `125,000 codes: 1,250 decoded, each module of the others compared`. */
export const saySampled = ({ codes, decoded, printed }: SampledCount): string =>
  `${printed === undefined ? formatMany(codes, "code") : sayPrinted(printed)}: ${formatCount(decoded)} decoded, each module of the others compared`;

/** The verdict on everything that a job made, and what to know before printing. */
export interface Press {
  readonly verdict: PressVerdict;
  readonly warnings: readonly PressWarning[];
  /** For `ready-sampled`. */
  readonly sampled?: SampledCount | undefined;
  /** There is no PDF: what was read back are pictures, and nothing goes to press. */
  readonly pictures?: true | undefined;
}

/** Of files that are only pictures. */
function sayPictures(warnings: number): string {
  const also = warnings === 0 ? "" : `, with ${formatMany(warnings, "warning")}`;
  return `Done${also}: every picture was read back`;
}

export function sayVerdict({ verdict, warnings, sampled, pictures }: Press): string {
  switch (verdict) {
    case "ready-sampled": {
      const also = warnings.length === 0 ? "" : `, with ${formatMany(warnings.length, "warning")}`;
      return `Ready${also}, sampled proof of ${saySampled(sampled ?? { codes: 0, decoded: 0 })}`;
    }
    case "ready":
      return pictures === true ? sayPictures(0) : "Ready for press";
    case "ready-with-warnings":
      if (pictures === true) return sayPictures(warnings.length);
      return `Ready, with ${formatMany(warnings.length, "warning")}`;
    case "rehearsal":
      return "Rehearsal, not for press";
    case "not-ready":
      return "Not ready for press";
  }
}

const ROWS_KEPT = 5;

interface Counted {
  readonly keys: Set<string>;
  readonly what: Set<string>;
}

/** Adds up findings row by row: each row counts once per code. */
export class PressTally {
  readonly #found = new Map<PressWarningCode, Counted>();

  add(code: PressWarningCode, row: string, what: readonly string[] = []): void {
    const counted = this.#found.get(code) ?? { keys: new Set(), what: new Set() };
    this.#found.set(code, counted);
    counted.keys.add(row);
    for (const one of what) counted.what.add(one);
  }

  list(): PressWarning[] {
    return Array.from(this.#found, ([code, { keys, what }]) => ({
      code,
      count: keys.size,
      rows: [...keys].slice(0, ROWS_KEPT),
      what: [...what],
    }));
  }
}

/** The warnings of several files, joined by code. */
export function joinPressWarnings(lists: readonly (readonly PressWarning[])[]): PressWarning[] {
  const joined = new Map<PressWarningCode, PressWarning>();
  for (const warning of lists.flat()) {
    const before = joined.get(warning.code);
    joined.set(
      warning.code,
      before === undefined
        ? warning
        : {
            code: warning.code,
            count: before.count + warning.count,
            rows: [...before.rows, ...warning.rows].slice(0, ROWS_KEPT),
            what: [...new Set([...before.what, ...warning.what])],
          },
    );
  }
  return [...joined.values()];
}
