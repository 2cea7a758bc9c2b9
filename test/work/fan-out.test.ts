/**
 * Workers that are killed, a database that crashes, a coordinator that is killed: every answer is stored
 * once, and the report is that of a local run. `npm run test:far` is the long way.
 */
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { hasPostgres, startPostgres } from "../postgres.ts";
import {
  ask,
  copyJob,
  countAsDead,
  forgetProof,
  makeFarJob,
  makeTables,
  readReport,
  runLocally,
  start,
  tell,
  tellChanges,
  untilTold,
  type Process,
} from "./far.ts";

const KILLS = Number(process.env["FAR_KILLS"] ?? 2);
const CRASHES = Math.ceil(KILLS / 10);
/** So many answers lie between two blows. */
const STEP = 3;
const GROUPS = (KILLS + CRASHES + 3) * STEP;

/** An answer beyond the allowed number waits for this lock. */
const GATE = 7;

/** A transaction that was prepared holds its lock, and a crash of the database doesn't end it. */
const shutGate = (url: string): Promise<unknown> =>
  ask(url, `BEGIN; SELECT pg_advisory_xact_lock(${GATE}); PREPARE TRANSACTION 'gate'`);

/** Lets those look again who wait, and shuts again. */
async function letThrough(url: string, more: number): Promise<void> {
  await ask(url, `UPDATE allowed SET n = n + ${more}`);
  await ask(url, "ROLLBACK PREPARED 'gate'");
  await shutGate(url);
}

/** A clock that is a day ahead: nothing may hang on it. */
const AHEAD = "--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+864e5";

it.skipIf(!hasPostgres)(
  `${KILLS} workers and a coordinator are killed, the database crashes ${CRASHES} times: the report is that of a local run`,
  async () => {
    const { root, manifest } = makeFarJob(GROUPS, 2);
    const base = `${root}-base`;
    expect(await runLocally(["run", manifest, "--yes"])).toBe(0);
    await copyJob(root, base);
    forgetProof(root);
    expect(await start(["run", manifest, "--yes"]).ended).toBe(0);
    const local = readReport(root);
    rmSync(root, { recursive: true });
    await copyJob(base, root);
    forgetProof(root);

    const server = await startPostgres(["max_prepared_transactions=1"]);
    const { url } = server;
    const env = { MAKEREADY_ON: url };
    await makeTables(url);
    const workers: Process[] = [];
    const startWorker = (more: Record<string, string> = {}): Process =>
      start(["work", "--threads", "1"], { ...env, ...more });
    try {
      workers.push(startWorker(), startWorker(), startWorker({ NODE_OPTIONS: AHEAD }));
      const up = () => ask<{ n: number }>(url, "SELECT count(*)::int AS n FROM chunk_workers");
      await untilTold(url, up, ([row]) => row?.n === 3);
      await ask(
        url,
        `CREATE TABLE answered (id uuid);
         CREATE TABLE allowed AS SELECT ${STEP} AS n;
         CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
           'BEGIN
              WHILE (SELECT count(*) FROM public.answered) >= (SELECT n FROM public.allowed) LOOP
                PERFORM pg_advisory_lock_shared(${GATE});
                PERFORM pg_advisory_unlock_shared(${GATE});
              END LOOP;
              INSERT INTO public.answered VALUES (NEW.id);
              RETURN NEW;
            END';
         CREATE TRIGGER note AFTER INSERT ON chunk_results FOR EACH ROW EXECUTE FUNCTION note()`,
      );
      await tellChanges(url, "answered");
      const count = async () =>
        (await ask<{ n: number }>(url, "SELECT count(*)::int AS n FROM answered"))[0]?.n ?? 0;

      await shutGate(url);
      let coordinator = start(["run", manifest, "--yes", "--json"], env);
      await untilTold(url, count, (n) => n >= STEP);
      coordinator.child.kill("SIGKILL");
      await coordinator.ended;
      coordinator = start(["run", manifest, "--yes", "--json"], env);
      let isOver = false;
      const ended = coordinator.ended.then(async (code) => {
        isOver = true;
        await tell(url);
        return code;
      });

      let [allowed, blows] = [STEP, 0];
      for (let blow = 0; blow < KILLS + CRASHES; blow += 1) {
        await letThrough(url, STEP);
        allowed += STEP;
        // Those that look at once may be one more than allowed; the next ones are then fewer.
        await untilTold(url, count, (n) => isOver || n >= allowed);
        if (isOver) break;
        if (blow % 10 === 2) {
          await server.crash();
          await server.start();
        } else {
          const victim = workers[blow % 3];
          victim?.child.kill("SIGKILL");
          await victim?.ended;
          if (victim !== undefined) await countAsDead(url, victim.child);
          workers[blow % 3] = startWorker();
        }
        blows += 1;
      }
      await letThrough(url, GROUPS);
      expect([await ended, coordinator.said()]).toEqual([0, expect.stringContaining('"summary"')]);
      expect(blows).toBe(KILLS + CRASHES);
      expect(readReport(root)).toBe(local);
      const [stored] = await ask<{ all: number; ids: number }>(
        url,
        'SELECT count(*)::int AS "all", count(DISTINCT id)::int AS ids FROM answered',
      );
      expect(stored?.all).toBe(stored?.ids);
      // Pages of each group, and the pictures.
      expect(stored?.ids).toBe(GROUPS + Math.ceil((GROUPS * 4) / 200));
      // Nothing is left to do. Answers that the killed coordinator had made use of are swept later.
      const [over] = await ask<{ open: number; jobs: number; results: number }>(
        url,
        `SELECT (SELECT count(*)::int FROM pgboss.job WHERE state <> 'completed') AS open,
           (SELECT count(*)::int FROM pgboss.job) AS jobs,
           (SELECT count(*)::int FROM chunk_results) AS results`,
      );
      expect(over?.open).toBe(0);
      expect(over?.jobs).toBe(over?.results);
      const left = readdirSync(path.join(root, "out"), { recursive: true, encoding: "utf8" });
      expect(left.filter((name) => name.endsWith(".part"))).toEqual([]);
    } finally {
      for (const { child } of workers) child.kill("SIGKILL");
      await server.stop();
      for (const folder of [root, base]) rmSync(folder, { recursive: true, force: true });
    }
  },
);
