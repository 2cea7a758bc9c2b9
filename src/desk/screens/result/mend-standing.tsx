/** What became of rows to mend since they were refused, or since their page was opened. */
import type { Task } from "../../tasks/task.ts";
import { jobPath } from "../../view/page.tsx";
import type { JobPart } from "../../view/part.ts";
import { Making } from "../plan/making.tsx";
import type { Typed } from "./mend-draft.ts";

/** A run of the job that is under way. `begins`: it has not taken on its rows. */
export type RunUnderWay = "begins" | "goes-on" | undefined;

/** What the page has answered to rows that were sent. */
export interface Answered {
  /** The page was opened with rows that have changed since. */
  readonly changed: boolean;
  /** No cell was changed. */
  readonly same: boolean;
  /** A run had just begun. */
  readonly begins: boolean;
  /** Saved while a run went on. */
  readonly saved: boolean;
}

interface Seen {
  readonly answered: Answered;
  /** The plan that is being made. */
  readonly making: Task | undefined;
  readonly isOlder: boolean;
  readonly run: RunUnderWay;
}

const PlanAgain: JobPart = ({ manifest, words }) => (
  <form method="post" action={`${jobPath(manifest)}/plan`}>
    <button>{words.plan.again}</button>
  </form>
);

/** A run takes no plan beside it. */
const WhileItRuns: JobPart<Pick<Seen, "isOlder" | "run" | "answered">> = ({
  isOlder,
  run,
  answered,
  manifest,
  words,
}) => (
  <div class="banner" role="status">
    {answered.changed ? <p>{words.result.mendChanged}</p> : null}
    <p>
      {run === "begins" ? words.mend.begins : words.mend.runs}{" "}
      <a href={`${jobPath(manifest)}/run`}>{words.result.watch}</a>
    </p>
    {isOlder ? <p>{words.mend.older}</p> : null}
  </div>
);

const Changed: JobPart<Seen> = ({ answered, making, isOlder, manifest, words }) => {
  const said = words.result;
  const isOver = making === undefined && (answered.changed || isOlder);
  if (!answered.changed && !isOver) return null;
  return (
    <div class="banner warn" role="status">
      {answered.changed ? <p>{said.mendChanged}</p> : null}
      {isOlder ? <p>{said.mendOlder}</p> : null}
      {answered.changed && isOver && !isOlder ? <p>{said.mendNext}</p> : null}
      {isOver ? <PlanAgain manifest={manifest} words={words} /> : null}
    </div>
  );
};

export const Standing: JobPart<Seen> = (props) => {
  const { answered, run, words } = props;
  const answers = [
    answered.same ? words.result.nothingMended : undefined,
    answered.begins ? words.mend.notYet : undefined,
  ].filter((one) => one !== undefined);
  return (
    <>
      {answers.map((text) => (
        <p class="banner warn" role="status">
          {text}
        </p>
      ))}
      {answered.saved ? (
        <p class="banner good" role="status">
          {words.mend.saved}
        </p>
      ) : null}
      {run === undefined ? <Changed {...props} /> : <WhileItRuns {...props} />}
    </>
  );
};

/** Leads back here when the plan is made. */
export const Waiting: JobPart<{ readonly making: Task; readonly typed: Typed }> = ({
  making,
  typed,
  manifest,
  words,
}) => (
  <>
    <p>{words.result.mendWaits}</p>
    {typed.hasDraft ? (
      <p class="banner" role="status">
        {words.result.mendKept}
      </p>
    ) : null}
    <Making task={making} next={`${jobPath(manifest)}/mend`} words={words} />
  </>
);
