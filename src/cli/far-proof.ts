/** `--on`: other computers help to prove and to draw. Its modules are loaded only with the option. */
import { closing } from "../base/flow/closing.ts";
import type { Ports } from "../pipeline/ports.ts";
import { toProgramHash } from "../pipeline/rows/program-hash.ts";
import type { FarProver } from "../work/far-prover.ts";
import type { Program } from "../work/queue.ts";
import type { Call } from "./call.ts";
import { readSetting } from "./settings.ts";

/** Which program this is: chunks are proven by the same one only. */
export const toProgram = ({
  writer,
  programFolder,
}: Pick<Ports, "writer" | "programFolder">): Program => ({
  name: writer,
  hash: toProgramHash(programFolder),
});

/** Throws `AppError` for a database that can't be used. */
async function openFarProver(url: string, ports: Ports): Promise<FarProver> {
  const { Queue } = await import("../work/queue.ts");
  const { FarProver } = await import("../work/far-prover.ts");
  const { sharedProver } = await import("../verify/proof/proof-pool.ts");
  return new FarProver({
    queue: await Queue.open(url, toProgram(ports)),
    near: sharedProver(),
    signal: ports.signal,
    say: (message) => ports.on({ type: "waiting", message }),
    warn: (message) => ports.on({ type: "warning", problem: { message } }),
  });
}

/** Does a step with the prover that the command line asks for, and ends it. */
export async function withProver<Result>(
  call: Call,
  ports: Ports,
  step: (ports: Ports) => Promise<Result>,
): Promise<Result> {
  const on = readSetting(call, "on");
  if (on === undefined) return step(ports);
  return closing(await openFarProver(on.text, ports), (prover) =>
    step({ ...ports, prover, drawer: prover }),
  );
}
