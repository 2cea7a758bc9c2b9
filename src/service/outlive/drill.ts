/** Asks the bundle and the service the same questions, and counts where their answers differ. */
import path from "node:path";

import { AppError, toMessage } from "../../base/errors.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { withoutEndSlash } from "../../base/text/url.ts";
import { openCopy, type CopyOptions } from "./ask-service.ts";
import {
  FILES_FOLDER,
  NOT_FOUND,
  readAbout,
  readAnswers,
  toTarget,
  withoutQuestion,
  type Answer,
} from "./bundle.ts";
import { makeRefreshPage } from "./rules.ts";

export interface DrillOptions {
  /** Absolute. */
  readonly bundle: string;
  /** The service: its data folder, or where it runs. */
  readonly service: Pick<CopyOptions, "dataDir"> | { readonly url: string };
  /** Where the bundle is served; left out: its files are read. */
  readonly at?: string | undefined;
  readonly signal: AbortSignal;
  readonly onAnswer: (count: number) => void;
}

export interface Difference {
  readonly target: string;
  readonly kind: Answer["kind"];
  /** What the service answers now. */
  readonly service: string;
  readonly bundle: string;
}

export interface DrillResult {
  readonly asked: number;
  readonly alike: number;
  /** Redirected by a page, since the server has no rules for redirects. */
  readonly byPage: number;
  readonly differences: readonly Difference[];
}

/** The parts of an answer that are compared. */
interface Said {
  readonly status: number;
  readonly location?: string | undefined;
  readonly sha256?: string | undefined;
}

const NOTHING: Said = { status: NOT_FOUND };

const say = ({ status, location, sha256: hash }: Said): string =>
  [String(status), location, hash === undefined ? undefined : `body ${hash.slice(0, 12)}`]
    .filter((part) => part !== undefined)
    .join(" ");

const isSame = (a: Said, b: Said): boolean =>
  a.status === b.status && a.location === b.location && a.sha256 === b.sha256;

/** Answers that count as a scan when they are requested with GET. */
const COUNTED: ReadonlySet<Answer["kind"]> = new Set(["link", "contact", "digital-link"]);

/** Asks with HEAD where a GET would count as a scan. */
async function askUrl(
  url: string,
  answer: Answer,
  { isService, target }: { readonly isService: boolean; readonly target: string },
): Promise<Said> {
  const looks = isService && COUNTED.has(answer.kind);
  try {
    const response = await fetch(`${url}${target}`, {
      method: looks ? "HEAD" : "GET",
      redirect: "manual",
      headers: { "user-agent": "makeready drill (bot)", "accept-language": "en" },
    });
    const body = new Uint8Array(await response.arrayBuffer());
    const { status } = response;
    if (status >= 300 && status < 400) {
      return { status, location: withoutQuestion(answer, response.headers.get("location") ?? "") };
    }
    if (looks && status === 200) return { status, sha256: answer.sha256 };
    return status === 200 ? { status, sha256: sha256(body) } : { status };
  } catch (cause) {
    // `fetch failed` says nothing; what is behind it does.
    const why = cause instanceof Error ? (cause.cause ?? cause) : cause;
    throw new AppError("server-unavailable", `${url} must answer: ${toMessage(why)}`, { cause });
  }
}

const toSaid = ({ status, location, sha256: hash }: Answer): Said => ({
  status,
  location,
  sha256: hash,
});

/** The bundle's answer, from the files on the disk. */
async function readBundle(folder: string, answer: Answer): Promise<Said> {
  if (answer.file === undefined) return toSaid(answer);
  const file = path.join(folder, FILES_FOLDER, answer.file);
  const hash = await hashFile(file).catch(() => undefined);
  return hash === undefined ? NOTHING : { status: answer.status, sha256: hash };
}

/** Answers of a server of the bundle: one that adds a slash to the names of folders is asked once more. */
async function askBundle(url: string, answer: Answer, now: Said): Promise<Said> {
  const kept = await askUrl(url, answer, { isService: false, target: toTarget(answer) });
  if (kept.location === undefined || isSame(now, kept)) return kept;
  const asked = new URL(`${url}${toTarget(answer)}`);
  const { origin, pathname } = new URL(kept.location, asked);
  if (origin !== asked.origin || pathname !== `${asked.pathname}/`) return kept;
  const next = await askUrl(url, answer, {
    isService: false,
    target: `${pathname}${asked.search}`,
  });
  return isSame(now, next) || isLedOn(now, next) ? next : kept;
}

/** Only the origin: tests and moved bundles have another host than the printed one. */
const toRoot = (url: string): string => withoutEndSlash(new URL(url).origin);

/** True for a page that leads to the redirect's destination. */
function isLedOn(service: Said, bundle: Said): boolean {
  const { location } = service;
  if (location === undefined || bundle.status !== 200) return false;
  return bundle.sha256 === sha256(makeRefreshPage(location));
}

/** Throws what `readAbout` and `openCopy` throw, and `server-unavailable`. */
export async function drill(options: DrillOptions): Promise<DrillResult> {
  const { bundle: folder, service, at, signal } = options;
  const about = await readAbout(folder);
  const differences: Difference[] = [];
  let [asked, alike, byPage] = [0, 0, 0];
  const compare = async (answer: Answer, now: Said): Promise<void> => {
    signal.throwIfAborted();
    const kept =
      at === undefined
        ? await readBundle(folder, answer)
        : await askBundle(toRoot(at), answer, now);
    asked += 1;
    options.onAnswer(asked);
    if (isSame(now, kept) && now.status !== NOT_FOUND) alike += 1;
    else if (isLedOn(now, kept)) byPage += 1;
    else {
      const target = toTarget(answer);
      const bundle = isSame(now, kept) ? "has lost it, too" : say(kept);
      differences.push({ target, kind: answer.kind, service: say(now), bundle });
    }
  };
  if ("url" in service) {
    for await (const answer of readAnswers(folder)) {
      await compare(
        answer,
        await askUrl(toRoot(service.url), answer, { isService: true, target: toTarget(answer) }),
      );
    }
    return { asked, alike, byPage, differences };
  }
  const { dataDir } = service;
  const { publicUrl, workspace } = about;
  const left = new Map<string, Answer>();
  for await (const answer of readAnswers(folder)) left.set(toTarget(answer), answer);
  const copy = await openCopy({ dataDir, publicUrl, workspace });
  try {
    for await (const { answer } of copy.ask()) {
      const target = toTarget(answer);
      const kept = left.get(target);
      left.delete(target);
      if (kept === undefined && at === undefined) {
        asked += 1;
        const { kind } = answer;
        differences.push({ target, kind, service: say(toSaid(answer)), bundle: "not in it" });
      } else await compare(at === undefined ? (kept ?? answer) : answer, toSaid(answer));
    }
    // What the bundle answers but the service no longer does.
    for (const answer of left.values()) await compare(answer, NOTHING);
  } finally {
    await copy.close();
  }
  return { asked, alike, byPage, differences };
}
