/** `init`: asks a person, or takes flags and defaults; `pipeline/draft/` does the rest. */
import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { EXIT_INTERRUPTED } from "../../base/exit-codes.ts";
import { compareNaturally } from "../../base/text/natural-order.ts";
import { quoteWord } from "../../base/text/shell-words.ts";
import { toSlug, type SlugLanguage } from "../../base/text/slug.ts";
import { formatMany } from "../../base/text/words.ts";
import {
  draftJob,
  readsRows,
  thingOf,
  writeDraft,
  type Chosen,
  type ChosenSource,
  type Drafted,
} from "../../pipeline/draft/draft-job.ts";
import { guessColumns, guessThings, mainColumns } from "../../pipeline/draft/guess.ts";
import { initKindNames, kindFor, kindOf, type InitKindName } from "../../pipeline/draft/kinds.ts";
import { lookAt, needHeader, pickHeader, type Shape } from "../../pipeline/draft/look.ts";
import { languageOf } from "../../pipeline/draft/manifest.ts";
import { NOTHING_READ } from "../../pipeline/draft/samples.ts";
import { sayLeft } from "../../pipeline/draft/used-columns.ts";
import { listSheets, loadSheet } from "../../print/layout/sheet-files.ts";
import { pickWord, type Call } from "../call.ts";
import { DEFAULT_SHEET, NO_SHEET } from "../command-options.ts";
import { findConcerns, listConcerns } from "./init-concerns.ts";
import { findSource, MAX_NAMED, nameAfter, readSaid, SPREADSHEET } from "./init-source.ts";
import type { Choice } from "../questions.ts";

const DEFAULT_NAME = "shelf-labels";
const SAMPLE = "(sample)";
const ELSEWHERE = "(elsewhere)";
const MAX_NAME = 60;

/** The person has left in the middle of the questions. */
class GivenUp extends Error {}

const questionsOf = (call: Call) => (call.has("yes") ? undefined : call.context.questions);

function answered(answer: string | undefined): string {
  if (answer === undefined) throw new GivenUp();
  return answer;
}

/** The flag's value, or a person's choice; else the first one. */
async function choose(
  call: Call,
  flag: string,
  question: string,
  choices: readonly Choice[],
): Promise<string> {
  const given = call.text(flag);
  if (given !== undefined) return given;
  const questions = questionsOf(call);
  if (questions === undefined || choices.length < 2) return choices[0]?.value ?? "";
  return answered(await questions.choose(question, choices));
}

/** A person's answer; else the offer. */
async function type(
  call: Call,
  question: string,
  offer: string,
  check: (answer: string) => string | undefined,
): Promise<string> {
  const questions = questionsOf(call);
  return questions === undefined ? offer : answered(await questions.type(question, offer, check));
}

/** Names become file names, so they are kept to what every system takes. */
function checkName(name: string, language?: SlugLanguage): string | undefined {
  if (name !== "" && name.length <= MAX_NAME && toSlug(name) === name) return undefined;
  return `a name must be lower-case letters, digits and hyphens, such as ${toSlug(name, language).slice(0, MAX_NAME) || DEFAULT_NAME}`;
}

async function chooseName(call: Call, source: ChosenSource | undefined): Promise<string> {
  const language = languageOf(source?.look.columns ?? []);
  const offer = nameAfter(call, call.text("source") ?? "", language).slice(0, MAX_NAME);
  const question = "What shall the job be called?";
  const name =
    call.input.argument ??
    (await type(call, question, offer || DEFAULT_NAME, (answer) => checkName(answer, language)));
  const fault = checkName(name, language);
  if (fault === undefined) return name;
  const isFile = call.text("source") === undefined && SPREADSHEET.test(name);
  throw badUsage(
    `${fault}, got ${JSON.stringify(name)}`,
    isFile ? `for a job over this file: makeready init --source ${quoteWord(name)}` : undefined,
  );
}

async function chooseFile(call: Call): Promise<string> {
  const { cwd } = call.context;
  const entries = await readdir(cwd, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && SPREADSHEET.test(entry.name))
    .map(({ name }) => name)
    .toSorted(compareNaturally);
  const choices = [
    ...files.slice(0, MAX_NAMED).map((file) => ({ value: file, label: file })),
    { value: SAMPLE, label: "none yet: write a sample to try" },
    { value: ELSEWHERE, label: "a file in another folder, or a folder of PDFs" },
  ];
  // Only a person can say which of the files is meant.
  const chosen =
    questionsOf(call) === undefined
      ? (call.text("source") ?? SAMPLE)
      : await choose(call, "source", "Which spreadsheet holds the rows?", choices);
  if (chosen !== ELSEWHERE) return chosen;
  return type(call, "Where is it?", "../rows.xlsx", (answer) =>
    existsSync(call.resolve(answer)) ? undefined : `must be a file that exists, got ${answer}`,
  );
}

function readKind(call: Call): InitKindName | undefined {
  const given = call.text("kind");
  return given === undefined ? undefined : pickWord("--kind", initKindNames, given);
}

const isFolder = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;

async function chooseSource(call: Call): Promise<ChosenSource> {
  const nothing = { file: undefined, look: NOTHING_READ };
  if (!readsRows(readKind(call))) return nothing;
  const chosen = await chooseFile(call);
  if (chosen === SAMPLE) return nothing;
  const { cwd, signal } = call.context;
  const full = await findSource(call, chosen);
  const file = path.relative(cwd, full).replaceAll(path.sep, "/");
  if (isFolder(full)) return { file, look: NOTHING_READ };
  const look = await lookAt(full, readSaid(call), signal);
  needHeader(look);
  return { file, look };
}

/** What a spreadsheet is most likely for, and why. */
function guessKind(look: Shape): { readonly kind: InitKindName; readonly why: string | undefined } {
  const [likely] = guessThings(look, guessColumns(look));
  return { kind: kindFor(likely?.thing ?? "text"), why: likely?.why };
}

/** The kind that was named, that fits, or that a person chooses; a guess is said. */
async function chooseKind(
  call: Call,
  { look, file }: ChosenSource,
): Promise<Pick<Chosen, "kind" | "guess">> {
  const given = readKind(call);
  if (given !== undefined) return { kind: given };
  const { options } = call.input;
  const isCodes = ["column", "dynamic", "static"].some((name) => options[name] !== undefined);
  const { kind, why } =
    file !== undefined && isFolder(call.resolve(file))
      ? { kind: "pdfs" as const, why: `${file} is a folder` }
      : isCodes
        ? { kind: "codes" as const, why: undefined }
        : guessKind(look);
  const names = [kind, ...initKindNames.filter((name) => name !== kind)];
  const choices = names.map((name) => ({ value: name, label: name, hint: kindOf(name).label }));
  const chosen = await choose(call, "kind", "What shall each row become?", choices);
  const isGuessed = why !== undefined && chosen === kind;
  const guess = isGuessed ? `${why}: a job of ${kind}` : undefined;
  return { kind: chosen as InitKindName, guess };
}

/** The column that decides, where a person says so. */
async function chooseColumn(
  call: Call,
  kind: InitKindName,
  look: Shape,
): Promise<string | undefined> {
  const given = call.text("column");
  if (given !== undefined) return pickHeader(given, "--column", look);
  const { question, thing } = kindOf(kind);
  const offered = question === undefined || thing === undefined ? [] : mainColumns(look, thing);
  if (question === undefined || offered.length < 2 || questionsOf(call) === undefined) {
    return undefined;
  }
  const choices = offered.map(({ column, type: holds }) => ({
    value: column.trim(),
    label: column.trim(),
    ...(holds === "url" && { hint: "addresses" }),
  }));
  return pickHeader(await choose(call, "column", question, choices), "--column", look);
}

async function chooseDynamic(call: Call, isLink: boolean): Promise<boolean> {
  if (call.has("static")) return false;
  if (call.has("dynamic") || !isLink) return isLink;
  const answer = await choose(call, "codes", "May the codes lead elsewhere later?", [
    { value: "dynamic", label: "yes, dynamic", hint: "a short link that you can redirect" },
    { value: "static", label: "no, static", hint: "the address itself; needs no server" },
  ]);
  return answer === "dynamic";
}

async function chooseLabelSheet(call: Call): Promise<string | undefined> {
  // Hundreds are too many to choose from: offers the verified ones; `--sheet` takes any.
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
  const name = await choose(call, "sheet", "Which label sheet?", [...choices, none]);
  return name === NO_SHEET ? undefined : (await loadSheet(name)).name;
}

async function chooseAll(call: Call): Promise<Chosen> {
  // A spreadsheet that is named spells the job's name.
  const named = call.text("source") === undefined ? undefined : await chooseSource(call);
  const name = await chooseName(call, named);
  const source = named ?? (await chooseSource(call));
  const { kind, guess } = await chooseKind(call, source);
  const { hasLabels, ...facts } = kindOf(kind);
  const sample = source.file === undefined ? facts.sample : undefined;
  const look = sample?.look ?? source.look;
  const column = await chooseColumn(call, kind, look);
  const isLink = thingOf({ kind, column, isDynamic: true }, look) === "dynamic-link";
  const isDynamic = kind === "codes" && (await chooseDynamic(call, isLink));
  const labelSheet = hasLabels ? await chooseLabelSheet(call) : undefined;
  return { name, kind, source, sample, column, isDynamic, labelSheet, guess };
}

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];

/** Headers in use that another column has, too. */
const findRepeated = (used: Drafted["used"], { columns }: Shape): string[] =>
  used
    .map(({ column }) => column)
    .filter((name) => columns.some((one) => one.isRepeated && one.column.trim() === name));

interface Written extends Omit<Drafted, "files"> {
  readonly files: readonly string[];
  readonly look: Shape;
}

function tell(call: Call, written: Written): void {
  const { manifest, files, guesses, used, placeholders = [], look } = written;
  const job = manifest.replace(/\.yaml$/u, "");
  const concerns = findConcerns(used, look);
  const warnings = [...concerns.ofFile, ...concerns.ofCells];
  const uses = used.map(
    ({ column, fields }) => `column ${JSON.stringify(column)}: ${fields.join(", ")}`,
  );
  call.tell(
    "summary",
    {
      job,
      files,
      guesses,
      used,
      ...(placeholders.length > 0 && { placeholders }),
      ...(warnings.length > 0 && { warnings }),
    },
    ...list(`wrote ${formatMany(files.length, "file")}`, files),
    ...list("please look at", listConcerns(concerns, call.context.cwd)),
    ...list("guessed", guesses),
    ...list("uses", uses),
    ...list("next", [
      ...findRepeated(used, look).map(
        (column) => `rename one of the columns ${JSON.stringify(column)}: the job runs only then`,
      ),
      ...placeholders.map((field) => `write your own address into ${manifest}: ${field}`),
      `makeready plan ${quoteWord(manifest)}   # what would happen; changes nothing`,
      `makeready run ${quoteWord(manifest)}    # does it, and makes the report`,
    ]),
    ...placeholders.map(
      (field) =>
        `not for print yet: ${field} in ${manifest} leads to example.com, a placeholder that must be replaced first`,
    ),
  );
}

async function init(call: Call): Promise<void> {
  const chosen = await chooseAll(call);
  const drafted = draftJob(chosen);
  const files = await writeDraft(call.context.cwd, chosen.name, drafted);
  const { look } = chosen.source;
  tell(call, { ...drafted, manifest: `${chosen.name}.yaml`, files, look });
}

const ONLY_WITH_AS = ["use", "key", "caption"];
/** `--as` decides these. */
const NEVER_WITH_AS = ["kind", "column", "dynamic", "static"];

/** An option that would be passed over must not look as if it counted. */
function refuseStray({ input }: Call, names: readonly string[], as: string | undefined): void {
  const stray = names.find((name) => input.options[name] !== undefined);
  if (stray === undefined) return;
  throw as === undefined
    ? badUsage(`--${stray} must come with --as`, "such as --as dynamic-link --use payload=COLUMN")
    : badUsage(`--${stray} must be left out with --as ${as}, which decides what each row becomes`);
}

export async function initJob(call: Call): Promise<number | void> {
  if (call.has("dynamic") && call.has("static")) {
    throw badUsage("one of --dynamic and --static must be given, got both");
  }
  const as = call.text("as");
  refuseStray(call, as === undefined ? ONLY_WITH_AS : NEVER_WITH_AS, as);
  if (as !== undefined) {
    const { initAs } = await import("./init-as.ts");
    const { manifest, used, left, look } = await initAs(call, as);
    const guesses = left.length === 0 ? [] : [sayLeft(left)];
    return tell(call, { manifest, files: [manifest], guesses, used, look });
  }
  try {
    return await init(call);
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    call.context.err("given up; nothing was written\n");
    return EXIT_INTERRUPTED;
  }
}
