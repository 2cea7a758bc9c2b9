/** An assistant that is let in by a token, as an assistant and a person do it (docs/spec/api.md section 5.6). */
import { createHash } from "node:crypto";

import type { Wire } from "../service/make-service.ts";

interface Door {
  /** Of the service, without a path. */
  readonly origin: string;
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

export interface LetIn {
  /** What the assistant got for its approval; it is exchanged once. */
  readonly exchange: () => Promise<string>;
}

const FORM = "application/x-www-form-urlencoded";

/** Registers the assistant "Helper" and approves it. */
export async function letIn({ origin, fetch }: Door, token: string): Promise<LetIn> {
  const send = async (path: string, body: string, type: string): Promise<Response> =>
    fetch(
      new Request(`${origin}${path}`, {
        method: "POST",
        body,
        headers: { "content-type": type },
        redirect: "manual",
      }),
    );
  const redirect = "http://localhost:7777/back";
  const registered = await send(
    "/oauth/register",
    JSON.stringify({ client_name: "Helper", redirect_uris: [redirect] }),
    "application/json",
  );
  const { client_id: client } = (await registered.json()) as { client_id: string };
  const verifier = "v".repeat(50);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client,
    redirect_uri: redirect,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  const asked = await fetch(new Request(`${origin}/oauth/authorize?${query}`));
  const ticket = /name="ticket" value="([^"]+)"/u.exec(await asked.text())?.[1] ?? "";
  const decided = new URLSearchParams({ ticket, api_token: token, decision: "approve" });
  const led = await send(`/oauth/authorize?${query}`, decided.toString(), FORM);
  const code = new URL(led.headers.get("location") ?? "").searchParams.get("code") ?? "";
  return {
    async exchange() {
      const body = new URLSearchParams({
        grant_type: "authorization_code",
        client_id: client,
        redirect_uri: redirect,
        code,
        code_verifier: verifier,
      });
      const tokens = await send("/oauth/token", body.toString(), FORM);
      return ((await tokens.json()) as Wire)["access_token"] as string;
    },
  };
}
