/**
 * An output folder whose `state.db` is gone or older than its last run. `run.log` is the witness:
 * it names the state's salt and every row whose code was made.
 */
import { createReadStream, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";

import { closing } from "../../base/flow/closing.ts";
import { AppError, type Problem } from "../../base/errors.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { isStateThere } from "../../state/find-state.ts";
import type { State } from "../../state/state.ts";

const MADE = ["index.csv", "index.xlsx", "sheet-map.json", "artwork"];

const HINT =
  "put state.db back, with state.db-wal if there is one; or choose another --out, or make every code anew with --fresh --yes";

/**
 * The salt of a state that was lost, when its codes can be found again by their markers; undefined
 * when nothing was lost. Throws `confirm-needed` when codes were made and can't be found: going on
 * would make every one a second time.
 */
export async function findLostSalt(folder: string, marker: boolean): Promise<string | undefined> {
  if (isStateThere(folder)) return undefined;
  const log = path.join(folder, "run.log");
  const logged = existsSync(log)
    ? await readLog(createReadStream(log))
    : { salt: undefined, made: undefined };
  const made = MADE.filter((name) => existsSync(path.join(folder, name)));
  if (logged.made !== undefined) made.push("run.log");
  if (made.length === 0) return undefined;
  if (marker && logged.salt !== undefined) return logged.salt;
  throw new AppError(
    "confirm-needed",
    `${folder} must hold state.db beside the files of an earlier run (${made.join(", ")}), got none`,
    { hint: HINT },
  );
}

/** Other kinds take several calls, or have no name: only their state says how far they are. */
export const isFoundAgain = ({ kind, run }: Pick<RowJob, "kind" | "run">): boolean =>
  run.marker && kind === "codes";

/** What a run would refuse by `findLostSalt`; of a job that was never run, or can be found again, nothing. */
export const refuseLost = async (job: RowJob): Promise<void> => {
  await findLostSalt(job.output.dir, isFoundAgain(job));
};

/** The same as data. */
export async function findLoss(job: RowJob): Promise<Problem | undefined> {
  try {
    await refuseLost(job);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, hint } = error;
    return { message, ...(hint !== undefined && { hint }) };
  }
}

/** How much of the log's end is read. */
const TAIL_BYTES = 64 * 1024;

/**
 * Throws `state-damaged` when the log names a code whose row the state never sent: it is an older
 * copy, or its `-wal` file was left behind. With markers nothing is lost: the codes are taken back.
 */
export async function refuseOldState(state: State, marker: boolean): Promise<void> {
  const file = path.join(path.dirname(state.file), "run.log");
  if (marker || !existsSync(file)) return;
  await closing(await open(file), async (handle) => {
    const { size } = await handle.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { salt, made } = await readLog(handle.createReadStream({ start, autoClose: false }));
    // A last part without a salt belongs to the newest run.
    if (made === undefined || (salt !== undefined && salt !== state.meta("salt"))) return;
    if (salt === undefined && (await readSalt(file)) !== state.meta("salt")) return;
    if (state.wasSent(made)) return;
    throw new AppError(
      "state-damaged",
      `${state.file} must know the code of row ${made}, which run.log says was made, got an older state`,
      { hint: HINT },
    );
  });
}

interface Logged {
  readonly salt: string | undefined;
  /** The last row whose code was made under that salt. */
  readonly made: string | undefined;
}

const readSalt = async (file: string): Promise<string | undefined> =>
  (await readLog(createReadStream(file))).salt;

async function readLog(stream: NodeJS.ReadableStream): Promise<Logged> {
  let salt: string | undefined;
  let made: string | undefined;
  for await (const text of createInterface({ input: stream })) {
    const line = readLine(text);
    if (typeof line?.["salt"] === "string") {
      if (line["salt"] !== salt && salt !== undefined) made = undefined;
      salt = line["salt"];
    } else if (line?.["msg"] === "code made" && typeof line["row"] === "string") {
      made = line["row"];
    }
  }
  return { salt, made };
}

/** Undefined for a line that a killed run left half written. */
function readLine(text: string): Record<string, unknown> | undefined {
  if (!text.includes('"salt"') && !text.includes('"code made"')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
