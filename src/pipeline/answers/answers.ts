/** `answers`: what respondents sent to a job's forms, as CSV, workbook and images. Through the API only. */
import { existsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";

import { limits } from "../../api/limits.ts";
import { TEMPORARY_SUFFIX, writeFileAtomic } from "../../base/files/atomic-file.ts";
import { AppError, toMessage, type Problem } from "../../base/errors.ts";
import type { Client } from "../../client/client.ts";
import { eachPage } from "../../client/pages.ts";
import type { FormsJob } from "../../kinds/forms/job.ts";
import { formatMany } from "../../base/text/words.ts";
import { makeCsv } from "../../pack/csv.ts";
import { writeTextFile } from "../../pack/hashed-file.ts";
import { writeXlsx } from "../../pack/xlsx.ts";
import { DONE, WITH_DELETED_CODES } from "../../state/which-rows.ts";
import type { StateRow } from "../../state/row.ts";
import { showStage } from "../events.ts";
import { refuseOwnList } from "../checks/own-lists.ts";
import { toFinishedJob, withFinishedJob } from "../standing/finished-job.ts";
import { recallInput } from "../source/input-facts.ts";
import { refuseForeign } from "../address/foreign-server.ts";
import { withClient } from "../address/job-client.ts";
import type { Ports } from "../ports.ts";
import { rememberPublicUrl } from "../address/public-address.ts";
import type { AnswersResult } from "../results.ts";
import type { ServerChoice } from "../address/server.ts";
import { toDelimiter } from "../stages/lookups.ts";
import type { Work } from "../stages/work.ts";
import { AnswerColumns, isImage, toAnswers, type SentResponse } from "./answer-table.ts";

export interface AnswersOrder {
  readonly job: FormsJob;
  readonly server: ServerChoice;
  readonly patienceMs?: number | undefined;
}

/** Relative to the output folder. */
const FOLDER = "answers";
const LISTS = ["answers.csv", "answers.xlsx"];
const MAX_IMAGE_BYTES = 32 * 1024 * 1024;

/** Extension by the first bytes: names and types of others may lie. */
const SIGNATURES: readonly (readonly [hex: string, at: number, extension: string])[] = [
  ["ffd8ff", 0, "jpg"],
  ["89504e470d0a1a0a", 0, "png"],
  ["474946383", 0, "gif"],
  ["57454250", 8, "webp"],
];

function toExtension(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  const found = SIGNATURES.find(([signature, at]) => hex.startsWith(signature, at * 2));
  if (found !== undefined) return found[2];
  throw new AppError("answer-unusable", "an image must be JPEG, PNG, GIF or WebP, got other bytes");
}

/** Responses, set aside until it is known which questions there are. */
class Aside {
  readonly #file: string;
  readonly columns = new AnswerColumns();
  readonly #seen = new Set<string>();
  images = 0;
  #lines: string[] = [];

  constructor(folder: string) {
    this.#file = path.join(folder, `answers.${process.pid}${TEMPORARY_SUFFIX}`);
  }

  get count(): number {
    return this.#seen.size;
  }

  /** A list that moves while it is read shows some twice. */
  add(sent: SentResponse): void {
    const { id } = sent.response;
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.columns.add(sent.response);
    this.images += toAnswers(sent.response).filter(isImage).length;
    this.#lines.push(JSON.stringify(sent));
  }

  /** What was added since, oldest first. */
  async flush(): Promise<void> {
    const handle = await open(this.#file, "a");
    try {
      await handle.appendFile(
        this.#lines
          .toReversed()
          .map((line) => `${line}\n`)
          .join(""),
      );
    } finally {
      await handle.close();
    }
    this.#lines = [];
  }

  async *read(): AsyncGenerator<SentResponse> {
    if (!existsSync(this.#file)) return;
    const handle = await open(this.#file);
    const lines = createInterface({ input: handle.createReadStream() });
    for await (const line of lines) yield JSON.parse(line) as SentResponse;
  }

  remove = (): Promise<void> => rm(this.#file, { force: true });
}

/** The forms of a row: the one of today last, after those that it had before a retry made another. */
function idsOf({ remoteId, parts }: StateRow): string[] {
  const earlier = (parts.deleted ?? []).map(({ id }) => id);
  return [...new Set([...earlier.filter((id) => id !== remoteId), remoteId ?? []].flat())];
}

/** Every response of the forms of a row; answers how many of its earlier forms are gone. */
async function readForms(
  client: Client,
  row: StateRow,
  aside: Aside,
  signal: AbortSignal,
): Promise<number> {
  let gone = 0;
  for (const id of idsOf(row)) {
    try {
      await readForm(client, { row, id }, aside, signal);
    } catch (error) {
      const isGone = error instanceof AppError && error.kind === "missing";
      if (!isGone || id === row.remoteId) throw error;
      gone += 1;
    }
  }
  return gone;
}

/** Every response of a form. */
async function readForm(
  client: Client,
  { row, id }: { readonly row: StateRow; readonly id: string },
  aside: Aside,
  signal: AbortSignal,
): Promise<void> {
  const form = (row.made ?? row.wanted).displayName;
  const list = (page: { page: number; page_size: number }) => client.listFormResponses(id, page);
  for await (const { results } of eachPage(list, limits.maxFormPageSize)) {
    if (signal.aborted) break;
    for (const response of results) aside.add({ key: row.key, form, response });
  }
  await aside.flush();
}

interface Images {
  /** Address -> file, relative to the output folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly fetched: number;
  readonly problems: readonly Problem[];
}

/** Name of an image without extension: by form, moment and response. */
function toImageBase({ base, sent, at }: { base: string; sent: SentResponse; at: number }): string {
  const { id, submitted_at: moment } = sent.response;
  const when = (moment ?? "").slice(0, 19).replaceAll(/[^0-9]/gu, "");
  const who = id.replaceAll(/[^0-9A-Za-z]/gu, "").slice(0, 12);
  return `${FOLDER}/${base}/${[when, who, at + 1].filter((part) => part !== "").join("-")}`;
}

const findFile = (folder: string, base: string): string | undefined =>
  SIGNATURES.map(([, , extension]) => `${base}.${extension}`).find((name) =>
    existsSync(path.join(folder, name)),
  );

/** Fetches every image that isn't there yet. One that can't be had keeps its address in the lists. */
async function fetchImages(
  { folder, signal, on }: Work,
  client: Client,
  aside: Aside,
  baseOf: ReadonlyMap<string, string>,
): Promise<Images> {
  const files = new Map<string, string>();
  const problems: Problem[] = [];
  let fetched = 0;
  let seen = 0;
  for await (const sent of aside.read()) {
    if (signal.aborted) break;
    for (const [at, answer] of toAnswers(sent.response).entries()) {
      if (!isImage(answer)) continue;
      const url = String(answer.value);
      const base = toImageBase({ base: baseOf.get(sent.key) ?? "form", sent, at });
      const there = findFile(folder, base);
      if (there !== undefined) files.set(url, there);
      else {
        try {
          const options = { maxBytes: MAX_IMAGE_BYTES, expect: "image/*", signal } as const;
          const bytes = await client.fetchAsset(url, options);
          const name = `${base}.${toExtension(bytes)}`;
          await writeFileAtomic(path.join(folder, name), bytes);
          files.set(url, name);
          fetched += 1;
        } catch (error) {
          if (!(error instanceof AppError) || signal.aborted) throw error;
          problems.push({ message: `${sent.form}, ${answer.question}: ${toMessage(error)}` });
        }
      }
      seen += 1;
      showStage(on, "images", seen, aside.images);
    }
  }
  return { files, fetched, problems };
}

async function writeLists(work: Work, aside: Aside, images: Images): Promise<string[]> {
  const { folder, job, createdAt } = work;
  const { columns } = aside;
  const delimiter = toDelimiter({ input: recallInput(work.state, job.source?.file ?? job.file) });
  async function* rows() {
    for await (const sent of aside.read()) yield columns.toRow(sent, images.files);
  }
  const [csv, xlsx] = LISTS.map((name) => path.join(folder, name));
  if (csv === undefined || xlsx === undefined) return [];
  await writeTextFile(csv, makeCsv(columns.header, rows(), { delimiter }));
  const heads = columns.header.map((header) => ({
    header,
    width: Math.min(48, header.length + 8),
  }));
  const table = { name: "Answers", columns: heads, rows: rows() };
  await writeXlsx(xlsx, table, { createdAt: new Date(createdAt) });
  return [csv, xlsx];
}

const sayGone = (gone: number): Problem => ({
  message: `${formatMany(gone, "earlier form")} of this job ${gone === 1 ? "is" : "are"} gone at the server, with all answers`,
  hint: "answers.csv of before stays where there are no other answers",
});

async function gather(order: AnswersOrder, ports: Ports, work: Work): Promise<AnswersResult> {
  const { job, patienceMs } = order;
  const { state, folder, log, on } = work;
  const had = `(${DONE} OR ${WITH_DELETED_CODES})`;
  const forms = [...state.rows(had), ...state.goneRows(had)];
  const baseOf = new Map(forms.map(({ key, placing }) => [key, placing.fileBase]));
  const aside = new Aside(folder);
  await aside.remove();
  try {
    const choice = rememberPublicUrl(order.server, state);
    await refuseForeign({ job, server: choice }, state, ports);
    const needs = { ports, choice, log, patienceMs };
    let gone = 0;
    const { result: images } = await withClient(job, needs, async ({ client }) => {
      for (const [at, row] of forms.entries()) {
        showStage(on, "forms", at, forms.length);
        gone += await readForms(client, row, aside, ports.signal);
      }
      return fetchImages(work, client, aside, baseOf);
    });
    on({ type: "stage-end" });
    ports.signal.throwIfAborted();
    for (const problem of images.problems) on({ type: "warning", problem });
    if (gone > 0) on({ type: "warning", problem: sayGone(gone) });
    // The lists may hold the only copy of answers to forms that are gone.
    const isKept = gone > 0 && aside.count === 0;
    return {
      job: job.name,
      forms: forms.length,
      responses: aside.count,
      files: isKept ? [] : await writeLists(work, aside, images),
      images: images.files.size,
      fetched: images.fetched,
      folder: images.files.size === 0 ? undefined : path.join(folder, FOLDER),
      problems: images.problems,
    };
  } finally {
    await aside.remove();
  }
}

/** Throws `bad-usage` when the job was never run. */
export const fetchAnswers = (order: AnswersOrder, ports: Ports): Promise<AnswersResult> =>
  withFinishedJob(toFinishedJob(order.job), ports, (work) => {
    refuseOwnList(order.job, new Set(LISTS));
    return gather(order, ports, work);
  });
