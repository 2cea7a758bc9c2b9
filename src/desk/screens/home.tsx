/** Screen 1: the jobs of the folder, and where each stands. */
import { nextRunMs } from "../../base/cron.ts";
import type { Screen } from "../context.ts";
import { readCards, type JobCard } from "../job-cards.ts";
import { formatMoment } from "./schedule/schedule.tsx";
import { jobPath, replyPage } from "../view/page.tsx";
import { wordsFor, type Words } from "../words/words.ts";

function StateOf({ card, words }: { readonly card: JobCard; readonly words: Words }) {
  const { home } = words;
  const count = (n: number): string => new Intl.NumberFormat(words.language).format(n);
  if (card.fault !== undefined) return <span class="state bad">{home.broken}</span>;
  if (card.isRunning) return <span class="state warn">{home.running}</span>;
  if (!card.isStarted) return <span class="state">{home.never}</span>;
  return (
    <>
      <span class={`state ${card.done === card.all ? "good" : "warn"}`}>
        {home.rowsDone(count(card.done), count(card.all))}
      </span>{" "}
      {card.toMend === 0 ? null : (
        <a class="state bad" href={`${jobPath(card.manifest)}/mend`}>
          {home.toMend(count(card.toMend))}
        </a>
      )}
    </>
  );
}

/** When it runs by itself next. */
function Due({ card, words, nowMs }: { card: JobCard; words: Words; nowMs: number }) {
  const { schedule } = card;
  if (schedule === null) return null;
  const next = schedule.paused === true ? undefined : nextRunMs(schedule, nowMs);
  return (
    <p>
      <a href={`${jobPath(card.manifest)}/schedule`}>
        {next === undefined
          ? words.home.paused
          : words.home.due(formatMoment(next, schedule, words.language))}
      </a>
    </p>
  );
}

const Card = ({ card, words, nowMs }: { card: JobCard; words: Words; nowMs: number }) => (
  <li class="card">
    <h2>
      <a href={`${jobPath(card.manifest)}/${card.isStarted ? "result" : "plan"}`}>{card.name}</a>
    </h2>
    <p class="soft">
      {card.kind === undefined ? "" : `${words.kinds[card.kind]} · `}
      {card.manifest}
    </p>
    <StateOf card={card} words={words} />
    <Due card={card} words={words} nowMs={nowMs} />
    {card.fault === undefined ? null : <p>{card.fault}</p>}
  </li>
);

export const home: Screen = (app, desk) => {
  app.get("/", async (c) => {
    const words = wordsFor(c);
    const cards = await readCards(desk);
    const { home: said, common } = words;
    const children = (
      <>
        <h1>{said.title}</h1>
        {cards.length === 0 ? <p>{said.empty}</p> : null}
        <div class="actions">
          <a class="button main" href="/new">
            {common.newJob}
          </a>
          {cards.length > 0 ? null : (
            <form method="post" action="/new/sample">
              <button>{said.sample}</button>
            </form>
          )}
        </div>
        <ul class="cards">
          {cards.map((card) => (
            <Card card={card} words={words} nowMs={desk.clock.nowMs()} />
          ))}
        </ul>
      </>
    );
    return replyPage(c, { desk, title: said.title, children });
  });
};
