/**
 * The house style: type, colours and components shared by the report, the desk and the public
 * pages. Light, dark and on paper; no external font, no picture.
 */

/** Colours by meaning, on light ground and on dark. */
export const palette = {
  light: {
    paper: "#fbfaf7",
    card: "#ffffff",
    ink: "#1c1b19",
    soft: "#66625a",
    line: "#e2ded5",
    good: "#1d6b43",
    "good-back": "#e5f3ea",
    bad: "#a3261d",
    "bad-back": "#fbe9e7",
    warn: "#805300",
    "warn-back": "#fdf1d8",
    accent: "#0a4d7c",
    bar: "#0a4d7c",
    "on-accent": "#ffffff",
  },
  dark: {
    paper: "#161513",
    card: "#201f1c",
    ink: "#efece5",
    soft: "#a8a297",
    line: "#37342f",
    good: "#86d6a8",
    "good-back": "#16301f",
    bad: "#ffa79e",
    "bad-back": "#3d1916",
    warn: "#f4c56c",
    "warn-back": "#36280c",
    accent: "#8cc7f2",
    bar: "#4f9cd0",
    "on-accent": "#10212e",
  },
} as const;

const toVariables = (colors: Readonly<Record<string, string>>): string =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}: ${color};`)
    .join(" ");

/** The palette as variables of a page. */
export const COLORS = `
:root { color-scheme: light dark; ${toVariables(palette.light)} }
@media (prefers-color-scheme: dark) {
  :root { ${toVariables(palette.dark)} }
}
`;

/** Typeface: one that the reader's computer has. */
export const BODY_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
export const HEAD_FONT =
  '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "Noto Serif", serif';

/** Type, tables, figures, verdicts: the components of every page. */
export const COMPONENTS = `
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 ${BODY_FONT};
  font-variant-numeric: tabular-nums;
}
.inks { display: flex; height: 6px; }
.inks i { flex: 1; }
.inks i:nth-child(1) { background: #00a0d6; }
.inks i:nth-child(2) { background: #d6006e; }
.inks i:nth-child(3) { background: #f5d800; }
.inks i:nth-child(4) { background: #1c1b19; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 32px 64px; }
header { display: flex; flex-wrap: wrap; gap: 16px 32px; align-items: flex-end; justify-content: space-between; }
h1, h2, h3 { font-family: ${HEAD_FONT}; line-height: 1.15; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: clamp(30px, 5vw, 46px); margin: 0; font-weight: 600; letter-spacing: -0.01em; }
h2 { font-size: 22px; margin: 48px 0 12px; font-weight: 600; }
h3 { font-size: 17px; margin: 24px 0 10px; font-weight: 600; }
p { margin: 8px 0 12px; max-width: 75ch; }
a { color: var(--accent); }
.soft, small { color: var(--soft); }
.over { font-size: 13px; letter-spacing: 0.08em; text-transform: uppercase; color: var(--soft); margin: 0 0 6px; }
.verdict { font-weight: 650; font-size: 18px; padding: 10px 18px; border-radius: 999px; border: 1px solid currentColor; white-space: nowrap; }
.good { color: var(--good); background: var(--good-back); }
.bad { color: var(--bad); background: var(--bad-back); }
.warn { color: var(--warn); background: var(--warn-back); }
.banner { margin: 24px 0 0; padding: 14px 18px; border-left: 5px solid currentColor; border-radius: 4px; }
.banner p, .banner ul { margin: 2px 0 0; color: var(--ink); }
.banner ul { padding-left: 20px; }
.figures { display: flex; flex-wrap: wrap; gap: 1px; margin: 32px 0 0; padding: 0; background: var(--line); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.figures div { flex: 1 1 140px; background: var(--card); padding: 16px 18px; }
.figures dt { font-size: 13px; color: var(--soft); }
.figures dd { margin: 2px 0 0; font-size: 28px; font-weight: 600; letter-spacing: -0.02em; line-height: 1.2; }
.figures .wrong dd { color: var(--bad); }
.figures .odd dd { color: var(--warn); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
table { border-collapse: collapse; width: 100%; font-size: 14.5px; }
th, td { text-align: left; padding: 9px 14px; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
thead th { border-top: 0; font-size: 13px; font-weight: 600; color: var(--soft); white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
.word { white-space: nowrap; }
.hash { font-size: 12px; color: var(--soft); min-width: 22ch; }
code { font: 0.92em/1.45 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.command { display: block; overflow-x: auto; white-space: pre; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.chart { width: 100%; min-width: 120px; height: 10px; display: block; margin-top: 6px; }
.chart rect { fill: var(--bar); }
.chart .track { fill: var(--line); }
.contact { display: grid; grid-template-columns: repeat(auto-fill, minmax(128px, 1fr)); gap: 16px; margin: 0; padding: 0; list-style: none; }
.contact li { min-width: 0; font-size: 12.5px; line-height: 1.35; }
.contact .tile { display: grid; place-items: center; aspect-ratio: 1; background: #ffffff; border: 1px solid var(--line); border-radius: 6px; padding: 8px; margin-bottom: 6px; color: #66625a; text-align: center; }
.contact img { display: block; width: 100%; height: 100%; object-fit: contain; }
.contact .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; }
.contact .pair .tile { margin-bottom: 2px; padding: 4px; }
.contact .pair img { aspect-ratio: 1; height: auto; }
.contact .pair small { display: block; margin-bottom: 6px; }
.contact li:has(.pair) { grid-column: span 2; }
.contact span { display: block; overflow-wrap: anywhere; }
footer { margin-top: 64px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 13px; color: var(--soft); overflow-wrap: anywhere; }
@media (max-width: 640px) {
  main { padding: 24px 16px 48px; }
  table { min-width: 620px; }
  .figures dd { font-size: 23px; }
  th, td { padding: 8px 10px; }
  .contact { grid-template-columns: repeat(auto-fill, minmax(96px, 1fr)); gap: 12px; }
}
`;

/** The same on paper. */
export const ON_PAPER = `
@media print {
  @page { margin: 14mm; }
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --good: #000; --bad: #000; --warn: #000; --good-back: #fff; --bad-back: #fff; --warn-back: #fff; --accent: #000; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 6mm 0 0; }
  .inks, .inks i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2 { margin-top: 8mm; break-after: avoid; }
  .scroll { overflow: visible; border-radius: 0; }
  .figures div { flex-basis: 30mm; }
  tr, .contact li, .figures div, .banner { break-inside: avoid; }
  .contact { grid-template-columns: repeat(6, 1fr); }
  a { text-decoration: none; }
}
`;

/** The whole style of the report and the scan page. */
export const PAPER_STYLE = `${COLORS}${COMPONENTS}${ON_PAPER}`;
