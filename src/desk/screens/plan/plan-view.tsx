/** The view of a plan, for its screen and for the comparison of two files. */
import type { Child } from "hono/jsx";

import { toPressProblems } from "../../../base/shapes/press-warning.ts";
import { showKey } from "../../../base/shapes/row-key.ts";
import type { Problem } from "../../../base/errors.ts";
import type { Job } from "../../../kinds/any-job.ts";
import { canMend } from "../../../pipeline/mend/mend.ts";
import type { RollPlan } from "../../../pipeline/paper/paper-figures.ts";
import type { JobPlan } from "../../../pipeline/results.ts";
import { countIn, Figures, formatTime, type Figure } from "../../view/figures.tsx";
import { Problems, Reason } from "../../view/problems.tsx";
import { sayNotes } from "../../words/notes.ts";
import type { Words } from "../../words/words.ts";
import { MendedLink, MendLink } from "../result/mend.tsx";
import type { GoneSince } from "../result/codes-since.ts";
import { RetryGone } from "../result/since-then.tsx";
import { AddressForm } from "./address.tsx";
import { listPlanned } from "./planned-files.ts";
import { markOfPlan } from "./rehearsal-mark.ts";

const countGone = ({ isSelection, summary }: JobPlan): number =>
  isSelection ? summary.vanished : summary.gone;

const showMetres = ({ lengthMm }: RollPlan, { language }: Words): string =>
  `${(lengthMm / 1000).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} m`;

function toFigures(plan: JobPlan, words: Words): Figure[] {
  if (plan.kind === "report") {
    const codes = countIn(words.language)(plan.summary.rows);
    return [{ name: words.reports.figures.codes, value: codes }];
  }
  const { summary } = plan;
  const said = words.plan.figures;
  const count = countIn(words.language);
  const changes = summary.updates + summary.restyles + summary.retags;
  const always: Figure[] = [
    { name: said.rows, value: count(summary.rows) },
    { name: said.creates, value: count(summary.creates) },
    { name: said.changes, value: count(changes) },
    { name: said.unchanged, value: count(summary.unchanged) },
    { name: said.bad, value: count(summary.bad), isWrong: summary.bad > 0 },
  ];
  const { roll } = plan;
  const asNeeded: readonly (readonly [string, number])[] = [
    [said.resumes, summary.resumes],
    [roll === undefined ? said.sheets : said.repeats, plan.sheetPages],
    [summary.writesAtMost ? said.writesAtMost : said.writes, summary.writes],
  ];
  const metres = roll === undefined ? [] : [{ name: said.roll, value: showMetres(roll, words) }];
  const shown = asNeeded.filter(([, n]) => n > 0).map(([name, n]) => ({ name, value: count(n) }));
  const gone = countGone(plan);
  const vanished = gone > 0 ? [{ name: said.vanished, value: count(gone), isOdd: true }] : [];
  const time = plan.isLimited
    ? [{ name: said.time, value: formatTime(summary.secondsAtLimit) }]
    : [];
  return [...always, ...vanished, ...shown, ...metres, ...time];
}

interface Shown {
  readonly plan: JobPlan;
  readonly job: Job | undefined;
  readonly manifest: string;
  readonly stale?: boolean;
  readonly words: Words;
  /** Codes that the service no longer has. */
  readonly gone?: GoneSince | undefined;
  /** Actions below the figures. */
  readonly children?: Child;
}

function Refused({ plan, words, job, manifest }: Shown) {
  const { problems, problemCount, bad } = plan.summary;
  if (problems.length === 0)
    return job === undefined ? null : <MendedLink job={job} manifest={manifest} words={words} />;
  return (
    <>
      <h2>{words.plan.refused}</h2>
      <p>{words.plan.refusedHint}</p>
      <Problems words={words} problems={problems} count={problemCount} />
      {job === undefined ? null : (
        <MendLink job={job} manifest={manifest} rows={bad} words={words} />
      )}
    </>
  );
}

/** Codes that lead to one computer only, and what can be done about it. */
function Rehearsal({ plan, job, manifest, words }: Shown) {
  const said = words.plan;
  if (!plan.isRehearsal) return null;
  const mark = markOfPlan(plan);
  if (plan.baseUrl !== undefined) {
    return <p class="banner warn">{said.rehearsalElsewhere(plan.baseUrl, mark)}</p>;
  }
  return (
    <div class="banner warn">
      <p>{said.rehearsal(mark)}</p>
      {job === undefined ? null : <AddressForm manifest={manifest} words={words} />}
    </div>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly Child[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {lines.map((one) => (
          <li>{one}</li>
        ))}
      </ul>
    </>
  );
}

const GONE_SHOWN = 10;

/** Which rows the list has no longer: only who knows them can say whether it is whole. */
function GoneRows({ plan, words }: Pick<Shown, "plan" | "words">) {
  if (plan.kind === "report" || plan.isSelection || plan.summary.gone === 0) return null;
  const { gone, goneRows } = plan.summary;
  const names = goneRows.slice(0, GONE_SHOWN).map((row) => row.displayName || showKey(row.key));
  const count = countIn(words.language);
  const isCut = names.length < gone;
  return (
    <>
      <Lines title={words.plan.figures.vanished} lines={names} />
      {isCut ? <p>{words.scan.more(count(gone - names.length))}</p> : null}
    </>
  );
}

/** Says which rows come from the list of mended ones: nothing is wrong with that. */
const isOfMended = ({ where, hint }: Problem, job: Job | undefined): boolean =>
  job !== undefined &&
  canMend(job) &&
  job.source.mended !== undefined &&
  hint === undefined &&
  where?.file === job.source.mended;

/** Where nothing is left to do. */
function Nothing({ plan, isOdd, words }: Pick<Shown, "plan" | "words"> & { isOdd: boolean }) {
  if (isOdd && plan.kind !== "report") return <p class="banner warn">{words.since.nothingBut}</p>;
  return (
    <p class="banner good">{plan.kind === "report" ? words.reports.plan : words.plan.nothing}</p>
  );
}

export function PlanView(props: Shown) {
  const { plan, stale = false, words } = props;
  const said = words.plan;
  const mended = plan.warnings.filter((one) => isOfMended(one, props.job));
  const warnings = [
    ...plan.warnings.filter((one) => !mended.includes(one)),
    ...toPressProblems(plan.press),
  ];
  const notes = [
    ...mended.map(({ message }) => <Reason text={message} words={words} />),
    ...sayNotes(words.notes, plan.notes),
  ];
  return (
    <>
      {stale ? <p class="banner warn">{said.stale}</p> : null}
      <Rehearsal {...props} />
      {plan.hasWork ? null : <Nothing plan={plan} isOdd={warnings.length > 0} words={words} />}
      <Figures figures={toFigures(plan, words)} />
      {countGone(plan) > 0 ? <p class="banner warn">{said.vanishedHint}</p> : null}
      <p class="soft">
        {said.onServer}: {plan.baseUrl ?? said.embedded}
      </p>
      {props.children}
      {warnings.length === 0 ? null : <h2>{said.warnings}</h2>}
      <Problems words={words} problems={warnings} label={said.warnings} />
      <GoneRows plan={plan} words={words} />
      <RetryGone gone={props.gone} manifest={props.manifest} words={words} />
      <Refused {...props} />
      <Lines title={said.files} lines={listPlanned(plan, words)} />
      <Lines title={said.notes} lines={notes} />
    </>
  );
}
