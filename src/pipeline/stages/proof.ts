/** The finished sheets are opened again and every code on them is read. */
import { showKey } from "../../base/shapes/row-key.ts";
import path from "node:path";

import { sha256 } from "../../base/ids/ids.ts";
import { mapAtOnce, Room } from "../../base/flow/room.ts";
import type { PrintedCount } from "../../base/shapes/press-warning.ts";
import type { ReportFinding } from "../../pack/report-data.ts";
import type { SheetOptions } from "../../print/sheets.ts";
import type { StateRow } from "../../state/row.ts";
import { proveSheets } from "../../verify/proof/prove-sheets.ts";
import type { ExpectedCell, Finding } from "../../verify/verify.ts";
import { sharedProver } from "../../verify/proof/proof-pool.ts";
import { rules } from "../../verify/rules/rules.ts";
import { showStage } from "../events.ts";
import { toPayload } from "./payload.ts";
import type { Proof } from "../results.ts";
import type { Work } from "./work.ts";
import { findPrinted } from "../files/sheets-anew.ts";
import { ofBefore, type PictureProof } from "./picture-proof.ts";
import { makeSheetOptions } from "./sheet-options.ts";
import { atStart } from "./sheet-start.ts";
import { readSheetGroups } from "./sheets.ts";
import type { Made, SheetGroup, Stage } from "./stage.ts";
import { type JobSheets, MOST_DECODED_ALL } from "../../job/job.ts";
import { findSymbolText } from "./symbol-text.ts";

interface GroupProof {
  readonly codes: number;
  readonly decoded: number;
  /** Codes that were compared and not decoded; set where the proof was sampled. */
  readonly compared?: number;
  /** Of these, symbols beside codes; nothing where there are none. */
  readonly symbols?: number;
  /** Left out by an older makeready. */
  readonly printed?: PrintedCount;
  readonly findings: readonly Finding[];
}

const isError = ({ severity }: Finding): boolean => severity === "error";

/** No error was found, and every code was read, or compared where the proof was sampled. */
const holds = ({ codes, decoded, compared = 0, findings }: GroupProof): boolean =>
  decoded + compared === codes && !findings.some(isError);

/** Undefined for volumes of an older makeready. */
function countLabels({ volumes }: SheetGroup): number | undefined {
  let sum = 0;
  for (const { labels } of volumes) {
    if (labels === undefined) return undefined;
    sum += labels;
  }
  return sum;
}

const CLAIMED_FIELDS = ["key", "wanted", "made", "shortLink", "placing", "labels"] as const;

type ClaimedRow = Pick<StateRow, (typeof CLAIMED_FIELDS)[number]>;

/** Where a row's codes and symbols lie, and what each must say. */
function toExpected(row: ClaimedRow, sheets: JobSheets | null): ExpectedCell[] {
  const payloadHash = sha256(toPayload(row));
  return row.labels.map(({ file: _file, ...cell }) => {
    const symbol = findSymbolText(sheets, row.placing.caption, cell);
    if (symbol === undefined) return { ...cell, key: row.key, payloadHash };
    return { ...cell, key: row.key, payloadHash: sha256(symbol.says), text: symbol.text };
  });
}

/**
 * Rules whose faults no later makeready explains: the file is not what was written, or not what the
 * rows say.
 */
const DAMAGE: ReadonlySet<string> = new Set([
  "file",
  "structure",
  "sheet-map",
  "page-count",
  "rehearsal",
  "decoded",
]);

/**
 * PDFs that were printed before today's rules get one warning for all of these; their codes and
 * bytes are proven as ever. Their SHA-256 shows that they are unchanged since.
 */
function joinOlder({ findings, ...counts }: GroupProof): GroupProof {
  const own = findings.filter(({ rule }) => DAMAGE.has(rule));
  const files = new Map<string, Set<string>>();
  for (const { rule, file } of findings)
    if (!DAMAGE.has(rule)) files.set(file, (files.get(file) ?? new Set()).add(rule));
  const told = [...files].map(([file, names]): Finding => ({
    severity: "warning",
    rule: "older-print",
    file,
    message: `printed by an older makeready, before today's rules for ${[...names].join(", ")}; a run makes it anew`,
  }));
  return { ...counts, findings: [...own, ...told] };
}

const toProof = (
  { codes, decoded, compared, symbols = 0, findings }: GroupProof,
  printed: PrintedCount | undefined,
): GroupProof => ({
  codes,
  decoded,
  ...(printed && { printed }),
  ...(compared === undefined ? {} : { compared }),
  ...(symbols === 0 ? {} : { symbols }),
  findings,
});

/** What is asked of the proof of one group. */
interface Asked {
  /** Proves all of it, even if it is proven already. */
  readonly again: boolean;
  /** Pages of the whole job. */
  readonly among: number;
  /** Whether the job asks for a sample, and has as many labels as that takes. */
  readonly wantsSample: boolean;
}

/** What must be on the sheets of a group, and with `isSampled` what its codes say. */
function readClaim(work: Work, group: SheetGroup, isSampled: boolean) {
  const { state, folder, job } = work;
  const cells: ExpectedCell[] = [];
  const copies = new Map<string, number>();
  const texts = isSampled ? new Map<string, string>() : undefined;
  let rows = 0;
  for (const row of state.sheetRows(group.name, CLAIMED_FIELDS)) {
    rows += Math.min(row.labels.length, 1);
    cells.push(...toExpected(row, job.output.sheets));
    texts?.set(row.key, toPayload(row));
    if (row.placing.copies !== undefined) copies.set(row.key, row.placing.copies);
  }
  const volumes = group.volumes.map(({ file, sha256: hash }) => ({
    file: path.join(folder, file),
    sha256: hash,
  }));
  return { volumes, cells, copies, texts, rows };
}

/** Reads the sheets of a group: all of its codes, or a sample. */
async function readGroup(
  work: Work,
  given: SheetOptions,
  group: SheetGroup,
  { isSampled, among }: { readonly isSampled: boolean; readonly among: number },
): Promise<GroupProof> {
  const { designInks } = group;
  const options = designInks === undefined ? given : { ...given, designInks };
  const { rows, ...claimed } = readClaim(work, group, isSampled);
  const labels = countLabels(group);
  const printed = labels === undefined ? undefined : { codes: rows, labels };
  const claim = { ...claimed, prover: work.prover, among };
  const prove = async (how: SheetOptions): Promise<GroupProof> => {
    const { compared, ...found } = await proveSheets({ options: how, ...claim });
    return isSampled ? { ...found, compared } : found;
  };
  const today = await prove(options);
  const isFlawed = today.findings.length > 0 && !group.isNew;
  const before = isFlawed ? await findPrinted(work, given, group.name) : undefined;
  const isOlder = before !== undefined && before.reasons.length > 0;
  return toProof(isOlder ? joinOlder(await prove(before.options)) : today, printed);
}

async function proveGroup(
  work: Work,
  given: SheetOptions,
  group: SheetGroup,
  { again, among, wantsSample }: Asked,
): Promise<GroupProof> {
  const { state, writer } = work;
  const full = sha256(JSON.stringify([writer, group.volumes]));
  const sampled = sha256(JSON.stringify([writer, group.volumes, "sampled"]));
  const name = `proof ${group.name}`;
  const known = state.packaged(name);
  // A full proof stays one; a sampled one is none. One that found faults says nothing of today.
  const enough = wantsSample ? [full, sampled] : [full];
  const isKnown = known !== undefined && enough.includes(known.fingerprint);
  const before = isKnown ? (known.result as GroupProof) : undefined;
  if (before && holds(before) && !again && !group.isNew) return before;
  const isSampled = wantsSample && !again;
  const proof = await readGroup(work, given, group, { isSampled, among });
  // The sampled proof that the report names stays on record until a run proves more.
  if (isSampled || !wantsSample) state.setPackaged(name, isSampled ? sampled : full, proof);
  return proof;
}

function toReportFinding(finding: Finding): ReportFinding {
  const { rule, severity, message, file, page, row, column, key } = finding;
  const place = [
    page === undefined ? undefined : `sheet ${page}`,
    row === undefined || column === undefined ? undefined : `cell ${row}, ${column}`,
    key === undefined ? undefined : `row ${showKey(key)}`,
  ].filter((part) => part !== undefined);
  return {
    rule,
    severity,
    message: place.length === 0 ? message : `${place.join(", ")}: ${message}`,
    where: { file: path.basename(file) },
  };
}

/** Groups are proven side by side; of so many codes at most, since all of them are in memory. */
const CODES_AT_ONCE = 100_000;

const pagesOf = ({ volumes }: SheetGroup): number =>
  volumes.reduce((sum, { pages }) => sum + pages, 0);
const codesOf = ({ volumes }: SheetGroup): number =>
  volumes.reduce((sum, { codes }) => sum + codes, 0);

/** A run of a part of the rows may have fewer labels than its plan: each of those is decoded. */
function wantsSample({ job, mostDecodedAll }: Work, sheets: readonly SheetGroup[]): boolean {
  const labels = sheets.reduce((sum, group) => sum + codesOf(group), 0);
  return job.output.sheets?.proof === "sampled" && labels > (mostDecodedAll ?? MOST_DECODED_ALL);
}

/**
 * Proves the sheets that a run made, and adds the results of its pictures. Unchanged files that are
 * proven already are not proven again, unless `again` asks for it. Undefined when there is nothing
 * to prove.
 */
export async function proveJob(
  work: Work,
  { sheets, pictureProof }: Pick<Made, "sheets" | "pictureProof">,
  again = false,
): Promise<Proof | undefined> {
  const options = await makeSheetOptions(work.job, work);
  if (options === undefined) return sumUp(work, [], pictureProof);
  const among = sheets.reduce((sum, group) => sum + pagesOf(group), 0);
  const asked = { again, among, wantsSample: wantsSample(work, sheets) };
  const { atOnce } = (work.prover ?? sharedProver()).portions({ pages: among });
  const room = new Room(CODES_AT_ONCE);
  let done = 0;
  const proofs = await mapAtOnce(sheets, atOnce, (group) =>
    room.use(codesOf(group), async () => {
      if (work.signal.aborted) return undefined;
      showStage(work.on, "proof of sheets", done, sheets.length);
      const own = await atStart(work, options, group.name);
      const proof = await proveGroup(work, own, group, asked);
      done += 1;
      return proof;
    }),
  );
  const made = proofs.filter((proof) => proof !== undefined);
  return sumUp(work, made, pictureProof);
}

/** The proofs of the sheets as they stand. */
const recallGroups = ({ state }: Pick<Work, "state">): GroupProof[] =>
  readSheetGroups({ state }).flatMap(({ name }) => {
    const known = state.packaged(`proof ${name}`);
    return known === undefined ? [] : [known.result as GroupProof];
  });

/** Where several labels have the same code, both are counted; undefined where each has its own. */
function sumPrinted(proofs: readonly GroupProof[]): PrintedCount | undefined {
  const sum = { codes: 0, labels: 0 };
  for (const { printed } of proofs) {
    if (printed === undefined) return undefined;
    sum.codes += printed.codes;
    sum.labels += printed.labels;
  }
  return sum.codes === sum.labels ? undefined : sum;
}

/** `also`: what is left out where there is none. */
function sumGroups(proofs: readonly GroupProof[]) {
  const sumOf = (toCount: (proof: GroupProof) => number): number =>
    proofs.reduce((sum, proof) => sum + toCount(proof), 0);
  const symbols = sumOf((proof) => proof.symbols ?? 0);
  const printed = sumPrinted(proofs);
  return {
    codes: sumOf((proof) => proof.codes),
    decoded: sumOf((proof) => proof.decoded),
    compared: sumOf((proof) => proof.compared ?? 0),
    also: { ...(symbols === 0 ? {} : { symbols }), ...(printed && { printed }) },
  };
}

function sumUp(
  { isRehearsal }: Pick<Work, "isRehearsal">,
  proofs: readonly GroupProof[],
  artwork: PictureProof,
): Proof | undefined {
  const { png, svg } = artwork;
  const hasPictures = [png, svg].some(({ files, before = 0 }) => files + before > 0);
  if (proofs.length === 0 && !hasPictures) return undefined;
  const { codes, decoded, compared, also } = sumGroups(proofs);
  const findings = [...proofs.flatMap((proof) => proof.findings), ...artwork.findings];
  const errors = findings.filter(isError).length;
  const isSampled = proofs.some((proof) => proof.compared !== undefined);
  const isProven = errors === 0 && decoded + compared === codes;
  return {
    isProven,
    codes,
    decoded,
    ...(isSampled ? { compared } : {}),
    ...also,
    png,
    svg,
    errors,
    verification: {
      isReady: isProven && !isRehearsal && !isSampled,
      rulesChecked: rules.length + 1,
      codesRead: decoded,
      codesExpected: codes,
      ...(isSampled ? { codesCompared: compared } : {}),
      ...also,
      pictures: [
        { kind: "PNGs", read: png.decoded, expected: png.files, ...ofBefore(png.before ?? 0) },
        { kind: "SVGs", read: svg.decoded, expected: svg.files, ...ofBefore(svg.before ?? 0) },
      ],
      findings: findings.map(toReportFinding),
    },
  };
}

export const proofStage: Stage = {
  name: "proof",
  isTimed: true,
  async make(work, made) {
    const proof = await proveJob(work, made);
    work.on({ type: "stage-end" });
    return { proof };
  },
  recall: (work, { pictureProof }) => ({
    proof: sumUp(work, recallGroups(work), pictureProof),
  }),
};

/** False only where the kept proof of the job's sheets found a fault. */
export const isJobProven = (work: Pick<Work, "state">): boolean => recallGroups(work).every(holds);
