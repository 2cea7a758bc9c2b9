/** Scan analytics of one code and of a workspace: docs/spec/api.md sections 2.7 and 4.1. */
import type { Selectable } from "kysely";

import { limits } from "../../api/limits.ts";

import { requireWorkspace } from "../auth/accounts.ts";
import type { Context, Handlers } from "../context.ts";
import { ok } from "../http/reply.ts";
import { requireCode, toDestination } from "../resources/codes/rows.ts";
import type { Store } from "../store/store.ts";
import type { Db, Tables } from "../store/tables.ts";
import { readWindow, type ScanScope, type TakeCounts, type WindowReader } from "./scan-windows.ts";
import { DAY_MS, toSpan, type Span } from "./window.ts";

const TOP = 10;

interface Counts {
  scans: number;
  unique_scans: number;
}

/** Counts by whole numbers (days, profiles, codes), fast enough to add up a million of them. */
class CountsBy {
  #scans = new Float64Array(1024);
  #unique = new Float64Array(1024);

  add(key: number, scans: number, unique: number): void {
    if (key >= this.#scans.length) this.#grow(key);
    this.#scans[key] = (this.#scans[key] ?? 0) + scans;
    this.#unique[key] = (this.#unique[key] ?? 0) + unique;
  }

  /** Everything that isn't zero. */
  get all(): Map<number, Counts> {
    const found = new Map<number, Counts>();
    for (const [key, scans] of this.#scans.entries()) {
      if (scans !== 0) found.set(key, { scans, unique_scans: this.#unique[key] ?? 0 });
    }
    return found;
  }

  #grow(key: number): void {
    const [scans, unique] = [this.#scans, this.#unique];
    this.#scans = new Float64Array(2 * key);
    this.#scans.set(scans);
    this.#unique = new Float64Array(2 * key);
    this.#unique.set(unique);
  }
}

/** All figures of a window, collected in one pass. */
class Figures {
  readonly days = new CountsBy();
  readonly profiles = new CountsBy();
  readonly codes = new CountsBy();
  readonly reader: WindowReader;

  constructor(scope: ScanScope) {
    const profile: TakeCounts = (day, key, scans, unique) => {
      this.days.add(day, scans, unique);
      this.profiles.add(key, scans, unique);
    };
    const code: TakeCounts = (_, key, scans, unique) => this.codes.add(key, scans, unique);
    this.reader = { profile: () => profile, ...("codes" in scope ? {} : { code }) };
  }
}

const isCounted = ({ scans }: Counts): boolean => scans > 0;

interface Ends {
  readonly firstMs: number;
  readonly nowMs: number;
}

/** Ten years of days. */
const MAX_FILLED_MS = 3653 * DAY_MS;

/**
 * Every day of the window up to today, including days without scans. A window longer than ten years,
 * such as one "since 1970", begins with the first code.
 */
function fillDays(days: ReadonlyMap<number, Counts>, span: Span, { firstMs, nowMs }: Ends) {
  const endMs = Math.min(span.endMs - 1, nowMs);
  const isLong = endMs - span.startMs > MAX_FILLED_MS;
  const first = Math.floor((isLong ? Math.max(span.startMs, firstMs) : span.startMs) / DAY_MS);
  const last = Math.floor(endMs / DAY_MS);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    date: new Date((first + index) * DAY_MS).toISOString().slice(0, 10),
    ...(days.get(first + index) ?? { scans: 0, unique_scans: 0 }),
  }));
}

/** The most scanned first; equal ones by name. */
const byScans = (a: Counts & { name: string }, b: Counts & { name: string }): number => {
  if (a.scans !== b.scans) return b.scans - a.scans;
  return Number(a.name > b.name) - Number(a.name < b.name);
};

/** Values in one statement: SQLite takes at most 32,766. */
const MAX_VALUES = 10_000;

type Profile = Pick<Selectable<Tables["scan_profiles"]>, "country" | "city" | "os" | "browser">;

async function readTops(db: Db, counts: ReadonlyMap<number, Counts>) {
  const columns = ["country", "city", "os", "browser"] as const;
  const tops = new Map(columns.map((column) => [column, new Map<string, Counts>()]));
  const take = (profile: Profile, { scans, unique_scans: unique }: Counts): void => {
    for (const column of columns) {
      const name = profile[column];
      const found = tops.get(column)?.get(name);
      if (name === "") continue;
      if (found === undefined) tops.get(column)?.set(name, { scans, unique_scans: unique });
      else {
        found.scans += scans;
        found.unique_scans += unique;
      }
    }
  };
  const ids = [...counts.keys()];
  for (let at = 0; at < ids.length; at += MAX_VALUES) {
    const rows = await db
      .selectFrom("scan_profiles")
      .select(["id", ...columns])
      .where("id", "in", ids.slice(at, at + MAX_VALUES))
      .execute();
    for (const row of rows) take(row, counts.get(row.id) ?? { scans: 0, unique_scans: 0 });
  }
  const list = (column: (typeof columns)[number]) =>
    [...(tops.get(column) ?? [])]
      .map(([name, found]) => ({ name, ...found }))
      .filter(isCounted)
      .toSorted(byScans)
      .slice(0, TOP);
  return {
    top_countries: list("country"),
    top_cities: list("city"),
    top_os: list("os"),
    top_browsers: list("browser"),
  };
}

const sum = (counts: Iterable<Counts>, of: keyof Counts): number => {
  let total = 0;
  for (const one of counts) total += one[of];
  return total;
};

async function toAnalytics(db: Db, figures: Figures, { span, ...ends }: Ends & { span: Span }) {
  const days = figures.days.all;
  return {
    total_scans: sum(days.values(), "scans"),
    unique_scans: sum(days.values(), "unique_scans"),
    scans_by_day: fillDays(days, span, ends),
    ...(await readTops(db, figures.profiles.all)),
  };
}

async function readTopCodes(
  { store, addresses }: Pick<Context, "store" | "addresses">,
  counts: ReadonlyMap<number, Counts>,
  top: number,
) {
  // Numbers of deleted codes have no row: the next codes take their places.
  const sorted = [...counts]
    .filter(([, found]) => isCounted(found))
    .toSorted(([a, one], [b, other]) => other.scans - one.scans || a - b);
  const found = [];
  for (let at = 0; at < sorted.length && found.length < top; at += 2 * top) {
    const slice = new Map(sorted.slice(at, at + 2 * top));
    const rows = await store.db
      .selectFrom("codes")
      .innerJoin("scanned_codes", "scanned_codes.code_id", "codes.id")
      .selectAll("codes")
      .select("scanned_codes.number")
      .where("scanned_codes.number", "in", [...slice.keys()])
      .execute();
    const codes = new Map(rows.map((row) => [row.number, row]));
    for (const [number, { scans, unique_scans }] of slice) {
      const row = codes.get(number);
      if (row === undefined) continue;
      const destination = toDestination(addresses, row);
      found.push({ id: row.id, display_name: row.display_name, destination, scans, unique_scans });
    }
  }
  return found.slice(0, top);
}

/** The moment from which days are listed: no scan is older than the first code. */
async function readFirstMs(db: Db, workspaceId: string, nowMs: number): Promise<number> {
  const row = await db
    .selectFrom("codes")
    .select((select) => select.fn.min<number | null>("created").as("first"))
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return row?.first ?? nowMs;
}

/** The last 30 days (up to `end`) by default; `start` alone means everything since. */
const toWindow = (query: Parameters<typeof toSpan>[0], nowMs: number): Span => {
  const days = query.days ?? limits.analyticsDays;
  return toSpan({ ...query, days }, nowMs);
};

async function readFigures(store: Store, scope: ScanScope, span: Span): Promise<Figures> {
  const figures = new Figures(scope);
  await store.snapshot((rows) => readWindow(rows, scope, { span, reader: figures.reader }));
  return figures;
}

export function makeAnalyticsHandlers({ store, clock, addresses }: Context) {
  const { db } = store;

  return {
    async getAnalytics({ params, query, caller }) {
      const code = await requireCode(db, caller, params.qr_code_id);
      const scanned = await db
        .selectFrom("scanned_codes")
        .select("number")
        .where("code_id", "=", code.id)
        .execute();
      const nowMs = clock.nowMs();
      const span = toWindow(query, nowMs);
      const figures = await readFigures(
        store,
        { codes: scanned.map(({ number }) => number) },
        span,
      );
      return ok(await toAnalytics(db, figures, { span, firstMs: code.created, nowMs }));
    },

    async getWorkspaceAnalytics({ params, query, caller }) {
      const workspaceId = await requireWorkspace(db, caller, params.workspace_id);
      const nowMs = clock.nowMs();
      const span = toWindow(query, nowMs);
      const firstMs = await readFirstMs(db, workspaceId, nowMs);
      const figures = await readFigures(store, { workspaceId }, span);
      const top = query.top ?? limits.analyticsTop;
      return ok({
        ...(await toAnalytics(db, figures, { span, firstMs, nowMs })),
        top_codes: await readTopCodes({ store, addresses }, figures.codes.all, top),
      });
    },
  } satisfies Partial<Handlers>;
}
