/** `--on`: other computers help to prove and to draw. What it takes is loaded only where it was given. */
import type { Ports } from "../pipeline/ports.ts";
import type { CliContext, Input } from "./context.ts";
import { readSetting } from "./settings.ts";

/** Does a step with the prover that the command line asks for, and ends it. */
export async function withProver<Result>(
  context: CliContext,
  input: Input,
  ports: Ports,
  step: (ports: Ports) => Promise<Result>,
): Promise<Result> {
  const on = readSetting(context, input, "on");
  if (on === undefined) return step(ports);
  const { openFarProver } = await import("./far-proof.ts");
  const prover = await openFarProver(on.text, ports);
  try {
    return await step({ ...ports, prover, drawer: prover });
  } finally {
    await prover.close();
  }
}
