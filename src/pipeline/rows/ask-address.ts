/** What a server on this computer says that its short links begin with: it may have a public address. */
import { AppError } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import { isLoopbackUrl, isUrl } from "../../base/text/url.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { State } from "../../state/state.ts";
import { DONE_WITH_SHORT_LINK } from "../../state/which-rows.ts";
import { withClient } from "../address/job-client.ts";
import type { Ports } from "../ports.ts";
import { readRemote, type ServerChoice } from "../address/server.ts";

/** A short limit: a plan is useful without this answer. */
const PATIENCE_MS = 5000;
/** Of the API; GS1 resolvers describe themselves there (docs/spec/gs1.md section 6). */
const DESCRIPTION = "../../.well-known/gs1resolver";
const MAX_BYTES = 64 * 1024;

function readRoot(bytes: Uint8Array): string | undefined {
  try {
    const { resolverRoot } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Record<
      string,
      unknown
    >;
    return typeof resolverRoot === "string" && isUrl(resolverRoot) ? resolverRoot : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where no server needs to be asked, or none knows. */
export async function askAddress(
  job: RowJob,
  server: ServerChoice,
  { ports, state }: { readonly ports: Ports; readonly state: State | undefined },
): Promise<string | undefined> {
  const { baseUrl } = server;
  if (baseUrl === undefined || !isLoopbackUrl(baseUrl) || !job.code.dynamic) return undefined;
  if (state?.page(DONE_WITH_SHORT_LINK, { afterSeq: -1, limit: 1 }).length === 1) return undefined;
  const { missing } = await readRemote(job, ports);
  if (missing.length > 0) return undefined;
  const needs = { ports, choice: server, log: makeLog(), patienceMs: PATIENCE_MS };
  const signal = AbortSignal.any([ports.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const expect = "application/json";
    const { result } = await withClient(job, needs, ({ client }) =>
      client.fetchAsset(DESCRIPTION, { maxBytes: MAX_BYTES, expect, signal }),
    );
    return readRoot(result);
  } catch (error) {
    ports.signal.throwIfAborted();
    if (signal.aborted || error instanceof AppError) return undefined;
    throw error;
  }
}
