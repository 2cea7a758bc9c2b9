/**
 * Codes that a job has made and that its server no longer has: its data is an older copy, or somebody
 * has deleted them. Their short links lead nowhere.
 */
import { AppError, type Problem } from "../base/errors.ts";
import type { PressWarning } from "../base/press-warning.ts";
import { cutKey, formatMany } from "../base/words.ts";
import { readShown } from "../download/download.ts";
import type { StateRow } from "../state/row.ts";
import type { State } from "../state/state.ts";
import type { OpenClient } from "./job-client.ts";
import type { Ports } from "./ports.ts";
import type { ServerChoice } from "./server.ts";

/** Codes that a remote server is asked for once it lacks the newest: a fixed number of calls. */
const ASKED = 8;
const SHOWN = 3;

/** Codes with a short link that the server no longer has. */
export interface GoneCodes {
  /** The newest first. */
  readonly keys: readonly string[];
  /** So many were looked for. */
  readonly asked: number;
  /** All codes of the job were looked for. */
  readonly isAll: boolean;
}

const idOf = ({ parts, remoteId }: StateRow): string => parts.codeId ?? remoteId ?? "";

/** The others are no codes of the server by themselves. */
export const hasOwnCode = ({ wanted, parts }: StateRow): boolean =>
  parts.codeId !== undefined || (wanted.form === undefined && wanted.product?.hasCode !== false);

const noneGone = ({ keys }: GoneCodes): boolean => keys.length === 0;

/** Looks into the data folder of the embedded service: for the newest code, and for all if it is gone. */
export async function findGoneHere(
  { baseUrl, dataDir }: ServerChoice,
  state: State | undefined,
  { server }: Pick<Ports, "server">,
): Promise<GoneCodes | undefined> {
  if (baseUrl !== undefined || state === undefined) return undefined;
  const lookFor = async (limit: number): Promise<GoneCodes> => {
    const rows = state.made.newest(limit);
    const there = await server.named(dataDir, rows.map(idOf));
    const keys = rows
      .filter((row) => hasOwnCode(row) && !there.has(idOf(row)))
      .map(({ key }) => key);
    return { keys, asked: rows.length, isAll: true };
  };
  return noneGone(await lookFor(1)) ? undefined : lookFor(-1);
}

async function isShown({ client }: OpenClient, row: StateRow): Promise<boolean> {
  try {
    await readShown({ client }, row, row.remoteId ?? "");
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === "missing") return false;
    throw error;
  }
}

/** Asks a server that lacks the newest code for those made before it. */
export async function findGoneThere(open: OpenClient, state: State): Promise<GoneCodes> {
  const [newest, ...others] = state.made.newest(ASKED);
  const keys = newest === undefined ? [] : [newest.key];
  for (const row of others) if (hasOwnCode(row) && !(await isShown(open, row))) keys.push(row.key);
  const asked = others.length + 1;
  return { keys, asked, isAll: asked < ASKED };
}

/** One code that is gone among others may have been deleted on purpose: the job can go on. */
const isLone = ({ keys, asked }: GoneCodes): boolean => keys.length === 1 && asked > 1;

/** What is gone, what that means, and what to do. */
export function sayGone(
  { keys, asked, isAll }: GoneCodes,
  { baseUrl, dataDir }: ServerChoice,
  ports?: Pick<Ports, "commandOf">,
): Problem & { readonly hint: string } {
  const where = baseUrl === undefined ? `the service in ${dataDir}` : `the server at ${baseUrl}`;
  const some = `${keys.length} of ${isAll ? "" : "the last "}${formatMany(asked, "code")}`;
  const shown = keys.slice(0, SHOWN).map(cutKey).join(", ");
  const more = keys.length > SHOWN ? " and others" : "";
  const fresh = { more: ["--fresh", "--yes"], without: ["yes", "plan"] };
  const anew = ports?.commandOf("run", fresh) ?? "run it with --fresh --yes";
  const deleted =
    keys.length === 1 ? "; if somebody deleted it on purpose, take its row out of the source" : "";
  return {
    message: `${where} must have the codes of this job, but no longer has ${some}: ${shown}${more}; their short links lead nowhere`,
    hint: `if its data comes from a backup, restore a newer one${deleted}; to make all codes of this job anew: ${anew} (printed labels of the codes that are gone stay dead)`,
  };
}

/** Throws `state-foreign` where more than a single code is gone; says otherwise what is. */
export function judgeGone(
  gone: GoneCodes,
  choice: ServerChoice,
  ports: Pick<Ports, "commandOf">,
): Problem {
  const { message, hint } = sayGone(gone, choice, ports);
  if (isLone(gone)) return { message, hint };
  throw new AppError("state-foreign", message, { hint });
}

/** What forbids the press; nothing where the rows of these codes left the job meanwhile. */
export function warnOfGone(gone: GoneCodes | undefined, state: State): PressWarning[] {
  if (gone === undefined) return [];
  const present = new Set(state.made.newest(-1).map(({ key }) => key));
  const rows = gone.keys.filter((key) => present.has(key));
  return rows.length === 0 ? [] : [{ code: "codes-gone", count: rows.length, rows, what: [] }];
}
