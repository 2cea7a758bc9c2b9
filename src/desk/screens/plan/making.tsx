/** A plan that is being made: the page follows it. */
import type { Task } from "../../tasks/task.ts";
import { Island, NoScriptReload } from "../../view/page.tsx";
import type { Part } from "../../view/part.ts";
import type { MonitorProps } from "../run/monitor-props.ts";

export const Making: Part<{
  readonly task: Task;
  /** Where it leads to in the end; as a rule to the plan. */
  readonly next?: string;
}> = ({ task, next, words }) => {
  const props: MonitorProps = {
    events: `/task/${task.id}/events`,
    ...(next !== undefined && { next }),
    words: { language: words.language, ...words.monitor },
  };
  return (
    <>
      <p role="status">{words.plan.making}</p>
      <Island name="monitor" props={props} />
      <NoScriptReload words={words} />
    </>
  );
};
