/** Whether the codes of a job still have the address on its server that they were printed with. */
import { stateDirOf, type RowJob } from "../../kinds/any-job.ts";
import { readState } from "../../state/find-state.ts";
import type { Ports } from "../ports.ts";
import { findAddress } from "../rows/server-address.ts";
import type { ServerChoice } from "../server.ts";
import { fail, ok, warn, type Check } from "./check.ts";

const NAME = "short links";

/** No check of a job whose codes have no short links yet. */
export async function checkCodesAddress(
  job: RowJob,
  server: ServerChoice,
  ports: Ports,
): Promise<Check[]> {
  const { writer, clock } = ports;
  const state = await readState(stateDirOf(job), { writer, salt: "", nowMs: clock.nowMs() });
  try {
    const { from, problem, warning, isUntold } = await findAddress(job, server, { ports, state });
    if (problem !== undefined) return [fail(NAME, problem.message, problem.hint)];
    // Why it has not told stands above.
    const fix = isUntold ? undefined : warning?.hint;
    if (warning !== undefined) return [warn(NAME, warning.message, fix)];
    const says = `begin with ${from}, as the codes of this job do`;
    return from === undefined ? [] : [ok(NAME, says)];
  } finally {
    state?.close();
  }
}
