/**
 * Who may use a desk: this computer only, by a link that works once, then by a session cookie. `Host`
 * is checked against names that were bound to this address (DNS rebinding), `Origin` on every change.
 * Assistants have a token instead of a session, for `/mcp` alone.
 */
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";

import type { Ids } from "../base/ids/ids.ts";
import { isSame } from "../console/guard.ts";
import { readBearer } from "../service/mcp/bearer.ts";
import { MCP_PATH } from "../service/addresses.ts";

const KEY_LENGTH = 32;

/** Why a request is turned away; the page says it in words. */
export type Refused = "host" | "origin" | "link-used" | "no-session";

export interface Keys {
  /** Opens a session, once. */
  readonly link: string;
  readonly session: string;
  /** Of assistants; undefined: none is let in by a token. */
  readonly token: string | undefined;
}

export const makeKeys = (ids: Ids, hasToken: boolean): Keys => ({
  link: ids.slug(KEY_LENGTH),
  session: ids.slug(KEY_LENGTH),
  token: hasToken ? ids.slug(KEY_LENGTH) : undefined,
});

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
  "x-content-type-options": "nosniff",
  // Without a referrer browsers would send no origin either.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

export interface Guard {
  /** Path that the one-time link leads to. */
  readonly openPath: string;
  readonly middleware: MiddlewareHandler;
}

interface GuardOptions {
  readonly keys: Keys;
  /** Port of the loopback interface; asked late, as it is known only when the desk listens. */
  readonly port: () => number;
  /** Address of the style: pages without a session have it, too. */
  readonly style?: string;
  readonly refuse: (c: Context, why: Refused) => Response | Promise<Response>;
}

export function makeGuard({ keys, port, style, refuse }: GuardOptions): Guard {
  const openPath = "/open";
  let isLinkUsed = false;
  const cookieName = (): string => `makeready_desk_${port()}`;
  const hosts = (): string[] => ["127.0.0.1", "localhost"].map((name) => `${name}:${port()}`);

  const openSession = (c: Context): Response | Promise<Response> => {
    const given = c.req.query("key") ?? "";
    if (isLinkUsed || !isSame(given, keys.link)) return refuse(c, "link-used");
    isLinkUsed = true;
    setCookie(c, cookieName(), keys.session, { httpOnly: true, sameSite: "Strict", path: "/" });
    // A cookie that came with a link from elsewhere is sent only by a page of the desk itself.
    return c.html(
      '<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>makeready</title>',
    );
  };

  /** Assistants are no pages: they send no origin, or their desk's. */
  const hasToken = (c: Context, host: string): boolean => {
    const given = readBearer(c.req.header("authorization") ?? null);
    if (keys.token === undefined || given === undefined || c.req.path !== MCP_PATH) return false;
    return (
      isSame(given, keys.token) && [undefined, `http://${host}`].includes(c.req.header("origin"))
    );
  };

  const judge = (c: Context): Refused | undefined => {
    const host = c.req.header("host") ?? "";
    if (!hosts().includes(host)) return "host";
    if (hasToken(c, host)) return undefined;
    const isSignedIn = isSame(getCookie(c, cookieName()) ?? "", keys.session);
    const origin = c.req.header("origin");
    if (!SAFE_METHODS.has(c.req.method) && origin !== `http://${host}`) {
      // No page: an assistant, whose token is missing or wrong.
      const isAssistant = c.req.path === MCP_PATH && origin === undefined && !isSignedIn;
      return isAssistant ? "no-session" : "origin";
    }
    return [openPath, style].includes(c.req.path) || isSignedIn ? undefined : "no-session";
  };

  const middleware: MiddlewareHandler = async (c, next) => {
    const why = judge(c);
    if (why !== undefined) c.res = await refuse(c, why);
    else if (c.req.path === openPath) c.res = await openSession(c);
    else await next();
    for (const [name, value] of Object.entries(HEADERS)) {
      // Finished files have a stricter policy of their own.
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  };
  return { openPath, middleware };
}
