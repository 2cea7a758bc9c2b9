/** The process of a task. */
import { runTask } from "./run-task.ts";

/** How long a stop waits for what is in flight. */
const GRACE_MS = 10_000;

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stop.abort());

const ask = (): void => {
  stop.abort();
  setTimeout(() => process.exit(1), GRACE_MS).unref();
};

const [, , folder = "", id = "", ...program] = process.argv;
await runTask({ folder, id, env: process.env, program }, { signal: stop.signal, ask });
