/** The older output folder of a manifest whose name or `output.dir` was changed: its codes are there. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { AppError, type Problem } from "../../base/errors.ts";
import { toSlug } from "../../base/text/slug.ts";
import { formatMany } from "../../base/text/words.ts";
import { stateDirOf, type RowJob } from "../../kinds/any-job.ts";
import { isSameContent } from "../../plan/changed-key.ts";
import { readMeta, readState } from "../../state/find-state.ts";
import type { PlannedRow, StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { ANY, DONE, HAS_OR_MAY_HAVE_CODE } from "../../state/which-rows.ts";
import { findForeign, type ForeignOrder } from "../address/foreign-server.ts";
import { LAST_RESULT } from "../standing/last-result.ts";
import { loadJob } from "../source/load-job.ts";
import type { Ports } from "../ports.ts";
import type { Spool } from "./spool.ts";
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
  /** Every code is made anew: that was agreed on. */
  readonly fresh?: boolean | undefined;
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

/** The same thing once more; a row of another campaign has the key alone. */
const isSame = (row: PlannedRow, old: StateRow): boolean =>
  isSameContent(row, old) || isDeepStrictEqual({ ...row.cells }, { ...old.cells });

/** Rows that would be made a second time: their keys have codes. */
interface Doubles {
  readonly count: number;
  /** Most rows are the same as well: no campaign of its own. */
  readonly isMost: boolean;
  /** Not every row was compared. */
  readonly isMore: boolean;
}

const NONE: Doubles = { count: 0, isMost: false, isMore: false };

async function countDoubles(
  { job, server }: Order,
  { folder }: Former,
  { ports, spool }: { readonly ports: Asker; readonly spool: Spool },
): Promise<Doubles> {
  const { writer, clock } = ports;
  const state = await readState(folder, { writer, salt: "", nowMs: clock.nowMs() });
  if (state === undefined) return NONE;
  try {
    // Another server needs codes of its own.
    if ((await findForeign({ job, server }, state, ports)) !== undefined) return NONE;
    let [compared, count, same] = [0, 0, 0];
    for (const row of spool.good()) {
      const old = state.is(row.key, HAS_OR_MAY_HAVE_CODE) ? state.row(row.key) : undefined;
      if (old !== undefined) {
        count += 1;
        same += Number(isSame(row, old));
      }
      compared += 1;
      if (compared >= COMPARED) break;
    }
    return { count, isMost: same * 2 > compared, isMore: compared >= COMPARED };
  } finally {
    state.close();
  }
}

/** In which folder the codes are, and the way back to it. */
function sayFormer({ name, file, output }: RowJob, former: Former) {
  const beside = path.dirname(file);
  const dir = path.relative(beside, former.folder).split(path.sep).join("/") || ".";
  const isDefault = (folder: string, job: string): boolean =>
    folder === path.join(beside, "out", toSlug(job));
  const isByName =
    name !== former.name && isDefault(output.dir, name) && isDefault(former.folder, former.name);
  const under = name === former.name ? "" : `, made under name: ${former.name}`;
  const back = isByName
    ? `put name: ${former.name} back, or write output.dir: ${dir}`
    : `write output.dir: ${dir}`;
  return { dir, under, back, where: { file, field: isByName ? "name" : "output.dir" } };
}

function toProblem(job: RowJob, former: Former, { count, isMost, isMore }: Doubles): Problem {
  const { dir, under, back, where } = sayFormer(job, former);
  const many = `${isMore ? "at least " : ""}${formatMany(count, "row")}`;
  const rows = count === 1 && !isMore ? "the code of 1 row" : `the codes of ${many}`;
  if (isMost)
    return {
      message: `the codes of this manifest are in ${dir}${under}: a run would make ${rows} a second time`,
      hint: `to go on with them, ${back}; or make every code anew with --fresh --yes`,
      where,
    };
  // Lists of a campaign with a name of its own may share a few rows with the one before.
  return {
    message: `this manifest has made ${rows} before, into ${dir}${under}: a run makes them a second time`,
    hint: `right for another campaign; if it is the same job under a new name, ${back}`,
    where,
  };
}

/** Of a job that has no codes of its own: what this manifest made, and nobody goes on with. */
async function* findFormers(job: RowJob): AsyncIterable<Former> {
  for (const folder of foldersBelow(toRoots(job))) {
    const former = folder === job.output.dir ? undefined : toFormer(job, folder);
    if (former !== undefined && !(await isOfAnother(job, former))) yield former;
  }
}

/** What is known of such codes before any row is read. */
export async function sayFormerOutput(
  job: RowJob,
  { writer, clock }: Pick<Ports, "writer" | "clock">,
): Promise<Problem | undefined> {
  for await (const former of findFormers(job)) {
    const state = await readState(former.folder, { writer, salt: "", nowMs: clock.nowMs() });
    const codes = state?.count(DONE) ?? 0;
    state?.close();
    if (codes === 0) continue;
    const { dir, under, back, where } = sayFormer(job, former);
    const are = codes === 1 ? "1 code of this manifest is" : `${codes} codes of this manifest are`;
    return { message: `${are} in ${dir}${under}`, hint: `to go on with them, ${back}`, where };
  }
  return undefined;
}

/** Why a run is refused, or what it says before it begins. */
export interface FormerOutput {
  readonly refused?: Problem | undefined;
  readonly warnings: readonly Problem[];
}

/** Looks for rows that this manifest has made already, into the folder that it named before. */
export async function findFormerOutput(
  order: Order,
  ports: Asker,
  { state, spool }: { readonly state: State | undefined; readonly spool: Spool },
): Promise<FormerOutput> {
  const { job, isFolderGiven = false, fresh = false } = order;
  const warnings: Problem[] = [];
  if (isFolderGiven || fresh || (state !== undefined && state.count(ANY) > 0)) return { warnings };
  for await (const former of findFormers(job)) {
    const doubles = await countDoubles(order, former, { ports, spool });
    const problem = doubles.count > 0 ? toProblem(job, former, doubles) : undefined;
    if (problem !== undefined && doubles.isMost) return { refused: problem, warnings: [] };
    if (problem !== undefined) warnings.push(problem);
  }
  return { warnings };
}
