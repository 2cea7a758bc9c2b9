/** Activity of one code: docs/spec/api.md sections 2.6 and 4.1. */
import type { Call, Context, Handlers } from "../context.ts";
import { toPage, toSlice } from "../http/paging.ts";
import { requireCode, requireRow } from "../resources/codes/rows.ts";
import type { CodeRow, Db } from "../store/tables.ts";
import { toActivity } from "./activity-record.ts";
import { EVER_MS, toSpan, type Span } from "./window.ts";

type Wanted = Pick<Call<"listActivity">, "query" | "url">;

/** Scans of a code within the requested window, including those of robots. */
function selectScans(db: Db, code: CodeRow, { startMs, endMs }: Span) {
  return db
    .selectFrom("scanned_codes")
    .innerJoin("scans", "scans.code", "scanned_codes.number")
    .where("scanned_codes.code_id", "=", code.id)
    .where("scans.time", ">=", startMs)
    .where("scans.time", "<", endMs);
}

async function readZone(db: Db, workspaceId: string): Promise<string | null> {
  const query = db.selectFrom("workspaces").select("time_zone").where("id", "=", workspaceId);
  return (await query.executeTakeFirst())?.time_zone ?? null;
}

async function listScans({ store, clock }: Context, code: CodeRow, { query, url }: Wanted) {
  const { db } = store;
  const found = selectScans(
    db,
    code,
    toSpan(query, clock.nowMs()) ?? { startMs: 0, endMs: EVER_MS },
  );
  const { count } = await found
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const { limit, offset } = toSlice(query);
  const page = found
    .select("scans.seq")
    .orderBy("scans.time", "desc")
    .orderBy("scans.seq", "desc")
    .limit(limit)
    .offset(offset);
  const rows = await db
    .selectFrom("scans")
    .innerJoin("scan_profiles", "scan_profiles.id", "scans.profile")
    .leftJoin("scan_positions", "scan_positions.scan_id", "scans.id")
    .selectAll("scan_profiles")
    .select(["scan_positions.latitude", "scan_positions.longitude"])
    .select(["scans.id", "scans.time", "scans.scanner_id"])
    .where("scans.seq", "in", page)
    .orderBy("scans.time", "desc")
    .orderBy("scans.seq", "desc")
    .execute();
  const zone = await readZone(db, code.workspace_id);
  return toPage(url, query, {
    count,
    results: rows.map((row) => toActivity({ ...row, code_id: code.id }, zone)),
    empty: "No activity found.",
  });
}

export function makeActivityHandlers(context: Context) {
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
  } satisfies Partial<Handlers>;
}
