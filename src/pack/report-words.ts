/**
 * What the report says, in English. Another language has the same shape, and is handed in by who runs
 * the job: pack knows no desk.
 */
import { sayPrinted, sayVerdict, type Press } from "../base/shapes/press-warning.ts";
import { sayGrade, sayLimit } from "../base/text/grade-words.ts";
import {
  describeArchive,
  formatBytes,
  formatPages,
  formatRunTime,
  sayNotDone,
} from "../base/text/words.ts";
import { proofInEnglish } from "../base/text/proof-words.ts";
import type { ReportVerification, RetiredFacts } from "./report-data.ts";
import { toCountText, toDecimalText } from "./report-text.ts";
import { scansInEnglish } from "./scan-words.ts";

type Undone = Extract<RetiredFacts, { readonly did: "undone" }>;

const doneWords = { undone: "put back", filed: "filed away", deleted: "deleted" };

const sayWere = (count: number): string =>
  count === 1 ? "1 code was" : `${toCountText(count)} codes were`;

function sayUndone({ codes, already, notDone, runAt }: Undone): string {
  const before = (count: number): string =>
    `${count === 1 ? "it was" : "they were"} before the run of ${runAt.slice(0, 10)}`;
  if (codes === 0 && already > 0) {
    const are = already === 1 ? "1 code is" : `${toCountText(already)} codes are`;
    const nothing = notDone === undefined ? ": there was nothing to put back" : "";
    return `${are} as ${before(already)}${nothing}`;
  }
  const others = already === 0 ? "" : `; ${sayWere(already)} so already`;
  return `${sayWere(codes)} put back to what ${before(codes)}${others}`;
}

const sayRowless = (codes: number): string =>
  codes === 1 ? "it has no row any more" : "they have no row any more";

/** Of the codes, symbols and copies by their names. */
function sayOwn({ symbols, printed }: Pick<ReportVerification, "symbols" | "printed">): string {
  const beside = [
    symbols === undefined ? [] : `${toCountText(symbols)} of them symbols`,
    printed === undefined ? [] : `of ${sayPrinted(printed)}`,
  ].flat();
  return beside.length === 0 ? "codes" : `codes (${beside.join(", ")})`;
}

// Breaks in a text are those of the page.
export const inEnglish = {
  language: "en",
  /** A sentence of the engine; undefined where there is none in this language. */
  reason: (english: string): string | undefined => english,
  count: toCountText,
  decimal: toDecimalText,
  bytes: formatBytes,
  title: (job: string) => `${job} - report`,
  kind: (kind: string) => kind,
  made: (at: Date) => `Made ${at.toISOString().replace("T", " ").slice(0, 16)} UTC`,
  from: "from",
  embedded: "embedded service",
  runAgain: "Run it again",
  verdicts: {
    unverified: "Not verified",
    done: "Done",
    withoutFiles: "Done, but files could not be fetched",
    toMend: "Done, with rows to mend",
    rehearsal: "Rehearsal, not for press",
    stopped: "Stopped before its end",
    notReady: "Not ready for press",
    press: (press: Press) => sayVerdict(press),
    notDone: (count: number, did: RetiredFacts["did"]) => sayNotDone(count, doneWords[did]),
  },
  after: {
    undone: ["Undone", (after: RetiredFacts) => (after.did === "undone" ? sayUndone(after) : "")],
    filed: [
      "Filed",
      ({ codes }: RetiredFacts) => `${sayWere(codes)} filed away, since ${sayRowless(codes)}`,
    ],
    deleted: [
      "Deleted",
      ({ codes }: RetiredFacts) => `${sayWere(codes)} deleted, since ${sayRowless(codes)}`,
    ],
  } as Readonly<Record<RetiredFacts["did"], readonly [string, (after: RetiredFacts) => string]>>,
  banners: {
    knowBefore: "Know before you print",
    rehearsal: "REHEARSAL - codes point to this computer",
    /** Before and behind the address. */
    leadHere: (isProducts: boolean): readonly [string, string] => [
      `
            The ${isProducts ? "GS1 Digital Links" : "short links"} start with`,
      `, which no phone outside can reach. Set
            a public address and run again before anything is printed.
          `,
    ],
    stopped: "The run stopped before its end",
  },
  begun: {
    retire: "A retire has begun and not ended",
    undo: "An undo has begun and not ended",
    finish: "Codes may no longer be as this page says. If nobody runs it now, finish it with:",
  },
  figures: {
    rows: "rows",
    created: "created",
    adopted: "found on the server",
    updated: "updated",
    unchanged: "unchanged",
    failed: "failed",
    left: "left to do",
    withoutFiles: "without files",
    vanished: "vanished",
    ...doneWords,
    writes: "writes sent",
    reads: "reads sent",
    retries: "retries",
    waited: "waited for the limit",
    perSecond: "codes per second",
  },
  lists: {
    firstOf: (shown: string, all: string) => `The first ${shown} of
    ${all}`,
    faults: "faults",
    all: "All of them:",
    place: "Place",
    problem: "What it is",
    toDo: "What to do",
    rule: "Rule",
    severity: "Severity",
    severities: { error: "error", warning: "warning" },
    line: "Line",
    row: "Row",
    column: "Column",
    value: "Value",
    wrong: "What is wrong",
    fix: "Fix",
    key: "Key",
    lineBefore: "Line it had",
    name: "Name",
    code: "Code",
    files: "Files",
    addressBefore: "(shows the address before)",
    file: "File",
    holds: "Holds",
    size: "Size",
    removed: "Removed:",
    noRowLeft: (count: number) => `No row is left for ${count === 1 ? "it" : "them"}.`,
    stage: "Stage",
    made: "Made",
    time: "Time",
    againstLongest: "Against the longest",
  },
  grades: {
    title: "Predicted grades",
    what: `
      What verifiers of ISO/IEC 15415 are expected to say: a prediction from the drawing, no
      measurement.
    `,
    grade: "Grade",
    ofFour: "Of 4",
    codes: "Codes",
    by: "By",
    helps: "What helps",
    limit: sayLimit,
    of: (one: Parameters<typeof sayGrade>[0]) => `grade ${sayGrade(one)}`,
  },
  verification: {
    title: "Verification",
    none: "The finished files were not checked in this run.",
    nothingNew: "Nothing new had to be read back",
    codes: sayOwn,
    ofAll: (read: string, all: string, what: string) => `${read} of ${all} ${what}`,
    readBack: (read: string) =>
      `${read} were read back from the finished files and equal their rows`,
    rules: (count: number, findings: number) =>
      `${toCountText(count)} rules checked, ${findings === 0 ? "no finding" : `findings: ${toCountText(findings)}`}.`,
    sampled: (count: number) =>
      `The proof was sampled: ${toCountText(count)} codes were not read; each of their modules was compared with what another encoder makes of their rows.`,
    earlier: (before: string) => `Earlier runs have proven others that are unchanged: ${before}.`,
  },
  titles: {
    failed: (failed: number, withoutFiles: number) =>
      withoutFiles === 0
        ? "Failed rows"
        : `${failed === 0 ? "Rows" : "Failed rows, and rows"} without files`,
    vanished: "Vanished rows",
    vanishedAre: "The job has these rows no longer. Their codes live on.",
    warnings: "Warnings",
    files: "Files",
    stages: "Where the time went",
    contacts: "Contact sheet",
  },
  stage: (name: string) => name,
  contacts: {
    notShown: "not shown",
    code: (caption: string) => `QR code: ${caption}`,
    printed: (caption: string) => `QR code on the sheet: ${caption}`,
    artwork: "artwork",
    onSheet: "on the sheet",
    shown: (shown: string, all: string) => `${shown} of ${all} codes shown.`,
  },
  scans: scansInEnglish,
  proof: proofInEnglish,
  notes: {
    pages: formatPages,
    archive: describeArchive,
    certificate: "signed: checked by makeready check",
    kept: (madeMs: number) => `kept from the run of ${formatRunTime(madeMs)}: its rows are bad now`,
  },
};

export type ReportWords = typeof inEnglish;
