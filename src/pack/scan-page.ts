/** A scan report as one page: figures, charts, tables. No script, no network; its policy holds it to that. */
import { createHash } from "node:crypto";

import { CHART_STYLE, makeBars, makeDays } from "./chart.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";
import { html, Html, toWebHref, type HtmlValue } from "./html.ts";
import { PAPER_STYLE } from "../style/house.ts";
import { toCountText } from "./report-text.ts";
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

function makeChange(now: number | null, before: number | null): HtmlValue {
  const text = toChangeText(now, before);
  if (text === undefined || now === null || before === null) return undefined;
  const look = now > before ? "up" : now < before ? "down" : "soft";
  return html`<span class="${look}">${text}</span>`;
}

function makeHeader(report: ScanReport): Html {
  const date = report.createdAt.toISOString().replace("T", " ").slice(0, 16);
  return html`<header>
    <div>
      <p class="over">scans</p>
      <h1><bdi>${report.job}</bdi></h1>
      <p class="soft">
        ${report.window}${
          report.previousWindow === null
            ? undefined
            : html`, compared with ${report.previousWindow}`
        }
        · <bdi>${report.selection}</bdi> · made ${date} UTC
      </p>
    </div>
  </header>`;
}

function makeFigures({ total, flagRule, flagged }: ScanReport): Html {
  const change = makeChange(total.scans, total.previousScans);
  const figures: readonly (readonly [string, HtmlValue])[] = [
    ["codes", toCountText(total.codes)],
    ["scans", toCountText(total.scans)],
    ["unique scans", toCountText(total.uniqueScans)],
    ...(change === undefined ? [] : [["change", change] as const]),
    ...(flagRule === null ? [] : [[flagRule, toCountText(flagged)] as const]),
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

function makeGroups({ groups, groupName, previousWindow }: ScanReport): HtmlValue {
  if (groupName === null || groups.length === 0) return undefined;
  const shown = groups.slice(0, GROUPS_SHOWN);
  const bars = shown.map((group: GroupFigures) => ({
    name: group.name,
    value: group.scans,
    before: group.previousScans ?? undefined,
    note: toChangeText(group.scans, group.previousScans),
  }));
  const more =
    groups.length > shown.length
      ? html`<p class="soft">The first ${shown.length} of ${toCountText(groups.length)}.</p>`
      : undefined;
  const legend =
    previousWindow === null
      ? undefined
      : html`<p class="soft">Blue: this time. Grey behind it: the time before.</p>`;
  return html`<h2>By ${groupName}</h2>
    ${legend}${makeBars(bars)}${more}`;
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

function makeCodes(codes: readonly CodeFigures[]): Html {
  const compared = isCompared(codes);
  const rows = codes.map(
    (code) =>
      html`<tr>
        <td>
          <bdi>${code.name}</bdi
          >${code.flag === undefined ? undefined : html` <small>${code.flag}</small>`}
        </td>
        <td><bdi>${code.folder}</bdi></td>
        <td>${makeDestination(code)}</td>
        <td class="number">${code.scans === null ? "–" : toCountText(code.scans)}</td>
        <td class="number">${code.uniqueScans === null ? "–" : toCountText(code.uniqueScans)}</td>
        ${
          compared
            ? html`<td class="number">
                  ${code.previousScans === null ? "–" : toCountText(code.previousScans)}
                </td>
                <td class="number">${makeChange(code.scans, code.previousScans)}</td>`
            : undefined
        }
      </tr>`,
  );
  return html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">code</th>
          <th scope="col">folder</th>
          <th scope="col">leads to</th>
          <th class="number" scope="col">scans</th>
          <th class="number" scope="col">unique</th>
          ${
            compared
              ? html`<th class="number" scope="col">before</th>
                  <th class="number" scope="col">change</th>`
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

function makeTop({ top, total }: ScanReport): HtmlValue {
  if (top.length === 0) return undefined;
  const shown = top.slice(0, CODES_SHOWN);
  const more =
    total.codes > shown.length
      ? html`<p class="soft">
          The ${toCountText(shown.length)} with most scans, of ${toCountText(total.codes)}.
        </p>`
      : undefined;
  return html`<h2>Codes</h2>
    ${more}${makeCodes(shown)}`;
}

function makeFlagged(report: ScanReport): HtmlValue {
  const { flagRule, flagged } = report;
  if (flagRule === null) return undefined;
  if (flagged === 0)
    return html`<h2>${flagRule}</h2>
      <p>None: every code was scanned.</p>`;
  const shown: CodeFigures[] = [];
  for (const code of report.codes()) {
    if (code.flag !== undefined) shown.push(code);
    if (shown.length === CODES_SHOWN) break;
  }
  const more =
    flagged > shown.length
      ? html`<p class="soft">The first ${shown.length} of ${toCountText(flagged)}.</p>`
      : undefined;
  return html`<h2>${flagRule}</h2>
    ${more}${makeCodes(shown)}`;
}

/** `top_countries` -> `countries`. */
const toListTitle = (list: string): string => list.replace(/^top_/u, "").replaceAll("_", " ");

function makeList(list: string, entries: readonly NamedScans[]): Html {
  const bars = entries
    .slice(0, ENTRIES_SHOWN)
    .map(({ name, scans }) => ({ name: name === "" ? "unknown" : name, value: scans }));
  return html`<div>
    <h4>${toListTitle(list)}</h4>
    ${bars.length === 0 ? html`<p class="soft">none</p>` : makeBars(bars)}
  </div>`;
}

function makeDetail({ code, lists }: CodeDetails): Html {
  const days = lists.get("scans_by_day");
  const others = [...lists].filter(([name]) => name !== "scans_by_day");
  return html`<section class="detail">
    <h3><bdi>${code.name}</bdi></h3>
    <p class="soft">
      ${code.scans === null ? "not tracked" : `${toCountText(code.scans)} scans`}
      ${makeChange(code.scans, code.previousScans)} ${makeDestination(code)}
    </p>
    ${days === undefined ? undefined : makeDays(days, `scans a day of ${code.name}`)}
    ${
      others.length === 0
        ? undefined
        : html`<div class="lists">${others.map(([name, entries]) => makeList(name, entries))}</div>`
    }
  </section>`;
}

/** Days of all codes with details, added up. */
function makeAllDays({ details }: ScanReport): HtmlValue {
  const days = new Map<string, number>();
  for (const { lists } of details) {
    for (const { name, scans } of lists.get("scans_by_day") ?? []) {
      days.set(name, (days.get(name) ?? 0) + scans);
    }
  }
  if (days.size === 0) return undefined;
  const sorted = [...days].map(([name, scans]) => ({ name, scans }));
  const all = sorted.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return html`<h2>Scans a day</h2>
    <p class="soft">Of the ${toCountText(details.length)} codes with most scans together.</p>
    ${makeDays(all, "scans a day of these codes together")}`;
}

function makePage(report: ScanReport): Html {
  const { details } = report;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${report.job}: scans</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <div class="inks"><i></i><i></i><i></i><i></i></div>
        <main>
          ${makeHeader(report)} ${makeFigures(report)} ${makeGroups(report)} ${makeAllDays(report)}
          ${makeTop(report)} ${makeFlagged(report)}
          ${details.length === 0 ? undefined : html`<h2>Code by code</h2>`}
          ${details.map(makeDetail)}
          <footer>${report.program} · ${report.server}</footer>
        </main>
      </body>
    </html> `;
}

/** Writes the page; it can be mailed as it is. */
export function writeScanPage(file: string, report: ScanReport): Promise<WrittenFile> {
  return writeTextFile(file, [makePage(report).text]);
}
