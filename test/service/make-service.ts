/** A service in memory with a fake clock and counted ids, and short ways to talk to it. */
import path from "node:path";

import { fakeClock, type FakeClock } from "../help/fake-clock.ts";
import { sequentialIds } from "../help/sequential-ids.ts";
import type { Log } from "../../src/base/log.ts";
import {
  openService,
  type Access,
  type Service,
  type ServiceOptions,
} from "../../src/service/service.ts";
import { copyDatabase, freshDatabase } from "../postgres.ts";
import { untilQuiet } from "../postgres-quiet.ts";
import { openPostgres, PostgresStore } from "../../src/service/store/postgres/postgres-store.ts";
import { openStore, SqliteStore } from "../../src/service/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/service/store/store.ts";
import { conform } from "./conform.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The wire is untyped on purpose: tests say what they expect.
  readonly body: Wire;
  readonly text: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are probed field by field
export type Wire = any;

export interface SendOptions {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, with no content type unless `headers` has one. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

export interface TestService extends Service {
  readonly clock: FakeClock;
  readonly workspace: string;
  readonly other: Access;
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    options?: SendOptions,
  ) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  /** A created code's answer. */
  readonly code: (fields?: Record<string, unknown>) => Promise<Wire>;
  readonly folder: (name: string, parent?: string) => Promise<Wire>;
  /** Visits a short link and lets the scan be stored. */
  readonly scan: (url: string, userAgent?: string) => Promise<Response>;
}

export const PUBLIC_URL = "https://go.example";

/** `isPostgres`: every service has a database of PostgreSQL. With `TEST_PG=1`, of all tests. */
export const testStore = { isPostgres: process.env["TEST_PG"] === "1" };
let template: Promise<string> | undefined;

/** With all tables. */
async function makeTemplate(): Promise<string> {
  const url = await freshDatabase();
  await (await openPostgres(url)).close();
  return url;
}

const freshStore = async (): Promise<string> => copyDatabase(await (template ??= makeTemplate()));
const databases = new Map<string, Promise<string>>();

/** The database of a data folder: opened again, a service finds its data. */
async function findDatabase(folder: string): Promise<string> {
  if (folder === ":memory:") return freshStore();
  const known = databases.get(folder) ?? freshStore();
  databases.set(folder, known);
  return known;
}

/** What tells a command where the data of a folder are. */
export const storeSetting = async (folder: string): Promise<Record<string, string>> =>
  testStore.isPostgres ? { MAKEREADY_STORE: await findDatabase(folder) } : {};

/** A second look at the data of a folder, as another process has it. */
export async function openBeside(folder: string): Promise<Store> {
  if (testStore.isPostgres) return openPostgres(await findDatabase(folder));
  return openStore(path.join(folder, "service.db"));
}

/** The class of the stores that services of tests have, to spy on. */
export const storeClass = (): { readonly prototype: Store } =>
  testStore.isPostgres ? PostgresStore : SqliteStore;

/** A test's clock differs from the database's: that isn't reported. */
const withoutClocks = (log: Log): Log => ({
  debug: (about, message) => log.debug(about, message),
  info: (about, message) => log.info(about, message),
  warn: (about, message) => void ("apart_s" in about || log.warn(about, message)),
  error: (about, message) => log.error(about, message),
});

export async function makeService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const isPostgres = testStore.isPostgres || options.store !== undefined;
  const startMs = Date.UTC(2026, 10, 20, 8, 0, 0);
  const clock = isPostgres ? fakeClock(startMs, untilQuiet) : fakeClock(startMs);
  const service = await openService({
    dataDir: ":memory:",
    publicUrl: PUBLIC_URL,
    limits: "off",
    demoAccounts: true,
    drawingThreads: 0,
    clock,
    ids: sequentialIds(),
    ...(testStore.isPostgres && { store: await findDatabase(options.dataDir ?? ":memory:") }),
    ...options,
    ...(testStore.isPostgres &&
      options.log &&
      options.store === undefined && { log: withoutClocks(options.log) }),
  });
  return wrapService(service, clock);
}

async function expectOk(answer: Promise<Answer>): Promise<Wire> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

export function wrapService(service: Service, clock: FakeClock): TestService {
  const { token, workspaceId: workspace } = service.account;
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    options: SendOptions = {},
  ): Promise<Answer> => {
    const sent = options.token === undefined ? token : options.token;
    const response = await service.fetch(
      new Request(`http://service.test/api/v2${path}`, {
        method,
        headers: {
          ...(sent === null ? {} : { authorization: `Token ${sent}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...options.headers,
        },
        body: options.raw ?? (body === undefined ? null : JSON.stringify(body)),
      }),
    );
    const text = await response.text();
    const isJson = /^application\/(?:linkset\+)?json$/u.test(
      response.headers.get("content-type") ?? "",
    );
    const { status, headers } = response;
    const answer = isJson && text !== "" ? JSON.parse(text) : undefined;
    conform({ method, path, status, headers, body: answer });
    return { status, headers, body: answer, text };
  };
  return {
    ...service,
    clock,
    workspace,
    other: service.otherAccount ?? service.account,
    send,
    get: (path) => send("GET", path),
    code: (fields = {}) =>
      expectOk(
        send("POST", "/qrcode/create/", {
          workspace,
          qr_data: "https://example.com/",
          ...fields,
        }),
      ),
    folder: (name, parent) =>
      expectOk(send("POST", "/folder/create/", { workspace, name, parent: parent ?? null })),
    async scan(url, userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Mobile Safari/604.1") {
      const response = await service.fetch(
        new Request(url, { headers: { "user-agent": userAgent }, redirect: "manual" }),
      );
      await clock.advance(100);
      return response;
    },
  };
}
