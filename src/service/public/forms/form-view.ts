/** The public form and its notices as pages: server-rendered, readable without script and style. */
import type { FormContent } from "../../resources/forms/rows.ts";
import { escapeHtml, replyPage } from "../html.ts";
import { replyNotice, toStyle } from "../public-style.ts";
import type { Words } from "../words/en.ts";
import { fill } from "../words/words.ts";
import { drawField, toElementId } from "./field-view.ts";
import { FORM_SCRIPT } from "./form-script.ts";

const STYLE = `
header img{display:block;max-width:min(14rem,70%);max-height:5.5rem;margin:0 0 1.5rem;border-radius:.5rem}
form{margin:2rem 0 0}
.note{margin:0 0 1.5rem;color:var(--muted);font-size:.9375rem}
.field{margin:0 0 1rem;padding:1.1rem 1.15rem 1.2rem;border:1px solid var(--soft);border-radius:1rem;background:var(--surface)}
.wrong{border-color:var(--error);box-shadow:inset .25rem 0 0 var(--error)}
fieldset{margin:0;padding:0;border:0;min-width:0}
.field>label,legend{display:block;padding:0;margin:0 0 .5rem;font-weight:600;line-height:1.35}
.mark{color:var(--error)}
.hint{margin:-.25rem 0 .6rem;color:var(--muted);font-size:.9375rem}
.error{margin:.6rem 0 0;color:var(--error);font-weight:600;font-size:.9375rem}
input,select,textarea,button{font:inherit;color:inherit}
.field>input,select,textarea{display:block;width:100%;min-height:3rem;padding:.65rem .8rem;border:1px solid var(--edge);border-radius:.65rem;background:var(--surface)}
textarea{resize:vertical;line-height:1.5}
::placeholder{color:var(--muted);opacity:1}
[aria-invalid=true]{border-color:var(--error)}
input[type=file]{padding:.6rem}
.choices{display:grid;gap:.5rem}
.choice{display:flex;align-items:center;gap:.75rem;min-height:3rem;padding:.55rem .9rem;border:1px solid var(--edge);border-radius:.65rem;cursor:pointer}
.choice input{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--button)}
.choice:has(input:checked){border-color:var(--button);box-shadow:inset 0 0 0 1px var(--button)}
.scale,.yes_no{grid-template-columns:repeat(5,1fr)}
.yes_no{grid-template-columns:repeat(2,1fr)}
.scale .choice,.yes_no .choice{position:relative;justify-content:center;padding:.55rem .25rem;font-weight:600}
.scale input,.yes_no input,.rating input{position:absolute;inset:0;width:100%;height:100%;opacity:0;cursor:pointer}
.scale .choice:has(input:checked),.yes_no .choice:has(input:checked){background:var(--button);color:var(--button-ink)}
.choice:has(input:focus-visible){outline:3px solid var(--ink);outline-offset:2px}
.rating{display:flex;gap:.15rem}
.rating .choice{position:relative;border:0;padding:.35rem;min-height:0;box-shadow:none!important}
.rating svg{display:block;width:2.25rem;height:2.25rem;fill:none;stroke:var(--edge);stroke-width:1.5;stroke-linejoin:round}
.rating .choice:has(~ .choice input:checked) svg,.rating .choice:has(input:checked) svg{fill:var(--button);stroke:var(--button)}
button{display:block;width:100%;min-height:3.5rem;margin:1.75rem 0 0;padding:.8rem 1.25rem;border:0;border-radius:1rem;background:var(--button);color:var(--button-ink);font-weight:700;cursor:pointer}
button:hover{filter:brightness(1.06)}
button:disabled{opacity:.7;cursor:progress}
.summary{margin:0 0 1.5rem;padding:1rem 1.15rem;border:2px solid var(--error);border-radius:1rem;background:var(--surface)}
.summary h2{margin:0;font-size:1.125rem}
.summary ul{margin:.5rem 0 0;padding-left:1.25rem}
.vh,.extra{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(min-width:34rem){.scale{grid-template-columns:repeat(10,1fr)}}
@supports not selector(:has(a)){.scale input,.yes_no input,.rating input{opacity:1;position:static;width:1.25rem;height:1.25rem}}
@media(forced-colors:active){.choice:has(input:checked){outline:3px solid Highlight}.scale input,.yes_no input,.rating input{opacity:1;position:static;width:1.25rem;height:1.25rem}}
`;

/** A field name that browsers don't fill in by themselves. */
export const TRAP_NAME = "leave-empty";
export const TICKET_NAME = "ticket";

/** What a form page carries, and what came back. */
export interface FormState {
  readonly ticket: string;
  /** Field id -> what was written before. */
  readonly texts?: ReadonlyMap<string, readonly string[]>;
  /** Field id -> what is wrong. */
  readonly faults?: ReadonlyMap<string, string>;
  /** A fault of the whole form. */
  readonly problem?: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

export interface ShownForm {
  readonly content: FormContent;
  /** Path of the logo, or null. */
  readonly logo: string | null;
  readonly words: Words;
}

const toAbout = (text: string): string =>
  text.trim() === "" ? "" : `\n<p class="about" dir="auto">${escapeHtml(text)}</p>`;

const toHeader = ({ content, logo }: ShownForm): string =>
  `<header>${logo === null ? "" : `<img src="${escapeHtml(logo)}" alt="">`}<h1 dir="auto">${escapeHtml(content.title)}</h1>${toAbout(content.description)}</header>`;

/** The faults, above the form, each with a link to its field. */
function toSummary(
  { fields }: FormContent,
  { faults = new Map(), problem = "" }: FormState,
  { form }: Words,
): string {
  const wrong = fields.filter(({ id }) => faults.has(id));
  const count = wrong.length === 1 ? form.checkOne : fill(form.checkMany, { n: wrong.length });
  const title = problem === "" ? count : problem;
  const entries = wrong.map(
    (field) =>
      `<li><a href="#${toElementId(field)}">${escapeHtml(`${field.label}: ${faults.get(field.id) ?? ""}`)}</a></li>`,
  );
  const isHidden = wrong.length === 0 && problem === "";
  return `<div class="summary" id="summary" role="alert" tabindex="-1"${isHidden ? " hidden" : ""}><h2>${escapeHtml(title)}</h2><ul>${entries.join("")}</ul></div>`;
}

/**
 * Where the browser may go after the form was accepted. It checks every redirect, and the owner's
 * address may redirect to another host: so only the scheme is named.
 */
function toTargets({ redirect_url: url }: FormContent): string[] {
  if (url === null) return ["'self'"];
  return ["'self'", "https:", ...(new URL(url).protocol === "http:" ? ["http:"] : [])];
}

const privately = { "cache-control": "no-store", "referrer-policy": "same-origin" };

/** The script's messages: it has no words of its own. */
const toFormWords = ({ form }: Words): string =>
  Object.entries({
    submit: form.submit,
    sending: form.sending,
    "check-one": form.checkOne,
    "check-many": form.checkMany,
  })
    .map(([name, text]) => ` data-${name}="${escapeHtml(text)}"`)
    .join("");

/** The form itself: empty, or with what was sent and its faults. */
export function replyForm(shown: ShownForm, state: FormState): Response {
  const { content, logo, words } = shown;
  const { form } = words;
  const { texts = new Map<string, string[]>(), faults = new Map<string, string>() } = state;
  const fields = content.fields.map((field) =>
    drawField(field, {
      texts: texts.get(field.id) ?? [],
      fault: faults.get(field.id) ?? "",
      words,
    }),
  );
  const hasImage = content.fields.some(({ field_type: type }) => type === "image");
  const isNoted = content.fields.some(({ required }) => required);
  const body = `<main>
${toHeader(shown)}
<form method="post"${toFormWords(words)}${hasImage ? ' enctype="multipart/form-data"' : ""}>
${toSummary(content, state, words)}
${isNoted ? `<p class="note">${form.required.replace("*", '<span class="mark">*</span>')}</p>\n` : ""}${fields.join("\n")}
<div class="extra" aria-hidden="true"><label>${form.leaveEmpty} <input name="${TRAP_NAME}" tabindex="-1" autocomplete="off"></label></div>
<input type="hidden" name="${TICKET_NAME}" value="${escapeHtml(state.ticket)}">
<button type="submit">${form.submit}</button>
</form>
</main>`;
  const isWrong = state.status !== undefined && state.status >= 400;
  const title = isWrong ? `${form.error}: ${content.title}` : content.title;
  const page = {
    title,
    language: words.language,
    style: toStyle(content, STYLE),
    body,
    script: FORM_SCRIPT,
    formTargets: toTargets(content),
    hasPictures: logo !== null,
  };
  return replyPage(page, { ...privately, ...state.headers }, state.status);
}

const THANKS = `
main{min-height:100vh;display:flex;flex-direction:column;justify-content:center;align-items:center;text-align:center}
.done{width:4rem;height:4rem;margin:0 0 1.25rem;fill:none;stroke:var(--button);stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.from{margin:1.5rem 0 0;color:var(--muted);font-size:.9375rem}
`;
const CHECK =
  '<svg class="done" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="10"/><path d="M7.5 12.5l3 3 6-6.5"/></svg>';

export function replyThanks(content: FormContent, { language, form }: Words): Response {
  const message = content.thank_you_message.trim() || form.sent;
  const body = `<main>
${CHECK}
<h1>${form.thanks}</h1>
<p class="about" dir="auto">${escapeHtml(message)}</p>
<p class="from" dir="auto">${escapeHtml(content.title)}</p>
</main>`;
  const title = `${form.thanks} ${content.title}`;
  const page = { title, language, style: toStyle(content, THANKS), body };
  return replyPage(page, privately);
}

export function replyClosed(
  content: FormContent,
  status: number,
  { language, form }: Words,
): Response {
  const { title } = content;
  const text = fill(form.closedText, { title });
  return replyNotice({ language, status, title: form.closed, text, colors: content });
}
