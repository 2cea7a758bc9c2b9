/**
 * Who may use the console: a session cookie that scripts can't read and other sites can't send; a key in every
 * form that other sites can't know; no page in a frame.
 */
import { createHash, timingSafeEqual } from "node:crypto";

import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

import type { Session } from "../service/auth/sessions.ts";
import type { ConsoleService } from "../service/owner/port.ts";
import type { Assets } from "./assets.ts";
import type { ConsoleHome } from "./home.ts";
import type { Bindings } from "./visit.ts";

export const SESSION_COOKIE = "makeready_console";

const HOUR_S = 3600;
/** The longest time of a session. */
const LONGEST_S = 7 * 24 * HOUR_S;

export const guardHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  // With no referrer at all, browsers would send no origin either.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const toDigest = (text: string): Buffer => createHash("sha256").update(text).digest();

export const isSame = (a: string, b: string): boolean => timingSafeEqual(toDigest(a), toDigest(b));

export interface SignedIn {
  readonly session: Session;
  readonly secret: string;
}

type Ctx = Context<Bindings>;

export interface Guard {
  readonly find: (c: Ctx) => Promise<SignedIn | undefined>;
  /** The sent form, unless another site sent it. */
  readonly readForm: (c: Ctx, signed: SignedIn, maxBytes: number) => Promise<FormData | undefined>;
  readonly keep: (c: Ctx, secret: string) => void;
  /** Ends the session of this browser, if it has one. */
  readonly end: (c: Ctx) => Promise<void>;
  /** The same, and removes the cookie. */
  readonly forget: (c: Ctx) => Promise<void>;
}

export interface ConsoleParts {
  readonly home?: ConsoleHome | undefined;
  readonly service: ConsoleService;
  readonly assets: Assets;
  readonly guard: Guard;
}

export function makeGuard(service: ConsoleService): Guard {
  const cookieOf = (c: Ctx) => ({
    path: service.basePath(c.env.arrival.request),
    secure: service.isSecure(c.env.arrival.request),
    httpOnly: true,
    sameSite: "Strict" as const,
  });
  const end = (c: Ctx): Promise<void> => service.signOut(getCookie(c, SESSION_COOKIE) ?? "");
  return {
    end,
    async find(c) {
      const secret = getCookie(c, SESSION_COOKIE) ?? "";
      const session = await service.findSession(secret);
      return session === undefined ? undefined : { session, secret };
    },
    async readForm(c, { session }, maxBytes) {
      const { request } = c.env.arrival;
      if (service.isForeign(request)) return undefined;
      const form = await service.readForm(request, maxBytes);
      const key = form.get("csrf");
      return typeof key === "string" && isSame(key, session.formKey) ? form : undefined;
    },
    keep: (c, secret) =>
      setCookie(c, SESSION_COOKIE, secret, { ...cookieOf(c), maxAge: LONGEST_S }),
    async forget(c) {
      await end(c);
      deleteCookie(c, SESSION_COOKIE, cookieOf(c));
    },
  };
}
