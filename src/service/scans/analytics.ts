/** Scan analytics of one code and of a workspace: api-v2.md 2.7 and 4.1. */
import { sql, type SelectQueryBuilder } from "kysely";

import { limits } from "../../api/limits.ts";

import { requireWorkspace } from "../accounts/accounts.ts";
import { requireCode, toDestination } from "../code-rows.ts";
import type { Context, Handlers } from "../context.ts";
import { ok } from "../reply.ts";
import type { Db, Tables } from "../store/tables.ts";
import { DAY_MS, lastDays, toSpan, type Span } from "../window.ts";

/** Scans of one code, or of all codes of a workspace. */
type Scope = { readonly codeId: string } | { readonly workspaceId: string };
type ScanQuery = SelectQueryBuilder<Tables, "scans", object>;

const TOP = 10;

const total = sql<number>`count(*)`;
const unique = sql<number>`count(distinct scans.scanner_id)`;
/** Over several codes a scanner counts once per code. */
const uniquePerCode = sql<number>`count(distinct scans.code_id || scans.scanner_id)`;

const toUnique = (scope: Scope) => ("codeId" in scope ? unique : uniquePerCode);

function selectScans(db: Db, scope: Scope, { startMs, endMs }: Span): ScanQuery {
  const counted = db
    .selectFrom("scans")
    .where("scans.bot", "=", 0)
    .where("scans.time", ">=", startMs)
    .where("scans.time", "<", endMs);
  if ("codeId" in scope) return counted.where("scans.code_id", "=", scope.codeId);
  return counted.where((where) =>
    where(
      "scans.code_id",
      "in",
      where.selectFrom("codes").select("codes.id").where("workspace_id", "=", scope.workspaceId),
    ),
  );
}

async function countByDay(query: ScanQuery, scope: Scope): Promise<Map<number, Day>> {
  const rows = await query
    // BIGINT columns: both stores divide whole numbers.
    .select([
      sql<number>`scans.time / ${sql.lit(DAY_MS)}`.as("day"),
      total.as("scans"),
      toUnique(scope).as("unique_scans"),
    ])
    .groupBy("day")
    .orderBy("day")
    .execute();
  return new Map(rows.map(({ day, scans, unique_scans }) => [day, { scans, unique_scans }]));
}

interface Day {
  readonly scans: number;
  readonly unique_scans: number;
}

interface Ends {
  readonly firstMs: number;
  readonly nowMs: number;
}

/**
 * Every day of the window up to today, also those without scans. A window longer than a year, such
 * as one "since 1970", begins with the first code.
 */
function fillDays(days: ReadonlyMap<number, Day>, span: Span, { firstMs, nowMs }: Ends) {
  const endMs = Math.min(span.endMs - 1, nowMs);
  const isLong = endMs - span.startMs > (limits.maxAnalyticsDays + 1) * DAY_MS;
  const first = Math.floor((isLong ? Math.max(span.startMs, firstMs) : span.startMs) / DAY_MS);
  const last = Math.floor(endMs / DAY_MS);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    date: new Date((first + index) * DAY_MS).toISOString().slice(0, 10),
    ...(days.get(first + index) ?? { scans: 0, unique_scans: 0 }),
  }));
}

async function topOf(
  query: ScanQuery,
  scope: Scope,
  column: "country" | "city" | "os" | "browser",
) {
  const rows = await query
    .select([`scans.${column} as name`, total.as("scans"), toUnique(scope).as("unique_scans")])
    .where(`scans.${column}`, "<>", "")
    .groupBy("name")
    .orderBy("scans", "desc")
    .orderBy("name")
    .limit(TOP)
    .execute();
  return rows.map(({ name, scans, unique_scans }) => ({
    name,
    scans,
    unique_scans,
  }));
}

async function toAnalytics(
  db: Db,
  scope: Scope,
  { span, ...ends }: Ends & { readonly span: Span },
) {
  const query = selectScans(db, scope, span);
  const all = await query
    .select([total.as("scans"), toUnique(scope).as("unique_scans")])
    .executeTakeFirstOrThrow();
  return {
    total_scans: all.scans,
    unique_scans: all.unique_scans,
    scans_by_day: fillDays(await countByDay(query, scope), span, ends),
    top_countries: await topOf(query, scope, "country"),
    top_cities: await topOf(query, scope, "city"),
    top_os: await topOf(query, scope, "os"),
    top_browsers: await topOf(query, scope, "browser"),
  };
}

async function readTopCodes(
  { store, addresses }: Pick<Context, "store" | "addresses">,
  scope: Scope,
  { span, top }: { span: Span; top: number },
) {
  const shown = [
    "codes.id",
    "codes.display_name",
    "codes.qr_data",
    "codes.pdf_file",
    "codes.pdf_name",
    "codes.hosted_path",
  ] as const;
  const rows = await selectScans(store.db, scope, span)
    .innerJoin("codes", "codes.id", "scans.code_id")
    .select(shown)
    .select([total.as("scans"), unique.as("unique_scans")])
    .groupBy(shown)
    .orderBy("scans", "desc")
    .orderBy("codes.id")
    .limit(top)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    display_name: row.display_name,
    destination: toDestination(addresses, row),
    scans: row.scans,
    unique_scans: row.unique_scans,
  }));
}

/** The first moment from which days are listed: no scan is older than the first code. */
async function readFirstMs(db: Db, workspaceId: string, nowMs: number): Promise<number> {
  const row = await db
    .selectFrom("codes")
    .select((select) => select.fn.min<number | null>("created").as("first"))
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return row?.first ?? nowMs;
}

const toWindow = (query: Parameters<typeof toSpan>[0], nowMs: number): Span =>
  toSpan(query, nowMs) ?? lastDays(limits.analyticsDays, nowMs);

export function makeAnalyticsHandlers({
  store,
  clock,
  addresses,
}: Context): Pick<Handlers, "getAnalytics" | "getWorkspaceAnalytics"> {
  const { db } = store;

  return {
    async getAnalytics({ params, query, caller }) {
      const code = await requireCode(db, caller, params.qr_code_id);
      const nowMs = clock.nowMs();
      const times = { span: toWindow(query, nowMs), firstMs: code.created, nowMs };
      return ok(await toAnalytics(db, { codeId: code.id }, times));
    },

    async getWorkspaceAnalytics({ params, query, caller }) {
      const workspaceId = await requireWorkspace(db, caller, params.workspace_id);
      const nowMs = clock.nowMs();
      const span = toWindow(query, nowMs);
      const firstMs = await readFirstMs(db, workspaceId, nowMs);
      const scope = { workspaceId };
      const top = query.top ?? limits.analyticsTop;
      return ok({
        ...(await toAnalytics(db, scope, { span, firstMs, nowMs })),
        top_codes: await readTopCodes({ store, addresses }, scope, { span, top }),
      });
    },
  };
}
