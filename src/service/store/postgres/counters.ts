/** Counts requests of all processes on one database: one statement each, exact. */
import type { SharedCounters } from "../store.ts";
import { ask, type Readers } from "./clients.ts";

/** Windows follow the database's clock, unless a moment is given: clocks of machines differ. */
const NOW = "coalesce($2::double precision, extract(epoch FROM clock_timestamp()) * 1000)";
const TAKE = `
  WITH now AS (SELECT ${NOW} AS ms)
  INSERT INTO budget (key, win, used) SELECT $1, floor(ms / $3::bigint), 1 FROM now
  ON CONFLICT (key, win) DO UPDATE SET used = budget.used + 1
  RETURNING used, (SELECT ms FROM now) AS ms`;
const PEEK = `
  WITH now AS (SELECT ${NOW} AS ms)
  SELECT coalesce((SELECT used FROM budget WHERE key = $1 AND win = floor(ms / $3::bigint)), 0) AS used, ms
  FROM now`;
const SWEEP = "DELETE FROM budget WHERE win < $1";
const SWEEP_EVERY = 5000;

export function makeCounters(readers: Readers): SharedCounters {
  let counted = 0;
  return {
    async count({ key, windowMs, more, nowMs }) {
      const values = [key, nowMs ?? null, windowMs];
      const { rows } = await readers.with((client) =>
        ask(client, more === 1 ? TAKE : PEEK, values),
      );
      const { used, ms } = rows[0] as { used: number; ms: number };
      counted += 1;
      if (counted % SWEEP_EVERY === 0) {
        const old = Math.floor(ms / windowMs) - 2;
        readers.with((client) => ask(client, SWEEP, [old])).catch(() => {});
      }
      return { used, nowMs: ms };
    },
  };
}
