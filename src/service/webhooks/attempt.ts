/** One try to hand a report over: what is sent, and what counts as received. */
import { toMessage } from "../../base/errors.ts";
import { hmacSha256 } from "../../base/ids.ts";
import type { PostBytes } from "../http/guarded-fetch.ts";

export interface Outcome {
  /** The receiver's status; null when none came. */
  readonly status: number | null;
  /** Undefined = received. */
  readonly fault?: string;
}

/** Lower-case hex of HMAC-SHA256 over the raw body; the key is the secret's UTF-8 bytes. */
export const sign = (secret: string, body: string): string =>
  Buffer.from(hmacSha256(secret, body)).toString("hex");

/**
 * Posts the body as it stands; any 2xx receives it (docs/spec/design.md section 5). Never throws.
 */
export async function attempt(
  post: PostBytes,
  target: { readonly url: string; readonly secret: string; readonly trusted: boolean },
  body: string,
): Promise<Outcome> {
  const headers = {
    "content-type": "application/json",
    "user-agent": "makeready-webhook",
    "x-signature": sign(target.secret, body),
  };
  try {
    const status = await post(target.url, {
      body: Buffer.from(body),
      headers,
      allowPrivate: target.trusted,
    });
    if (status >= 200 && status < 300) return { status };
    const isMoved = status >= 300 && status < 400;
    return {
      status,
      fault: `the receiver answered ${status}${isMoved ? "; redirects are not followed" : ""}`,
    };
  } catch (error) {
    return { status: null, fault: toMessage(error).slice(0, 500) };
  }
}
