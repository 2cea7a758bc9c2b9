/**
 * `report.html`: the files of a run, whether they may go to press, failures, and a contact sheet.
 * One file, no script, no network; a content security policy holds it to that.
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

import { sayPressWarning, toPressHint } from "../base/shapes/press-warning.ts";
import { makeContactSheet, makePictureBudget } from "./contact-sheet.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";
import { Html, html, type HtmlValue } from "./html.ts";
import type { ReportData, ReportVerification } from "./report-data.ts";
import { PAPER_STYLE } from "../style/house.ts";
import {
  makeFailedRows,
  makeFiles,
  makeGrades,
  makeReason,
  makeStages,
  makeVanishedRows,
  makeVerification,
  makeWarnings,
} from "./report-tables.ts";
import { toDurationText } from "./report-text.ts";
import { inEnglish, type ReportWords } from "./report-words.ts";

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

/** Of a job without a proof. */
function toUnproven(
  { groups, failedRows, counts, after }: ReportData,
  { verdicts }: ReportWords,
): Verdict {
  if (groups.length > 0) return { text: verdicts.unverified, look: "warn" };
  // An undo or a retire mends no rows: it ends well with those that were bad before it.
  const isWell = after !== undefined && counts.withoutFiles === undefined;
  if (failedRows.length === 0 || isWell) return { text: verdicts.done, look: "good" };
  return counts.failed === 0 && counts.withoutFiles !== undefined
    ? { text: verdicts.withoutFiles, look: "warn" }
    : { text: verdicts.toMend, look: "warn" };
}

/** Of codes that are not as they were asked for, or not for press whatever their files are. */
function toNotMeant(
  { after, rehearsal }: ReportData,
  { verdicts }: ReportWords,
): Verdict | undefined {
  if (after?.notDone !== undefined) {
    return { text: verdicts.notDone(after.notDone, after.did), look: "warn" };
  }
  return rehearsal === undefined ? undefined : { text: verdicts.rehearsal, look: "warn" };
}

function toVerdict(data: ReportData, words: ReportWords): Verdict {
  const { stopped, verification, press } = data;
  const { verdicts } = words;
  if (stopped !== undefined) return { text: verdicts.stopped, look: "bad" };
  const isFaulty = verification !== undefined && isBroken(verification);
  const notMeant = isFaulty ? undefined : toNotMeant(data, words);
  if (notMeant !== undefined) return notMeant;
  if (verification === undefined) return toUnproven(data, words);
  const isSampled = press?.verdict === "ready-sampled";
  if (isFaulty || !(verification.isReady || isSampled))
    return { text: verdicts.notReady, look: "bad" };
  return toReady(press, verification, words);
}

/** The verdict where the files have no fault. */
function toReady(
  press: ReportData["press"],
  { codesExpected }: ReportVerification,
  { verdicts }: ReportWords,
): Verdict {
  if (press?.verdict === "ready-sampled") return { text: verdicts.press(press), look: "warn" };
  const { warnings = [] } = press ?? {};
  const isWarned = warnings.length > 0;
  const verdict = isWarned ? "ready-with-warnings" : "ready";
  const pictures = codesExpected === 0 && { pictures: true as const };
  const text = verdicts.press({ verdict, warnings, ...pictures });
  return { text, look: isWarned ? "warn" : "good" };
}

function makeAfter({ after }: ReportData, words: ReportWords): HtmlValue {
  if (after === undefined) return undefined;
  const [title, say] = words.after[after.did];
  return html`<div class="banner warn" role="note">
    <strong>${title}</strong>
    <p>${say(after)}</p>
  </div>`;
}

function makePressBanner({ press }: ReportData, words: ReportWords): HtmlValue {
  if (press === undefined || press.warnings.length === 0) return undefined;
  const items = press.warnings.map((warning) => {
    const hint = toPressHint(warning);
    return html`<li>
      <bdi>${makeSentence(sayPressWarning(warning), words)}</bdi
      >${hint === undefined ? "" : html` ${makeSentence(hint, words)}`}
    </li>`;
  });
  return html`<div class="banner warn" role="note">
    <strong>${words.banners.knowBefore}</strong>
    <ul>
      ${items}
    </ul>
  </div>`;
}

const makeSentence = (text: string, words: ReportWords): HtmlValue =>
  makeReason(text, {
    ...words,
    reason: (english) => {
      const said = words.reason(english);
      return said && toSentence(said);
    },
  });

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function makeBanners(data: ReportData, words: ReportWords): HtmlValue {
  const { kind, rehearsal, stopped } = data;
  const { banners } = words;
  const [before, behind] = banners.leadHere(kind === "products");
  return [
    makePressBanner(data, words),
    rehearsal === undefined
      ? undefined
      : html`<div class="banner warn" role="note">
          <strong>${banners.rehearsal}</strong>
          <p>${before} <code>${rehearsal}</code>${behind}</p>
        </div>`,
    stopped === undefined
      ? undefined
      : html`<div class="banner bad" role="note">
          <strong>${banners.stopped}</strong>
          <p>${makeReason(stopped, words)}</p>
        </div>`,
  ];
}

function makeHeader(data: ReportData, words: ReportWords): Html {
  const verdict = toVerdict(data, words);
  const { source } = data;
  const from = source === undefined ? undefined : html` ${words.from} <bdi>${source}</bdi>`;
  return html`<header>
      <div>
        <p class="over">${words.kind(data.kind)}</p>
        <h1><bdi>${data.job}</bdi></h1>
        <p class="soft">${words.made(data.createdAt)}${from}</p>
      </div>
      <div class="verdict ${verdict.look}">${verdict.text}</div>
    </header>
    ${makeBanners(data, words)} ${makeAfter(data, words)}`;
}

type Figure = readonly [name: keyof ReportWords["figures"], value: string];

/** Those up to `left` add up to the rows. */
function toRowFigures({ counts, after }: ReportData, { count }: ReportWords): Figure[] {
  const done = after?.did;
  /** A figure that is shown only where there is something to count. */
  const few = (name: Figure[0], n = 0): Figure[] => (n > 0 ? [[name, count(n)]] : []);
  const isDone = counts.retired === undefined && done !== undefined;
  return [
    ["rows", count(counts.rows)],
    ["created", count(counts.created)],
    ...few("adopted", counts.adopted),
    [isDone ? done : "updated", count(counts.updated)],
    ["unchanged", count(counts.unchanged)],
    ["failed", count(counts.failed)],
    ...few("left", counts.left),
    ...few("withoutFiles", counts.withoutFiles),
    ["vanished", count(counts.vanished)],
    ...(done === undefined || counts.retired === undefined
      ? []
      : [[done, count(counts.retired)] as const]),
  ];
}

function makeFigures(data: ReportData, words: ReportWords): Html {
  const { counts, calls, codesPerSecond } = data;
  const { count, decimal } = words;
  const figures: readonly Figure[] = [
    ...toRowFigures(data, words),
    ["writes", count(calls.writes)],
    ["reads", count(calls.reads)],
    ["retries", count(calls.retries)],
    ["waited", toDurationText(calls.waitedMs, decimal)],
    ...(codesPerSecond === undefined ? [] : ([["perSecond", decimal(codesPerSecond)]] as const)),
  ];
  const isBad = (name: Figure[0]): boolean =>
    (name === "failed" && counts.failed > 0) || name === "withoutFiles";
  return html`<dl class="figures">
    ${figures.map(
      ([name, value]) =>
        html`<div class="${isBad(name) ? "wrong" : "plain"}">
          <dt>${words.figures[name]}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`;
}

function makeNext({ nextCommand }: ReportData, { runAgain }: ReportWords): HtmlValue {
  if (nextCommand === undefined) return undefined;
  return html`<h2>${runAgain}</h2>
    <code class="command">${nextCommand}</code>`;
}

function makeHead(data: ReportData, { language, title }: ReportWords): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title(data.job)}</title>
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

async function* makeReport(data: ReportData, words: ReportWords): AsyncGenerator<string> {
  const verification = isWithFiles(data) ? makeVerification(data, words) : undefined;
  const top = [
    ...[makeHead, makeHeader, makeFigures, makeNext].map((make) => make(data, words)),
    verification,
    ...[makeGrades, makeFailedRows, makeVanishedRows, makeWarnings, makeFiles, makeStages].map(
      (make) => make(data, words),
    ),
  ];
  yield html`${top}`.text;
  if (data.groups.length > 0) {
    yield `\n${html`<h2>${words.titles.contacts}</h2>`.text}\n`;
  }
  const budget = makePictureBudget();
  for (const group of data.groups) {
    for await (const piece of makeContactSheet(group, budget, words)) yield piece.text;
  }
  yield html`<footer>${data.program}, ${data.server}</footer></main></body></html>\n`.text;
}

const HEAD_BYTES = 256;
const LANGUAGE = /^<!doctype html>\s*<html lang="([a-z]{2})">/u;

/** The language of a report; undefined where there is none. */
export async function readReportLanguage(file: string): Promise<string | undefined> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return LANGUAGE.exec(buffer.toString("utf8", 0, bytesRead))?.[1];
  } finally {
    await handle.close();
  }
}

/** Writes the report, atomically. Unreadable or too large pictures are left out, never an error. */
export function writeReport(
  file: string,
  data: ReportData,
  words: ReportWords = inEnglish,
): Promise<WrittenFile> {
  return writeTextFile(file, makeReport(data, words));
}
