/** What became of printed codes: made void, replaced, activated; and whether all of them are accounted for. */
import { linesOf } from "../../base/text/lines-of.ts";
import { readWhole } from "../settings.ts";
import { toShortPath } from "../../base/text/format-problem.ts";
import { readRanges } from "../../base/text/number-ranges.ts";
import { andMore, formatCount, formatMany } from "../../base/text/words.ts";
import type { MarkRequest, MarkResult } from "../../pipeline/units/mark-units.ts";
import type { ReplaceResult } from "../../pipeline/units/replace-units.ts";
import type { Reconciliation } from "../../pipeline/units/reconcile.ts";
import type { Discrepancy } from "../../pipeline/units/sum-units.ts";
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import type { Call } from "../call.ts";
import { makePorts, openJob } from "../open-job.ts";
import { exitOfReprint, listReprint, sayReprint } from "../views/proof-words.ts";

function readRequest(call: Call): MarkRequest {
  const lines = call.text("lines");
  return {
    lines: lines === undefined ? undefined : readRanges(lines, "--lines"),
    keys: call.list("key"),
    isSpoiled: call.has("spoiled"),
    reason: call.text("reason"),
    by: call.text("by") ?? call.context.user ?? "",
    isConfirmed: call.has("yes"),
  };
}

const sayAlready = (already: readonly string[], what: string): string | false =>
  already.length > 0 && `  ${formatMany(already.length, "code was", "codes were")} ${what} already`;

/** Says how void codes answer from now on. */
function saySilenced({ silenced, alive }: Pick<MarkResult, "silenced" | "alive">): string[] {
  return linesOf(
    silenced !== 0 &&
      `  ${formatMany(silenced, "void code leads", "void codes lead")} to a page that says the code is void`,
    alive !== 0 &&
      `  ${formatMany(alive, "void code")} can still be read and ${alive === 1 ? "works" : "work"} as before: static codes, Digital Links and codes of other servers have no such page`,
  );
}

const sayNoneSpoiled = (does: string): string => `no label is spoiled: nothing to ${does}`;

/** Without a row that was meant, `spoiled.csv` has none. */
const sayMarked = ({ what, marked, already }: MarkResult): string =>
  marked.length + already.length === 0
    ? sayNoneSpoiled(what === "void" ? "void" : "activate")
    : `${formatMany(marked.length, "code")} ${what}`;

async function mark(call: Call, what: "void" | "activated"): Promise<void> {
  const opened = await openJob(call);
  const result = await opened.mark(makePorts(call), { what, ...readRequest(call) });
  const lines = linesOf(
    `${result.job}: ${sayMarked(result)}`,
    sayAlready(result.already, what),
    ...(what === "void" ? saySilenced(result) : []),
  );
  call.tell("summary", result, ...lines);
}

export const voidUnits = (call: Call): Promise<void> => mark(call, "void");
export const activate = (call: Call): Promise<void> => mark(call, "activated");

function sayReplaced({ policy, replaced, already, reprint }: ReplaceResult): string {
  if (replaced.length + already.length === 0) return sayNoneSpoiled("replace");
  if (policy === "new" && replaced.length > 0)
    return `${formatMany(replaced.length, "code")} void, a fresh serial in the place of each`;
  return reprint === undefined ? "nothing is left to replace" : sayReprint(reprint);
}

/** A second look for who types a command twice. */
const sayBefore = ({ before = [] }: ReplaceResult): string | false =>
  before.length > 0 &&
  `  ${formatMany(before.length, "label was", "labels were")} printed again before: ${before
    .slice(0, SHOWN)
    .map(({ key, times }) => `${key} (${formatMany(times, "time")})`)
    .join(", ")}${andMore(before.length - SHOWN)}; each counts as one more spoiled label`;

const SHOWN = 5;

export async function replace(call: Call): Promise<number> {
  const opened = await openJob(call);
  const ports = makePorts(call);
  const result = await opened.replace(ports, {
    ...readRequest(call),
    start: readWhole(call.given("start"), { least: 1 }),
  });
  const { job, policy, already, round, reprint } = result;
  const isNew = policy === "new";
  const next = isNew && round !== undefined ? ports.commandOf("run") : undefined;
  const lines = linesOf(
    `${job}: ${sayReplaced(result)}`,
    sayAlready(already, isNew ? "replaced" : "void or printed again"),
    sayBefore(result),
    ...saySilenced(result),
    ...(reprint?.files ?? []).map((file) => `  ${toShortPath(file, call.context.cwd)}`),
    ...(reprint === undefined ? [] : listReprint(reprint)),
    next !== undefined && `→ make and print them, in PDFs that end in -replaced-${round}: ${next}`,
  );
  call.tell("summary", { ...result, next: next ?? null }, ...lines);
  return reprint === undefined ? 0 : exitOfReprint(reprint);
}

const sayFault = ({ what, count, examples }: Discrepancy): string =>
  `  does not fit: ${what} (${formatCount(count)}): ${examples.join("; ")}${count > examples.length ? " …" : ""}`;

function sayTotal(words: Readonly<Record<string, number>>): string {
  const parts = Object.entries(words).map(([word, count]) => `${formatCount(count)} ${word}`);
  const sum = Object.values(words).reduce((a, b) => a + b, 0);
  return `${parts.join(" + ")} = ${formatCount(sum)}`;
}

/** What became of the rows of the minted codes, where not all of them are there. */
function listRows({ rows, unmade }: Reconciliation): string[] {
  const { present, ...gone } = rows;
  const without = unmade === 0 ? [] : [`  rows      ${formatCount(unmade)} without a code yet`];
  const words = {
    vanished: "without a row",
    filed: "filed",
    deleted: "deleted",
    bad: "with a bad row",
  } as const;
  const others = (Object.keys(words) as (keyof typeof words)[]).filter((one) => gone[one] > 0);
  if (others.length === 0) return without;
  const parts = others.map((one) => [words[one], gone[one]] as const);
  const total = sayTotal({ "with a row": present, ...Object.fromEntries(parts) });
  return [`  rows      ${total} codes`, ...without];
}

function listReconciliation(result: Reconciliation, cwd: string): string[] {
  const { codes, issued, fates, voidScans, epcis, discrepancies, files } = result;
  const damaged = fates.damaged > 0 ? { "damaged or missing in the last scan": fates.damaged } : {};
  const { minted, void: gone, replaced, activated } = codes;
  return linesOf(
    `${result.job}: ${result.isReconciled ? "reconciled, every code and label is accounted for" : "NOT RECONCILED"}`,
    `  codes     ${formatCount(minted)} minted, ${formatCount(gone)} void, ${formatCount(replaced)} replaced, ${formatCount(activated)} activated`,
    ...listRows(result),
    `  printed   ${sayTotal({ "of rows": issued.rows, "of replacements": issued.replacements, overs: issued.overs, spares: issued.spares, "printed again": issued.reprinted })} labels`,
    `  now       ${sayTotal({ good: fates.good, spoiled: fates.spoiled, ...damaged, void: fates.void })} labels`,
    voidScans !== undefined && `  void codes were scanned ${formatCount(voidScans)} times since`,
    epcis.nameless !== 0 &&
      `  ${formatMany(epcis.nameless, "code")} without a web address or GS1 key: in no EPCIS event`,
    ...discrepancies.map(sayFault),
    ...files.map((file) => `  written: ${toShortPath(file, cwd)}`),
  );
}

export async function reconcile(call: Call): Promise<number> {
  const opened = await openJob(call);
  const result = await opened.reconcile(makePorts(call));
  call.tell("summary", result, ...listReconciliation(result, call.context.cwd));
  return result.isReconciled ? 0 : EXIT_ROWS_FAILED;
}
