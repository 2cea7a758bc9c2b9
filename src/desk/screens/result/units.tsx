/** Printed codes that are taken out of use or replaced, and whether all of them are accounted for. */
import path from "node:path";

import type { Hono } from "hono";

import { toCommandLine } from "../../../base/text/shell-words.ts";
import { type Job, isRowJob } from "../../../kinds/any-job.ts";
import type { Reconciliation } from "../../../pipeline/units/reconcile.ts";
import type { DeskContext } from "../../context.ts";
import { fileHref } from "../../job-files.ts";
import { beginStep, findTask, manifestOf, toTexts } from "../../jobs.ts";
import { readLast } from "../../tasks/tail.ts";
import type { MarkWish, Step, Task, TaskResult } from "../../tasks/task.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, jobPath } from "../../view/page.tsx";
import { Fault, Problems } from "../../view/problems.tsx";
import type { JobPart, JobSite } from "../../view/part.ts";
import type { Words } from "../../words/words.ts";
import { readStart, type ShowRefused } from "./first-free.ts";
import { readTicked, readTicks, toNoneTicked } from "./ticked.ts";
import { Download } from "../../../console/view/parts.tsx";

/** The note for chosen labels: out of use, or on their goods. */
export const UNIT_STEPS: readonly Step[] = ["void", "replace", "activate"];
export type UnitStep = "void" | "replace" | "activate";

/** The job's policy for spoiled labels. */
export const policyOf = (job: Job): "same" | "new" | "forbidden" =>
  (isRowJob(job) ? job.output.sheets?.reprint : undefined) ?? "same";

/** Makes the chosen codes void. A person must open it first, since that can't be undone. */
export const VoidChoice: JobPart<{ readonly action?: string; readonly reason?: string }> = ({
  manifest,
  words,
  action = `${jobPath(manifest)}/void`,
  reason = "",
}) => {
  const said = words.units;
  return (
    <details class="shell" open={reason !== ""}>
      <summary>{said.void}</summary>
      <p>{said.voidAsk}</p>
      <div class="field">
        <label for="reason">{said.reason}</label>
        <input id="reason" name="reason" maxlength={200} value={reason} />
      </div>
      <button class="danger" formaction={action}>
        {said.voidNow}
      </button>
    </details>
  );
};

/** Notes that the chosen labels are on their goods. */
export function ActivateChoice({ manifest, words }: { manifest: string; words: Words }) {
  const said = words.units;
  return (
    <details class="shell">
      <summary>{said.activate}</summary>
      <p>{said.activateHint}</p>
      <button formaction={`${jobPath(manifest)}/activate`}>{said.activateNow}</button>
    </details>
  );
}

/** Without `--yes`: the command was not carried out yet, so it must ask first. */
export function toUnitCommand(
  task: Pick<Task, "request"> | undefined,
  what: UnitStep,
  { manifest, first }: { readonly manifest: string; readonly first: string },
): string {
  const wish: MarkWish = task?.request.mark ?? { keys: [first] };
  const { keys, isSpoiled = false, reason, start } = wish;
  return toCommandLine([
    "makeready",
    what,
    manifest,
    ...keys.flatMap((key) => ["--key", key]),
    ...(isSpoiled ? ["--spoiled"] : []),
    ...(start === undefined ? [] : ["--start", String(start)]),
    ...(reason === undefined ? [] : ["--reason", reason]),
    // `activate` asks no question.
    ...(task === undefined || what === "activate" ? [] : ["--yes"]),
  ]);
}

/** The result of the last step on labels. */
export const Marked: JobPart<{ readonly result: Extract<TaskResult, { step: UnitStep }> }> = ({
  result,
  manifest,
  words,
}) => {
  const said = words.units;
  const count = countIn(words.language);
  const isNew = result.step === "replace";
  const noted = isNew ? result.replaced : result.marked;
  const done = "replaced" in noted ? noted.replaced : noted.marked;
  const tells = { void: said.voided, replace: said.replaced, activate: said.activated };
  const { silenced, alive } = result.step === "activate" ? { silenced: 0, alive: 0 } : noted;
  const lines: readonly (readonly [number, (count: string) => string])[] = [
    [done.length, tells[result.step]],
    [noted.already.length, said.already],
    [silenced, said.silenced],
    [alive, said.alive],
  ];
  return (
    <div class="banner good" role="status">
      {lines.map(([n, say]) => (n === 0 ? null : <p>{say(count(n))}</p>))}
      {isNew && done.length > 0 ? (
        <p>
          <a href={`${jobPath(manifest)}/plan`}>{said.toRun}</a>
        </p>
      ) : null}
    </div>
  );
};

interface AccountProps extends Omit<JobSite, "job"> {
  readonly dir: string;
}

function Accounted({
  found,
  props: { manifest, dir, words },
}: {
  found: Reconciliation;
  props: AccountProps;
}) {
  const said = words.units;
  const count = countIn(words.language);
  const { codes, rows, unmade, fates, discrepancies, files, isReconciled } = found;
  const problems = discrepancies.map(({ what, count: many, examples }) => ({
    message: `${what} (${count(many)}): ${examples.join("; ")}${many > examples.length ? " …" : ""}`,
  }));
  return (
    <div class={`banner ${isReconciled ? "good" : "bad"}`} role="status">
      <p>{isReconciled ? said.reconciled : said.notReconciled}</p>
      <p>{said.codes(count(codes.minted), count(codes.void), count(codes.replaced))}</p>
      {unmade === 0 ? null : <p>{said.unmade(count(unmade))}</p>}
      {rows.filed + rows.deleted === 0 ? null : (
        <p>{said.retired(count(rows.filed), count(rows.deleted))}</p>
      )}
      {codes.activated === 0 ? null : <p>{said.onGoods(count(codes.activated))}</p>}
      <p>{said.labels(count(fates.good), count(fates.spoiled), count(fates.void))}</p>
      {fates.damaged === 0 ? null : <p>{said.damaged(count(fates.damaged))}</p>}
      <Problems words={words} problems={problems} label={said.reconcile} />
      {files.map((file) => (
        <p>
          <Download
            href={fileHref(manifest, dir, file)}
            text={words.result.downloadFile(path.basename(file))}
          />
        </p>
      ))}
    </div>
  );
}

/** Whether every code and label is accounted for, as the last look said. */
export async function Account(props: AccountProps) {
  const { desk, manifest, words } = props;
  const task = await findTask(desk, manifest, ["reconcile", "run", "reprint", ...UNIT_STEPS]);
  const last = task?.request.step === "reconcile" ? await readLast(task) : undefined;
  return (
    <>
      {last?.type === "fault" ? <Fault words={words} fault={last.fault} /> : null}
      {last?.type === "result" && last.result.step === "reconcile" ? (
        <Accounted found={last.result.reconciliation} props={props} />
      ) : null}
      <form method="post" action={`${jobPath(manifest)}/reconcile`} class="actions">
        <button>{words.units.reconcile}</button>
      </form>
      <Command words={words} text={toCommandLine(["makeready", "reconcile", manifest])} />
    </>
  );
}

export function routeUnits(app: Hono, desk: DeskContext, showRefused: ShowRefused): void {
  for (const step of ["void", "replace", "activate"] as const) {
    app.post(`/job/:manifest/${step}`, async (c) => {
      const manifest = await manifestOf(c, desk);
      const form = await c.req.parseBody({ all: true });
      const { keys, places } = readTicked(form);
      if (keys.length === 0) return c.redirect(toNoneTicked(manifest, form), 303);
      const [reason = ""] = toTexts(form["reason"]);
      const ticks = readTicks(form);
      const start = step === "replace" ? await readStart(c, desk, { manifest, ticks }) : 1;
      if (typeof start === "string") return showRefused(c, start);
      const mark: MarkWish = {
        keys: [...new Set(keys)],
        ...(step === "replace" && places.length > 0 && { places }),
        ...(reason.trim() !== "" && { reason: reason.trim() }),
        ...(step === "replace" && start !== 1 && { start }),
      };
      return beginStep(c, desk, { step, manifest, mark });
    });
  }
  app.post("/job/:manifest/reconcile", async (c) => {
    const manifest = await manifestOf(c, desk);
    return beginStep(c, desk, { step: "reconcile", manifest });
  });
}
