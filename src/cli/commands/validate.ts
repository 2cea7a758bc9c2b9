import { describeSerial } from "../../base/ids/serials.ts";
import { numberColumns, serialColumns } from "../../job/columns.ts";
import type { JobRows } from "../../job/job.ts";
import type { Ports } from "../../pipeline/ports.ts";
import type { ServerChoice } from "../../pipeline/address/server.ts";
import type { Detected } from "../../read/source.ts";
import { formatMany } from "../../base/text/words.ts";
import { openRows } from "../../pipeline/source/source.ts";
import type { Call } from "../call.ts";
import { toWarningPort } from "../moved-store.ts";
import { makePorts, openJob } from "../open-job.ts";

interface Facts {
  /** For people. */
  readonly says: string;
  readonly detected?: Detected;
  readonly columns?: readonly string[];
}

/** Rows that the job makes itself are all in the manifest: opens nothing. */
function describeMade({ numbers, serial }: JobRows): Facts | undefined {
  if (numbers === undefined) return undefined;
  const rows = formatMany(numbers.last - numbers.first + 1, "row");
  if (serial === undefined) return { says: `${rows} with a number`, columns: numberColumns };
  return { says: `${rows} with a serial of ${describeSerial(serial)}`, columns: serialColumns };
}

/** Opens the source of the rows: reports a header that lacks columns, or a folder without PDFs. */
async function readFacts(
  job: Parameters<typeof openRows>[0],
  ports: Ports,
  server: ServerChoice,
): Promise<Facts> {
  const made = describeMade(job.source);
  if (made !== undefined) return made;
  const source = await openRows(job, ports, server);
  await source.close();
  const { detected, columns } = source;
  if (job.source.from === "manifest") return { says: "one row, the manifest's own" };
  if (job.source.from === "folder") return { says: "a folder of PDFs", detected, columns };
  const { format, encoding, headerLine } = detected;
  const header = `header on line ${headerLine}, ${formatMany(columns.length, "column")}`;
  // Workbooks have no encoding of their own.
  const how = encoding === "-" ? format : `${format}, ${encoding}`;
  return { says: `${how}, ${header}`, detected, columns };
}

export async function validate(call: Call): Promise<void> {
  const port = toWarningPort(call);
  const opened = await openJob(call, port);
  const { job, server } = opened;
  const ports = { ...makePorts(call), server: port };
  await opened.checkNames(ports);
  const { kind, name } = job;
  const found = "source" in job ? await readFacts(job, ports, server) : { says: `kind ${kind}` };
  const { says, ...facts } = found;
  const hasSheets = "sheets" in job.output && job.output.sheets !== null;
  const left = hasSheets
    ? ["  whether each row's code and texts fit its label is judged by the plan"]
    : [];
  call.tell("summary", { job: name, kind, ...facts }, `${name} is valid: ${says}`, ...left);
}
