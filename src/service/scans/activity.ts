/** Activity of one code: api-v2.md 2.6 and 4.1. */
import { requireCode } from "../code-rows.ts";
import type { Context, Handlers } from "../context.ts";
import { toPage, toSlice } from "../paging.ts";
import type { ScanRow } from "../store/tables.ts";
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

export function makeActivityHandlers({ store, clock }: Context): Pick<Handlers, "listActivity"> {
  return {
    async listActivity({ params, query, caller, url }) {
      const code = await requireCode(store.db, caller, params.qr_code_id);
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
    },
  };
}
