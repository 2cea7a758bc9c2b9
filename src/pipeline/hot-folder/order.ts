/** What is run in a hot folder, and how its run ended. */
import { lstatSync } from "node:fs";
import path from "node:path";

/** A spreadsheet that was taken, and the manifest that it is run with; all paths are absolute. */
export interface Order {
  readonly id: string;
  /** Name of the file without its ending: the same name is the same job, and makes no code twice. */
  readonly name: string;
  readonly source: string;
  readonly manifest: string;
  /** Output folder of its runs. */
  readonly out: string;
}

export interface OrderRun {
  readonly exitCode: number;
  /** Undefined where all went well. */
  readonly reason: string | undefined;
  /** Files and folders below the output folder that are handed on. */
  readonly files: readonly string[];
  /** Its codes lead to this computer only. */
  readonly isRehearsal: boolean;
  /** The last line of the run as data, for `status.json`. */
  readonly summary: object | undefined;
}

export const toFailure = (exitCode: number, reason: string): OrderRun => ({
  exitCode,
  reason,
  files: [],
  isRehearsal: false,
  summary: undefined,
});

/** `a.csv` -> `a`. No name ends like a manifest: `work/` holds both, `a.yaml` and the folder `a`. */
export const toName = (file: string): string =>
  path.parse(file).name.replace(/\.(?=ya?ml$|lock$|holder$)/iu, "-");

/** The file that a spreadsheet's own manifest is, in the folder into which both are put. */
export const findOwnManifest = (folder: string, name: string): string | undefined =>
  [`${name}.yaml`, `${name}.yml`].find(
    (file) =>
      lstatSync(path.join(folder, file), { throwIfNoEntry: false })?.isDirectory() === false,
  );
