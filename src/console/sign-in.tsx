/** The only page without sign-in: a token opens a session. */
import type { Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";

import { isSame, type ConsoleParts } from "./guard.ts";
import { Frame, toHtml } from "./view/page.tsx";
import type { Bindings } from "./visit.ts";
import { wordsFor } from "./words/words.ts";

type Ctx = Context<Bindings>;

const TICKET_COOKIE = "makeready_console_ticket";
const TICKET = /^[0-9a-f-]{36}$/u;
const MAX_BYTES = 8192;
const HOUR_S = 3600;
const MAX_TO = 500;
const ROOT = "/console";
const PATH = /^\/[a-z][\w/.=&%+~-]*$/u;
/** Only forms are sent there. */
const NO_PAGE = /^\/(?:sign|language\b|workspace\b)/u;

/** The page to go to after signing in: only below the console. */
function readTo(text: string): string {
  if (!text.startsWith("/") || text.length > MAX_TO) return "/codes";
  const { pathname, search } = new URL(`http://localhost${ROOT}${text}`);
  const path = pathname.startsWith(`${ROOT}/`) ? pathname.slice(ROOT.length) : "";
  if (!PATH.test(path) || NO_PAGE.test(path)) return "/codes";
  // What was done before is no message after signing in; the rest stays as it was written.
  const asked = search.slice(1).split("&");
  const kept = asked.filter((one) => !/^done(?:=|$)/u.test(one)).join("&");
  return kept === "" ? path : `${path}?${kept}`;
}

interface Shown {
  readonly to: string;
  readonly problem?: string;
  readonly status?: 200 | 400 | 403 | 429;
  readonly waitS?: number;
}

/** A visitor who comes from another site did not send the cookie: the page reloads itself once. */
function askAgain(c: Ctx): Response | undefined {
  const isLed =
    c.req.method === "GET" &&
    c.req.header("sec-fetch-site") === "cross-site" &&
    c.req.header("sec-fetch-mode") === "navigate";
  if (!isLed) return undefined;
  return c.html('<!doctype html><meta http-equiv="refresh" content="0"><title>makeready</title>');
}

/** A number that only this browser has: the page's ticket is bound to it. */
function keepNonce(service: ConsoleParts["service"], c: Ctx): string {
  const { request } = c.env.arrival;
  const kept = getCookie(c, TICKET_COOKIE) ?? "";
  const nonce = TICKET.test(kept) ? kept : crypto.randomUUID();
  setCookie(c, TICKET_COOKIE, nonce, {
    path: service.basePath(request),
    secure: service.isSecure(request),
    httpOnly: true,
    sameSite: "Strict",
    maxAge: HOUR_S,
  });
  return nonce;
}

function showSignIn({ service, assets }: ConsoleParts, c: Ctx, shown: Shown): Response {
  const { request } = c.env.arrival;
  const base = service.basePath(request);
  const words = wordsFor(c);
  const { signIn } = words;
  const nonce = keepNonce(service, c);
  const { to, problem, status = 200, waitS } = shown;
  if (waitS !== undefined) c.header("retry-after", String(waitS));
  const html = (
    <Frame
      words={words}
      title={problem === undefined ? signIn.title : `${words.common.refused} · ${signIn.title}`}
      style={`${base}${assets.style}`}
      script={`${base}${assets.script}`}
    >
      <div class="sign-in">
        <p class="over">{words.common.console}</p>
        <h1>{signIn.title}</h1>
        <p>{signIn.text}</p>
        {problem === undefined ? null : (
          <p class="banner bad" role="alert">
            {problem}
          </p>
        )}
        <form method="post" action={`${base}/sign-in`}>
          <input type="hidden" name="ticket" value={service.sign(`sign-in ${nonce}`)} />
          <input type="hidden" name="to" value={to} />
          <div class="field">
            <label for="token">{signIn.token}</label>
            <input
              id="token"
              name="token"
              type="password"
              required
              maxlength={500}
              autocomplete="current-password"
              autocapitalize="none"
              spellcheck={false}
              aria-describedby="token-hint"
            />
            <p class="hint" id="token-hint">
              {signIn.hint}
            </p>
          </div>
          <button class="main">{signIn.button}</button>
        </form>
      </div>
    </Frame>
  );
  return c.html(toHtml(html), status);
}

/** The page that sent the form; else the form's own address, which leads to its page. */
function fromReferer(c: Ctx, base: string, asked: string): string {
  const from = /^https?:\/\/[^/]+(\/[^#]*)$/u.exec(c.req.header("referer") ?? "")?.[1] ?? "";
  return from.startsWith(`${base}/`) ? readTo(from.slice(base.length)) : asked;
}

/** Shown in place of a page that needs a session. */
export function replySignIn(parts: ConsoleParts, c: Ctx, status?: 403): Response {
  const again = askAgain(c);
  if (again !== undefined) return again;
  const { request } = c.env.arrival;
  const base = parts.service.basePath(request);
  const { pathname, search } = new URL(request.url);
  const asked = readTo(`${pathname.replace(/^\/console/u, "")}${search}`);
  if (status !== undefined) {
    const to = parts.service.isForeign(request) ? "/codes" : fromReferer(c, base, asked);
    return showSignIn(parts, c, { to, problem: wordsFor(c).signIn.ended, status });
  }
  const to = asked;
  return c.redirect(`${base}/sign-in?${new URLSearchParams({ to }).toString()}`, 303);
}

async function takeToken(parts: ConsoleParts, c: Ctx): Promise<Response> {
  const { service, guard } = parts;
  const { arrival } = c.env;
  const { signIn } = wordsFor(c);
  const form = await service.readForm(arrival.request, MAX_BYTES);
  const read = (name: string): string => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const to = readTo(read("to"));
  const again = (problem: string, status: 400 | 403 | 429, waitS?: number): Response =>
    showSignIn(parts, c, { to, problem, status, ...(waitS !== undefined && { waitS }) });
  const nonce = getCookie(c, TICKET_COOKIE) ?? "";
  const isOurs = TICKET.test(nonce) && isSame(read("ticket"), service.sign(`sign-in ${nonce}`));
  if (service.isForeign(arrival.request) || !isOurs) return again(signIn.foreign, 403);
  const result = await service.signIn(read("token"), arrival);
  if ("secret" in result) {
    // Ends any earlier session of this browser, so that nobody signs in to a session that somebody
    // else knows.
    await guard.end(c);
    guard.keep(c, result.secret);
    return c.redirect(`${service.basePath(arrival.request)}${to}`, 303);
  }
  return result.refused === "token"
    ? again(signIn.wrong, 403)
    : again(signIn.brake(result.waitS), 429, result.waitS);
}

export function routeSignIn(app: Hono<Bindings>, parts: ConsoleParts, root: string): void {
  const { service, guard } = parts;
  app.get(
    `${root}/sign-in`,
    (c) => askAgain(c) ?? showSignIn(parts, c, { to: readTo(c.req.query("to") ?? "") }),
  );
  app.post(`${root}/sign-in`, (c) => takeToken(parts, c));
  for (const isEverywhere of [false, true]) {
    app.post(`${root}/sign-out${isEverywhere ? "-everywhere" : ""}`, async (c) => {
      const signed = await guard.find(c);
      if (signed === undefined) return replySignIn(parts, c);
      const form = await guard.readForm(c, signed, MAX_BYTES);
      if (form === undefined) return c.text(wordsFor(c).common.foreign, 403);
      if (isEverywhere) await service.signOutEverywhere(signed.session);
      await guard.forget(c);
      return c.redirect(`${service.basePath(c.env.arrival.request)}/sign-in`, 303);
    });
  }
}
