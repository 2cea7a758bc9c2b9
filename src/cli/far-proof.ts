/** The queue of `--on` as this program opens it. */
import { toProgramHash } from "../pipeline/program-hash.ts";
import type { Ports } from "../pipeline/ports.ts";
import { sharedProver } from "../verify/proof-pool.ts";
import { FarProver } from "../work/far-prover.ts";
import { type Program, Queue } from "../work/queue.ts";

/** Which program this is: chunks are proven by the same one only. */
export const toProgram = ({
  writer,
  programFolder,
}: Pick<Ports, "writer" | "programFolder">): Program => ({
  name: writer,
  hash: toProgramHash(programFolder),
});

/** Throws `AppError` for a database that can't be used. */
export async function openFarProver(url: string, ports: Ports): Promise<FarProver> {
  const queue = await Queue.open(url, toProgram(ports));
  return new FarProver({
    queue,
    near: sharedProver(),
    signal: ports.signal,
    say: (message) => ports.on({ type: "waiting", message }),
    warn: (message) => ports.on({ type: "warning", problem: { message } }),
  });
}
