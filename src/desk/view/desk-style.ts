/** What the desk adds to the house style: forms, buttons, steps, islands. */
import { COLORS, COMPONENTS } from "../../style/house.ts";

const FORMS = `
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 16px; background: var(--card); padding: 8px 14px; z-index: 9; }
.top { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; padding: 12px 32px; border-bottom: 1px solid var(--line); background: var(--card); }
.top a { text-decoration: none; color: var(--ink); }
.top .name { font-weight: 650; }
.top .folder { color: var(--soft); font-size: 14px; overflow-wrap: anywhere; }
.top nav { margin-left: auto; display: flex; gap: 16px; align-items: center; }
.button, button { font: inherit; font-weight: 600; padding: 9px 18px; border-radius: 8px; border: 1px solid var(--accent); background: var(--card); color: var(--accent); cursor: pointer; text-decoration: none; display: inline-block; line-height: 1.3; }
.button.main, button.main { background: var(--accent); color: var(--on-accent); }
.button.danger, button.danger { border-color: var(--bad); color: var(--bad); }
button:disabled { opacity: 0.55; cursor: not-allowed; }
button.plain { border: 0; background: none; padding: 4px 8px; text-decoration: underline; font-weight: 500; }
.actions { display: flex; flex-wrap: wrap; gap: 12px; margin: 24px 0; align-items: center; }
label, .label { display: block; font-weight: 600; font-size: 14.5px; margin: 0 0 4px; }
input, select, textarea { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 6px; padding: 8px 10px; max-width: 100%; }
input[type=checkbox], input[type=radio] { width: 18px; height: 18px; vertical-align: -3px; margin: 0 8px 0 0; accent-color: var(--accent); }
fieldset { border: 1px solid var(--line); border-radius: 8px; padding: 12px 18px 18px; margin: 16px 0; min-width: 0; background: var(--card); }
legend { font-weight: 650; padding: 0 6px; }
.field { margin: 0 0 16px; }
.field .hint { color: var(--soft); font-size: 13.5px; margin: 4px 0 0; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 0 24px; }
.steps { display: flex; flex-wrap: wrap; gap: 4px 20px; list-style: none; margin: 0 0 24px; padding: 0; font-size: 14.5px; }
.steps li { color: var(--soft); }
.steps a { text-decoration: none; color: var(--accent); }
.steps [aria-current] { font-weight: 650; color: var(--ink); border-bottom: 3px solid var(--accent); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); gap: 16px; list-style: none; margin: 16px 0; padding: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 16px 18px; min-width: 0; overflow-wrap: anywhere; }
.card h2 { margin: 0 0 6px; font-size: 17px; }
.state { display: inline-block; font-size: 13px; font-weight: 600; padding: 2px 10px; border-radius: 999px; border: 1px solid currentColor; }
.drop { border: 2px dashed var(--soft); border-radius: 12px; padding: 32px; text-align: center; background: var(--card); }
.drop.over { border-color: var(--accent); }
.shell { margin: 24px 0; }
.shell summary { cursor: pointer; color: var(--soft); font-size: 14px; }
.two { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 32px; align-items: start; }
.preview { position: sticky; top: 16px; background: #ffffff; border: 1px solid var(--line); border-radius: 8px; padding: 16px; }
.preview img { width: 100%; height: auto; display: block; }
.ticks { display: flex; flex-wrap: wrap; gap: 6px 20px; margin: 4px 0 12px; }
.ticks label, .becomes p label { font-weight: 400; display: inline-block; }
.becomes p { margin: 6px 0; }
.becomes .fields { display: none; margin-top: 16px; }
.becomes:has([value=dynamic-link]:checked) .for-dynamic-link,
.becomes:has([value=static-link]:checked) .for-static-link,
.becomes:has([value=text]:checked) .for-text,
.becomes:has([value=contact]:checked) .for-contact,
.becomes:has([value=product]:checked) .for-product,
.becomes:has([value=link]:checked) .for-link { display: grid; }
progress { width: 100%; height: 12px; accent-color: var(--bar); }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
main.desk { padding-top: 28px; }
main.desk h1 { font-size: clamp(26px, 4vw, 38px); }
@media (max-width: 860px) { .two { grid-template-columns: minmax(0, 1fr); } .preview { position: static; } }
@media (max-width: 640px) { .top { padding: 12px 16px; } .drop { padding: 20px 12px; } }
@media (prefers-reduced-motion: no-preference) { .button, button { transition: background-color .15s; } }
`;

export const DESK_STYLE = `${COLORS}${COMPONENTS}${FORMS}`;
