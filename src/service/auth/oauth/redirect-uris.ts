/**
 * Where assistants may redirect people: https, http on this computer (RFC 8252 section 7.3),
 * schemes of native apps (RFC 8252 section 7.1).
 */
import { isUrl } from "../../../base/text/url.ts";

const MAX_LENGTH = 2000;
const VISIBLE_ASCII = /^[\u0021-\u007e]+$/u;
const WEB = /^https:\/\/[^/\\?]/iu;
/** `http` on this computer, and its port, which may differ each time (RFC 8252 section 7.3). */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/iu;
/** An app's own: `com.example.app:/back`, `editor://sign-in`. */
const APP = /^([a-z][a-z0-9+.-]{2,}):\/[^\s]/iu;
/** Schemes that browsers or systems handle themselves. */
const NO_APP =
  /^(?:https?|javascript|data|vbscript|file|filesystem|blob|about|ftps?|wss?|mailto|tel|sms|urn|view-source|intent|jar|resource|chrome|edge|ms-.*|search-ms|shell|ldaps?|ssh|telnet|git|irc|news|nntp|gopher)$/u;

const withoutPort = (uri: string): string =>
  uri.replace(LOOPBACK, (_, host: string) => `http://${host.toLowerCase()}`);

/** Why `uri` can't be registered, or undefined. */
export function findUriFault(uri: unknown): string | undefined {
  if (typeof uri !== "string") return "must be an absolute URI";
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (!isUrl(uri)) return "must be an absolute URI";
  if (!VISIBLE_ASCII.test(uri)) return "must be of visible ASCII characters";
  if (uri.includes("#")) return "must have no fragment";
  const { username, password } = new URL(uri);
  if (username !== "" || password !== "") return "must have no user or password";
  return isKnownKind(uri)
    ? undefined
    : "must be https, http on localhost, 127.0.0.1 or [::1], or an app's own scheme";
}

function isKnownKind(uri: string): boolean {
  if (WEB.test(uri) || LOOPBACK.test(uri)) return true;
  const [, scheme] = APP.exec(uri) ?? [];
  return scheme !== undefined && !NO_APP.test(scheme.toLowerCase());
}

/** True when `given` equals a registered URI; on this computer the port may differ. */
export function isRegistered(registered: readonly string[], given: string): boolean {
  if (findUriFault(given) !== undefined) return false;
  return registered.some(
    (one) => one === given || (LOOPBACK.test(one) && withoutPort(one) === withoutPort(given)),
  );
}

/** This computer's own address: people may be redirected there without a question. */
export const isThisComputer = (uri: string): boolean => LOOPBACK.test(uri);

/** How people are shown where they will be led. */
export function describeTarget(uri: string): string {
  if (isThisComputer(uri)) return `${new URL(uri).host} (this computer)`;
  const { protocol, host } = new URL(uri);
  return protocol === "https:" ? host : `the app that opens ${protocol} addresses`;
}

/** Appends the answer to the parameters of `uri`. */
export function withAnswer(
  uri: string,
  answer: Readonly<Record<string, string | undefined>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(answer))
    if (value !== undefined) params.set(name, value);
  return `${uri}${uri.includes("?") ? "&" : "?"}${params.toString()}`;
}
