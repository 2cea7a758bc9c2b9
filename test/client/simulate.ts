import { openClient, type ClientOptions } from "../../src/client/client.ts";
import { seededRandom, virtualClock, WITHOUT_COMMITS } from "./virtual-clock.ts";
import { simulatedServer, type ServerOptions } from "./simulated-server.ts";

export interface Simulation extends Omit<ServerOptions, "clock" | "random"> {
  readonly writes: number;
  readonly reads?: number;
  readonly seed?: number;
  readonly client?: Partial<Pick<ClientOptions, "share" | "concurrency" | "limits">>;
}

export interface Simulated {
  /** When the last write was answered. */
  readonly writesDoneS: number;
  /** The least time that the server's windows allow for the writes. */
  readonly boundS: number;
  readonly limited: number;
  readonly othersDone: number;
  readonly othersTried: number;
  /** Part of the writes of all windows but the last that were used, by us and others; 0 to 1. */
  readonly used: number;
  /** The most 429s that one window of writes saw. */
  readonly mostLimited: number;
  /** Time until the last write over the least time: of our own writes alone. */
  readonly makespan: number;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const BODY = { workspace: "w", qr_data: "https://example.com/" };

/** Runs the real client against a simulated server in virtual time. */
export async function simulate(simulation: Simulation): Promise<Simulated> {
  const { writes, reads = writes, seed = 1 } = simulation;
  const clock = virtualClock(WITHOUT_COMMITS);
  const random = seededRandom(seed);
  const server = simulatedServer({ ...simulation, clock, random });
  const client = openClient({
    baseUrl: "http://simulated.test/api/v2",
    token: "t",
    workspace: "w",
    clock,
    random,
    transport: server,
    ...simulation.client,
  });
  const create = async (n: number): Promise<void> => {
    for (;;) {
      const outcome = await client.createCode(BODY, { idempotencyKey: `k${n}` });
      if (outcome.kind === "done") return;
      if (outcome.kind !== "limited") throw new Error(outcome.message);
    }
  };
  let writesDoneS = 0;
  const write = async (): Promise<void> => {
    await client.eachWrite(numbers(writes), create);
    writesDoneS = clock.monotonicMs() / 1000;
    server.stop();
  };
  const read = async (): Promise<void> => {
    await client.eachRead(numbers(reads), async (n) => {
      await client.getCode(`${n}`);
    });
  };
  await clock.run(Promise.all([write(), read()]));
  const { limits = { write: 60, read: 120 } } = simulation;
  const boundS = toBoundS(simulation);
  const full = server.windows.slice(0, -1);
  return {
    writesDoneS,
    boundS,
    used: full.reduce((sum, { used }) => sum + used, 0) / (limits.write * full.length),
    mostLimited: Math.max(...server.windows.map(({ limited }) => limited)),
    makespan: writesDoneS / boundS,
    limited: server.counts.limited,
    othersDone: server.counts.othersDone,
    othersTried: server.counts.othersTried,
  };
}

/**
 * docs/spec/engine.md section 2.1: wall-aligned windows begin at `phaseMs`; others with the first
 * write, about half a round trip after the start.
 */
function toBoundS({
  writes,
  windows,
  phaseMs = 0,
  limits = { write: 60, read: 120 },
}: Simulation): number {
  if (writes <= limits.write) return 0;
  const atPhase = phaseMs % 60_000 === 0 || windows !== "wall" ? 60_000 : phaseMs % 60_000;
  return atPhase / 1000 + (Math.ceil((writes - limits.write) / limits.write) - 1) * 60;
}
