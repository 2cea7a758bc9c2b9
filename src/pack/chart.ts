/** Charts as inline SVG: no script, no picture, no font; colours follow the page. */
import { html, type Html, type HtmlValue } from "./html.ts";
import type { ReportWords } from "./report-words.ts";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The figure of the window before, drawn behind. */
  readonly before?: number | undefined;
  readonly note?: string | undefined;
}

const share = (value: number, most: number): number =>
  most === 0 ? 0 : Math.round((value / most) * 1000) / 10;

/** Bars that lie, the name over each; as long as their share of the longest. */
export function makeBars(bars: readonly Bar[], count: ReportWords["count"]): Html {
  const most = Math.max(0, ...bars.flatMap(({ value, before = 0 }) => [value, before]));
  const rows = bars.map(
    ({ name, value, before, note }) =>
      html`<div class="bar">
        <div class="bar-name"><bdi>${name}</bdi></div>
        <svg class="bar-line" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class="track" width="100" height="10" />
          ${
            before === undefined
              ? undefined
              : html`<rect class="before" width="${share(before, most)}" height="10" />`
          }
          <rect
            class="now"
            y="${before === undefined ? 0 : 2.5}"
            width="${share(value, most)}"
            height="${before === undefined ? 10 : 5}"
          />
        </svg>
        <div class="bar-value">
          ${count(value)}${note === undefined || note === "" ? undefined : html` <small>${note}</small>`}
        </div>
      </div>`,
  );
  return html`<div class="bars">${rows}</div>`;
}

export interface Day {
  /** `2026-11-20`. */
  readonly name: string;
  readonly scans: number;
}

const HEIGHT = 60;
const GAP = 0.2;

/** One upright bar per day, with the first and last day and the highest figure in words. */
export function makeDays(
  days: readonly Day[],
  label: string,
  { count, scans: said }: ReportWords,
): HtmlValue {
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const most = Math.max(1, ...days.map(({ scans }) => scans));
  const bars = days.map(({ name, scans }, at) => {
    const height = Math.round((scans / most) * HEIGHT * 10) / 10;
    return html`<rect
      class="now"
      x="${at + GAP / 2}"
      y="${HEIGHT - height}"
      width="${1 - GAP}"
      height="${height}"
    >
      <title>${said.day(name)}: ${count(scans)}</title>
    </rect>`;
  });
  return html`<figure class="days">
    <svg
      viewBox="0 0 ${days.length} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${label}"
    >
      ${bars}
    </svg>
    <figcaption>
      <span>${said.day(first.name)}</span><span>${said.mostADay(count(most))}</span
      ><span>${said.day(last.name)}</span>
    </figcaption>
  </figure>`;
}

/** For the page that holds charts; uses the colours of `REPORT_STYLE`. */
export const CHART_STYLE = `
.bars { display: grid; gap: 10px; margin: 12px 0; }
.bar { display: grid; grid-template-columns: minmax(120px, 2fr) 5fr minmax(90px, auto); gap: 12px; align-items: center; font-size: 14.5px; }
.bar-name { overflow-wrap: anywhere; }
.bar-line { width: 100%; height: 16px; display: block; }
.bar-line .track { fill: var(--line); }
.bar-line .before { fill: var(--soft); opacity: 0.45; }
.bar-line .now, .days .now { fill: var(--bar); }
.bar-value { text-align: right; white-space: nowrap; }
.days { margin: 12px 0; }
.days svg { width: 100%; height: 110px; display: block; border-bottom: 1px solid var(--line); }
.days figcaption { display: flex; justify-content: space-between; font-size: 12.5px; color: var(--soft); margin-top: 4px; }
.detail { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px 18px; margin: 16px 0; }
.detail h3 { margin: 0 0 4px; }
.lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 8px 28px; }
.lists h4 { margin: 10px 0 4px; font-size: 13px; color: var(--soft); font-weight: 600; }
.lists .bar { grid-template-columns: minmax(70px, 2fr) 2fr auto; font-size: 13px; gap: 8px; }
.lists .bar-line { height: 8px; }
.lists .bars { gap: 4px; margin: 0; }
.up { color: var(--good); background: none; }
.down { color: var(--bad); background: none; }
@media (max-width: 640px) { .bar { grid-template-columns: 1fr auto; } .bar-line { grid-row: 2; grid-column: 1 / -1; } }
@media print { .detail { break-inside: avoid; } .bar-line .now, .days .now, .bar-line .before, .bar-line .track { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
