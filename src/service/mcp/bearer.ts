/**
 * Who stands behind `Authorization: Bearer ...` at the assistant endpoint
 * (docs/spec/api.md section 5.6).
 */
import type { Caller } from "../auth/accounts.ts";
import type { Context } from "../context.ts";

type BearerParts = Pick<Context, "callers">;

const SCHEME = /^Bearer[ ]+(\S+)\s*$/iu;

/** The token of the header, or undefined (RFC 6750, section 2.1). */
export const readBearer = (header: string | null): string | undefined =>
  SCHEME.exec(header ?? "")?.[1];

/** The account of an API token, or of an access token that was issued by OAuth; else undefined. */
export async function findBearer(
  { callers }: BearerParts,
  token: string,
): Promise<Caller | undefined> {
  return (await callers.ofToken(token)) ?? callers.ofAccessToken(token);
}
