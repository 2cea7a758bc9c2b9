import type { ToldCode } from "../../src/api/code.ts";
import type { FakeClock } from "../help/fake-clock.ts";
import type { Client, CreateOptions, CreateOutcome } from "../../src/client/client.ts";
import { feed, makeQueues } from "../../src/client/queues.ts";

/** What becomes of one create on the way. */
export type Fault =
  | "none"
  | "drop-before"
  | "drop-after-commit"
  | "refuse"
  | "limit"
  | "auth"
  | "die-after-intent"
  | "die-after-commit";

export class Killed extends Error {}

export interface FakeServer {
  readonly client: Client;
  readonly items: ToldCode[];
  readonly creates: { body: Record<string, unknown>; key: string }[];
  readonly calls: string[];
  /** Decides the fate of the nth create (from 0). */
  fate: (n: number) => Fault;
  /** True: the server knows `Idempotency-Key`. */
  knowsKeys: boolean;
}

const lost = (message: string): CreateOutcome =>
  ({
    kind: "doubt",
    message,
    keyEchoed: false,
    error: new Error(message),
  }) as unknown as CreateOutcome;

/** A server in memory behind the client's interface, with faults at will. */
export function makeFakeServer(clock: FakeClock): FakeServer {
  const queues = makeQueues(1);
  const byKey = new Map<string, ToldCode>();
  let made = 0;
  const commit = (body: Record<string, unknown>, key: string): ToldCode => {
    const known = server.knowsKeys ? byKey.get(key) : undefined;
    if (known !== undefined) return known;
    made += 1;
    const item = {
      id: `id-${made}`,
      display_name: body["display_name"],
      qr_data: body["qr_data"],
      qr_type: body["qr_type"],
      dynamic: body["dynamic"],
      shortlink_url: `https://s.example/${made}`,
      created: new Date(clock.nowMs()).toISOString(),
      folder: body["folder"] === undefined ? null : { id: body["folder"] },
      svg: "<svg/>",
    } as unknown as ToldCode;
    server.items.unshift(item);
    byKey.set(key, item);
    return item;
  };
  const answer = (item: ToldCode): CreateOutcome =>
    ({
      kind: "done",
      code: item,
      raw: item,
      status: 200,
      keyEchoed: server.knowsKeys,
      serverMs: clock.nowMs(),
    }) as unknown as CreateOutcome;
  const outcomes: Record<Fault, (body: Record<string, unknown>, key: string) => CreateOutcome> = {
    none: (body, key) => answer(commit(body, key)),
    "drop-before": () => lost("socket reset"),
    "drop-after-commit": (body, key) => {
      commit(body, key);
      return lost("socket reset");
    },
    refuse: () =>
      ({
        kind: "refused",
        problems: [],
        message: "qr_data: Must be a URL",
        status: 400,
        keyEchoed: false,
      }) as unknown as CreateOutcome,
    limit: () =>
      ({ kind: "limited", message: "429", keyEchoed: false }) as unknown as CreateOutcome,
    auth: () => ({ kind: "auth", message: "401", keyEchoed: false }) as unknown as CreateOutcome,
    "die-after-intent": () => {
      throw new Killed("killed");
    },
    "die-after-commit": (body, key) => {
      commit(body, key);
      throw new Killed("killed");
    },
  };
  const client = {
    queues,
    serverNowMs: () => clock.nowMs(),
    eachWrite: (items: Iterable<never>, work: (item: never) => Promise<void>) =>
      feed(queues.write, items, work, { priority: "creates" }),
    createCode: async (body: Record<string, unknown>, options: CreateOptions) => {
      await options.beforeSend?.();
      const n = server.creates.length;
      server.creates.push({ body, key: options.idempotencyKey });
      clock.nowMs();
      await clock.advance(10);
      return outcomes[server.fate(n)](body, options.idempotencyKey);
    },
    createFolder: async (body: { name: string; parent?: string }) => {
      server.calls.push(`folder ${body.parent ?? ""}/${body.name}`);
      return Promise.resolve({ id: `folder:${body.parent ?? ""}/${body.name}` });
    },
    listToldCodes: async ({ page, page_size: size }: { page: number; page_size: number }) => {
      server.calls.push(`list ${page}`);
      const from = (page - 1) * size;
      const results = server.items.slice(from, from + size);
      const next = from + size < server.items.length ? "next" : null;
      return Promise.resolve({ count: server.items.length, results, next, previous: null });
    },
    updateCode: async (id: string, patch: object) => {
      server.calls.push(`update ${id} ${JSON.stringify(patch)}`);
      return Promise.resolve({});
    },
    restyleCode: async (id: string, patch: object) => {
      server.calls.push(`design ${id} ${JSON.stringify(patch)}`);
      return Promise.resolve({ svg: "<svg><!-- new --></svg>" });
    },
    addTags: async (id: string, tags: object) => {
      server.calls.push(`tags ${id} ${JSON.stringify(tags)}`);
      return Promise.resolve({});
    },
    removeTag: async (id: string, tag: string) => {
      server.calls.push(`untag ${id} ${tag}`);
      return Promise.resolve({});
    },
  } as unknown as Client;
  const server: FakeServer = {
    client,
    items: [],
    creates: [],
    calls: [],
    fate: () => "none",
    knowsKeys: false,
  };
  return server;
}
