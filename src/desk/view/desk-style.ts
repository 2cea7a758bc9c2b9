/** What the desk adds to the house style: steps, islands, its own forms. */
import { FORMS } from "../../style/forms.ts";
import { COLORS, COMPONENTS } from "../../style/house.ts";

const DESK = `
.job-name { margin: 0 0 4px; font-weight: 650; overflow-wrap: anywhere; }
.job-name .soft { font-weight: 400; }
.scroll.low { max-height: 26rem; overflow-y: auto; }
.scroll.low thead th { position: sticky; top: 0; background: var(--card); }
th .state { margin-left: 8px; }
.steps { display: flex; flex-wrap: wrap; gap: 4px 20px; list-style: none; margin: 0 0 24px; padding: 0; font-size: 14.5px; }
.steps li { color: var(--soft); }
.steps a { text-decoration: none; color: var(--accent); }
.steps [aria-current] { font-weight: 650; color: var(--ink); border-bottom: 3px solid var(--accent); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); gap: 16px; list-style: none; margin: 16px 0; padding: 0; }
.drop { margin-top: 20px; border: 2px dashed var(--soft); border-radius: 12px; padding: 32px; text-align: center; background: var(--card); }
main.desk .banner + form { margin-top: 16px; }
.drop p { margin-inline: auto; }
.drop.over { border-color: var(--accent); }
.two { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 32px; align-items: start; }
.preview { position: sticky; top: 16px; background: #ffffff; border: 1px solid var(--line); border-radius: 8px; padding: 16px; }
.preview img { width: 100%; height: auto; display: block; }
.ticks { display: flex; flex-wrap: wrap; gap: 6px 20px; margin: 4px 0 12px; }
.ticks label { font-weight: 400; display: inline-block; }
.becomes .label { margin: 14px 0 4px; }
form:has([value=retarget]:checked) .for-labels { display: none; }
.tick { font-weight: 400; display: flex; align-items: baseline; }
.tick input { flex: none; align-self: flex-start; margin-top: 3px; }
.label-form { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 32px; align-items: start; margin-top: 24px; }
.label-form .label-fields { grid-column: 1; grid-row: 1; min-width: 0; }
.label-form .label-looks { grid-column: 2; grid-row: 1; position: sticky; top: 8px; max-height: calc(100vh - 16px); overflow-y: auto; min-width: 0; padding: 0 4px 16px; }
.label-form fieldset:first-child { margin-top: 0; }
.look h2 { margin: 16px 0 8px; font-size: 17px; }
.look img { display: block; max-width: 100%; height: auto; background: #ffffff; border: 1px solid var(--line); border-radius: 4px; }
.look-label img { width: 100%; max-height: 300px; object-fit: contain; background: #e9ecf0; }
.look-code img { width: 160px; }
.look .fact { margin: 4px 0; font-size: 14.5px; overflow-wrap: anywhere; }
.look .banner { margin: 8px 0; padding: 10px 14px; font-size: 14.5px; }
.sheet-picture { padding: 0; border: 1px solid var(--line); border-radius: 0; }
.sheet-button { padding: 0; border: 0; border-radius: 4px; background: none; cursor: crosshair; display: block; width: 100%; }
.sheet-button img { width: 100%; }
.row-choice { display: flex; flex-wrap: wrap; gap: 0 20px; align-items: end; margin-top: 16px; }
.row-choice .field { margin: 0 0 10px; }
.row-choice:not(:has([value=line]:checked)) .field-line { display: none; }
.row-choice input[type=number] { width: 8em; }
.row-choice .tick { flex-basis: 100%; }
.stock-list { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 8px; max-height: 330px; overflow-y: auto; padding: 6px; margin: 8px 0 12px; border: 1px solid var(--line); border-radius: 8px; }
.stock { display: grid; grid-template-columns: auto 44px minmax(0, 1fr); gap: 8px; align-items: center; font-weight: 400; font-size: 13.5px; padding: 8px; border: 1px solid var(--line); border-radius: 8px; overflow-wrap: anywhere; cursor: pointer; content-visibility: auto; contain-intrinsic-size: auto 80px; }
.stock[hidden], button[hidden] { display: none; }
.stock:has(:checked) { border-color: var(--accent); outline: 2px solid var(--accent); outline-offset: -1px; }
.stock svg { width: 44px; height: 56px; }
.stock input { margin: 0; }
.own, .own-page, .own-roll, .own-size { display: none; }
.stocks:has([value=own]:checked) .own, .stocks:has([value=roll]:checked) .own { display: grid; }
.stocks:has([value=own]:checked) .own-page, .stocks:has([value=roll]:checked) .own-roll, .stocks:has(option[value=size]:checked) .own-size { display: block; }
.choice .texts { display: none; margin: 4px 0 12px 26px; }
.choice:has(> label > :checked) .texts { display: block; }
.choice:has(> label > :checked) .texts.fields { display: grid; }
html:has(.save) { scroll-padding-bottom: 96px; }
.save { position: sticky; bottom: 0; background: var(--paper); padding: 12px 0; margin: 0; border-top: 1px solid var(--line); }
.label-form:has([value=none]:checked) :is(.group-label, .group-filling, .group-size, .field-artwork) { display: none; }
form:not(:has(#every option[value=week]:checked)) .when-week, form:not(:has(#every option[value=own]:checked)) .when-own, form:has(#every option[value=own]:checked) .when-time { display: none; }
.sheet-map { display: block; width: 100%; max-width: 560px; height: auto; background: #ffffff; border: 1px solid var(--line); border-radius: 4px; }
.spoiled { display: block; width: 100%; height: 100%; margin: 0; cursor: pointer; position: static; }
.spoiled input { appearance: none; display: block; width: 100%; height: 100%; margin: 0; padding: 0; border: 0; border-radius: 6px; background: transparent; cursor: pointer; }
.void { background: linear-gradient(to top right, transparent 48%, #5a6470 48% 52%, transparent 52%), rgb(255 255 255 / 0.72); border-radius: 6px; }
.spoiled input:hover { background: rgb(10 77 124 / 0.18); }
.spoiled input:checked { background: linear-gradient(to top right, transparent 47%, #c21f14 47% 53%, transparent 53%), linear-gradient(to bottom right, transparent 47%, #c21f14 47% 53%, transparent 53%), rgb(194 31 20 / 0.16); box-shadow: inset 0 0 0 4px #c21f14; }
.spoiled input:focus-visible { outline: 6px solid #0a4d7c; outline-offset: -6px; }
main.desk .verdict { display: inline-block; margin-top: 12px; white-space: normal; }
td.text { min-width: 12em; overflow-wrap: anywhere; }
main.desk .files, main.desk .only { min-width: 0; }
.page-picture { display: block; max-width: 100%; max-height: 90vh; height: auto; background: #ffffff; border: 1px solid var(--line); border-radius: 4px; }
.pager { margin: 12px 0; }
.jump label { margin: 0; }
.jump input { width: 7em; }
.volumes { display: flex; flex-wrap: wrap; gap: 6px 18px; }
.volumes [aria-current] { font-weight: 650; color: var(--ink); }
.mend th:first-child { width: 1%; text-align: left; border-top: 0; }
.mend tr:not(.why):not(:first-child) > * { border-top: 1px solid var(--line); }
.mend .why td { border-top: 0; }
.mend td { padding: 4px 6px; border-top: 0; min-width: 8em; }
.mend input, .mend textarea { width: 100%; padding: 6px 8px; }
.mend input[type=checkbox] { width: auto; }
.mend [aria-invalid] { border: 2px solid var(--bad); background: var(--bad-back); }
.mend .why td { padding: 0 6px 10px; color: var(--bad); font-size: 13.5px; }
.mend .why p { margin: 0; max-width: min(75ch, 70vw); width: max-content; position: sticky; left: 10px; }
.field .fault { margin: 4px 0 0; color: var(--bad); font-size: 13.5px; }
.field [aria-invalid] { border: 2px solid var(--bad); background: var(--bad-back); }
.texts textarea { width: 100%; }
input[type=color] { padding: 2px; width: 44px; height: 38px; vertical-align: bottom; margin-left: 6px; }
progress { width: 100%; height: 12px; accent-color: var(--bar); }
main.desk { padding-top: 28px; }
main.desk h1 { font-size: clamp(26px, 4vw, 38px); }
@media (max-width: 860px) { .two { grid-template-columns: minmax(0, 1fr); } .preview { position: static; } .label-form { grid-template-columns: minmax(0, 1fr); } .label-form .label-fields { grid-row: 2; } .label-form .label-looks { grid-column: 1; position: static; max-height: none; padding: 0 0 16px; } }
@media (max-width: 640px) { .stack, .stack tbody, .stack tr, .stack td, .stack tbody th { display: block; } .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } .stack tr { padding: 8px 0; } .stack tr + tr:not(.why) { border-top: 1px solid var(--line); } .stack { width: 100%; min-width: 0; } .stack tr > *, .stack.mend tr > th:first-child, .stack.mend tr:not(.why):not(:first-child) > * { border: 0; padding: 2px 12px; width: auto; min-width: 0; white-space: normal; overflow-wrap: anywhere; } .stack [data-head]::before { content: attr(data-head) ": "; color: var(--soft); font-size: 13.5px; } .stack.mend :is(input, textarea) { width: 100%; max-width: 100%; box-sizing: border-box; } .stack.mend .why p { width: auto; max-width: none; } .top { padding: 12px 16px; } .drop { padding: 20px 12px; } }
@media (prefers-reduced-motion: no-preference) { .button, button { transition: background-color .15s; } }
`;

export const DESK_STYLE = `${COLORS}${COMPONENTS}${FORMS}${DESK}`;
