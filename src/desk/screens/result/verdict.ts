/** The result of a job's last run. */
import type { Press } from "../../../base/shapes/press-warning.ts";
import type { Job } from "../../../kinds/any-job.ts";
import { UNCHANGED } from "../../../pipeline/files/changed-since.ts";
import { readLastResult } from "../../../pipeline/standing/last-result.ts";
import type { ChangedSince } from "../../../pipeline/files/remade.ts";
import { needsMending, type Proof, type RunResult } from "../../../pipeline/results.ts";
import type { DeskContext } from "../../context.ts";
import { CHANGING, findTask } from "../../jobs.ts";
import { readLast } from "../../tasks/tail.ts";
import { countIn } from "../../view/figures.tsx";
import { sayWithFix } from "../../view/problems.tsx";
import type { Words } from "../../words/words.ts";
import { AS_MADE, listUntold, type CodesSince } from "./codes-since.ts";
import { isGoodCheck, type LastCheck } from "./proved.tsx";
import { readReportResult } from "./report-result.ts";

/** The result of the last run by a desk, a command or a timer. */
export async function readResult(
  desk: DeskContext,
  manifest: string,
  job: Job,
): Promise<RunResult | undefined> {
  const kept = await readLastResult(job, desk);
  if (kept !== undefined) return kept ?? undefined;
  const task = await findTask(desk, manifest, CHANGING);
  const last = task === undefined ? undefined : await readLast(task);
  if (job.kind === "report") return readReportResult(job, last);
  if (last?.type !== "result") return undefined;
  const { result } = last;
  return result.step === "run" || result.step === "undo" ? result.result : undefined;
}

function judgePress(
  { codes, compared }: Proof,
  press: Press | undefined,
  { language, result: said }: Words,
): readonly [string, string] {
  const count = countIn(language);
  const warnings = press?.warnings.length ?? 0;
  if (compared !== undefined)
    return ["warn", said.readySampled(warnings > 0 ? count(warnings) : undefined)];
  // Without a PDF there is nothing for the press.
  if (codes === 0)
    return warnings > 0
      ? ["warn", said.picturesWith(count(warnings))]
      : ["good", said.picturesReadBack];
  return warnings > 0 ? ["warn", said.readyWith(count(warnings))] : ["good", said.ready];
}

/** Where nothing is to be mended, but files are missing. */
function sayToFetch(result: RunResult, { language, result: said }: Words): string | undefined {
  const { withoutFiles, did } = result;
  if (withoutFiles === undefined || needsMending(result)) return undefined;
  const say = did === "undo" ? said.undoToFetch : said.toFetch;
  return say(countIn(language)(withoutFiles));
}

/** Sheets that the job of today would make otherwise are not to be printed. */
function saySince(
  { isChanged, missing, damaged, unseen }: ChangedSince,
  { result: said }: Words,
): string | undefined {
  if (unseen !== undefined) return said.unseenSince(sayWithFix(unseen));
  if (isChanged) return said.changedSince;
  const lost = [
    ...(missing.length === 0 ? [] : [said.missingSince(missing)]),
    ...(damaged.length === 0 ? [] : [said.damagedSince(damaged)]),
  ];
  return lost.length === 0 ? undefined : lost.join(" ");
}

/** What is known of a result beside itself. */
export interface Since {
  readonly since?: ChangedSince;
  readonly codes?: CodesSince;
  readonly check?: LastCheck | undefined;
}

/** A check that came to its end and found something; one that was stopped says nothing. */
const isBadCheck = (check: LastCheck | undefined): boolean =>
  check !== undefined && "proof" in check && !isGoodCheck(check);

/** Whether codes were changed at the service, beside what the run itself has said. */
const areChanged = (
  { elsewhere, looks }: CodesSince,
  press: Pick<RunResult, "press">["press"],
): boolean => elsewhere.length + listUntold(looks, press).length > 0;

/** Of a run that came to its end and leaves nothing to mend. */
function judgeFinished(
  { kind, proof, press, isRehearsal }: RunResult,
  words: Words,
  found: Since,
): readonly [string, string] {
  const { since = UNCHANGED } = found;
  const { result: said } = words;
  const changed = saySince(since, words);
  if (changed !== undefined) return ["warn", changed];
  if (kind === "report") return ["good", words.reports.done];
  if (isBadCheck(found.check)) return ["bad", words.since.unproved];
  if (isRehearsal) return ["warn", said.rehearsal];
  if (found.codes?.unread !== undefined) return ["warn", words.since.unread];
  if (areChanged(found.codes ?? AS_MADE, press)) return ["warn", words.since.changed];
  return proof === undefined ? ["good", said.done] : judgePress(proof, press, words);
}

function sayGone({ codes }: Since, { language, since: said }: Words): string | undefined {
  const count = countIn(language);
  return codes?.gone && said.gone(count(codes.gone.count), count(codes.gone.of));
}

/** Its look, and its words. */
export function judge(
  result: RunResult,
  words: Words,
  found: Since = {},
): readonly [string, string] {
  const said = words.result;
  const count = countIn(words.language);
  const { proof, failed, bad, outcome, notDone = 0 } = result;
  // An undo or a retire mends no rows: it ends well with those that were bad before it.
  const toMend = failed + (result.did === "run" ? bad : 0);
  if (proof?.isProven === false) return ["bad", said.notProven];
  const gone = sayGone(found, words);
  if (gone !== undefined) return ["bad", gone];
  if (notDone > 0) return ["warn", said.notPutBack(count(notDone))];
  const toFetch = sayToFetch(result, words);
  if (toFetch !== undefined) return ["warn", toFetch];
  if (outcome === "interrupted")
    return ["warn", result.did === "undo" ? said.unfinishedUndo : said.unfinished];
  if (toMend > 0) return ["warn", said.toMend(count(toMend))];
  return judgeFinished(result, words, found);
}
