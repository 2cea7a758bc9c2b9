/** The signed certificate of a job that is ready for press, with the list of its pictures. */
import { stat, rm } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { toMessage } from "../../base/errors.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { MerkleTree } from "../../base/ids/merkle.ts";
import { sayPressWarning, type Press } from "../../base/shapes/press-warning.ts";
import { openSigningKey, toPublicHex } from "../../base/ids/signing-key.ts";
import { formatCertificate, signStatement, type Statement } from "../../pack/certificate.ts";
import { writeTextFile } from "../../pack/hashed-file.ts";
import { readCellTrees } from "../../pack/sheet-map-cells.ts";
import type { State } from "../../state/state.ts";
import { DONE_WITH_ARTWORK } from "../../state/which-rows.ts";
import { judgePress } from "../standing/press.ts";
import type { Proof } from "../results.ts";
import type { Work } from "./work.ts";
import { countStanding } from "../standing/left.ts";
import { makeSheetOptions } from "./sheet-options.ts";
import type { Finishing, Made, Stage } from "./stage.ts";
import { removeFiles, type OwnFile } from "./sweep.ts";

export const CERTIFICATE = "certificate.json";
/**
 * In the format of `sha256sum --check`: there are too many pictures to name each in the
 * certificate.
 */
const PICTURES = "artwork.sha256";
const PACKAGED = "certificate of-job";

type BoundFile = Statement["files"][number];
type Facts = Omit<Statement, "certifiedAt">;

/** The record of a certificate; without files where it was due and could not be signed. */
interface Kept {
  readonly files: readonly OwnFile[];
  /** ISO. */
  readonly at?: string;
}

const readKept = (state: State): Kept | undefined =>
  state.packaged(PACKAGED)?.result as Kept | undefined;

const toSlashes = (file: string): string => file.replaceAll(path.sep, "/");

async function bind(folder: string, full: string): Promise<BoundFile> {
  const { size: bytes } = await stat(full);
  return { file: toSlashes(path.relative(folder, full)), bytes, sha256: await hashFile(full) };
}

interface Pictures {
  readonly total: number;
  readonly read: number;
}

/**
 * Writes the list of pictures; counts them, and those that this run or an earlier one read back.
 */
async function writePictures({ state, folder }: Work): Promise<Pictures> {
  let total = 0;
  let read = 0;
  function* lines(): Iterable<string> {
    for (const { artwork } of state.pick(["artwork"], DONE_WITH_ARTWORK)) {
      const proven = new Set(artwork?.proven);
      for (const { name, sha256: hash } of artwork?.files ?? []) {
        total += 1;
        if (proven.has(name)) read += 1;
        yield `${hash}  ${name}\n`;
      }
    }
  }
  const file = path.join(folder, PICTURES);
  await writeTextFile(file, lines());
  if (total === 0) await rm(file, { force: true });
  return { total, read };
}

/**
 * The cells of each PDF come from the map, so that a reader of the map can prove that a cell is one
 * of them.
 */
async function toPdfs({ folder }: Work, { sheets, map }: Made): Promise<Statement["pdfs"]> {
  const trees = map === null ? new Map<string, MerkleTree>() : await readCellTrees(map);
  return sheets.flatMap(({ volumes }) =>
    volumes.map(({ file, bytes, sha256: hash, pages, codes }) => {
      const tree = trees.get(file) ?? new MerkleTree();
      const name = toSlashes(path.relative(folder, path.join(folder, file)));
      const cells = { cells: tree.count, cellsRoot: tree.root() };
      return { file: name, bytes, sha256: hash, pages, codes, ...cells };
    }),
  );
}

/** What the rows came from. Rows that a job makes itself are in no file. */
async function toSource({ job, folder, input }: Work): Promise<Statement["source"]> {
  if (job.source === null) return null;
  const { file } = job.source;
  const hash = await hashFile(file).catch(() => undefined);
  const isFile = hash === input.sha256 && file !== job.file;
  const place = isFile ? toSlashes(path.relative(folder, file)) : null;
  return { name: input.name, file: place, sha256: input.sha256 };
}

/** Of files that may be certified. */
type GoodPress = Press & { readonly verdict: Statement["press"]["verdict"] };

const isGood = (press: Press): press is GoodPress =>
  press.verdict === "ready" ||
  press.verdict === "ready-with-warnings" ||
  press.verdict === "ready-sampled";

/** As the result of the run counts them: rows without files are made, and have not failed. */
function toFailures(
  { state, job }: Work,
  { failedRows }: Made,
): Pick<Statement["counts"], "failed" | "withoutFiles"> {
  const { lostFiles } = countStanding(state, job.kind);
  return { failed: failedRows - lostFiles, ...(lostFiles > 0 && { withoutFiles: lostFiles }) };
}

async function toFacts(
  work: Finishing,
  made: Made,
  { proof, press }: { readonly proof: Proof; readonly press: GoodPress },
): Promise<Facts> {
  const { job, folder, run } = work;
  const pictures = await writePictures(work);
  const pdfs = await toPdfs(work, made);
  const files: BoundFile[] = [];
  const list = pictures.total === 0 ? null : path.join(folder, PICTURES);
  for (const full of [...made.indexes, made.map, list]) {
    if (full !== null) files.push(await bind(folder, full));
  }
  const { summary } = run.planned;
  const { findings, rulesChecked } = proof.verification;
  return {
    version: proof.compared === undefined ? 1 : 2,
    job: job.name,
    kind: job.kind,
    program: work.writer,
    manifest: {
      file: toSlashes(path.relative(folder, job.file)),
      sha256: await hashFile(job.file),
    },
    source: await toSource(work),
    press: {
      verdict: press.verdict,
      warnings: press.warnings.map((warning) => sayPressWarning(warning)),
    },
    counts: {
      rows: summary.rows,
      bad: summary.bad,
      ...toFailures(work, made),
      codes: pdfs.reduce((sum, { codes }) => sum + codes, 0),
      pages: pdfs.reduce((sum, { pages }) => sum + pages, 0),
      pictures: pictures.total,
    },
    proof: {
      codes: proof.codes,
      read: proof.decoded,
      ...(proof.compared === undefined ? {} : { compared: proof.compared }),
      symbols: proof.symbols ?? 0,
      pictures: pictures.total,
      picturesRead: pictures.read,
      rules: rulesChecked,
      errors: proof.errors,
      warnings: findings.filter(({ severity }) => severity === "warning").length,
    },
    deviceDpi: (await makeSheetOptions(job, work))?.deviceDpi ?? null,
    pdfs,
    zips: made.zips.map(({ file, bytes, sha256: hash, entries }) => ({
      file: toSlashes(file),
      bytes,
      sha256: hash,
      entries,
    })),
    files,
  };
}

/** Removes a certificate that no longer holds, if it is ours. */
async function withdraw({ state, folder }: Work): Promise<void> {
  const kept = readKept(state);
  if (kept === undefined) return;
  await removeFiles(folder, kept.files);
  state.forgetPackaged(PACKAGED);
}

/** The same facts under the same key keep their date, and thus their bytes. */
async function writeCertificate(work: Finishing, facts: Facts): Promise<string> {
  const { state, folder, run } = work;
  const key = await openSigningKey(run.dataDir);
  const fingerprint = sha256(JSON.stringify([facts, toPublicHex(key)]));
  const known = state.packaged(PACKAGED);
  const before = known?.fingerprint === fingerprint ? (known.result as Kept).at : undefined;
  const at = before ?? new Date(work.clock.nowMs()).toISOString();
  const { version, job, kind, ...others } = facts;
  const text = formatCertificate(
    signStatement({ version, job, kind, certifiedAt: at, ...others }, key),
  );
  const file = path.join(folder, CERTIFICATE);
  await writeFileAtomic(file, text);
  const list = facts.files.filter((one) => one.file === PICTURES);
  const files = [{ file: CERTIFICATE, sha256: sha256(text) }, ...list];
  state.setPackaged(PACKAGED, fingerprint, { files, at } satisfies Kept);
  return file;
}

async function certify(work: Finishing, made: Made): Promise<string | null> {
  const { labels, otherLooks } = work.run.planned;
  const press = judgePress(work, { ...made, labels: { designs: [], ...labels }, otherLooks });
  const { proof } = made;
  if (proof === undefined || press === undefined || !isGood(press)) {
    await withdraw(work);
    return null;
  }
  const facts = await toFacts(work, made, { proof, press });
  try {
    return await writeCertificate(work, facts);
  } catch (error) {
    // The files are good without it; the next run tries again.
    await withdraw(work);
    work.state.setPackaged(PACKAGED, "", { files: [] } satisfies Kept);
    const message = `no certificate was written: ${toMessage(error)}`;
    work.on({ type: "warning", problem: { message } });
    return null;
  }
}

export const certificateStage: Stage = {
  name: "certificate",
  isTimed: false,
  make: async (work, made) => ({ certificate: await certify(work, made) }),
  recall: ({ state, folder }) => {
    const isThere = (readKept(state)?.files.length ?? 0) > 0;
    return { certificate: isThere ? path.join(folder, CERTIFICATE) : null };
  },
  describe: (_work, { certificate }) =>
    certificate === null ? [] : [{ role: "certificate", file: certificate }],
  watched: (state) => {
    const kept = readKept(state);
    if (kept === undefined) return [];
    // A run whose certificate was due and is missing is not sealed.
    return kept.files.length === 0 ? [CERTIFICATE] : kept.files.map(({ file }) => file);
  },
  written: (state) => readKept(state)?.files ?? [],
};
