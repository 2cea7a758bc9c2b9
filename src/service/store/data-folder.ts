/** The folder that a service keeps its data in: there, writable, and readable by its owner only. */
import { accessSync, chmodSync, constants, lstatSync, readdirSync } from "node:fs";
import path from "node:path";

import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../base/atomic-file.ts";
import { findDiskFault } from "../../base/disk-error.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { makeFolder } from "../../base/make-folder.ts";

/** What makeready puts into the folder: the service, and jobs, schedules and the desk beside it. */
const FOLDERS = /^(?:media|templates|schedule|sources|desk)$/u;
const FILES =
  /^(?:service\.db|serials\.db|units\.db|certificate-key|token|front-page|serve\.lock|webhooks\.lock)(?:[-.].*)?$/u;
/** Without these, nothing can be stored. */
const WRITTEN = ["", "service.db", "service.db-wal", "service.db-shm", "serve.lock"];
/** Of the disk itself, and of file managers. */
const NOBODYS = /^(?:\..*|lost\+found)$/u;
const OTHERS = 0o077;

/** What was thrown over a data folder that can't be written, in words for people; anything else as it is. */
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

/** Takes the modes of others away. What is below a folder comes before it: a closed folder is done. */
function close(place: string): void {
  const found = lstatSync(place);
  if (found.isSymbolicLink() || (found.mode & OTHERS) === 0) return;
  if (found.isDirectory()) for (const name of readdirSync(place)) close(path.join(place, name));
  chmodSync(place, found.mode & (found.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE));
}

/** A folder with files of others in it, such as a home folder, is not ours to close. */
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

/**
 * Makes the folder, and takes away what others may do with it. Throws what the disk says when it
 * can't be written.
 */
export async function openDataFolder(folder: string, log: Log): Promise<void> {
  await makeFolder(folder, PRIVATE_FOLDER).catch((cause: unknown) => {
    if (findDiskFault(cause) !== undefined) throw cause;
    throw new AppError("data-unwritable", `the data folder must be a folder, got ${folder}`, {
      cause,
      hint: `choose another folder (${toMessage(cause)})`,
    });
  });
  checkWritable(folder);
  // There, modes mean nothing.
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
