/** The resolver as files, and the drill that compares them with the service. */
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { isUrl } from "../../base/url.ts";
import { formatCount, formatMany } from "../../base/words.ts";
import { drill, type DrillResult } from "../../service/outlive/drill.ts";
import { exportBundle, targets, type Target } from "../../service/outlive/export-bundle.ts";
import type { About } from "../../service/outlive/bundle.ts";
import { readFlag, readList, readText, type CliContext, type Input } from "../context.ts";
import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { readSetting, requireSqliteDir } from "../settings.ts";

const COPY =
  "make a data folder of the database first (makeready move-store sqlite --data EMPTY-FOLDER; the database stays as it is), and name it with --data, without MAKEREADY_STORE";

const SHOWN = 20;
const TOLD_EVERY = 10_000;

const isTarget = (text: string): text is Target => (targets as readonly string[]).includes(text);

function readTargets(input: Input): readonly Target[] {
  const asked = readList(input, "target");
  const wrong = asked.find((text) => !isTarget(text));
  if (wrong !== undefined) {
    throw new AppError("bad-usage", `--target must be ${targets.join(", ")}, got ${wrong}`);
  }
  return asked.length === 0 ? targets : asked.filter(isTarget);
}

function readUrl(text: string | undefined, flag: string): string | undefined {
  if (text === undefined || (isUrl(text) && /^https?:/iu.test(text))) return text;
  throw new AppError("bad-usage", `${flag} must be a URL, got ${text}`);
}

function requireFolder({ cwd }: CliContext, { argument }: Input): string {
  if (argument !== undefined) return path.resolve(cwd, argument);
  throw new AppError("bad-usage", "a bundle must be named, got none", {
    hint: "makeready export-resolver bundle",
  });
}

/** Nginx and Caddy read it as one word. */
function readRoot(input: Input): string | undefined {
  const root = readText(input, "root");
  if (root === undefined || /^\/[\w./-]*[\w-]$/u.test(root)) return root;
  throw new AppError("bad-usage", `--root must be an absolute path of plain letters, got ${root}`);
}

const onAnswer =
  ({ err }: CliContext) =>
  (count: number): void => {
    if (count % TOLD_EVERY === 0) err(`${formatCount(count)} answers\n`);
  };

function formatAbout(to: string, { counts, differs, publicUrl }: About): string {
  const lines = [
    `${to}: what ${publicUrl} answers`,
    ...Object.entries(counts).map(([kind, n]) => `${formatCount(n).padStart(10)} ${kind}`),
    ...Object.entries(differs)
      .filter(([, n]) => n > 0)
      .map(([what, n]) => `  differs: ${what} (${formatCount(n)})`),
    "  differs: nothing is counted, nothing can be changed; docs/outliving.md lists the rest",
    `prove it at any time: makeready drill ${to}`,
  ];
  return `${lines.join("\n")}\n`;
}

export async function exportResolver(context: CliContext, input: Input): Promise<number> {
  const to = requireFolder(context, input);
  const root = readRoot(input);
  const wanted = readTargets(input);
  if (root === undefined && wanted.some((one) => one !== "files") && !/^[\w./-]+$/u.test(to)) {
    throw new AppError("bad-usage", `the bundle must lie in a path of plain letters, got ${to}`, {
      hint: "name the path on the server: --root /srv/links",
    });
  }
  const about = await exportBundle({
    to,
    root,
    targets: wanted,
    dataDir: requireSqliteDir(context, input, COPY),
    workspace: readText(input, "workspace"),
    publicUrl: readUrl(readSetting(context, input, "publicUrl")?.text, "--public-url"),
    clock: context.clock,
    writer: context.writer,
    signal: context.signal,
    onAnswer: onAnswer(context),
  });
  context.out(
    readFlag(input, "json")
      ? `${JSON.stringify({ type: "summary", to, ...about })}\n`
      : formatAbout(path.relative(context.cwd, to) || ".", about),
  );
  return 0;
}

function formatDrill({ asked, alike, byPage, differences }: DrillResult): string {
  const shown = differences.slice(0, SHOWN);
  const more = differences.length - shown.length;
  const lines = [
    `${formatMany(asked, "question")}: ${formatCount(alike)} answered alike, ${formatCount(byPage)} led on by a page, ${formatMany(differences.length, "difference")}`,
    ...shown.map(
      ({ target, service, bundle }) => `  ${target}: service ${service}, bundle ${bundle}`,
    ),
    ...(more > 0 ? [`  and ${formatCount(more)} more (--json lists all)`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

export async function drillBundle(context: CliContext, input: Input): Promise<number> {
  const url = readUrl(readText(input, "service"), "--service");
  const result = await drill({
    bundle: requireFolder(context, input),
    service: url === undefined ? { dataDir: requireSqliteDir(context, input, COPY) } : { url },
    at: readUrl(readText(input, "at"), "--at"),
    signal: context.signal,
    onAnswer: onAnswer(context),
  });
  if (readFlag(input, "json")) {
    for (const one of result.differences) {
      context.out(`${JSON.stringify({ type: "difference", ...one })}\n`);
    }
    const { asked, alike, byPage, differences } = result;
    const summary = { asked, alike, byPage, differences: differences.length };
    context.out(`${JSON.stringify({ type: "summary", ...summary })}\n`);
  } else context.out(formatDrill(result));
  return result.differences.length === 0 ? 0 : EXIT_ROWS_FAILED;
}
