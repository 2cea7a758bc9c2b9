/** What can be done with a job that has run: proving its files again, undoing the run. */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Hono } from "hono";

import { quoteWord } from "../../../base/text/shell-words.ts";
import { isRowJob, type Job } from "../../../kinds/any-job.ts";
import type { RunResult } from "../../../pipeline/results.ts";
import { hasStep } from "../../../pipeline/table.ts";
import type { DeskContext } from "../../context.ts";
import { beginStep, findRunning, manifestOf } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { Command, jobPath } from "../../view/page.tsx";
import type { JobSite } from "../../view/part.ts";
import { wordsFor } from "../../words/words.ts";
import { Proved, type LastCheck } from "./proved.tsx";
import { Account } from "./units.tsx";

/** Only jobs that replace something can be undone: codes of rows stay. Once is enough, if all went well. */
const canUndo = (job: Job, { did, outcome }: RunResult): boolean =>
  !isRowJob(job) && hasStep(job.kind, "undo") && (did !== "undo" || outcome !== "done");

interface AfterwardsProps extends JobSite {
  /** Folder of its files. */
  readonly dir: string;
  readonly last: RunResult;
  readonly check: LastCheck | undefined;
}

export async function Afterwards({
  desk,
  manifest,
  job,
  dir,
  last,
  check,
  words,
}: AfterwardsProps) {
  const said = words.result;
  const base = jobPath(manifest);
  const name = quoteWord(manifest);
  return (
    <section id="afterwards">
      <h2>{said.afterwards}</h2>
      {check === undefined ? null : <Proved check={check} words={words} />}
      {hasStep(job.kind, "verify") ? (
        <>
          <form method="post" action={`${base}/verify`} class="actions">
            <button>{said.verify}</button>
          </form>
          <Command words={words} text={`makeready verify ${name}`} />
        </>
      ) : null}
      {existsSync(path.join(dir, "sheet-map.json")) && isRowJob(job)
        ? await Account({ desk, manifest, dir, words })
        : null}
      {canUndo(job, last) ? (
        <details class="shell">
          <summary>{said.undo}</summary>
          <p>{said.undoAsk}</p>
          <form method="post" action={`${base}/undo`} class="actions">
            <button class="danger">{said.undo}</button>
          </form>
          <Command words={words} text={`makeready undo ${name} --yes`} />
        </details>
      ) : null}
    </section>
  );
}

export function routeAfterwards(app: Hono, desk: DeskContext): void {
  app.post("/job/:manifest/verify", async (c) => {
    const manifest = await manifestOf(c, desk);
    return beginStep(c, desk, { step: "verify", manifest });
  });
  app.post("/job/:manifest/retry", async (c) => {
    const manifest = await manifestOf(c, desk);
    if ((await findRunning(desk, manifest)) === undefined) {
      // No plan was looked at: a job that wants a yes for many changes asks for it.
      const run = { retryFailed: true };
      await startTask({ step: "run", manifest, language: wordsFor(c).language, run }, desk);
    }
    return c.redirect(`${jobPath(manifest)}/run`, 303);
  });
  app.post("/job/:manifest/undo", async (c) => {
    const manifest = await manifestOf(c, desk);
    // A running task is shown first.
    if ((await findRunning(desk, manifest)) === undefined) {
      const run = { isConfirmed: true };
      await startTask({ step: "undo", manifest, language: wordsFor(c).language, run }, desk);
    }
    return c.redirect(`${jobPath(manifest)}/run`, 303);
  });
}
