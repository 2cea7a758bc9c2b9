/**
 * A service's answers, stored as files and rules that any web server can use: `answers.jsonl` lists
 * each question with its answer, `files/` holds the bodies. `docs/outliving.md` says what a plain
 * server can't do.
 */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";

import { z } from "zod";

import { AppError } from "../../base/errors.ts";

const VERSION = 1;
/** Status of a file that printed links lead to, and that the service itself has lost. */
export const NOT_FOUND = 404;
export const ANSWERS_FILE = "answers.jsonl";
export const ABOUT_FILE = "bundle.json";
/** The root of documents. */
export const FILES_FOLDER = "files";

export const answerKinds = [
  "link",
  "contact",
  "contact-file",
  "digital-link",
  "linkset",
  "page",
  "pdf",
  "resolver",
] as const;
export type AnswerKind = (typeof answerKinds)[number];

const answerShape = z.strictObject({
  kind: z.enum(answerKinds),
  /** The path that is requested, from the root of the host, percent-encoded. */
  path: z.string().startsWith("/"),
  /** Value of `linkType`, for Digital Links. */
  linkType: z.string().optional(),
  status: z.number().int(),
  /** For redirects. */
  location: z.string().optional(),
  type: z.string().optional(),
  /** For answers with a body: the file, below `files/`. */
  file: z.string().optional(),
  sha256: z.string().optional(),
});

export type Answer = z.infer<typeof answerShape>;

const aboutShape = z.object({
  version: z.literal(VERSION),
  program: z.string(),
  exportedAt: z.iso.datetime(),
  publicUrl: z.url(),
  workspace: z.string(),
  counts: z.record(z.string(), z.number()),
  /** What a plain server does differently -> how many answers. */
  differs: z.record(z.string(), z.number()),
  /** Paths of files that printed links lead to, and that the data folder has lost. */
  lost: z.array(z.string()).default([]),
  /** Those of them that an older bundle still had: this one keeps them. */
  kept: z.array(z.string()).default([]),
  /** Those of which the older bundle's copy could not be read, or was not what it had stored. */
  damaged: z.array(z.string()).default([]),
});

export type About = z.infer<typeof aboutShape>;

export const makeAbout = (facts: Omit<About, "version">): About => ({ version: VERSION, ...facts });

/** How many lines its list of answers has. Lost files have a line each, and only those kept are counted. */
export const countAnswers = ({ counts, lost, kept }: About): number =>
  Object.values(counts).reduce((sum, n) => sum + n, lost.length - kept.length);

/** Throws `bad-usage` for a folder that is no bundle of this makeready. */
export async function readAbout(folder: string): Promise<About> {
  try {
    return aboutShape.parse(JSON.parse(await readFile(path.join(folder, ABOUT_FILE), "utf8")));
  } catch (cause) {
    throw new AppError("bad-usage", `must be a bundle with ${ABOUT_FILE}, got ${folder}`, {
      cause,
      hint: "makeready export-resolver makes one",
    });
  }
}

export async function* readAnswers(folder: string): AsyncGenerator<Answer> {
  for await (const line of readLines(folder)) yield answerShape.parse(JSON.parse(line));
}

async function* readLines(folder: string): AsyncGenerator<string> {
  const input = createReadStream(path.join(folder, ANSWERS_FILE), "utf8");
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line !== "") yield line;
  }
}

/** Of a bundle that may be damaged: undefined for a line that can't be read. */
export async function* readSoundAnswers(folder: string): AsyncGenerator<Answer | undefined> {
  for await (const line of readLines(folder)) {
    try {
      yield answerShape.parse(JSON.parse(line));
    } catch {
      yield undefined;
    }
  }
}

/** True for a file that printed links lead to, and that the service has lost. */
export const isLost = ({ status }: Answer): boolean => status === NOT_FOUND;

/** The question as it is requested. */
export const toTarget = ({ path: asked, linkType }: Answer): string =>
  linkType === undefined ? asked : `${asked}?linkType=${linkType}`;

/** A Digital Link's redirect without the query of the request, which the service appends. */
export function withoutQuestion({ linkType }: Pick<Answer, "linkType">, location: string): string {
  if (linkType === undefined) return location;
  const at = location.indexOf("#");
  const before = at < 0 ? location : location.slice(0, at);
  const asked = `linkType=${linkType}`;
  if (!before.endsWith(asked)) return location;
  return `${before.slice(0, -asked.length - 1)}${location.slice(before.length)}`;
}
