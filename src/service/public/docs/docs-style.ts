/** What the API's page adds to the house style. */
import { COLORS, COMPONENTS, ON_PAPER } from "../../../style/house.ts";

const OWN = `
main { max-width: 1280px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 16px; background: var(--card); padding: 8px 14px; z-index: 9; }
.sheet { display: grid; grid-template-columns: 250px minmax(0, 1fr); gap: 0 48px; align-items: start; }
.all { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 24px 4px 24px 0; font-size: 14px; }
.all h2 { font: inherit; font-weight: 650; margin: 18px 0 4px; }
.all ul { list-style: none; margin: 0; padding: 0; }
.all li a { display: block; padding: 3px 0; text-decoration: none; overflow-wrap: anywhere; }
.all li a:hover { text-decoration: underline; }
section > h2 { border-top: 3px solid var(--ink); padding-top: 16px; }
article { padding: 20px 0 28px; border-top: 1px solid var(--line); scroll-margin-top: 8px; }
article > h3 { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; margin: 0 0 4px; font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 15px; font-weight: 600; }
article > h3 span { overflow-wrap: anywhere; }
.method { font: 650 12.5px/1 system-ui, sans-serif; letter-spacing: 0.04em; padding: 4px 8px; border-radius: 4px; border: 1px solid currentColor; }
.GET { color: var(--accent); }
.POST, .PATCH, .PUT { color: var(--good); background: var(--good-back); }
.DELETE { color: var(--bad); background: var(--bad-back); }
h4 { font-size: 14px; margin: 20px 0 6px; }
.fields { margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.fields > div { display: grid; grid-template-columns: minmax(0, 13rem) minmax(0, 1fr); gap: 2px 20px; padding: 9px 14px; border-top: 1px solid var(--line); }
.fields > div:first-child { border-top: 0; }
.fields dt { overflow-wrap: anywhere; }
.fields dd { margin: 0; font-size: 14.5px; overflow-wrap: anywhere; }
.fields .kind { color: var(--soft); font-size: 13.5px; }
.must { color: var(--bad); font: 600 12.5px/1 system-ui, sans-serif; margin-left: 6px; }
pre { margin: 0; overflow-x: auto; padding: 12px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
article details { margin: 8px 0 0; }
article summary { cursor: pointer; font-size: 14.5px; color: var(--accent); padding: 4px 0; }
.read { max-width: 75ch; padding-left: 20px; }
.read li { margin: 4px 0; }
@media (max-width: 900px) {
  .sheet { display: block; }
  .all { position: static; max-height: none; display: flex; flex-wrap: wrap; gap: 0 20px; padding: 8px 0 0; }
  .all h2 { margin: 0; }
  .all h2 a { display: block; padding: 9px 0; }
  .all ul { display: none; }
}
@media (max-width: 640px) {
  .fields > div { grid-template-columns: minmax(0, 1fr); }
}
@media print { .all, .skip { display: none; } .sheet { display: block; } article { break-inside: avoid; } }
`;

export const DOCS_STYLE = `${COLORS}${COMPONENTS}${ON_PAPER}${OWN}`;
