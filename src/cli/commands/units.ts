/** What became of printed codes: made void, replaced, activated; and whether all of them are accounted for. */
import { toShortPath } from "../../base/format-problem.ts";
import { readRanges } from "../../base/number-ranges.ts";
import { sayPressWarning } from "../../base/press-warning.ts";
import { formatCount, formatMany } from "../../base/words.ts";
import type { MarkRequest, MarkResult } from "../../pipeline/units/mark-units.ts";
import type { Reconciliation } from "../../pipeline/units/reconcile.ts";
import type { ReplaceResult } from "../../pipeline/units/replace-units.ts";
import type { Discrepancy } from "../../pipeline/units/sum-units.ts";
import { readFlag, readList, readText, type CliContext, type Input } from "../context.ts";
import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { makeView } from "../make-view.ts";
import { makePorts, openJob } from "../open-job.ts";
import { toPeople } from "../terminal.ts";

function readRequest({ user = "" }: CliContext, input: Input): MarkRequest {
  const lines = readText(input, "lines");
  return {
    lines: lines === undefined ? undefined : readRanges(lines, "--lines"),
    keys: readList(input, "key"),
    isSpoiled: readFlag(input, "spoiled"),
    reason: readText(input, "reason"),
    by: readText(input, "by") ?? user,
    isConfirmed: readFlag(input, "yes"),
  };
}

function tell(context: CliContext, input: Input, result: object, lines: readonly string[]): void {
  if (readFlag(input, "json")) context.out(`${JSON.stringify({ type: "summary", ...result })}\n`);
  else toPeople(context).out(`${lines.join("\n")}\n`);
}

const did = { void: "void", activated: "activated" } as const;

const sayAlready = (already: readonly string[], what: string): string[] =>
  already.length === 0
    ? []
    : [
        `  ${formatMany(already.length, "code")} ${already.length === 1 ? "was" : "were"} ${what} already`,
      ];

/** What void codes answer from now on. */
function saySilenced({ silenced, alive }: Pick<MarkResult, "silenced" | "alive">): string[] {
  return [
    ...(silenced === 0
      ? []
      : [
          `  ${formatMany(silenced, "void code")} ${silenced === 1 ? "leads" : "lead"} to a page that says the code is void`,
        ]),
    ...(alive === 0
      ? []
      : [
          `  ${formatMany(alive, "void code")} can still be read and ${alive === 1 ? "works" : "work"} as before: static codes and codes of other servers have no such page`,
        ]),
  ];
}

async function mark(
  context: CliContext,
  input: Input,
  what: "void" | "activated",
): Promise<number> {
  const opened = await openJob(context, input);
  const ports = makePorts(context, makeView(context, input), input);
  const result = await opened.mark(ports, { what, ...readRequest(context, input) });
  const told = what === "void" ? saySilenced(result) : [];
  tell(context, input, result, [
    `${result.job}: ${formatMany(result.marked.length, "code")} ${did[what]}`,
    ...sayAlready(result.already, did[what]),
    ...told,
  ]);
  return 0;
}

export const voidUnits = (context: CliContext, input: Input): Promise<number> =>
  mark(context, input, "void");

export const activate = (context: CliContext, input: Input): Promise<number> =>
  mark(context, input, "activated");

function sayReprint({ reprint }: ReplaceResult, cwd: string): string[] {
  if (reprint === undefined) return [];
  const { codes, decoded, files, isReady, isRehearsal, warnings, findings } = reprint;
  const verdict = isReady ? "ready for press" : "NOT READY FOR PRESS";
  return [
    ...files.map(
      (file) => `  ${toShortPath(file, cwd)}: ${formatMany(codes, "code")}, ${decoded} read back`,
    ),
    ...warnings.map((warning) => `  warning: ${sayPressWarning(warning)}`),
    ...findings.map(({ rule, message }) => `  ${rule}: ${message}`),
    isRehearsal
      ? "  not ready for press: a rehearsal, the codes point to this computer"
      : `  ${verdict}`,
  ];
}

export async function replace(context: CliContext, input: Input): Promise<number> {
  const opened = await openJob(context, input);
  const ports = makePorts(context, makeView(context, input), input);
  const result = await opened.replace(ports, readRequest(context, input));
  const { job, policy, replaced, already, round, reprint } = result;
  const isNew = policy === "new";
  const next =
    isNew && round !== undefined ? ports.commandOf("run", { without: ["yes"] }) : undefined;
  const labels = isNew ? replaced.length : (reprint?.codes ?? 0);
  const head = isNew
    ? `${job}: ${formatMany(replaced.length, "code")} void, a fresh serial in the place of each`
    : `${job}: ${formatMany(labels, "label")} printed again`;
  tell(context, input, { ...result, next: next ?? null }, [
    head,
    ...sayAlready(already, isNew ? "replaced" : "void or printed again"),
    ...saySilenced(result),
    ...sayReprint(result, context.cwd),
    ...(next === undefined
      ? []
      : [`→ make and print them, in PDFs that end in -replaced-${round}: ${next}`]),
  ]);
  return reprint?.isReady === false ? EXIT_ROWS_FAILED : 0;
}

const sayFault = ({ what, count, examples }: Discrepancy): string =>
  `  does not fit: ${what} (${formatCount(count)}): ${examples.join("; ")}${count > examples.length ? " …" : ""}`;

function sayTotal(words: Readonly<Record<string, number>>): string {
  const parts = Object.entries(words).map(([word, count]) => `${formatCount(count)} ${word}`);
  const sum = Object.values(words).reduce((a, b) => a + b, 0);
  return `${parts.join(" + ")} = ${formatCount(sum)}`;
}

function formatReconciliation(result: Reconciliation, cwd: string): string[] {
  const { codes, issued, fates, voidScans, epcis, discrepancies, files } = result;
  const { minted, void: gone, replaced, activated } = codes;
  return [
    `${result.job}: ${result.isReconciled ? "reconciled, every code and label is accounted for" : "NOT RECONCILED"}`,
    `  codes     ${formatCount(minted)} minted, ${formatCount(gone)} void, ${formatCount(replaced)} replaced, ${formatCount(activated)} activated`,
    `  printed   ${sayTotal({ "of rows": issued.rows, "of replacements": issued.replacements, overs: issued.overs, spares: issued.spares, "printed again": issued.reprinted })} labels`,
    `  now       ${sayTotal({ good: fates.good, spoiled: fates.spoiled, void: fates.void })} labels`,
    ...(voidScans === undefined
      ? []
      : [`  void codes were scanned ${formatCount(voidScans)} times since`]),
    ...(epcis.nameless === 0
      ? []
      : [
          `  ${formatMany(epcis.nameless, "code")} of no web address or GS1 key: in no EPCIS event`,
        ]),
    ...discrepancies.map(sayFault),
    ...files.map((file) => `  written: ${toShortPath(file, cwd)}`),
  ];
}

export async function reconcile(context: CliContext, input: Input): Promise<number> {
  const opened = await openJob(context, input);
  const ports = makePorts(context, makeView(context, input), input);
  const result = await opened.reconcile(ports);
  tell(context, input, result, formatReconciliation(result, context.cwd));
  return result.isReconciled ? 0 : EXIT_ROWS_FAILED;
}
