/** What the OAuth endpoints answer: JSON, errors as in RFC 6749 section 5.2, for every origin. */
import { readBytes } from "../../http/body.ts";

/** Pages of other origins may ask: nothing here depends on who is signed in to a browser. */
export const openToAll: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "www-authenticate, retry-after",
};

export function replyJson(
  body: unknown,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      pragma: "no-cache",
      ...openToAll,
      ...headers,
    },
  });
}

/** A request that is turned down: `error` is a word of the RFC, `text` says it to people. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly error: string;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(error: string, text: string, status = 400, headers: Record<string, string> = {}) {
    super(text);
    this.error = error;
    this.status = status;
    this.headers = headers;
  }

  toResponse(): Response {
    const { error, message, status, headers } = this;
    return replyJson({ error, error_description: message }, { status, headers });
  }
}

export const tooMany = (resetS: number): OAuthError =>
  new OAuthError("temporarily_unavailable", `Too many requests; try again in ${resetS} s.`, 429, {
    "retry-after": String(resetS),
  });

/** Parameters by name; those without a value count as left out (RFC 6749 section 3.1). */
export type Params = ReadonlyMap<string, readonly string[]>;

export function toParams(search: URLSearchParams): Params {
  const params = new Map<string, string[]>();
  for (const [name, value] of search) {
    if (value !== "") params.set(name, [...(params.get(name) ?? []), value]);
  }
  return params;
}

/** The value of a parameter, undefined when it is left out; given twice it is refused. */
export function readOne(params: Params, name: string): string | undefined {
  const values = params.get(name) ?? [];
  if (values.length > 1) throw new OAuthError("invalid_request", `${name} must be given once.`);
  return values[0];
}

export function requireOne(params: Params, name: string): string {
  const value = readOne(params, name);
  if (value === undefined) throw new OAuthError("invalid_request", `${name} must be given.`);
  return value;
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/iu;
const MAX_FORM_BYTES = 16 * 1024;

/** The parameters of a body. Throws a `Refusal` for one that is too long or broke off. */
export async function readForm(request: Request): Promise<Params> {
  if (!FORM_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new OAuthError("invalid_request", "The body must be application/x-www-form-urlencoded.");
  }
  const bytes = await readBytes(request, MAX_FORM_BYTES);
  return toParams(new URLSearchParams(new TextDecoder().decode(bytes)));
}
