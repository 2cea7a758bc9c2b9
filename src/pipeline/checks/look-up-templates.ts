/** Templates that a job names, looked up where the run will: a wrong one stops all of it. */
import { AppError, type Problem } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import type { JobCommon } from "../../job/job.ts";
import { withClient } from "../address/job-client.ts";
import type { BuiltInTemplate, Ports } from "../ports.ts";
import { isNothingThere, readRemote, type ServerChoice } from "../address/server.ts";

/** A short limit: a plan is useful without this answer. */
const PATIENCE_MS = 5000;

/** A server that is away or busy; not a fault of the manifest or the token. */
const isAway = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === "busy" || error.kind === "broken");

/** Looks up templates of a workspace. */
export interface TemplateSource {
  templates(): AsyncIterable<BuiltInTemplate> | Iterable<BuiltInTemplate>;
}

/** What `look` answered; undefined with warnings where no server could be asked. */
interface LookedUp<T> {
  readonly found: T | undefined;
  readonly warnings: readonly Problem[];
}

interface Asking {
  readonly job: Pick<JobCommon, "run" | "api">;
  readonly server: ServerChoice;
  readonly field: string;
}

/** Hands `look` the templates of the job's server. Throws what `look` throws. */
export async function lookUpTemplates<T>(
  { job, server, field }: Asking,
  ports: Ports,
  look: (source: TemplateSource) => Promise<T>,
): Promise<LookedUp<T>> {
  const message = `${field} was not looked up`;
  const hint = "a template that the server doesn't have stops the run before anything is made";
  const unchecked = (why: string): LookedUp<T> => ({
    found: undefined,
    warnings: [{ message: `${message}: ${why}`, hint }],
  });
  if (isNothingThere(server)) {
    const templates = await ports.server.templates();
    return { found: await look({ templates: () => templates }), warnings: [] };
  }
  if (server.baseUrl !== undefined) {
    const { missing } = await readRemote(job, ports);
    if (missing.length > 0) return unchecked(`no ${missing.join(" and no ")} is set`);
  }
  try {
    const needs = { ports, choice: server, log: makeLog(), patienceMs: PATIENCE_MS };
    const { result } = await withClient(job, needs, ({ client }) => look(client));
    return { found: result, warnings: [] };
  } catch (error) {
    if (!isAway(error)) throw error;
    return unchecked(error.message);
  }
}
