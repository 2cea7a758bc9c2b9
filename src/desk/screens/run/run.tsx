/** Screen 5: the run while it goes on. */
import type { Hono } from "hono";

import { AppError } from "../../../base/errors.ts";
import type { DeskContext, Screen } from "../../context.ts";
import { CHANGING, findRunning, findTask, manifestOf } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { askToStop, readTask } from "../../tasks/task.ts";
import { Command, Island, jobPath, replyPage, Steps } from "../../view/page.tsx";
import { wordsFor } from "../../words/words.ts";
import { replyEvents } from "./events.ts";
import type { MonitorProps } from "./monitor-props.ts";

function routeTasks(app: Hono, desk: DeskContext): void {
  app.get("/task/:id/events", async (c) => {
    const task = await readTask(desk.folder, c.req.param("id"));
    if (task === undefined) return c.notFound();
    const { manifest, step } = task.request;
    return replyEvents(
      c,
      desk,
      task,
      `${jobPath(manifest)}/${step === "plan" ? "plan" : "result"}`,
    );
  });
  app.post("/task/:id/stop", async (c) => {
    const task = await readTask(desk.folder, c.req.param("id"));
    if (task === undefined) return c.notFound();
    await askToStop(task);
    return c.redirect(`${jobPath(task.request.manifest)}/run`, 303);
  });
}

export const run: Screen = (app, desk) => {
  routeTasks(app, desk);
  app.post("/job/:manifest/run", async (c) => {
    const manifest = await manifestOf(c, desk);
    if ((await findRunning(desk, manifest)) !== undefined) {
      throw new AppError("bad-usage", "this job runs already");
    }
    const plan = await findTask(desk, manifest, ["plan"]);
    await startTask(
      { step: "run", manifest, run: { isConfirmed: true }, planTask: plan?.id },
      desk,
    );
    return c.redirect(`${jobPath(manifest)}/run`, 303);
  });
  app.get("/job/:manifest/run", async (c) => {
    const manifest = await manifestOf(c, desk);
    const words = wordsFor(c);
    const task = await findTask(desk, manifest, CHANGING);
    const props: MonitorProps | undefined = task && {
      events: `/task/${task.id}/events`,
      words: { language: words.language, ...words.monitor },
    };
    const children = (
      <>
        <Steps words={words} manifest={manifest} at="run" />
        <h1>{words.steps.run}</h1>
        {props === undefined ? <p>{words.home.never}</p> : <Island name="monitor" props={props} />}
        <Command words={words} text={`makeready run ${manifest}`} />
      </>
    );
    return replyPage(c, { desk, title: words.steps.run, children, islands: ["monitor"] });
  });
};
