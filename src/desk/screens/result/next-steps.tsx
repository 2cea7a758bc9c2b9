/** What is left to do after a run or an undo, where no other part of the page says it. */
import { quoteWord } from "../../../base/text/shell-words.ts";
import { isRowKind, type Kind } from "../../../kinds/names.ts";
import { waysToRetire } from "../../../kinds/retire.ts";
import type { NextStep, RunResult } from "../../../pipeline/results.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, jobPath } from "../../view/page.tsx";
import type { JobPart } from "../../view/part.ts";
import type { Words } from "../../words/words.ts";
import { formatMoment } from "../schedule/moments.ts";

type Sayings = {
  readonly [Code in NextStep["code"]]?: (
    step: Extract<NextStep, { code: Code }>,
    words: Words,
    kind: Kind,
  ) => string;
};

const sayings: Sayings = {
  "schedule-repeats": ({ atMs, timeZone: timezone, isDue }, { language, result }) => {
    const says = isDue === true ? result.scheduleIsDue : result.scheduleRepeats;
    return says(formatMoment(atMs, { timezone }, language), timezone);
  },
  "finish-rows": ({ count }, { language, result }) => result.finishRows(countIn(language)(count)),
  "retire-rows": ({ count, voided = 0 }, { language, result }, kind) => {
    const says = result.retireRows(
      countIn(language)(count),
      isRowKind(kind) ? waysToRetire(kind) : [],
    );
    return voided === 0 ? says : `${says} ${result.voidRows(countIn(language)(voided))}`;
  },
  "retry-refused": ({ byPlan }, { result }) =>
    byPlan === true ? result.retryByPlan : result.retryRefused,
};

/** Undefined: another part of the page says it. */
export const sayNext = (step: NextStep, words: Words, kind: Kind): string | undefined =>
  (sayings[step.code] as ((step: NextStep, words: Words, kind: Kind) => string) | undefined)?.(
    step,
    words,
    kind,
  );

/** What only a command does. */
const commands: { readonly [Code in NextStep["code"]]?: string } = {
  "retire-rows": "retire",
  "retry-refused": "retry",
};

export const NextSteps: JobPart<{ readonly result: RunResult }> = ({ result, manifest, words }) =>
  result.next.map((step) => {
    const says = sayNext(step, words, result.kind);
    const command = commands[step.code];
    if (says === undefined) return null;
    return (
      <>
        <p class="banner warn">
          {says}{" "}
          {step.code === "schedule-repeats" ? (
            <a href={`${jobPath(manifest)}/schedule`}>{words.schedule.title}</a>
          ) : null}
        </p>
        {step.code === "retry-refused" ? (
          <form method="post" action={`${jobPath(manifest)}/retry`} class="actions">
            <button>{words.since.retryRefused}</button>
          </form>
        ) : null}
        {command === undefined ? null : (
          <Command words={words} text={`makeready ${command} ${quoteWord(manifest)}`} />
        )}
      </>
    );
  });
