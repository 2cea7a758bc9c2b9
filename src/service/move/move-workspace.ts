/**
 * Moves a workspace from one data folder into another, also while services run on them. Ids, slugs,
 * files, answers and scans stay the same. It may be stopped at any time and started again; nothing
 * is made twice.
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";

import type { Clock } from "../../base/time/clock.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import type { Ids } from "../../base/ids/ids.ts";
import { makeLog } from "../../base/log.ts";
import { copySqlite } from "../../base/sqlite/sqlite.ts";
import { findWorkspace, type FoundWorkspace } from "../store/find-workspace.ts";
import { formatMany } from "../../base/text/words.ts";

import { openDataFolder } from "../store/data-folder.ts";
import { refuseMovedStore } from "../store/moved-store.ts";
import { namingDamage } from "../store/store-damage.ts";
import { openStore, type SqliteStore as Store } from "../store/sqlite/sqlite-store.ts";
import { copyAddress, readAddresses, type MoveAddress } from "./move-address.ts";
import { copyFiles, copyTemplates, listFiles, listMissing, listUndrawn } from "./move-files.ts";
import {
  copyRows,
  countRows,
  findConflicts,
  findLeftSlugs,
  findLeftWebhooks,
  findLiveSlugs,
  type LeftWebhooks,
  type MoveConflict,
  type MoveCount,
} from "./move-rows.ts";
import { copyScans, countScans, takesScans } from "./move-scans.ts";
import { SOURCE } from "./moved-tables.ts";

export interface MoveRequest {
  /** Data folders. `to` is made when it is missing. */
  readonly from: string;
  readonly to: string;
  /** Default: the first workspace of the default account. */
  readonly workspaceId?: string | undefined;
  /** Name of the account that gets it; made when missing. Default "default". */
  readonly account?: string | undefined;
  /** Slugs of deleted codes may stay behind also where a code of another workspace there has them. */
  readonly leavesLive?: boolean | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface MovePlan {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly counts: readonly MoveCount[];
  /** With any conflict, nothing is moved. */
  readonly conflicts: readonly MoveConflict[];
  /** Slugs of deleted codes that stay behind, since another workspace there has or had them. */
  readonly leftSlugs: readonly string[];
  /** Those of `leftSlugs` that a code there has: labels printed with them lead to it afterwards. */
  readonly liveSlugs: readonly string[];
  /** False: scans came there in another way, and are not copied. */
  readonly takesScans: boolean;
  readonly leftWebhooks: LeftWebhooks;
  readonly address: MoveAddress;
}

export interface MoveDone {
  /** Counted again at the end. */
  readonly counts: readonly MoveCount[];
  /** Files that did not come, since the source has lost them, too. */
  readonly lost: readonly string[];
  /** New template files: the service reads them at its next start. */
  readonly templates: number;
  /** What short links begin with here; null where no address is kept. */
  readonly publicUrl: string | null;
}

export interface Move {
  readonly plan: MovePlan;
  /** Throws "bad-usage" when there are conflicts. */
  run(onStep: (step: string) => void): Promise<MoveDone>;
  close(): Promise<void>;
}

const toStoreFile = (folder: string): string => path.join(folder, "service.db");
/** Data folders ignore files with such a name. */
const toSnapshot = (folder: string): string => path.join(folder, `.move-${process.pid}.db`);
const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A copy of the source, brought up to date: the source itself is not changed. */
async function takeSnapshot(from: string, file: string): Promise<void> {
  await rm(file, { force: true });
  const source = toStoreFile(from);
  namingDamage(source, () => copySqlite(source, file));
  await openStore(file).close();
}

function requireSource(from: string, to: string): void {
  refuseMovedStore(toStoreFile(from));
  if (!existsSync(toStoreFile(from))) {
    throw badUsage(`the source must be a data folder, got ${from} without service.db`);
  }
  if (path.resolve(from) === path.resolve(to)) {
    throw badUsage(`source and destination must be two data folders, got ${from} twice`);
  }
}

async function openAccountId(store: Store, name: string, { clock, ids }: MoveRequest) {
  return store.write(async (tx) => {
    const accounts = tx.selectFrom("accounts").select("id").where("name", "=", name);
    const known = await accounts.executeTakeFirst();
    if (known !== undefined) return known.id;
    const id = ids.uuid();
    await tx.insertInto("accounts").values({ id, name, created: clock.nowMs() }).execute();
    return id;
  });
}

/** A slug can't be changed, and stays with its workspace when what has it is deleted. */
const SLUG_WAY =
  "delete what has it in the source, and make it again there with another slug if it is needed";
const OTHER_HAS_SLUG = `another code there has this slug: ${SLUG_WAY}`;

/** Products of two workspaces below one beginning would be one another's: either could change both. */
const OTHER_HAS_STEM =
  "its Digital Links begin where those of the moved workspace do, and only one workspace of a data folder can have that beginning: move into a folder of its own, or delete the products there and their codes";

const REASONS: Readonly<Record<string, string>> = {
  workspaces: OTHER_HAS_STEM,
  products: "another workspace there has this Digital Link",
  codes: OTHER_HAS_SLUG,
  pages: OTHER_HAS_SLUG,
  forms: OTHER_HAS_SLUG,
  kept_slugs: `printed codes of another workspace there may have this slug: ${SLUG_WAY}`,
};

/** A refusal is read by people; the plan has all of them. */
const CONFLICTS_NAMED = 20;

const LIVE_SLUG =
  "a code of another workspace there has this slug, and labels printed with it would lead to that: delete that code there, or give --leave-slugs where no label of the deleted code is left";

const toReason = ({ table, isLive }: MoveConflict): string =>
  isLive === true ? LIVE_SLUG : (REASONS[table] ?? "something else there has this name");

function refuseConflicts(conflicts: readonly MoveConflict[]): void {
  if (conflicts.length === 0) return;
  const left = conflicts.length - CONFLICTS_NAMED;
  throw new AppError(
    "bad-usage",
    `nothing may stand in the way there, got ${formatMany(conflicts.length, "conflict")}`,
    {
      hint: "nothing was moved; change or delete what is in the way, then run the same command again",
      problems: [
        ...conflicts.slice(0, CONFLICTS_NAMED).map((conflict) => ({
          message: `${conflict.table.replaceAll("_", " ")} ${JSON.stringify(conflict.name)}: ${toReason(conflict)}`,
        })),
        ...(left > 0 ? [{ message: `and ${left} more, which the plan with --json names` }] : []),
      ],
    },
  );
}

/** Files to move; none that the source would draw anew, as the destination will. */
async function listMovedFiles(store: Store, id: string, from: string): Promise<string[]> {
  const undrawn = await listUndrawn(store, id, from);
  return listFiles(store, id).filter((name) => !undrawn.has(name));
}

/** Counts both sides, and names the files that the destination lacks. */
async function readCounts(
  store: Store,
  id: string,
  { from, to }: Pick<MoveRequest, "from" | "to">,
): Promise<{ readonly counts: MoveCount[]; readonly missing: string[] }> {
  const names = await listMovedFiles(store, id, from);
  const missing = await listMissing(names, to);
  const files = { what: "files", source: names.length, there: names.length - missing.length };
  return { counts: [...countRows(store, id), countScans(store, id), files], missing };
}

const NEWEST = "SELECT max(created) AS ms FROM main.workspaces WHERE account_id = ?";

async function runMove(
  store: Store,
  request: MoveRequest,
  {
    workspace,
    plan,
    onStep,
  }: {
    readonly workspace: FoundWorkspace;
    readonly plan: MovePlan;
    readonly onStep: (step: string) => void;
  },
): Promise<MoveDone> {
  refuseConflicts(plan.conflicts);
  const { id } = workspace;
  const names = await listMovedFiles(store, id, request.from);
  if (names.length > 0) onStep(formatMany(names.length, "file"));
  // A code's PDF must be on the disk before the code is.
  await copyFiles(names, request);
  // Before the codes: they are drawn under it.
  const publicUrl = await copyAddress(store);
  const accountId = await openAccountId(store, request.account ?? "default", request);
  const newest = store.raw.get<{ ms: number | null }>(NEWEST, accountId)?.ms ?? 0;
  const createdMs = Math.max(request.clock.nowMs(), newest + 1);
  const owner = { workspaceId: id, accountId, createdMs };
  await copyRows(store, owner, onStep);
  if (plan.takesScans) {
    onStep("scans");
    await copyScans(store, id);
  }
  const whose = { workspaceId: id, isDefault: workspace.isDefault };
  const templates = await copyTemplates(request, whose);
  const { counts, missing } = await readCounts(store, id, request);
  return { counts, lost: missing, templates, publicUrl };
}

/** Opens both folders and looks; `run` moves. Close it in any case. */
export async function openMove(request: MoveRequest): Promise<Move> {
  const { from, to, workspaceId } = request;
  requireSource(from, to);
  await openDataFolder(to, makeLog());
  const snapshot = toSnapshot(to);
  let store: Store | undefined;
  const close = async (): Promise<void> => {
    await store?.close();
    for (const end of ["", "-wal", "-shm"]) await rm(`${snapshot}${end}`, { force: true });
  };
  try {
    await takeSnapshot(from, snapshot);
    const opened = openStore(toStoreFile(to));
    store = opened;
    opened.raw.exec(`ATTACH DATABASE ${quote(snapshot)} AS ${SOURCE}`);
    const workspace = findWorkspace(opened.raw, workspaceId, { schema: SOURCE, of: "the source" });
    const liveSlugs = findLiveSlugs(opened, workspace.id);
    const inTheWay = request.leavesLive === true ? [] : liveSlugs;
    const plan: MovePlan = {
      workspaceId: workspace.id,
      workspaceName: workspace.name,
      counts: (await readCounts(opened, workspace.id, request)).counts,
      conflicts: [
        ...findConflicts(opened, workspace.id),
        ...inTheWay.map((name) => ({ table: "kept_slugs", name, isLive: true as const })),
      ],
      leftSlugs: findLeftSlugs(opened, workspace.id),
      liveSlugs,
      takesScans: takesScans(opened, workspace.id),
      leftWebhooks: findLeftWebhooks(opened, workspace.id),
      address: readAddresses(opened),
    };
    return {
      plan,
      run: (onStep) => runMove(opened, request, { workspace, plan, onStep }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
