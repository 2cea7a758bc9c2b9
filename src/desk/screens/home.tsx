/** Screen 1: the jobs of the folder, and where each stands. */
import path from "node:path";

import { nextRunMs } from "../../base/cron.ts";
import { AppError } from "../../base/errors.ts";
import type { JobSchedule } from "../../job/job.ts";
import type { Kind } from "../../kinds/names.ts";
import { openJob } from "../../pipeline/open.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";
import type { DeskContext, Screen } from "../context.ts";
import { listManifests } from "../folder.ts";
import { formatMoment } from "./schedule/schedule.tsx";
import { readStanding } from "../tasks/tail.ts";
import { listTasks } from "../tasks/task.ts";
import { Command, jobPath, replyPage } from "../view/page.tsx";
import { inEnglish } from "../view/problems.tsx";
import { wordsFor, type Words } from "../words/words.ts";

/** Writes the sample job, too. */
const SAMPLE_COMMAND = "makeready init sample --as dynamic-link";

interface JobCard {
  readonly manifest: string;
  readonly name: string;
  readonly kind: Kind | undefined;
  readonly fault: string | undefined;
  readonly isStarted: boolean;
  readonly isRunning: boolean;
  readonly done: number;
  readonly all: number;
  readonly toMend: number;
  readonly schedule: JobSchedule | null;
}

const NOT_STARTED = { isStarted: false, done: 0, all: 0, toMend: 0, schedule: null };

/** Undefined for YAML that is no manifest, such as a file of settings. */
async function readCard(desk: DeskContext, manifest: string): Promise<JobCard | undefined> {
  const { folder, clock, writer } = desk;
  const [task] = await listTasks(folder, manifest);
  const isRunning = task !== undefined && (await readStanding(task, clock.nowMs())).isRunning;
  const shown = { manifest, isRunning };
  try {
    const opened = await openJob(path.join(folder, manifest), {}, { clock, server: embeddedPort });
    const { name, kind, schedule } = opened.job;
    const { isStarted, rows, bad } = await opened.status(
      { clock, writer },
      { looksAtFiles: false },
    );
    const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const done = rows["done"] ?? 0;
    const toMend = bad + (rows["failed"] ?? 0);
    return { ...shown, name, kind, fault: undefined, isStarted, done, all, toMend, schedule };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (!/(?:^|\n)kind\s*:/u.test(await readHead(path.join(folder, manifest)))) return undefined;
    const name = path.basename(manifest);
    return { ...shown, ...NOT_STARTED, name, kind: undefined, fault: error.message };
  }
}

async function readHead(file: string): Promise<string> {
  const { open } = await import("node:fs/promises");
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

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
    {card.fault === undefined ? null : <p {...inEnglish(words)}>{card.fault}</p>}
  </li>
);

export const home: Screen = (app, desk) => {
  app.get("/", async (c) => {
    const words = wordsFor(c);
    const cards: JobCard[] = [];
    for (const manifest of await listManifests(desk.folder)) {
      const card = await readCard(desk, manifest);
      if (card !== undefined) cards.push(card);
    }
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
        {cards.length > 0 ? null : <Command words={words} text={SAMPLE_COMMAND} />}
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
