import { existsSync } from "node:fs";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { AppError } from "../../base/errors.ts";
import { toSlug } from "../../base/slug.ts";
import { didYouMean } from "../../base/suggest.ts";
import { listSheets, loadSheet } from "../../print/layout/sheet-files.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { DEFAULT_SHEET, NO_SHEET } from "../command-options.ts";
import { EXIT_INTERRUPTED } from "../exit-codes.ts";
import {
  makeManifest,
  makeSample,
  sampleColumns,
  SCHEMA_FILE,
  type Draft,
  type DraftColumn,
} from "../../pipeline/draft/draft.ts";
import { lookAt, type Suggestion } from "../../pipeline/draft/look.ts";
import type { Choice, Questions } from "../questions.ts";
import { formatMany } from "../../base/words.ts";

const DEFAULT_NAME = "shelf-labels";
const SAMPLE = "(sample)";
const ELSEWHERE = "(elsewhere)";
const SPREADSHEET = /\.(?:csv|tsv|xlsx|xlsm)$/iu;
const MAX_OFFERED = 12;
const MAX_NAME = 60;

const schemaSource = fileURLToPath(new URL("../../../schema/job.v1.json", import.meta.url));

const NO_DETAILS = {
  sheetName: undefined,
  otherSheets: [],
  headerRow: undefined,
  label: undefined,
};

/** The person has left in the middle of the questions. */
class GivenUp extends Error {}

/** Asks where somebody can answer and no flag has; else takes what is offered. */
class Interview {
  readonly #input: Input;
  readonly #questions: Questions | undefined;

  constructor(context: CliContext, input: Input) {
    this.#input = input;
    this.#questions = readFlag(input, "yes") ? undefined : context.questions;
  }

  async choose(
    flag: string,
    question: string,
    choices: readonly Choice[],
    otherwise = choices[0]?.value ?? "",
  ): Promise<string> {
    const given = readText(this.#input, flag);
    if (given !== undefined) return given;
    if (this.#questions === undefined || choices.length < 2) return otherwise;
    const answer = await this.#questions.choose(question, choices);
    if (answer === undefined) throw new GivenUp();
    return answer;
  }

  async type(
    question: string,
    offer: string,
    check: (answer: string) => string | undefined,
  ): Promise<string> {
    if (this.#questions === undefined) return offer;
    const answer = await this.#questions.type(question, offer, check);
    if (answer === undefined) throw new GivenUp();
    return answer;
  }
}

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
  const files = (await readdir(cwd)).filter((file) => SPREADSHEET.test(file)).toSorted();
  const choices = [
    ...files.slice(0, MAX_OFFERED).map((file) => ({ value: file, label: file })),
    { value: SAMPLE, label: "none yet: write a sample to try" },
    { value: ELSEWHERE, label: "a file in another folder" },
  ];
  // Which of the files is meant, only a person can say.
  const source = "Which spreadsheet holds the rows?";
  const chosen = await interview.choose("source", source, choices, SAMPLE);
  if (chosen !== ELSEWHERE) return chosen;
  return interview.type("Where is it?", "../rows.xlsx", (answer) =>
    existsSync(path.resolve(cwd, answer)) ? undefined : `must be a file that exists, got ${answer}`,
  );
}

function pickPayload(given: string, { payloads }: Suggestion): DraftColumn {
  const found =
    payloads.find(({ header }) => header.trim() === given) ??
    payloads.find(({ header }) => header.trim().toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found;
  const names = payloads.map(({ header }) => header.trim());
  throw new AppError("bad-usage", `--column must be a column of the spreadsheet, got ${given}`, {
    hint: didYouMean(given, names),
  });
}

type DraftSource = Pick<
  Draft,
  "file" | "sheetName" | "otherSheets" | "headerRow" | "payload" | "key" | "label"
>;

async function readDraftSource(
  interview: Interview,
  file: string,
  { cwd, signal }: CliContext,
): Promise<DraftSource> {
  const look = await lookAt(path.resolve(cwd, file), signal);
  const urls = look.payloads.filter(({ type }) => type === "url");
  const choices = (urls.length === 1 ? urls : look.payloads).map(({ header, type }) => ({
    value: header.trim(),
    label: header.trim(),
    ...(type === "url" && { hint: "addresses" }),
  }));
  const column = await interview.choose("column", "Which column do the codes hold?", choices);
  const payload = pickPayload(column, look);
  const relative = path.relative(cwd, path.resolve(cwd, file)).replaceAll(path.sep, "/");
  return {
    file: relative,
    sheetName: look.sheetName,
    otherSheets: look.otherSheets,
    headerRow: look.headerRow,
    payload,
    key: look.keyBeside(payload),
    label: look.labelBeside(payload),
  };
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
  const sheets = await listSheets();
  const choices = sheets
    .toSorted((a, b) => Number(b.name === DEFAULT_SHEET) - Number(a.name === DEFAULT_SHEET))
    .map(({ name, title }) => ({ value: name, label: name, hint: title }));
  const none = { value: NO_SHEET, label: NO_SHEET, hint: "artwork, archive and index only" };
  const name = await interview.choose("sheet", "Which label sheet?", [...choices, none]);
  return name === NO_SHEET ? undefined : (await loadSheet(name)).name;
}

async function makeDraft(context: CliContext, input: Input): Promise<Draft & { sample: boolean }> {
  const interview = new Interview(context, input);
  const name = await chooseName(interview, input);
  const chosen = await chooseSource(interview, context.cwd);
  const isSample = chosen === SAMPLE;
  const source = isSample
    ? { ...sampleColumns, file: `${name}.csv`, ...NO_DETAILS }
    : await readDraftSource(interview, chosen, context);
  const isDynamic = await chooseDynamic(interview, input, source.payload.type === "url");
  const labelSheet = await chooseLabelSheet(interview);
  return { ...source, name, isDynamic, labelSheet, sample: isSample };
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

async function collectFiles(draft: Draft, isSample: boolean, cwd: string) {
  const schema = await readFile(schemaSource, "utf8");
  const there = await readFile(path.join(cwd, SCHEMA_FILE), "utf8").catch(() => undefined);
  return new Map([
    [`${draft.name}.yaml`, makeManifest(draft)],
    ...(isSample ? ([[draft.file, makeSample()]] as const) : []),
    ...(there === schema ? [] : ([[SCHEMA_FILE, schema]] as const)),
  ]);
}

async function init(context: CliContext, input: Input): Promise<number> {
  const { sample, ...draft } = await makeDraft(context, input);
  const files = await collectFiles(draft, sample, context.cwd);
  await writeAll(context.cwd, files);
  const written = [...files.keys()];
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "summary", job: draft.name, files: written })}\n`);
    return 0;
  }
  const manifest = `${draft.name}.yaml`;
  // As it was started, so that the next line can be typed as it stands.
  const program = context.env["npm_lifecycle_event"] === "npx" ? "npx makeready" : "makeready";
  context.out(
    `wrote ${formatMany(written.length, "file")}:\n${written.map((name) => `  ${name}\n`).join("")}` +
      `next:\n  ${program} plan ${manifest}   # what would happen; changes nothing\n` +
      `  ${program} run ${manifest}    # makes the codes, the sheets and the report\n`,
  );
  return 0;
}

export async function initJob(context: CliContext, input: Input): Promise<number> {
  if (readFlag(input, "dynamic") && readFlag(input, "static")) {
    throw new AppError("bad-usage", "one of --dynamic and --static must be given, got both");
  }
  try {
    return await init(context, input);
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    context.err("given up; nothing was written\n");
    return EXIT_INTERRUPTED;
  }
}
