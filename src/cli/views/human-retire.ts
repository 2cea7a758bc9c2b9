/** What `retire` lists, and what it costs to do it. */
import { formatProblem, toShortPath } from "../../base/text/format-problem.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { sayIn } from "../../base/shapes/rows-from.ts";
import { formatCount, formatMany, quoteText } from "../../base/text/words.ts";
import { sayGone, withMore } from "./lists.ts";
import type { RetirePlanView } from "./view.ts";

const ROWS_SHOWN = 100;

function formatDeath({ rows, dynamic, voided, products }: RetirePlanView): string {
  const statics = rows.length - dynamic - voided - products;
  const parts: readonly (readonly [count: number, says: string])[] = [
    [
      dynamic,
      `${formatMany(dynamic, "short link dies", "short links die")}: ${dynamic === 1 ? "whoever scans it finds nothing, and nobody can bring it back" : "whoever scans one finds nothing, and nobody can bring them back"}`,
    ],
    [
      voided,
      formatMany(
        voided,
        "void code no longer says that it is void",
        "void codes no longer say that they are void",
      ),
    ],
    [statics, `${formatMany(statics, "static one goes", "static ones go")} on in print`],
    [
      products,
      formatMany(
        products,
        "GS1 product stays, and its printed code answers as before",
        "GS1 products stay, and their printed codes answer as before",
      ),
    ],
  ];
  const said = parts.filter(([count]) => count > 0).map(([, says]) => says);
  return said.length === 0 ? "" : `${dynamic > 0 ? ":" : ";"} ${said.join("; ")}`;
}

function formatWays(plan: RetirePlanView): string[] {
  const { rows, canFile, canDelete, undo, writes, moved } = plan;
  const cost = formatMany(writes, "write");
  const them = rows.length === 1 ? "it" : "them";
  return linesOf(
    canFile &&
      `  --folder PATH  moves ${them} to a folder, ${cost} and 1 more for each folder that PATH names; ${moved === undefined ? "printed codes answer as before; " : ""}to move ${them} back: ${undo}`,
    canDelete && `  --delete       deletes ${them}, ${cost}${formatDeath(plan)}`,
  );
}

function formatAction(plan: RetirePlanView): string[] {
  const { action, rows, writes, folderWrites: folders } = plan;
  if (rows.length === 0) return [];
  if (action === undefined) return formatWays(plan);
  const cost = formatMany(writes, "write");
  return action.does === "file"
    ? [
        `  to the folder ${quoteText(action.folder)}, ${cost}, ${formatCount(folders)} of them for ${folders === 1 ? "the folder" : "folders"}`,
      ]
    : [`  to be deleted, ${cost}${formatDeath(plan)}`];
}

const formatHead = ({ job, thing, rows }: RetirePlanView, place: string): string =>
  rows.length === 0
    ? `${job}: no ${thing} without a row ${place}`
    : `${job}: ${formatMany(rows.length, thing)} ${rows.length === 1 ? "whose row is" : "whose rows are"} no longer ${place}`;

/** Codes are only touched after a run has reported that their rows vanished. */
function formatWaiting({ job, rows, waiting, run }: RetirePlanView): string {
  const says = `${formatMany(waiting, "row has", "rows have")} vanished since the last run. First run: ${run}`;
  return rows.length === 0 ? `${job}: ${says}` : `  ${says}`;
}

/** The codes whose rows vanished, and what can become of them. */
export function formatRetirePlan(plan: RetirePlanView, cwd: string): string {
  const { rows, waiting, moved } = plan;
  const shown = rows.slice(0, ROWS_SHOWN).map((row) => `  ${sayGone(row)}`);
  const isFile = plan.from === "spreadsheet" || plan.from === "folder";
  const place = isFile ? `in ${toShortPath(plan.input, cwd)}` : sayIn(plan.from);
  return linesOf(
    (rows.length > 0 || waiting === 0) && formatHead(plan, place),
    ...withMore(shown, rows.length, (left) => `  … and ${left} more; all are in vanished-rows.csv`),
    moved !== undefined && `  ${formatProblem(moved, cwd)}`,
    waiting > 0 && formatWaiting(plan),
    ...formatAction(plan),
  ).join("\n");
}
