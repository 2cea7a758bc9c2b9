/**
 * One row of the spreadsheet -> what it wants to be on the server and on paper. Pure: the same row
 * and manifest give the same wish.
 */
import { isShortGtin, toGtin14 } from "../gs1/check-digit.ts";
import { AppError, type Problem } from "../base/errors.ts";
import { toFilePath } from "../base/files/file-name.ts";
import { toSlug } from "../base/text/slug.ts";
import { findRowSwap } from "./frame-swap.ts";
import { judgeLink } from "./odd-link.ts";
import { isWebUrl } from "../api/fields.ts";
import { isUrl } from "../base/text/url.ts";
import type { GroupedOutput, JobLabel, JobSheets, RowsJob } from "../job/job.ts";
import {
  columnsOf,
  parseTemplate,
  renderTemplate,
  sayColumns,
  type TemplateContext,
} from "../job/template/template.ts";
import type { SourceRow } from "../read/rows/rows.ts";
import type { Wanted } from "../state/row.ts";
import type { LogoOf } from "./logo.ts";
import { findOverflow } from "./payload.ts";
import { findTillFaults } from "./point-of-sale.ts";
import { findOddText } from "./odd-text.ts";
import { findPlaceholder } from "./placeholder.ts";
import { toRowPlace } from "./row-place.ts";
import { judgeShortYears } from "./short-years.ts";
import { NO_PDF, PLAIN_CODES, type PdfFacts, type Render, type ThingPlan } from "./thing.ts";
import { contrastHint } from "../base/color/contrast.ts";
import { cutText, quoteText } from "../base/text/words.ts";
import { checkColors } from "./contrast.ts";

/** A folder name of the API has at most this many characters (docs/spec/api.md section 2.4). */
const FOLDER_NAME_MAX = 150;

const COLOR_HINT = contrastHint("makes the code");

const GRADE_HINT =
  "take a darker ink with less red, as black or a dark blue or green, where the code is verified or read at a till";

export interface Wish {
  readonly wanted: Wanted;
  /** Path below `artwork/` without extension; several rows may still wish for the same one. */
  readonly filePath: string;
  readonly zip: GroupWish | null;
  readonly sheets: GroupWish | null;
  readonly caption: readonly string[];
  /** Labels of the row, where the job takes them from a column. */
  readonly copies?: number;
}

/** The group that a row's ZIP or PDF belongs to. */
export interface GroupWish {
  /** Value of the column that splits the groups; empty without one. */
  readonly value: string;
  readonly name: string;
}

function makeRender(row: SourceRow, context: TemplateContext): Render {
  return (template) => renderTemplate(template, row.values, context);
}

/** Code points, as the API counts. */
const countCharacters = (text: string): number => Array.from(text).length;

export function toFolder(text: string): { path: string | null; problems: string[] } {
  const names = text
    .split("/")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const path = names.length === 0 ? null : names.join("/");
  const problems = names
    .filter((name) => countCharacters(name) > FOLDER_NAME_MAX)
    .map(
      (name) =>
        `folder name must be at most ${FOLDER_NAME_MAX} characters, got ${countCharacters(name)}: "${cutText(name, 40)}"`,
    );
  return { path, problems };
}

/** Fields of a vCard or GS1 product; empty ones are left out. */
function toFields(
  templates: Readonly<Record<string, string>> | null,
  render: Render,
): Record<string, string> | null {
  if (templates === null) return null;
  const fields = Object.entries(templates).map(
    ([field, template]) => [field, render(template)] as const,
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== ""));
}

function toDesign(job: RowsJob, render: Render): Wanted["design"] {
  const fields = Object.entries(job.code.design).map(
    ([field, value]) => [field, typeof value === "string" ? render(value) : value] as const,
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== ""));
}

/** The logo's bytes stand for it: a file that moves is the same logo, one that changes is another. */
function markLogo(
  { logo_file: file, ...design }: Wanted["design"],
  logoOf: LogoOf | undefined,
): { readonly design: Wanted["design"]; readonly problems: readonly string[] } {
  if (typeof file !== "string" || logoOf === undefined) return { design, problems: [] };
  const fact = logoOf(file);
  if ("problem" in fact) return { design, problems: [`logo_file ${fact.problem}`] };
  return { design: { ...design, logo_file: fact.mark }, problems: [] };
}

/** Replacements of void labels go into files of their own: printed files stay as they are. */
export function toGroup(
  output: GroupedOutput | null,
  row: Pick<SourceRow, "values" | "round">,
  render: Render,
  extension: string,
): GroupWish | null {
  if (output === null) return null;
  const name = toFilePath(render(output.name)).replaceAll("/", "-");
  const isNamed = name.toLowerCase().endsWith(extension);
  const value = output.per === null ? "" : (row.values[output.per] ?? "");
  if (row.round === undefined) return { value, name: isNamed ? name : `${name}${extension}` };
  const base = isNamed ? name.slice(0, -extension.length) : name;
  const round = `-replaced-${row.round}`;
  return { value: `${value}${round}`, name: `${base}${round}${extension}` };
}

/** The PDF whose labels a PDF of fresh serials takes the place of, and its round; undefined for others. */
export function toRound(
  name: string,
): { readonly base: string; readonly round: number } | undefined {
  const found = /^(.*)-replaced-(\d+)\.pdf$/u.exec(name);
  if (found === null) return undefined;
  return { base: `${found[1] ?? ""}.pdf`, round: Number(found[2]) };
}

/** Cells that stand between AIs of GS1: a bracket in them begins no AI (docs/spec/symbols.md section 2). */
function asValues({ bracketed = [] }: JobLabel, values: Readonly<Record<string, string>>) {
  if (bracketed.length === 0) return undefined;
  const escaped = Object.entries(values).map(
    ([name, text]) => [name, text.replaceAll("\\", "\uFF3C").replaceAll("(", "\\(")] as const,
  );
  return {
    values: Object.fromEntries(escaped),
    has: (index: number): boolean => bracketed.includes(index),
  };
}

/** The texts of a row's label: those of both of its sides, and without a label on the front its caption. */
export function toCaption(
  sheets: JobSheets | null,
  row: Pick<SourceRow, "values">,
  context: TemplateContext,
): readonly string[] {
  if (sheets === null) return [];
  const { label, back } = sheets;
  const faces = [label, back?.label ?? null];
  const caption = label === null ? sheets.caption : [];
  const texts = faces.flatMap((face) => {
    if (face === null) return [];
    const slots = Object.entries(face.slots).map(
      ([name, text]) => [name, renderTemplate(text, row.values, context)] as const,
    );
    const values = { ...row.values, ...Object.fromEntries(slots) };
    const inBrackets = asValues(face, values);
    return face.texts.map((text, index) =>
      renderTemplate(text, inBrackets?.has(index) === true ? inBrackets.values : values, context),
    );
  });
  return [...texts, ...caption.map((text) => renderTemplate(text, row.values, context))];
}

const columnsIn = (text: string): string[] => columnsOf(parseTemplate(text));

/** The columns of each of those texts; names of the label's own texts stand for theirs. */
export function toCaptionColumns({ label, back }: JobSheets): readonly string[] {
  return [label, back?.label ?? null].flatMap((face) => {
    if (face === null) return [];
    return face.texts.map((text) => {
      const named = columnsIn(text).flatMap((name) => {
        const slot = face.slots[name];
        return slot === undefined ? [name] : columnsIn(slot);
      });
      return sayColumns([...new Set(named)]);
    });
  });
}

const COPIES = /^\d{1,5}$/u;
const MOST_COPIES = 10_000;

/** How many labels a row wants; undefined where all rows want the same number. */
function toCopies(
  sheets: JobSheets | null,
  render: Render,
): { readonly wish: Pick<Wish, "copies">; readonly problems: readonly string[] } {
  if (typeof sheets?.copies !== "string") return { wish: {}, problems: [] };
  const text = render(sheets.copies).trim();
  const copies = COPIES.test(text) ? Number(text) : Number.NaN;
  if (copies <= MOST_COPIES) return { wish: { copies }, problems: [] };
  const columns = sayColumns(columnsIn(sheets.copies));
  const field = `output.sheets.copies${columns === "" ? "" : ` (${columns})`}`;
  const rule = `must be a whole number from 0 to ${MOST_COPIES}`;
  const problems = [`${field} ${rule}, got ${quoteText(text)}`];
  return { wish: {}, problems };
}

function checkData(wanted: Wanted): string[] {
  const problems: string[] = [];
  if (wanted.type === "Link" && wanted.qrData !== null && !isUrl(wanted.qrData)) {
    problems.push(`qr_data of a Link must be a URL, got ${quoteText(cutText(wanted.qrData))}`);
  }
  if (wanted.type === "Text" && wanted.qrData === "") {
    problems.push("qr_data of a Text code must not be empty");
  }
  if (wanted.type === "vCard" && (wanted.vcard?.["first_name"] ?? "") === "") {
    problems.push("first_name of a vCard must not be empty");
  }
  const logo = wanted.design["logo_url"];
  if (typeof logo === "string" && !isWebUrl(logo)) {
    problems.push(`logo_url must be an http or https address, got ${quoteText(logo)}`);
  }
  return problems;
}

/** What a row wishes for; a wish with problems is never sent, one with warnings is. */
export interface RowWish<Found extends Wish | undefined = Wish | undefined> {
  readonly wish: Found;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** What a wish needs beside the row. */
export interface WishContext extends TemplateContext {
  /** Of the row's PDF, in jobs of PDFs. */
  readonly pdf?: PdfFacts | undefined;
  /** What the kind makes of a row besides its code; left out for plain codes. */
  readonly toThing?: ThingPlan["toThing"] | undefined;
  /** Looks at the files that rows name as logos; left out where they are not looked at. */
  readonly logoOf?: LogoOf | undefined;
}

export function toWish(job: RowsJob, row: SourceRow, given: WishContext): RowWish {
  try {
    return renderWish(job, row, given);
  } catch (error) {
    // A cell that doesn't fit the filter of a template.
    if (!(error instanceof AppError) || error.kind !== "input") throw error;
    const where = { ...error.where, ...toRowPlace(job.source, row) };
    const problems = [{ message: error.message, hint: error.hint, where }];
    return { wish: undefined, problems, warnings: [] };
  }
}

/** The part of a wish that every kind has. */
function toCodeWish(job: RowsJob, folder: string | null, render: Render): Wanted {
  const carriesData = job.code.type === "Link" || job.code.type === "Text";
  return {
    type: job.code.type,
    dynamic: job.code.dynamic,
    qrData: carriesData && job.code.qrData !== null ? render(job.code.qrData).trim() : null,
    displayName: render(job.code.displayName),
    folder,
    tags: job.code.tags.map(render).filter((tag) => tag !== ""),
    gpsTracking: job.code.gpsTracking,
    domain: job.code.domain,
    vcard: toFields(job.code.vcard, render),
    gs1Product: toFields(job.code.gs1Product, render),
    design: toDesign(job, render),
  };
}

/** Cells whose GTIN is taken though a digit may be missing (docs/spec/gs1.md section 2). */
function findShortGtins({ source }: RowsJob, row: SourceRow): Problem[] {
  return Object.entries(source.columns).flatMap(([column, { type }]) => {
    const gtin = row.values[column] ?? "";
    if (type !== "gtin" || gtin === "") return [];
    const written = Object.entries(row.cells)
      .map(([header, text]) => ({ header, text: text.replaceAll(/[\s-]|[.,]0$/gu, "") }))
      .filter(({ text }) => toGtin14(text) === gtin);
    const [found] = written;
    if (found === undefined || written.some(({ text }) => !isShortGtin(text))) return [];
    const { text: short, header } = found;
    return [
      {
        message: `has ${short.length} digits, and GTINs have 8, 12, 13 or 14: "${short}" is taken for ${gtin}`,
        where: { ...toRowPlace(source, row), column: header.trim() },
        hint: "right if only zeros in front are lost; if another digit is, this is another product: compare it with the package",
      },
    ];
  });
}

function renderWish(job: RowsJob, row: SourceRow, context: WishContext): RowWish<Wish> {
  const render = makeRender(row, context);
  const { toThing = PLAIN_CODES.toThing, pdf = NO_PDF } = context;
  const thing = toThing(render, pdf);
  const folder = toFolder(job.code.folder === null ? "" : render(job.code.folder));
  const code = toCodeWish(job, folder.path, render);
  const logo = markLogo(code.design, context.logoOf);
  const wanted: Wanted = { ...code, design: logo.design, ...thing.fields };
  const { output } = job;
  const copies = toCopies(output.sheets, render);
  const wish: Wish = {
    ...copies.wish,
    wanted,
    filePath:
      toFilePath(render(output.fileName)) || toSlug(wanted.displayName, context.language) || "code",
    zip: toGroup(output.zip, row, render, ".zip"),
    sheets: copies.wish.copies === 0 ? null : toGroup(output.sheets, row, render, ".pdf"),
    caption: toCaption(output.sheets, row, context),
  };
  const colors = checkColors(wanted.design);
  const link = judgeLink(wanted, job.api);
  const oddText = findOddText(wanted, job.code.qrData);
  const oddities = [...link.doubted, ...findPlaceholder(wanted), ...oddText];
  const where = toRowPlace(job.source, row);
  const messages = [
    ...folder.problems,
    ...copies.problems,
    ...checkData(wanted),
    ...thing.problems,
    ...logo.problems,
    ...colors.problems,
  ];
  const faults: readonly Problem[] =
    messages.length > 0
      ? messages.map((message) => ({ message }))
      : [
          ...link.refused,
          ...judgeShortYears(job, row.values, context, thing.gs1Dates),
          ...findOverflow(wanted),
          ...findTillFaults(wanted, output.sheets, colors),
        ];
  const problems: Problem[] = faults.map((fault) => ({ ...fault, where }));
  const unreadable = colors.unreadable.map((message) => ({ message, where, hint: COLOR_HINT }));
  const isRefused = unreadable.length > 0 && job.safety.contrast === "refuse";
  if (isRefused) return { wish, problems: [...problems, ...unreadable], warnings: [] };
  const poor = colors.poor.map((message) => ({ message, where, hint: GRADE_HINT }));
  const swap = findRowSwap(job, wanted.design);
  const swapped = swap === undefined ? [] : [{ ...swap, where }];
  const doubted = [...oddities, ...(thing.warnings ?? [])].map((one) => ({ ...one, where }));
  return {
    wish,
    problems,
    warnings: [...unreadable, ...poor, ...swapped, ...doubted, ...findShortGtins(job, row)],
  };
}
