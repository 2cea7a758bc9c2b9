import type { Clock } from "../base/time/clock.ts";
import type { Log } from "../base/log.ts";
import type { Client } from "../client/client.ts";
import type { State } from "../state/state.ts";
import type { StateRow } from "../state/row.ts";
import type { Maker } from "./maker.ts";

/** What happens while rows are sent, for progress and views. */
export interface RunEvents {
  /** A row's code exists; `adopted` when it was found on the server, not sent. */
  done(row: StateRow, adopted: boolean): void;
  /** `isSent`: something had to be sent for it. */
  changed(row: StateRow, isSent: boolean): void;
  /** What a row registers was on the server before it was sent: it is changed, not made. */
  readonly wasThere?: (row: StateRow) => void;
  failed(row: StateRow, message: string): void;
  inDoubt(row: StateRow, message: string): void;
  waiting(message: string): void;
}

export interface RunSettings {
  /** Id of the workspace, for bodies. */
  readonly workspace: string;
  /** How long a create in doubt is left to settle before the list decides, ms. */
  readonly settleMs: number;
  /** Appends the row's reference to its display name. */
  readonly marker: boolean;
  /** What becomes of late doubles of this job's codes. */
  readonly lateDoubles: "delete" | "report";
  /** More failed rows than this stop the job. */
  readonly maxFailures: number;
  /** The first failed row stops the job. */
  readonly stopOnError: boolean;
  /** At most this many creates in this run. */
  readonly limit: number | null;
  /** The server is known to honour `Idempotency-Key`, before any answer of it. */
  readonly keysHonoured: boolean;
  /** How long the server may fail before the job stops, ms. Default 15 min. */
  readonly patienceMs?: number | undefined;
}

/** The options of a run. */
export interface RunEnvironment {
  readonly state: State;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: RunSettings;
  readonly events: RunEvents;
  /** Aborted by the first Ctrl-C: nothing new is taken, what is in flight ends. */
  readonly signal: AbortSignal;
}

/** What the steps of a run need. */
export interface RunContext extends RunEnvironment {
  readonly maker: Maker;
}
