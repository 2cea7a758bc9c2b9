/** The service as the console sees it. */
import { endpoints, toPath } from "../../api/endpoints.ts";
import { DesignPatch } from "../../api/design.ts";
import { readErrorBody } from "../../api/errors.ts";
import { AppError } from "../../base/errors.ts";
import { hmacSha256, toBase32 } from "../../base/ids/ids.ts";

import { CONSOLE_PATH } from "../addresses.ts";
import { requireOwned, requireWorkspace, type Caller } from "../auth/accounts.ts";
import { Sessions, type Session } from "../auth/sessions.ts";
import type { Context } from "../context.ts";
import { overlayTemplate, patchDesign } from "../designs/design-fields.ts";
import type { Drawing } from "../designs/stored-design.ts";
import { readBytes } from "../http/body.ts";
import type { Dispatcher } from "../http/dispatch.ts";
import { isForeign } from "../http/foreign.ts";
import { parseOrRefuse } from "../http/problems.ts";
import { openRateLimit } from "../http/rate-limit.ts";
import { Refusal, refuse } from "../http/reply.ts";
import { readDesign, toDrawing } from "../resources/codes/rows.ts";
import { findTemplateDesign } from "../resources/templates/rows.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { makeOwner } from "./owner.ts";
import type { ConsoleService, ConsoleVisit, DrawingWish, RefusedWords, SignIn } from "./port.ts";

export interface ConsoleParts {
  readonly context: Context;
  readonly dispatcher: Dispatcher;
  readonly webhooks: Webhooks;
  readonly folder: string | undefined;
  /** Signs forms; kept with the store. */
  readonly key: string;
  /** The service itself. */
  readonly ask: (request: Request) => Response | Promise<Response>;
}

const API_PATH = "/api/v2";
/** Wrong tokens allowed per network and minute. */
const WRONG_TOKENS = 10;
/** Drawings allowed per token and minute: five a second. */
const DRAWINGS = 300;
const SAMPLE = "https://example.com/preview";
const MAX_TOKEN = 500;

type Refused = Exclude<SignIn, { readonly secret: string }>;

function toRefused(context: Context, error: unknown): RefusedWords | undefined {
  if (error instanceof Refusal) {
    return { status: error.reply.status, lines: readErrorBody(error.reply.body) };
  }
  if (error instanceof AppError && (error.kind === "usage" || error.kind === "input")) {
    const { message, hint } = error;
    return { status: 400, lines: [hint === undefined ? message : `${message} (${hint})`] };
  }
  const trouble = context.disk.takes(error);
  return trouble === undefined ? undefined : { status: 503, lines: [trouble] };
}

async function readForm(request: Request, maxBytes: number): Promise<FormData> {
  const bytes = await readBytes(request, maxBytes);
  const type = request.headers.get("content-type") ?? "";
  try {
    const body = bytes as Uint8Array<ArrayBuffer>;
    return await new Response(body, { headers: { "content-type": type } }).formData();
  } catch {
    throw refuse.whole("The body must be a form.");
  }
}

/** The drawing before the wish changes it. */
async function findBase(context: Context, session: Session, wish: DrawingWish): Promise<Drawing> {
  const { caller } = session;
  const { db } = context.store;
  if (wish.codeId !== undefined) {
    const row = await requireOwned(db, "codes", caller, wish.codeId);
    return { text: toDrawing(context, row).text, design: readDesign(row) };
  }
  const workspaceId = await requireWorkspace(db, caller, wish.workspaceId);
  const { templateId } = wish;
  const design =
    templateId === undefined ? {} : await findTemplateDesign(context, workspaceId, templateId);
  return { text: SAMPLE, design };
}

function makeDrawer({ context, dispatcher }: ConsoleParts): ConsoleService["draw"] {
  const limit = openRateLimit(context, "drawing");
  return async (session, wish) => {
    const { caller } = session;
    const quota = await limit.take(caller.tokenId, DRAWINGS);
    if (quota.exceeded && (await dispatcher.quotasOf(caller)) !== undefined) {
      throw refuse.tooMany(quota.resetS);
    }
    const { text, design } = await findBase(context, session, wish);
    const {
      remove_logo: isBare,
      logo_base64: image,
      ...patch
    } = parseOrRefuse(DesignPatch, wish.patch);
    const isOfTemplate = wish.codeId === undefined;
    const { logo, ...rest } = (isOfTemplate ? overlayTemplate : patchDesign)(design, patch);
    const shown = logo === undefined || isBare === true ? rest : { ...rest, logo };
    const ownLogo =
      (image ?? null) === null ? undefined : await context.logos.pngFromBase64(image ?? "");
    return context.drawings.picture({ text, design: shown }, ownLogo);
  };
}

/** Runs work with the same key one after the other. */
function makeTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work);
    const end = Promise.allSettled([mine]);
    last.set(key, end);
    try {
      return await mine;
    } finally {
      if (last.get(key) === end) last.delete(key);
    }
  };
}

function makeSignIn({ context }: ConsoleParts, sessions: Sessions): ConsoleService["signIn"] {
  const limit = openRateLimit(context, "sign-in");
  // One by one: of a hundred guesses at once, each would see the count before all of them.
  const inTurn = makeTurns();
  const find = (token: string, ip: string): Promise<Caller | Refused> =>
    inTurn(ip, async () => {
      const quota = await limit.peek(ip, WRONG_TOKENS);
      if (quota.remaining === 0) return { refused: "brake", waitS: quota.resetS };
      const caller = token.length > MAX_TOKEN ? undefined : await context.callers.ofToken(token);
      if (caller !== undefined) return caller;
      await limit.take(ip, WRONG_TOKENS);
      return { refused: "token" };
    });
  return async (token, { ip }): Promise<SignIn> => {
    const found = await find(token, ip);
    return "refused" in found ? found : { secret: await sessions.open(found) };
  };
}

function makeCall({ context, dispatcher }: ConsoleParts): ConsoleService["call"] {
  const { addresses } = context;
  const inTurn = makeTurns();
  return (session, visit: ConsoleVisit, asked) => {
    const { name, params, query = {}, body, isFurther = false, onlyMakes = false } = asked;
    const url = new URL(`${API_PATH}${toPath(name, params as never)}`, visit.request.url);
    url.search = new URLSearchParams(query).toString();
    const [method] = endpoints[name].methods;
    const request = new Request(addresses.seenByClients(url), {
      method,
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { ip, requestId } = visit;
    const { caller } = session;
    const arrival = { request, ip, requestId, names: [name], params, caller, onlyMakes };
    return isFurther
      ? inTurn(caller.tokenId, () => dispatcher.answer({ ...arrival, isCounted: false }))
      : dispatcher.answer(arrival);
  };
}

/** The service as its console sees it; nothing of it is public. */
export function makeConsoleService(parts: ConsoleParts): ConsoleService {
  const { context, dispatcher, key, ask } = parts;
  const { addresses, clock, store } = context;
  const sessions = new Sessions({ ...context, key });
  const seen = (path: string, request: Request): URL =>
    addresses.seenByClients(new URL(path, request.url));
  return {
    nowMs: () => clock.nowMs(),
    basePath: (request) => seen(CONSOLE_PATH, request).pathname,
    publicUrl: () => addresses.publicUrl,
    apiUrl: (request) => seen(API_PATH, request).href,
    isSecure: (request) => seen(CONSOLE_PATH, request).protocol === "https:",
    // The console's pages always send an origin: one without it ("null") is foreign.
    isForeign: (request) =>
      request.headers.get("origin") === "null" || isForeign(request, addresses.publicUrl),
    sign: (text) => toBase32(hmacSha256(key, text)),
    readForm,
    signIn: makeSignIn(parts, sessions),
    findSession: (secret) => sessions.find(secret),
    async chooseWorkspace(secret, { caller }, workspaceId) {
      await sessions.choose(secret, await requireWorkspace(store.db, caller, workspaceId));
    },
    signOut: (secret) => sessions.end(secret),
    async signOutEverywhere({ caller }) {
      if (caller.isReadOnly) throw refuse.readOnly();
      await sessions.endAll(caller);
    },
    countSessions: ({ caller }) => sessions.countOf(caller),
    call: makeCall(parts),
    draw: makeDrawer(parts),
    async askResolver(url, headers) {
      const { pathname, search } = new URL(url);
      const own = new URL(addresses.ownTarget(`${pathname}${search}`), url);
      return ask(new Request(own, { method: "HEAD", headers }));
    },
    owner: ({ caller }) =>
      makeOwner(
        {
          ...parts,
          quotasOf: (one) => dispatcher.quotasOf(one),
          countWrite: (one) => dispatcher.countWrite(one),
        },
        caller,
      ),
    toRefused: (error) => toRefused(context, error),
  };
}
