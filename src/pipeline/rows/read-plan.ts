import { toSampleOrigin } from "../address/sample-link.ts";
import type { ServerChoice } from "../address/server.ts";
import path from "node:path";

import { AppError, type Problem } from "../../base/errors.ts";
import type { TemplateContext } from "../../job/template/template.ts";
import { type RowJob, thingPlanOf } from "../../kinds/any-job.ts";
import { readPdfFacts } from "../../kinds/pdfs/files.ts";
import { findChangedKey, findTwinKeys, type KeyChange } from "../../plan/changed-key.ts";
import { warnOfFrame } from "../../plan/frame-swap.ts";
import type { ActionsHash } from "../../plan/plan-file.ts";
import type { LeftNames } from "../../plan/names.ts";
import { Planner, type PlannerOptions } from "../../plan/planner.ts";
import { toGoneRow } from "../../plan/gone-row.ts";
import { sayRow, toKeyHeaders, toRowWord } from "../../plan/row-place.ts";
import { toCaptionColumns } from "../../plan/wish.ts";
import { type Gone, NOTHING_GONE, type PlanSummary } from "../../plan/tally.ts";
import {
  type GlyphCensus,
  openGlyphCensus,
  openTextCheck,
  planSheets,
} from "../../print/sheets.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import type { Source } from "../../read/source.ts";
import type { Census } from "../../state/census.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { UNFILED_CODE } from "../../state/which-rows.ts";
import { openFrameTexts } from "../checks/frame-texts.ts";
import { type LabelCensus, type LabelPlan, openLabelCensus } from "../paper/label-census.ts";
import { openLogos } from "../checks/logos.ts";
import { toTillReason } from "../checks/point-of-sale.ts";
import { Spool } from "./spool.ts";
import { makeSheetOptions, toManifestField } from "../stages/sheet-options.ts";
import { warnOfGuessing } from "./serial-origin.ts";
import { toSlugLanguage, warnOfSlugLanguage } from "./slug-language.ts";

type TextsFit = NonNullable<PlannerOptions["textsFit"]>;

/** Keeps, box by box, the first fault that no text mends. */
class LabelBoxes {
  readonly #faults = new Map<string, Problem>();

  watch(textsFit: TextsFit): TextsFit {
    return (label) => {
      const problems = textsFit(label);
      for (const problem of problems) {
        const field = problem.where?.field;
        if (field !== undefined && !this.#faults.has(field)) this.#faults.set(field, problem);
      }
      return problems;
    };
  }

  /** Throws `manifest-invalid` for boxes that have no room for any text. */
  refuse({ file }: Pick<RowJob, "file">): void {
    const problems = [...this.#faults.values()].map((fault) => toManifestField(fault, file));
    const [first, ...more] = problems;
    if (first === undefined) return;
    if (more.length === 0)
      throw new AppError("manifest-invalid", first.message, { ...first, problems });
    const says = `boxes on the label must have room for their symbols, got ${problems.length} that are too small`;
    throw new AppError("manifest-invalid", says, { where: { file }, problems });
  }
}

export interface PlannedJob {
  readonly summary: PlanSummary;
  readonly spool: Spool;
  /** Keys of all rows that vanished and whose codes live on. */
  readonly gone: readonly string[];
  /** Keys of rows without a good row: files of other rows have the names of theirs. */
  readonly overwritten: ReadonlySet<string>;
  /** Files of rows get other names, among them those of each other's. */
  readonly hasRenamed: boolean;
  readonly warnings: readonly Problem[];
  readonly labels: LabelPlan;
  /** Files of logos, by the marks that stand for their bytes. */
  readonly logos: ReadonlyMap<string, string>;
  /** Texts of those that are SVG, by the same marks. */
  readonly logoDrawings: ReadonlyMap<string, string>;
  /** A row uses today's date: tomorrow it may want something else. */
  readonly usesClock: boolean;
  /** The keys have changed, so codes would be made a second time: `run` refuses that. */
  readonly changedKey: Problem | undefined;
}

/** Meta: the key columns of the last plan that was carried out, as JSON. */
const SOURCE_KEY = "source_key";

/** Meta: `output.file_name` of the last plan that was carried out. */
const FILE_NAME = "file_name";

/** By what rows and their files are named in a plan that is carried out. */
export function rememberNames(state: State, { source, output }: RowJob): void {
  state.setMeta(SOURCE_KEY, JSON.stringify(source.key));
  state.setMeta(FILE_NAME, output.fileName);
}

/** The plan's rows become those of the state. */
export function adoptPlanned(
  state: State,
  { output }: RowJob,
  { spool, overwritten, hasRenamed }: Pick<PlannedJob, "spool" | "overwritten" | "hasRenamed">,
): void {
  state.adoptPlan(spool.changed(), spool.bad(), spool.same());
  state.pictures.forgetOfGone([...overwritten]);
  state.oldArtwork.note(output.files);
  if (hasRenamed) state.pictures.forgetOfMoved();
}

/** All files get other names than they had. */
const isNamedAnew = ({ output }: RowJob, state: State | undefined): boolean =>
  (state?.meta(FILE_NAME) ?? output.fileName) !== output.fileName;

export interface PlanStageOptions {
  readonly job: RowJob;
  readonly source: Source;
  /** Undefined before the first run. */
  readonly state: State | undefined;
  readonly nowMs: number;
  readonly retryFailed: boolean;
  /** Gets all that is decided. */
  readonly actions?: ActionsHash | undefined;
  /** Where codes are made; left out where none is. */
  readonly server?: ServerChoice | undefined;
  /** Waits before each row: who plans beside others lets them be heard. */
  readonly turn?: (() => Promise<void>) | undefined;
}

export interface Fits extends Pick<PlannerOptions, "fits" | "textsFit"> {
  readonly glyphs: GlyphCensus;
  readonly labels: LabelCensus;
}

/** Of jobs without sheets. */
const NO_GLYPHS: GlyphCensus = { add: () => undefined, warnings: () => [] };

/** Judges rows against the job's labels; not where the sheets themselves are at fault. */
export async function makeFits(job: RowJob): Promise<Fits> {
  const options = await makeSheetOptions(job, {
    createdAt: new Date(0).toISOString(),
    isRehearsal: false,
    input: { name: path.basename(job.source.file), sha256: "", columns: [] },
  });
  const labels = await openLabelCensus(options);
  if (options === undefined) return { labels, glyphs: NO_GLYPHS };
  const glyphs = await openGlyphCensus(options);
  const judge = (version: number): Problem | undefined =>
    toTillReason(
      job.output.sheets,
      planSheets(options, { count: 1, maxVersion: version }).problems[0],
    );
  if (judge(1) !== undefined) return { labels, glyphs };
  const known = new Map<number, Problem | undefined>();
  const hasArt = options.label !== undefined || options.back?.label !== undefined;
  const { sheets } = job.output;
  const columns = sheets === null ? [] : toCaptionColumns(sheets);
  return {
    labels,
    glyphs,
    fits: (version) => {
      if (!known.has(version)) known.set(version, judge(version));
      return known.get(version);
    },
    textsFit: hasArt ? await openTextCheck(options, columns) : undefined,
  };
}

/** So many are named in a plan; `vanished-rows.csv` has all. */
const GONE_NAMED = 100;

/** An older makeready gave names of vanished and bad rows to others. */
function findOverwritten(
  { job, state }: PlanStageOptions,
  census: Census,
  planner: Planner,
): PlannedJob["overwritten"] {
  const keys = new Set<string>();
  for (const { key, base } of census.filesOfGone(isNamedAnew(job, state)))
    if (planner.hasFile(base)) keys.add(key);
  return keys;
}

/** Adds what the state knows of rows that the plan did not name. */
function findGone(
  options: PlanStageOptions,
  census: Census | undefined,
  planner: Planner,
): Pick<PlannedJob, "gone" | "overwritten"> & { readonly figures: Gone } {
  const none = new Set<string>();
  if (census === undefined) return { gone: [], overwritten: none, figures: NOTHING_GONE };
  const { state, job } = options;
  const { source } = job;
  const gone = census.gone();
  const isAnyLeft = gone.length > 0 || planner.hasBad();
  const overwritten = isAnyLeft ? findOverwritten(options, census, planner) : none;
  const goneRows = gone
    .slice(0, GONE_NAMED)
    .flatMap((key) => toGoneRow(source, state?.row(key), overwritten));
  return {
    gone,
    overwritten,
    figures: { vanished: census.vanished(), gone: gone.length, goneRows },
  };
}

/** Judges rows by their labels and designs. */
async function openFits({ job, server }: PlanStageOptions) {
  const { labels, glyphs, textsFit, ...others } = await makeFits(job);
  const boxes = new LabelBoxes();
  const watched = textsFit && boxes.watch(textsFit);
  const linkOrigin = server && toSampleOrigin(job, server);
  const designFits = await openFrameTexts(job, linkOrigin);
  const fits = { ...others, textsFit: watched, designFits };
  return { labels, glyphs, boxes, fits };
}

/** What there is to know of a job before its first row. */
const warnOfJob = (job: RowJob, state: State | undefined): Problem[] => [
  ...warnOfSlugLanguage(job, state),
  ...warnOfGuessing(job),
  ...warnOfFrame(job),
];

/** Without columns of a key, a row's key is all that it wants: its line names it. */
function addTexts(
  { glyphs, labels }: Pick<Awaited<ReturnType<typeof openFits>>, "glyphs" | "labels">,
  { source }: RowJob,
  judged: ReturnType<Planner["add"]>,
  row: SourceRow,
): void {
  // Without a code, it has no label.
  if (!judged.good || judged.action.kind === "failed-before") return;
  const { row: planned } = judged;
  const isNamed = source.key.length > 0 || toRowWord(source) !== "line";
  glyphs.add(planned.key, planned.placing.caption, isNamed ? undefined : sayRow(source, row));
  labels.add(planned, isNamed ? {} : { line: row.line });
}

/** Jobs without pictures have no names to keep. */
const toMadeNames = (
  { job, state }: PlanStageOptions,
  census: Census | undefined,
  left: LeftNames | undefined,
): PlannerOptions["made"] =>
  census === undefined || job.output.files.length === 0
    ? undefined
    : {
        own: () => ({ planned: () => census.placing(), isBack: !census.isPresent() }),
        all: () => census.fileNames(isNamedAnew(job, state)),
        left,
      };

/** So often are rows planned once more: each time, names that have become free free others. */
const MOST_ROUNDS = 3;

/** Reads every row and decides what it needs. Changes nothing; throws when the file is broken. */
export async function planRows(options: PlanStageOptions): Promise<PlannedJob> {
  let left: LeftNames | undefined;
  for (let round = 0; ; round += 1) {
    options.actions?.begin();
    const { left: more, ...planned } = await planOnce(options, left);
    if (more === undefined || round === MOST_ROUNDS) return planned;
    planned.spool.close();
    left = more;
  }
}

/** `left`: names that rows leave, as is known only once all of them are planned. */
async function planOnce(
  options: PlanStageOptions,
  left: LeftNames | undefined,
): Promise<PlannedJob & { readonly left: LeftNames | undefined }> {
  const { job, source, state, nowMs, retryFailed, actions } = options;
  let usesClock = false;
  const context: TemplateContext = {
    get nowMs() {
      usesClock = true;
      return nowMs;
    },
    timeZone: job.schedule?.timezone,
    language: toSlugLanguage(job, state),
  };
  const census = state?.census();
  const { labels, glyphs, boxes, fits } = await openFits(options);
  const logos = openLogos(job);
  const planner = new Planner({
    logoOf: (named) => logos.of(named),
    job,
    thing: thingPlanOf(job),
    known: (key) => census?.known(key),
    made: toMadeNames(options, census, left),
    madeOf: (key) =>
      state?.is(key, UNFILED_CODE) === true ? toGoneRow(job.source, state.row(key))[0] : undefined,
    hasFolder: (path) => state?.folderId(path) !== undefined,
    context,
    ...fits,
    retryFailed,
  });
  const spool = new Spool();
  try {
    for await (const row of source.rows()) {
      await options.turn?.();
      const planned = planner.add(row, await readPdfFacts(job, row, context));
      const key = planned.good ? undefined : planned.bad.key;
      if (key !== undefined) census?.named(key);
      spool.add(planned, planned.good && census?.isSame(planned.row));
      actions?.add(planned);
      addTexts({ glyphs, labels }, job, planned, row);
    }
    boxes.refuse(job);
  } catch (error) {
    spool.close();
    throw error;
  }
  const ofRows = [...planner.countedWarnings(), ...glyphs.warnings()];
  const warnings = [...warnOfJob(job, state), ...source.warnings, ...ofRows];
  const { figures, ...gone } = findGone(options, census, planner);
  const summary = planner.summary(figures);
  const { changedKey, twins } = judgeKeys(options, { census, summary, spool, gone: gone.gone });
  warnings.push(...twins);
  const svgLogos = [...logos.drawings.keys()].map((mark) => logos.files.get(mark) ?? mark);
  const found = { summary, spool, ...gone, warnings, labels: { ...labels.plan(), svgLogos } };
  const images = { logos: logos.files, logoDrawings: logos.drawings };
  const names = { hasRenamed: planner.hasRenamed, left: planner.leftNames() };
  return { ...found, ...images, ...names, usesClock, changedKey };
}

/** The cells that `source.key` names, as one text; without a key, all cells. */
function toKeyCells(source: RowJob["source"], cells: StateRow["cells"]): string {
  const headers = source.key.length === 0 ? Object.keys(cells) : toKeyHeaders(source, { cells });
  return JSON.stringify(headers.map((header) => cells[header]?.trim() ?? null));
}

function judgeKeys(
  { job, state }: PlanStageOptions,
  planned: Pick<PlannedJob, "summary" | "spool" | "gone"> & { readonly census: Census | undefined },
): { readonly changedKey?: Problem; readonly twins: readonly Problem[] } {
  const { census, summary, spool } = planned;
  if (state === undefined || census === undefined) return { twins: [] };
  const before = state.meta(SOURCE_KEY);
  const change: KeyChange = {
    key: job.source.key,
    before: before === undefined ? undefined : (JSON.parse(before) as string[]),
    rows: () => spool.good(),
    good: summary.good,
    named: census.count,
    known: (key) => state.known(key),
    gone: planned.gone,
    made: () => census.made(),
    keyCells: (cells) => toKeyCells(job.source, cells),
  };
  const changedKey = findChangedKey(change);
  if (changedKey !== undefined) {
    const where = { file: job.file, field: "source.key" };
    return { changedKey: { ...changedKey, where }, twins: [] };
  }
  const found = findTwinKeys(change);
  return { twins: found === undefined ? [] : [{ ...found, where: { file: job.source.file } }] };
}
