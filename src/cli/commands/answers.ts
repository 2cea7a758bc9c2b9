import { formatMany } from "../../base/words.ts";
import { toShortPath } from "../../base/format-problem.ts";
import type { AnswersResult } from "../../pipeline/results.ts";
import { readFlag, type CliContext, type Input } from "../context.ts";
import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { makeView } from "../make-view.ts";
import { makePorts, openJob } from "../open-job.ts";
import { toPeople } from "../terminal.ts";
import { readPatience } from "./run.ts";

function formatAnswers(result: AnswersResult, cwd: string): string {
  const { job, forms, responses, files, folder, images, problems } = result;
  const says = `${formatMany(responses, "response")} to ${formatMany(forms, "form")}`;
  const lost = problems.length;
  const lines = [
    `${job}: ${says}`,
    ...files.map((file) => `  ${toShortPath(file, cwd)}`),
    ...(folder === undefined
      ? []
      : [`  ${toShortPath(folder, cwd)}  ${formatMany(images, "image")}, named in the lists`]),
    ...(lost === 0
      ? []
      : [
          `  ${formatMany(lost, "image")} could not be fetched: the lists have their addresses; run the same command again`,
        ]),
  ];
  return `${lines.join("\n")}\n`;
}

export async function answers(context: CliContext, input: Input): Promise<number> {
  const opened = await openJob(context, input);
  const ports = makePorts(context, makeView(context, input), input);
  const result = await opened.answers(ports, { patienceMs: readPatience(context, input) });
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "summary", ...result })}\n`);
  } else {
    toPeople(context).out(formatAnswers(result, context.cwd));
  }
  return result.problems.length === 0 ? 0 : EXIT_ROWS_FAILED;
}
