import type { Log } from "../../base/log.ts";
import type { JobOutput, JobRows } from "../../job/job.ts";
import type { Kind } from "../../kinds/names.ts";
import type { State } from "../../state/state.ts";
import type { Emit } from "../events.ts";
import type { Ports } from "../ports.ts";

/** What the stages after sending must know of a job of any kind. */
export interface WorkJob {
  readonly name: string;
  /** The manifest, absolute. */
  readonly file: string;
  readonly kind: Kind;
  readonly output: JobOutput;
  /** Where its rows stand, for messages; null when they are codes that exist. */
  readonly source: {
    readonly file: string;
    /** Its worksheet, where the manifest names one. */
    readonly sheet?: string | number | null;
    readonly from: JobRows["from"];
  } | null;
}

/** What every stage after sending works with. */
export interface Work extends Pick<
  Ports,
  "clock" | "writer" | "signal" | "prover" | "drawer" | "mostDecodedAll" | "commandOf" | "report"
> {
  readonly job: WorkJob;
  readonly state: State;
  readonly folder: string;
  readonly on: Emit;
  readonly log: Log;
  /** Date of all files: that of the job's first run, so that a re-run gives the same bytes. */
  readonly createdAt: string;
  readonly input: {
    readonly name: string;
    readonly sha256: string;
    /** Headers of the spreadsheet, in order. */
    readonly columns: readonly string[];
    /** Of a CSV: the lists that are written have it, too. Left out, or empty: comma. */
    readonly delimiter?: string | undefined;
  };
  /** The codes lead to this computer only. */
  readonly isRehearsal: boolean;
}

/** What the stages get, however the job was opened. */
export function toWorkBase(
  ports: Pick<
    Ports,
    | "on"
    | "clock"
    | "writer"
    | "signal"
    | "prover"
    | "drawer"
    | "mostDecodedAll"
    | "commandOf"
    | "report"
  >,
  state: State,
  log: Log,
) {
  const { on, clock, writer, signal, prover, drawer, mostDecodedAll, commandOf, report } = ports;
  const { createdAt } = state;
  const base = {
    state,
    log,
    on,
    clock,
    writer,
    signal,
    prover,
    drawer,
    mostDecodedAll,
    createdAt,
    commandOf,
    report,
  };
  return base satisfies Partial<Work>;
}
