/** When all questions to PostgreSQL are answered, and nothing asks any more. */
import pg from "pg";

let asking = 0;

/** `work`, counted while it is under way. */
const counted = (work: (...values: never[]) => unknown) =>
  function count(this: pg.Client, ...values: never[]): unknown {
    const done = work.apply(this, values);
    if (!(done instanceof Promise)) return done;
    asking += 1;
    const end = (): void => void (asking -= 1);
    done.then(end, end);
    return done;
  };

// Every connection of this process, a pool's among them.
for (const name of ["query", "connect"] as const) {
  const work = Reflect.get(pg.Client.prototype, name) as (...values: never[]) => unknown;
  Object.assign(pg.Client.prototype, { [name]: counted(work) });
}

const QUIET_TURNS = 20;

export async function untilQuiet(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (asking > 0) quiet = 0;
  }
}
