/** The verdict on the last run, on the page of its result. */

import { sayPressWarning, toPressHint } from "../../../base/shapes/press-warning.ts";
import type { RunResult } from "../../../pipeline/results.ts";
import { countIn, Printed } from "../../view/figures.tsx";
import { jobPath } from "../../view/page.tsx";
import { Problems } from "../../view/problems.tsx";
import type { JobPart } from "../../view/part.ts";
import type { Words } from "../../words/words.ts";
import { markOfResult } from "../plan/rehearsal-mark.ts";
import { judge, type Since } from "./verdict.ts";
import { SinceThen } from "./since-then.tsx";

function PressWarnings({ result, words }: { readonly result: RunResult; readonly words: Words }) {
  const warnings = result.press?.warnings ?? [];
  if (warnings.length === 0) return null;
  const problems = warnings.map((warning) => ({
    message: sayPressWarning(warning),
    hint: toPressHint(warning),
  }));
  return (
    <>
      <h2>{words.result.knowBefore}</h2>
      <Problems words={words} problems={problems} label={words.result.knowBefore} />
    </>
  );
}

/** The way on from a run that was stopped. */
const GoOn: JobPart<{ readonly result: RunResult }> = ({ result, manifest, words }) =>
  result.did !== "run" || result.outcome !== "interrupted" ? null : (
    <form method="post" action={`${jobPath(manifest)}/run`} class="actions">
      <input type="hidden" name="goOn" value="yes" />
      <button class="main">{words.run.goOn}</button>
    </form>
  );

export const Verdict: JobPart<{
  readonly result: RunResult;
  readonly since: Since;
  /** Address of another server than the one of this computer. */
  readonly server: string | undefined;
}> = ({ result, since, manifest, server, words }) => {
  const said = words.result;
  const count = countIn(words.language);
  const { proof, isRehearsal } = result;
  const [look, says] = judge(result, words, since);
  const isSaid = says === said.rehearsal;
  const mark = markOfResult(result);
  return (
    <>
      <p>
        <span class={`verdict ${look}`}>{says}</span>
      </p>
      <GoOn result={result} manifest={manifest} words={words} />
      {result.did === "undo" ? (
        <p class="banner good" role="status">
          {said.undone(count(result.asBefore ?? result.changed + result.unchanged))}
        </p>
      ) : null}
      {isRehearsal ? (
        <p class="banner warn">
          {server === undefined ? (
            <>
              {isSaid ? null : words.plan.rehearsal(mark)}
              {isSaid && mark === "unmarked" ? words.plan.unmarked : null}{" "}
              <a href={`${jobPath(manifest)}/plan`}>{said.toAddress}</a>
            </>
          ) : (
            words.plan.rehearsalElsewhere(server, mark)
          )}
        </p>
      ) : null}
      {proof === undefined || proof.codes === 0 ? null : (
        <p>
          {(proof.compared === undefined ? said.read : said.readSample)(
            count(proof.decoded),
            count(proof.codes),
          )}
          <Printed printed={proof.printed} words={words} />
        </p>
      )}
      <PressWarnings result={result} words={words} />
      <SinceThen codes={since.codes} press={result.press} manifest={manifest} words={words} />
    </>
  );
};

/** In place of the result of a run that goes on. */
export const UnderWay: JobPart = ({ manifest, words }) => (
  <p class="banner" role="status">
    {words.result.underWay} <a href={`${jobPath(manifest)}/run`}>{words.result.watch}</a>
  </p>
);

/** Codes without a result: their run was stopped. */
export const NoResult: JobPart<{ readonly hasCodes: boolean }> = ({
  hasCodes,
  manifest,
  words,
}) => {
  if (!hasCodes) return <p>{words.result.none}</p>;
  return (
    <p class="banner warn">
      {words.result.unfinished} <a href={`${jobPath(manifest)}/run`}>{words.run.goOn}</a>
    </p>
  );
};
