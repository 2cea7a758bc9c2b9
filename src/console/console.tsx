/**
 * The console: an account's codes and settings in a browser, as part of the service. It is a client
 * of the API with the rights of the signed-in token, and can do nothing that the token can't
 * (docs/operating.md).
 */
import { Hono, type Context } from "hono";
import { setCookie } from "hono/cookie";

import type { ConsoleService, MakeConsole } from "../service/owner/port.ts";
import { ApiRefusal, makeApi } from "./api.ts";
import { makeAssets } from "./assets.ts";
import { guardHeaders, makeGuard, type ConsoleParts, type SignedIn } from "./guard.ts";
import type { ConsoleHome } from "./home.ts";
import { OwnRefusal, type Problem } from "./refusal.ts";
import { screens } from "./screens/screens.ts";
import { replySignIn, routeSignIn } from "./sign-in.tsx";
import { inShown, inWorkspaceOf } from "./place.ts";
import { Frame, Refused, reply, toHtml, toStatus } from "./view/page.tsx";
import { field, type Answer, type Bindings, type Visit } from "./visit.ts";
import { LANGUAGE_COOKIE, languages, wordsFor } from "./words/words.ts";

const ROOT = "/console";
const YEAR_S = 31_536_000;
/** Most bytes of a form: with a PDF of 20 MB, with a logo of 2 MB, any other. */
const MAX_BYTES: Readonly<Record<string, number>> = {
  "/pdfs": 22_000_000,
  "/codes/:id/design": 3_000_000,
  "/codes/:id/draw": 3_000_000,
};
const MAX_FORM_BYTES = 1_000_000;

const NO_FORM = new FormData();

function toVisit(
  { service, assets, home }: ConsoleParts,
  c: Context<Bindings>,
  signed: SignedIn,
): Visit {
  const { arrival } = c.env;
  return {
    c,
    service,
    arrival,
    ...signed,
    home,
    words: wordsFor(c),
    base: service.basePath(arrival.request),
    assets,
    ...makeApi(service, signed.session, arrival),
    owner: service.owner(signed.session),
    form: NO_FORM,
    problems: [],
  };
}

/** Our own faults go on to the service, which logs them. */
function toRefused(service: ConsoleService, error: unknown) {
  if (error instanceof ApiRefusal || error instanceof OwnRefusal)
    return { status: error.status, lines: error.lines };
  const refused = service.toRefused(error);
  if (refused === undefined) throw error;
  return refused;
}

/** A page that can't be shown, with the reason. */
function replyRefused(visit: Visit, status: number, lines: readonly Problem[]): Promise<Response> {
  const { words } = visit;
  const isAbsent = status === 404;
  const title = isAbsent ? words.common.notFound : words.common.refused;
  const problems = isAbsent ? [{ said: words.common.notFoundText }] : lines;
  const refused = { ...visit, problems, refusedWith: status };
  return reply(refused, { at: "codes", title, children: "" });
}

async function show(visit: Visit, answer: Answer): Promise<Response> {
  try {
    return await answer(visit);
  } catch (error) {
    const { status, lines } = toRefused(visit.service, error);
    return replyRefused(visit, status, lines);
  }
}

/** A refusal is shown on the page that sent the form, with all fields still filled in. */
async function change(visit: Visit, take: Answer, again: Answer): Promise<Response> {
  try {
    return await take(visit);
  } catch (error) {
    const { status, lines } = toRefused(visit.service, error);
    return status === 404
      ? replyRefused(visit, status, lines)
      : show({ ...visit, problems: lines, refusedWith: status }, again);
  }
}

type Handler = (c: Context<Bindings>) => Promise<Response>;

const back: Answer = ({ c, base }) => c.redirect(`${base}/codes`, 303);

/** Reloading a refused page asks for the address of its form: this leads back to the page before. */
function toPostedPaths(): (readonly [string, Answer])[] {
  const shown = new Set(screens.flatMap(({ get = {} }) => Object.keys(get)));
  const posted = screens.flatMap(({ post = {} }) => Object.keys(post));
  return posted
    .filter((path) => !shown.has(path))
    .map((path) => {
      const parts = path.split("/");
      while (!shown.has(parts.join("/"))) parts.pop();
      const answer: Answer = ({ c, base }) => {
        const own = new URL(c.req.url).pathname.slice(ROOT.length).split("/");
        return c.redirect(`${base}${own.slice(0, parts.length).join("/")}`, 303);
      };
      return [path, answer] as const;
    });
}

function routeScreens(app: Hono<Bindings>, parts: ConsoleParts): void {
  const { guard } = parts;
  const asGet =
    (answer: Answer): Handler =>
    async (c) => {
      const signed = await guard.find(c);
      if (signed === undefined) return replySignIn(parts, c);
      const visit = toVisit(parts, c, signed);
      return show(visit, async () => answer(await inWorkspaceOf(visit)));
    };
  const asPost =
    (path: string, { take, again }: { readonly take: Answer; readonly again: Answer }): Handler =>
    async (c) => {
      const signed = await guard.find(c);
      if (signed === undefined) return replySignIn(parts, c, 403);
      const visit = toVisit(parts, c, signed);
      const form = await guard.readForm(c, signed, MAX_BYTES[path] ?? MAX_FORM_BYTES);
      if (form === undefined) {
        const { words } = visit;
        return replyRefused(visit, 403, [{ said: words.common.foreign }]);
      }
      const sent = { ...visit, form };
      return show(sent, async () => change(await inWorkspaceOf(await inShown(sent)), take, again));
    };
  for (const screen of screens) {
    for (const [path, answer] of Object.entries(screen.get ?? {})) {
      app.get(`${ROOT}${path}`, asGet(answer));
    }
    for (const [path, one] of Object.entries(screen.post ?? {})) {
      app.post(`${ROOT}${path}`, asPost(path, one));
    }
  }
  for (const [path, answer] of toPostedPaths()) app.get(`${ROOT}${path}`, asGet(answer));
  app.post(`${ROOT}/language`, asPost("/language", { take: chooseLanguage, again: back }));
  app.post(
    `${ROOT}/workspace`,
    asPost("/workspace", {
      take: async (visit) => {
        const { service, secret, session } = visit;
        await service.chooseWorkspace(secret, session, field(visit, "workspace"));
        return back(visit);
      },
      again: back,
    }),
  );
  app.get(ROOT, asGet(back));
  app.all("*", async (c) => {
    const signed = await guard.find(c);
    return signed === undefined
      ? replySignIn(parts, c)
      : replyRefused(toVisit(parts, c, signed), 404, []);
  });
}

/** Back to the page with the form; never to another site. */
const chooseLanguage: Answer = ({ c, form, base, service, arrival }) => {
  const to = form.get("to");
  if (typeof to === "string" && Object.hasOwn(languages, to)) {
    const secure = service.isSecure(arrival.request);
    setCookie(c, LANGUAGE_COOKIE, to, { path: base, sameSite: "Strict", maxAge: YEAR_S, secure });
  }
  const from = /^https?:\/\/[^/]+(\/[^#]*)$/u.exec(c.req.header("referer") ?? "")?.[1] ?? "";
  return c.redirect(from.startsWith(`${base}/`) ? from : `${base}/codes`, 303);
};

/** Answers below `/console`. */
export const makeConsole: MakeConsole = (service) => openConsole(service);

/** The console among the pages of another program. */
export const makeConsoleIn =
  (home: ConsoleHome): MakeConsole =>
  (service) =>
    openConsole(service, home);

function openConsole(service: ConsoleService, home?: ConsoleHome): ReturnType<MakeConsole> {
  const assets = makeAssets();
  const parts: ConsoleParts = { service, assets, home, guard: makeGuard(service) };
  const app = new Hono<Bindings>({ strict: false });
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(guardHeaders)) c.res.headers.set(name, value);
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  });
  for (const [path, { body, type }] of assets.files) {
    app.get(`${ROOT}${path}`, (c) =>
      c.body(body, 200, {
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
      }),
    );
  }
  routeSignIn(app, parts, ROOT);
  routeScreens(app, parts);
  app.onError((error, c) => {
    const refused = service.toRefused(error);
    // The service logs it and answers.
    if (refused === undefined) throw error;
    const words = wordsFor(c);
    const base = service.basePath(c.env.arrival.request);
    const html = (
      <Frame
        words={words}
        title={words.common.refused}
        style={`${base}${assets.style}`}
        script={`${base}${assets.script}`}
      >
        <h1>{words.common.refused}</h1>
        {refused.lines.map((line) => (
          <p role="alert">
            <Refused words={words} line={line} />
          </p>
        ))}
      </Frame>
    );
    return c.html(toHtml(html), toStatus(refused.status));
  });
  return async (arrival) => app.fetch(arrival.request, { arrival });
}
