/** How runs over codes that exist begin: with their folder, their lock, their state. */
import path from "node:path";

import { makeLog, type Log } from "../../base/log.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import type { SelectJob } from "../../kinds/any-job.ts";
import { forgetState } from "../../state/find-state.ts";
import { lockFolder } from "../../state/lock.ts";
import { openState, type State } from "../../state/state.ts";
import type { Ports } from "../ports.ts";
import { moveLinks, refuseOtherAddress, rememberPublicUrl } from "../address/public-address.ts";
import { checkServer, type ServerChoice } from "../address/server.ts";
import { sweepTemporary } from "../stages/sweep.ts";
import { makeStopwatch, type Stopwatch } from "../stages/stopwatch.ts";

/** Jobs over codes that exist which change something, or leave files for later runs. */
export type KeepingJob = Extract<SelectJob, { readonly stateDir: string }>;

/** The opened parts of a run over codes that exist. */
export interface SelectParts {
  readonly ports: Ports;
  readonly server: ServerChoice;
  /** Absolute; where the state stands, and where the run writes. */
  readonly folders: { readonly state: string; readonly output: string };
  readonly state: State;
  readonly log: Log;
  readonly stopwatch: Stopwatch;
}

interface SelectOrder {
  readonly job: KeepingJob;
  readonly server: ServerChoice;
  readonly fresh?: boolean;
}

/** Holds the job's lock and state while `work` runs. */
export async function withSelectState<T>(
  { job, server: choice, fresh }: SelectOrder,
  folders: SelectParts["folders"],
  ports: Ports,
  work: (parts: SelectParts) => Promise<T>,
): Promise<T> {
  checkServer(job, choice, ports);
  const lock = await lockFolder(folders.state);
  let state: State | undefined;
  try {
    if (fresh === true) await forgetState(folders.state);
    await makeFolder(folders.output);
    await sweepTemporary(folders.output);
    const { writer, ids, clock } = ports;
    state = openState(folders.state, { writer, salt: ids.uuid(), nowMs: clock.nowMs() });
    const server = rememberPublicUrl(choice, state);
    refuseOtherAddress(server, ports, state);
    if (server.baseUrl === undefined) moveLinks(state, server.publicUrl);
    const log = makeLog({ to: path.join(folders.state, "run.log") });
    log.info({ job: job.name, writer }, "run");
    return await work({ ports, server, folders, state, log, stopwatch: makeStopwatch(clock) });
  } finally {
    state?.close();
    lock.release();
  }
}
