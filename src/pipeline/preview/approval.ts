/** Labels of some rows on pages that a customer signs; asks no server. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { type AppError, badUsage } from "../../base/errors.ts";
import { sayPressWarning } from "../../base/shapes/press-warning.ts";
import { toLevel } from "../../api/design.ts";
import type { CaptionSetting, SheetOptions, SheetRecord } from "../../print/sheets.ts";
import type { Design } from "../../plan/looks.ts";
import { isSvgFile } from "../../base/files/image-type.ts";
import { readLogoFile } from "../../qr/png/logo-file.ts";
import { readLogoShapes } from "../../print/art/logo-shapes.ts";
import type { TemplateContext } from "../../job/template/template.ts";
import { readPdfFacts } from "../../kinds/pdfs/files.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import type { PlannedRow } from "../../state/row.ts";
import { NO_LOGO, PrintDesigns, type PrintLogo, sayPictures } from "../stages/print-designs.ts";
import { checkOptions } from "../../print/check-options.ts";
import { refuseSheets } from "../stages/sheet-options.ts";
import { writeProof } from "../../print/draw/proof-sheet.ts";
import { openLabelCensus } from "../paper/label-census.ts";
import type { Ports } from "../ports.ts";
import { LabelTally, type PlannedLabel } from "./label-tally.ts";
import { pickLongest } from "./pick-rows.ts";
import {
  hasNoLines,
  type Living,
  noRowAt,
  openEarlier,
  openLiving,
  planRow,
  readContext,
  readPayload,
  refuseRow,
  sampleSheetOptions,
  type RowRequest,
} from "./sample-rows.ts";

export interface ProofRequest extends Pick<RowRequest, "job" | "server" | "source"> {
  /** Of the spreadsheet, as messages have them; default: those with the longest captions. */
  readonly lines: ReadonlySet<number> | undefined;
  /** Absolute. */
  readonly file: string;
}

export interface WrittenProof {
  readonly file: string;
  readonly pages: number;
  readonly labels: number;
  /** The rows were named, or are those with the longest captions. */
  readonly picked: "named" | "longest";
  readonly warnings: readonly string[];
}

/** Captions of a proof have the size of the PDF with the smallest ones. */
function smallest(settings: readonly (CaptionSetting | undefined)[]): CaptionSetting | undefined {
  const known = settings.filter((setting) => setting !== undefined);
  return known.toSorted((a, b) => a.sizePt - b.sizePt)[0];
}

/** Only a server can draw these. */
const UNSEEN =
  "codes with a template, or a logo from an address, are plain on this proof: a server draws them";

/** Designs of rows, as far as this computer knows them, and notes on the others. */
class ProofDesigns {
  readonly #designs = new PrintDesigns();
  readonly #pictures = new Map<string, string>();
  #hasUnseen = false;

  async of(fields: Design, logos: ReadonlyMap<string, string>): Promise<SheetRecord["design"]> {
    const isUnseen = fields["template"] !== undefined || fields["logo_url"] !== undefined;
    this.#hasUnseen ||= isUnseen;
    if (isUnseen) return undefined;
    const file = logos.get(String(fields["logo_file"]));
    const logo = file === undefined ? NO_LOGO : await this.#readLogo(file);
    const design = this.#designs.of(fields, toLevel({ design: fields }), logo);
    this.#hasUnseen ||= design === undefined;
    return design;
  }

  /** As the sheets will have it. */
  async #readLogo(file: string): Promise<PrintLogo> {
    const bytes = await readFile(file);
    const picture = await readLogoFile(bytes);
    const shapes = isSvgFile(bytes) ? await readLogoShapes(bytes) : undefined;
    if (typeof shapes !== "string") return { picture, shapes };
    this.#pictures.set(path.basename(file), shapes);
    return { picture };
  }

  warnings({ print }: SheetOptions): string[] {
    if (print !== "designed") return [];
    const pictures = sayPictures(this.#pictures).map(sayPressWarning);
    return [...(this.#hasUnseen ? [UNSEEN] : []), ...pictures];
  }
}

/**
 * Writes a proof. Throws `bad-usage` for a job without sheets and for rows that aren't there,
 * `layout-impossible` for sheets that can't be printed, `confirm-needed` where a run refuses the public address.
 */
export async function proveForApproval(
  ports: Pick<Ports, "clock" | "writer" | "commandOf" | "report">,
  request: ProofRequest,
): Promise<WrittenProof> {
  const living = await openLiving(ports, request);
  return proveRows(ports, { ...request, server: living.server }, living).finally(living.close);
}

const toProofRecord = (
  { key, placing, wanted }: PlannedRow,
  code: Pick<SheetRecord, "payload" | "design">,
): SheetRecord => ({ key, level: toLevel(wanted), caption: placing.caption, ...code });

function checkSheets(job: ProofRequest["job"], options: SheetOptions | undefined): SheetOptions {
  if (options === undefined) {
    throw badUsage("the job must have sheets, got none", "add sheets: true under output");
  }
  const faults = checkOptions(options);
  return faults.length > 0 ? refuseSheets(job, faults) : options;
}

/** The longest texts are often those that are refused: a proof shows rows that a run makes. Throws `row-invalid` without one. */
async function* goodRows(
  job: ProofRequest["job"],
  source: ProofRequest["source"],
  planning: { readonly context: TemplateContext; readonly living: Living },
): AsyncIterable<SourceRow> {
  const planner = openEarlier(job, planning);
  let hasGood = false;
  let fault: AppError | undefined;
  for await (const row of source.rows()) {
    const planned = planner.add(row, await readPdfFacts(job, row, planning.context));
    hasGood ||= planned.good;
    if (planned.good) yield row;
    else fault ??= refuseRow(job, row, planned);
  }
  if (!hasGood && fault !== undefined) throw fault;
}

async function proveRows(
  ports: Pick<Ports, "clock" | "writer" | "report">,
  { job, server, source, lines, file }: ProofRequest,
  living: Living,
): Promise<WrittenProof> {
  const nowMs = ports.clock.nowMs();
  const createdAt = new Date(nowMs).toISOString();
  const options = checkSheets(job, await sampleSheetOptions({ job, server, source }, createdAt));
  const records: SheetRecord[] = [];
  const designs = new ProofDesigns();
  const files = new Set<string | null>();
  const census = await openLabelCensus(options);
  const warnings = new Set<string>();
  const keys = new Set<string>();
  const tally = new LabelTally(options, job, server.dataDir);
  const places: PlannedLabel[] = [];
  const context = await readContext(job, ports);
  const earlier = openEarlier(job, { context, living });
  const rows = () => goodRows(job, source, { context, living });
  const shown = lines ?? (await pickLongest(job, { rows }, context));
  const open = new Set(lines);
  for await (const found of source.rows()) {
    const isShown = shown.has(found.line);
    // Captions of a PDF have one size, which rows that are not shown may decide.
    const planned = await planRow(job, found, { context, living, earlier }).catch(
      (error: unknown) => {
        if (isShown) throw error;
      },
    );
    if (planned === undefined) continue;
    const { row } = planned;
    keys.add(row.key);
    census.add(row);
    const place = tally.add(row, found);
    if (!isShown) continue;
    places.push(place);
    open.delete(found.line);
    files.add(row.placing.sheets);
    const { payload, warnings: link } = readPayload({ job, server }, row, living.made(row.key));
    for (const warning of [...planned.warnings, ...link]) warnings.add(warning);
    const design = await designs.of(row.wanted.design, planned.logos);
    records.push(toProofRecord(row, { payload, design }));
  }
  const [missing] = open;
  if (missing !== undefined) throw noRowAt("--lines", missing, { isMade: hasNoLines(source) });
  const facts = {
    job: job.name,
    date: createdAt.slice(0, 10),
    sheetName: options.sheet.name,
    rows: keys.size,
    words: (await ports.report?.words(ports.report.language ?? ""))?.proof,
    captions: smallest([...files].map((file) => census.settingOf(file ?? ""))),
  };
  const written = await writeProof(options, tally.number(records, places), facts, file);
  const picked = lines === undefined ? "longest" : "named";
  const labels = records.length;
  for (const warning of [...designs.warnings(options), ...written.warnings]) warnings.add(warning);
  return { file, pages: written.pages, labels, picked, warnings: [...warnings] };
}
