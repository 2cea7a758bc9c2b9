import path from "node:path";

import { limits } from "../../api/limits.ts";
import { writeFileAtomic } from "../../base/atomic-file.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import { thingPlanOf, type RowJob } from "../../kinds/any-job.ts";
import type { TemplateContext } from "../../job/template.ts";
import { Planner } from "../../plan/planner.ts";
import { toDigitalLinkOf } from "../../plan/product-wish.ts";
import { toLevel } from "../../plan/payload.ts";
import { writeSheets } from "../../print/sheets.ts";
import { type Design, type DesignInput, resolveDesign } from "../../qr/design.ts";
import type { QrEngine } from "../../qr/engine.ts";
import type { Source, SourceRow } from "../../read/source.ts";
import { fetchBytes } from "../../service/guarded-fetch.ts";
import type { PlannedRow, StateRow } from "../../state/row.ts";
import { readState } from "../../state/find-state.ts";
import type { CliContext } from "../context.ts";
import type { ServerChoice } from "../../pipeline/server.ts";
import { toPayload } from "../../pipeline/payload.ts";
import { readPdfFacts } from "../../kinds/pdfs/files.ts";
import { isLoopbackUrl } from "../../pipeline/server.ts";
import { makeSheetOptions } from "../../pipeline/stages/sheet-options.ts";
import { findBuiltIn, toDesignInput } from "./find-design.ts";
import type { Preview } from "./preview.ts";

export interface RowRequest {
  readonly job: RowJob;
  readonly server: ServerChoice;
  readonly source: Source;
  /** From 1, as they stand in the spreadsheet. */
  readonly row: number;
  readonly folder: string;
}

const PNG_WIDTH_PX = 1000;
/** Stands in for a short link that doesn't exist yet. */
const SAMPLE_SLUG = "abcd2345";
const SAMPLE_HOST = "https://short.example.com";

async function findRow(source: Source, wanted: number): Promise<SourceRow> {
  let rows = 0;
  for await (const row of source.rows()) {
    rows += 1;
    if (rows === wanted) return row;
  }
  throw new AppError("bad-usage", `--row must be from 1 to ${rows}, got ${wanted}`);
}

/** One row, planned as if nothing had been made of it. Throws `row-invalid`. */
export async function planRow(
  job: RowJob,
  row: SourceRow,
  nowMs: number,
): Promise<{ row: PlannedRow; warnings: string[] }> {
  const context: TemplateContext = { nowMs, timeZone: job.schedule?.timezone };
  const planner = new Planner({
    job,
    thing: thingPlanOf(job),
    known: () => undefined,
    hasFolder: () => false,
    context,
    retryFailed: false,
  });
  const planned = planner.add(row, await readPdfFacts(job, row, context));
  const warnings = planner.warnings().map(({ message }) => message);
  if (planned.good) return { row: planned.row, warnings };
  throw new AppError("row-invalid", `line ${row.line} can't be made`, {
    problems: planned.bad.problems,
  });
}

/** What the code will say, or says already; a sample while its short link doesn't exist. */
export function readPayload(
  { job, server }: Pick<RowRequest, "job" | "server">,
  row: PlannedRow,
  made: StateRow | undefined,
): { payload: string; warnings: string[] } {
  const shortLink = made?.shortLink ?? null;
  if (shortLink !== null || !row.wanted.dynamic) {
    return {
      payload: toPayload({ key: row.key, wanted: row.wanted, made: null, shortLink }),
      warnings: [],
    };
  }
  const host = server.baseUrl === undefined ? server.publicUrl : (job.code.domain ?? SAMPLE_HOST);
  const origin = /^https?:/u.test(host) ? host : `https://${host}`;
  const path = toDigitalLinkOf(row.wanted);
  if (path !== undefined) {
    const warnings = ["the product isn't registered yet: its server may put more in front of this"];
    return { payload: `${origin}${path}`, warnings };
  }
  return {
    payload: `${origin}/${SAMPLE_SLUG}`,
    warnings: ["the short link doesn't exist yet: a sample of usual length stands in for it"],
  };
}

async function readLogo(
  engine: QrEngine,
  url: unknown,
): Promise<{ logo: Uint8Array | null; warnings: string[] }> {
  if (typeof url !== "string" || url === "") return { logo: null, warnings: [] };
  try {
    const image = await fetchBytes(url, { maxBytes: limits.maxLogoBytes, allowPrivate: false });
    return { logo: await engine.normalizeLogo(image), warnings: [] };
  } catch (error) {
    return { logo: null, warnings: [`logo_url can't be shown: ${toMessage(error)}`] };
  }
}

async function readDesign(
  engine: QrEngine,
  row: PlannedRow,
): Promise<{ design: Design; warnings: string[] }> {
  const { template, ...fields } = row.wanted.design;
  const builtIn = template === undefined ? undefined : await findBuiltIn(String(template));
  const { logo, warnings } = await readLogo(engine, fields["logo_url"]);
  const input: DesignInput = { ...builtIn?.design, ...toDesignInput(fields), logo };
  const errorCorrection = input.errorCorrection ?? toLevel(row.wanted);
  const isUnknown = template !== undefined && builtIn === undefined;
  return {
    design: resolveDesign({ ...input, errorCorrection }),
    warnings: isUnknown
      ? [...warnings, `the template "${template}" is known to the server only: its look is missing`]
      : warnings,
  };
}

/** What an earlier run made of a row. */
export async function findMade(
  context: CliContext,
  job: RowJob,
  key: string,
): Promise<StateRow | undefined> {
  const nowMs = context.clock.nowMs();
  const state = await readState(job.output.dir, { writer: context.writer, salt: "", nowMs });
  try {
    return state?.row(key);
  } finally {
    state?.close();
  }
}

/** The row's label on the first place of its sheet; undefined for a job without sheets. */
async function writeLabel(
  request: RowRequest,
  { row, payload }: { readonly row: PlannedRow; readonly payload: string },
  facts: { readonly file: string; readonly createdAt: string },
): Promise<readonly string[]> {
  const { job, server, source } = request;
  const options = await makeSheetOptions(job, {
    createdAt: facts.createdAt,
    isRehearsal:
      job.code.dynamic && server.baseUrl === undefined && isLoopbackUrl(server.publicUrl),
    input: {
      name: path.basename(source.file),
      sha256: source.sha256,
      columns: source.columns,
    },
  });
  if (options === undefined) return [];
  const { key, placing } = row;
  const records = [{ key, payload, level: toLevel(row.wanted), caption: placing.caption }];
  const { volumes } = await writeSheets(options, records, facts.file);
  return volumes.map(({ file }) => file);
}

/**
 * One row's code as SVG and PNG and, where the job prints, its label on a sheet. Asks no server.
 *
 * Throws `bad-usage` for a row that isn't there, `row-invalid` and `design-invalid` for one that
 * can't be made.
 */
export async function previewRow(
  context: CliContext,
  engine: QrEngine,
  request: RowRequest,
): Promise<Preview> {
  const { job, source, folder } = request;
  const found = await findRow(source, request.row);
  const { row, warnings: plan } = await planRow(job, found, context.clock.nowMs());
  const { payload, warnings: link } = readPayload(
    request,
    row,
    await findMade(context, job, row.key),
  );
  const { design, warnings: look } = await readDesign(engine, row);
  const base = path.join(folder, path.basename(row.placing.fileBase));
  const widthPx = Math.max(PNG_WIDTH_PX, design.sizePx, engine.leastWidthPx(payload, design));
  await writeFileAtomic(`${base}.svg`, engine.svg(payload, design));
  await writeFileAtomic(`${base}.png`, await engine.png(payload, design, { widthPx }));
  const sheets = await writeLabel(
    request,
    { row, payload },
    { file: `${base}.pdf`, createdAt: new Date(context.clock.nowMs()).toISOString() },
  );
  const scan = engine.scanWarnings(payload, design, { widthPx });
  return {
    title: `row ${request.row} (line ${found.line}): ${row.wanted.displayName}`,
    payload,
    files: [`${base}.svg`, `${base}.png`, ...sheets],
    // The plan's warnings name the same colours as the engine's.
    warnings: [...link, ...look, ...(plan.length > 0 ? plan : scan)],
  };
}
