/** When a job runs by itself: switched on and off, and what has to run for it. */
import type { Context } from "hono";

import { AppError } from "../../../base/errors.ts";
import { EXIT_ROWS_FAILED } from "../../../base/exit-codes.ts";
import { quoteWord } from "../../../base/text/shell-words.ts";
import { checkCron } from "../../../base/time/cron.ts";
import { isTimeZone } from "../../../base/time/zoned-time.ts";
import type { YamlEdit } from "../../../job/yaml/edit-yaml.ts";
import type { JobSchedule } from "../../../job/job.ts";
import type { OpenJob } from "../../../pipeline/open.ts";
import type { DeskContext, Screen } from "../../context.ts";
import { editJob, toSetCommand } from "../../edit-job.ts";
import { manifestOf, openDeskJob } from "../../jobs.ts";
import { Command, jobPath, replyPage, Sentence, Steps } from "../../view/page.tsx";
import { Reason } from "../../view/problems.tsx";
import { wordsFor, type Words } from "../../words/words.ts";
import { formatMoment, readMoments, sayMoments } from "./moments.ts";
import { everies, toCron, toWhen, type When } from "./presets.ts";

const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function WhenFields({ when, timezone, words }: { when: When; timezone: string; words: Words }) {
  const said = words.schedule;
  return (
    <div class="fields">
      <div class="field">
        <label for="every">{said.every}</label>
        <select id="every" name="every">
          {everies.map((one) => (
            <option value={one} selected={one === when.every}>
              {said.everies[one]}
            </option>
          ))}
        </select>
      </div>
      <div class="field when-week">
        <label for="weekday">{said.weekday}</label>
        <select id="weekday" name="weekday">
          {said.weekdays.map((name, at) => (
            <option value={String(at)} selected={String(at) === when.weekday}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div class="field when-time">
        <label for="time">{said.time}</label>
        <input id="time" name="time" type="time" value={when.time} />
      </div>
      <div class="field when-own">
        <label for="cron">{said.cron}</label>
        <input id="cron" name="cron" value={when.cron} />
      </div>
      <div class="field">
        <label for="timezone">{said.timezone}</label>
        <input id="timezone" name="timezone" value={timezone} />
      </div>
    </div>
  );
}

/** Why the last run by itself did not end well. A state that can't be read tells nothing here. */
async function sayFailed(opened: OpenJob, desk: DeskContext, { since }: Words): Promise<string> {
  const status = await opened.status(desk, { looksAtFiles: false }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
  return (status?.waitsForYes ?? null) === null ? since.failed : since.refused;
}

/** The state: switched on or off, the last run, the next ones. */
async function Standing({
  desk,
  manifest,
  opened,
  schedule,
  words,
}: {
  desk: DeskContext;
  manifest: string;
  opened: OpenJob;
  schedule: JobSchedule;
  words: Words;
}) {
  const said = words.schedule;
  if (schedule.paused === true) return <p class="banner warn">{said.isOff}</p>;
  const moments = await readMoments(desk, manifest, schedule);
  const { lastMs, lastExit = 0 } = moments;
  // Rows to mend are told by the result: all others were made.
  const isOver = lastExit === 0 || lastExit === EXIT_ROWS_FAILED;
  return (
    <div class={`banner ${isOver ? "good" : "warn"}`}>
      <strong>{said.isOn}</strong>
      <p>
        {isOver ? said.last : words.since.tried}:{" "}
        {lastMs === undefined ? said.never : formatMoment(lastMs, schedule, words.language)}
      </p>
      {isOver ? null : <p>{await sayFailed(opened, desk, words)}</p>}
      <p>
        {said.next}: {sayMoments(moments, schedule, words).join(" · ")}
      </p>
    </div>
  );
}

/** A rule that can't be kept, as it was typed. */
interface Refused {
  readonly when: When;
  readonly timezone: string;
  readonly fault: string;
}
type Sent = Refused | { readonly cron: string; readonly timezone: string };

const toShown = (schedule: JobSchedule | null): Pick<Refused, "when" | "timezone"> => ({
  when: toWhen(schedule?.cron),
  timezone: schedule?.timezone ?? ownTimeZone(),
});

function Fault({ refused, words }: { refused: Refused | undefined; words: Words }) {
  if (refused === undefined) return null;
  return (
    <p class="banner bad" role="alert">
      <Reason words={words} text={refused.fault} />
    </p>
  );
}

/** A run by itself has nobody who could be asked. */
function Consent({
  over,
  isGiven,
  words,
}: {
  over: number | null;
  isGiven: boolean;
  words: Words;
}) {
  if (over === null) return null;
  return (
    <>
      {isGiven ? null : (
        <p class="banner warn">{words.since.asks(over.toLocaleString(words.language))}</p>
      )}
      <input type="hidden" name="asks" value="yes" />
      <label class="tick">
        <input type="checkbox" name="yes" value="yes" checked={isGiven} /> {words.since.saysYes}
      </label>
    </>
  );
}

async function showSchedule(
  c: Context,
  desk: DeskContext,
  manifest: string,
  refused?: Refused,
): Promise<Response> {
  const words = wordsFor(c);
  const said = words.schedule;
  const opened = await openDeskJob(desk, manifest);
  const { schedule, safety } = opened.job;
  const isOn = schedule !== null && schedule.paused !== true;
  const children = (
    <>
      <Steps words={words} manifest={manifest} at="result" />
      <h1>{said.title}</h1>
      <Fault refused={refused} words={words} />
      {schedule === null ? (
        <p>{said.none}</p>
      ) : (
        await Standing({ desk, manifest, opened, schedule, words })
      )}
      <form method="post">
        <fieldset>
          <legend>{said.when}</legend>
          <WhenFields {...(refused ?? toShown(schedule))} words={words} />
        </fieldset>
        <Consent
          over={"confirmOver" in safety ? safety.confirmOver : null}
          isGiven={schedule?.yes === true}
          words={words}
        />
        <div class="actions">
          <button name="do" value="on" class="main">
            {isOn ? said.save : said.on}
          </button>
          {isOn ? (
            <button name="do" value="off">
              {said.off}
            </button>
          ) : null}
        </div>
      </form>
      <p>
        <Sentence text={said.who(`makeready schedule print ${quoteWord(manifest)} --systemd`)} />
      </p>
      <Command words={words} text={listCommands(manifest, schedule)} />
    </>
  );
  const page = { desk, title: said.title, children };
  return replyPage(c, page, refused === undefined ? undefined : 400);
}

/** What was sent: a rule, or why it is none. */
function readSchedule(form: Readonly<Record<string, unknown>>): Sent {
  const read = (name: string): string => {
    const value = form[name];
    return typeof value === "string" ? value.trim() : "";
  };
  const every = everies.find((one) => one === read("every")) ?? "own";
  const when = { every, time: read("time"), weekday: read("weekday"), cron: read("cron") };
  const cron = toCron(when);
  const timezone = read("timezone");
  const refuse = (fault: string, got: string) => ({
    when,
    timezone,
    fault: `${fault}, got ${got || "nothing"}`,
  });
  if (cron === undefined) return refuse("the schedule must have a time such as 06:00", when.time);
  const fault = checkCron(cron);
  if (fault !== undefined) return refuse(`the schedule ${fault}`, cron);
  return isTimeZone(timezone)
    ? { cron, timezone }
    : refuse("the time zone must be one like Europe/Berlin", timezone);
}

/** Other fields of the schedule, such as `yes`, stay. */
const toOn = (cron: string, timezone: string): YamlEdit[] => [
  { path: ["schedule", "cron"], value: cron },
  { path: ["schedule", "timezone"], value: timezone },
  { path: ["schedule", "paused"], value: undefined },
];
const toYes = (isGiven: boolean): YamlEdit => ({
  path: ["schedule", "yes"],
  value: isGiven ? true : undefined,
});
const OFF: readonly YamlEdit[] = [{ path: ["schedule", "paused"], value: true }];

/** The commands that switch it on as on the page, switch it off, and start runs. */
const listCommands = (manifest: string, schedule: JobSchedule | null): string[] => [
  toSetCommand(manifest, [
    ...toOn(toWhen(schedule?.cron).cron, schedule?.timezone ?? ownTimeZone()),
    ...(schedule?.yes === true ? [toYes(true)] : []),
  ]),
  ...(schedule === null ? [] : [toSetCommand(manifest, OFF)]),
  `makeready schedule run ${quoteWord(manifest)} --stay`,
];

async function save(c: Context, desk: DeskContext, manifest: string): Promise<Response> {
  const form = await c.req.parseBody();
  if (form["do"] === "off") await editJob(desk, manifest, OFF);
  else {
    const sent = readSchedule(form);
    if ("fault" in sent) return showSchedule(c, desk, manifest, sent);
    const edits = toOn(sent.cron, sent.timezone);
    const yes = form["asks"] === "yes" ? [toYes(form["yes"] === "yes")] : [];
    await editJob(desk, manifest, [...edits, ...yes]);
  }
  return c.redirect(`${jobPath(manifest)}/schedule`, 303);
}

export const schedule: Screen = (app, desk) => {
  app.get("/job/:manifest/schedule", async (c) => showSchedule(c, desk, await manifestOf(c, desk)));
  app.post("/job/:manifest/schedule", async (c) => save(c, desk, await manifestOf(c, desk)));
};
