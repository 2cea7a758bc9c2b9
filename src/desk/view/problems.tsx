import { findSaid, type Problem } from "../../base/errors.ts";
import type { TaskFault } from "../tasks/task.ts";
import { Sentence } from "./page.tsx";
import type { Part } from "./part.ts";
import type { Words } from "../words/words.ts";
import { nameControls } from "./control-names.ts";
import { countIn } from "./figures.tsx";

const SHOWN = 200;
/** More lines than these scroll by themselves: what follows stays in reach. */
const LOW = 12;

/** Where it is, for people; empty where no place is known. */
export function toPlace({ where }: Problem, words: Words): string {
  const { common, language } = words;
  const { line, column, row, field } = where ?? {};
  const control = field === undefined ? undefined : nameControls(field, words);
  const place = line === undefined ? (row ?? control) : common.onLine(countIn(language)(line));
  // Of a manifest, it counts letters.
  const header = typeof column === "string" ? column : undefined;
  return [place, header].filter((part) => part !== undefined).join(", ");
}

/** Of texts that the pipeline writes, which are English in every language of the desk. */
export const inEnglish = ({ language }: Pick<Words, "language">): { readonly lang?: string } =>
  language === "en" ? {} : { lang: "en" };

/** A reason or a hint in the reader's language, or marked as English. */
export const Reason: Part<{ readonly text: string }> = ({ words, text }) => {
  const said = words.reason(text);
  const shown = nameControls(said ?? text, words);
  return <span {...(said === undefined ? inEnglish(words) : {})}>{shown}</span>;
};

/** The same for a hint, which may name commands. */
const Hint: Part<{ readonly text: string }> = ({ words, text }) => {
  const said = words.reason(text);
  return (
    <span {...(said === undefined ? inEnglish(words) : {})}>
      <Sentence text={nameControls(said ?? text, words)} />
    </span>
  );
};

/** Says that some of the messages beside it are English, where the desk speaks another language. */
export const SaysEnglish: Part<{ readonly problems: readonly Problem[] }> = ({
  words,
  problems,
}) => {
  const texts = problems.flatMap(({ message, hint = "" }) => [message, hint]);
  const areSaid = texts.every((text) => text === "" || words.reason(text) !== undefined);
  return areSaid ? null : <p class="hint">{words.common.inEnglish}</p>;
};

/** The same beside texts that have no words of the desk's. */
export const AreEnglish: Part<{ readonly told: readonly { readonly isEnglish: boolean }[] }> = ({
  words,
  told,
}) =>
  !told.some(({ isEnglish }) => isEnglish) || words.common.inEnglish === "" ? null : (
    <p class="hint">{words.common.inEnglish}</p>
  );

/** Faults with their place and what to do, as a table. */
export const Problems: Part<{
  /** Of the table, where a page has several. */
  readonly label?: string;
  readonly problems: readonly Problem[];
  /** How many there are, where these are the first of them. */
  readonly count?: number | undefined;
  /** That some are English is said elsewhere. */
  readonly isSaid?: boolean;
}> = ({ words, problems, count: all = problems.length, label = words.common.problem, isSaid }) => {
  if (problems.length === 0) return null;
  const { common } = words;
  const shown = problems.slice(0, SHOWN);
  const hasPlace = shown.some((problem) => toPlace(problem, words) !== "");
  const hasHint = shown.some(({ hint }) => hint !== undefined);
  const count = countIn(words.language);
  return (
    <>
      {isSaid === true ? null : <SaysEnglish problems={shown} words={words} />}
      {shown.length === all ? null : <p>{common.firstOf(count(shown.length), count(all))}</p>}
      <div
        class={shown.length > LOW ? "scroll low" : "scroll"}
        tabindex={0}
        role="region"
        aria-label={label}
      >
        <table class={hasPlace || hasHint ? "stack" : "only"}>
          <thead>
            <tr>
              {hasPlace ? <th scope="col">{common.place}</th> : null}
              <th scope="col">{common.problem}</th>
              {hasHint ? <th scope="col">{common.fix}</th> : null}
            </tr>
          </thead>
          <tbody>
            {shown.map((problem) => (
              <tr>
                {hasPlace ? <td class="word">{toPlace(problem, words)}</td> : null}
                <td>
                  <Reason text={problem.message} words={words} />
                </td>
                {hasHint ? (
                  <td>
                    <Hint text={problem.hint ?? ""} words={words} />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

/** What stopped a step, in a banner. */
export function Fault({ words, fault }: { readonly words: Words; readonly fault: TaskFault }) {
  const { message, problems } = fault;
  const said = findSaid(fault);
  const hint = fault.hint ?? said?.hint;
  const isBug = hint === words.refused.bug;
  const listed = said ? [] : problems;
  const own = { message, hint: isBug ? undefined : hint };
  return (
    <div class="banner bad" role="alert">
      <strong>
        <Reason text={message} words={words} />
      </strong>
      {hint === undefined ? null : (
        <p>{isBug ? <Sentence text={hint} /> : <Hint text={hint} words={words} />}</p>
      )}
      <SaysEnglish words={words} problems={[own, ...listed]} />
      <Problems words={words} problems={listed} isSaid />
    </div>
  );
}

export const sayWithFix = ({ message, hint }: Problem): string =>
  hint === undefined ? message : `${message}: ${hint}`;
