/** What the service counts of itself, as Prometheus reads it (docs/operating.md, "Watching it"). */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Kinds of requests, by the first segment of their path. */
export type Kind =
  | "api"
  | "assistant"
  | "console"
  | "digital-link"
  | "file"
  | "form"
  | "link"
  | "other"
  | "page";

interface Answered {
  readonly kind: Kind;
  readonly status: number;
  /** Milliseconds from the request to its answer. */
  readonly ms: number;
}

/** Figures that are looked up when somebody asks. Times are epoch seconds; undefined = none. */
export interface Facts {
  readonly scansWaiting: number;
  readonly scansLost: number;
  readonly reportsWaiting: number;
  readonly storeBytes: number;
  readonly takesWrites: boolean;
  readonly lastBackup: number | undefined;
}

const GAUGES = {
  scansWaiting: ["makeready_scans_waiting", "Scans that are not stored yet"],
  scansLost: ["makeready_scans_lost", "Scans that could not be stored since the start"],
  reportsWaiting: [
    "makeready_webhook_reports_waiting",
    "Webhook reports that are not delivered yet",
  ],
  storeBytes: ["makeready_store_bytes", "Size of the database"],
  takesWrites: ["makeready_takes_writes", "1, or 0 while the data folder can't be written"],
  lastBackup: ["makeready_last_backup_seconds", "When the last backup was made, in epoch seconds"],
} as const satisfies Record<keyof Facts, readonly [string, string]>;

/** Seconds: a redirect takes less than a thousandth, a large PDF a few. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metrics {
  count(answered: Answered): void;
  /** Prometheus text and its content type. */
  read(): Promise<{ readonly text: string; readonly type: string }>;
}

export function makeMetrics(readFacts: () => Promise<Facts>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const answers = new Counter({
    name: "makeready_answers_total",
    help: "Answered requests, by what was asked for and the status of the answer",
    labelNames: ["kind", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "makeready_answer_seconds",
    help: "Time from a request to its answer",
    labelNames: ["kind"],
    buckets: BUCKETS,
    registers,
  });
  const gauges = Object.entries(GAUGES).map(
    ([fact, [name, help]]) => [fact as keyof Facts, new Gauge({ name, help, registers })] as const,
  );
  return {
    count({ kind, status, ms }) {
      answers.inc({ kind, status });
      seconds.observe({ kind }, ms / 1000);
    },
    async read() {
      const facts = await readFacts();
      for (const [fact, gauge] of gauges) {
        const value = facts[fact];
        if (value === undefined) gauge.remove();
        else gauge.set(Number(value));
      }
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}
