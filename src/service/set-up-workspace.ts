import { badUsage } from "../base/errors.ts";
import type { Plan } from "./auth/plan.ts";
import { isTimeZone } from "../base/time/zoned-time.ts";
import type { Store } from "./store/store.ts";
import type { WebhookSetting } from "./webhooks/receivers.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

export interface WorkspaceSetup {
  /**
   * Where scans of the default account's workspace are reported; kept in the store until another
   * receiver is set, or "none". It may have a private address.
   */
  readonly webhook?: WebhookSetting | "none" | undefined;
  /** IANA name: the time zone of the default account's workspace, for scans with an unknown place. */
  readonly timeZone?: string | undefined;
  /** What an account may have at most. Default: no limits. */
  readonly plan?: Plan | undefined;
}

/** Stores the operator's settings for the default account's workspace. Throws `bad-usage`. */
export async function setUpWorkspace(
  { webhook, timeZone, plan }: WorkspaceSetup,
  { store, webhooks }: { readonly store: Store; readonly webhooks: Webhooks },
  workspaceId: string,
): Promise<void> {
  if (timeZone !== undefined) {
    if (!isTimeZone(timeZone)) {
      throw badUsage(
        `the time zone must be an IANA name, got ${JSON.stringify(timeZone)}`,
        "such as Europe/Berlin",
      );
    }
    await store.write((tx) =>
      tx
        .updateTable("workspaces")
        .set({ time_zone: timeZone })
        .where("id", "=", workspaceId)
        .execute(),
    );
  }
  if (webhook === undefined) return;
  if (webhook !== "none" && plan?.webhooks === false) {
    throw badUsage(
      "the plan must have webhooks where one is set",
      "take out the webhook, or webhooks=off in the plan",
    );
  }
  await webhooks.set(workspaceId, webhook === "none" ? undefined : { ...webhook, trusted: true });
}
