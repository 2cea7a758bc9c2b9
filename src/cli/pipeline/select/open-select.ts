/** What jobs over codes that exist begin with: their folder, their state, their server. */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../../../base/errors.ts";
import { makeLog, type Log } from "../../../base/log.ts";
import type { Client } from "../../../client/client.ts";
import type { JobCommon } from "../../../job/job.ts";
import { lockFolder } from "../../../state/lock.ts";
import { openState, stateFile, type State } from "../../../state/state.ts";
import type { CliContext } from "../../context.ts";
import type { View } from "../../view.ts";
import { countCalls, openJobClient, toWorkspaceError, type Calls } from "../job-client.ts";
import {
  checkServer,
  openServer,
  rememberPublicUrl,
  type OpenServer,
  type ServerChoice,
} from "../server.ts";
import type { RunOptions } from "../steps.ts";
import { makeStopwatch, type Stopwatch } from "../stopwatch.ts";
import { sweepTemporary } from "../sweep.ts";

/** Where a job stands and writes. */
export interface Folders {
  /** Absolute. */
  readonly state: string;
  readonly output: string;
}

/** The opened parts of a run over codes that exist. */
export interface SelectParts {
  readonly context: CliContext;
  readonly view: View;
  readonly server: ServerChoice;
  readonly folders: Folders;
  readonly state: State;
  readonly log: Log;
  readonly stopwatch: Stopwatch;
}

type Options = Pick<RunOptions, "server" | "fresh"> & { readonly job: JobCommon };

/** Holds the job's lock and state while `work` runs. */
export async function withSelectState<T>(
  { context, view, folders }: { context: CliContext; view: View; folders: Folders },
  options: Options,
  work: (parts: SelectParts) => Promise<T>,
): Promise<T> {
  checkServer(options.job, options.server, context);
  const lock = await lockFolder(folders.state);
  let state: State | undefined;
  try {
    if (options.fresh) {
      for (const suffix of ["", "-wal", "-shm"]) {
        await rm(`${stateFile(folders.state)}${suffix}`, { force: true });
      }
    }
    await mkdir(folders.output, { recursive: true });
    await sweepTemporary(folders.output);
    state = openState(folders.state, {
      writer: context.writer,
      salt: context.ids.uuid(),
      nowMs: context.clock.nowMs(),
    });
    const server = rememberPublicUrl(options.server, state);
    if (server.baseUrl === undefined) state.setMeta("public_url", server.publicUrl);
    const log = makeLog({ to: path.join(folders.state, "run.log") });
    log.info({ job: options.job.name, writer: context.writer }, "run");
    const stopwatch = makeStopwatch(context.clock);
    return await work({ context, view, server, folders, state, log, stopwatch });
  } finally {
    state?.close();
    lock.release();
  }
}

export interface OpenClient {
  readonly client: Client;
  readonly server: OpenServer;
}

type ServerNeeds = Pick<SelectParts, "context" | "view" | "log"> & {
  readonly choice: ServerChoice;
  readonly patienceMs: number | undefined;
};

/**
 * Opens server and client of a job for `work`, and counts what was asked. A workspace that the token
 * doesn't open is told as that.
 */
export async function withClient<T>(
  job: JobCommon,
  { context, view, log, choice, patienceMs }: ServerNeeds,
  work: (open: OpenClient) => Promise<T>,
): Promise<{ readonly result: T; readonly calls: Calls }> {
  const server = await openServer(job, choice, context);
  try {
    const client = openJobClient(job, server, { context, view, log, patienceMs });
    try {
      const result = await work({ client, server });
      return { result, calls: countCalls(client) };
    } catch (error) {
      throw toWorkspaceError(error, server) ?? error;
    } finally {
      await client.close();
    }
  } finally {
    await server.close();
  }
}

/** True for an embedded service that nobody has used yet: asking it would make its folder. */
export const isNothingThere = (choice: ServerChoice): boolean =>
  choice.baseUrl === undefined && !existsSync(choice.dataDir);

/** The error of a plan over a service that holds nothing yet. */
export const noCodesYet = (choice: ServerChoice): AppError =>
  new AppError("bad-usage", `${choice.dataDir} must hold codes to select from, got no data`, {
    hint: "run a job that makes codes first, or name a server with --base-url",
  });
