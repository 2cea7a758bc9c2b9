/** The resolver as files, and the drill that compares them with the service. */
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { toCommandLine } from "../../base/text/shell-words.ts";
import { isUrl } from "../../base/text/url.ts";
import { formatCount, formatMany } from "../../base/text/words.ts";
import { drill, type DrillResult } from "../../service/outlive/drill.ts";
import {
  exportBundle,
  targets,
  type Exported,
  type Target,
} from "../../service/outlive/export-bundle.ts";
import type { About } from "../../service/outlive/bundle.ts";
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import type { Call } from "../call.ts";
import { withMore } from "../views/lists.ts";
import { readSetting } from "../settings.ts";
import { requireSqliteDir } from "../sqlite-folder.ts";

const COPY =
  "make a data folder of the database first (makeready move-store sqlite --data EMPTY-FOLDER; the database stays as it is), copy media/ of the service's data folder into it, and name it with --data, without MAKEREADY_STORE";

const SHOWN = 20;
const TOLD_EVERY = 10_000;

const isTarget = (text: string): text is Target => (targets as readonly string[]).includes(text);

function readTargets(call: Call): readonly Target[] {
  const asked = call.list("target");
  const wrong = asked.find((text) => !isTarget(text));
  if (wrong !== undefined) {
    throw badUsage(`--target must be ${targets.join(", ")}, got ${wrong}`);
  }
  return asked.length === 0 ? targets : asked.filter(isTarget);
}

function readUrl(text: string | undefined, flag: string): string | undefined {
  if (text === undefined || (isUrl(text) && /^https?:/iu.test(text))) return text;
  throw badUsage(`${flag} must be a URL, got ${text}`);
}

const requireBundle = (call: Call): string =>
  call.resolve(call.require("a bundle", "makeready export-resolver bundle"));

/** Nginx and Caddy read it as one word. */
function readRoot(call: Call): string | undefined {
  const root = call.text("root");
  if (root === undefined || /^\/[\w./-]*[\w-]$/u.test(root)) return root;
  throw badUsage(`--root must be an absolute path of plain letters, got ${root}`);
}

const onAnswer =
  ({ context: { err } }: Call) =>
  (count: number): void => {
    if (count % TOLD_EVERY === 0) err(`${formatCount(count)} answers\n`);
  };

const MEDIA = "/media/";

/** As it lies in the data folder, with the name that people see. */
function sayStored(file: string): string {
  const [name = "", ...shown] = file.slice(file.indexOf(MEDIA) + MEDIA.length).split("/");
  const people = shown.length === 0 ? "" : ` (${decodeURIComponent(shown.join("/"))})`;
  return `media/${name.slice(0, 2)}/${name}${people}`;
}

/** Printed links lead to these files, and the service answers them no more. */
function listLost(
  { lost, kept, damaged }: Pick<About, "lost" | "kept" | "damaged">,
  aside: string | undefined,
): string[] {
  if (lost.length === 0) return [];
  const copyOf = (file: string): string => {
    if (damaged.includes(file))
      return `; the older bundle is damaged, and stays beside this one as ${path.basename(aside ?? "")}`;
    return kept.includes(file) ? "; the bundle keeps the copy of the older one" : "";
  };
  const say = (file: string): string =>
    `  lost before this export: ${sayStored(file)}${copyOf(file)}`;
  return [
    ...withMore(
      lost.slice(0, SHOWN).map(say),
      lost.length,
      (left) => `  and ${left} more; bundle.json names all of them`,
    ),
    "  the service answers printed links to them no more: copy them back to these places of the data folder, from a backup, and export again",
  ];
}

/** Kinds of answers in `bundle.json` -> what people call them. */
const SAYS: Readonly<Record<string, string>> = {
  link: "short link",
  "contact-file": "file of a contact",
  "digital-link": "Digital Link",
  page: "landing page",
  pdf: "PDF",
};

function sayAnswers(kind: string, count: number): string {
  if (kind === "contact-file" && count !== 1) return "files of contacts";
  return `${SAYS[kind] ?? kind}${count === 1 ? "" : "s"}`;
}

function listAbout(call: Call, { about, aside }: Exported, folder: string): string[] {
  const { counts, differs, publicUrl, ...files } = about;
  const to = path.relative(call.context.cwd, folder) || ".";
  const data = call.text("data");
  const from = data === undefined ? [] : ["--data", data];
  return [
    `${to}: what ${publicUrl} answers`,
    ...Object.entries(counts).map(
      ([kind, n]) => `${formatCount(n).padStart(10)} ${sayAnswers(kind, n)}`,
    ),
    ...Object.entries(differs)
      .filter(([, n]) => n > 0)
      .map(([what, n]) => `  differs: ${what} (${formatCount(n)})`),
    ...listLost(files, aside),
    "  differs: nothing is counted, nothing can be changed; docs/outliving.md lists the rest",
    `prove it at any time: ${toCommandLine(["makeready", "drill", to, ...from])}`,
  ];
}

export async function exportResolver(call: Call): Promise<number> {
  const to = requireBundle(call);
  const root = readRoot(call);
  const wanted = readTargets(call);
  if (root === undefined && wanted.some((one) => one !== "files") && !/^[\w./-]+$/u.test(to)) {
    throw badUsage(
      `the bundle must lie in a path of plain letters, got ${to}`,
      "name the path on the server: --root /srv/links",
    );
  }
  const { clock, writer, signal } = call.context;
  const exported = await exportBundle({
    to,
    root,
    targets: wanted,
    dataDir: requireSqliteDir(call, COPY),
    workspace: call.text("workspace"),
    publicUrl: readUrl(readSetting(call, "publicUrl")?.text, "--public-url"),
    clock,
    writer,
    signal,
    onAnswer: onAnswer(call),
  });
  const { about } = exported;
  call.tell("summary", { to, ...about }, ...listAbout(call, exported, to));
  return about.lost.length === 0 ? 0 : EXIT_ROWS_FAILED;
}

/** What the service answers now goes into a bundle that is written anew. */
function listExport(call: Call): string[] {
  const data = call.text("data");
  const from = data === undefined ? [] : ["--data", data];
  const words = ["makeready", "export-resolver", call.input.argument ?? "BUNDLE", ...from];
  return [
    `→ where the service is right, write the bundle anew, with the options of before: ${toCommandLine(words)}`,
  ];
}

function listDrill({ asked, alike, byPage, differences }: DrillResult): string[] {
  const shown = differences
    .slice(0, SHOWN)
    .map(({ target, service, bundle }) => `  ${target}: service ${service}, bundle ${bundle}`);
  return [
    `${formatMany(asked, "question")}: ${formatCount(alike)} answered alike, ${formatCount(byPage)} led on by a page, ${formatMany(differences.length, "difference")}`,
    ...withMore(shown, differences.length, (left) => `  and ${left} more (--json lists all)`),
  ];
}

export async function drillBundle(call: Call): Promise<number> {
  const url = readUrl(call.text("service"), "--service");
  const result = await drill({
    bundle: requireBundle(call),
    service: url === undefined ? { dataDir: requireSqliteDir(call, COPY) } : { url },
    at: readUrl(call.text("at"), "--at"),
    signal: call.context.signal,
    onAnswer: onAnswer(call),
  });
  const { asked, alike, byPage, differences } = result;
  if (call.isJson) for (const one of differences) call.json("difference", one);
  const summary = { asked, alike, byPage, differences: differences.length };
  const next = differences.length === 0 ? [] : listExport(call);
  call.tell("summary", summary, ...listDrill(result), ...next);
  return differences.length === 0 ? 0 : EXIT_ROWS_FAILED;
}
