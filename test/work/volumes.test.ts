/** Sheets of several volumes are drawn by workers: the same bytes, whatever is killed meanwhile. */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import pg from "pg";
import sharp from "sharp";
import { expect, it } from "vitest";

import { freshDatabase, hasPostgres } from "../postgres.ts";
import { ask, countAsDead, makeTables, runLocally, start, untilTold } from "./far.ts";

const VOLUMES = 4;
const EACH = 24;

/** Designed codes, a picture, a font and a profile of the job's own, beside a manifest elsewhere. */
async function makeVolumesJob(): Promise<{ root: string; manifest: string; out: string }> {
  const root = mkdtempSync(path.join(tmpdir(), "makeready-volumes-"));
  const manifest = path.join(root, "far.yaml");
  const rows = Array.from(
    { length: VOLUMES * EACH - 5 },
    (_, n) => `N-${n},שולחן ${n},https://qr.example/${n}`,
  );
  writeFileSync(path.join(root, "rows.csv"), ["Name,Text,Link", ...rows, ""].join("\n"));
  const sky = { width: 200, height: 100, channels: 3, background: "#3388ff" } as const;
  await sharp({ create: sky }).png().toFile(path.join(root, "sky.png"));
  copyFileSync("templates/fonts/noto-sans-hebrew-bold.ttf", path.join(root, "hebrew.ttf"));
  copyFileSync("templates/icc/uncoated29.icc", path.join(root, "own.icc"));
  writeFileSync(
    manifest,
    `version: 1
name: far
kind: codes
source: { file: rows.csv, key: [Name] }
code:
  type: Link
  dynamic: false
  qr_data: "{{ Link }}"
  design: { primary_color: "#aa2200", pattern: Circles }
output:
  dir: out
  files: []
  sheets:
    sheet: a4-24up-63.5x33.9
    volume_codes: ${EACH}
    print: designed
    fonts: [hebrew.ttf]
    icc: { file: own.icc, condition: Own }
    label:
      items:
        - { code: true, at: [4, 4, 24, 24] }
        - { image: sky.png, at: [32, 4, 20, 10] }
        - { text: "{{ Text }}", at: [32, 16, 26, 10] }
`,
  );
  return { root, manifest, out: path.join(root, "out") };
}

/** The PDFs of a job, by name. */
const readPdfs = (out: string): Map<string, string> =>
  new Map(
    readdirSync(out)
      .filter((name) => name.endsWith(".pdf"))
      .map((name) => [name, readFileSync(path.join(out, name)).toString("base64")]),
  );

const GATE = 8;

it.skipIf(!hasPostgres)(
  "volumes are drawn by workers, one of which is killed in the middle of one: the PDFs are those of a local run",
  async () => {
    const { root, manifest, out } = await makeVolumesJob();
    const url = await freshDatabase();
    const env = { MAKEREADY_ON: url };
    expect(await runLocally(["run", manifest, "--yes"])).toBe(0);
    const local = readPdfs(out);
    expect(local.size).toBe(VOLUMES);
    for (const name of local.keys()) rmSync(path.join(out, name));

    await makeTables(url);
    const workers = [
      start(["work", "--threads", "1"], env),
      start(["work", "--threads", "1"], env),
    ];
    try {
      await untilTold(
        url,
        () => ask<{ n: number }>(url, "SELECT count(*)::int AS n FROM chunk_workers"),
        ([row]) => row?.n === 2,
      );
      await ask(
        url,
        `CREATE TABLE answered (id uuid, kind text);
         CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
           'BEGIN
              PERFORM pg_advisory_xact_lock_shared(${GATE});
              INSERT INTO public.answered VALUES (NEW.id, NEW.batch);
              RETURN NEW;
            END';
         CREATE TRIGGER note AFTER INSERT ON chunk_results FOR EACH ROW EXECUTE FUNCTION note()`,
      );
      const gate = new pg.Client(url);
      await gate.connect();
      await gate.query(`SELECT pg_advisory_lock(${GATE})`);
      const run = start(["run", manifest, "--yes", "--json"], env);
      // No answer gets through: whoever has a volume is in the middle of it.
      const taken = () =>
        ask<{ pid: number }>(url, "SELECT pid FROM chunk_workers WHERE cardinality(chunks) > 0");
      const [row] = await untilTold(url, taken, (rows) => rows.length > 0);
      const victim = workers.find(({ child }) => child.pid === row?.pid);
      victim?.child.kill("SIGKILL");
      expect(await victim?.ended).toBe(null);
      if (victim !== undefined) await countAsDead(url, victim.child);
      await gate.query(`SELECT pg_advisory_unlock(${GATE})`);
      await gate.end();
      expect([await run.ended, run.said()]).toEqual([0, expect.stringContaining('"summary"')]);
      expect(run.said()).not.toContain("by itself");
      expect(run.said()).not.toContain("drawn by this computer");
      expect(readPdfs(out)).toEqual(local);
      const stored = await ask<{ id: string }>(
        url,
        "SELECT id FROM answered WHERE kind = 'volumes'",
      );
      expect(stored).toHaveLength(VOLUMES);
      expect(new Set(stored.map(({ id }) => id)).size).toBe(VOLUMES);
      expect(readdirSync(out).filter((name) => name.endsWith(".part"))).toEqual([]);
    } finally {
      for (const { child } of workers) child.kill("SIGKILL");
      rmSync(root, { recursive: true, force: true });
    }
  },
);
