/** Checks of this computer: Node, folder, disk, database, fonts. */
import { accessSync, constants, existsSync } from "node:fs";
import { mkdtemp, open, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";

import { ownPackage } from "../../base/files/package-files.ts";
import { toMessage } from "../../base/errors.ts";
import { openSqlite, tryLockFile } from "../../base/sqlite/sqlite.ts";
import { labelFonts, openQrEngine } from "../../qr/engine.ts";
import { formatBytes } from "../../base/text/words.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** @param version such as `20.19.1` */
export function checkNode(version: string): Check {
  const least = ownPackage.engines.node.replace(/^>=/u, "");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  const isNew = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (isNew) return ok("Node", `${version} (${least} or newer is needed)`);
  return fail("Node", `must be ${least} or newer, got ${version}`, "install a newer Node.js");
}

/** The folder itself, or the nearest one above it that exists. */
export async function nearestFolder(folder: string): Promise<string> {
  let at = path.resolve(folder);
  while (at !== path.dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found?.isDirectory() === true) return at;
    at = path.dirname(at);
  }
  return at;
}

async function tryFolder(scratch: string): Promise<void> {
  const file = path.join(scratch, "file.part");
  const handle = await open(file, "wx");
  await handle.writeFile("makeready");
  await handle.sync();
  await handle.close();
  await rename(file, path.join(scratch, "file"));
}

/** The state needs a database that survives a power cut and a lock that others see. */
function tryDatabase(scratch: string): string | undefined {
  const database = openSqlite(path.join(scratch, "state.db"));
  database.exec("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (7)");
  const isKept = database.get<{ n: number }>("SELECT n FROM t")?.n === 7;
  database.close();
  if (!isKept) return "what was written to a database can't be read back";
  const lockFile = path.join(scratch, "lock.db");
  const lock = tryLockFile(lockFile);
  const second = tryLockFile(lockFile);
  second?.release();
  lock?.release();
  if (lock === undefined) return "a file can't be locked";
  return second === undefined ? undefined : "a locked file can be locked again";
}

const ELSEWHERE = "choose another output folder with --out, or mend its rights";

/** Writes, syncs, renames and locks in a temporary folder below. */
export async function checkFolder(folder: string): Promise<Check[]> {
  let scratch: string;
  try {
    scratch = await mkdtemp(path.join(folder, ".makeready-doctor-"));
  } catch (error) {
    return [fail("folder", `must be writable, got ${folder}: ${toMessage(error)}`, ELSEWHERE)];
  }
  try {
    await tryFolder(scratch);
    const trouble = tryDatabase(scratch);
    const fix = "keep the output folder on a local disk";
    return [
      ok("folder", `${folder} is writable`),
      trouble === undefined
        ? ok("database", "can be written and locked there")
        : fail("database", `must be safe in ${folder}, but ${trouble}`, fix),
    ];
  } catch (error) {
    return [fail("folder", `must be writable, got ${folder}: ${toMessage(error)}`, ELSEWHERE)];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Types of file systems that live on another machine (Linux, `statfs(2)`). */
const REMOTE_DISKS: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB",
  0x01021997: "9P",
  0x65735546: "FUSE",
  0x5346414f: "AFS",
  0x00c36400: "Ceph",
  0x0bd00bd0: "Lustre",
};
const LEAST_BYTES = 200 * 1024 * 1024;
const ENOUGH_BYTES = 2 * 1024 * 1024 * 1024;

/** The embedded service's data, or where it will be, that this user may not write; else undefined. */
export async function findClosedData(dataDir: string): Promise<Check | undefined> {
  const places = [await nearestFolder(dataDir), path.join(dataDir, "service.db")];
  for (const place of places.filter((one) => existsSync(one))) {
    try {
      accessSync(place, constants.R_OK | constants.W_OK);
    } catch (error) {
      const says = `must be writable, got ${place}: ${toMessage(error)}`;
      return fail("data", says, "run makeready as the user who owns it, or mend its rights");
    }
  }
  return undefined;
}

/** @param disk what `statfs` says of the folder */
export function judgeDisk(disk: { type: number; bavail: number; bsize: number }): Check[] {
  const remote = REMOTE_DISKS[disk.type];
  const free = disk.bavail * disk.bsize;
  const says = `${formatBytes(free)} free`;
  const space =
    free < LEAST_BYTES
      ? fail("disk space", `must be ${formatBytes(LEAST_BYTES)} at least, got ${says}`, "make room")
      : free < ENOUGH_BYTES
        ? warn("disk space", says, "10,000 codes with PNG, SVG, ZIP and sheets take some 300 MB")
        : ok("disk space", says);
  const kind =
    remote === undefined
      ? ok("disk", "local")
      : warn(
          "disk",
          `the folder is on a shared or passed-through disk (${remote})`,
          "keep state and data folders on a local disk: databases on shared ones can be damaged",
        );
  return [kind, space];
}

export async function checkDisk(folder: string): Promise<Check[]> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk === undefined ? [] : judgeDisk(disk);
}

/** Opens the fonts that labels are drawn with, and draws a code. */
export async function checkFonts(): Promise<Check> {
  try {
    const fonts = await Promise.all(labelFonts.map((font) => readFile(font)));
    const engine = await openQrEngine({ fonts });
    engine.close();
    return ok("fonts", `${fonts.length} come along and can be opened`);
  } catch (error) {
    const says = `must be readable, but ${toMessage(error)}`;
    return fail("fonts", says, "install makeready again");
  }
}
