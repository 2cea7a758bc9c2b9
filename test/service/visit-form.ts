/** A respondent without a browser: opens a form, fills in what its page has, sends it. */
import type { TestService, Wire } from "./make-service.ts";

const FIELD = { id: "temp-1", field_type: "text", label: "Name" };

/** A published form; answers its last API answer. */
export async function publishForm(
  service: TestService,
  fields: readonly Record<string, unknown>[] = [FIELD],
  settings: Record<string, unknown> = {},
): Promise<Wire> {
  const { workspace } = service;
  const made = await service.send("POST", "/form/create/", { workspace, title: "Feedback" });
  const path = `/form/${made.body.id}`;
  const saved = await service.send("POST", `${path}/save/`, { fields, ...settings });
  if (saved.status !== 200) throw new Error(saved.text);
  const { body } = await service.send("POST", `${path}/publish/`, {});
  return body;
}

/** What a page is and says. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Of the form on it. */
  readonly ticket: string;
}

async function see(response: Promise<Response>): Promise<Seen> {
  const { status, headers, text } = await response.then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
  }));
  const ticket = /name="ticket" value="([^"]+)"/u.exec(text)?.[1] ?? "";
  return { status, headers, html: text, ticket };
}

export const look = (service: Pick<TestService, "fetch">, url: string): Promise<Seen> =>
  see(service.fetch(new Request(url)));

export type Answers = Readonly<Record<string, string | readonly string[] | Blob>>;

interface Sending {
  readonly answers: Answers;
  /** Default: that of the page, opened for it. */
  readonly ticket?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends answers as a browser would: multipart with files, else urlencoded. */
export async function submit(
  service: Pick<TestService, "fetch">,
  url: string,
  { answers, ticket, headers = {} }: Sending,
): Promise<Seen> {
  const carried = ticket ?? (await look(service, url)).ticket;
  const pairs = Object.entries({ ticket: carried, ...answers }).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as string[]) : [value as string | Blob]).map(
      (one) => [name, one] as const,
    ),
  );
  const hasFile = pairs.some(([, value]) => value instanceof Blob);
  const body = hasFile ? new FormData() : new URLSearchParams();
  for (const [name, value] of pairs) (body as FormData).append(name, value);
  // Whole, as sockets hand it over: Node 24 throws where nobody reads a form to its end.
  const sent = new Response(body);
  const type = sent.headers.get("content-type") ?? "";
  const request = new Request(url, {
    method: "POST",
    body: await sent.arrayBuffer(),
    headers: { "content-type": type, ...headers },
    redirect: "manual",
  });
  return see(service.fetch(request));
}

/** The submissions that the API lists. */
export async function listResponses(service: TestService, id: string, query = ""): Promise<Wire> {
  return (await service.get(`/forms/${id}/responses/${query}`)).body;
}
