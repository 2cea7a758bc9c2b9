/** Every answer passes here: it gets a line in the log and is counted. */
import { createHash, timingSafeEqual } from "node:crypto";

import type { Context } from "../context.ts";
import { readLastBackup } from "../backup/last-backup.ts";
import type { ScanRecorder } from "../scans/recorder.ts";
import { StoreAway } from "../store/postgres/store-away.ts";
import type { Facts, Kind, Metrics } from "./metrics.ts";

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["api", "api"],
  ["mcp", "assistant"],
  ["oauth", "assistant"],
  ["console", "console"],
  ["media", "file"],
  ["form", "form"],
  ["page", "page"],
  // These are no visits of links: programs ask for them often.
  ...["healthz", "readyz", "metrics", "favicon.ico", "robots.txt", "context.jsonld"].map(
    (name) => [name, "other"] as const,
  ),
]);

/** @param path as the service sees it, without the path of a public address */
export function toKind(path: string): Kind {
  const [first = "", ...rest] = path.slice(1).replace(/\/$/u, "").split("/", 3);
  const known = KINDS.get(first);
  if (known !== undefined) return known;
  if (rest.length === 0 && first !== "") return "link";
  return /^\d{2,4}$/u.test(first) ? "digital-link" : "other";
}

export interface WatchOptions {
  /** With this token the figures can be read; undefined = nobody can, and nothing is counted. */
  readonly metricsToken?: string | undefined;
  /** Visits get a line in the log as well, not only API requests. Default false. */
  readonly accessLog?: boolean | undefined;
}

type WatchParts = Pick<Context, "log" | "clock" | "store" | "disk" | "addresses">;

/** A request and its answer. Without query and headers: searches are private, tokens secret. */
interface Line {
  readonly requestId?: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const REPORTS = "SELECT count(*) AS n FROM webhook_outbox";

export class Watch {
  readonly #parts: WatchParts;
  readonly #options: WatchOptions;
  #metrics: Metrics | undefined;

  constructor(parts: WatchParts, options: WatchOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Starts counting if somebody can read the figures; loads the code for it only then. */
  async start(recorder: Pick<ScanRecorder, "waiting" | "lost">): Promise<void> {
    if (this.#options.metricsToken === undefined) return;
    const { makeMetrics } = await import("./metrics.ts");
    this.#metrics = makeMetrics(() => this.#readFacts(recorder));
  }

  /** Visits are many: they are counted, and logged only with an access log. */
  answered(line: Line): void {
    const { log, addresses } = this.#parts;
    const { path, status, ms } = line;
    const kind = toKind(addresses.ownTarget(path));
    const isLogged = this.#options.accessLog === true || kind === "api";
    log[isLogged ? "info" : "debug"](line, "request");
    this.#metrics?.count({ kind, status, ms });
  }

  /** A plain redirect, which doesn't pass the router. */
  redirected(target: string, held?: Promise<void>): void {
    if (this.#metrics === undefined && this.#options.accessLog !== true) return;
    const [path = ""] = target.split("?", 1);
    const line = { method: "GET", path, status: 302, ms: 0 };
    if (held === undefined) return this.answered(line);
    const { clock } = this.#parts;
    const startMs = clock.monotonicMs();
    void held.then(() => this.answered({ ...line, ms: clock.monotonicMs() - startMs }));
  }

  /** The figures; undefined for a request without the token: the path then looks unknown. */
  async readMetrics(request: Request): Promise<Response | undefined> {
    const { metricsToken } = this.#options;
    const given = /^bearer +(\S+)$/iu.exec(request.headers.get("authorization") ?? "")?.[1];
    if (this.#metrics === undefined || metricsToken === undefined || given === undefined) {
      return undefined;
    }
    if (!timingSafeEqual(digest(given), digest(metricsToken))) return undefined;
    const { text, type } = await this.#metrics.read();
    return new Response(text, { headers: { "content-type": type, "cache-control": "no-store" } });
  }

  /**
   * Whether visits should be sent here. Even with a data folder that can't be written, redirects
   * work: so visits are welcome, and the answer says that nothing is stored.
   */
  async readiness(): Promise<Response> {
    const { disk, store } = this.#parts;
    const headers = { "cache-control": "no-store" };
    try {
      await store.rows.get("SELECT 1 FROM workspaces LIMIT 1");
      // A database that can be read again can be written again.
      if (store.kind === "postgres") disk.stored();
      const { takesWrites } = disk;
      return Response.json({ status: "ready", takes_writes: takesWrites }, { headers });
    } catch (error) {
      const detail =
        error instanceof StoreAway
          ? "The database can't be reached. Codes that were asked for lately still lead on."
          : "The database can't be read.";
      const body = { status: "not ready", detail };
      return Response.json(body, { status: 503, headers });
    }
  }

  async #readFacts({ waiting, lost }: Pick<ScanRecorder, "waiting" | "lost">): Promise<Facts> {
    const { store, disk } = this.#parts;
    const reports = await store.rows.get<{ n: number }>(REPORTS);
    const last = await readLastBackup(store);
    return {
      scansWaiting: waiting,
      scansLost: lost,
      reportsWaiting: reports?.n ?? 0,
      storeBytes: await store.bytes(),
      takesWrites: disk.takesWrites,
      lastBackup: last === undefined ? undefined : last.at / 1000,
    };
  }
}
