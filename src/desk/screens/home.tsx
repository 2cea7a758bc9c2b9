/** Screen 1: the jobs of the folder, and where each stands. */
import path from "node:path";

import { numberFormat } from "../../base/text/number-format.ts";
import type { Screen } from "../context.ts";
import { readCards, type JobCard } from "../job-cards.ts";
import { listBegun, toColumnsHref } from "./new/begun.tsx";
import { sayMoments } from "./schedule/moments.ts";
import { formatMadeAt } from "../view/figures.tsx";
import { Command, jobPath, replyPage } from "../view/page.tsx";
import { inEnglish } from "../view/problems.tsx";
import { wordsFor, type Words } from "../words/words.ts";
import { Go } from "../../console/view/parts.tsx";

/** Writes the sample job, too. */
const SAMPLE_COMMAND = "makeready init sample --as dynamic-link";

const isFinished = ({ done, undone, all, isChanged }: JobCard): boolean =>
  done - undone === all && !isChanged;

function StateOf({ card, words }: { readonly card: JobCard; readonly words: Words }) {
  const { home } = words;
  const count = (n: number): string => numberFormat(words.language).format(n);
  if (card.kind === undefined) return <span class="state bad">{home.broken}</span>;
  if (card.isRunning)
    return <span class="state warn">{words.run.works[card.step ?? ""] ?? home.running}</span>;
  if (!card.isStarted) return <span class="state">{home.never}</span>;
  if (card.reportMs !== undefined) {
    const when = formatMadeAt(card.reportMs, words.language);
    return <span class="state good">{words.reports.made(when)}</span>;
  }
  return (
    <>
      <span class={`state ${isFinished(card) ? "good" : "warn"}`}>
        {home.rowsDone(count(card.done), count(card.all))}
      </span>{" "}
      {card.undone === 0 ? null : (
        <span class="state warn">{home.putBack(count(card.undone))}</span>
      )}{" "}
      {card.toMend === 0 ? null : (
        <a class="state bad" href={`${jobPath(card.manifest)}/mend`}>
          {home.toMend(count(card.toMend))}
        </a>
      )}
      {card.gone === undefined ? null : (
        <a class="state bad" href={`${jobPath(card.manifest)}/result`}>
          {words.since.goneShort(count(card.gone.count), count(card.gone.of))}
        </a>
      )}
      {card.isChanged ? (
        <p>
          <a href={`${jobPath(card.manifest)}/plan`}>{home.changedSince}</a>
        </p>
      ) : null}
    </>
  );
}

/** When it runs by itself next. */
function Due({ card, words }: { card: JobCard; words: Words }) {
  const { schedule, moments } = card;
  if (schedule === null) return null;
  const [next] = moments === null ? [] : sayMoments(moments, schedule, words);
  return (
    <p>
      <a href={`${jobPath(card.manifest)}/schedule`}>
        {next === undefined ? words.home.paused : words.home.due(next)}
      </a>
    </p>
  );
}

/** The page to look at next. */
function toScreen({ isWatched, isStarted }: JobCard): string {
  if (isWatched) return "run";
  return isStarted ? "result" : "plan";
}

const Card = ({ card, words }: { card: JobCard; words: Words }) => (
  <li class="card">
    <h2>
      <a href={`${jobPath(card.manifest)}/${toScreen(card)}`}>{card.name}</a>
    </h2>
    <p class="soft">
      {card.kind === undefined ? "" : `${words.kinds[card.kind]} · `}
      {card.manifest}
    </p>
    <StateOf card={card} words={words} />
    <Due card={card} words={words} />
    {card.fault === undefined ? null : <p {...inEnglish(words)}>{card.fault}</p>}
  </li>
);

export const home: Screen = (app, desk) => {
  app.get("/", async (c) => {
    const words = wordsFor(c);
    const cards = await readCards(desk);
    const begun = await listBegun(desk);
    const { home: said, common } = words;
    const children = (
      <>
        <h1>{said.title}</h1>
        {cards.length === 0 ? <p>{said.empty}</p> : null}
        <div class="actions">
          <Go href="/new" text={common.newJob} isMain />
          {cards.length > 0 ? null : (
            <form method="post" action="/new/sample">
              <button>{said.sample}</button>
            </form>
          )}
        </div>
        {cards.length > 0 ? null : <Command words={words} text={SAMPLE_COMMAND} />}
        {begun.map(({ of, name }) => (
          <p class="banner warn">
            {`${name}${path.extname(of)}`}: {said.begun}{" "}
            <a href={toColumnsHref(of, name)}>{said.goOn}</a>
          </p>
        ))}
        <ul class="cards">
          {cards.map((card) => (
            <Card card={card} words={words} />
          ))}
        </ul>
      </>
    );
    return replyPage(c, { desk, title: said.title, children });
  });
};
