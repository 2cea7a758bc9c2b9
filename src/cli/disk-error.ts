import { TEMPORARY_SUFFIX } from "../base/atomic-file.ts";
import { AppError } from "../base/errors.ts";

/** Why a disk took no more, or never did, by the codes of `errno(3)`. */
const REASONS = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EFBIG", "the file is larger than allowed"],
  ["EROFS", "the disk is read-only"],
  ["EACCES", "access is denied"],
  ["EPERM", "access is denied"],
  ["EIO", "the disk fails"],
]);

const NETWORK = /^(?:connect|listen|bind|getaddrinfo)/u;

/** The file that was asked for, where it is written under a temporary name first. */
const toAsked = (path: string | undefined): string | undefined =>
  path?.endsWith(TEMPORARY_SUFFIX) === true
    ? path.slice(0, -TEMPORARY_SUFFIX.length).replace(/\.\d+$/u, "")
    : path;

/** A file that could not be written, in words for people; undefined for anything else. */
export function toDiskError(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", syscall = "", path } = error as NodeJS.ErrnoException;
  const reason = REASONS.get(code);
  if (reason === undefined || NETWORK.test(syscall)) return undefined;
  return new AppError(
    "output-unwritable",
    `${toAsked(path) ?? "the output folder"} must be writable, but ${reason} (${code})`,
    {
      cause: error,
      hint: "free some space, or make the folder writable, and run the same command again; nothing is lost",
    },
  );
}
