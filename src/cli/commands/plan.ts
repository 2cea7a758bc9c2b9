import path from "node:path";

import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { makeView } from "../make-view.ts";
import { makePorts, openJob } from "../open-job.ts";

export async function plan(context: CliContext, input: Input): Promise<number> {
  const out = readText(input, "out");
  const isFile = out?.toLowerCase().endsWith(".json") === true;
  const options = isFile ? { ...input.options, out: undefined } : input.options;
  const named = { ...input, options };
  const job = await openJob(context, named);
  const saveTo = isFile && out !== undefined ? path.resolve(context.cwd, out) : undefined;
  const ports = makePorts(context, makeView(context, input), named);
  const { hasWork, summary } = await job.plan(ports, { saveTo });
  if (!readFlag(input, "json")) {
    const saved = isFile && out !== undefined ? { more: ["--plan", out] } : {};
    const next = [
      ...(hasWork ? [`to do this: ${ports.commandOf("run", saved)}`] : []),
      ...(summary.failedBefore > 0
        ? [`rows that the server refused before: ${ports.commandOf("retry")}`]
        : []),
    ];
    context.out(next.map((step) => `→ ${step}\n`).join(""));
  }
  return readFlag(input, "detailedExitcode") && hasWork ? EXIT_ROWS_FAILED : 0;
}
