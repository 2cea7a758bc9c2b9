/** Errors of disks that are full or can't be written, from files and from SQLite. */
import { TEMPORARY_SUFFIX } from "./atomic-file.ts";
import { AppError, toMessage } from "../errors.ts";

/** By codes of `errno(3)`. */
const REASONS = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EFBIG", "the file is larger than allowed"],
  ["EROFS", "the disk is read-only"],
  ["EACCES", "access is denied"],
  ["EPERM", "access is denied"],
  ["EIO", "the disk fails"],
]);

/** By SQLite's primary result codes. */
const SQLITE_REASONS = new Map([
  [8, { code: "SQLITE_READONLY", reason: "it is read-only" }],
  [10, { code: "SQLITE_IOERR", reason: "the disk fails" }],
  [13, { code: "SQLITE_FULL", reason: "the disk is full" }],
  [14, { code: "SQLITE_CANTOPEN", reason: "its database can't be opened" }],
]);

/** The primary part of a result code; the rest is more specific. */
const PRIMARY = 0xff;

const NETWORK = /^(?:connect|listen|bind|getaddrinfo)/u;

export interface DiskFault {
  readonly code: string;
  /** In words: "the disk is full". */
  readonly reason: string;
  readonly path?: string | undefined;
}

/** Why a file or a store could not be written; undefined for any other error. */
export function findDiskFault(error: unknown): DiskFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const told = error as NodeJS.ErrnoException & { readonly errcode?: number };
  const { code = "", syscall = "", path } = told;
  if (told.errcode !== undefined) {
    const known = SQLITE_REASONS.get(told.errcode & PRIMARY);
    return known && { ...known, path };
  }
  const reason = REASONS.get(code);
  return reason === undefined || NETWORK.test(syscall) ? undefined : { code, reason, path };
}

/** What helps where a file can't be read. */
export const CLOSE_OR_ALLOW =
  "close the programs that use the file, or let this user read it, and try again";

/** Why a file could not be read, in words. */
export function toReadReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EBUSY") return "another program uses it (EBUSY)";
  const fault = findDiskFault(error);
  return fault === undefined ? toMessage(error) : `${fault.reason} (${fault.code})`;
}

/** Why a file that must be there can't be read. */
export const sayUnreadable = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === "ENOENT"
    ? "file must be there, got none"
    : `file must be readable, got: ${toReadReason(error)}`;

/** The requested file, if it is first written under a temporary name. */
const toAsked = (path: string | undefined): string | undefined =>
  path?.endsWith(TEMPORARY_SUFFIX) === true
    ? path.slice(0, -TEMPORARY_SUFFIX.length).replace(/\.\d+(?:-\d+)?$/u, "")
    : path;

/**
 * The error of a file that could not be written, in words for people; undefined for anything else.
 */
export function toDiskError(error: unknown): AppError | undefined {
  const fault = findDiskFault(error);
  if (fault === undefined) return undefined;
  const { path, reason, code } = fault;
  return new AppError(
    "output-unwritable",
    `${toAsked(path) ?? "the output folder"} must be writable, but ${reason} (${code})`,
    {
      cause: error,
      hint: "free some space, or make the folder writable, and try again; nothing is lost",
    },
  );
}

/** What lies where something else is meant, by codes of `errno(3)`. */
const OTHER_THINGS = new Map([
  ["EISDIR", { says: "must be a file, got a folder", hint: "name a file in it, or another one" }],
  ["ENOTDIR", { says: "must be or lie in a folder, got a file", hint: "name another folder" }],
]);

/** The error of a place that holds a folder instead of a file, or a file instead of a folder; undefined for anything else. */
export function toPlaceError(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", path } = error as NodeJS.ErrnoException;
  const other = OTHER_THINGS.get(code);
  if (other === undefined || path === undefined) return undefined;
  return new AppError("output-unwritable", `${toAsked(path)} ${other.says}`, {
    cause: error,
    hint: other.hint,
  });
}
