/**
 * Labels of a job while a person chooses how they look: planned and drawn by the code that runs the
 * job. Asks no server and writes nothing.
 */
import { closing } from "../../base/flow/closing.ts";
import { toExpectedDesign } from "../../plan/smaller.ts";
import { AppError, badUsage, type Problem } from "../../base/errors.ts";
import { thingPlanOf, type RowJob } from "../../kinds/any-job.ts";
import type { LogoFiles } from "../../kinds/codes/logo-files.ts";
import { readPdfFacts } from "../../kinds/pdfs/files.ts";
import { toLevel } from "../../api/design.ts";
import type { Design as CodeDesign } from "../../qr/draw/design.ts";
import { sayPressWarning } from "../../base/shapes/press-warning.ts";
import type { Design } from "../../plan/looks.ts";
import { Planner } from "../../plan/planner.ts";
import { sayRow } from "../../plan/row-place.ts";
import { NOTHING_GONE, type PlanGroup } from "../../plan/tally.ts";
import {
  drawFirstSheet,
  drawOneLabel,
  firstSheetNeeds,
} from "../../print/draw/draw-first-sheet.ts";
import type { SheetOptions } from "../../print/sheet-job.ts";
import type { SheetRecord } from "../../print/sheets.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import { readState } from "../../state/find-state.ts";
import type { PlannedRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { openLogos } from "../checks/logos.ts";
import { planPaper } from "../paper/plan-paper.ts";
import type { Ports } from "../ports.ts";
import { toSlugLanguage } from "../rows/slug-language.ts";
import { type Fits, makeFits } from "../rows/read-plan.ts";
import { type LabelCensus, type LabelPlan, openLabelCensus } from "../paper/label-census.ts";
import { hasCounters } from "../paper/label-numbers.ts";
import { findOtherAddress, rememberPublicUrl, sayOtherAddress } from "../address/public-address.ts";
import { isLoopbackUrl } from "../../base/text/url.ts";
import { type ServerChoice } from "../address/server.ts";
import { makeSheetOptions } from "../stages/sheet-options.ts";
import { SAMPLE_NUMBERS } from "./label-tally.ts";
import { makePictures, type Picture } from "./picture.ts";
import { findGood } from "./pick-rows.ts";
import type { ShelvedRows } from "./row-shelf.ts";
import { findMade, noRowAt, readPayload } from "./sample-rows.ts";

const LABEL_PX = 760;
const SHEET_PX = 1240;

export interface LiveRequest {
  readonly job: RowJob;
  readonly server: ServerChoice;
  readonly rows: ShelvedRows;
  readonly ports: Pick<Ports, "clock" | "writer">;
  /** The code of a row as its server will draw it, for labels that show that; `logo` is a file. */
  readonly drawCode: (
    row: PlannedRow,
    payload: string,
    logo: string | undefined,
  ) => Promise<string>;
  /** Design of the code that its server will draw. */
  readonly designOf: (row: PlannedRow, logo: string | undefined) => Promise<CodeDesign>;
  /** What a template's codes look like; undefined where only a server knows. */
  readonly templateOf: (name: string) => Design | undefined;
}

/** A line of the spreadsheet, the first good row, or the one whose texts are longest. */
export type WantedRow = number | "first" | "longest";

interface Shown {
  readonly pictures: readonly Picture[];
  readonly warnings: readonly string[];
}

export interface LiveLabel extends Shown {
  readonly line: number;
  readonly name: string;
  /** What the code says. */
  readonly payload: string;
  /** How its code looks where it isn't black; its `logo_file` is absolute. */
  readonly design: PlannedRow["wanted"]["design"];
  /** Width of a module. */
  readonly xMm: number | undefined;
  /** Notes on samples that stand in for what doesn't exist yet. */
  readonly samples: readonly string[];
}

export interface LiveSheet extends Shown {
  /** As a plan counts them; undefined where rows go into several files. */
  readonly sheets: number | undefined;
  readonly labels: number;
  readonly perSheet: number;
  /** Rows that are refused: they have no label. */
  readonly refused: number;
  /** Rows that were counted; of long spreadsheets, the first ones. */
  readonly counted: number;
  readonly rows: number;
  /** The rows that decided the size of the texts: of many, the longest. */
  readonly sizedBy: "all" | "longest";
}

interface Planned extends PlannedRow {
  /** Rows before it. */
  readonly at: number;
}

/** Rows as a run would plan them, one after another. */
class RowPlan {
  readonly #planner: Planner;
  readonly #request: LiveRequest;
  readonly #state: State | undefined;
  readonly #context;
  readonly #fits: Fits;
  readonly #logos: LogoFiles;
  readonly refused: Problem[] = [];

  constructor(request: LiveRequest, state: State | undefined, fits: Fits) {
    const { job, ports } = request;
    this.#fits = fits;
    this.#request = request;
    this.#logos = openLogos(job);
    this.#state = state;
    this.#context = {
      nowMs: ports.clock.nowMs(),
      timeZone: job.schedule?.timezone,
      language: toSlugLanguage(job, state),
    };
    this.#planner = new Planner({
      job,
      thing: thingPlanOf(job),
      known: () => undefined,
      living: (key) => state?.known(key),
      hasFolder: () => false,
      context: this.#context,
      fits: fits.fits,
      textsFit: fits.textsFit,
      logoOf: (named) => this.#logos.of(named),
      retryFailed: false,
    });
  }

  /** The row, or what is wrong with it. */
  async add(row: SourceRow): Promise<PlannedRow | readonly Problem[]> {
    const planned = this.#planner.add(
      row,
      await readPdfFacts(this.#request.job, row, this.#context),
    );
    if (planned.good) return planned.row;
    const { problems } = planned.bad;
    this.refused.push(...problems);
    return problems;
  }

  async toRecord(row: PlannedRow, artwork: SheetOptions["artwork"]): Promise<LiveRecord> {
    const { payload, warnings } = readPayload(this.#request, row, findMade(this.#state, row.key));
    const { key, placing, wanted } = row;
    const { drawCode, designOf } = this.#request;
    const logo = this.#logos.files.get(String(wanted.design["logo_file"]));
    const svg = artwork === "server" ? await drawCode(row, payload, logo) : undefined;
    const design = await designOf(row, logo);
    const drawn = { level: design.errorCorrection, minVersion: 1 };
    const record = {
      key,
      payload,
      level: toLevel(wanted),
      drawn,
      design,
      caption: placing.caption,
      ...(svg !== undefined && { svg }),
    };
    return { record, warnings };
  }

  /** The design of a row, with the path of its logo. */
  lookOf({ wanted }: PlannedRow): PlannedRow["wanted"]["design"] {
    return this.#logos.unmark(wanted.design);
  }

  /** The same rows may be planned once more. */
  again(): RowPlan {
    return new RowPlan(this.#request, this.#state, this.#fits);
  }

  /** With the address of earlier runs, where no other one is named. */
  get server() {
    return this.#request.server;
  }

  /** A run refuses another address than codes have. */
  get refusedAddress(): string[] {
    const other = findOtherAddress(this.server, this.#state);
    return other === undefined ? [] : [`a run refuses this: ${sayOtherAddress(other)}`];
  }

  get context() {
    return this.#context;
  }

  get warnings(): string[] {
    return this.#planner.warnings().map(({ message }) => message);
  }

  summary() {
    return this.#planner.summary(NOTHING_GONE);
  }
}

interface LiveRecord {
  readonly record: SheetRecord;
  readonly warnings: readonly string[];
}

/** Opens the state of earlier runs for a plan, and closes it again. */
async function withPlan<T>(
  request: LiveRequest,
  work: (plan: RowPlan, options: SheetOptions) => Promise<T>,
): Promise<T> {
  const { job, rows, ports } = request;
  const nowMs = ports.clock.nowMs();
  return closing(
    await readState(job.output.dir, { writer: ports.writer, salt: "", nowMs }),
    async (state) => {
      const server = rememberPublicUrl(request.server, state);
      const options = await makeSheetOptions(job, {
        createdAt: state?.createdAt ?? new Date(nowMs).toISOString(),
        isRehearsal:
          job.code.dynamic && server.baseUrl === undefined && isLoopbackUrl(server.publicUrl),
        input: rows.input,
      });
      if (options === undefined)
        throw badUsage("the job must have sheets, got none", "choose a label sheet");
      const count = job.output.sheets?.per === null ? { count: rows.count } : {};
      const fits = await makeFits(job);
      return work(new RowPlan({ ...request, server }, state, fits), { ...options, ...count });
    },
  );
}

async function findShown(request: LiveRequest, plan: RowPlan, wanted: WantedRow): Promise<Planned> {
  const find = (line: number | "first") => findPlanned(request, plan, line);
  if (wanted !== "longest") return find(wanted);
  const longest = await request.rows.longest(request.job, plan.context);
  return (await findGood(longest, find)) ?? find("first");
}

/** The row of a line, or the first that isn't refused. */
async function findPlanned(
  request: LiveRequest,
  plan: RowPlan,
  wanted: number | "first",
): Promise<Planned> {
  let at = -1;
  for await (const row of request.rows.rows()) {
    at += 1;
    if (wanted !== "first" && row.line !== wanted) continue;
    const planned = await plan.add(row);
    if ("key" in planned) return { ...planned, at };
    if (wanted === "first" && at + 1 < request.rows.first.length) continue;
    throw new AppError("row-invalid", `${sayRow(request.job.source, row)} can't be made`, {
      problems: [...planned],
    });
  }
  if (wanted !== "first")
    throw noRowAt("line", wanted, { last: request.rows.lastLine, isMade: false });
  throw new AppError("row-invalid", "the job must have a good row, got none", {
    problems: plan.refused.slice(0, 3),
  });
}

/** Rows whose captions are looked at one by one; of longer jobs, those with the longest texts, too. */
const LOOKED_AT = 100;

/** The rows that decide the size of a PDF's captions, as far as a preview looks. */
async function lookAtLabels(
  request: LiveRequest,
  plan: RowPlan,
  options: SheetOptions,
): Promise<LabelCensus> {
  const { rows, job } = request;
  const census = await openLabelCensus(options);
  const isLong = rows.count > LOOKED_AT;
  const longest = isLong ? await rows.longest(job, plan.context) : new Set<number>();
  for (const [at, row] of rows.first.entries()) {
    if (at >= LOOKED_AT && !longest.has(row.line)) continue;
    const planned = await plan.add(row);
    if ("key" in planned) census.add(planned);
  }
  return census;
}

/** One label. Throws `row-invalid` and `layout-impossible` for one that can't be printed. */
export const lookAtLabel = (request: LiveRequest, wanted: WantedRow): Promise<LiveLabel> =>
  withPlan(request, async (plan, options) => {
    const row = await findShown(request, plan, wanted);
    const { record, warnings } = await plan.toRecord(row, options.artwork);
    const census = await lookAtLabels(request, plan.again(), options);
    const captions = census.settingOf(row.placing.sheets ?? "");
    const looked = await drawOneLabel(options, { record, row: row.at, captions });
    const { sheet } = options;
    return {
      pictures: await makePictures(looked, { sheet, longPx: LABEL_PX, hasGrid: false }),
      warnings: [...new Set([...plan.refusedAddress, ...plan.warnings, ...looked.warnings])],
      samples: [...warnings, ...(hasCounters(options) ? [SAMPLE_NUMBERS] : [])],
      line: row.line,
      name: row.wanted.displayName,
      payload: record.payload,
      design: plan.lookOf(row),
      xMm: looked.cells[0]?.xMm,
    };
  });

/** So many rows are counted while somebody waits; more where the first sheet takes more. */
const COUNTED = 1000;

/** Plans the first rows, as far as a preview counts; returns those that the first sheet takes. */
async function planFirstSheet(
  { rows }: LiveRequest,
  plan: RowPlan,
  options: SheetOptions,
): Promise<{ readonly records: SheetRecord[]; readonly group: string }> {
  const need = firstSheetNeeds(options);
  const records: SheetRecord[] = [];
  let group: string | null | undefined;
  for (const [at, row] of rows.first.entries()) {
    if (at >= COUNTED && records.length >= need) break;
    const planned = await plan.add(row);
    if (!("key" in planned) || records.length >= need) continue;
    group ??= planned.placing.sheets;
    if (planned.placing.sheets !== group) continue;
    records.push((await plan.toRecord(planned, options.artwork)).record);
  }
  return { records, group: group ?? "" };
}

/** The paper of the rows that are planned, as a plan has it. Throws what a plan throws. */
function planLivePaper(
  { job, rows, templateOf }: LiveRequest,
  { server, ...plan }: { server: ServerChoice; groups: readonly PlanGroup[]; labels: LabelPlan },
  options: SheetOptions,
) {
  return planPaper(job, {
    ...plan,
    templateOf,
    inputSha256: rows.input.sha256,
    finished: undefined,
    createdAt: options.createdAt,
    isRehearsal: options.slug.rehearsal,
    inputName: rows.input.name,
    design: toExpectedDesign({ ...job.code.design }, job.code.compact),
    links: {
      publicUrl: server.baseUrl === undefined ? server.publicUrl : undefined,
      inCapitals: server.baseUrl === undefined && job.code.compact,
      areTold: server.baseUrl !== undefined,
    },
  });
}

/** Plans the rows that are kept and their paper, and draws nothing. Throws what a plan throws. */
export const judgePaper = (request: LiveRequest): Promise<void> =>
  withPlan(request, async (plan, options) => {
    for (const row of request.rows.first) await plan.add(row);
    const labels = (await lookAtLabels(request, plan.again(), options)).plan();
    const { server } = plan;
    await planLivePaper(request, { server, groups: plan.summary().sheets, labels }, options);
  });

/** The first sheet, with the rows that will lie on it. Throws what planning the paper throws. */
export const lookAtSheet = (request: LiveRequest, hasGrid: boolean): Promise<LiveSheet> =>
  withPlan(request, async (plan, options) => {
    const { rows } = request;
    const { server } = plan;
    const { records, group } = await planFirstSheet(request, plan, options);
    const census = await lookAtLabels(request, plan.again(), options);
    const summary = plan.summary();
    const planned = { server, groups: summary.sheets, labels: census.plan() };
    const paper = await planLivePaper(request, planned, options);
    const isOneFile = options.count !== undefined;
    const count = isOneFile ? { count: rows.count - summary.bad } : {};
    const setting = census.settingOf(group);
    const looked = await drawFirstSheet({ ...options, ...count }, records, setting);
    const { sheet } = options;
    return {
      pictures: await makePictures(looked, { sheet, longPx: SHEET_PX, hasGrid }),
      warnings: [
        ...new Set([
          ...plan.refusedAddress,
          ...paper.warnings.map(({ message }) => message),
          ...paper.press.map(sayPressWarning),
          ...looked.warnings,
        ]),
      ],
      sheets: isOneFile ? paper.pages : undefined,
      labels: paper.labels,
      perSheet: sheet.perSheet,
      refused: summary.bad,
      counted: summary.rows,
      rows: rows.count,
      sizedBy: rows.count > LOOKED_AT ? "longest" : "all",
    };
  });
