/** Opens the files of a run again and proves all of them. */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { formatMany } from "../../base/text/words.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { ReportFinding } from "../../pack/report-data.ts";
import {
  lookAtFinishedJob,
  refuseUnbegun,
  toFinishedJob,
  type FinishedJob,
} from "./finished-job.ts";
import { findForeign, type ForeignOrder } from "../address/foreign-server.ts";
import { findHalfDrawn, sayHalfDrawn, type HalfDrawn } from "../files/half-drawn.ts";
import { findCutShort, noteVerified, toCutShort } from "./last-result.ts";
import { areLinksToCome } from "../address/link-origins.ts";
import type { Ports } from "../ports.ts";
import { judgePress } from "./press.ts";
import type { JobProof, Proof } from "../results.ts";
import { refuseLost } from "../rows/lost-state.ts";
import { findElsewhere } from "../rows/elsewhere.ts";
import { findGoneHere, findGoneThere, sayFoundGone, type GoneCodes } from "../rows/gone-codes.ts";
import { warnUntold } from "../address/untold.ts";
import { askRemote, BRIEFLY_MS } from "../units/find-deleted.ts";
import type { PictureProof } from "../stages/picture-proof.ts";
import { provePictures } from "../stages/pictures.ts";
import { proveJob } from "../stages/proof.ts";
import { readSheetGroups } from "../stages/sheets.ts";
import { stages } from "../stages/stages.ts";
import type { VerifyOrder } from "../strategy.ts";
import type { Work } from "../stages/work.ts";
import { findMovedAddress, sayMovedAddress } from "../address/public-address.ts";
import { findAddressProblems } from "../rows/server-address.ts";
import type { State } from "../../state/state.ts";
import { findVoidAmong } from "../select/void-found.ts";
import { PRESENT_DONE, UNDONE_WITHOUT_PICTURES } from "../../state/which-rows.ts";

/** A run is refused as long as codes are not what they were: that is told before, with its way out. */
const FIRST = "first do what is said above of the codes";

async function findChanged(full: string, sha256: string, hint: string): Promise<Problem[]> {
  const where = { file: full };
  if (!existsSync(full)) return [{ message: "file must be there, got none", where, hint }];
  if ((await hashFile(full)) === sha256) return [];
  return [{ message: "file must be as it was written, got other bytes", where, hint }];
}

async function checkFiles({ state, folder, signal }: Work, hint: string): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const stage of stages) {
    for (const { file, sha256 } of stage.written?.(state) ?? []) {
      signal.throwIfAborted();
      problems.push(...(await findChanged(path.join(folder, file), sha256, hint)));
    }
  }
  return problems;
}

/** A run or an undo that did not end. Codes that an undo puts back lose their pictures: new ones come last. */
function listCutShort(
  { state, job }: Work,
  ports: Ports,
  { isRefused, half }: { readonly isRefused: boolean; readonly half: HalfDrawn | undefined },
): Problem[] {
  const step = findCutShort(state);
  if (step === undefined) return [];
  const cut = toCutShort(state, ports);
  const told = { ...cut, message: (half && sayHalfDrawn(half)) ?? cut.message };
  const problem = isRefused ? { ...told, hint: FIRST } : told;
  const lost =
    step === "undo" && job.output.files.length > 0 ? state.count(UNDONE_WITHOUT_PICTURES) : 0;
  if (lost === 0) return [problem];
  const old = `the pictures of ${formatMany(lost, "code")} show them as they were before it`;
  return [{ ...problem, message: `${problem.message}; ${old}` }];
}

interface Elsewhere {
  readonly otherLooks: readonly PressWarning[];
  readonly otherTargets: readonly Problem[];
}

/** What the service says of codes that are printed. */
interface Lookups {
  /** Codes whose design at the service differs from the printed one, and those that lead elsewhere. */
  readonly findOthers: (work: Work) => Promise<Elsewhere>;
  /** Codes that have another address now. */
  readonly findMoved: (work: Work) => Promise<readonly Problem[]>;
}

/** Warns where the codes lie at another server, or in another data folder: it can't be asked. */
async function areElsewhere(order: ForeignOrder, state: State, ports: Ports): Promise<boolean> {
  const foreign = await findForeign(order, state, ports);
  if (foreign === undefined) return false;
  const { message, hint } = foreign;
  const says = `only the files were proven, not what their codes do today: ${message}`;
  ports.on({ type: "warning", problem: { message: says, hint } });
  return true;
}

/** Codes that a job has found, and that the server no longer has; of a remote one, the last of them are asked for. */
async function findFoundGone(
  order: ForeignOrder,
  state: State,
  ports: Ports,
): Promise<GoneCodes | undefined> {
  if (order.server.baseUrl === undefined) return findGoneHere(order, state, ports, true);
  if (state.made.newest(1).length === 0) return undefined;
  const found = await askRemote(order, (open) => findGoneThere(open, state), ports, BRIEFLY_MS);
  if (!("because" in found)) return found.result;
  const problem = warnUntold("whether it still has these codes", found.because, ports);
  ports.on({ type: "warning", problem });
  return undefined;
}

/** Of codes that every run selects anew. */
export const toSelectedLookups = (order: ForeignOrder, ports: Ports): Lookups => ({
  findOthers: async ({ state, job }) => {
    const rows = job.output.sheets === null ? [] : state.rows(PRESENT_DONE);
    return { otherLooks: await findVoidAmong(rows, order.server, ports), otherTargets: [] };
  },
  findMoved: async ({ state }) => {
    if (await areElsewhere(order, state, ports)) return [];
    const gone = await findFoundGone(order, state, ports);
    if (gone !== undefined) return [sayFoundGone(gone, order.server, { ...ports, state })];
    const moved = findMovedAddress(order.server, state);
    return moved === undefined ? [] : [sayMovedAddress(moved, ports)];
  },
});

const isError = ({ severity }: Pick<ReportFinding, "severity">): boolean => severity === "error";

/** A picture that is not what was written, and so is no good, is one fault: its proof says both. */
function joinFaults(
  files: readonly Problem[],
  { findings, ...counts }: PictureProof,
): { readonly pictureProof: PictureProof; readonly others: readonly Problem[] } {
  const changed = new Map(files.map(({ where, message }) => [where?.file, message]));
  const faulty = new Set<string | undefined>(findings.filter(isError).map(({ file }) => file));
  const told = findings.map((finding) => {
    const why = isError(finding) ? changed.get(finding.file) : undefined;
    if (why === undefined || why === finding.message) return finding;
    return { ...finding, message: `${why}: ${finding.message}` };
  });
  return {
    pictureProof: { ...counts, findings: told },
    others: files.filter(({ where }) => !faulty.has(where?.file)),
  };
}

/** A picture, or a PDF that is gone or not what was written, is made anew by a run. */
const isMadeAnew = (finding: ReportFinding): boolean =>
  isError(finding) && (finding.rule === "file" || finding.rule.startsWith("artwork-"));

/** Says which errors go away, and how. */
function withWayOut(proof: Proof, hint: string): Proof {
  const findings = proof.verification.findings.map((finding) =>
    isMadeAnew(finding) ? { ...finding, hint } : finding,
  );
  return { ...proof, verification: { ...proof.verification, findings } };
}

/**
 * Proves a finished job of any kind that leaves files. Throws `bad-usage` when it was never run.
 */
export function verifyFinished(
  job: FinishedJob,
  ports: Ports,
  { findOthers, findMoved }: Lookups,
): Promise<JobProof> {
  return lookAtFinishedJob(job, ports, async (work) => {
    refuseUnbegun(job.stateDir, work.state, ports);
    const moved = await findMoved(work);
    // Sheets whose links are fetched again are made anew: they can be held to nothing.
    const groups = areLinksToCome(work.state) ? [] : readSheetGroups(work);
    const half = await findHalfDrawn(work, groups);
    const sheets = groups.filter(({ name }) => half?.names.has(name) !== true);
    const isRefused = moved.length > 0;
    const states = [...moved, ...listCutShort(work, ports, { isRefused, half })];
    const again = moved.length > 0 ? FIRST : `made anew by: ${ports.commandOf("run")}`;
    const files = await checkFiles(work, again);
    const changed = new Set(files.flatMap(({ where }) => where?.file ?? []));
    const { pictureProof, others } = joinFaults(files, await provePictures(work, changed));
    work.signal.throwIfAborted();
    const faults = (half?.faults ?? []).map((fault): Problem => ({ ...fault, hint: again }));
    const problems = [...states, ...faults, ...others];
    const found = await proveJob(work, { sheets, pictureProof }, true);
    // A proof of a part would be taken for the whole.
    work.signal.throwIfAborted();
    const isRight = found?.isProven === true && problems.length === 0;
    noteVerified(work.state, isRight, ports.clock.nowMs());
    const proof = found && withWayOut(found, again);
    work.on({ type: "stage-end" });
    const { otherLooks, otherTargets: elsewhere } = await findOthers(work);
    const press = judgePress(work, { sheets, proof, otherLooks, isBroken: problems.length > 0 });
    return { proof, press, problems, elsewhere, isRehearsal: work.isRehearsal };
  });
}

/** The same for a job that reads rows. */
export async function verifyRowJob(
  { job, server }: VerifyOrder<RowJob>,
  ports: Ports,
): Promise<JobProof> {
  await refuseLost(job);
  return verifyFinished(toFinishedJob(job), ports, {
    findOthers: ({ state }) => findElsewhere({ job, server, ports, state }),
    findMoved: async ({ state }) => {
      const isElsewhere = await areElsewhere({ job, server }, state, ports);
      return isElsewhere ? [] : findAddressProblems(job, server, { ports, state });
    },
  });
}
