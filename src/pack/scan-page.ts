/** A scan report as one page: figures, charts, tables. No script, no network; its policy holds it to that. */
import { createHash } from "node:crypto";

import { CHART_STYLE, makeBars, makeDays } from "./chart.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";
import { html, Html, toWebHref, type HtmlValue } from "./html.ts";
import { PAPER_STYLE } from "../style/house.ts";
import { inEnglish, type ReportWords } from "./report-words.ts";
import {
  toChangeText,
  type CodeDetails,
  type CodeFigures,
  type GroupFigures,
  type NamedScans,
  type ScanReport,
} from "./scan-figures.ts";

const STYLE = `${PAPER_STYLE}${CHART_STYLE}`;
// A plain string: the policy holds the hash of its exact text.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** How many lines a person reads; the other files have all. */
const GROUPS_SHOWN = 40;
const CODES_SHOWN = 200;
const ENTRIES_SHOWN = 5;

function makeChange(
  now: number | null,
  before: number | null,
  { scans: said }: ReportWords,
): HtmlValue {
  const text = toChangeText(now, before);
  if (text === undefined || now === null || before === null) return undefined;
  const look = now > before ? "up" : now < before ? "down" : "soft";
  return html`<span class="${look}">${said.change(text)}</span>`;
}

function makeHeader(report: ScanReport, { scans: said }: ReportWords): Html {
  return html`<header>
    <div>
      <p class="over">${said.over}</p>
      <h1><bdi>${report.job}</bdi></h1>
      <p class="soft">
        ${said.window(report.window)}${
          report.previousWindow === null
            ? undefined
            : `, ${said.compared(said.window(report.previousWindow))}`
        }
        · <bdi>${said.selection(report.selection, report.select)}</bdi> ·
        ${said.made(report.createdAt)}
      </p>
    </div>
  </header>`;
}

function makeFigures({ total, flagRule, flagged }: ScanReport, words: ReportWords): Html {
  const { count, scans: said } = words;
  const change = makeChange(total.scans, total.previousScans, words);
  const figures: readonly (readonly [string, HtmlValue])[] = [
    [said.codes, count(total.codes)],
    [said.scans, count(total.scans)],
    [said.uniqueScans, count(total.uniqueScans)],
    ...(change === undefined ? [] : [[said.changed, change] as const]),
    ...(flagRule === null ? [] : [[said.flag(flagRule), count(flagged)] as const]),
  ];
  return html`<dl class="figures">
    ${figures.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function makeGroups(
  { groups, groupName, previousWindow }: ScanReport,
  { count, scans: said }: ReportWords,
): HtmlValue {
  if (groupName === null || groups.length === 0) return undefined;
  const shown = groups.slice(0, GROUPS_SHOWN);
  const bars = shown.map((group: GroupFigures) => ({
    name: said.group(group.name),
    value: group.scans,
    before: group.previousScans ?? undefined,
    note: said.change(toChangeText(group.scans, group.previousScans) ?? ""),
  }));
  const more =
    groups.length > shown.length
      ? html`<p class="soft">${said.firstOf(count(shown.length), count(groups.length))}</p>`
      : undefined;
  const legend = previousWindow === null ? undefined : html`<p class="soft">${said.legend}</p>`;
  return html`<h2>${said.by(groupName)}</h2>
    ${legend}${makeBars(bars, count)}${more}`;
}

const isCompared = (codes: readonly CodeFigures[]): boolean =>
  codes.some(({ previousScans }) => previousScans !== null);

function makeDestination({ destination }: CodeFigures): HtmlValue {
  if (destination === null) return undefined;
  const href = toWebHref(destination);
  return href === undefined
    ? destination
    : html`<a href="${href}" rel="noreferrer">${destination}</a>`;
}

function makeCodes(codes: readonly CodeFigures[], words: ReportWords): Html {
  const { count, scans: said } = words;
  const { columns } = said;
  const toCount = (n: number | null): string => (n === null ? "–" : count(n));
  const compared = isCompared(codes);
  const rows = codes.map(
    (code) =>
      html`<tr>
        <td>
          <bdi>${code.name}</bdi
          >${code.flag === undefined ? undefined : html` <small>${said.flag(code.flag)}</small>`}
        </td>
        <td><bdi>${code.folder}</bdi></td>
        <td>${makeDestination(code)}</td>
        <td class="number">${toCount(code.scans)}</td>
        <td class="number">${toCount(code.uniqueScans)}</td>
        ${
          compared
            ? html`<td class="number">${toCount(code.previousScans)}</td>
                <td class="number">${makeChange(code.scans, code.previousScans, words)}</td>`
            : undefined
        }
      </tr>`,
  );
  return html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">${columns.code}</th>
          <th scope="col">${columns.folder}</th>
          <th scope="col">${columns.leadsTo}</th>
          <th class="number" scope="col">${columns.scans}</th>
          <th class="number" scope="col">${columns.unique}</th>
          ${
            compared
              ? html`<th class="number" scope="col">${columns.before}</th>
                  <th class="number" scope="col">${columns.change}</th>`
              : undefined
          }
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function makeTop({ top, total }: ScanReport, words: ReportWords): HtmlValue {
  const { count, scans: said } = words;
  if (top.length === 0) return undefined;
  const shown = top.slice(0, CODES_SHOWN);
  const more =
    total.codes > shown.length
      ? html`<p class="soft">${said.mostOf(count(shown.length), count(total.codes))}</p>`
      : undefined;
  return html`<h2>${said.codesTitle}</h2>
    ${more}${makeCodes(shown, words)}`;
}

function makeFlagged(report: ScanReport, words: ReportWords): HtmlValue {
  const { count, scans: said } = words;
  const { flagRule, flagged } = report;
  if (flagRule === null) return undefined;
  if (flagged === 0)
    return html`<h2>${said.flag(flagRule)}</h2>
      <p>${said.noneFlagged}</p>`;
  const shown: CodeFigures[] = [];
  for (const code of report.codes()) {
    if (code.flag !== undefined) shown.push(code);
    if (shown.length === CODES_SHOWN) break;
  }
  const more =
    flagged > shown.length
      ? html`<p class="soft">${said.firstOf(count(shown.length), count(flagged))}</p>`
      : undefined;
  return html`<h2>${said.flag(flagRule)}</h2>
    ${more}${makeCodes(shown, words)}`;
}

function makeList(
  list: string,
  entries: readonly NamedScans[],
  { count, scans: said }: ReportWords,
): Html {
  const bars = entries
    .slice(0, ENTRIES_SHOWN)
    .map(({ name, scans }) => ({ name: name === "" ? said.unknown : name, value: scans }));
  return html`<div>
    <h4>${said.list(list)}</h4>
    ${bars.length === 0 ? html`<p class="soft">${said.none}</p>` : makeBars(bars, count)}
  </div>`;
}

function makeDetail({ code, lists }: CodeDetails, words: ReportWords): Html {
  const { scans: said } = words;
  const days = lists.get("scans_by_day");
  const others = [...lists].filter(([name]) => name !== "scans_by_day");
  return html`<section class="detail">
    <h3><bdi>${code.name}</bdi></h3>
    <p class="soft">
      ${code.scans === null ? said.notTracked : said.scansOf(code.scans)}
      ${makeChange(code.scans, code.previousScans, words)} ${makeDestination(code)}
    </p>
    ${days === undefined ? undefined : makeDays(days, said.daysOf(code.name), words)}
    ${
      others.length === 0
        ? undefined
        : html`<div class="lists">
            ${others.map(([name, entries]) => makeList(name, entries, words))}
          </div>`
    }
  </section>`;
}

/** Days of all codes with details, added up. */
function makeAllDays({ details }: ScanReport, words: ReportWords): HtmlValue {
  const { count, scans: said } = words;
  const days = new Map<string, number>();
  for (const { lists } of details) {
    for (const { name, scans } of lists.get("scans_by_day") ?? []) {
      days.set(name, (days.get(name) ?? 0) + scans);
    }
  }
  if (days.size === 0) return undefined;
  const sorted = [...days].map(([name, scans]) => ({ name, scans }));
  const all = sorted.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return html`<h2>${said.days}</h2>
    <p class="soft">${said.ofMost(count(details.length))}</p>
    ${makeDays(all, said.daysTogether, words)}`;
}

function makePage(report: ScanReport, words: ReportWords): Html {
  const { details } = report;
  const { language, scans: said } = words;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${said.title(report.job)}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <div class="inks"><i></i><i></i><i></i><i></i></div>
        <main>
          ${makeHeader(report, words)} ${makeFigures(report, words)} ${makeGroups(report, words)}
          ${makeAllDays(report, words)} ${makeTop(report, words)} ${makeFlagged(report, words)}
          ${details.length === 0 ? undefined : html`<h2>${said.codeByCode}</h2>`}
          ${details.map((detail) => makeDetail(detail, words))}
          <footer>${report.program} · ${said.server(report.server)}</footer>
        </main>
      </body>
    </html> `;
}

/** Writes the page; it can be mailed as it is. */
export function writeScanPage(
  file: string,
  report: ScanReport,
  words: ReportWords = inEnglish,
): Promise<WrittenFile> {
  return writeTextFile(file, [makePage(report, words).text]);
}
