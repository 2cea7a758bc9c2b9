/** Where the rows of a job come from. */
import { AppError, type Problem } from "../base/errors.ts";
import { checkTemplates } from "../job/template/column-uses.ts";
import type { JobCommon, JobRows } from "../job/job.ts";
import { openDefinition, openFolder } from "../read/folder-source.ts";
import { openSource, type Source } from "../read/source.ts";
import type { Ports } from "./ports.ts";

/** Where rows come from -> how that is opened. */
const openers: Readonly<
  Record<
    JobRows["from"],
    (source: JobRows, uses: readonly string[], signal: AbortSignal) => Promise<Source>
  >
> = {
  spreadsheet: openSource,
  folder: openFolder,
  manifest: ({ file }) => Promise.resolve(openDefinition(file)),
};

/**
 * Opens the spreadsheet and checks that every column which the manifest names is there.
 * @param signal ends the reading, also that of its rows, with its reason
 */
export async function openRows(
  job: Pick<JobCommon, "columnUses"> & { readonly source: JobRows },
  { signal }: Pick<Ports, "signal">,
): Promise<Source> {
  const uses = job.columnUses.map(({ column }) => column);
  const source = await openers[job.source.from](job.source, uses, signal);
  const problems: readonly Problem[] = checkTemplates(job, source.names);
  if (problems.length > 0) {
    await source.close();
    throw new AppError(
      "manifest-invalid",
      "the manifest names columns that the spreadsheet doesn't have",
      {
        problems,
      },
    );
  }
  return source;
}
