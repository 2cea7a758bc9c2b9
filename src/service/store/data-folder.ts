/** The folder with a service's data: it exists, is writable, and only its owner can read it. */
import { accessSync, chmodSync, constants, lstatSync, readdirSync } from "node:fs";
import path from "node:path";

import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../base/files/atomic-file.ts";
import { findDiskFault } from "../../base/files/disk-error.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { makeFolder } from "../../base/files/make-folder.ts";

/** What makeready puts into the folder: for the service, jobs, schedules and the desk. */
const FOLDERS = /^(?:media|templates|schedule|sources|desk)$/u;
const FILES =
  /^(?:service\.db|serials\.db|units\.db|certificate-key|token|front-page|serve\.lock|webhooks\.lock)(?:[-.].*)?$/u;
/** Nothing can be stored unless these are writable. */
const WRITTEN = ["", "service.db", "service.db-wal", "service.db-shm", "serve.lock"];
/** Files of the disk itself and of file managers. */
const NOBODYS = /^(?:\..*|lost\+found)$/u;
const OTHERS = 0o077;

/** An error of a data folder that can't be written, in words for people; any other error as it is. */
export function toDataError(error: unknown, folder: string | undefined): unknown {
  const fault = error instanceof AppError ? undefined : findDiskFault(error);
  if (fault === undefined || folder === undefined) return error;
  const { reason, code, path: place = folder } = fault;
  return new AppError(
    "data-unwritable",
    `the data folder must be writable, but ${reason} (${code}): ${place}`,
    {
      cause: error,
      hint: "free some space on its disk, or make it writable for the user that runs makeready; nothing is lost",
    },
  );
}

function checkWritable(folder: string): void {
  for (const name of WRITTEN) {
    const file = path.join(folder, name);
    const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    if (isThere) accessSync(file, constants.R_OK | constants.W_OK);
  }
}

/**
 * Removes the access of other users. The contents come first: a closed folder needs no second look.
 */
function close(place: string): void {
  const found = lstatSync(place);
  if (found.isSymbolicLink() || (found.mode & OTHERS) === 0) return;
  if (found.isDirectory()) for (const name of readdirSync(place)) close(path.join(place, name));
  chmodSync(place, found.mode & (found.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE));
}

/** Closes our files, and the folder unless it holds other files too, as a home folder does. */
function closeAll(folder: string): string | undefined {
  const names = readdirSync(folder);
  const ours = names.filter((name) => FOLDERS.test(name) || FILES.test(name));
  for (const name of ours) close(path.join(folder, name));
  const other = names.find((name) => !ours.includes(name) && !NOBODYS.test(name));
  const { mode } = lstatSync(folder);
  if ((mode & OTHERS) === 0) return undefined;
  if (other !== undefined) return `it holds other files too, such as ${other}`;
  chmodSync(folder, mode & PRIVATE_FOLDER);
  return undefined;
}

/** Throws the disk's own error when it can't be made, and "data-unwritable" for a file. */
export async function makeDataFolder(folder: string): Promise<void> {
  await makeFolder(folder, PRIVATE_FOLDER).catch((cause: unknown) => {
    if (findDiskFault(cause) !== undefined) throw cause;
    throw new AppError("data-unwritable", `the data folder must be a folder, got ${folder}`, {
      cause,
      hint: `choose another folder (${toMessage(cause)})`,
    });
  });
}

/**
 * Makes the folder, and removes the access of other users. Throws the disk's own error when it
 * can't be written.
 */
export async function openDataFolder(folder: string, log: Log): Promise<void> {
  await makeDataFolder(folder);
  checkWritable(folder);
  // On Windows, modes have no meaning.
  if (process.platform === "win32") return;
  let reason: string | undefined;
  try {
    reason = closeAll(folder);
  } catch (error) {
    reason = toMessage(error);
  }
  if (reason === undefined) return;
  log.warn(
    { folder, reason },
    "others on this computer may look into the data folder: give it a folder of its own that belongs to the user who runs makeready",
  );
}
