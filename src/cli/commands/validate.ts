import { describeSerial } from "../../base/serials.ts";
import { numberColumns, serialColumns } from "../../job/columns.ts";
import type { JobRows } from "../../job/job.ts";
import type { ServerChoice } from "../../pipeline/server.ts";
import type { Detected } from "../../read/source.ts";
import { readFlag, type CliContext, type Input } from "../context.ts";
import { formatMany } from "../../base/words.ts";
import { openRows } from "../../pipeline/source.ts";
import { makeView } from "../make-view.ts";
import { makePorts, openJob } from "../open-job.ts";

interface Facts {
  /** For people. */
  readonly says: string;
  readonly detected?: Detected;
  readonly columns?: readonly string[];
}

/** Of rows that the job makes itself everything stands in the manifest: nothing is opened. */
function describeMade({ numbers, serial }: JobRows): Facts | undefined {
  if (numbers === undefined) return undefined;
  const rows = formatMany(numbers.last - numbers.first + 1, "row");
  if (serial === undefined) return { says: `${rows} with a number`, columns: numberColumns };
  return {
    says: `${rows} with a serial of ${describeSerial(serial)}`,
    columns: serialColumns,
  };
}

/** Opens where the rows come from: a header that lacks columns, or a folder without PDFs, is told here. */
async function readFacts(
  job: Parameters<typeof openRows>[0],
  context: CliContext,
  server: ServerChoice,
): Promise<Facts> {
  const made = describeMade(job.source);
  if (made !== undefined) return made;
  const source = await openRows(job, context, server);
  await source.close();
  const { detected, columns } = source;
  if (job.source.from === "manifest") return { says: "one row, the manifest's own" };
  if (job.source.from === "folder") return { says: "a folder of PDFs", detected, columns };
  const { format, encoding, headerLine } = detected;
  const header = `header on line ${headerLine}, ${formatMany(columns.length, "column")}`;
  return { says: `${format}, ${encoding}, ${header}`, detected, columns };
}

export async function validate(context: CliContext, input: Input): Promise<number> {
  const opened = await openJob(context, input);
  const { job, server } = opened;
  const { kind } = job;
  await opened.checkNames(makePorts(context, makeView(context, input), input));
  const found = "source" in job ? await readFacts(job, context, server) : { says: `kind ${kind}` };
  const { says, ...facts } = found;
  const summary = { type: "summary", job: job.name, kind, ...facts };
  const text = `${job.name} is valid: ${says}`;
  context.out(`${readFlag(input, "json") ? JSON.stringify(summary) : text}\n`);
  return 0;
}
