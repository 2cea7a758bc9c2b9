/**
 * A second front end, as somebody else would write it: it knows the library and nothing else of
 * makeready, and speaks its own language.
 */
import {
  AppError,
  openJob,
  type JobEvent,
  type NextStep,
  type RunResult,
} from "../../src/index.ts";

const OUTCOMES = {
  done: "fertig",
  "rows-failed": "fertig, Zeilen zu verbessern",
  interrupted: "unterbrochen",
} as const satisfies Record<RunResult["outcome"], string>;

const STEPS: Partial<Record<NextStep["code"], string>> = {
  "mend-rows": "Zeilen verbessern und noch einmal starten",
  "set-public-url": "öffentliche Adresse angeben",
};

function tellEvent(event: JobEvent, say: (line: string) => void): void {
  if (event.type === "plan") say(`Plan: ${event.plan.summary.creates} neu`);
  if (event.type === "row-failed") say(`Fehler: ${event.problem.message}`);
}

function tellResult(result: RunResult, say: (line: string) => void): void {
  say(
    `${result.job}: ${OUTCOMES[result.outcome]}, ${result.created} neu, ${result.unchanged} gleich`,
  );
  for (const { role } of result.files) say(`Datei: ${role}`);
  for (const { where } of result.problems) say(`Zeile ${where?.line}`);
  for (const { code } of result.next) say(`Nun: ${STEPS[code] ?? code}`);
}

/** Plans, runs and proves a job; answers whether all is well. */
export async function serveCustomer(
  manifest: string,
  say: (line: string) => void,
): Promise<boolean> {
  try {
    const job = await openJob(manifest);
    const plan = await job.plan();
    const result = await job.run({ plan, on: (event) => tellEvent(event, say) });
    tellResult(result, say);
    const { proof } = await job.verify();
    say(proof?.isProven === true ? `geprüft: ${proof.decoded} Codes` : "nicht geprüft");
    return result.outcome === "done" && proof?.isProven === true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    say(`Abbruch: ${error.code}`);
    return false;
  }
}
