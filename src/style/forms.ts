/** Buttons, fields, cards: what pages with forms add to the house style. */
export const FORMS = `
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
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 16px 18px; min-width: 0; overflow-wrap: anywhere; }
.card h2 { margin: 0 0 6px; font-size: 17px; }
.state { display: inline-block; font-size: 13px; font-weight: 600; padding: 2px 10px; border-radius: 999px; border: 1px solid currentColor; }
.shell { margin: 24px 0; }
.shell summary { cursor: pointer; color: var(--soft); font-size: 14px; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
