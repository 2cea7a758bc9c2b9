/** Where the rows of a job come from. */
import { AppError, type Problem } from "../../base/errors.ts";
import { checkTemplates } from "../../job/template/column-uses.ts";
import type { JobCommon, JobRows } from "../../job/job.ts";
import { openDefinition, openFolder } from "../../read/files/folder-source.ts";
import { openRange, openSerials, type SerialRequest } from "../../read/rows/made-rows.ts";
import { openSource, type Source } from "../../read/source.ts";
import { keepSource, type KeepRequest } from "./kept-source.ts";
import type { Ports } from "../ports.ts";
import type { ServerChoice } from "../address/server.ts";

interface OpenRequest extends SerialRequest, KeepRequest {
  /** Columns that templates use. */
  readonly uses: readonly string[];
  readonly signal: AbortSignal;
}

const openers: Readonly<
  Record<JobRows["from"], (source: JobRows, request: OpenRequest) => Promise<Source>>
> = {
  spreadsheet: (source, { uses, signal }) => openSource(source, uses, signal),
  folder: openFolder,
  manifest: ({ file }) => Promise.resolve(openDefinition(file)),
  range: (source) => Promise.resolve(openRange(source)),
  serials: openSerials,
  stream: openStream,
};

/** Reads or fetches what is to be opened, and opens the copy. */
async function openStream(source: JobRows, request: OpenRequest): Promise<Source> {
  const copy = await keepSource(source, request);
  const { uses, signal } = request;
  const opened = await openSource(
    { ...source, file: copy.file, shownAs: source.file },
    uses,
    signal,
  );
  return Object.assign(opened, { copy });
}

/** What opening rows takes of a job. */
export interface SourceJob extends Pick<JobCommon, "name" | "columnUses"> {
  readonly source: JobRows;
  readonly output: { readonly dir: string };
}

/** How rows are read that a job makes itself. */
export interface RowsPlace extends Pick<ServerChoice, "dataDir"> {
  /** Of a run: serials are kept before they are used. */
  readonly keeps?: boolean;
}

/**
 * Opens where the rows come from and checks that every column which the manifest names is there.
 * @param signal ends the reading, also that of its rows, with its reason
 */
export async function openRows(
  job: SourceJob,
  { signal, clock, readStream }: Pick<Ports, "signal" | "clock" | "readStream">,
  { dataDir, keeps = false }: RowsPlace,
): Promise<Source> {
  const uses = job.columnUses.map(({ column }) => column);
  const { name, output } = job;
  const request = { uses, signal, job: name, dir: output.dir, dataDir, keeps, clock, readStream };
  return checked(job, await openers[job.source.from](job.source, request));
}

async function checked(job: SourceJob, source: Source): Promise<Source> {
  const problems: readonly Problem[] = checkTemplates(job, source.names);
  if (problems.length === 0) return source;
  await source.close();
  const message = "the manifest names columns that its source doesn't have";
  throw new AppError("manifest-invalid", message, { problems });
}

/**
 * Why a spreadsheet on this computer can't be opened as the job wants it; empty where it can be.
 * Looks at no row, and not at rows that come from elsewhere.
 */
export async function findUnreadable(job: SourceJob): Promise<readonly Problem[]> {
  if (job.source.from !== "spreadsheet") return [];
  const uses = job.columnUses.map(({ column }) => column);
  try {
    await (await checked(job, await openSource(job.source, uses))).close();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, where, hint, problems } = error;
    return problems.length > 0 ? problems : [{ message, where, hint }];
  }
}
