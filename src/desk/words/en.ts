import { answersInEnglish } from "./answers.ts";
import { kindsInEnglish } from "./kinds.ts";
import { labelInEnglish } from "./label.ts";
import { nameButtons, sinceInEnglish } from "./since.ts";
import { scanInEnglish } from "./scan.ts";
import { unitsInEnglish } from "./units.ts";
import { mendInEnglish } from "./mend.ts";
import { marksInEnglish, rehearsalInEnglish } from "./rehearsal.ts";
import { reportsInEnglish } from "./reports.ts";
import { many } from "./many.ts";
import { notesInEnglish } from "./notes.ts";
import { wizardInEnglish } from "./wizard.ts";

/** What follows it in a hint is for manifests. */
const FOR_MANIFESTS = "; or give the text: ";

function reasonInEnglish(said: string): string {
  const text = nameButtons(said);
  const [hint = "", ...more] = text.split(FOR_MANIFESTS);
  return more.length === 0 ? hint : `${hint}. A fixed text will do, too`;
}

/** What the desk says, in English. `de.ts` has the same shape. Screens have a part each. */
export const en = {
  language: "en",
  /** A reason or a hint of the pipeline; undefined where there is none in this language. */
  reason: (english: string): string | undefined => reasonInEnglish(english),
  common: {
    desk: "makeready desk",
    home: "Jobs",
    newJob: "New job",
    skip: "Skip to the content",
    command: "The same from the command line",
    file: "File",
    rows: "Rows",
    state: "State",
    open: "Open",
    back: "Back",
    next: "Next",
    save: "Save",
    none: "none",
    place: "Place",
    onLine: (line: string) => `line ${line}`,
    reason: "Reason",
    problem: "What is wrong",
    fix: "What to do",
    /** Beside texts of the pipeline, where the desk speaks another language. */
    inEnglish: "",
    firstOf: (shown: string, all: string) => `The first ${shown} of ${all}:`,
    steps: "Steps of this job",
    switchLanguage: "Deutsch",
    switchTo: "de",
  },
  steps: {
    label: "Label",
    plan: "Plan",
    run: "Run",
    result: "Result",
  },
  codes: {
    title: "Codes",
    elsewhere: (url: string) =>
      `The jobs of this desk make their codes on ${url}. If that is a makeready service, see the codes on its page /console/.`,
    none: "The jobs of this folder have made no codes yet. Run one first: its codes then stand here.",
  },
  refused: {
    host: "This desk answers only under 127.0.0.1 and localhost. Open the link that `makeready desk` printed.",
    origin: "This change came from another page. Go back to the desk and try it there.",
    "link-used":
      "This link works once, and it was used. If the desk was started again, open the link that its terminal shows now. Otherwise run `makeready desk` again: it opens a new link.",
    "no-session":
      "This browser is not signed in. If the desk was started again, open the link that its terminal shows. Otherwise run `makeready desk` again: it opens a link that signs in.",
    missing: "There is no such page in this desk. Go to the list of jobs.",
    bug: "This is a bug in makeready. Your files are as they were: go back, and try another way.",
    title: "Not here",
    failed: "That did not work",
    toJobs: "To the list of jobs",
    back: "Back to the page",
  },
  home: {
    title: "Jobs",
    empty: "This folder has no jobs yet. Start with your own spreadsheet, or try the sample.",
    sample: "Try the sample job",
    begun: "begun, not yet a job.",
    goOn: "Go on",
    kind: "Kind",
    never: "not run yet",
    running: "running",
    putBack: (count: string) =>
      `${count} of the done ${count === "1" ? "was" : "were"} put back: the run was undone`,
    rowsDone: (done: string, all: string) => `${done} of ${many(all, "row", "rows")} done`,
    toMend: (count: string) => `${count} to mend`,
    changedSince: "The list or the manifest has changed since the last run. Look at the plan.",
    broken: "can't be read",
    due: (when: string) => `Runs by itself next: ${when}`,
    paused: "Schedule switched off",
  },
  wizard: wizardInEnglish,
  plan: {
    title: "Plan",
    make: "Make the plan",
    again: "Plan again",
    none: "A plan says what a run would do and what it costs. It changes nothing.",
    stale: "The list or the manifest has changed since this plan. Plan again.",
    making: "Making the plan …",
    nothing: "Everything is done. A run would change nothing.",
    figures: {
      rows: "Rows",
      creates: "To create",
      resumes: "In doubt, to look for",
      changes: "To change",
      unchanged: "Unchanged",
      bad: "Refused rows",
      vanished: "Gone from the list",
      sheets: "Sheets of paper",
      repeats: "Repeats of the roll",
      roll: "Length of roll",
      writes: "Calls that change",
      writesAtMost: "Calls that change, at most",
      time: "At 60 a minute",
    },
    refused: "Refused rows",
    refusedHint: "These rows are left out until they are mended.",
    isRun: "A run has begun since this plan. Plan again to see what is left to do.",
    warnings: "Please look at these",
    notes: "Good to know",
    files: "Sheets and archives",
    file: (name: string, codes: string) => `${name} (${many(codes, "code", "codes")})`,
    fileVolumes: (first: string, last: string, codes: string, volumes: string) =>
      `${first} to ${last} (${many(codes, "code", "codes")} in ${volumes} volumes)`,
    ...rehearsalInEnglish,
    rehearsalElsewhere: (server: string, mark: keyof typeof marksInEnglish) =>
      `This is a rehearsal: the codes of ${server} lead only to the computer of that service${marksInEnglish[mark]}. Do not print for others yet: whoever runs the service must first set its public address (makeready serve --public-url).`,
    vanishedHint:
      "Rows are gone from the list. Their codes stay as they are. Look whether the list is whole before you run.",
    address: "Public address",
    addressHint:
      "Where people will reach your makeready serve. It goes into the job (api.public_url) and is kept with the data.",
    useAddress: "Use this address and plan",
    manifest: "The job as YAML",
    download: "Download",
    run: (count: string) => `Run: ${many(count, "row", "rows")}`,
    runSome: (some: string, all: string) => `Run: ${some} of ${many(all, "row", "rows")}`,
    runAnyway: "Run",
    onServer: "Server",
    embedded: "the service of this computer",
  },
  notes: notesInEnglish,
  label: labelInEnglish,
  units: unitsInEnglish,
  since: sinceInEnglish,
  scan: scanInEnglish,
  mend: mendInEnglish,
  reports: reportsInEnglish,
  answers: answersInEnglish,
  run: {
    title: "Run",
    none: "This job has not run yet. Look at the plan first.",
    toPlan: "To the plan",
    works: {
      plan: "Making the plan",
      compare: "Comparing the new file",
      proof: "Making the proof",
      verify: "Proving the files",
      reprint: "Printing labels again",
      void: "Taking codes out of use",
      replace: "Replacing spoiled labels",
      activate: "Noting labels on their goods",
      reconcile: "Accounting for every label",
      scan: "Checking printed sheets",
    } as Readonly<Record<string, string>>,
    pause: "Pause",
    pausing: "The run finishes what it has begun, then it stops. Nothing is lost.",
    goOn: "Go on",
    stopped: "The run has stopped. Nothing is lost: it goes on where it stopped.",
    died: "The run broke off, perhaps because the computer was switched off. Nothing is lost: it goes on where it stopped.",
    elsewhere: (who: string) =>
      `Somebody started this job elsewhere (${who}). This page shows how far it is.`,
    reload: "Without script this page loads again every two seconds.",
  },
  result: {
    title: "Result",
    none: "This job has not run yet.",
    underWay: "This job is running right now. Its result stands here once it has ended.",
    watch: "Watch it",
    printedAgain: "Labels printed again",
    unfinishedUndo: "The last undo did not come to its end: undo again to finish it.",
    unfinished: "The last run did not come to its end: files may be missing, or not proven.",
    changedSince: "The job has changed since. Run it again before you print.",
    unseenSince: (why: string) => `Whether the job has changed since is not known: ${why}`,
    missingSince: (files: readonly string[]) =>
      `${files.length === 1 ? "A file is" : "Files are"} missing: ${files.join(", ")}. Run again to make ${files.length === 1 ? "it" : "them"}.`,
    damagedSince: (files: readonly string[]) =>
      files.length === 1
        ? `A file is not as it was written: ${files[0]}. Run again to make it anew.`
        : `Files are not as they were written: ${files.join(", ")}. Run again to make them anew.`,
    ready: "Ready for press",
    readyWith: (count: string) => `Ready for press, warnings: ${count}`,
    picturesReadBack: "Done: every picture was read back",
    picturesWith: (count: string) => `Done: every picture was read back. Warnings: ${count}`,
    readySampled: (warnings: string | undefined) =>
      `Ready, sampled proof${warnings === undefined ? "" : `, warnings: ${warnings}`}`,
    readSample: (read: string, all: string) =>
      `${read} of ${many(all, "code", "codes")} decoded, each module of the others compared`,
    knowBefore: "Know before you print",
    rehearsal: "Rehearsal only: the codes lead to this computer",
    done: "Done: there was no code to read back",
    scheduleRepeats: (when: string, timezone: string) =>
      `The schedule does it again on ${when} (${timezone}). To keep the codes as they are now, switch it off before.`,
    scheduleIsDue: (when: string, timezone: string) =>
      `The schedule does it again with its next look: it is due since ${when} (${timezone}). To keep the codes as they are now, switch it off before.`,
    finishRows: (count: string) =>
      `${many(count, "row is", "rows are")} left to do. Plan again, then run.`,
    retireRows: (count: string, ways: readonly ("file" | "delete")[]) =>
      `${many(count, "code has no row any more, and this run left it as it is", "codes have no rows any more, and this run left them as they are")}. A command ${ways.map((way) => `${way}s`).join(" or ")} ${count === "1" ? "it" : "them"}.`,
    voidRows: (count: string) =>
      `${many(count, "of these codes is void already", "of these codes are void already")}.`,
    retryRefused: "The server refused rows. If they are right, try them again.",
    retryByPlan:
      "The plan of the server's account has no room for more codes. Whoever runs the server raises it, or you delete codes there. Then try the rows again.",
    notProven: "Not proven: look at the list below",
    toMend: (count: string) => `Rows to mend: ${count}`,
    toFetch: (count: string) =>
      `Files of ${many(count, "row", "rows")} did not come: plan and run again to fetch them`,
    undoToFetch: (count: string) =>
      `Files of ${many(count, "code", "codes")} did not come: undo again to fetch them`,
    notPutBack: (count: string) => `${many(count, "code was", "codes were")} not put back`,
    rowsWithoutFiles: "Rows whose files did not come",
    read: (read: string, all: string) =>
      `${read} of ${many(all, "code", "codes")} read back from the PDFs`,
    printed: (codes: string, labels: string) =>
      `${many(codes, "code", "codes")} on ${many(labels, "label", "labels")}`,
    files: "Files",
    show: "Show",
    download: "Download",
    downloadFile: (file: string) => `Download ${file}`,
    moreSheets: (all: string, shown: string) =>
      `These are ${shown} of ${all} PDFs. The others stand below.`,
    toSheet: "Sheet number",
    figures: {
      rows: "Rows",
      created: "Created",
      changed: "Changed",
      putBack: "Put back",
      unchanged: "Unchanged",
      failed: "Not made",
      adopted: "Found on the server",
      withoutFiles: "Without files",
      left: "Left to do",
    },
    roles: {
      sheets: "Sheets for the press",
      zip: "Archive of pictures",
      artwork: "Pictures",
      index: "Table of all codes",
      "sheet-map": "Map of the sheets",
      certificate: "Certificate",
      report: "Report",
      kept: "Kept from an earlier run: no good row to replace it with",
      removed: "Removed: nothing goes into it any more",
      "failed-rows": "Rows to mend",
      "vanished-rows": "Codes without a row",
      scans: "Figures of scans",
    } as Readonly<Record<string, string>>,
    codes: "Codes",
    earlier: "From the beginning",
    more: "More codes",
    noPicture: "no picture",
    sheets: "Sheets",
    labelCommands:
      "The commands name the first label of the sheet; after a step, the labels of that step.",
    sheetsHint:
      "Click the labels that were spoiled. They are printed again on a new sheet, and the ledger counts them as spoiled. Labels that you only need once more count as good.",
    label: (key: string, row: string, column: string) => `${key}: row ${row}, column ${column}`,
    pages: "Pages",
    sheetBefore: "Sheet before",
    sheetAfter: "Next sheet",
    pageOf: (page: string, file: string) => `Page ${page} of ${file}`,
    sheetOf: (page: string, all: string) => `Sheet ${page} of ${all}`,
    firstFree: "First free label of the sheet in the printer",
    reprint: "Print the chosen labels once more, as further ones",
    reprinted: (count: string) => `${many(count, "label is", "labels are")} ready to print again:`,
    nothingTicked: "No label was chosen. Click the spoiled ones first.",
    problems: "Rows that failed",
    undone: (count: string) =>
      `The run was undone: ${many(count, "code is", "codes are")} as before it. Planned and run again, the job changes ${count === "1" ? "it" : "them"} again.`,
    undo: "Undo this run",
    undoAsk:
      "Puts back what the last run replaced, code by code. Runs with --limit and runs that were cut short count as one with the run after them. If somebody else has changed a code since, it stays as it is and is listed.",
    afterwards: "Check and account",
    verify: "Prove the files again",
    verified: (read: string, all: string) =>
      `Proved again: ${read} of ${many(all, "code", "codes")} read back, every file is as it was written.`,
    notVerified: "The files are no longer as the run wrote them. What is wrong stands here.",
    toAddress: "Set the public address in the plan",
    again: "Plan again",
    mend: (rows: number): string => (rows === 1 ? "Mend this row here" : "Mend these rows here"),
    mendHint: (source: string, mended: string) =>
      `Change the cells, then plan again. ${source} stays as it is: the mended rows go into ${mended} beside it, and the job reads them from there. Once you mend a row in ${source} itself, that one counts.`,
    mendFirst: (shown: string, all: string) =>
      `The first ${shown} of ${all} rows. Mend a fault that is in all rows in the spreadsheet.`,
    mendKept: "What you typed here before was kept. Nothing counts before you send it.",
    mendPlan: (rows: number): string =>
      rows === 1 ? "Keep this row and plan" : "Keep these rows and plan",
    mended: "Rows that were mended",
    mendedBefore: "Mended before",
    mendedWas: (source: string, cells: readonly (readonly [string, string])[]) =>
      `Mended before. ${source} has: ${cells.map(([column, text]) => `${column} ${text === "" ? "empty" : `“${text}”`}`).join(", ")}.`,
    mendedFirst: (shown: string, all: string, mended: string) =>
      `${shown} of ${all} rows that were mended before. The others stand in ${mended}.`,
    takeBack: "Take this correction back",
    cell: (line: string, column: string) => `Line ${line}, ${column}`,
    nothingToMend: "There is no row to mend here.",
    mendChanged:
      "Nothing was saved: rows have changed since you opened the page. They were mended in another tab, a run has used them, or the spreadsheet is another one.",
    mendNext: "Plan again, or mend here what is still wrong.",
    mendWaits: "The rows to mend stand here once the plan is made.",
    mendOlder:
      "The list or the manifest has changed since rows were refused. Plan again to see which are refused now.",
    mendLate:
      "You typed this into rows that have changed since. It does not count. Type it again where you still need it:",
    mendTyped: (place: string, text: string) => `${place}: “${text}”`,
    nothingMended: "No cell was changed.",
  },
  schedule: {
    title: "Schedule",
    none: "This job runs when somebody runs it.",
    when: "When it runs by itself",
    every: "How often",
    everies: {
      day: "every day",
      weekday: "Monday to Friday",
      week: "once a week",
      month: "on the first of the month",
      own: "own rule (cron)",
    },
    weekday: "Day",
    weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
    time: "Time",
    cron: "Own rule: minute hour day month weekday",
    timezone: "Time zone",
    on: "Switch on",
    off: "Switch off",
    save: "Save",
    isOn: "Switched on",
    isOff: "Switched off: nothing runs by itself. The rule is kept.",
    last: "Last run by itself",
    never: "never",
    next: "Next runs",
    due: (when: string) => `as soon as the schedule is looked at, due since ${when}`,
    who: (print: string) =>
      `The computer must be on at that time. Leave this command running, or set up a timer of the system (${print}). Without one of them nothing starts by itself.`,
  },
  approval: {
    title: "Proof for the customer",
    hint: "Chosen labels in their true size, on pages with the fields that the customer signs. Nothing is sent, and no code is made for it.",
    lines: "Lines of the spreadsheet",
    linesHint: "Such as 2-4,9. Left empty: the rows with the longest texts.",
    make: "Make the proof",
    made: (labels: string, isLongest: boolean) =>
      `${many(labels, "label", "labels")}${isLongest ? " with the longest texts" : ""} to be signed.`,
    download: "Download the proof (PDF)",
    none: "This job prints no labels: there is nothing to sign.",
  },
  newFile: {
    title: "New file for this job",
    hint: "Send the new spreadsheet. You see the difference first. Where a row stays, its code stays. 200 MB at most.",
    compare: "Show the difference",
    difference: "This is what a run with the new file would do. Nothing has changed yet.",
    take: "Take this file and plan",
    past: "The job or the file has changed since this comparison. Compare again to see what the file would change now.",
    compareAgain: "Compare again",
    leave: "Leave the job as it is",
  },
  monitor: {
    of: "{done} of {total}",
    failed: "{count} failed",
    begins: "It begins …",
    rate: "{rate} a second",
    ends: "ends about {time}",
    offline: "The desk does not answer. The run goes on; this page joins again by itself.",
    signedOut: "The desk was started again: open the link that its terminal shows.",
    waits: "Waiting:",
    lost: "The file with the state of the job is missing. Codes of earlier runs are looked for on the server.",
    stages: {
      codes: "Making codes",
      changes: "Changing codes",
      files: "Fetching pictures",
      undo: "Putting back",
      "proof of pictures": "Reading every picture back",
      "proof of sheets": "Reading every sheet back",
      sheets: "Drawing sheets",
      archives: "Packing archives",
      scan: "Reading pictures",
    } as Readonly<Record<string, string>>,
  },
  kinds: kindsInEnglish,
};

export type Words = typeof en;
