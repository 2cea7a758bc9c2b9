/** What can be done with a job that has run: proving its files again, undoing the run. */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Hono } from "hono";

import { quoteWord } from "../../../base/text/shell-words.ts";
import { isRowJob, type Job } from "../../../kinds/any-job.ts";
import type { JobProof, RunResult } from "../../../pipeline/results.ts";
import { hasStep } from "../../../pipeline/table.ts";
import type { DeskContext } from "../../context.ts";
import { beginStep, CHANGING, findRunning, findTask, manifestOf } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { readLast } from "../../tasks/tail.ts";
import { countIn, Printed } from "../../view/figures.tsx";
import { Command, jobPath } from "../../view/page.tsx";
import { Fault, Problems } from "../../view/problems.tsx";
import type { JobSite } from "../../view/part.ts";
import type { Words } from "../../words/words.ts";
import { Account } from "./units.tsx";

/** Only jobs that replace something can be undone: codes of rows stay. Once is enough, if all went well. */
const canUndo = (job: Job, { did, outcome }: RunResult): boolean =>
  !isRowJob(job) && hasStep(job.kind, "undo") && (did !== "undo" || outcome !== "done");

function Proved({ proof, words }: { readonly proof: JobProof; readonly words: Words }) {
  const count = countIn(words.language);
  const { problems } = proof;
  const found = proof.proof;
  const findings = found?.verification.findings.map(({ rule, message }) => ({
    message: `${rule}: ${message}`,
  }));
  const all = [...problems, ...(findings ?? [])];
  const isGood = all.length === 0 && found?.isProven !== false;
  return (
    <div class={`banner ${isGood ? "good" : "bad"}`} role="status">
      <p>
        {isGood
          ? words.result.verified(count(found?.decoded ?? 0), count(found?.codes ?? 0))
          : words.result.notVerified}
        <Printed printed={found?.printed} words={words} />
      </p>
      <Problems words={words} problems={all} />
    </div>
  );
}

/** The result of the last verify, as long as nothing ran since. */
async function LastProof({ desk, manifest, words }: Omit<AfterwardsProps, "job" | "dir" | "last">) {
  const task = await findTask(desk, manifest, ["verify", ...CHANGING]);
  if (task?.request.step !== "verify") return null;
  const last = await readLast(task);
  if (last?.type === "fault") return <Fault words={words} fault={last.fault} />;
  if (last?.type !== "result" || last.result.step !== "verify") return null;
  return <Proved proof={last.result.proof} words={words} />;
}

interface AfterwardsProps extends JobSite {
  /** Folder of its files. */
  readonly dir: string;
  readonly last: RunResult;
}

export async function Afterwards({ desk, manifest, job, dir, last, words }: AfterwardsProps) {
  const said = words.result;
  const base = jobPath(manifest);
  const name = quoteWord(manifest);
  return (
    <section id="afterwards">
      <h2>{said.afterwards}</h2>
      {await LastProof({ desk, manifest, words })}
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
  app.post("/job/:manifest/undo", async (c) => {
    const manifest = await manifestOf(c, desk);
    // A running task is shown first.
    if ((await findRunning(desk, manifest)) === undefined) {
      await startTask({ step: "undo", manifest, run: { isConfirmed: true } }, desk);
    }
    return c.redirect(`${jobPath(manifest)}/run`, 303);
  });
}
