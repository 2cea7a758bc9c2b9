import { readFile } from "node:fs/promises";

import { closing } from "../../base/flow/closing.ts";
import { AppError } from "../../base/errors.ts";
import { toShortPath } from "../../base/text/format-problem.ts";
import { quoteText } from "../../base/text/words.ts";
import { isRowJob, type Job, type RowJob } from "../../kinds/any-job.ts";
import { previewDesign } from "../../pipeline/preview/preview-design.ts";
import { previewRow } from "../../pipeline/preview/preview-row.ts";
import type { Preview } from "../../pipeline/preview/preview.ts";
import type { Ports } from "../../pipeline/ports.ts";
import { openJobRows } from "../../pipeline/address/foreign-server.ts";
import { labelFonts, openQrEngine, type QrEngine } from "../../qr/engine.ts";
import { findDesign } from "../../service/designs/find-design.ts";
import { readRowDesign } from "../../service/designs/row-design.ts";
import type { Call } from "../call.ts";
import { PREVIEW_FOLDER } from "../command-options.ts";
import { toWarningPort } from "../moved-store.ts";
import { makePorts, openJob, sayInstead } from "../open-job.ts";
import { readWhole } from "../settings.ts";

function requireCodes(job: Job, ports: Pick<Ports, "commandOf">): RowJob {
  const refuse = (rule: string, field: string, hint: string): AppError =>
    new AppError("bad-usage", `preview takes a job that ${rule}`, {
      where: { file: job.file, field },
      hint,
    });
  if (!isRowJob(job))
    throw refuse(`makes codes of rows, got ${job.kind}`, "kind", sayInstead(job, ports));
  if (job.kind !== "products" || job.hasCode) return job;
  const hint = 'add "code: {}" to make a GS1 code of every product';
  throw refuse("makes codes, got products without code", "code", hint);
}

async function preview(call: Call, engine: QrEngine): Promise<Preview> {
  const folder = call.file("out") ?? call.resolve(PREVIEW_FOLDER);
  const name = call.text("design");
  if (name !== undefined) {
    return previewDesign(engine, await findDesign(name, call.context.cwd), folder);
  }
  call.refuseOld("row", "line", "a line of the spreadsheet, as messages have it");
  const line = readWhole(call.given("line"), { least: 1 });
  // The job's own output folder stays what the manifest says: that is where its state lies.
  const { out: _out, ...options } = call.input.options;
  const named = call.with({ options });
  const port = toWarningPort(named);
  const { job, server } = await openJob(named, port);
  const ports = { ...makePorts(named), server: port };
  const rowJob = requireCodes(job, ports);
  return closing(await openJobRows({ job: rowJob, server }, ports), (source) => {
    const request = { job: rowJob, server, source, line, folder };
    return previewRow(request, { ...ports, engine, readDesign: readRowDesign });
  });
}

export async function previewJob(call: Call): Promise<void> {
  const fonts = await Promise.all(labelFonts.map((font) => readFile(font)));
  await closing(await openQrEngine({ fonts }), async (engine) => {
    const made = await preview(call, engine);
    const { title, payload, files, notes, warnings } = made;
    if (!call.isJson) for (const message of warnings) call.view.warning({ message });
    const says = payload === undefined ? [] : [`  says ${quoteText(payload)}`];
    const shown = files.map((file) => `  ${toShortPath(file, call.context.cwd)}`);
    call.tell("summary", made, title, ...says, ...shown, ...notes.map((note) => `  ${note}`));
  });
}
