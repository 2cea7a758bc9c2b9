/**
 * Where the events of a workspace are reported (docs/spec/api.md section 6), and the results. The
 * receiver that `serve` names has the workspace's id.
 */
import { webhookEventNames, type WebhookEvent } from "../../api/webhook.ts";
import { badUsage, type AppError } from "../../base/errors.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { isUrl } from "../../base/text/url.ts";

import { isPrivateHost } from "../http/guarded-fetch.ts";
import type { Db, Tables } from "../store/tables.ts";

export interface WebhookSetting {
  /** An http or https address. Its redirects are not followed. */
  readonly url: string;
  /** Key of the signature, as UTF-8 bytes. */
  readonly secret: string;
  /** Which events are reported. Default: scans. */
  readonly events?: readonly WebhookEvent[] | undefined;
}

export interface WebhookDelivery {
  readonly event: WebhookEvent;
  /** Id of the scan or the response. */
  readonly recordId: string;
  /** The code or the form. */
  readonly about: string;
  readonly time: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** The receiver's status; null when none came. */
  readonly status: number | null;
  /** Null when it was received. */
  readonly fault: string | null;
  readonly tookMs: number;
}

export interface WebhookStatus {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** ISO time since which nothing is sent; null = not paused. */
  readonly paused: string | null;
  readonly failuresInRow: number;
  /** Waiting reports, counted up to `MAX_COUNTED`. */
  readonly waiting: number;
  /** The newest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

export interface NewReceiver extends WebhookSetting {
  readonly id: string;
  readonly workspaceId: string;
  /** May have a private address, since the operator named it. */
  readonly trusted: boolean;
  readonly createdMs: number;
}

const MAX_URL = 2000;
const MAX_SECRET = 500;
const MAX_RECEIVERS = 20;
const SHOWN_DELIVERIES = 100;
const MAX_COUNTED = 100_000;

/**
 * Refuses ("bad-usage") settings that can't be used. The message leaves out the address: it may
 * contain a key.
 */
export function checkWebhook({ url, secret, events = ["scan"] }: WebhookSetting): void {
  const isWeb = /^https?:\/\//iu.test(url) && isUrl(url) && url.length <= MAX_URL;
  if (!isWeb) {
    throw badUsage(
      "the webhook's address must be an http or https URL",
      "such as https://example.com/scans",
    );
  }
  if (secret.trim() === "" || secret.length > MAX_SECRET) {
    throw badUsage(
      `the webhook's secret must have 1 to ${MAX_SECRET} characters, got ${secret.length}`,
      "receivers verify the header x-signature with it",
    );
  }
  checkEvents(events);
}

/** Refuses ("bad-usage") an address that can't be reached, or shows a password, where a workspace named it. */
export function checkOwnAddress(address: string): void {
  const url = isUrl(address) ? new URL(address) : undefined;
  if (url === undefined) return;
  if (isPrivateHost(url)) {
    throw badUsage(
      "the webhook's address must be public, got one of the service's computer or network",
      "the operator may add it: makeready webhooks add, or serve --webhook-url",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw badUsage(
      "the webhook's address must have no user and no password, since every token would show them",
      "verify the header x-signature instead",
    );
  }
}

function checkEvents(events: readonly string[]): void {
  const unknown = events.find((one) => !webhookEventNames.some((known) => known === one));
  if (unknown === undefined && events.length > 0) return;
  const got = unknown === undefined ? "none" : JSON.stringify(unknown);
  throw badUsage(
    `the webhook's events must be known ones, got ${got}`,
    didYouMean(unknown ?? "", webhookEventNames),
  );
}

/** `scan,form.submitted`. Throws "bad-usage". */
export function parseEvents(text: string): readonly WebhookEvent[] {
  const events = [...new Set(text.split(",").map((one) => one.trim()))];
  checkEvents(events);
  return events as WebhookEvent[];
}

const readEvents = (json: string): readonly WebhookEvent[] => JSON.parse(json) as WebhookEvent[];

/** Adds or changes a receiver; a paused one continues. */
export async function saveReceiver(tx: Db, setting: NewReceiver): Promise<void> {
  const { id, workspaceId, url, secret, events = ["scan"], trusted } = setting;
  await checkRoom(tx, { id, workspaceId });
  const fresh: Omit<Tables["webhooks"], "id" | "workspace_id" | "created"> = {
    url,
    secret,
    events: JSON.stringify(events),
    trusted: Number(trusted),
    failures: 0,
    next_try: 0,
    paused: null,
  };
  await tx
    .insertInto("webhooks")
    .values({ id, workspace_id: workspaceId, created: setting.createdMs, ...fresh })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(fresh))
    .execute();
  await hurry(tx, id);
}

/** What is called: no fragment is sent, and an empty query is none. */
function toPlace(text: string): string {
  const url = new URL(text);
  url.hash = "";
  if (url.search === "") url.search = "";
  return url.href;
}

export interface Double {
  /** Another receiver of the same address. */
  readonly id: string;
  /** What both would get. */
  readonly events: readonly WebhookEvent[];
}

/** Another receiver that gets the same at the same address: each report would come twice. */
export async function findDouble(
  db: Db,
  setting: Pick<NewReceiver, "workspaceId" | "url" | "events"> & { readonly id?: string },
): Promise<Double | undefined> {
  const { id: own = "", workspaceId, url, events = ["scan"] } = setting;
  const place = isUrl(url) ? toPlace(url) : undefined;
  const receivers = await db
    .selectFrom("webhooks")
    .select(["id", "url", "events"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "<>", own)
    .execute();
  return receivers
    .filter((one) => toPlace(one.url) === place)
    .map(({ id, events: its }) => ({
      id,
      events: readEvents(its).filter((event) => events.includes(event)),
    }))
    .find((one) => one.events.length > 0);
}

/** The refusal ("bad-usage") leaves out the address: it may contain a key. */
export function refuseDouble({ id, events }: Double, workspaceId: string): AppError {
  return badUsage(
    `the webhook's address must be a new one for ${events.join(" and ")}, got that of the receiver ${id}`,
    id === workspaceId
      ? "serve named that receiver: set it with --webhook-events and --webhook-secret there"
      : `to change its secret or events, remove it first: makeready webhooks remove ${id}`,
  );
}

/** Limits their number: every report is stored once for each of them. */
async function checkRoom(
  tx: Db,
  { id, workspaceId }: Pick<NewReceiver, "id" | "workspaceId">,
): Promise<void> {
  const others = await tx
    .selectFrom("webhooks")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "<>", id)
    .execute();
  if (others.length < MAX_RECEIVERS) return;
  throw badUsage(`a workspace must have at most ${MAX_RECEIVERS} receivers`, "remove one first");
}

/** The next try is due now: the person who set the receiver is watching. */
async function hurry(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable("webhook_lanes")
    .set({ next_try: 0, attempts: 0 })
    .where("webhook_id", "=", id)
    .execute();
}

/** A paused receiver continues, with the waiting reports. */
export async function resumeReceiver(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable("webhooks")
    .set({ failures: 0, next_try: 0, paused: null })
    .where("id", "=", id)
    .execute();
  await hurry(tx, id);
}

/** Removes a receiver with its waiting reports; its deliveries stay listed for a while. */
export async function removeReceiver(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom("webhooks").where("id", "=", id).execute();
  for (const table of ["webhook_lanes", "webhook_outbox"] as const) {
    await tx.deleteFrom(table).where("webhook_id", "=", id).execute();
  }
}

async function toStatus(
  db: Db,
  row: Pick<Tables["webhooks"], "id" | "workspace_id" | "url" | "events" | "paused" | "failures">,
): Promise<WebhookStatus> {
  const waiting = await db
    .selectFrom("webhook_outbox")
    .select("seq")
    .where("webhook_id", "=", row.id)
    .limit(MAX_COUNTED)
    .execute();
  const deliveries = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", row.id)
    .orderBy("seq", "desc")
    .limit(SHOWN_DELIVERIES)
    .execute();
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    url: row.url,
    events: readEvents(row.events),
    paused: row.paused === null ? null : new Date(row.paused).toISOString(),
    failuresInRow: row.failures,
    waiting: waiting.length,
    deliveries: deliveries.map((one) => ({
      event: one.event as WebhookEvent,
      recordId: one.record_id,
      about: one.lane,
      time: new Date(one.time).toISOString(),
      attempt: one.attempt,
      status: one.status,
      fault: one.fault,
      tookMs: one.took_ms,
    })),
  };
}

/** Every receiver of a workspace, or of all, the oldest first. */
export async function listReceivers(db: Db, workspaceId?: string): Promise<WebhookStatus[]> {
  const rows = await db
    .selectFrom("webhooks")
    .select(["id", "workspace_id", "url", "events", "paused", "failures"])
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId ?? ""))
    .orderBy("created")
    .orderBy("id")
    .execute();
  const all: WebhookStatus[] = [];
  for (const row of rows) all.push(await toStatus(db, row));
  return all;
}
