/** Templates that a job names, looked up where the run will: a wrong one stops all of it. */
import type { Template } from "../api/template.ts";
import { AppError, type Problem } from "../base/errors.ts";
import { makeLog } from "../base/log.ts";
import type { JobCommon } from "../job/job.ts";
import { withClient } from "./job-client.ts";
import type { Ports } from "./ports.ts";
import { isNothingThere, readRemote, type ServerChoice } from "./server.ts";

/** Who asks waits, and a plan is good without this answer. */
const PATIENCE_MS = 5000;

/** A server that is away, or busy; what is wrong with the manifest or the token is no such thing. */
const isAway = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === "busy" || error.kind === "broken");

/** Who knows the templates of a workspace. */
export interface TemplateSource {
  templates():
    | AsyncIterable<Pick<Template, "id" | "title">>
    | Iterable<Pick<Template, "id" | "title">>;
}

interface Asking {
  readonly job: Pick<JobCommon, "run" | "api">;
  readonly server: ServerChoice;
  /** The field of the manifest. */
  readonly field: string;
}

/**
 * Hands `look` the templates of the job's server. Answers warnings where nobody could be asked. Throws
 * what `look` throws.
 */
export async function lookUpTemplates(
  { job, server, field }: Asking,
  ports: Ports,
  look: (source: TemplateSource) => Promise<unknown>,
): Promise<readonly Problem[]> {
  const unchecked = (why: string): readonly Problem[] => [
    {
      message: `${field} was not looked up: ${why}`,
      hint: "a template that the server doesn't have stops the run before anything is made",
    },
  ];
  if (isNothingThere(server)) {
    const templates = await ports.server.templates();
    await look({ templates: () => templates });
    return [];
  }
  if (server.baseUrl !== undefined) {
    const { missing } = await readRemote(job, ports);
    if (missing.length > 0) return unchecked(`no ${missing.join(" and no ")} is set`);
  }
  try {
    const needs = { ports, choice: server, log: makeLog(), patienceMs: PATIENCE_MS };
    await withClient(job, needs, ({ client }) => look(client));
    return [];
  } catch (error) {
    if (!isAway(error)) throw error;
    return unchecked(error.message);
  }
}
