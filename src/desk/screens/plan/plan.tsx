/** Screen 4: what a run would do and cost. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { quoteWord } from "../../../base/text/shell-words.ts";
import { AppError } from "../../../base/errors.ts";
import type { Job } from "../../../kinds/any-job.ts";
import type { JobPlan } from "../../../pipeline/results.ts";
import type { Screen } from "../../context.ts";
import { lastEdit } from "../../edit-job.ts";
import { findRunning, manifestOf, openDeskJob } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, jobPath, replyPage, Steps } from "../../view/page.tsx";
import { Fault } from "../../view/problems.tsx";
import type { JobPart } from "../../view/part.ts";
import { wordsFor, type Words } from "../../words/words.ts";
import { readGone, type GoneSince } from "../result/codes-since.ts";
import { RetryGone } from "../result/since-then.tsx";
import { readChanges } from "../label/changes.ts";
import { routeAddress } from "./address.tsx";
import { readAnswer, type Answer } from "./answer.ts";
import { Making } from "./making.tsx";
import { PlanView } from "./plan-view.tsx";

/** How many rows a run would change, and of how many: the figures of the plan beside it. */
function sayRun(
  { kind, summary: { touched, rows } }: JobPlan,
  { language, plan: said, reports }: Words,
): string {
  const count = countIn(language);
  if (kind === "report") return reports.run(count(rows));
  if (touched === 0) return said.runAnyway;
  return touched === rows ? said.run(count(rows)) : said.runSome(count(touched), count(rows));
}

/** A run is the next thing to do. */
function isForRun({ plan, stale, isRun }: Answer): boolean {
  if (plan === undefined || stale || isRun) return false;
  return (plan.hasWork || plan.kind === "report") && plan.summary.good > 0;
}

function Actions({ answer, manifest, words }: { answer: Answer; manifest: string; words: Words }) {
  const { plan, stale, isRun } = answer;
  const said = words.plan;
  const canRun = isForRun(answer);
  return (
    <div class="actions">
      <form method="post">
        <button class={canRun ? undefined : "main"}>
          {plan === undefined ? said.make : said.again}
        </button>
      </form>
      {plan === undefined || stale || isRun ? null : (
        <form method="post" action={`${jobPath(manifest)}/run`}>
          <button class={canRun ? "main" : undefined}>
            {canRun ? sayRun(plan, words) : said.runAnyway}
          </button>
        </form>
      )}
    </div>
  );
}

/** The last plan, or why there is none; and the actions. */
const Answered: JobPart<{
  readonly answer: Answer;
  readonly job: Job | undefined;
  readonly gone: GoneSince | undefined;
}> = ({ answer, job, gone, manifest, words }) => {
  const { task, last, isMaking, plan, stale } = answer;
  const actions = isMaking ? null : <Actions answer={answer} manifest={manifest} words={words} />;
  return (
    <>
      {last?.type === "fault" ? (
        <>
          <Fault words={words} fault={last.fault} />
          <RetryGone gone={gone} manifest={manifest} words={words} />
        </>
      ) : null}
      {isMaking && task !== undefined ? <Making task={task} words={words} /> : null}
      {plan === undefined && !isMaking && last === undefined ? <p>{words.plan.none}</p> : null}
      {plan === undefined ? null : (
        <PlanView {...{ plan, words, job, manifest, stale, gone }}>
          {answer.isRun ? <p class="banner warn">{words.plan.isRun}</p> : null}
          {actions}
        </PlanView>
      )}
      {plan === undefined ? actions : null}
    </>
  );
};

/** The job as a person would write it, to be looked at and downloaded. */
const Yaml = ({ yaml, manifest, words }: { yaml: string; manifest: string; words: Words }) => (
  <details class="shell">
    <summary>{words.plan.manifest}</summary>
    <p>
      <a href={`${jobPath(manifest)}/manifest`} download>
        {words.plan.download}
      </a>
    </p>
    <code class="command" tabindex={0}>
      {yaml}
    </code>
  </details>
);

/** The plan reports faults of a manifest. */
function orNothing(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

export const plan: Screen = (app, desk) => {
  routeAddress(app, desk);
  app.post("/job/:manifest/plan", async (c) => {
    const manifest = await manifestOf(c, desk);
    await startTask({ step: "plan", manifest }, desk);
    return c.redirect(`${jobPath(manifest)}/plan`, 303);
  });
  app.get("/job/:manifest/manifest", async (c) => {
    const manifest = await manifestOf(c, desk);
    const text = await readFile(path.join(desk.folder, manifest), "utf8");
    return c.body(text, 200, {
      "content-type": "application/yaml; charset=utf-8",
      "content-disposition": `attachment; filename="${encodeURIComponent(path.basename(manifest))}"`,
    });
  });
  app.get("/job/:manifest/plan", async (c) => {
    const manifest = await manifestOf(c, desk);
    const words = wordsFor(c);
    const running = await findRunning(desk, manifest);
    if (running !== undefined) return c.redirect(`${jobPath(manifest)}/run`, 303);
    const opened = await openDeskJob(desk, manifest).catch(orNothing);
    const job = opened?.job;
    const gone = opened && (await readGone(opened, desk));
    const answer = await readAnswer(desk, manifest, job);
    const hasChanges = job !== undefined && (await readChanges(desk, manifest)) !== undefined;
    const yaml = await readFile(path.join(desk.folder, manifest), "utf8");
    const children = (
      <>
        <Steps words={words} manifest={manifest} at="plan" />
        <h1>{words.plan.title}</h1>
        {hasChanges ? (
          <p class="banner warn" role="status">
            {words.label.unsavedInPlan}{" "}
            <a href={`${jobPath(manifest)}/label`}>{words.label.lookAtThem}</a>
          </p>
        ) : null}
        <Answered {...{ answer, job, gone, manifest, words }} />
        <Command
          words={words}
          text={[`makeready plan ${quoteWord(manifest)}`, ...lastEdit(desk, manifest)]}
        />
        <Yaml yaml={yaml} manifest={manifest} words={words} />
      </>
    );
    const islands = answer.isMaking ? ["monitor"] : [];
    return replyPage(c, { desk, title: words.plan.title, children, islands });
  });
};
