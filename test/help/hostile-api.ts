/**
 * A server of the API v2 that behaves as badly as a network, a proxy and a database can, all by a
 * seed: for everything that must work with any server. It shares no code with our service. No
 * network in here: `hostile-server.ts` puts it on a port, `hostile-transport.ts` into simulated
 * time.
 */
import type { Clock } from "../../src/base/time/clock.ts";
import { LimitWindows, type HostileLimits } from "./hostile-limits.ts";

/** What may become of a create. `late`: the socket dies first, the commit comes after. */
export const createFaults = [
  "drop-before",
  "drop-after",
  "late",
  "500-before",
  "500-after",
  "502-before",
  "502-after",
  "503-before",
  "half-body",
  "html-after",
  "no-id",
  "limited",
  "slow",
] as const;
export type CreateFault = (typeof createFaults)[number];

/** What may become of any other request. */
export const otherFaults = ["drop", "500", "502", "half-body", "html", "limited", "slow"] as const;
export type OtherFault = (typeof otherFaults)[number];

export type AssetFault = "cut" | "html" | "503" | "404" | "hang";

/** What may become of a download of a file. */
export const assetFaults = ["cut", "html", "503", "404"] as const satisfies readonly AssetFault[];

export interface HostileRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export type HostileAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
      /** Only so many bytes of the body are sent, then the socket dies. */
      readonly cutAt?: number;
    }
  | { readonly kind: "drop" };

export interface HostileCode {
  readonly id: string;
  readonly createdMs: number;
  readonly visibleAtMs: number;
  readonly body: Readonly<Record<string, unknown>>;
  fields: Record<string, unknown>;
  readonly seq: number;
}

export interface HostileOptions {
  readonly clock: Clock;
  /** From 0 to below 1, seeded. */
  readonly random: () => number;
  readonly token?: string;
  readonly createFault?: (n: number) => CreateFault | undefined;
  readonly otherFault?: (n: number) => OtherFault | undefined;
  readonly assetFault?: (n: number) => AssetFault | undefined;
  readonly limits?: Partial<HostileLimits>;
  /** How long after its socket died a late create is committed. */
  readonly lateMs?: number;
  readonly slowMs?: number;
  /** How long a new code is missing in lists. */
  readonly listLagMs?: number;
  /** Fields that lists leave out. */
  readonly omits?: readonly string[];
  /** Fields that the answer for a single code leaves out. */
  readonly omitsAlone?: readonly string[];
  /** How answers write a code. */
  readonly spell?: (item: Record<string, unknown>) => Record<string, unknown>;
  /** How answers write a page of a list. */
  readonly spellPage?: (page: Record<string, unknown>) => unknown;
  /** Pages are never longer. */
  readonly maxPageSize?: number;
  /** The order of lists. */
  readonly order?: "newest" | "oldest" | "name";
  /** Lists answer 404 behind their last page, or show that again, or their first one whatever is asked for. */
  readonly behind?: "404" | "last" | "first";
  /** So long a list is answered as it was when it was first asked for: as from a cache. */
  readonly listCacheMs?: number;
  /** The wall clock of the server is ahead of the client's by this much; that of each machine by its own. */
  readonly skewMs?: number | (() => number);
  /** Without `Date`. */
  readonly isDateless?: boolean;
  readonly knowsKeys?: boolean;
  /** A gateway sends our keys back, but they are not stored. */
  readonly echoesKeys?: boolean;
  readonly inlineSvg?: boolean;
  /** Lists tell neither `next` nor `count`. */
  readonly isTerse?: boolean;
  /** Changes what was sent before it is kept. */
  readonly echo?: (body: Record<string, unknown>) => Record<string, unknown>;
  /** Says no to a create; `isMade`: after the code was made. */
  readonly refuse?: (
    body: Record<string, unknown>,
  ) => { status: number; body: unknown; isMade?: boolean } | undefined;
  /** Where files are served; may be another origin than the API. */
  readonly assetUrl?: (path: string) => string;
  /** Picture of a text: PNG and SVG. */
  readonly draw?: (text: string) => { png: Uint8Array; svg: string };
}

const DEFAULT_LIMITS: HostileLimits = {
  writes: 1_000_000,
  reads: 1_000_000,
  windowMs: 60_000,
  headers: "legacy",
  retryAfter: "seconds",
  others: 0,
};

const encoder = new TextEncoder();
const HTML = "<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>';

type Reply = { status: number; body: unknown };

export class HostileApi {
  readonly #options: HostileOptions;
  readonly #limits: LimitWindows;
  readonly codes: HostileCode[] = [];
  readonly folders = new Map<string, { id: string; name: string; parent: string | null }>();
  readonly #answers = new Map<string, HostileCode>();
  readonly #cache = new Map<string, { readonly reply: Reply; readonly untilMs: number }>();
  /** Every create that came, in order: whether it was committed or not. */
  creates = 0;
  writes = 0;
  reads = 0;
  assets = 0;
  /** Requests for files that carried a token. */
  assetTokens = 0;
  limited = 0;
  #others = 0;
  #seq = 0;

  constructor(options: HostileOptions) {
    this.#options = options;
    this.#limits = new LimitWindows(options.clock, { ...DEFAULT_LIMITS, ...options.limits });
  }

  /** Codes that have not been deleted. */
  get live(): readonly HostileCode[] {
    return this.codes;
  }

  async handle(request: HostileRequest): Promise<HostileAnswer> {
    const { token = "secret" } = this.#options;
    if (request.path.startsWith("/files/")) return this.#asset(request);
    if (request.headers["authorization"] !== `Token ${token}`) {
      return this.#json({ status: 401, body: { detail: "Invalid token." } });
    }
    const kind = request.method === "GET" ? "read" : "write";
    const { isAllowed, headers } = this.#limits.take(kind);
    if (!isAllowed) {
      this.limited += 1;
      return this.#json({ status: 429, body: { detail: "Request was throttled." } }, headers);
    }
    if (kind === "read") this.reads += 1;
    else this.writes += 1;
    const isCreate = request.method === "POST" && /\/qrcode\/create\/?$/u.test(request.path);
    return isCreate ? this.#create(request, headers) : this.#other(request, headers);
  }

  async #create(request: HostileRequest, limits: Record<string, string>): Promise<HostileAnswer> {
    const fault = this.#options.createFault?.(this.creates);
    this.creates += 1;
    const { clock, lateMs = 1_000, slowMs = 2_000, random } = this.#options;
    const body = JSON.parse(request.body) as Record<string, unknown>;
    const refusal = this.#refuse(body);
    if (refusal !== undefined) return this.#json(refusal, limits);
    const key = request.headers["idempotency-key"];
    const no = this.#options.refuse?.(body);
    if (no?.isMade === true) this.#commit(body, key);
    if (no !== undefined) return this.#json(no, limits);
    const commit = (): HostileAnswer => this.#made(this.#commit(body, key), key, limits);
    if (fault === "slow") await clock.sleep(slowMs * random());
    if (fault === undefined || fault === "slow") return commit();
    if (fault === "late") {
      void this.#commitLate(body, key, lateMs * random());
      return { kind: "drop" };
    }
    if (fault === "limited") {
      this.limited += 1;
      const wait = this.#limits.retryAfter(1);
      return this.#json({ status: 429, body: { detail: "slow down" } }, wait);
    }
    const done = fault.endsWith("before") ? undefined : commit();
    return broken(fault, done, (reply) => this.#json(reply, limits));
  }

  /** Another client makes a code. */
  commitFor(body: Record<string, unknown>): void {
    this.#commit(body, undefined);
  }

  async #commitLate(body: Record<string, unknown>, key: string | undefined, ms: number) {
    await this.#options.clock.sleep(Math.ceil(ms));
    this.#commit(body, key);
  }

  #refuse(body: Record<string, unknown>): Reply | undefined {
    if (String(body["qr_data"]).includes("refuse-me")) {
      return { status: 400, body: { qr_data: ["This destination is not allowed."] } };
    }
    const folder = body["folder"];
    if (folder !== undefined && ![...this.folders.values()].some(({ id }) => id === folder)) {
      return { status: 400, body: { folder: ["Not found."] } };
    }
    return undefined;
  }

  #commit(body: Record<string, unknown>, key: string | undefined): HostileCode {
    const { knowsKeys = false, echo, listLagMs = 0 } = this.#options;
    const known = knowsKeys && key !== undefined ? this.#answers.get(key) : undefined;
    if (known !== undefined) return known;
    this.#seq += 1;
    const createdMs = this.#nowMs();
    const kept = echo?.(body) ?? body;
    const code: HostileCode = {
      id: `code-${String(this.#seq).padStart(6, "0")}`,
      createdMs,
      visibleAtMs: createdMs + listLagMs,
      body,
      seq: this.#seq,
      fields: {
        display_name: kept["display_name"] ?? "",
        qr_data: kept["qr_data"] ?? "",
        qr_type: kept["qr_type"] ?? "Link",
        dynamic: kept["dynamic"] ?? false,
        folder: kept["folder"] ?? null,
      },
    };
    this.codes.unshift(code);
    if (key !== undefined) this.#answers.set(key, code);
    return code;
  }

  #made(code: HostileCode, key: string | undefined, limits: Record<string, string>) {
    const { knowsKeys = false, echoesKeys = false, inlineSvg = true } = this.#options;
    const headers =
      (knowsKeys || echoesKeys) && key !== undefined
        ? { ...limits, "Idempotency-Key": key }
        : limits;
    const body = { ...this.#toItem(code), ...(inlineSvg && { svg: this.#draw(code).svg }) };
    return this.#json({ status: 201, body }, headers);
  }

  async #other(request: HostileRequest, limits: Record<string, string>): Promise<HostileAnswer> {
    const fault = this.#options.otherFault?.(this.#others);
    this.#others += 1;
    const { clock, slowMs = 2_000, random } = this.#options;
    switch (fault) {
      case undefined:
        return this.#json(this.#route(request), limits);
      case "slow":
        await clock.sleep(slowMs * random());
        return this.#json(this.#route(request), limits);
      case "drop":
        return { kind: "drop" };
      case "limited":
        this.limited += 1;
        return this.#json({ status: 429, body: {} }, this.#limits.retryAfter(1));
      case "half-body":
      case "html":
        return broken(
          fault === "html" ? "html-after" : fault,
          this.#json(this.#route(request), limits),
          (reply) => this.#json(reply, limits),
        );
      case "500":
      case "502":
        return broken(`${fault}-before`, undefined, (reply) => this.#json(reply, limits));
      default:
        return fault satisfies never;
    }
  }

  #route(request: HostileRequest): Reply {
    const url = new URL(request.path, "http://hostile.invalid");
    const path = url.pathname.replace(/^\/api\/v2/u, "").replace(/\/$/u, "");
    const body = request.body === "" ? {} : (JSON.parse(request.body) as Record<string, unknown>);
    if (/^\/workspace\/[^/]+\/qrcodes$/u.test(path)) return this.#cached(url);
    if (request.method === "POST" && path.endsWith("/folder/create")) return this.#folder(body);
    if (request.method === "POST" && /folders?(\/create)?$/u.test(path)) return this.#folder(body);
    const [, id, verb] = /^\/qrcode\/([^/]+)(?:\/(.+))?$/u.exec(path) ?? [];
    const code = this.codes.find((other) => other.id === id && other.visibleAtMs <= this.#nowMs());
    if (code === undefined) return { status: 404, body: { detail: "Not found." } };
    return this.#codeCall(code, { method: request.method, verb, body });
  }

  #codeCall(
    code: HostileCode,
    call: { method: string; verb: string | undefined; body: Record<string, unknown> },
  ): Reply {
    if (call.method === "DELETE") {
      this.codes.splice(this.codes.indexOf(code), 1);
      return { status: 204, body: undefined };
    }
    if (call.verb === "download") {
      const { assetUrl = (path: string) => path } = this.#options;
      const urls = {
        png_url: assetUrl(`/files/${code.id}.png`),
        svg_url: assetUrl(`/files/${code.id}.svg`),
      };
      return { status: 200, body: urls };
    }
    if (call.verb === "update") code.fields = { ...code.fields, ...call.body };
    const { omitsAlone = [] } = this.#options;
    const told = without(this.#toItem(code), omitsAlone);
    return { status: 200, body: { ...told, svg: this.#draw(code).svg } };
  }

  #cached(url: URL): Reply {
    const known = this.#cache.get(url.href);
    const nowMs = this.#nowMs();
    if (known !== undefined && nowMs < known.untilMs) return known.reply;
    const reply = this.#list(url.searchParams);
    this.#cache.set(url.href, { reply, untilMs: nowMs + (this.#options.listCacheMs ?? 0) });
    return reply;
  }

  #list(query: URLSearchParams): Reply {
    const now = this.#nowMs();
    const folder = query.get("folder");
    const seen = this.codes
      .filter((code) => code.visibleAtMs <= now)
      .filter((code) => folder !== "none" || code.fields["folder"] === null)
      .toSorted((a, b) => this.#compare(a, b));
    if (seen.length === 0) return { status: 200, body: { message: "No codes.", results: [] } };
    const {
      behind,
      maxPageSize = 200,
      spellPage = (told: Record<string, unknown>) => told,
    } = this.#options;
    const asked = Number(query.get("page") ?? 1);
    const size = Math.min(maxPageSize, Number(query.get("page_size") ?? 50));
    const last = Math.ceil(seen.length / size);
    if (asked > last && behind === "404") return { status: 404, body: { detail: "Invalid page." } };
    const page = behind === "first" ? 1 : behind === "last" ? Math.min(asked, last) : asked;
    const results = seen.slice((page - 1) * size, page * size).map((code) => this.#toListed(code));
    const next = page * size < seen.length ? `http://elsewhere.invalid/?page=${page + 1}` : null;
    const rest = this.#options.isTerse === true ? {} : { count: seen.length, next, previous: null };
    return { status: 200, body: spellPage({ ...rest, results }) };
  }

  #compare(a: HostileCode, b: HostileCode): number {
    const { order = "newest" } = this.#options;
    if (order === "name")
      return String(a.fields["qr_data"]).localeCompare(String(b.fields["qr_data"]));
    const isNewer = b.createdMs - a.createdMs || b.seq - a.seq;
    return order === "newest" ? isNewer : -isNewer;
  }

  #folder(body: Record<string, unknown>): Reply {
    const parent = (body["parent"] as string | undefined) ?? null;
    const name = String(body["name"]);
    const key = `${parent ?? ""}/${name}`;
    const known = this.folders.get(key);
    if (known !== undefined) return { status: 200, body: { ...known, path: key } };
    const folder = { id: `folder-${this.folders.size + 1}-${this.#seq}`, name, parent };
    this.folders.set(key, folder);
    return { status: 201, body: { ...folder, path: key } };
  }

  /** Somebody deletes every folder; their codes are unfiled from then on. */
  forgetFolders(): void {
    this.folders.clear();
    for (const code of this.codes) code.fields["folder"] = null;
  }

  #toListed(code: HostileCode): Record<string, unknown> {
    return without(this.#toItem(code), this.#options.omits ?? []);
  }

  #toItem(code: HostileCode): Record<string, unknown> {
    const { folder, dynamic, ...rest } = code.fields;
    const known = [...this.folders.values()].find(({ id }) => id === folder);
    const { spell = (told: Record<string, unknown>) => told } = this.#options;
    return spell({
      id: code.id,
      ...rest,
      dynamic,
      ...(dynamic === true && { shortlink_url: toShortLink(code) }),
      created: new Date(code.createdMs).toISOString(),
      folder: known === undefined ? null : { id: known.id, name: known.name },
    });
  }

  #draw(code: HostileCode): { png: Uint8Array; svg: string } {
    const text =
      code.fields["dynamic"] === true ? toShortLink(code) : String(code.fields["qr_data"]);
    return this.#options.draw?.(text) ?? { png: new Uint8Array(), svg: SVG };
  }

  #asset(request: HostileRequest): HostileAnswer {
    const fault = this.#options.assetFault?.(this.assets);
    this.assets += 1;
    if (request.headers["authorization"] !== undefined) this.assetTokens += 1;
    const [, id, format] = /^\/files\/(.+)\.(png|svg)$/u.exec(request.path) ?? [];
    const code = this.codes.find((other) => other.id === id);
    if (fault === "hang") return { kind: "drop" };
    if (code === undefined || fault === "404") return toAnswer(404, "text/plain", "gone");
    if (fault === "503") return toAnswer(503, "text/html", HTML);
    if (fault === "html") return toAnswer(200, "text/html", HTML);
    const { png, svg } = this.#draw(code);
    const whole = format === "png" ? png : encoder.encode(svg);
    // Cut off, but with a length that says all is there: only the content shows it.
    const body = fault === "cut" ? whole.slice(0, Math.floor(whole.length * 0.6)) : whole;
    return toAnswer(200, format === "png" ? "image/png" : "image/svg+xml", body);
  }

  #nowMs(): number {
    const { clock, skewMs = 0 } = this.#options;
    return clock.nowMs() + (typeof skewMs === "number" ? skewMs : skewMs());
  }

  #json({ status, body }: Reply, headers: Record<string, string> = {}): HostileAnswer {
    const text = body === undefined ? "" : JSON.stringify(body);
    const answer = toAnswer(status, "application/json", text);
    const date = this.#options.isDateless === true ? {} : { date: this.#date() };
    return { ...answer, headers: { ...answer.headers, ...date, ...headers } };
  }

  #date(): string {
    return new Date(this.#nowMs()).toUTCString();
  }
}

const without = (
  item: Record<string, unknown>,
  fields: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)));

const toShortLink = (code: HostileCode): string =>
  `https://s.example/${code.seq.toString(36).padStart(6, "0")}`;

function toAnswer(
  status: number,
  type: string,
  body: string | Uint8Array,
): HostileAnswer & { kind: "answer" } {
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  return { kind: "answer", status, headers: { "content-type": type }, body: bytes };
}

/** The answer of a request that went wrong; `done` is what it would have been. */
function broken(
  fault: string,
  done: HostileAnswer | undefined,
  json: (reply: Reply) => HostileAnswer,
): HostileAnswer {
  const status = Number(/^\d+/u.exec(fault)?.[0] ?? 0);
  if (status === 500) return json({ status, body: { detail: "Internal server error" } });
  if (status > 500) return toAnswer(status, "text/html", HTML);
  if (fault === "html-after") return toAnswer(200, "text/html", HTML);
  if (fault === "no-id") return json({ status: 201, body: { detail: "created" } });
  if (fault === "half-body" && done?.kind === "answer") {
    return { ...done, cutAt: Math.floor(done.body.length / 2) };
  }
  return { kind: "drop" };
}
