/** When all questions to PostgreSQL are answered, and nothing asks any more. */
import pg from "pg";

let asking = 0;

const end = (): void => void (asking -= 1);

/** `work`, counted while it is under way; a pool waits for its connections by callbacks. */
const counted = (work: (...values: unknown[]) => unknown) =>
  function count(this: pg.Client, ...values: unknown[]): unknown {
    const told = values.at(-1);
    if (typeof told === "function") {
      asking += 1;
      const tell = (...answer: unknown[]): unknown => {
        end();
        return told(...answer);
      };
      return work.apply(this, [...values.slice(0, -1), tell]);
    }
    const done = work.apply(this, values);
    if (!(done instanceof Promise)) return done;
    asking += 1;
    done.then(end, end);
    return done;
  };

// Every connection of this process, a pool's among them.
for (const name of ["query", "connect"] as const) {
  const work = Reflect.get(pg.Client.prototype, name) as (...values: unknown[]) => unknown;
  Object.assign(pg.Client.prototype, { [name]: counted(work) });
}

const QUIET_TURNS = 20;

export async function untilQuiet(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (asking > 0) quiet = 0;
  }
}
