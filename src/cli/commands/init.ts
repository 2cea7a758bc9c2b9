import { existsSync, statSync } from "node:fs";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { AppError } from "../../base/errors.ts";
import { compareNaturally } from "../../base/natural-order.ts";
import { toSlug } from "../../base/slug.ts";
import { didYouMean } from "../../base/suggest.ts";
import { listSheets, loadSheet } from "../../print/layout/sheet-files.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { DEFAULT_SHEET, NO_SHEET } from "../command-options.ts";
import { EXIT_INTERRUPTED } from "../exit-codes.ts";
import { toPeople } from "../terminal.ts";
import { ColumnBook, type DraftColumn } from "../../pipeline/draft/columns.ts";
import {
  makeManifest,
  SCHEMA_FILE,
  type Draft,
  type DraftSource,
} from "../../pipeline/draft/draft.ts";
import { guessKind, initKindNames, kindOf, type InitKindName } from "../../pipeline/draft/kinds.ts";
import { lookAt, type Suggestion } from "../../pipeline/draft/look.ts";
import { findUsedColumns, type UsedColumn } from "../../pipeline/draft/used-columns.ts";
import type { Sample } from "../../pipeline/draft/samples.ts";
import { GivenUp, Interview } from "../interview.ts";
import { formatMany } from "../../base/words.ts";

const DEFAULT_NAME = "shelf-labels";
const SAMPLE = "(sample)";
const ELSEWHERE = "(elsewhere)";
const SPREADSHEET = /\.(?:csv|tsv|xlsx|xlsm)$/iu;
const MAX_OFFERED = 12;
const MAX_NAME = 60;

const schemaSource = fileURLToPath(new URL("../../../schema/job.v1.json", import.meta.url));

/** Names become file names, so they are kept to what every system takes. */
function checkName(name: string): string | undefined {
  if (name !== "" && name.length <= MAX_NAME && toSlug(name) === name) return undefined;
  return `a name must be lower-case letters, digits and hyphens, such as ${toSlug(name).slice(0, MAX_NAME) || DEFAULT_NAME}`;
}

async function chooseName(interview: Interview, input: Input): Promise<string> {
  const offer = toSlug(path.parse(readText(input, "source") ?? "").name).slice(0, MAX_NAME);
  const question = "What shall the job be called?";
  const name = input.argument ?? (await interview.type(question, offer || DEFAULT_NAME, checkName));
  const fault = checkName(name);
  if (fault !== undefined) throw new AppError("bad-usage", `${fault}, got ${JSON.stringify(name)}`);
  return name;
}

async function chooseSource(interview: Interview, cwd: string): Promise<string> {
  const entries = await readdir(cwd, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && SPREADSHEET.test(entry.name))
    .map(({ name }) => name)
    .toSorted(compareNaturally);
  const choices = [
    ...files.slice(0, MAX_OFFERED).map((file) => ({ value: file, label: file })),
    { value: SAMPLE, label: "none yet: write a sample to try" },
    { value: ELSEWHERE, label: "a file in another folder, or a folder of PDFs" },
  ];
  // Which of the files is meant, only a person can say.
  const source = "Which spreadsheet holds the rows?";
  const chosen = await interview.choose("source", source, choices, SAMPLE);
  if (chosen !== ELSEWHERE) return chosen;
  return interview.type("Where is it?", "../rows.xlsx", (answer) =>
    existsSync(path.resolve(cwd, answer)) ? undefined : `must be a file that exists, got ${answer}`,
  );
}

/** What stands in for a spreadsheet that isn't there yet. */
const toSuggestion = ({ columns, keys }: Pick<Sample, "columns" | "keys">): Suggestion => ({
  sheetName: undefined,
  otherSheets: [],
  headerRow: undefined,
  columns,
  german: [],
  keyBeside: () => columns.slice(0, keys),
  keyAmong: () => columns.slice(0, keys),
  labelBeside: () => columns[0],
});

const NOTHING_READ: Suggestion = toSuggestion({ columns: [], keys: 0 });

function readKind(input: Input): InitKindName | undefined {
  const given = readText(input, "kind");
  if (given === undefined) return undefined;
  const known = initKindNames.find((name) => name === given);
  if (known !== undefined) return known;
  throw new AppError(
    "bad-usage",
    `--kind must be one of ${initKindNames.join(", ")}, got ${given}`,
    {
      hint: didYouMean(given, [...initKindNames]),
    },
  );
}

interface Source {
  /** As it was given, relative to the working folder; undefined for a sample. */
  readonly file: string | undefined;
  readonly isFolder: boolean;
  readonly look: Suggestion;
}

const isFolder = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;

async function readSource(
  interview: Interview,
  { cwd, signal }: CliContext,
  worksheet: string | undefined,
): Promise<Source> {
  const chosen = await chooseSource(interview, cwd);
  if (chosen === SAMPLE) return { file: undefined, isFolder: false, look: NOTHING_READ };
  const full = path.resolve(cwd, chosen);
  if (isFolder(full)) return { file: chosen, isFolder: true, look: NOTHING_READ };
  return { file: chosen, isFolder: false, look: await lookAt(full, worksheet, signal) };
}

/** The kind that was named, that fits, or that a person chooses; a guess is said. */
async function chooseKind(
  interview: Interview,
  input: Input,
  { look, isFolder: hasPdfs, file }: Source,
): Promise<{ kind: InitKindName; guess: string | undefined }> {
  const given = readKind(input);
  if (given !== undefined) return { kind: given, guess: undefined };
  const isCodes = ["column", "dynamic", "static"].some((name) => input.options[name] !== undefined);
  const { kind, why } = hasPdfs
    ? { kind: "pdfs" as const, why: `${file} is a folder` }
    : isCodes
      ? { kind: "codes" as const, why: undefined }
      : guessKind(look.columns);
  const others = initKindNames.filter((name) => name !== kind);
  const choices = [kind, ...others].map((name) => ({
    value: name,
    label: name,
    hint: kindOf(name).label,
  }));
  const chosen = (await interview.choose(
    "kind",
    "What shall each row become?",
    choices,
  )) as InitKindName;
  const guess = why === undefined || chosen !== kind ? undefined : `${why}: a job of ${kind}`;
  return { kind: chosen, guess };
}

function pickColumn(given: string, columns: readonly DraftColumn[]): DraftColumn {
  const found =
    columns.find(({ header }) => header.trim() === given) ??
    columns.find(({ header }) => header.trim().toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found;
  const names = columns.map(({ header }) => header.trim());
  throw new AppError("bad-usage", `--column must be a column of the spreadsheet, got ${given}`, {
    hint: didYouMean(given, names),
  });
}

/** The column that decides; undefined for kinds that find theirs by themselves. */
async function chooseColumn(
  interview: Interview,
  input: Input,
  { kind, look }: { kind: InitKindName; look: Suggestion },
): Promise<DraftColumn | undefined> {
  const given = readText(input, "column");
  if (given !== undefined) return pickColumn(given, look.columns);
  const { asks } = kindOf(kind);
  const offered = asks?.of(look.columns) ?? [];
  if (asks === undefined || offered.length === 0) return undefined;
  const choices = offered.map(({ header, type }) => ({
    value: header.trim(),
    label: header.trim(),
    ...(type === "url" && { hint: "addresses" }),
  }));
  return pickColumn(await interview.choose("column", asks.question, choices), look.columns);
}

async function chooseDynamic(
  interview: Interview,
  input: Input,
  isLink: boolean,
): Promise<boolean> {
  if (readFlag(input, "static")) return false;
  if (readFlag(input, "dynamic") || !isLink) return isLink;
  const answer = await interview.choose("codes", "May the codes lead elsewhere later?", [
    { value: "dynamic", label: "yes, dynamic", hint: "a short link that you can redirect" },
    { value: "static", label: "no, static", hint: "the address itself; needs no server" },
  ]);
  return answer === "dynamic";
}

async function chooseLabelSheet(interview: Interview): Promise<string | undefined> {
  // Hundreds are no choice: those that are sure are offered, `--sheet` takes any.
  const sheets = await listSheets();
  const choices = sheets
    .filter(({ status }) => status === "verified" || status === "two-sources")
    .toSorted((a, b) => Number(b.name === DEFAULT_SHEET) - Number(a.name === DEFAULT_SHEET))
    .map(({ name, title }) => ({ value: name, label: name, hint: title }));
  const none = {
    value: NO_SHEET,
    label: NO_SHEET,
    hint: "artwork, archive and index only; --sheet takes any of makeready sheets",
  };
  const name = await interview.choose("sheet", "Which label sheet?", [...choices, none]);
  return name === NO_SHEET ? undefined : (await loadSheet(name)).name;
}

function toDraftSource(
  source: Source,
  name: string,
  sample: Sample | undefined,
  cwd: string,
): DraftSource | undefined {
  const { file, look } = source;
  if (file === undefined) {
    const [first] = sample?.files(name) ?? [];
    if (first === undefined) return undefined;
    const isPdfs = sample?.isFolder === true;
    return { ...look, file: isPdfs ? name : first[0], isFolder: isPdfs, isGerman: false };
  }
  const relative = path.relative(cwd, path.resolve(cwd, file)).replaceAll(path.sep, "/");
  return { ...look, file: relative, isFolder: source.isFolder, isGerman: look.german.length > 0 };
}

/** Said of what was found out about the spreadsheet as a whole. */
function sayGuesses(book: ColumnBook, look: Suggestion, guess: string | undefined): void {
  const quoted = look.german.map((header) => JSON.stringify(header.trim())).join(", ");
  const german = `${quoted} ${look.german.length === 1 ? "sounds" : "sound"} German: slugs write ä as ae (source.language: de)`;
  const others = look.otherSheets.map((name) => JSON.stringify(name)).join(", ");
  const sheet = `sheet ${JSON.stringify(look.sheetName)} holds the rows; --worksheet takes another: ${others}`;
  book.guesses.unshift(
    ...(others === "" ? [] : [sheet]),
    ...(guess === undefined ? [] : [guess]),
    ...(quoted === "" ? [] : [german]),
  );
}

interface Drafted {
  readonly draft: Draft;
  /** Files of the sample. */
  readonly files: readonly (readonly [string, string])[];
}

/** Kinds that read no rows ask for none. */
const readsRows = (kind: InitKindName | undefined): boolean =>
  kind === undefined || kindOf(kind).sample !== undefined;

async function makeDraft(context: CliContext, input: Input): Promise<Drafted> {
  const { cwd } = context;
  const interview = new Interview(context, input);
  const name = await chooseName(interview, input);
  const source = readsRows(readKind(input))
    ? await readSource(interview, context, readText(input, "worksheet"))
    : { file: undefined, isFolder: false, look: NOTHING_READ };
  const { kind, guess } = await chooseKind(interview, input, source);
  const { sample, recipe: write, hasLabels, isDynamicAsked } = kindOf(kind);
  const isSample = source.file === undefined && sample !== undefined;
  const look = isSample ? toSuggestion(sample) : source.look;
  const column = await chooseColumn(interview, input, { kind, look });
  const isLink = column?.type === "url";
  const isDynamic = isDynamicAsked === true && (await chooseDynamic(interview, input, isLink));
  const labelSheet = hasLabels ? await chooseLabelSheet(interview) : undefined;
  const book = new ColumnBook(look.columns);
  const recipe = write({ ...look, name, book, column, isDynamic });
  // Of a sample everything is known.
  if (isSample) book.guesses.length = 0;
  else sayGuesses(book, look, guess);
  const draftSource = readsRows(kind)
    ? toDraftSource({ ...source, look }, name, sample, cwd)
    : undefined;
  const files = isSample ? sample.files(name) : [];
  return { draft: { name, source: draftSource, book, recipe, labelSheet }, files };
}

const exists = async (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Nothing is written when one of the files is there already. */
async function writeAll(cwd: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const name of files.keys()) {
    if (!(await exists(path.join(cwd, name)))) continue;
    throw new AppError("output-unwritable", `init must not overwrite files, got ${name}`, {
      hint: "give the job another name: makeready init NAME",
    });
  }
  for (const [name, text] of files) {
    const file = path.join(cwd, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  }
}

const sayLeft = (left: readonly string[]): string =>
  `no use for ${left.length === 1 ? "column" : "columns"} ${left.map((column) => JSON.stringify(column)).join(", ")}: left out`;

/** What the manifest takes from a person's own spreadsheet; what it leaves is said with the guesses. */
function reviewColumns({ draft, files }: Drafted): readonly UsedColumn[] {
  if (files.length > 0) return [];
  const { book } = draft;
  const headers = book.columns.map(({ header }) => header);
  const { used, left } = findUsedColumns(makeManifest(draft), headers);
  if (left.length > 0) book.guesses.push(sayLeft(left));
  return used;
}

async function collectFiles({ draft, files }: Drafted, cwd: string) {
  const schema = await readFile(schemaSource, "utf8");
  const there = await readFile(path.join(cwd, SCHEMA_FILE), "utf8").catch(() => undefined);
  return new Map<string, string>([
    [`${draft.name}.yaml`, makeManifest(draft)],
    ...files,
    ...(there === schema ? [] : ([[SCHEMA_FILE, schema]] as const)),
  ]);
}

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`;

async function init(context: CliContext, input: Input): Promise<number> {
  const drafted = await makeDraft(context, input);
  const used = reviewColumns(drafted);
  const files = await collectFiles(drafted, context.cwd);
  await writeAll(context.cwd, files);
  const { name, book } = drafted.draft;
  const { guesses } = book;
  tell(context, input, { manifest: `${name}.yaml`, written: [...files.keys()], guesses, used });
  return 0;
}

interface Written {
  readonly manifest: string;
  readonly written: readonly string[];
  readonly guesses: readonly string[];
  readonly used: readonly UsedColumn[];
}

function tell(context: CliContext, input: Input, told: Written): void {
  const { manifest, written, guesses, used } = told;
  if (readFlag(input, "json")) {
    const job = manifest.replace(/\.yaml$/u, "");
    context.out(`${JSON.stringify({ type: "summary", job, files: written, guesses, used })}\n`);
    return;
  }
  // As it was started, so that the next line can be typed as it stands.
  const program = context.env["npm_lifecycle_event"] === "npx" ? "npx makeready" : "makeready";
  toPeople(context).out(
    list(`wrote ${formatMany(written.length, "file")}`, written) +
      list("guessed", guesses) +
      list(
        "uses",
        used.map(({ column, fields }) => `column ${JSON.stringify(column)}: ${fields.join(", ")}`),
      ) +
      list("next", [
        `${program} plan ${manifest}   # what would happen; changes nothing`,
        `${program} run ${manifest}    # does it, and makes the report`,
      ]),
  );
}

export async function initJob(context: CliContext, input: Input): Promise<number> {
  if (readFlag(input, "dynamic") && readFlag(input, "static")) {
    throw new AppError("bad-usage", "one of --dynamic and --static must be given, got both");
  }
  const as = readText(input, "as");
  if (as !== undefined) {
    const { initAs } = await import("./init-as.ts");
    const { manifest, used, left } = await initAs(context, input, as);
    const guesses = left.length === 0 ? [] : [sayLeft(left)];
    tell(context, input, { manifest, written: [manifest], guesses, used });
    return 0;
  }
  try {
    return await init(context, input);
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    context.err("given up; nothing was written\n");
    return EXIT_INTERRUPTED;
  }
}
