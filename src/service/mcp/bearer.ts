/** Who stands behind `Authorization: Bearer ...` at the assistant endpoint (api-v2.md section 5.6). */
import { findToken, type Caller } from "../accounts/accounts.ts";
import type { Context } from "../context.ts";

export type BearerParts = Pick<Context, "store" | "clock">;

const SCHEME = /^Bearer[ ]+(\S+)\s*$/iu;

/** The token of the header, or undefined (RFC 6750, section 2.1). */
export const readBearer = (header: string | null): string | undefined =>
  SCHEME.exec(header ?? "")?.[1];

/** The account of a bearer token, an API token as it is; undefined when nobody has it. */
export async function findBearer(
  { store }: BearerParts,
  token: string,
): Promise<Caller | undefined> {
  return findToken(store.db, token);
}
