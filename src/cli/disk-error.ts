import { TEMPORARY_SUFFIX } from "../base/atomic-file.ts";
import { findDiskFault } from "../base/disk-error.ts";
import { AppError } from "../base/errors.ts";

/** The file that was asked for, where it is written under a temporary name first. */
const toAsked = (path: string | undefined): string | undefined =>
  path?.endsWith(TEMPORARY_SUFFIX) === true
    ? path.slice(0, -TEMPORARY_SUFFIX.length).replace(/\.\d+$/u, "")
    : path;

/** A file that could not be written, in words for people; undefined for anything else. */
export function toDiskError(error: unknown): AppError | undefined {
  const fault = findDiskFault(error);
  if (fault === undefined) return undefined;
  const { path, reason, code } = fault;
  return new AppError(
    "output-unwritable",
    `${toAsked(path) ?? "the output folder"} must be writable, but ${reason} (${code})`,
    {
      cause: error,
      hint: "free some space, or make the folder writable, and run the same command again; nothing is lost",
    },
  );
}
