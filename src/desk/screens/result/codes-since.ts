/** What has become of a job's codes at the service since its last run. */
import { AppError, toMessage, type Problem } from "../../../base/errors.ts";
import {
  sayPressWarning,
  type Press,
  type PressWarning,
} from "../../../base/shapes/press-warning.ts";
import { readVariable } from "../../../base/settings.ts";
import { isRowJob } from "../../../kinds/any-job.ts";
import { findForeign } from "../../../pipeline/address/foreign-server.ts";
import type { OpenJob } from "../../../pipeline/open.ts";
import { findElsewhere } from "../../../pipeline/rows/elsewhere.ts";
import { findGoneHere, sayFoundGone, sayGone } from "../../../pipeline/rows/gone-codes.ts";
import { findOtherTargets } from "../../../pipeline/rows/other-targets.ts";
import { lookAtState } from "../../../pipeline/standing/look-at-state.ts";
import { embeddedPort } from "../../../service/embedded/embedded.ts";
import type { State } from "../../../state/state.ts";
import { PRESENT_DONE } from "../../../state/which-rows.ts";
import type { DeskContext } from "../../context.ts";

/** Codes that the service no longer has. */
export interface GoneSince {
  readonly count: number;
  readonly of: number;
  readonly problem: Problem;
  /** A retry of this job makes them anew. */
  readonly canRetry: boolean;
}

export interface CodesSince {
  readonly gone?: GoneSince | undefined;
  /** Codes that lead elsewhere, or have another name or product. */
  readonly elsewhere: readonly Problem[];
  /** Codes that look otherwise. */
  readonly looks: readonly PressWarning[];
  /** Why none of this is known. */
  readonly unread?: Problem | undefined;
}

export const AS_MADE: CodesSince = { elsewhere: [], looks: [] };

/** Looks that the last run has not said itself. */
export function listUntold(
  looks: readonly PressWarning[],
  press: Press | undefined,
): readonly PressWarning[] {
  if (looks.length === 0) return [];
  const told = new Set(press?.warnings.map(sayPressWarning));
  return looks.filter((look) => !told.has(sayPressWarning(look)));
}

type Opened = Pick<OpenJob, "job" | "server">;

/** A page has to be quick: looks of more codes than these are compared by a check of the files only. */
const MOST_COMPARED = 5000;

async function findGone(
  { job, server }: Opened,
  state: State,
  { env }: DeskContext,
): Promise<GoneSince | undefined> {
  const access = {
    token: readVariable(env, "token"),
    workspace: readVariable(env, "workspace"),
  };
  const ports = { access, server: embeddedPort };
  if (job.kind === "report" || (await findForeign({ job, server }, state, ports)) !== undefined)
    return undefined;
  const gone = await findGoneHere({ job, server }, state, ports);
  if (gone === undefined) return undefined;
  const canRetry = isRowJob(job);
  const problem = canRetry ? sayGone(gone, server, {}) : sayFoundGone(gone, server, { state });
  return { count: gone.keys.length, of: gone.asked, problem, canRetry };
}

async function lookAtCodes(opened: Opened, desk: DeskContext): Promise<CodesSince> {
  const { job, server } = opened;
  return lookAtState(job, desk, async (state) => {
    if (state === undefined) return AS_MADE;
    const gone = await findGone(opened, state, desk);
    if (!isRowJob(job)) return { ...AS_MADE, gone };
    const asking = { job, server, state, ports: { server: embeddedPort } };
    if (state.count(PRESENT_DONE) > MOST_COMPARED)
      return { gone, elsewhere: await findOtherTargets(asking), looks: [] };
    const { otherLooks: looks, otherTargets: elsewhere } = await findElsewhere(asking);
    return { gone, elsewhere, looks };
  });
}

/** No data and data of an older makeready are no faults. */
function toUnread(error: unknown, { server }: Opened): Problem {
  if (error instanceof AppError) return { message: error.message, hint: error.hint };
  return {
    message: `the data of the service in ${server.dataDir} must be readable, got: ${toMessage(error)}`,
  };
}

/** Of the service of this computer: others are not asked. A page has more to show where its data can't be read. */
export const readCodesSince = async (opened: Opened, desk: DeskContext): Promise<CodesSince> =>
  opened.server.baseUrl === undefined
    ? lookAtCodes(opened, desk).catch((error: unknown) => ({
        ...AS_MADE,
        unread: toUnread(error, opened),
      }))
    : AS_MADE;

/** Only what is gone. Where that can't be read, a plan, a run and the result say why. */
export const readGone = async (opened: Opened, desk: DeskContext): Promise<GoneSince | undefined> =>
  opened.server.baseUrl === undefined
    ? lookAtState(opened.job, desk, (state) => state && findGone(opened, state, desk)).catch(
        () => undefined,
      )
    : undefined;
