/** Writes a bundle: completely or not at all. */
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";

import {
  TEMPORARY_SUFFIX,
  streamFileAtomic,
  writeSmallFileAtomic,
} from "../../base/files/atomic-file.ts";
import type { Clock } from "../../base/time/clock.ts";
import { closing } from "../../base/flow/closing.ts";
import { AppError } from "../../base/errors.ts";
import { isJunkFile } from "../../base/files/junk-files.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { withoutEndSlash } from "../../base/text/url.ts";
import { openCopy, type Asked, type CopyOptions } from "./ask-service.ts";
import {
  ABOUT_FILE,
  ANSWERS_FILE,
  FILES_FOLDER,
  countAnswers,
  isLost,
  makeAbout,
  readAbout,
  readSoundAnswers,
  type About,
  type Answer,
} from "./bundle.ts";
import {
  makeCaddyRules,
  makeNginxRules,
  makeNginxTable,
  makeRedirects,
  makeRefreshPage,
} from "./rules.ts";

export const targets = ["files", "nginx", "caddy"] as const;
export type Target = (typeof targets)[number];

export interface ExportOptions extends CopyOptions {
  /** Absolute. */
  readonly to: string;
  /** Where the bundle will lie on the server; default: `to`. */
  readonly root?: string | undefined;
  readonly targets: readonly Target[];
  readonly clock: Clock;
  readonly writer: string;
  readonly signal: AbortSignal;
  readonly onAnswer: (count: number) => void;
}

/** What a bundle holds. */
const OWN_NAMES = new Set([ABOUT_FILE, ANSWERS_FILE, FILES_FOLDER, "nginx", "Caddyfile"]);

function refusePlace(got: string, cause?: unknown): never {
  const message = `the bundle must be a new or empty folder, or a bundle that it replaces, got ${got}`;
  throw new AppError("bad-usage", message, { cause, hint: "name another folder" });
}

/** Only an empty folder or an older bundle may be replaced. */
async function checkPlace(to: string): Promise<void> {
  const isFolder = statSync(to, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === undefined) return;
  const names = isFolder ? readdirSync(to) : [to];
  if (names.length === 0) return;
  await readAbout(to).catch((cause: unknown) => refusePlace(to, cause));
  const foreign = names.find((name) => !OWN_NAMES.has(name) && !isJunkFile(name));
  if (foreign !== undefined) refusePlace(`${to} with ${foreign}`);
}

async function writeLines(file: string, lines: Iterable<string>): Promise<void> {
  await streamFileAtomic(file, async (stream) => {
    let part = "";
    for (const line of lines) {
      part += line;
      if (part.length < 65_536) continue;
      if (!stream.write(part)) await once(stream, "drain");
      part = "";
    }
    stream.write(part);
  });
}

/** Below `files/`; no name may lead out of it. */
function toPlace(folder: string, file: string): string {
  const root = path.join(folder, FILES_FOLDER);
  const full = path.join(root, file);
  if (full.startsWith(root + path.sep)) return full;
  throw new AppError("bug", `a file of a bundle must lie in it, got ${file}`);
}

/** Of a batch such as `../x`: servers of files would ask for another one. */
const IS_ELSEWHERE = /(?:^|\/)(?:\.\.?|index\.html)(?:\/|$)/u;

async function writeRules(
  folder: string,
  answers: readonly Answer[],
  { to, root = to, targets: wanted, publicUrl }: ExportOptions & { readonly publicUrl: string },
): Promise<void> {
  const { host, pathname } = new URL(publicUrl);
  const parts = { host, prefix: withoutEndSlash(pathname) };
  if (wanted.includes("nginx")) {
    await writeLines(path.join(folder, "nginx/links.map"), makeNginxTable(answers));
    await writeLines(path.join(folder, "nginx/makeready.conf"), [makeNginxRules(root, parts)]);
  }
  if (wanted.includes("caddy")) {
    await writeLines(path.join(folder, "Caddyfile"), makeCaddyRules(answers, root, parts));
  }
  if (!wanted.includes("files")) return;
  await writeLines(path.join(folder, FILES_FOLDER, "_redirects"), makeRedirects(answers));
  for (const { path: asked, location, linkType } of answers) {
    if (location === undefined || linkType !== undefined) continue;
    const name = decodeURIComponent(asked).slice(1);
    if (IS_ELSEWHERE.test(name)) continue;
    const place = toPlace(folder, `${name}/index.html`);
    writeSmallFileAtomic(place, Buffer.from(makeRefreshPage(location)));
  }
}

/** The bundle that is replaced: the PDFs that it lists, and whether all of its list could be read. */
interface Older {
  readonly folder: string;
  readonly pdfs: ReadonlyMap<string, Answer>;
  readonly isWhole: boolean;
}

/** A damaged list is no fault: what it still says is checked file by file. */
async function readOlder(folder: string): Promise<Older> {
  const pdfs = new Map<string, Answer>();
  if (!existsSync(path.join(folder, ABOUT_FILE))) return { folder, pdfs, isWhole: true };
  if (!existsSync(path.join(folder, ANSWERS_FILE))) return { folder, pdfs, isWhole: false };
  let missing = countAnswers(await readAbout(folder));
  for await (const answer of readSoundAnswers(folder)) {
    if (answer === undefined) continue;
    missing -= 1;
    if (answer.kind === "pdf") pdfs.set(answer.path, answer);
  }
  return { folder, pdfs, isWhole: missing === 0 };
}

function readBody(folder: string, file: string): Uint8Array | undefined {
  try {
    return readFileSync(toPlace(folder, file));
  } catch {
    return undefined;
  }
}

/** What an older bundle has of a file that the service has lost; nothing else than what it once stored. */
function findKept({ folder, pdfs, isWhole }: Older, asked: string): Asked | "damaged" | undefined {
  const answer = pdfs.get(asked);
  if (answer === undefined) return isWhole ? undefined : "damaged";
  if (isLost(answer)) return undefined;
  const body = readBody(folder, answer.file ?? "");
  if (body === undefined || sha256(body) !== answer.sha256) return "damaged";
  return { answer, body };
}

/** Finds what an older bundle has of lost files, and notes what became of each. It is read once a file is lost. */
class LostFiles {
  readonly #folder: string;
  #older: Older | undefined;
  readonly lost: string[] = [];
  readonly kept: string[] = [];
  readonly damaged: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  async restore(asked: Asked): Promise<Asked> {
    if (!isLost(asked.answer)) return asked;
    const { path: name } = asked.answer;
    this.#older ??= await readOlder(this.#folder);
    const found = findKept(this.#older, name);
    this.lost.push(name);
    if (found === undefined) return asked;
    if (found === "damaged") {
      this.damaged.push(name);
      return asked;
    }
    this.kept.push(name);
    return found;
  }
}

async function fill(folder: string, options: ExportOptions): Promise<About> {
  return closing(await openCopy(options), async (copy) => {
    const answers: Answer[] = [];
    const counts: Record<string, number> = {};
    const files = new LostFiles(options.to);
    for await (const asked of copy.ask()) {
      options.signal.throwIfAborted();
      const { answer, body } = await files.restore(asked);
      answers.push(answer);
      if (!isLost(answer)) counts[answer.kind] = (counts[answer.kind] ?? 0) + 1;
      if (answer.file !== undefined && body !== undefined) {
        writeSmallFileAtomic(toPlace(folder, answer.file), body);
      }
      options.onAnswer(answers.length);
    }
    const { publicUrl, workspace, differs } = copy;
    await writeRules(folder, answers, { ...options, publicUrl });
    await writeLines(
      path.join(folder, ANSWERS_FILE),
      answers.map((answer) => `${JSON.stringify(answer)}\n`),
    );
    const exportedAt = new Date(options.clock.nowMs()).toISOString();
    const about = makeAbout({
      program: options.writer,
      exportedAt,
      publicUrl,
      workspace,
      counts,
      differs,
      lost: files.lost,
      kept: files.kept,
      damaged: files.damaged,
    });
    await writeLines(path.join(folder, ABOUT_FILE), [`${JSON.stringify(about, null, 2)}\n`]);
    return about;
  });
}

/** What was written, and the folder that a damaged older bundle was moved to. */
export interface Exported {
  readonly about: About;
  readonly aside: string | undefined;
}

/** Throws `bad-usage` for a place that holds something else, and what `openCopy` throws. */
export async function exportBundle(options: ExportOptions): Promise<Exported> {
  const { to } = options;
  await checkPlace(to);
  const fresh = `${to}.${process.pid}${TEMPORARY_SUFFIX}`;
  const old = `${to}.old.${process.pid}${TEMPORARY_SUFFIX}`;
  try {
    const about = await fill(fresh, options);
    if (existsSync(to)) await rename(to, old);
    await rename(fresh, to);
    return { about, aside: about.damaged.length > 0 ? await putAside(old, to) : undefined };
  } finally {
    await rm(fresh, { recursive: true, force: true });
    if (existsSync(to)) await rm(old, { recursive: true, force: true });
    else if (existsSync(old)) await rename(old, to);
  }
}

/** A damaged bundle may hold the last copy of a lost file: it stays beside the new one. */
async function putAside(old: string, to: string): Promise<string> {
  let place = `${to}.damaged`;
  for (let n = 2; existsSync(place); n += 1) place = `${to}.damaged-${n}`;
  await rename(old, place);
  return place;
}
