/** Activity of one code: api-v2.md 2.6 and 4.1. */
import { requireCode, requireRow } from "../code-rows.ts";
import type { Call, Context, Handlers } from "../context.ts";
import { toPage, toSlice } from "../paging.ts";
import type { CodeRow, ScanRow } from "../store/tables.ts";
import { EVER_MS, toSpan } from "../window.ts";
import { describeDevice } from "./device.ts";

const localTime = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
});

/** One scan on the wire. Without a known place, local time is UTC. */
export function toActivity(row: ScanRow): Record<string, unknown> {
  return {
    id: row.id,
    qr_code_id: row.code_id,
    time_utc: new Date(row.time).toISOString(),
    time_timezone_aware: `${localTime.format(row.time)} UTC`,
    location: [row.city, row.region, row.country].filter((part) => part !== "").join(", "),
    device: describeDevice({ kind: row.device, os: row.os, browser: row.browser }),
    scanner_id: row.scanner_id,
  };
}

type Wanted = Pick<Call<"listActivity">, "query" | "url">;

async function listScans({ store, clock }: Context, code: CodeRow, { query, url }: Wanted) {
  const { startMs, endMs } = toSpan(query, clock.nowMs()) ?? { startMs: 0, endMs: EVER_MS };
  const found = store.db
    .selectFrom("scans")
    .where("code_id", "=", code.id)
    .where("time", ">=", startMs)
    .where("time", "<", endMs);
  const { count } = await found
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const { limit, offset } = toSlice(query);
  const rows = await found
    .selectAll()
    .orderBy("time", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return toPage(url, query, {
    count,
    results: rows.map(toActivity),
    empty: "No activity found.",
  });
}

export function makeActivityHandlers(
  context: Context,
): Pick<Handlers, "listActivity" | "listLinkActivity"> {
  const { db } = context.store;
  return {
    async listActivity(call) {
      const code = await requireCode(db, call.caller, call.params.qr_code_id);
      return listScans(context, code, call);
    },
    async listLinkActivity(call) {
      const link = await requireRow(db, call.caller, { id: call.params.link_id, kind: "link" });
      return listScans(context, link, call);
    },
  };
}
