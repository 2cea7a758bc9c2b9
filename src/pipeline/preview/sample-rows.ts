/** Rows as they would be, before anything is made of them. Asks no server. */
import path from "node:path";

import { AppError, badUsage } from "../../base/errors.ts";
import type { TemplateContext } from "../../job/template/template.ts";
import { thingPlanOf, type RowJob } from "../../kinds/any-job.ts";
import { readPdfFacts } from "../../kinds/pdfs/files.ts";
import { toLevel } from "../../api/design.ts";
import { Planner, type Planned } from "../../plan/planner.ts";
import { SAMPLE_PATH, toLinkPath } from "../../plan/link-path.ts";
import { toDigitalLinkOf } from "../../plan/product-wish.ts";
import { sayRow } from "../../plan/row-place.ts";
import {
  planSheets,
  writeSheets,
  type SheetOptions,
  type SheetRecord,
} from "../../print/sheets.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import type { Source } from "../../read/source.ts";
import { readState } from "../../state/find-state.ts";
import type { KnownRow, PlannedRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { openLogos } from "../checks/logos.ts";
import { toCapitals } from "../../api/payload.ts";
import { toPayload } from "../stages/payload.ts";
import type { Ports } from "../ports.ts";
import {
  PUBLIC_URL,
  refuseOtherAddress,
  rememberPublicUrl,
  toMovedLink,
} from "../address/public-address.ts";
import { isLoopbackUrl } from "../../base/text/url.ts";
import { type ServerChoice } from "../address/server.ts";
import { readSlugLanguage } from "../rows/slug-language.ts";
import { toTillReason } from "../checks/point-of-sale.ts";
import { makeSheetOptions, refuseSheets } from "../stages/sheet-options.ts";
import { toSampleOrigin } from "../address/sample-link.ts";

export interface RowRequest {
  readonly job: RowJob;
  readonly server: ServerChoice;
  readonly source: Source;
  /** Of the spreadsheet, as messages have it; undefined: that of the first row. */
  readonly line: number | undefined;
  readonly folder: string;
}

/** The error of a line that holds no row. */
export function noRowAt(
  flag: string,
  line: number,
  { last, isMade }: { readonly last?: number; readonly isMade: boolean },
): AppError {
  if (isMade) {
    const hint = last === undefined ? "rows are counted from 1" : `the last row is ${last}`;
    return badUsage(`${flag} must be rows of the job, got ${line}`, hint);
  }
  return badUsage(
    `${flag} must be lines that hold a row, got ${line}`,
    last === undefined
      ? "lines are those of the spreadsheet, header and blank lines counted"
      : `the last row stands on line ${last}; header and blank lines count, too`,
  );
}

/** The job makes its rows itself: there is no file whose lines could be counted. */
export const hasNoLines = ({ detected: { format } }: Pick<Source, "detected">): boolean =>
  format !== "csv" && format !== "xlsx";

export async function findRow(source: Source, wanted: number | undefined): Promise<SourceRow> {
  let last = 0;
  for await (const row of source.rows()) {
    if (wanted === undefined || row.line === wanted) return row;
    last = row.line;
  }
  throw noRowAt("--line", wanted ?? 0, { last, isMade: hasNoLines(source) });
}

/** What a job's templates can use beside their row. */
export const readContext = async (
  job: RowJob,
  ports: Pick<Ports, "clock" | "writer">,
): Promise<TemplateContext> => ({
  nowMs: ports.clock.nowMs(),
  timeZone: job.schedule?.timezone,
  language: await readSlugLanguage(job, ports),
});

/** What is known of the codes that exist: they keep what they were made with. */
export interface Living {
  /** With the address of earlier runs, where no other one is named. */
  readonly server: ServerChoice;
  readonly known: (key: string) => KnownRow | undefined;
  readonly made: (key: string) => Made;
  readonly close: () => void;
}

/** What an earlier run made from a row. */
export interface Made {
  readonly shortLink: string | null;
  /** What short links of the embedded service began with then. */
  readonly address: string | undefined;
}

export const findMade = (state: State | undefined, key: string): Made => ({
  shortLink: state?.row(key)?.shortLink ?? null,
  address: state?.meta(PUBLIC_URL),
});

/** Throws `confirm-needed` where a run refuses the public address. */
export async function openLiving(
  ports: Pick<Ports, "clock" | "writer" | "commandOf">,
  { job, server: named }: Pick<RowRequest, "job" | "server">,
): Promise<Living> {
  const { writer, clock } = ports;
  const state = await readState(job.output.dir, { writer, salt: "", nowMs: clock.nowMs() });
  try {
    const server = rememberPublicUrl(named, state);
    refuseOtherAddress(server, ports, state);
    return {
      server,
      known: (key) => state?.known(key),
      made: (key) => findMade(state, key),
      close: () => state?.close(),
    };
  } catch (error) {
    state?.close();
    throw error;
  }
}

interface Planning {
  readonly context: TemplateContext;
  readonly living: Living;
  /** Knows the rows before it: what one of them has, such as its key, no other may have. */
  readonly earlier?: Planner | undefined;
}

function openPlanner(job: RowJob, { context, living }: Planning) {
  const logos = openLogos(job);
  const planner = new Planner({
    logoOf: (named) => logos.of(named),
    job,
    thing: thingPlanOf(job),
    known: () => undefined,
    living: living.known,
    hasFolder: () => false,
    context,
    retryFailed: false,
  });
  return { planner, logos: logos.files };
}

/** For rows that are planned one after another. */
export const openEarlier = (job: RowJob, planning: Planning): Planner =>
  openPlanner(job, planning).planner;

/** Knows the rows before `line`; the good ones are handed to `onGood`. */
export async function readEarlier(
  job: RowJob,
  source: Source,
  {
    line,
    onGood,
    ...planning
  }: Planning & {
    readonly line: number;
    readonly onGood?: (planned: PlannedRow, row: SourceRow) => void;
  },
): Promise<Planner> {
  const earlier = openEarlier(job, planning);
  for await (const row of source.rows()) {
    if (row.line >= line) break;
    const planned = earlier.add(row, await readPdfFacts(job, row, planning.context));
    if (planned.good) onGood?.(planned.row, row);
  }
  return earlier;
}

/** One row, planned as if it were new. Throws `row-invalid`. */
export async function planRow(
  job: RowJob,
  row: SourceRow,
  planning: Planning,
): Promise<{ row: PlannedRow; warnings: string[]; logos: ReadonlyMap<string, string> }> {
  const { planner, logos } = openPlanner(job, planning);
  const facts = await readPdfFacts(job, row, planning.context);
  const planned = planner.add(row, facts);
  const warnings = planner.warnings().map(({ message }) => message);
  const among = planning.earlier?.add(row, facts) ?? planned;
  const refused = [planned, among].find((one) => !one.good);
  if (planned.good && refused === undefined) return { row: planned.row, warnings, logos };
  throw refuseRow(job, row, refused);
}

export const refuseRow = (job: RowJob, row: SourceRow, planned: Planned | undefined): AppError =>
  new AppError("row-invalid", `${sayRow(job.source, row)} can't be made`, {
    problems: planned?.good === false ? planned.bad.problems : [],
  });

const NOT_YET = "the short link doesn't exist yet";

/** A code that exists, under the address that is named now; undefined where it keeps its own. */
const readMoved = (
  link: string,
  address: string | undefined,
  { baseUrl, publicUrl }: ServerChoice,
): string | undefined =>
  baseUrl === undefined ? toMovedLink(link, address, publicUrl) : undefined;

/** What the code will say, or says already; a sample while its short link doesn't exist. */
export function readPayload(
  { job, server }: Pick<RowRequest, "job" | "server">,
  row: PlannedRow,
  made: Made,
): { payload: string; warnings: string[] } {
  const { shortLink: old, address } = made;
  const moved = old === null ? undefined : readMoved(old, address, server);
  const shortLink = moved ?? old;
  if (shortLink !== null || !row.wanted.dynamic) {
    return {
      payload: toPayload({ key: row.key, wanted: row.wanted, made: null, shortLink }),
      warnings:
        moved === undefined
          ? []
          : [
              `the short link begins with ${server.publicUrl} instead of ${address}: a run makes it so`,
            ],
    };
  }
  const origin = toSampleOrigin(job, server);
  const isCapital = server.baseUrl === undefined && job.code.compact;
  return sampleLink(row.wanted, origin, isCapital);
}

/** A link that its server has not made yet; in capitals as the service makes it, whose code is smaller for it. */
function sampleLink(
  wanted: PlannedRow["wanted"],
  origin: string,
  isCapital: boolean,
): { payload: string; warnings: string[] } {
  const path = toLinkPath(wanted);
  if (path === undefined) {
    const link = `${origin}${SAMPLE_PATH}`;
    return {
      payload: isCapital ? link.toUpperCase() : link,
      warnings: [`${NOT_YET}: a sample of usual length stands in for it`],
    };
  }
  const link = `${origin}${path}`;
  const isProduct = toDigitalLinkOf(wanted) !== undefined;
  return {
    payload: isCapital ? toCapitals(link) : link,
    warnings: [
      isProduct
        ? "the product isn't registered yet: its server may put more in front of this"
        : NOT_YET,
    ],
  };
}

/** The sheets of a job whose codes may not exist yet. */
export const sampleSheetOptions = (
  { job, server, source }: Pick<RowRequest, "job" | "server" | "source">,
  createdAt: string,
): Promise<SheetOptions | undefined> =>
  makeSheetOptions(job, {
    createdAt,
    isRehearsal:
      job.code.dynamic && server.baseUrl === undefined && isLoopbackUrl(server.publicUrl),
    input: { name: path.basename(source.file), sha256: source.sha256, columns: source.columns },
  });

/**
 * The row's label on the first place of its sheet, and what it doesn't show; none for a job without sheets. Throws
 * `layout-impossible` for one that can't be printed, and has written nothing then.
 */
export async function writeLabel(
  request: RowRequest,
  {
    row,
    payload,
    drawn,
    design,
    counts,
  }: Pick<SheetRecord, "payload" | "drawn" | "design" | "counts"> & { readonly row: PlannedRow },
  facts: { readonly file: string; readonly createdAt: string },
): Promise<{ readonly files: readonly string[]; readonly warnings: readonly string[] }> {
  const options = await sampleSheetOptions(request, facts.createdAt);
  if (options === undefined) return { files: [], warnings: [] };
  const { job } = request;
  const { problems } = planSheets(options, { count: 1, maxVersion: 1 });
  const found = problems.map((problem) => toTillReason(job.output.sheets, problem));
  if (found.length > 0) refuseSheets(job, found);
  const { key, placing } = row;
  const level = toLevel(row.wanted);
  const records = [{ key, payload, level, drawn, design, counts, caption: placing.caption }];
  const { volumes, labelWarnings } = await writeSheets(options, records, facts.file);
  return { files: volumes.map(({ file }) => file), warnings: [...new Set(labelWarnings)] };
}
