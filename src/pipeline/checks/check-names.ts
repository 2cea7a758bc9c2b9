/** What a manifest names beside its spreadsheet: sheet, printer, fonts, pictures, profile, template. */
import path from "node:path";

import { AppError, type Problem } from "../../base/errors.ts";
import type { JobOutput, JobSheets } from "../../job/job.ts";
import { HAS_TEMPLATE } from "../../job/shapes/fields.ts";
import type { Job } from "../../kinds/any-job.ts";
import { loadCalibration, loadOutputIntent, loadOwnFont, planSheets } from "../../print/sheets.ts";
import { findTemplate, readLogo } from "../../kinds/redesign/fields.ts";
import { findFrameTextFaults } from "./frame-texts.ts";
import { findLogoFault } from "./logos.ts";
import { lookUpTemplates } from "./look-up-templates.ts";
import { toTillReason } from "./point-of-sale.ts";
import type { Ports } from "../ports.ts";
import type { ServerChoice } from "../address/server.ts";
import {
  checkSheetFiles,
  loadJobSheet,
  makeSheetOptions,
  toManifestField,
  warnOfSheet,
} from "../stages/sheet-options.ts";

/** What a check of names needs to know of a job. */
interface Named {
  readonly job: Job;
  readonly server: ServerChoice;
}

/** `output.sheets.sheet must be ...` for `sheet must be ...`: the message names the field in full. */
function toNamed(field: string, message: string): string {
  const [name = ""] = message.split(" ", 1);
  const isOfField = field === name || field.endsWith(`.${name}`);
  return isOfField ? `${field}${message.slice(name.length)}` : `${field}: ${message}`;
}

/** What is wrong with one name: its place is the field of the manifest. */
async function findFault(
  file: string,
  field: string,
  look: (field: string) => Promise<unknown>,
): Promise<readonly Problem[]> {
  try {
    await look(field);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "bug") throw error;
    const { message, hint, problems } = error;
    const where = { file, field };
    return [{ message: toNamed(field, message), hint, where }, ...problems];
  }
}

/** Nothing is printed: no sheet is named after the day. */
const NO_FACTS = {
  createdAt: new Date(0).toISOString(),
  isRehearsal: false,
  input: { name: "", sha256: "", columns: [] },
} as const;

/** The same of each of several names, all at once. */
const findFaults = async (faults: readonly Promise<readonly Problem[]>[]) =>
  (await Promise.all(faults)).flat();

/** Faults that the sheets have with any rows: pictures, pages, sizes. */
async function findPrintFaults(
  { name, file, output }: Pick<Job, "name" | "file"> & { readonly output: JobOutput },
  sheets: JobSheets,
): Promise<readonly Problem[]> {
  const options = await makeSheetOptions({ name, file, output: { ...output, sheets } }, NO_FACTS);
  if (options === undefined) return [];
  const { problems } = planSheets(options, { count: 1, maxVersion: 1 });
  const found = [
    ...(await checkSheetFiles(options)),
    ...problems.map((problem) => toTillReason(sheets, problem)),
  ];
  return found.map((problem) => toManifestField(problem, file));
}

async function findSheetFaults(job: Job): Promise<readonly Problem[]> {
  const { file, output } = job;
  if (!("sheets" in output) || output.sheets === null) return [];
  const { sheets } = output;
  const { printer, fonts, icc } = sheets;
  const folder = path.dirname(file);
  const fault = (field: string, look: (field: string) => Promise<unknown>) =>
    findFault(file, `output.sheets.${field}`, look);
  const sheetFaults = await fault("sheet", () => loadJobSheet(sheets, folder));
  const printerFaults =
    printer === null ? [] : await fault("printer", () => loadCalibration(printer, folder));
  const others = await findFaults([
    ...fonts.map((font, i) => fault(`fonts[${i}]`, (field) => loadOwnFont(font, field))),
    ...(icc === null ? [] : [fault("icc", () => loadOutputIntent(icc))]),
  ]);
  const named = [...sheetFaults, ...printerFaults, ...others];
  // Pictures are judged by their size on the label; without a sheet there is none.
  if (sheetFaults.length > 0) return named;
  const known = printerFaults.length > 0 ? null : printer;
  // Where a part-used sheet goes on is known when it is printed.
  const start = sheets.start === "continue" ? 1 : sheets.start;
  const prints = await findPrintFaults({ ...job, output }, { ...sheets, printer: known, start });
  return [...named, ...prints];
}

/** The template that all codes of the job are to have, and the file of their logo. */
function readDesign(job: Job): { field: string; template?: string; logo?: string } {
  if (job.kind === "redesign") {
    const { template, logo_file: logo } = job.design;
    return {
      field: "design.template",
      ...(template !== undefined && { template: String(template) }),
      ...(logo !== undefined && { logo: String(logo) }),
    };
  }
  const template = "code" in job ? job.code.design.template : undefined;
  return { field: "code.design.template", ...(template !== undefined && { template }) };
}

async function findDesignFaults({ job, server }: Named, ports: Ports): Promise<readonly Problem[]> {
  const { field, template, logo } = readDesign(job);
  const fault = "code" in job ? findLogoFault(job) : undefined;
  const own = fault === undefined ? [] : [fault];
  const logoFaults =
    logo === undefined ? own : await findFault(job.file, "design.logo_file", () => readLogo(logo));
  // The plan looks up those that rows name.
  if (template === undefined || HAS_TEMPLATE.test(template)) return logoFaults;
  const faults = await findFault(job.file, field, async () => {
    const asking = { job, server, field };
    const { warnings } = await lookUpTemplates(asking, ports, (source) =>
      findTemplate(source, template),
    );
    for (const problem of warnings) ports.on({ type: "warning", problem });
  });
  return [...logoFaults, ...faults];
}

/**
 * Looks up all that the manifest names. Warns of what no server could be asked about, and
 * of what sheets will not keep. Throws
 * `manifest-invalid` with every name that leads nowhere.
 */
export async function checkNames(named: Named, ports: Ports): Promise<void> {
  const { job } = named;
  const problems = [
    ...(await findSheetFaults(job)),
    ...(await findFrameTextFaults(job)),
    ...(await findDesignFaults(named, ports)),
  ];
  if (problems.length === 0) {
    const sheets = "sheets" in job.output ? job.output.sheets : null;
    const warnings = sheets === null ? [] : warnOfSheet({ file: job.file, sheets });
    for (const problem of warnings) ports.on({ type: "warning", problem });
    return;
  }
  const count = problems.length === 1 ? "1 mistake" : `${problems.length} mistakes`;
  throw new AppError("manifest-invalid", `manifest must be free of mistakes, got ${count}`, {
    where: { file: job.file },
    problems,
  });
}
