/**
 * Style and script, with names that change with their content: the only files that need no sign-in.
 */

import { sha256 } from "../base/ids/ids.ts";
import { CONSOLE_STYLE } from "./view/console-style.ts";

/**
 * A drawing that follows a form as it is filled in. Without script, a button draws it. The last good
 * drawing stays while the next one is being made; if that fails, the reason is shown beside it.
 */
const LIVE_SCRIPT = `
// A double click on a button sends its form once: it might make two codes.
const DOUBLE_CLICK_MS = 1000;
let pressed;
let pressedAt;
addEventListener("submit", (event) => {
  const { submitter, timeStamp } = event;
  if (event.target.method !== "post" || submitter === null) return;
  if (submitter === pressed && timeStamp - pressedAt < DOUBLE_CLICK_MS) event.preventDefault();
  else [pressed, pressedAt] = [submitter, timeStamp];
});
const WAIT_MS = 120;
const MOST_BYTES = 2_200_000;
for (const form of document.querySelectorAll("form[data-draws]")) {
  const picture = document.querySelector(form.dataset.picture);
  const said = document.querySelector(form.dataset.said);
  let timer;
  let latest = 0;
  const draw = async () => {
    const mine = (latest += 1);
    const sent = new FormData(form);
    const fields = new URLSearchParams();
    let file;
    for (const [name, value] of sent) {
      if (typeof value !== "string") file = value.size > 0 ? value : undefined;
      else if (!/^(?:csrf|shown_in|was_.*)$/.test(name)) fields.append(name, value);
    }
    // A part of a file that is too large is refused as well, and sooner.
    if (file?.size > MOST_BYTES) sent.set("logo", file.slice(0, MOST_BYTES));
    const headers = { accept: "application/json" };
    try {
      const answer = await (file === undefined
        ? fetch(form.dataset.draws + "?" + fields, { headers })
        : fetch(form.dataset.draws, { method: "POST", body: sent, headers }));
      const drawn = await answer.json();
      if (mine !== latest) return;
      if (drawn.svg !== undefined) picture.src = "data:image/svg+xml," + encodeURIComponent(drawn.svg);
      said.textContent = drawn.says.join("\\n");
    } catch {
      // The service doesn't answer: the last good drawing stays.
    }
  };
  form.addEventListener("input", ({ target }) => {
    // Picking a colour also ticks its box.
    const tick = form.elements["set_" + target.name];
    if (tick !== undefined) tick.checked = true;
    // A background is not transparent.
    const { clear, background_color: color, was_background_color: was } = form.elements;
    if (target.name === "background_color" && clear) clear.checked = false;
    // Nor is one that is cleared again chosen beside the tick.
    if (target.name === "clear" && target.checked && was) color.value = was.value;
    clearTimeout(timer);
    timer = setTimeout(draw, WAIT_MS);
  });
  for (const button of form.querySelectorAll("[data-by-hand]")) button.hidden = true;
}
for (const form of document.querySelectorAll("form[data-submits]")) {
  form.addEventListener("change", () => form.requestSubmit());
  for (const button of form.querySelectorAll("[data-by-hand]")) button.hidden = true;
}
`;

const HASH_LENGTH = 16;

export interface Assets {
  /** Paths below the console. */
  readonly style: string;
  readonly script: string;
  readonly files: ReadonlyMap<string, { readonly body: string; readonly type: string }>;
}

const nameOf = (body: string, end: string): string =>
  `/assets/${sha256(body).slice(0, HASH_LENGTH)}.${end}`;

export function makeAssets(): Assets {
  const style = nameOf(CONSOLE_STYLE, "css");
  const script = nameOf(LIVE_SCRIPT, "js");
  const files = new Map([
    [style, { body: CONSOLE_STYLE, type: "text/css; charset=utf-8" }],
    [script, { body: LIVE_SCRIPT, type: "text/javascript; charset=utf-8" }],
  ]);
  return { style, script, files };
}
