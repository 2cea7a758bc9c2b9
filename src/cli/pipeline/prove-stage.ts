/** Stage 7: the finished files are opened again and every code in them is read. */
import path from "node:path";

import { sha256 } from "../../base/ids.ts";
import type { ReportFinding, ReportVerification } from "../../pack/report-data.ts";
import type { SheetOptions } from "../../print/sheets.ts";
import type { StateRow } from "../../state/row.ts";
import {
  verifyArtwork,
  verifySheets,
  type ArtworkFile,
  type ExpectedCell,
  type Finding,
} from "../../verify/verify.ts";
import { rules } from "../../verify/rules.ts";
import { formatCount, formatMany } from "../words.ts";
import { meansPayload, toPayload } from "./payload.ts";
import { makeSheetOptions, type SheetGroup } from "./sheet-stage.ts";
import { atStart } from "./sheet-start.ts";
import { showStage, type Work } from "./work.ts";

export interface Proof {
  /** No error in any file, and every code of every sheet was read. */
  readonly isProven: boolean;
  /** One line for people. */
  readonly says: string;
  readonly verification: ReportVerification;
}

interface GroupProof {
  readonly codes: number;
  readonly decoded: number;
  readonly findings: readonly Finding[];
}

interface ArtworkResult {
  readonly files: number;
  readonly decoded: number;
  readonly findings: readonly Finding[];
}

/** Where a row's codes lie, and what each must say. */
export function toExpected(row: StateRow): ExpectedCell[] {
  const payloadHash = sha256(toPayload(row));
  return row.labels.map(({ file: _file, ...cell }) => ({ ...cell, key: row.key, payloadHash }));
}

async function proveGroup(
  work: Work,
  options: SheetOptions,
  group: SheetGroup,
  again: boolean,
): Promise<GroupProof> {
  const { state, folder } = work;
  const fingerprint = sha256(JSON.stringify([work.writer, group.volumes]));
  const known = state.packaged(`proof ${group.name}`);
  const isKnown = !again && !group.isNew && known?.fingerprint === fingerprint;
  if (isKnown) return known.result as GroupProof;
  const cells = [...state.sheetRows(group.name)].flatMap(toExpected);
  const volumes = group.volumes.map(({ file, sha256: hash }) => ({
    file: path.join(folder, file),
    sha256: hash,
  }));
  const { codes, decoded, findings } = await verifySheets({ options, volumes, cells });
  const proof: GroupProof = { codes, decoded, findings };
  state.setPackaged(`proof ${group.name}`, fingerprint, proof);
  return proof;
}

function* toArtworkFiles(work: Work, again: boolean): Iterable<ArtworkFile> {
  for (const row of work.state.rows("state = 'done' AND artwork IS NOT NULL")) {
    if (row.artwork === null || (row.artwork.isProven && !again)) continue;
    const png = row.artwork.files.find(({ name }) => name.endsWith(".png"));
    if (png === undefined) continue;
    yield {
      file: path.join(work.folder, png.name),
      payload: toPayload(row),
      means: (text) => meansPayload(row, text),
      key: row.key,
    };
  }
}

/** A picture that no decoder reads may still be what the server means: that is for a person to judge. */
const asWarning = (finding: Finding): Finding =>
  finding.rule === "artwork-unreadable" ? { ...finding, severity: "warning" } : finding;

async function proveArtwork(work: Work, again: boolean): Promise<ArtworkResult> {
  const { state } = work;
  const checked: string[] = [];
  const files = toArtworkFiles(work, again);
  const total = state.count("presence = 'present' AND state = 'done' AND artwork IS NOT NULL");
  const proof = await verifyArtwork(
    (function* remember() {
      for (const file of files) {
        if (work.signal.aborted) return;
        if (file.key !== undefined) checked.push(file.key);
        showStage(work, "proof of pictures", checked.length, total);
        yield file;
      }
    })(),
  );
  const findings = proof.findings.map(asWarning);
  const flawed = new Set<string>();
  for (const { key, severity, message } of findings) {
    if (key === undefined) continue;
    flawed.add(key);
    if (severity === "error") state.journal.spoiled(key, { message: `artwork: ${message}` });
  }
  state.setProven(checked.filter((key) => !flawed.has(key)));
  return { files: proof.files, decoded: proof.files - flawed.size, findings };
}

function toReportFinding(finding: Finding): ReportFinding {
  const { rule, severity, message, file, page, row, column, key } = finding;
  const place = [
    page === undefined ? undefined : `sheet ${page}`,
    row === undefined || column === undefined ? undefined : `cell ${row}, ${column}`,
    key === undefined ? undefined : `row ${key}`,
  ].filter((part) => part !== undefined);
  return {
    rule,
    severity,
    message: place.length === 0 ? message : `${place.join(", ")}: ${message}`,
    where: { file: path.basename(file) },
  };
}

function describe(codes: number, decoded: number, errors: number, artwork: ArtworkResult): string {
  const read =
    codes === 0
      ? []
      : [
          decoded === codes
            ? `${codes === 1 ? "the only code" : `all ${formatCount(codes)} codes`} read back from the PDFs`
            : `only ${formatCount(decoded)} of ${formatCount(codes)} codes read back from the PDFs`,
        ];
  const pictures =
    artwork.files === 0
      ? []
      : artwork.decoded === artwork.files
        ? [`${formatMany(artwork.files, "PNG")} read back`]
        : [`only ${formatCount(artwork.decoded)} of ${formatMany(artwork.files, "PNG")} read back`];
  const faults =
    errors === 0 ? "no rule broken" : `${formatMany(errors, "error")} (see the report)`;
  return [...read, ...pictures, faults].join(", ");
}

/**
 * Proves what a run made. What was proven before and has not changed since is not proven again,
 * unless `again` asks for it. Undefined when there is nothing to prove.
 */
export async function proveJob(
  work: Work,
  groups: readonly SheetGroup[],
  again = false,
): Promise<Proof | undefined> {
  const options = await makeSheetOptions(work.job, work);
  const proofs: GroupProof[] = [];
  for (const group of groups) {
    if (options === undefined || work.signal.aborted) break;
    showStage(work, "proof of sheets", proofs.length, groups.length);
    const own = await atStart(work, options, group.name);
    proofs.push(await proveGroup(work, own, group, again));
  }
  return sumUp(work, proofs, await proveArtwork(work, again));
}

/** The proof of the sheets as it stands; for when nothing has changed since. */
export function recallProof(work: Work, groups: readonly SheetGroup[]): Proof | undefined {
  const proofs = groups.flatMap(({ name }) => {
    const known = work.state.packaged(`proof ${name}`);
    return known === undefined ? [] : [known.result as GroupProof];
  });
  return sumUp(work, proofs, { files: 0, decoded: 0, findings: [] });
}

function sumUp(
  { isRehearsal }: Pick<Work, "isRehearsal">,
  proofs: readonly GroupProof[],
  artwork: ArtworkResult,
): Proof | undefined {
  if (proofs.length === 0 && artwork.files === 0) return undefined;
  const codes = proofs.reduce((sum, proof) => sum + proof.codes, 0);
  const decoded = proofs.reduce((sum, proof) => sum + proof.decoded, 0);
  const findings = [...proofs.flatMap((proof) => proof.findings), ...artwork.findings];
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const isProven = errors === 0 && decoded === codes;
  return {
    isProven,
    says: describe(codes, decoded, errors, artwork),
    verification: {
      isReady: isProven && !isRehearsal,
      rulesChecked: rules.length + 1,
      codesRead: decoded,
      codesExpected: codes,
      findings: findings.map(toReportFinding),
    },
  };
}
