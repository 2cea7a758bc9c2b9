/** Labels to print again: the sheet as it lies on the table; a click on a label ticks it. */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Hono } from "hono";
import type { FC } from "hono/jsx";

import { sayPressWarning } from "../../../base/shapes/press-warning.ts";
import { isRowJob } from "../../../kinds/any-job.ts";
import type { Reprint } from "../../../pipeline/reprint/reprint-result.ts";
import type { ReplaceResult } from "../../../pipeline/units/replace-units.ts";
import { findSheetFace, type SheetFace } from "../../../pipeline/preview/sheet-face.ts";
import type { DeskContext } from "../../context.ts";
import { fileHref, showHref } from "../../job-files.ts";
import { beginStep, findTask, manifestOf } from "../../jobs.ts";
import { readLast } from "../../tasks/tail.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, jobPath, NoEnter } from "../../view/page.tsx";
import { Fault, inEnglish, Reason } from "../../view/problems.tsx";
import type { JobPart, JobSite, Part } from "../../view/part.ts";
import { readStart, type ShowRefused } from "./first-free.ts";
import { Elsewhere, List, Sheet } from "./sheet-boxes.tsx";
import { readSheetPage, type MapVolume, type SheetPage } from "./sheet-map.ts";
import { Pager, pictureHref } from "./show-pdf.tsx";
import {
  hasSeveral,
  readTicked,
  readTicks,
  toNoneTicked,
  toReprintCommand,
  type Tick,
} from "./ticked.ts";
import {
  ActivateChoice,
  Marked,
  policyOf,
  routeUnits,
  toUnitCommand,
  UNIT_STEPS,
  VoidChoice,
  type UnitStep,
} from "./units.tsx";
import { Download, type Go } from "../../../console/view/parts.tsx";

interface ReprintsProps extends JobSite {
  readonly dir: string;
  /** Keys whose codes are void. */
  readonly gone: ReadonlySet<string>;
  /** Sheet of paper, from 1. */
  readonly sheet: number;
  readonly file: string | undefined;
  /** Asked to print again, with no label chosen. */
  readonly isNoneTicked: boolean;
  /** Labels that are ticked, of all sheets. */
  readonly ticks: readonly Tick[];
  /** The first free label as it was typed. */
  readonly start: string;
  /** Why codes are to be void, as it was typed. */
  readonly reason: string;
  /** Why what was chosen was not printed, in words of the page. */
  readonly refused: string | undefined;
}

/** More sheets than these are not paged through one by one. */
const FEW_SHEETS = 5;

/** Undefined where a run came after it: what was printed again before may look otherwise now. */
async function readLastStep(desk: DeskContext, manifest: string) {
  const task = await findTask(desk, manifest, ["reprint", ...UNIT_STEPS]);
  const run = await findTask(desk, manifest, ["run", "undo"]);
  if (task === undefined || (run !== undefined && run.startedMs > task.startedMs)) return undefined;
  return readLast(task);
}

/** The result of the last step on labels: printed again, or out of use. */
async function LastStep({ desk, manifest, dir, words }: ReprintsProps) {
  const last = await readLastStep(desk, manifest);
  if (last?.type === "fault") return <Fault words={words} fault={last.fault} />;
  if (last?.type !== "result") return null;
  if (last.result.step === "replace" && last.result.replaced.policy === "same") {
    return <SameAgain replaced={last.result.replaced} props={{ manifest, dir, words }} />;
  }
  const { step } = last.result;
  if (step === "void" || step === "replace" || step === "activate") {
    return <Marked result={last.result} manifest={manifest} words={words} />;
  }
  if (last.result.step !== "reprint") return null;
  return <Reprinted reprint={last.result.reprint} props={{ manifest, dir, words }} />;
}

/** Spoiled labels that are printed as they were; those that were printed again before are not. */
function SameAgain({
  replaced: { reprint, already },
  props,
}: {
  replaced: ReplaceResult;
  props: Pick<ReprintsProps, "manifest" | "dir" | "words">;
}) {
  const { words } = props;
  return (
    <>
      {reprint === undefined ? null : <Reprinted reprint={reprint} props={props} />}
      {already.length === 0 ? null : (
        <p class="banner warn" role="status">
          {words.scan.already(countIn(words.language)(already.length))}
        </p>
      )}
    </>
  );
}

function Reprinted({
  reprint,
  props: { manifest, dir, words },
}: {
  reprint: Reprint;
  props: Pick<ReprintsProps, "manifest" | "dir" | "words">;
}) {
  const { files, labels, warnings, findings, isReady, isRehearsal } = reprint;
  const said = words.result;
  const look = isReady ? (warnings.length === 0 ? "good" : "warn") : isRehearsal ? "warn" : "bad";
  return (
    <div class={`banner ${look}`} role="status">
      <p>
        {look === "bad" ? said.notProven : said.reprinted(countIn(words.language)(labels))}
        {isRehearsal ? ` ${said.rehearsal}.` : ""}
      </p>
      {findings.map(({ message }) => (
        <p {...inEnglish(words)}>{message}</p>
      ))}
      {files.map((file) => (
        <p>
          <a href={showHref(manifest, dir, file)}>{path.basename(file)}</a>{" "}
          <Download href={fileHref(manifest, dir, file)} text={said.download} />
        </p>
      ))}
      {warnings.map((warning) => (
        <p>
          <Reason text={sayPressWarning(warning)} words={words} />
        </p>
      ))}
    </div>
  );
}

interface Chosen {
  readonly volume: { readonly file: string; readonly pages: number };
  readonly sheet: number;
  /** Of the PDF. */
  readonly sheets: number;
}

/** Shows another sheet; the form brings what is ticked along. */
const Turn: typeof Go = ({ href, text }) => (
  <button formaction={href} formnovalidate>
    {text}
  </button>
);

/** Enter shows another sheet; only a click prints. */
const EnterJumps: Part<{ readonly href: string }> = ({ href, words }) => (
  <button class="visually-hidden" formaction={href} formnovalidate tabindex={-1} aria-hidden="true">
    {words.result.show}
  </button>
);

const Volumes: FC<{ found: SheetPage; chosen: Chosen; props: ReprintsProps }> = ({
  found,
  chosen,
  props,
}) => {
  const { manifest, words } = props;
  const { volume, sheet, sheets } = chosen;
  const href = (page: number, pdf = volume.file): string =>
    `${jobPath(manifest)}/result?pdf=${encodeURIComponent(pdf)}&sheet=${page}#reprint`;
  return (
    <>
      {found.volumes.length < 2 ? null : (
        <p class="volumes">
          {found.volumes.map((one) => (
            <button
              class="plain"
              formaction={href(1, one.file)}
              formnovalidate
              aria-current={one.file === volume.file ? "true" : undefined}
            >
              {one.file}
            </button>
          ))}
        </p>
      )}
      <Pager page={sheet} pages={sheets} href={href} To={Turn} words={words} />
    </>
  );
};

/** The buttons that print or replace the chosen labels, by the job's policy. */
const Again: JobPart<{
  readonly policy: ReturnType<typeof policyOf>;
  readonly face: SheetFace | undefined;
  readonly start: string;
}> = ({ policy, face, start, manifest, words }) => {
  const said = words.result;
  if (policy === "forbidden") return null;
  if (policy === "new") {
    return (
      <details class="shell">
        <summary>{words.units.replace}</summary>
        <p>{words.since.replaceAsk}</p>
        <button class="danger" formaction={`${jobPath(manifest)}/replace`}>
          {words.since.replaceNow}
        </button>
      </details>
    );
  }
  return (
    <>
      <div class="field">
        <label for="start">{said.firstFree}</label>
        <input id="start" name="start" type="number" min={1} max={face?.perSheet} value={start} />
      </div>
      <div class="actions">
        <button formaction={`${jobPath(manifest)}/replace`}>{words.units.replaceSame}</button>
        <button>{said.reprint}</button>
      </div>
    </>
  );
};

/** The PDF that is shown. */
const volumeOf = ({ volumes }: SheetPage, file: string | undefined): MapVolume | undefined =>
  volumes.find((one) => one.file === file) ?? volumes[0];

const countSheets = (volume: MapVolume | undefined, face: SheetFace | undefined): number =>
  Math.max(1, Math.ceil((volume?.pages ?? 1) / (face?.faces ?? 1)));

async function Spoiled({
  found,
  props,
  face,
}: {
  found: SheetPage;
  props: ReprintsProps;
  face: SheetFace | undefined;
}) {
  const { job, manifest, words, dir, sheet, file, gone, start, reason } = props;
  const said = words.result;
  const volume = volumeOf(found, file);
  if (volume === undefined) return null;
  const isPlaced = face !== undefined && face.name === found.sheet;
  const show = showHref(manifest, dir, path.join(dir, volume.file));
  const sheets = countSheets(volume, face);
  const page = face?.frontOf(sheet) ?? sheet;
  const picture = pictureHref(show, page);
  const isHere = (tick: Tick): boolean => tick.file === volume.file && tick.page === page;
  const ticks = props.ticks.filter(isHere);
  const others = props.ticks.filter((tick) => !isHere(tick));
  const marks = { words, gone, ticks, isSeveral: hasSeveral(job) };
  const jump = `${jobPath(manifest)}/result?pdf=${encodeURIComponent(volume.file)}#reprint`;
  return (
    <form method="post" action={`${jobPath(manifest)}/reprint`}>
      {sheets > FEW_SHEETS ? <EnterJumps href={jump} words={words} /> : <NoEnter />}
      <input type="hidden" name="from" value={volume.file} />
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="sheet" value={sheet} />
      <Volumes found={found} chosen={{ volume, sheet, sheets }} props={props} />
      {sheets > FEW_SHEETS ? (
        <div class="actions jump">
          <label for="to-sheet">{said.toSheet}</label>
          <input id="to-sheet" name="to" inputmode="numeric" size={5} value={sheet} />
          <button formaction={jump} formnovalidate>
            {said.show}
          </button>
        </div>
      ) : null}
      {isPlaced ? (
        <Sheet cells={found.cells} face={face} picture={picture} {...marks} />
      ) : (
        <List cells={found.cells} {...marks} />
      )}
      {found.cells.some(({ key }) => gone.has(key)) ? (
        <p class="hint">{words.units.struck}</p>
      ) : null}
      <Elsewhere ticks={others} words={words} />
      <Again {...{ policy: policyOf(job), face, start, manifest, words }} />
      <ActivateChoice manifest={manifest} words={words} />
      <VoidChoice manifest={manifest} words={words} reason={reason} />
    </form>
  );
}

/** The commands of the last step on labels; before one, those for the first label of the sheet. */
async function listCommands(
  { desk, manifest, job }: ReprintsProps,
  found: SheetPage,
): Promise<string[]> {
  const first = found.cells[0]?.key ?? "KEY";
  const of = async (what: UnitStep): Promise<string[]> => {
    const task = await findTask(desk, manifest, [what]);
    // No option points at one label of several of a row.
    if (task?.request.mark?.places !== undefined) return [];
    return [toUnitCommand(task, what, { manifest, first })];
  };
  const policy = policyOf(job);
  const again = await findTask(desk, manifest, ["reprint"]);
  return [
    ...(policy === "same" ? toReprintCommand(again, { manifest, first }) : []),
    ...(policy === "forbidden" ? [] : await of("replace")),
    ...(await of("void")),
    ...(await of("activate")),
  ];
}

export async function Reprints(props: ReprintsProps) {
  const { dir, words, file, job } = props;
  if (!isRowJob(job) || !existsSync(path.join(dir, "sheet-map.json"))) return null;
  const face = await findSheetFace(job);
  const read = (sheet: number) => readSheetPage(dir, { file, page: face?.frontOf(sheet) ?? sheet });
  const wanted = Number.isSafeInteger(props.sheet) && props.sheet > 0 ? props.sheet : 1;
  const first = await read(wanted);
  const sheet = Math.min(wanted, countSheets(volumeOf(first, file), face));
  const found = sheet === wanted ? first : await read(sheet);
  const said = words.result;
  const commands = await listCommands(props, found);
  const policy = policyOf(job);
  return (
    <section id="reprint">
      <h2>{said.sheets}</h2>
      {props.refused !== undefined ? (
        <p class="banner bad" role="alert" tabindex={-1} autofocus>
          {props.refused}
        </p>
      ) : props.isNoneTicked ? (
        <p class="banner warn" role="alert">
          {said.nothingTicked}
        </p>
      ) : (
        await LastStep(props)
      )}
      <p>{policy === "same" ? said.sheetsHint : words.units.policies[policy]}</p>
      {await Spoiled({ found, props: { ...props, sheet }, face })}
      <Command words={words} text={commands} />
      <p class="soft">{said.labelCommands}</p>
    </section>
  );
}

export function routeReprints(app: Hono, desk: DeskContext, showRefused: ShowRefused): void {
  routeUnits(app, desk, showRefused);
  app.post("/job/:manifest/reprint", async (c) => {
    const manifest = await manifestOf(c, desk);
    const form = await c.req.parseBody({ all: true });
    const { keys, places, from } = readTicked(form);
    if (keys.length === 0) return c.redirect(toNoneTicked(manifest, form), 303);
    const start = await readStart(c, desk, { manifest, ticks: readTicks(form) });
    if (typeof start === "string") return showRefused(c, start);
    const reprint = { keys, places, start, ...(from !== undefined && { from }) };
    return beginStep(c, desk, { step: "reprint", manifest, reprint });
  });
}
