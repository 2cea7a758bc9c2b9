/** A service in memory with its console, asked without a browser: cookies are kept as one keeps them. */
import { makeConsole } from "../../src/console/console.tsx";
import type { ServiceOptions } from "../../src/service/service.ts";
import { makeService, type TestService } from "../service/make-service.ts";

const ORIGIN = "http://service.test";

type Fields = Readonly<Record<string, string | Blob | readonly string[]>>;

export interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Where it leads. */
  readonly location: string;
}

export interface Asking {
  readonly headers?: Readonly<Record<string, string>>;
  /** Left out: the one that the session has. */
  readonly csrf?: string;
}

/** One browser at the console. */
export class Visitor {
  readonly #service: TestService;
  readonly cookies = new Map<string, string>();
  #csrf = "";

  constructor(service: TestService) {
    this.#service = service;
  }

  async get(path: string, { headers = {} }: Asking = {}): Promise<Page> {
    return this.#send(new Request(`${ORIGIN}/console${path}`, { headers: this.#with(headers) }));
  }

  async post(path: string, fields: Fields, { headers = {}, csrf }: Asking = {}): Promise<Page> {
    const body = new FormData();
    body.set("csrf", csrf ?? this.#csrf);
    for (const [name, value] of Object.entries(fields)) {
      for (const one of Array.isArray(value) ? value : [value]) body.append(name, one as string);
    }
    const given = { origin: ORIGIN, ...headers };
    return this.#send(
      new Request(`${ORIGIN}/console${path}`, { method: "POST", body, headers: this.#with(given) }),
    );
  }

  async signIn(token: string, to = "/codes"): Promise<Page> {
    const page = await this.get(`/sign-in?to=${encodeURIComponent(to)}`);
    const ticket = /name="ticket" value="([^"]*)"/u.exec(page.text)?.[1] ?? "";
    const answer = await this.post("/sign-in", { token, to, ticket });
    if (answer.status === 303) await this.get("/settings");
    return answer;
  }

  #with(headers: Readonly<Record<string, string>>): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { ...(cookie !== "" && { cookie }), ...headers };
  }

  async #send(request: Request): Promise<Page> {
    const response = await this.#service.fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      if (/max-age=0/iu.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    this.#csrf = /name="csrf" value="([^"]*)"/u.exec(text)?.[1] ?? this.#csrf;
    const { status, headers } = response;
    return { status, text, headers, location: headers.get("location") ?? "" };
  }
}

export interface TestConsole {
  readonly service: TestService;
  /** Signed in to the default account. */
  readonly owner: Visitor;
}

export async function openConsole(options: Partial<ServiceOptions> = {}): Promise<TestConsole> {
  const service = await makeService({ console: makeConsole, ...options });
  const owner = new Visitor(service);
  const { status } = await owner.signIn(service.account.token);
  if (status !== 303) throw new Error(`sign-in: ${status}`);
  return { service, owner };
}
