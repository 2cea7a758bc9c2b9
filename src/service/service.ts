/** The API as a running service: the front door of this folder. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";

import { systemClock, type Clock } from "../base/time/clock.ts";
import type { AppError } from "../base/errors.ts";
import { randomIds, type Ids } from "../base/ids/ids.ts";
import { makeLog, type Log } from "../base/log.ts";
import { labelFonts, openQrEngine, type QrEngine } from "../qr/engine.ts";

import { Addresses } from "./addresses.ts";
import { API_PATH, makeApp, type AppParts } from "./app.ts";
import { openAccount, type Access } from "./auth/accounts.ts";
import { Callers } from "./auth/callers.ts";
import { OAuth } from "./auth/oauth/oauth.ts";
import type { Context, Handlers } from "./context.ts";
import { Artwork } from "./designs/artwork.ts";
import { readBuiltInTemplates } from "./designs/built-in.ts";
import { Drawings } from "./designs/drawing.ts";
import { Logos } from "./designs/logos.ts";
import { readOwnTemplates } from "./designs/own.ts";
import { Dispatcher } from "./http/dispatch.ts";
import { toLimitRule, type LimitChoice } from "./http/limit-rule.ts";
import { fetchBytes, postBytes, type FetchBytes, type PostBytes } from "./http/guarded-fetch.ts";
import { Idempotency } from "./http/idempotency.ts";
import { listen, type Listener, type ListenOptions } from "./http/listen.ts";
import { openRateLimit } from "./http/rate-limit.ts";
import { RequestGate } from "./http/request-gate.ts";
import { makeServed, OWN_BINDINGS, readTarget } from "./http/served.ts";
import { makeConsoleService } from "./owner/console-service.ts";
import type { Mounted } from "./owner/port.ts";
import { readFrontPages } from "./public/front-page.ts";
import { PublicForms } from "./public/forms/public-forms.ts";
import { makeCodeHandlers } from "./resources/codes/handlers.ts";
import { makeFolderHandlers } from "./resources/folders/handlers.ts";
import { makeFormHandlers } from "./resources/forms/handlers.ts";
import { makeLinkHandlers } from "./resources/links/handlers.ts";
import { makePageHandlers } from "./resources/pages/handlers.ts";
import { makePdfHandlers } from "./resources/pdfs/handlers.ts";
import { makeProductHandlers } from "./resources/products/handlers.ts";
import { makeTagHandlers } from "./resources/tags/handlers.ts";
import { makeTemplateHandlers } from "./resources/templates/handlers.ts";
import { makeActivityHandlers } from "./scans/activity.ts";
import { makeAnalyticsHandlers } from "./scans/analytics.ts";
import { openScans, type ScanOptions, type Scans } from "./scans/scans.ts";
import { setUpWorkspace, type WorkspaceSetup } from "./set-up-workspace.ts";
import { openDataFolder, toDataError } from "./store/data-folder.ts";
import { DiskWatch } from "./store/disk-watch.ts";
import { lockFolder } from "./store/folder-lock.ts";
import { makeMemoryMedia, openMediaFolder, readOwnFile } from "./store/media.ts";
import { readKeptUrl } from "./store/keep-address.ts";
import { STORE_FILE } from "./store/public-address.ts";
import { openStoreOf } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";
import { tidy } from "./tidy.ts";
import {
  openWebhooks,
  type FormReports,
  type WebhookControl,
  type Webhooks,
} from "./webhooks/webhooks.ts";
import { Watch, type WatchOptions } from "./watch/watch.ts";

export type { WebhookEvent } from "../api/webhook.ts";
export type { Clock } from "../base/time/clock.ts";
export type { Ids } from "../base/ids/ids.ts";
export type { Log } from "../base/log.ts";
export { MCP_PATH } from "./addresses.ts";
export type { Access } from "./auth/accounts.ts";
export type { Plan } from "./auth/plan.ts";
export type { FetchBytes, PostBytes } from "./http/guarded-fetch.ts";
export type { LimitChoice } from "./http/limit-rule.ts";
export type { ListenOptions, Patience } from "./http/listen.ts";
export type { Render, RenderVisit } from "./http/render-port.ts";
export type { MakeConsole } from "./owner/port.ts";
export type { Place } from "./scans/places.ts";
export type { WebhookDelivery, WebhookSetting, WebhookStatus } from "./webhooks/receivers.ts";
export type { WebhookChoice, WebhookControl } from "./webhooks/webhooks.ts";

export interface ServiceOptions extends ScanOptions, WatchOptions, WorkspaceSetup, Mounted {
  /** Folder of the data, made when missing; `:memory:` keeps nothing on disk. */
  readonly dataDir: string;
  /**
   * A PostgreSQL database (`postgres://…`) that several processes may share; `dataDir` then holds
   * files, token and templates, and must be the same folder for all. Default: SQLite in `dataDir`.
   */
  readonly store?: string | undefined;
  /**
   * No other process may serve the folder: each counts limits and stored scans only for itself.
   * Jobs leave this out, since they run beside the process that serves. Default false.
   */
  readonly isSole?: boolean | undefined;
  /**
   * What short links begin with. Default: as kept in the data folder, else where the service
   * listens.
   */
  readonly publicUrl?: string | undefined;
  /**
   * What file addresses begin with. Default: where the service listens if `publicUrl` leads to this
   * computer and has no path, else `publicUrl`; `http://localhost` for one that doesn't listen.
   * "listen" = always where it listens: for a job that needs its files before `publicUrl` is served.
   */
  readonly assetUrl?: string | undefined;
  /**
   * `hosted` (default): the limits of the API document. `off`: nothing is limited, and answers have
   * no `RateLimit-*` headers. `told`: nothing is limited either, but answers have the headers that
   * the document promises, with a limit that is never reached. With figures, `rejected` limits
   * requests of an address without a valid token (default 20).
   */
  readonly limits?: LimitChoice | undefined;
  /**
   * New dynamic codes get links with scheme, host and slug in capitals, which need a smaller code.
   * Existing links stay. Default false.
   */
  readonly capitalLinks?: boolean | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
  readonly log?: Log | undefined;
  /** Is called while another process still serves the data folder (`isSole`). */
  readonly onWait?: (() => void) | undefined;
  /** Gives the default account a new token and refuses its old ones. Default false. */
  readonly renewToken?: boolean | undefined;
  /** Makes a second account, for tests of tenant isolation. */
  readonly demoAccounts?: boolean | undefined;
  /** How logos and PDFs are fetched. Default: over HTTP, public addresses only. */
  readonly fetch?: FetchBytes | undefined;
  /** Lets server-side fetches reach private addresses. Default false. */
  readonly allowPrivateFetch?: boolean | undefined;
  /** False: the process that serves this data folder delivers the reports. Default true. */
  readonly deliverWebhooks?: boolean | undefined;
  /** How reports are posted. Default: over HTTP. */
  readonly post?: PostBytes | undefined;
  /** Threads that draw styled PNGs, 0 for none. Default: one less than the cores, 1 to 4. */
  readonly drawingThreads?: number | undefined;
}

export interface Service {
  /** Answers one request, without a socket. */
  fetch(request: Request): Promise<Response>;
  readonly account: Access;
  readonly otherAccount?: Access;
  /** Webhooks of workspaces: set, look at, remove. */
  readonly webhooks: WebhookControl;
  /** Rolls up the stored scans; without this, it happens in quiet moments. */
  readonly rollUp: () => Promise<void>;
  /** Serves over HTTP; `baseUrl` is the API's root. At most once. */
  listen(options: ListenOptions): Promise<{ readonly url: string; readonly baseUrl: string }>;
  /** Resolves when a newer makeready changed the store's tables: nothing can be written then. */
  readonly outdated: Promise<AppError>;
  /** Finishes requests in flight, stores the last scans, closes the store. May be called twice. */
  close(): Promise<void>;
}

const IN_MEMORY = ":memory:";
const toStoreFile = (folder: string): string => path.join(folder, STORE_FILE);

/** A random value, made once per store and kept in it. */
function openSecret(store: Store, key: string): Promise<string> {
  return store.write(async (tx) => {
    const value = randomBytes(32).toString("hex");
    await tx
      .insertInto("meta")
      .values({ key, value })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .execute();
    const row = tx.selectFrom("meta").select("value").where("key", "=", key);
    return (await row.executeTakeFirstOrThrow()).value;
  });
}

/** One core is left for answering requests. */
const DRAWING_THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));

async function openEngine({ drawingThreads = DRAWING_THREADS }: ServiceOptions): Promise<QrEngine> {
  const fonts = await Promise.all(labelFonts.map((font) => readFile(font)));
  return openQrEngine({ fonts, threads: drawingThreads });
}

async function makeContext(
  options: ServiceOptions,
  { store, engine }: { readonly store: Store; readonly engine: QrEngine },
): Promise<Omit<Context, "ownTemplates">> {
  const { dataDir, clock = systemClock, ids = randomIds, log = makeLog() } = options;
  const drawings = new Drawings(store, engine);
  const { fetch: get = fetchBytes, allowPrivateFetch: allowPrivate = false } = options;
  const media =
    dataDir === IN_MEMORY ? makeMemoryMedia() : openMediaFolder(path.join(dataDir, "media"));
  const { publicUrl = await readKeptUrl(store) } = options;
  const addresses = new Addresses({ ...options, publicUrl });
  const disk = new DiskWatch({ log, clock });
  store.onCommit(() => disk.stored());
  const fetch = async (url: string, maxBytes: number): Promise<Uint8Array> =>
    (await readOwnFile(url, { addresses, media })) ?? get(url, { maxBytes, allowPrivate });
  return {
    store,
    clock,
    ids,
    log,
    disk,
    addresses,
    callers: new Callers({ store, clock }),
    drawings,
    media,
    artwork: new Artwork(await openSecret(store, "media_key"), media, drawings),
    fetch,
    logos: new Logos({
      store,
      clock,
      fetch,
      normalize: (...image) => engine.normalizeLogo(...image),
    }),
    plan: options.plan ?? {},
    builtIn: await readBuiltInTemplates(),
  };
}

function makeHandlers(context: Context): Handlers {
  return {
    ...makeCodeHandlers(context),
    ...makeTemplateHandlers(context),
    ...makeActivityHandlers(context),
    ...makeAnalyticsHandlers(context),
    ...makeTagHandlers(context),
    ...makeFolderHandlers(context),
    ...makePdfHandlers(context),
    ...makeLinkHandlers(context),
    ...makePageHandlers(context),
    ...makeFormHandlers(context),
    ...makeProductHandlers(context),
  };
}

/**
 * Opens the service on a data folder: the store `service.db`, the files `media/`, the token
 * `token`, the templates `templates/`. The first open makes the default account. Throws
 * "state-newer" for the store of a newer makeready, "state-foreign" for one of another program,
 * "data-locked" for a folder that another process serves (`isSole`), "data-unwritable" for one that
 * can't be written, "design-invalid" for a template that can't be drawn.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { dataDir, isSole = false, clock = systemClock, onWait } = options;
  const folder = dataDir === IN_MEMORY ? undefined : dataDir;
  const held: (() => unknown)[] = [];
  const free = async (): Promise<void> => {
    for (const end of held.toReversed()) await end();
  };
  try {
    if (folder !== undefined) await openDataFolder(folder, options.log ?? makeLog());
    if (isSole && folder !== undefined && options.store === undefined) {
      const lock = await lockFolder(folder, { clock, onWait });
      held.push(() => lock.release());
    }
    const store = await openStoreOf(
      options.store,
      folder === undefined ? undefined : toStoreFile(folder),
    );
    held.push(() => store.close());
    const engine = await openEngine(options);
    held.push(() => engine.close());
    const context = await makeContext(options, { store, engine });
    return await startService(options, context, { folder, free });
  } catch (error) {
    await free();
    throw toDataError(error, folder);
  }
}

async function openScanning(
  options: ServiceOptions,
  context: Context,
  { folder, workspaceId }: { readonly folder: string | undefined; readonly workspaceId: string },
): Promise<{ readonly scans: Scans; readonly webhooks: Webhooks }> {
  const { store } = context;
  const key = await openSecret(store, "scanner_key");
  const webhooks = openWebhooks(context, {
    post: options.post ?? postBytes,
    deliver: options.deliverWebhooks,
  });
  try {
    await setUpWorkspace(options, { store, webhooks }, workspaceId);
    const scans = await openScans(context, options, {
      key,
      reports: webhooks.reports,
      file: folder === undefined ? undefined : toStoreFile(folder),
    });
    return { scans, webhooks };
  } catch (error) {
    await webhooks.close();
    throw error;
  }
}

/** The operator's templates from the data folder. */
async function addTemplates(
  parts: Omit<Context, "ownTemplates">,
  { folder, workspaceId }: { readonly folder: string | undefined; readonly workspaceId: string },
): Promise<Context> {
  if (folder === undefined) return { ...parts, ownTemplates: new Map() };
  const setup = { defaultWorkspaceId: workspaceId, logos: parts.logos };
  return { ...parts, ownTemplates: await readOwnTemplates(path.join(folder, "templates"), setup) };
}

/** The parts that answer people, not clients of the API. */
async function openPublic(
  context: Context,
  { limits }: ServiceOptions,
  reports: FormReports,
): Promise<{ readonly forms: PublicForms; readonly oauth: OAuth }> {
  const isLimited = limits !== "off" && limits !== "told";
  const { store } = context;
  return {
    forms: new PublicForms({
      context,
      key: await openSecret(store, "form_key"),
      isLimited,
      reports,
    }),
    oauth: new OAuth({ context, key: await openSecret(store, "oauth_key"), isLimited }),
  };
}

/** The routes; the console uses them like any other client. */
async function openApp(
  options: ServiceOptions,
  parts: Omit<AppParts, "console">,
  { webhooks, folder }: { readonly webhooks: Webhooks; readonly folder: string | undefined },
): Promise<ReturnType<typeof makeApp>> {
  const { context, dispatcher } = parts;
  let app: ReturnType<typeof makeApp>;
  const console = options.console?.(
    makeConsoleService({
      context,
      dispatcher,
      webhooks,
      folder,
      key: await openSecret(context.store, "console_key"),
      ask: (request) => app.fetch(request, { ...OWN_BINDINGS, target: readTarget(request) }),
    }),
  );
  app = makeApp({ ...parts, console, render: options.render });
  return app;
}

async function startService(
  options: ServiceOptions,
  parts: Omit<Context, "ownTemplates">,
  { folder, free }: { readonly folder: string | undefined; readonly free: () => Promise<void> },
): Promise<Service> {
  const { store, clock, ids, log, addresses } = parts;
  const setup = { store, ids, clock, folder };
  tidy(parts);
  const outdated = new Promise<AppError>((resolve) => store.onOutdated(resolve));
  const account = await openAccount({ ...setup, renewToken: options.renewToken }, "default");
  const other = options.demoAccounts === true ? await openAccount(setup, "other") : undefined;
  const { workspaceId } = account;
  const context = await addTemplates(parts, { folder, workspaceId });
  const { scans, webhooks } = await openScanning(options, context, { folder, workspaceId });
  const dispatcher = new Dispatcher({
    context,
    handlers: makeHandlers(context),
    rateLimit: openRateLimit(context, "api"),
    limitRule: toLimitRule(options.limits),
    idempotency: new Idempotency(store, context.drawings, clock),
  });
  const open = await openPublic(context, options, webhooks.formReports);
  const watch = new Watch(context, options);
  await watch.start(scans.recorder);
  const frontPages = await readFrontPages(folder);
  const whole = { ...context, ...scans, ...open, context, dispatcher, watch, frontPages };
  const app = await openApp(options, whole, { webhooks, folder });
  const gate = new RequestGate({ log, clock, watch });
  const served = makeServed({ app, gate, scans, addresses, watch });
  let listener: Listener | undefined;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await listener?.close();
    await gate.close();
    await scans.close();
    await webhooks.close();
    await free();
  };
  return {
    fetch: (request) => served.fetch(request, { ip: "embedded", target: readTarget(request) }),
    account,
    webhooks,
    outdated,
    rollUp: scans.rollUp,
    ...(other === undefined ? {} : { otherAccount: other }),
    async listen(where) {
      listener = await listen(served, where);
      addresses.listenUrl = listener.url;
      scans.targets.clear();
      return { url: listener.url, baseUrl: `${listener.url}${API_PATH}` };
    },
    close: () => (closing ??= close()),
  };
}
