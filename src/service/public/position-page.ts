/** The page of a code that asks where its visitor is: a link that leads on, and a choice. */
import { BODY_FONT, COLORS, HEAD_FONT } from "../../style/house.ts";
import { escapeHtml, replyPage } from "./html.ts";
import type { Words } from "./words/en.ts";
import { fill } from "./words/words.ts";

const STYLE = `${COLORS}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.5 ${BODY_FONT}; }
main { max-width: 30rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { margin: 0 0 .5rem; font-family: ${HEAD_FONT}; font-weight: 600; font-size: 1.75rem; line-height: 1.2; }
p { overflow-wrap: anywhere; }
.choice { display: block; width: 100%; margin-top: .75rem; padding: .8rem 1rem; border-radius: .6rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; border: 2px solid var(--accent);
  color: var(--accent); background: var(--card); }
button.choice { color: var(--on-accent); background: var(--accent); }
[hidden] { display: none; }
`;

/** The browser is asked only after the visitor agrees; whatever happens, the page leads on. */
const SCRIPT = `
const share = document.getElementById("share");
const state = document.getElementById("state");
const next = document.getElementById("next").href;
if ("geolocation" in navigator) share.hidden = false;
share.addEventListener("click", () => {
  share.disabled = true;
  state.textContent = state.dataset.finding;
  const go = () => location.replace(next);
  navigator.geolocation.getCurrentPosition((found) => {
    const { latitude, longitude } = found.coords;
    const body = JSON.stringify({ ticket: share.dataset.ticket, latitude, longitude });
    fetch(location.pathname, { method: "POST", body, keepalive: true, headers: { "content-type": "application/json" } })
      .then(go, go);
  }, go, { timeout: 10000, maximumAge: 60000, enableHighAccuracy: true });
});
`;

export function replyPositionPage(shown: {
  readonly location: string;
  readonly ticket: string;
  readonly words: Words;
}): Response {
  const { language, position } = shown.words;
  const href = escapeHtml(shown.location);
  const { host } = new URL(shown.location);
  const body = `<main>
<h1>${position.title}</h1>
<p>${position.text}${host === "" ? "" : ` ${fill(position.leadsTo, { host: `<strong>${escapeHtml(host)}</strong>` })}`}</p>
<p id="state" role="status" data-finding="${escapeHtml(position.finding)}"></p>
<button class="choice" id="share" type="button" hidden data-ticket="${escapeHtml(shown.ticket)}">${position.share}</button>
<a class="choice" id="next" href="${href}" rel="noreferrer">${position.next}</a>
</main>`;
  return replyPage(
    { title: position.title, language, style: STYLE, body, script: SCRIPT, speaks: true },
    { "cache-control": "no-store", "permissions-policy": "geolocation=(self)" },
  );
}
