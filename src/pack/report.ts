/**
 * `report.html`: the files of a run, whether they may go to press, failures, and a contact sheet.
 * One file, no script, no network; a content security policy holds it to that.
 */
import { createHash } from "node:crypto";

import { sayPressWarning, sayVerdict, toPressHint } from "../base/shapes/press-warning.ts";
import { sayNotDone } from "../base/text/words.ts";
import { makeContactSheet, makePictureBudget } from "./contact-sheet.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";
import { Html, html, type HtmlValue } from "./html.ts";
import type { ReportData, ReportVerification, RetiredFacts } from "./report-data.ts";
import { PAPER_STYLE } from "../style/house.ts";
import {
  makeFailedRows,
  makeFiles,
  makeGrades,
  makeStages,
  makeVanishedRows,
  makeVerification,
  makeWarnings,
} from "./report-tables.ts";
import { toCountText, toDurationText } from "./report-text.ts";

// A plain string: the policy holds the hash of its exact text.
const STYLE_ELEMENT = new Html(`<style>${PAPER_STYLE}</style>`);
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "img-src data:",
  `style-src 'sha256-${createHash("sha256").update(PAPER_STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

interface Verdict {
  readonly text: string;
  readonly look: "good" | "bad" | "warn";
}

/** True when the proof found a fault in the files themselves. */
function isBroken(found: ReportVerification): boolean {
  const { findings, codesRead, codesExpected, codesCompared = 0 } = found;
  return (
    codesRead + codesCompared < codesExpected ||
    findings.some(({ severity }) => severity === "error")
  );
}

const doneWords = { undone: "put back", filed: "filed away", deleted: "deleted" } as const;

/** Of a job without a proof. */
function toUnproven({ groups, failedRows, counts, after }: ReportData): Verdict {
  if (groups.length > 0) return { text: "Not verified", look: "warn" };
  // An undo or a retire mends no rows: it ends well with those that were bad before it.
  const isWell = after !== undefined && counts.withoutFiles === undefined;
  if (failedRows.length === 0 || isWell) return { text: "Done", look: "good" };
  return counts.failed === 0 && counts.withoutFiles !== undefined
    ? { text: "Done, but files could not be fetched", look: "warn" }
    : { text: "Done, with rows to mend", look: "warn" };
}

/** Of codes that are not as they were asked for, or not for press whatever their files are. */
function toNotMeant({ after, rehearsal }: ReportData): Verdict | undefined {
  if (after?.notDone !== undefined) {
    return { text: sayNotDone(after.notDone, doneWords[after.did]), look: "warn" };
  }
  return rehearsal === undefined ? undefined : { text: "Rehearsal, not for press", look: "warn" };
}

function toVerdict(data: ReportData): Verdict {
  const { stopped, verification, press } = data;
  if (stopped !== undefined) return { text: "Stopped before its end", look: "bad" };
  const isFaulty = verification !== undefined && isBroken(verification);
  const notMeant = isFaulty ? undefined : toNotMeant(data);
  if (notMeant !== undefined) return notMeant;
  if (verification === undefined) return toUnproven(data);
  const isSampled = press?.verdict === "ready-sampled";
  if (isFaulty || !(verification.isReady || isSampled))
    return { text: "Not ready for press", look: "bad" };
  return toReady(press, verification);
}

/** The verdict where the files have no fault. */
function toReady(press: ReportData["press"], { codesExpected }: ReportVerification): Verdict {
  if (press?.verdict === "ready-sampled") return { text: sayVerdict(press), look: "warn" };
  const { warnings = [] } = press ?? {};
  const isWarned = warnings.length > 0;
  const verdict = isWarned ? "ready-with-warnings" : "ready";
  const text = sayVerdict({ verdict, warnings, ...(codesExpected === 0 && { pictures: true }) });
  return { text, look: isWarned ? "warn" : "good" };
}

const sayWere = (count: number): string =>
  count === 1 ? "1 code was" : `${toCountText(count)} codes were`;

function sayUndone({
  codes,
  already,
  notDone,
  runAt,
}: Extract<RetiredFacts, { readonly did: "undone" }>): string {
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

/** What was done after the run: its heading, and the sentence. */
function toAfter(after: NonNullable<ReportData["after"]>): readonly [string, string] {
  const isOne = after.codes === 1;
  const rowless = isOne ? "it has no row any more" : "they have no row any more";
  const were = sayWere(after.codes);
  switch (after.did) {
    case "undone":
      return ["Undone", sayUndone(after)];
    case "filed":
      return ["Filed", `${were} filed away, since ${rowless}`];
    case "deleted":
      return ["Deleted", `${were} deleted, since ${rowless}`];
  }
}

function makeAfter({ after }: ReportData): HtmlValue {
  if (after === undefined) return undefined;
  const [title, text] = toAfter(after);
  return html`<div class="banner warn" role="note">
    <strong>${title}</strong>
    <p>${text}</p>
  </div>`;
}

function makePressBanner({ press }: ReportData): HtmlValue {
  if (press === undefined || press.warnings.length === 0) return undefined;
  const items = press.warnings.map((warning) => {
    const hint = toPressHint(warning);
    return html`<li>
      <bdi>${toSentence(sayPressWarning(warning))}</bdi
      >${hint === undefined ? "" : ` ${toSentence(hint)}`}
    </li>`;
  });
  return html`<div class="banner warn" role="note">
    <strong>Know before you print</strong>
    <ul>
      ${items}
    </ul>
  </div>`;
}

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function makeBanners(data: ReportData): HtmlValue {
  const { kind, rehearsal, stopped } = data;
  const links = kind === "products" ? "GS1 Digital Links" : "short links";
  return [
    makePressBanner(data),
    rehearsal === undefined
      ? undefined
      : html`<div class="banner warn" role="note">
          <strong>REHEARSAL - codes point to this computer</strong>
          <p>
            The ${links} start with <code>${rehearsal}</code>, which no phone outside can reach. Set
            a public address and run again before anything is printed.
          </p>
        </div>`,
    stopped === undefined
      ? undefined
      : html`<div class="banner bad" role="note">
          <strong>The run stopped before its end</strong>
          <p>${stopped}</p>
        </div>`,
  ];
}

function makeHeader(data: ReportData): Html {
  const verdict = toVerdict(data);
  const date = data.createdAt.toISOString().replace("T", " ").slice(0, 16);
  const from = data.source === undefined ? undefined : html` from <bdi>${data.source}</bdi>`;
  return html`<header>
      <div>
        <p class="over">${data.kind}</p>
        <h1><bdi>${data.job}</bdi></h1>
        <p class="soft">Made ${date} UTC${from}</p>
      </div>
      <div class="verdict ${verdict.look}">${verdict.text}</div>
    </header>
    ${makeBanners(data)} ${makeAfter(data)}`;
}

type Figure = readonly [name: string, value: string];

/** A figure that is shown only where there is something to count. */
const toFew = (name: string, count = 0): Figure[] =>
  count > 0 ? [[name, toCountText(count)]] : [];

/** Those up to `left to do` add up to the rows. */
function toRowFigures({ counts, after }: ReportData): Figure[] {
  const done = after && doneWords[after.did];
  return [
    ["rows", toCountText(counts.rows)],
    ["created", toCountText(counts.created)],
    ...toFew("found on the server", counts.adopted),
    [
      counts.retired === undefined && done !== undefined ? done : "updated",
      toCountText(counts.updated),
    ],
    ["unchanged", toCountText(counts.unchanged)],
    ["failed", toCountText(counts.failed)],
    ...toFew("left to do", counts.left),
    ...toFew("without files", counts.withoutFiles),
    ["vanished", toCountText(counts.vanished)],
    ...(done === undefined || counts.retired === undefined
      ? []
      : [[done, toCountText(counts.retired)] as const]),
  ];
}

function makeFigures(data: ReportData): Html {
  const { counts, calls, codesPerSecond } = data;
  const figures: readonly Figure[] = [
    ...toRowFigures(data),
    ["writes sent", toCountText(calls.writes)],
    ["reads sent", toCountText(calls.reads)],
    ["retries", toCountText(calls.retries)],
    ["waited for the limit", toDurationText(calls.waitedMs)],
    ...(codesPerSecond === undefined
      ? []
      : ([["codes per second", codesPerSecond.toFixed(1)]] as const)),
  ];
  const isBad = (name: string): boolean =>
    (name === "failed" && counts.failed > 0) || name === "without files";
  return html`<dl class="figures">
    ${figures.map(
      ([name, value]) =>
        html`<div class="${isBad(name) ? "wrong" : "plain"}">
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`;
}

function makeNext({ nextCommand }: ReportData): HtmlValue {
  if (nextCommand === undefined) return undefined;
  return html`<h2>Run it again</h2>
    <code class="command">${nextCommand}</code>`;
}

function makeHead(data: ReportData): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${data.job} - report</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <div class="inks" aria-hidden="true"><i></i><i></i><i></i><i></i></div>
        <main>
     `;
}

/** Whether there is anything to prove: a retarget makes no pictures. */
const isWithFiles = ({ verification, groups }: ReportData): boolean =>
  verification !== undefined || groups.length > 0;

async function* makeReport(data: ReportData): AsyncGenerator<string> {
  const top = [
    makeHead(data),
    makeHeader(data),
    makeFigures(data),
    makeNext(data),
    isWithFiles(data) ? makeVerification(data.verification) : undefined,
    makeGrades(data.grades),
    makeFailedRows(data),
    makeVanishedRows(data),
    makeWarnings(data.warnings),
    makeFiles(data),
    makeStages(data.stages),
  ];
  yield html`${top}`.text;
  if (data.groups.length > 0) yield "\n<h2>Contact sheet</h2>\n";
  const budget = makePictureBudget();
  for (const group of data.groups) {
    for await (const piece of makeContactSheet(group, budget)) yield piece.text;
  }
  yield html`<footer>${data.program}, ${data.server}</footer></main></body></html>\n`.text;
}

/** Writes the report, atomically. Unreadable or too large pictures are left out, never an error. */
export function writeReport(file: string, data: ReportData): Promise<WrittenFile> {
  return writeTextFile(file, makeReport(data));
}
