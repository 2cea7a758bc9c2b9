import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { hasPostgres, NO_POSTGRES, offerPostgres } from "./postgres.ts";

/** What outlasts a run of tests, such as an unpacked browser (`e2e/browser.ts`), lies in it. */
const LASTING = "TEST_LASTING_FOLDER";
const MEMORY = "/dev/shm";
/** What the files of two workers take at once, many times over. */
const ROOM_BYTES = 3 * 1024 ** 3;

/**
 * Memory, where Linux has a folder in it with room that programs may be started from: nobody waits for a
 * disk to keep what is thrown away.
 */
function findTemporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const mount = mounts.find((line) => line.split(" ")[1] === MEMORY);
    const isUsable = mount !== undefined && !/[ ,](?:noexec|ro)[ ,]/u.test(mount);
    if (isUsable && bavail * bsize > ROOM_BYTES) return MEMORY;
  } catch {
    // Another system.
  }
  return tmpdir();
}

/** One folder for all temporary files of this run; answers what takes it away. */
function holdTemporaryFiles(): () => void {
  const before = tmpdir();
  const folder = mkdtempSync(path.join(findTemporaryFolder(), "mk-"));
  // As the system's: other users' processes make files in it, too.
  chmodSync(folder, 0o1777);
  process.env[LASTING] = before;
  process.env["TMPDIR"] = folder;
  return () => {
    process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** A program of Node, until it ends well. */
async function run(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${args.join(" ")} must end well, got ${code}`);
}

/**
 * The flow tests run the program as people get it: built. One build serves every test file. Types
 * are the business of `npm run types`, so that one wrong type doesn't hide what the tests say.
 */
export async function setup(): Promise<() => Promise<void>> {
  const tsc = "node_modules/typescript/bin/tsc";
  await Promise.all([
    run(["--import", "tsx", "src/bundle.ts"]),
    run([tsc, "-p", "src", "--emitDeclarationOnly", "--noCheck"]),
  ]);
  // oxlint-disable-next-line no-console -- whoever reads the result has to know
  if (!hasPostgres) console.warn(NO_POSTGRES);
  const clear = holdTemporaryFiles();
  const stop = await offerPostgres();
  return async () => {
    try {
      await stop();
    } finally {
      clear();
    }
  };
}
