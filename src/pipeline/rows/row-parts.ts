import type { RowJob } from "../../kinds/any-job.ts";
import type { Source } from "../../read/source.ts";
import type { State } from "../../state/state.ts";
import type { Ports } from "../ports.ts";
import type { RunRequest } from "../results.ts";
import type { ServerChoice } from "../address/server.ts";
import type { FolderChoice } from "../strategy.ts";
import type { Stopwatch } from "../stages/stopwatch.ts";
import type { ServerAddress } from "./server-address.ts";

/** The opened parts of a run. */
export interface RowParts {
  readonly ports: Ports;
  readonly job: RowJob;
  readonly server: ServerChoice;
  readonly request: RunRequest & FolderChoice;
  readonly source: Source;
  readonly state: State;
  readonly stopwatch: Stopwatch;
  /** What a remote server says of its codes. */
  readonly far: ServerAddress;
}
