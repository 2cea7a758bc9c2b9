import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import { toShortPath } from "../../base/text/format-problem.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { formatMany } from "../../base/text/words.ts";
import type { AnswersResult } from "../../pipeline/results.ts";
import type { Call } from "../call.ts";
import { makePorts, openJob, readPatience } from "../open-job.ts";

function listAnswers(result: AnswersResult, cwd: string): string[] {
  const { job, forms, responses, files, folder, images, problems } = result;
  const lost = formatMany(problems.length, "image");
  return linesOf(
    `${job}: ${formatMany(responses, "response")} to ${formatMany(forms, "form")}`,
    ...files.map((file) => `  ${toShortPath(file, cwd)}`),
    folder !== undefined &&
      `  ${toShortPath(folder, cwd)}  ${formatMany(images, "image")}, named in the lists`,
    problems.length !== 0 &&
      `  ${lost} could not be fetched: the lists have their addresses; run the same command again`,
  );
}

export async function answers(call: Call): Promise<number> {
  const opened = await openJob(call);
  const result = await opened.answers(makePorts(call), { patienceMs: readPatience(call) });
  call.tell("summary", result, ...listAnswers(result, call.context.cwd));
  return result.problems.length === 0 ? 0 : EXIT_ROWS_FAILED;
}
