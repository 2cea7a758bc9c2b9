import { closing } from "../../base/flow/closing.ts";
import { type Job, stateDirOf } from "../../kinds/any-job.ts";
import { readState } from "../../state/find-state.ts";
import type { State } from "../../state/state.ts";
import type { Ports } from "../ports.ts";

/** Looks at what runs of a job have left, and changes nothing; `look` gets undefined before the first one. */
export const lookAtState = async <Result>(
  job: Job,
  { clock, writer }: Pick<Ports, "clock" | "writer">,
  look: (state: State | undefined) => Result | Promise<Result>,
): Promise<Result> =>
  closing(await readState(stateDirOf(job), { writer, salt: "", nowMs: clock.nowMs() }), look);
