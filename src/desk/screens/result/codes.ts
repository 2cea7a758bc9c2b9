/** A page of the job's rows for the contact sheet, from its state. */
import { existsSync } from "node:fs";
import path from "node:path";

import { AppError } from "../../../base/errors.ts";
import { isRowJob, stateDirOf, type Job } from "../../../kinds/any-job.ts";
import { readState } from "../../../state/find-state.ts";
import { ANY } from "../../../state/which-rows.ts";
import type { DeskContext } from "../../context.ts";

export interface CodeTile {
  readonly key: string;
  readonly name: string;
  readonly shortLink: string | null;
  /** Relative to the output folder; undefined where there is no picture. */
  readonly picture: string | undefined;
}

export interface CodePage {
  readonly tiles: readonly CodeTile[];
  /** Pass it as `after` for the next page; undefined at the end. */
  readonly next: number | undefined;
}

export const TILES_A_PAGE = 48;

/** Of `rows` jobs; empty for others and before the first run. */
export async function readCodes(
  { clock, writer }: DeskContext,
  job: Job,
  after: number,
): Promise<CodePage> {
  if (!isRowJob(job)) return { tiles: [], next: undefined };
  const state = await readState(stateDirOf(job), { writer, salt: "", nowMs: clock.nowMs() });
  if (state === undefined) return { tiles: [], next: undefined };
  try {
    const rows = state.page(ANY, { afterSeq: after, limit: TILES_A_PAGE });
    const { dir } = job.output;
    const tiles = rows.map(({ key, wanted, shortLink, artwork }): CodeTile => ({
      key,
      name: wanted.displayName,
      shortLink,
      picture: artwork?.files
        .map(({ name }) => name)
        .find((name) => existsSync(path.join(dir, name))),
    }));
    return { tiles, next: rows.length < TILES_A_PAGE ? undefined : rows.at(-1)?.seq };
  } catch (error) {
    if (error instanceof AppError) return { tiles: [], next: undefined };
    throw error;
  } finally {
    state.close();
  }
}
