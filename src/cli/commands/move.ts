/** A workspace from one server to another: from its data folder with everything. */
import { existsSync } from "node:fs";
import path from "node:path";

import { closing } from "../../base/flow/closing.ts";
import { badUsage } from "../../base/errors.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { andMore, formatCount, formatMany } from "../../base/text/words.ts";
import type { MoveCount, MoveConflict } from "../../service/move/move-rows.ts";
import {
  openMove,
  type Move,
  type MoveDone,
  type MovePlan,
} from "../../service/move/move-workspace.ts";
import { LEDGER_FILE } from "../../read/rows/serial-ledger.ts";
import { UNITS_FILE } from "../../state/unit-ledger.ts";
import { EXIT_ROWS_FAILED } from "../../base/exit-codes.ts";
import type { Call } from "../call.ts";
import { withMore } from "../views/lists.ts";
import { requireSqliteDir } from "../sqlite-folder.ts";

const MOVE =
  "move into a new data folder (--data), without --store and MAKEREADY_STORE; an empty database takes it over: makeready move-store postgres";

/** They belong to the server, or to people who need to hear of the move anyway. */
const LEFT_BEHIND =
  "tokens and grants of assistants; pictures of codes get new addresses and are drawn anew on request; known visitors count as new ones";

/** Of jobs, not of a workspace; two ledgers have two keys, and can't become one. */
const SERIALS_STAY =
  "serials.db: copy it into the data folder that its jobs use from now on, before their next run, and keep the path from there to their output folders; otherwise they get other serials";

/**
 * What became of printed codes. The service knows by itself which of them are void; that moves with
 * it.
 */
const UNITS_STAY =
  "units.db: copy it into the data folder that its jobs use from now on; otherwise void labels are printed again and reconcile knows of no void or spoiled label";

const NAMES_SHOWN = 20;
const JSON_HAS_ALL = "--json names all of them";
const SLUGS_SHOWN = 5;

const sayServed = (server: string): string =>
  `the receiver at ${server}, which serve names: start this service with the same --webhook-url and --webhook-secret`;

const sayWaiting = (count: number): string =>
  `${formatMany(count, "report")} that no receiver of webhooks has taken yet: let the service there send them first`;

function listLeftBehind(from: string, { leftWebhooks }: MovePlan): string {
  const { served, waiting } = leftWebhooks;
  const ledgers = [
    [LEDGER_FILE, SERIALS_STAY],
    [UNITS_FILE, UNITS_STAY],
  ] as const;
  const there = ledgers.filter(([file]) => existsSync(path.join(from, file)));
  return linesOf(
    LEFT_BEHIND,
    served !== undefined && sayServed(served),
    waiting > 0 && sayWaiting(waiting),
    ...there.map(([, says]) => says),
  ).join("; ");
}

const toCountLine = ({ what, source, there }: MoveCount): string =>
  `  ${what}: ${formatCount(source)}${there === 0 ? "" : `, ${formatCount(there)} there already`}`;

const toConflictLine = ({ table, name }: MoveConflict): string =>
  `  conflict: ${table.replaceAll("_", " ")} ${JSON.stringify(name)}`;

/** Said before anything is moved: printed codes hold the address of the source. */
function sayAddress({ from, to, comesAlong }: MovePlan["address"]): string | false {
  if (comesAlong) return `  address: ${from} comes along: short links begin with it here, too`;
  return (
    from !== null &&
    from !== to &&
    `  address: codes there have ${from}, here they get ${to}; printed ones lead nowhere unless every address that begins with ${from} leads here, too`
  );
}

/** Kept for nobody any more: the destination gives them to nobody else, either. */
function sayLeftSlugs({ leftSlugs }: MovePlan, does: string): string | false {
  if (leftSlugs.length === 0) return false;
  const names = leftSlugs.slice(0, SLUGS_SHOWN).map((slug) => JSON.stringify(slug));
  const more = andMore(leftSlugs.length - names.length);
  return `  ${formatMany(leftSlugs.length, "kept slug")} of deleted codes ${does}: taken there (${names.join(", ")}${more})`;
}

/** They lead somewhere, after they led nowhere. */
const listLiveSlugs = ({ liveSlugs }: MovePlan): string[] =>
  withMore(
    liveSlugs
      .slice(0, NAMES_SHOWN)
      .map(
        (slug) =>
          `  slug ${JSON.stringify(slug)}: labels printed with it will lead to what another workspace has there`,
      ),
    liveSlugs.length,
    (left, count) => `  and ${left} more such ${count === 1 ? "slug" : "slugs"}; ${JSON_HAS_ALL}`,
  );

function listPlan(plan: MovePlan, leftBehind: string): string[] {
  return linesOf(
    `workspace ${plan.workspaceName} (${plan.workspaceId})`,
    ...plan.counts.filter(({ source }) => source > 0).map(toCountLine),
    !plan.takesScans &&
      "  scans stay behind: the workspace has scans there already, and these would count twice",
    sayLeftSlugs(plan, "will be left"),
    ...listLiveSlugs(plan),
    sayAddress(plan.address),
    `  not moved: ${leftBehind}`,
    ...withMore(
      plan.conflicts.slice(0, NAMES_SHOWN).map(toConflictLine),
      plan.conflicts.length,
      (left, count) =>
        `  and ${left} more ${count === 1 ? "conflict" : "conflicts"}; ${JSON_HAS_ALL}`,
    ),
  );
}

/** Counted on both sides, and no file was lost. */
const isWhole = ({ takesScans }: MovePlan, { counts, lost }: MoveDone): boolean =>
  lost.length === 0 &&
  counts.every(({ what, source, there }) => there >= source || (what === "scans" && !takesScans));

/** A service reads it at its start. */
function sayKept({ publicUrl }: MoveDone, { address }: MovePlan): string | false {
  const more = address.comesAlong
    ? "; start a service again that runs on this folder already: it has the address from then on"
    : "";
  return publicUrl !== null && `  short links begin with ${publicUrl}${more}`;
}

const listDone = (done: MoveDone, plan: MovePlan, whole: boolean): string[] =>
  linesOf(
    whole ? "Moved, counted and found whole:" : "Moved, but not all of it is there:",
    ...done.counts
      .filter(({ source }) => source > 0)
      .map(
        ({ what, source, there }) => `  ${what}: ${formatCount(there)} of ${formatCount(source)}`,
      ),
    sayLeftSlugs(plan, plan.leftSlugs.length === 1 ? "was left" : "were left"),
    ...listLiveSlugs(plan),
    sayKept(done, plan),
    ...withMore(
      done.lost.slice(0, NAMES_SHOWN).map((name) => `  lost in the source already: media/${name}`),
      done.lost.length,
      (left) => `  and ${left} more; ${JSON_HAS_ALL}`,
    ),
    done.templates > 0 && "  templates of your own are read with the next start of the service",
  );

async function moveFolder(call: Call, from: string, move: Move): Promise<number> {
  const { plan } = move;
  const leftBehind = listLeftBehind(from, plan);
  call.tell("plan", { ...plan, leftBehind }, ...listPlan(plan, leftBehind));
  const hasConflicts = plan.conflicts.length > 0;
  if (!hasConflicts && !(await call.agrees("move it?", "nothing was moved; add --yes to move it")))
    return 0;
  const done = await move.run((step) => {
    if (!call.isJson) call.context.err(`moving ${step.replaceAll("_", " ")}\n`);
  });
  const whole = isWhole(plan, done);
  call.tell("summary", { isWhole: whole, ...done }, ...listDone(done, plan, whole));
  return whole ? 0 : EXIT_ROWS_FAILED;
}

/** What the API neither shows nor takes: over HTTP alone, printed codes would lead nowhere. */
const NOT_OVER_HTTP =
  "over HTTP the API shows no designs of codes and no fields of forms, and takes no slugs of codes, answers or scans: copy the data folder or a backup of it to this computer and move from there; short links alone are brought by makeready import-links";

function readSource(call: Call): string {
  const from = call.require("the data folder to move from");
  if (!/^https?:/iu.test(from)) return call.resolve(from);
  throw badUsage(`the source must be a data folder, got ${from}`, NOT_OVER_HTTP);
}

export async function move(call: Call): Promise<number> {
  const from = readSource(call);
  return closing(
    await openMove({
      from,
      to: requireSqliteDir(call, MOVE),
      workspaceId: call.text("workspace"),
      account: call.text("account"),
      leavesLive: call.has("leaveSlugs"),
      clock: call.context.clock,
      ids: call.context.ids,
    }),
    (opened) => moveFolder(call, from, opened),
  );
}
