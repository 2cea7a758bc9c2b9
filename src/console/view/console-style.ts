/** What the console adds to the house style. */
import { FORMS } from "../../style/forms.ts";
import { COLORS, COMPONENTS } from "../../style/house.ts";

const CONSOLE = `
[hidden] { display: none !important; }
.top nav { margin-left: 0; flex-wrap: wrap; gap: 4px 18px; font-size: 15px; }
.top nav a[aria-current] { font-weight: 650; border-bottom: 3px solid var(--accent); }
.top .who { margin-left: auto; display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; font-size: 14px; }
.top .who select { padding: 4px 8px; max-width: 12em; }
main.console { padding-top: 28px; }
main.console h1 { font-size: clamp(26px, 4vw, 38px); }
main.console h2 { margin-top: 36px; }
main.console h1 + :is(.scroll, .tree, form:not(.search)) { margin-top: 20px; }
.sign-in { max-width: 480px; }
.sign-in input { width: 100%; }
.search { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; margin: 20px 0; }
.search .field { margin: 0; flex: 1 1 200px; }
.search .field input, .search .field select { width: 100%; }
.search .field.small { flex: 0 1 140px; }
.scroll table { min-width: 0; }
.scroll.wide table { min-width: 720px; }
.scroll.wide :is(th, td) { min-width: 84px; }
.scroll.wide :is(th, td):first-child { min-width: 170px; }
input[type=color] { padding: 2px; width: 52px; height: 38px; }
.figures dd.soft { font-size: 14px; font-weight: 400; letter-spacing: 0; }
td .name { font-weight: 600; }
.tick { font-weight: 400; display: flex; align-items: baseline; }
.tick input { flex: none; align-self: flex-start; margin-top: 3px; }
.search .field.tick { flex: 0 1 auto; padding-bottom: 10px; }
.search .field.tick input { width: 18px; }
.pages { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; margin: 16px 0; font-size: 14.5px; color: var(--soft); }
.split { display: grid; grid-template-columns: minmax(0, 240px) minmax(0, 1fr); gap: 32px; align-items: start; margin-top: 24px; }
.picture { background: #ffffff; border: 1px solid var(--line); border-radius: 8px; padding: 16px; }
.picture img { display: block; width: 100%; height: auto; }
.said { white-space: pre-line; overflow-wrap: anywhere; }
.said:not(:empty) { padding: 10px 14px; border-left: 5px solid currentColor; border-radius: 4px; color: var(--warn); background: var(--warn-back); }
.facts { margin: 0; display: grid; grid-template-columns: minmax(110px, auto) minmax(0, 1fr); gap: 6px 20px; font-size: 15px; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.tags { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; padding: 0; list-style: none; align-items: center; }
.tags li { display: flex; align-items: center; border: 1px solid var(--line); border-radius: 999px; padding: 2px 6px 2px 12px; font-size: 14px; background: var(--card); overflow-wrap: anywhere; }
.tags a { text-decoration: none; padding-right: 6px; }
.tags button { border: 0; background: none; padding: 2px 8px; font-size: 13px; color: var(--soft); min-width: 24px; min-height: 24px; }
.tree { list-style: none; margin: 0; padding: 0; }
.tree .tree { padding-left: 24px; border-left: 1px solid var(--line); margin-left: 6px; }
.tree summary { cursor: pointer; }
.tree > li { padding: 4px 0; }
.tree .row { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; }
.inline { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; }
.inline .field { margin: 0; }
.field input:not([type=checkbox]):not([type=radio]):not([type=color]), .field select, .field textarea { width: 100%; }
button.small, .button.small { padding: 4px 12px; font-size: 14px; }
details.change { margin: 8px 0; }
details.change > summary { cursor: pointer; color: var(--accent); font-weight: 600; padding: 4px 0; }
details.change[open] > summary { margin-bottom: 8px; }
.once { font-size: 18px; user-select: all; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 16px; list-style: none; margin: 16px 0; padding: 0; }
.cards .card img { display: block; width: 100%; aspect-ratio: 1; object-fit: contain; background: #ffffff; border-radius: 4px; }
.plot { width: 100%; height: auto; display: block; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.plot rect { fill: var(--bar); }
.plot .before { fill: none; stroke: var(--soft); stroke-width: 2; stroke-dasharray: 5 4; }
.plot line { stroke: var(--line); }
.plot text { fill: var(--soft); font-size: 12px; font-family: inherit; }
.meter { display: block; width: 100%; max-width: 320px; height: 10px; accent-color: var(--bar); }
.answer-picture img { display: block; max-width: 120px; height: auto; border: 1px solid var(--line); }
@media (max-width: 860px) { .split { grid-template-columns: minmax(0, 1fr); } .picture { max-width: 260px; } }
@media (max-width: 640px) { .facts { grid-template-columns: minmax(0, 1fr); gap: 0; } .facts dd { margin-bottom: 10px; } .top .who { margin-left: 0; } .scroll table { min-width: 0; } .scroll.wide table { min-width: 760px; } .plot text { font-size: 30px; } }
`;

export const CONSOLE_STYLE = `${COLORS}${COMPONENTS}${FORMS}${CONSOLE}`;
