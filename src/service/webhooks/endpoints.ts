/**
 * Where the scans of a workspace are reported to (docs/spec/api.md section 6), and what became of
 * it.
 */
import { AppError } from "../../base/errors.ts";
import { isUrl } from "../../base/url.ts";

import type { Db, Tables } from "../store/tables.ts";

export interface WebhookSetting {
  /** An http or https address. Redirects of it are not followed. */
  readonly url: string;
  /** Key of the signature; its UTF-8 bytes. */
  readonly secret: string;
}

export interface WebhookDelivery {
  readonly scanId: string;
  readonly codeId: string;
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
  readonly url: string;
  /** ISO time since when nothing is sent; null while it is. */
  readonly paused: string | null;
  readonly failuresInRow: number;
  /** Reports that wait, at most `MAX_COUNTED`. */
  readonly waiting: number;
  /** The newest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

const MAX_URL = 2000;
const MAX_SECRET = 500;
const SHOWN_DELIVERIES = 100;
const MAX_COUNTED = 100_000;

/** Refuses ("bad-usage") what can't be reported to. The address stands in no message: it may hold a key. */
export function checkWebhook({ url, secret }: WebhookSetting): void {
  const isWeb = /^https?:\/\//iu.test(url) && isUrl(url) && url.length <= MAX_URL;
  if (!isWeb) {
    throw new AppError("bad-usage", "the webhook's address must be an http or https URL", {
      hint: "such as https://example.com/scans",
    });
  }
  if (secret.trim() === "" || secret.length > MAX_SECRET) {
    throw new AppError(
      "bad-usage",
      `the webhook's secret must have 1 to ${MAX_SECRET} characters, got ${secret.length}`,
      { hint: "receivers verify the header x-signature with it" },
    );
  }
}

/** Sets, changes or (undefined) removes the webhook of a workspace; one that was paused goes on. */
export async function saveWebhook(
  tx: Db,
  workspaceId: string,
  setting: (WebhookSetting & { readonly trusted: boolean }) | undefined,
): Promise<void> {
  if (setting === undefined) {
    for (const table of ["webhooks", "webhook_lanes", "webhook_outbox"] as const) {
      await tx.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
    }
    return;
  }
  const fresh: Omit<Tables["webhooks"], "workspace_id"> = {
    url: setting.url,
    secret: setting.secret,
    trusted: Number(setting.trusted),
    failures: 0,
    next_try: 0,
    paused: null,
  };
  await tx
    .insertInto("webhooks")
    .values({ workspace_id: workspaceId, ...fresh })
    .onConflict((conflict) => conflict.column("workspace_id").doUpdateSet(fresh))
    .execute();
  // Whoever sets it is there to see the next try.
  await tx
    .updateTable("webhook_lanes")
    .set({ next_try: 0, attempts: 0 })
    .where("workspace_id", "=", workspaceId)
    .execute();
}

export async function readWebhookStatus(
  db: Db,
  workspaceId: string,
): Promise<WebhookStatus | undefined> {
  const row = await db
    .selectFrom("webhooks")
    .select(["url", "paused", "failures"])
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const waiting = await db
    .selectFrom("webhook_outbox")
    .select("seq")
    .where("workspace_id", "=", workspaceId)
    .limit(MAX_COUNTED)
    .execute();
  const deliveries = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .orderBy("seq", "desc")
    .limit(SHOWN_DELIVERIES)
    .execute();
  return {
    url: row.url,
    paused: row.paused === null ? null : new Date(row.paused).toISOString(),
    failuresInRow: row.failures,
    waiting: waiting.length,
    deliveries: deliveries.map((one) => ({
      scanId: one.scan_id,
      codeId: one.code_id,
      time: new Date(one.time).toISOString(),
      attempt: one.attempt,
      status: one.status,
      fault: one.fault,
      tookMs: one.took_ms,
    })),
  };
}
