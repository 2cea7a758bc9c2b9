/** Opens PDFs again and holds them to the rules of docs/spec/print.md section 12. */
import { readFile, stat } from "node:fs/promises";

import { closing } from "../../base/flow/closing.ts";
import { sayUnreadable } from "../../base/files/disk-error.ts";
import { toMessage } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { mapAtOnce } from "../../base/flow/room.ts";
import { growBox } from "../../qr/draw/outline.ts";
import type { BoxMm } from "../../print/layout/box.ts";
import type { Face } from "../../print/fonts/face.ts";
import { calibrateBox } from "../../print/layout/calibration.ts";
import { finishSteps } from "../../print/layout/finish.ts";
import type { CaptionFont } from "../../print/fonts/font.ts";
import { loadLabelFonts } from "../../print/fonts/label-fonts.ts";
import { faceOf, makeSheetJob } from "../../print/sheet-job.ts";
import { loadSymbolsOf, symbolsOn } from "../../print/symbols/face-symbols.ts";
import type { SheetOptions } from "../../print/sheets.ts";
import { QUIET_ZONE } from "../../qr/encode/tables.ts";
import { checkKeys } from "../rules/check-keys.ts";
import type { Finding } from "../rules/finding.ts";
import { openPdfFile } from "../pdf/pdf-file.ts";
import { proofMemory } from "./proof-memory.ts";
import { countPages, ProofPool, sharedProver } from "./proof-pool.ts";
import { proofDpi, toSymbolClaim } from "../pixels/prove-symbol.ts";
import type { CellClaim } from "./prove-pages.ts";
import { sampleClaims } from "../rules/sample-claims.ts";
import { FileChanged, type PagesTask, ProofEnded, type Prover } from "./prover.ts";
import { checkRules } from "../rules/rules.ts";
import { type ExpectedCell, type FileContext, makeFileContext } from "../rules/sheet-context.ts";

export interface SheetsToVerify {
  /** The options that the sheets were written with. */
  readonly options: SheetOptions;
  /** Finished files; `volume` counts from 1, default the place in this list. */
  readonly volumes: readonly {
    readonly file: string;
    readonly volume?: number | undefined;
    readonly sha256?: string | undefined;
  }[];
  /** Cells of exactly these volumes. */
  readonly cells: readonly ExpectedCell[];
  /** True for some sheets of a job only: rows may be on fewer labels than asked. */
  readonly isPart?: boolean | undefined;
  /** Row -> its labels, overs not included, where rows say how many; default: as many as of all. */
  readonly copies?: ReadonlyMap<string, number> | undefined;
  /** Threads to read pages with. Default: one per core. */
  readonly workers?: number | undefined;
  /** Pages of the whole job, where these are a part of them: many are read in several threads. */
  readonly among?: number | undefined;
}

/** A prover other than the threads of this process. */
export interface SheetsToProve extends SheetsToVerify {
  readonly prover?: Prover | undefined;
  /** Row -> what its code says. Given: the proof is sampled (docs/spec/print.md section 12.3). */
  readonly texts?: ReadonlyMap<string, string> | undefined;
}

export interface SheetProof {
  readonly findings: readonly Finding[];
  readonly pages: number;
  /** Labels that were to be proven, and those whose code holds its row's payload. */
  readonly codes: number;
  readonly decoded: number;
  /** Of a sampled proof: labels that were not decoded, since each of their modules is right. */
  readonly compared: number;
  /** How many of these are symbols beside codes. */
  readonly symbols: number;
  readonly rehearsal: boolean;
  /** True when there is no error, every code was decoded and they don't lead to this computer only. */
  readonly readyForPress: boolean;
}

/** Fonts and writer of symbols; undefined where no label has symbols. */
async function loadSymbolFont(options: SheetOptions): Promise<CaptionFont | undefined> {
  const job = makeSheetJob(options);
  if (job.faces.every((face) => symbolsOn(face).length === 0)) return undefined;
  await loadSymbolsOf(job);
  return (await loadLabelFonts(options.fonts)).regular;
}

interface FileProof {
  readonly findings: readonly Finding[];
  readonly pages: number;
  readonly decoded: number;
  readonly compared: number;
}

const failed = (file: string, rule: string, message: string): FileProof => ({
  findings: [{ severity: "error", rule, message, file }],
  pages: 0,
  decoded: 0,
  compared: 0,
});

/** Frames may round the corners of the zone by this much; modules with points reach into it. Modules. */
const DESIGN_SLACK = { outer: 0.3, inner: 0.4 };

/**
 * The part of a quiet zone that is looked at in pixels: on pages of others and in frames, where
 * boxes of objects say nothing.
 */
function quietOf(
  { xMm, design }: ExpectedCell,
  hasBackground: boolean,
): Pick<CellClaim, "quietMm" | "quietFromMm"> {
  if (design === undefined) return { quietMm: hasBackground ? QUIET_ZONE * xMm : 0 };
  const { outer, inner } = DESIGN_SLACK;
  return { quietMm: (QUIET_ZONE - outer) * xMm, quietFromMm: inner * xMm };
}

/** True where no page or picture of others is on the labels. */
const isOurs = ({ background, art }: Face): boolean =>
  background === undefined && (art?.items ?? []).every(({ kind }) => kind !== "image");

/** The prover, and how much it proves in all. */
interface Proving {
  readonly prover: Prover;
  readonly among: number;
  readonly texts: SheetsToProve["texts"];
}

/** The claims of every page of a file. */
function toPages(
  context: FileContext,
  pdf: Uint8Array,
  texts: SheetsToProve["texts"],
): Omit<PagesTask, "file"> {
  const { job, cells } = context;
  const { margins, trimWidthMm, trimHeightMm } = job.frame;
  const pageMm = {
    width: margins.left + trimWidthMm + margins.right,
    height: margins.bottom + trimHeightMm + margins.top,
  };
  const { calibration } = job.options;
  const toDrawn = (box: BoxMm): BoxMm =>
    calibration === undefined ? box : calibrateBox(box, calibration, job.frame, job.rule.dpi);
  const claims = cells.map((cell) => {
    const { page, row, column, key, payloadHash, xMm } = cell;
    const face = faceOf(job, page, context.sheetCount);
    const code = toDrawn(cell.code);
    if (cell.symbol !== undefined)
      return toSymbolClaim({ ...cell, symbol: cell.symbol }, code, face.background !== undefined);
    const hasOthers = face.rooms.length > 1 || symbolsOn(face).length > 0;
    return {
      page,
      row,
      column,
      key,
      payloadHash,
      // Of a label with several codes each is looked for in its own square.
      label: hasOthers ? growBox(code, QUIET_ZONE * xMm) : toDrawn(cell.label),
      code,
      ...quietOf(cell, face.background !== undefined),
      moduleMm: isOurs(face) ? xMm : undefined,
    };
  });
  const offsetMm = { x: margins.left, y: margins.top };
  const proven = texts === undefined ? claims : sampleClaims(claims, texts);
  const hidden = [...new Set<string>(job.finishes.map(({ kind }) => finishSteps[kind].group))];
  return { pdf, claims: proven, hidden, pageMm, offsetMm, dpi: proofDpi(cells) };
}

/** Rule 25. While others prove, the file is not kept in memory: there may be many of them. */
function prove(
  context: FileContext,
  { bytes, hash }: { readonly bytes: Uint8Array; readonly hash: string | undefined },
  { prover, among, texts }: Proving,
): Promise<FileProof> {
  const { name, file } = context;
  const pages = file.pages.length;
  const task = { ...toPages(context, bytes, texts), file: name, sha256: hash, among };
  return prover.pages(task).then(({ faults, decoded, compared }) => {
    const findings = faults.map(({ claim: { page, row, column, key }, message }): Finding => {
      return { severity: "error", rule: "decoded", message, file: name, page, row, column, key };
    });
    return { findings, pages, decoded, compared };
  });
}

/** Memory of a volume's objects, in multiples of its bytes. */
const OPENED = 4;

/** Findings on a volume's objects, while its codes are still being read. */
interface BegunVolume {
  readonly findings: readonly Finding[];
  readonly proving: Promise<FileProof>;
}

/** Reads and judges the objects of a volume, and hands out its pages. When it ends, they are let go. */
async function beginVolume(
  input: SheetsToVerify,
  index: number,
  proving: Proving,
): Promise<BegunVolume | FileProof> {
  const { file: name, sha256: hash, volume = index + 1 } = input.volumes[index] ?? { file: "" };
  const bytes = await readFile(name).catch(sayUnreadable);
  if (typeof bytes === "string") return failed(name, "file", bytes);
  if (hash !== undefined && sha256(bytes) !== hash) return failed(name, "file", CHANGED);
  const cells = input.cells.filter((cell) => cell.volume === volume);
  const file = await openPdfFile(bytes);
  const context = makeFileContext({
    file,
    name,
    volume,
    options: input.options,
    cells,
    symbolFont: await loadSymbolFont(input.options),
  });
  // Threads read pixels while this one reads objects.
  const proof = prove(context, { bytes, hash }, proving);
  proof.catch(() => undefined);
  return { findings: checkRules(context), proving: proof };
}

/** Said of a file with other bytes than those that were written. */
export const CHANGED = "file was changed after it was written: its SHA-256 differs";

async function verifyVolume(
  input: SheetsToVerify,
  index: number,
  proving: Proving,
): Promise<FileProof> {
  const { file: name } = input.volumes[index] ?? { file: "" };
  const size = await stat(name).catch(() => undefined);
  try {
    const begun = await proofMemory.use((size?.size ?? 0) * OPENED, () =>
      beginVolume(input, index, proving),
    );
    if (!("proving" in begun)) return begun;
    const proof = await begun.proving;
    return { ...proof, findings: [...begun.findings, ...proof.findings] };
  } catch (error) {
    if (error instanceof ProofEnded) throw error.cause;
    if (error instanceof FileChanged) return failed(name, "file", CHANGED);
    return failed(name, "structure", `file must be a whole PDF: ${toMessage(error)}`);
  }
}

async function verifyVolumes(
  { texts, ...input }: Omit<SheetsToProve, "prover">,
  prover: Prover,
): Promise<FileProof[]> {
  const among = Math.max(input.among ?? 0, countPages(input.cells));
  const { atOnce } = prover.portions({ pages: among });
  return mapAtOnce(input.volumes, atOnce, (_, index) =>
    verifyVolume(input, index, { prover, among, texts }),
  );
}

async function verifyWith({ workers, prover, ...input }: SheetsToProve): Promise<FileProof[]> {
  if (prover !== undefined || workers === undefined)
    return verifyVolumes(input, prover ?? sharedProver());
  return closing(new ProofPool({ threads: workers }), (own) => verifyVolumes(input, own));
}

/** As `verifySheets` of `verify.ts`, with the given prover. */
export async function proveSheets(input: SheetsToProve): Promise<SheetProof> {
  const findings = checkKeys(input);
  let pages = 0;
  let decoded = 0;
  let compared = 0;
  for (const proof of await verifyWith(input)) {
    findings.push(...proof.findings);
    pages += proof.pages;
    decoded += proof.decoded;
    compared += proof.compared;
  }
  const { rehearsal } = input.options.slug;
  const flawless =
    findings.every((finding) => finding.severity !== "error") &&
    decoded + compared === input.cells.length;
  return {
    findings,
    pages,
    codes: input.cells.length,
    decoded,
    compared,
    symbols: input.cells.filter(({ symbol }) => symbol !== undefined).length,
    rehearsal,
    readyForPress: flawless && !rehearsal && input.texts === undefined,
  };
}
