/** Screen 4: what a run would do and cost. */
import type { DeskContext, Screen } from "../../context.ts";
import { findTask, manifestOf } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { readLines } from "../../tasks/tail.ts";
import type { TaskLine } from "../../tasks/task.ts";
import { Command, jobPath, replyPage, Steps } from "../../view/page.tsx";
import { Fault, Problems } from "../../view/problems.tsx";
import { wordsFor, type Words } from "../../words/words.ts";

async function readLast(desk: DeskContext, manifest: string): Promise<TaskLine | undefined> {
  const task = await findTask(desk, manifest, ["plan"]);
  return task === undefined ? undefined : (await readLines(task)).at(-1);
}

function Answer({ last, words }: { readonly last: TaskLine | undefined; readonly words: Words }) {
  if (last?.type === "fault") return <Fault words={words} fault={last.fault} />;
  if (last?.type !== "result" || last.result.step !== "plan") return null;
  return <Problems words={words} problems={last.result.plan.warnings} />;
}

export const plan: Screen = (app, desk) => {
  app.post("/job/:manifest/plan", async (c) => {
    const manifest = await manifestOf(c, desk);
    await startTask({ step: "plan", manifest }, desk);
    return c.redirect(`${jobPath(manifest)}/plan`, 303);
  });
  app.get("/job/:manifest/plan", async (c) => {
    const manifest = await manifestOf(c, desk);
    const words = wordsFor(c);
    const children = (
      <>
        <Steps words={words} manifest={manifest} at="plan" />
        <h1>{words.steps.plan}</h1>
        <Answer last={await readLast(desk, manifest)} words={words} />
        <form method="post">
          <button>{words.steps.plan}</button>
        </form>
        <form method="post" action={`${jobPath(manifest)}/run`}>
          <button class="main">{words.steps.run}</button>
        </form>
        <Command words={words} text={`makeready plan ${manifest}`} />
      </>
    );
    return replyPage(c, { desk, title: words.steps.plan, children });
  });
};
