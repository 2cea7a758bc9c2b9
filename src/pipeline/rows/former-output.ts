/** The older output folder of a manifest whose name or `output.dir` was changed: its codes are there. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { AppError, type Problem } from "../../base/errors.ts";
import { toSlug } from "../../base/slug.ts";
import { stateDirOf, type RowJob } from "../../kinds/any-job.ts";
import { isSameContent } from "../../plan/changed-key.ts";
import { readMeta, readState } from "../../state/find-state.ts";
import type { PlannedRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { ANY } from "../../state/which-rows.ts";
import { findForeign, type ForeignOrder } from "../foreign-server.ts";
import { LAST_RESULT } from "../last-result.ts";
import { loadJob } from "../load-job.ts";
import type { Ports } from "../ports.ts";
import type { Spool } from "../spool.ts";
import type { FolderChoice } from "../strategy.ts";
import { foldersBelow, toRoots, wroteInto } from "./moved-output.ts";
import { CHOSEN_BY, JOB, MANIFEST } from "./whose-state.ts";

interface Former {
  /** Absolute. */
  readonly folder: string;
  readonly name: string;
}

interface Order extends FolderChoice {
  readonly job: RowJob;
  readonly server: ForeignOrder["server"];
}

type Asker = Pick<Ports, "access" | "server" | "clock" | "writer">;

/** So many rows are compared. */
const COMPARED = 10_000;

/** What this very manifest made, in the folder that it named then. */
function toFormer({ file, output }: RowJob, folder: string): Former | undefined {
  const meta = readMeta(folder, [JOB, MANIFEST, CHOSEN_BY, LAST_RESULT]);
  const { [JOB]: name, [CHOSEN_BY]: chosenBy } = meta;
  if (name === undefined || meta[MANIFEST] !== path.basename(file)) return undefined;
  const result = meta[LAST_RESULT];
  // It was moved away from where the manifest still says that it is.
  if (wroteInto(output.dir, { file, result })) return undefined;
  // States of before did not note who chose the folder.
  const isOwn =
    chosenBy === undefined
      ? wroteInto(folder, { file, result })
      : chosenBy !== "" && path.resolve(folder, chosenBy) === file;
  return isOwn ? { folder, name } : undefined;
}

/** Where another manifest of the project goes on with it: this one is a copy, or was made from it. */
async function isOfAnother({ file }: RowJob, { folder }: Former): Promise<boolean> {
  const beside = path.dirname(file);
  for (const name of readdirSync(beside)) {
    const other = path.join(beside, name);
    if (other === file || !/\.(?:ya?ml|json)$/iu.test(name)) continue;
    try {
      const job = await loadJob(other, { env: {} });
      if (stateDirOf(job) === folder) return true;
    } catch (error) {
      // It is no manifest, or can't be read: then it can't go on with it.
      if (!(error instanceof AppError) || error.kind === "bug") throw error;
    }
  }
  return false;
}

function isMadeIn(state: State, row: PlannedRow): boolean {
  const old = state.row(row.key);
  if (old === undefined || !state.wasSent(row.key)) return false;
  return isSameContent(row, old) || isDeepStrictEqual({ ...row.cells }, { ...old.cells });
}

/** How many of the rows would be made a second time, where most of them would. */
async function countDoubles(
  { job, server }: Order,
  { folder }: Former,
  { ports, spool }: { readonly ports: Asker; readonly spool: Spool },
): Promise<number> {
  const { writer, clock } = ports;
  const state = await readState(folder, { writer, salt: "", nowMs: clock.nowMs() });
  if (state === undefined) return 0;
  try {
    // Another server needs codes of its own.
    if ((await findForeign({ job, server }, state, ports)) !== undefined) return 0;
    let [compared, doubles] = [0, 0];
    for (const row of spool.good()) {
      if (isMadeIn(state, row)) doubles += 1;
      compared += 1;
      if (compared >= COMPARED) break;
    }
    // Lists of a campaign with a name of its own may share a few rows with the one before.
    return doubles * 2 > compared ? doubles : 0;
  } finally {
    state.close();
  }
}

function toProblem({ name, file, output }: RowJob, former: Former, doubles: number): Problem {
  const beside = path.dirname(file);
  const dir = path.relative(beside, former.folder).split(path.sep).join("/") || ".";
  const isDefault = (folder: string, job: string): boolean =>
    folder === path.join(beside, "out", toSlug(job));
  const isByName =
    name !== former.name && isDefault(output.dir, name) && isDefault(former.folder, former.name);
  const under = name === former.name ? "" : `, made under name: ${former.name}`;
  const rows = doubles === 1 ? "the code of 1 row" : `the codes of ${doubles} rows`;
  const back = isByName
    ? `put name: ${former.name} back, or write output.dir: ${dir}`
    : `write output.dir: ${dir}`;
  return {
    message: `the codes of this manifest are in ${dir}${under}: a run would make ${rows} a second time`,
    hint: `to go on with them, ${back}; or make every code anew with --fresh --yes`,
    where: { file, field: isByName ? "name" : "output.dir" },
  };
}

/** The error for rows that this manifest has made already, into the folder that it named before. */
export async function findFormerOutput(
  order: Order,
  ports: Asker,
  { state, spool }: { readonly state: State | undefined; readonly spool: Spool },
): Promise<Problem | undefined> {
  const { job, isFolderGiven = false } = order;
  if (isFolderGiven || (state !== undefined && state.count(ANY) > 0)) return undefined;
  for (const folder of foldersBelow(toRoots(job))) {
    const former = folder === job.output.dir ? undefined : toFormer(job, folder);
    const doubles = former === undefined ? 0 : await countDoubles(order, former, { ports, spool });
    if (former !== undefined && doubles > 0 && !(await isOfAnother(job, former)))
      return toProblem(job, former, doubles);
  }
  return undefined;
}
