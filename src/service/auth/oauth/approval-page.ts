/** The page on which somebody allows an assistant to use their account: no script, nothing from elsewhere. */
import { escapeHtml, replyPage } from "../../public/html.ts";
import { replyNotice, toStyle } from "../../public/public-style.ts";
import { describeTarget } from "./redirect-uris.ts";

const STYLE = `
.card{margin:1.75rem 0 0;padding:1.1rem 1.15rem 1.2rem;border:1px solid var(--soft);border-radius:1rem;background:var(--surface)}
dl{margin:0}
dt{color:var(--muted);font-size:.9375rem}
dd{margin:0 0 .8rem;font-weight:600}
dd:last-child{margin:0}
ul{margin:.35rem 0 0;padding-left:1.25rem}
.card>p{margin:0}
label{display:block;margin:0 0 .35rem;font-weight:600}
.hint{margin:0 0 .6rem!important;color:var(--muted);font-size:.9375rem}
.error{margin:.6rem 0 0!important;color:var(--error);font-weight:600;font-size:.9375rem}
.wrong{border-color:var(--error);box-shadow:inset .25rem 0 0 var(--error)}
input,button{font:inherit;color:inherit}
input{display:block;width:100%;min-height:3rem;padding:.65rem .8rem;border:1px solid var(--edge);border-radius:.65rem;background:var(--surface)}
[aria-invalid=true]{border-color:var(--error)}
.buttons{display:grid;gap:.75rem;margin:1.75rem 0 0}
button{min-height:3.5rem;padding:.8rem 1.25rem;border:1px solid var(--edge);border-radius:1rem;background:var(--surface);font-weight:700;cursor:pointer}
.main{border-color:var(--button);background:var(--button);color:var(--button-ink)}
button:hover{filter:brightness(1.06)}
@media(min-width:30rem){.buttons{grid-template-columns:2fr 1fr}}
`;

export const TICKET_NAME = "ticket";
export const TOKEN_NAME = "api_token";
export const DECISION_NAME = "decision";

export interface ShownApproval {
  /** What the assistant calls itself; may be empty. */
  readonly clientName: string;
  readonly redirectUri: string;
  readonly ticket: string;
  readonly issuer: string;
}

export interface ApprovalState {
  readonly status?: number;
  /** What is wrong with the input. */
  readonly problem?: string;
  readonly headers?: Record<string, string>;
}

/** No other site may show these pages in a frame, and no cache keeps them. */
const privately = {
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
};

/**
 * Where the browser may go after the decision. It checks every redirect, and the assistant may
 * redirect to another host: so only the scheme is named.
 */
function toTargets(redirectUri: string): string[] {
  const { protocol } = new URL(redirectUri);
  return [...new Set(["'self'", protocol, ...(protocol === "http:" ? ["https:"] : [])])];
}

export function replyApproval(shown: ShownApproval, state: ApprovalState = {}): Response {
  const { clientName, redirectUri, ticket, issuer } = shown;
  const { problem, status = 200, headers = {} } = state;
  const name = clientName === "" ? "An assistant without a name" : clientName;
  const isWrong = problem !== undefined;
  const body = `<main>
<h1>Allow <bdi>${escapeHtml(name)}</bdi> to use your account?</h1>
<p class="about">It asks to be connected with makeready at <bdi>${escapeHtml(new URL(issuer).host)}</bdi>.</p>
<section class="card" aria-label="What is asked for">
<dl>
<dt>Calls itself</dt><dd><bdi>${escapeHtml(name)}</bdi></dd>
<dt>Afterwards you are led to</dt><dd><bdi>${escapeHtml(describeTarget(redirectUri))}</bdi></dd>
<dt>It will be able to</dt><dd>do all that your API token can: see, make, change and delete codes, short links, pages and forms</dd>
</dl>
</section>
<form method="post" autocomplete="off">
<div class="card${isWrong ? " wrong" : ""}">
<label for="token">API token of your account</label>
<p class="hint" id="token-hint">Approve only if you started this yourself and know the address above. The assistant does not get to see the token. If you have none, ask whoever runs this service.</p>
<input id="token" name="${TOKEN_NAME}" type="password" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="500" aria-describedby="token-hint${isWrong ? " token-error" : ""}"${isWrong ? ' aria-invalid="true" autofocus' : ""}>
${isWrong ? `<p class="error" id="token-error" role="alert">${escapeHtml(problem)}</p>\n` : ""}</div>
<input type="hidden" name="${TICKET_NAME}" value="${escapeHtml(ticket)}">
<div class="buttons">
<button class="main" type="submit" name="${DECISION_NAME}" value="approve">Approve</button>
<button type="submit" name="${DECISION_NAME}" value="deny" formnovalidate>Deny</button>
</div>
</form>
</main>`;
  const page = {
    title: isWrong ? "Error: Connect an assistant" : "Connect an assistant",
    style: toStyle({ bg_color: null, text_color: null }, STYLE),
    body,
    formTargets: toTargets(redirectUri),
  };
  return replyPage(page, { ...privately, ...headers }, status);
}

/**
 * For a faulty request. `backUri` would tell the assistant, but a stranger may have registered it
 * to redirect people from here: the page only links to it (RFC 9700 section 4.11.2).
 */
export function replyFaulty(fault: string, redirectUri: string, backUri: string): Response {
  const target = describeTarget(redirectUri);
  return replyNotice({
    status: 400,
    title: "This can't be connected",
    text: `What the assistant asked for is faulty: ${fault} Nobody was allowed anything. Go back only if you started this yourself and know the address: ${target}`,
    link: { href: backUri, text: `Go back to ${target}` },
    headers: { ...privately },
  });
}

/** For faults that can't be sent to the assistant, since it may not be one. */
export const replyRefused = (text: string, status = 400, headers = {}): Response =>
  replyNotice({
    status,
    title: "This can't be connected",
    text,
    headers: { ...headers, ...privately },
  });
