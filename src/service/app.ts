/** Which path leads where: the API, files, health, short links. */
import { Hono } from "hono";

import { endpoints, type EndpointName } from "../api/endpoints.ts";
import { toMessage } from "../base/errors.ts";
import type { Log } from "../base/log.ts";

import { CONSOLE_PATH, FORM_PATH, MCP_PATH, PAGE_PATH, RENDER_PATH } from "./addresses.ts";
import type { OAuth } from "./auth/oauth/oauth.ts";
import type { Dispatcher } from "./http/dispatch.ts";
import { readBytes } from "./http/body.ts";
import { replyPart } from "./http/ranges.ts";
import type { Render } from "./http/render-port.ts";
import { Refusal } from "./http/reply.ts";
import type { Sender } from "./http/senders.ts";
import type { McpParts } from "./mcp/endpoint.ts";
import type { ConsoleVisit } from "./owner/port.ts";
import { Description } from "./public/description.ts";
import { replyFrontPage, type FrontPages } from "./public/front-page.ts";
import type { PublicForms } from "./public/forms/public-forms.ts";
import { showPage } from "./public/pages/show-page.ts";
import { replyNotice } from "./public/public-style.ts";
import { wordsFor } from "./public/words/words.ts";
import { redirect, replyNotFound, replyVcf, type RedirectParts } from "./scans/redirect.ts";
import {
  answerMethod,
  CONTEXT_PATH,
  DESCRIPTION_PATH,
  replyContext,
  replyDescription,
  resolve,
  type ResolveParts,
} from "./scans/resolve.ts";
import { CANT_ASK, cantStoreHeaders } from "./store/disk-watch.ts";
import type { Watch } from "./watch/watch.ts";
import { drawingHeaders, toContentType, type Media } from "./store/media.ts";

export const API_PATH = "/api/v2";

interface Bindings {
  Bindings: {
    /** What limits are counted by: see `toNetwork`. */
    readonly ip: string;
    readonly sender: Sender;
    readonly requestId: string;
    /** Path and query as they were sent. */
    readonly target: string;
  };
}

export interface AppParts extends RedirectParts, ResolveParts, McpParts {
  readonly media: Media;
  readonly forms: PublicForms;
  readonly oauth: OAuth;
  readonly log: Log;
  readonly watch: Watch;
  readonly frontPages: FrontPages;
  /** Renders labels at `RENDER_PATH`; left out = not offered. */
  readonly render?: Render | undefined;
  /** Answers everything below `CONSOLE_PATH`; left out = there is no console. */
  readonly console?: ((visit: ConsoleVisit) => Promise<Response>) | undefined;
}

/** Path -> the endpoints on it, in the table's order. */
function groupByPath(): Map<string, EndpointName[]> {
  const groups = new Map<string, EndpointName[]>();
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { path } = endpoints[name];
    groups.set(path, [...(groups.get(path) ?? []), name]);
  }
  return groups;
}

const countParams = (path: string): number => path.split("{").length - 1;

function routeApi(app: Hono<Bindings>, dispatcher: Dispatcher): void {
  // Fixed words win over parameters: `/qrcode/create/` is no code of that id.
  const groups = [...groupByPath()].toSorted(([a], [b]) => countParams(a) - countParams(b));
  for (const [path, names] of groups) {
    const pattern = path.replace(/\{(\w+)\}/gu, ":$1").replace(/\/$/u, "");
    app.all(`${API_PATH}${pattern}`, (c) =>
      dispatcher.answer({
        request: c.req.raw,
        ip: c.env.ip,
        requestId: c.env.requestId,
        names,
        params: c.req.param() as Record<string, string>,
      }),
    );
  }
  for (const rest of [API_PATH, `${API_PATH}/*`]) {
    app.all(rest, (c) =>
      dispatcher.answer({
        request: c.req.raw,
        ip: c.env.ip,
        requestId: c.env.requestId,
        names: [],
        params: {},
      }),
    );
  }
}

/** A respondent's image is private: no cache keeps it, no search engine lists it. */
const PRIVATE = { "cache-control": "private, no-cache", "x-robots-tag": "noindex" };
/** May be cached forever: the name changes with the content. */
const FOREVER = { "cache-control": "public, max-age=31536000, immutable" };

async function replyFile(media: Media, request: Request, name: string): Promise<Response> {
  const type = toContentType(name);
  const file = type === undefined ? undefined : await media.open(name);
  if (type === undefined || file === undefined) return replyNotFound(request);
  return replyPart(request, file, {
    "content-type": type,
    ...(name.endsWith(".jpg") ? PRIVATE : FOREVER),
    ...(name.endsWith(".svg") ? drawingHeaders : {}),
    "x-content-type-options": "nosniff",
  });
}

/** The API's description, for everybody: as files and as a page. */
function routeDescription(
  app: Hono<Bindings>,
  { addresses, dispatcher }: Pick<AppParts, "addresses" | "dispatcher">,
): void {
  const description = new Description();
  // The asker reaches us by the address of this request.
  const toBaseUrl = (url: string): string => addresses.seenByClients(new URL(API_PATH, url)).href;
  for (const [path, kind] of [
    ["/openapi.json", "file"],
    [`${API_PATH}/openapi.json`, "file"],
    ["/openapi-3.0.json", "oldFile"],
    [`${API_PATH}/openapi-3.0.json`, "oldFile"],
    [`${API_PATH}/docs`, "page"],
  ] as const) {
    app.get(path, (c) => {
      const { raw: request } = c.req;
      const { ip, requestId } = c.env;
      return dispatcher.answerReader({ request, ip, requestId }, () =>
        description.answer(kind, request, toBaseUrl(request.url)),
      );
    });
  }
}

const VISITS = "GET, HEAD, OPTIONS";

const SENDS = "GET, HEAD, POST, OPTIONS";

const refuseMethod = (method: string, allow: string): Response =>
  method === "OPTIONS"
    ? new Response(null, { status: 204, headers: { allow } })
    : new Response("Method Not Allowed", { status: 405, headers: { allow } });

/** Landing pages and forms, for everybody. */
function routePages(app: Hono<Bindings>, { store, forms, frontPages }: AppParts): void {
  app.get("/", (c) => replyFrontPage(frontPages, wordsFor(c.req.raw)));
  app.get(`${PAGE_PATH}:slug`, (c) => showPage(store, c.req.param("slug"), c.req.raw));
  app.all(`${PAGE_PATH}:slug`, (c) => refuseMethod(c.req.method, VISITS));
  app.get(`${FORM_PATH}:slug/thanks`, (c) => forms.thank(c.req.param("slug"), c.req.raw));
  app.get(`${FORM_PATH}:slug`, (c) => forms.show(c.req.param("slug"), c.req.raw));
  app.post(`${FORM_PATH}:slug`, (c) =>
    forms.submit({ request: c.req.raw, ip: c.env.ip, slug: c.req.param("slug") }),
  );
  app.all(`${FORM_PATH}:slug`, (c) => refuseMethod(c.req.method, SENDS));
}

/** Few services have assistants: the code for their protocol is loaded with the first request. */
function routeMcp(app: Hono<Bindings>, parts: AppParts): void {
  app.all(MCP_PATH, async (c) => {
    const { answerMcp } = await import("./mcp/endpoint.ts");
    const { ip, requestId } = c.env;
    return answerMcp(parts, { request: c.req.raw, ip, requestId, apiPath: API_PATH });
  });
}

function routeConsole(app: Hono<Bindings>, { console: answer }: AppParts): void {
  if (answer === undefined) return;
  for (const path of [CONSOLE_PATH, `${CONSOLE_PATH}/*`]) {
    app.all(path, (c) => {
      const { ip, requestId } = c.env;
      return answer({ request: c.req.raw, ip, requestId });
    });
  }
}

function routeRender(app: Hono<Bindings>, { render, dispatcher }: AppParts): void {
  if (render === undefined) return;
  app.post(RENDER_PATH, (c) => {
    const { raw: request } = c.req;
    const { ip, requestId } = c.env;
    const read = (maxBytes: number) => readBytes(request, maxBytes);
    return dispatcher.answerBeside({ request, ip, requestId }, ({ accountId: sender }) =>
      render({ request, sender, read }),
    );
  });
  app.all(RENDER_PATH, (c) => refuseMethod(c.req.method, "POST, OPTIONS"));
}

function routeShortLinks(app: Hono<Bindings>, parts: RedirectParts): void {
  app.get("/:file{.+\\.vcf}", (c) =>
    replyVcf(parts, c.req.raw, c.req.param("file").replace(/\.vcf$/u, "")),
  );
  app.all("/:slug", (c) =>
    redirect(parts, c.req.raw, { slug: c.req.param("slug"), sender: c.env.sender }),
  );
}

/**
 * Former versions allowed two of these words as slugs. A link that has one keeps it, since printed
 * codes may lead there.
 */
function routeWatch(app: Hono<Bindings>, { watch, targets }: AppParts): void {
  app.get("/healthz", (c) => c.json({ status: "ok" }, 200, { "cache-control": "no-store" }));
  app.get("/readyz", async (_, next) => {
    // When the database is away, readiness reports it.
    const link = await targets.find("readyz").catch(() => {});
    return link === undefined ? watch.readiness() : next();
  });
  app.get("/metrics", async (c, next) => (await watch.readMetrics(c.req.raw)) ?? next());
}

/** The whole service as one function from request to response. */
export function makeApp(parts: AppParts): Hono<Bindings> {
  const app = new Hono<Bindings>({ strict: false });
  routeDescription(app, parts);
  routeApi(app, parts.dispatcher);
  routeMcp(app, parts);
  routeWatch(app, parts);
  app.all(DESCRIPTION_PATH, (c) => answerMethod(c.req.method) ?? replyDescription(parts));
  app.all(CONTEXT_PATH, (c) => answerMethod(c.req.method) ?? replyContext());
  // The second part of the path is only the file name for browsers.
  for (const path of ["/media/:name", "/media/:name/:label"] as const) {
    app.all(
      path,
      (c) => answerMethod(c.req.method) ?? replyFile(parts.media, c.req.raw, c.req.param("name")),
    );
  }
  for (const path of parts.oauth.paths) {
    app.all(path, (c) => parts.oauth.answer(path, { request: c.req.raw, ip: c.env.ip }));
  }
  routeConsole(app, parts);
  routeRender(app, parts);
  routePages(app, parts);
  routeShortLinks(app, parts);
  app.notFound(async (c) => {
    const visit = { request: c.req.raw, sender: c.env.sender, target: c.env.target };
    return (await resolve(parts, visit)) ?? replyNotFound(c.req.raw);
  });
  app.onError((error, c) => {
    if (error instanceof Refusal) return error.toResponse();
    const trouble = parts.context.disk.takes(error);
    if (trouble !== undefined) {
      const { language, notSent } = wordsFor(c.req.raw);
      const { notNow: title } = notSent;
      const text = trouble === CANT_ASK ? notSent.cantAsk : notSent.cantStore;
      return replyNotice({ language, status: 503, title, text, headers: cantStoreHeaders });
    }
    parts.log.error({ error: toMessage(error), stack: error.stack }, "request failed");
    return new Response("Internal Server Error", { status: 500 });
  });
  return app;
}
