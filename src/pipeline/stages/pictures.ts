/**
 * The pictures of the codes are read before they are packed, so that none says anything else than
 * its row. One that no decoder reads is packed and reported: other scanners may read it.
 */
import { existsSync } from "node:fs";
import path from "node:path";

import { hashFile } from "../../base/files/hash-file.ts";
import type { StateRow } from "../../state/row.ts";
import {
  DONE_WITH_ARTWORK,
  PRESENT_DONE_UNPROVEN,
  PRESENT_DONE_WITH_ARTWORK,
  PRESENT_WITH_ARTWORK,
} from "../../state/which-rows.ts";
import { verifyArtwork, type ArtworkFile, type Finding } from "../../verify/verify.ts";
import { showStage } from "../events.ts";
import { meansPayload, toPayload } from "./payload.ts";
import type { Work } from "./work.ts";
import type { Stage } from "./stage.ts";
import type { PictureCount } from "../results.ts";
import { NO_PICTURES, ofBefore, type PictureProof } from "./picture-proof.ts";
import { removeFiles } from "./sweep.ts";

/** Row -> those of its pictures that were read and say what they must. */
type ProvenPictures = Map<string, Set<string>>;

interface Picture extends ArtworkFile {
  readonly key: string;
  /** Relative to the output folder. */
  readonly name: string;
}

const isSvg = (file: string): boolean => file.endsWith(".svg");

/** Pictures that need no reading. */
interface Known {
  /** Of rows that have others. */
  readonly proven: ProvenPictures;
  readonly before: { png: number; svg: number };
}

/** What the reading of a row's pictures asks of it. */
const FIELDS = ["key", "wanted", "made", "shortLink", "artwork", "error"] as const;

/** Pictures to be read, all of a row together; `known` gets what needs no reading. */
function* toArtworkFiles(work: Work, again: boolean, { proven, before }: Known): Iterable<Picture> {
  for (const row of work.state.pick(FIELDS, DONE_WITH_ARTWORK)) {
    if (row.artwork === null) continue;
    const known = new Set(again ? [] : row.artwork.proven);
    // Where the files could not be fetched again, that is what is said of those that are gone.
    const isGone = (name: string): boolean =>
      !again && row.error !== null && !existsSync(path.join(work.folder, name));
    const left = row.artwork.files.filter(({ name }) => !known.has(name) && !isGone(name));
    for (const name of known) before[isSvg(name) ? "svg" : "png"] += 1;
    if (left.length > 0) proven.set(row.key, known);
    for (const { name, sha256 } of left) {
      yield {
        name,
        sha256,
        file: path.join(work.folder, name),
        payload: toPayload(row),
        means: (text) => meansPayload(row, text),
        key: row.key,
      };
    }
  }
}

/** The end of a warning: the archive that lacks the picture. */
const toLeftOut = ({ placing }: StateRow): string =>
  placing.zip === null ? "" : `; left out of ${placing.zip}`;

/** A picture that no decoder reads may still be what the server means: a person must judge that. */
const asWarning = (finding: Finding): Finding =>
  finding.rule === "artwork-unreadable" ? { ...finding, severity: "warning" } : finding;

/** The kept drawing is wrong. A form's is not forgotten: it comes only with the form's code. */
function forgetDrawing({ state }: Work, { key, wanted }: StateRow, file: string): void {
  if (isSvg(file) && wanted.form === undefined) state.journal.forgetPicture(key);
}

/** The row of a wrong picture loses its pictures; the next run fetches them. */
async function takeAway(work: Work, row: StateRow, { message, file }: Finding): Promise<void> {
  const { state, folder } = work;
  // First the files: a run that is killed in between finds that they are missing.
  const files = row.artwork?.files ?? [];
  await removeFiles(
    folder,
    files.map(({ name, sha256 }) => ({ file: name, sha256 })),
  );
  state.journal.spoiled(row.key, { message: `artwork: ${message}` });
  forgetDrawing(work, row, file);
}

async function takeAllAway(work: Work, errors: readonly Finding[]): Promise<void> {
  for (const finding of errors) {
    const row = finding.key === undefined ? undefined : work.state.row(finding.key);
    if (row !== undefined) await takeAway(work, row, finding);
  }
}

/** A look `again` changes no file: it notes what the next run fetches. */
async function noteSpoiled(work: Work, row: StateRow, { file }: Finding): Promise<void> {
  const own = row.artwork?.files.find(({ name }) => path.join(work.folder, name) === file);
  const isAsWritten = (await hashFile(file).catch(() => undefined)) === own?.sha256;
  if (isAsWritten) forgetDrawing(work, row, file);
  const isWrong = isAsWritten || row.artwork?.spoiled === "wrong";
  work.state.pictures.setSpoiled(row.key, isWrong ? "wrong" : "lost");
}

/** Notes what the next run makes anew: pictures with other bytes, whatever is read in them, and faulty ones. */
async function noteAnew(
  work: Work,
  {
    changed,
    read,
    errors,
  }: { changed: Changed; read: readonly Read[]; errors: readonly Finding[] },
): Promise<void> {
  for (const { key, file } of read) {
    if (changed.has(file)) work.state.pictures.setSpoiled(key, "lost");
  }
  for (const finding of errors) {
    const row = finding.key === undefined ? undefined : work.state.row(finding.key);
    if (row !== undefined) await noteSpoiled(work, row, finding);
  }
}

/** Files that are not what was written; absolute. */
type Changed = ReadonlySet<string>;

type Read = Pick<Picture, "key" | "name" | "file">;

/**
 * Reads the pictures that were not read yet; with those that have `changed`, all of them. A wrong one
 * fails its row and its files are removed; where all are read, it is noted.
 */
export async function provePictures(work: Work, changed?: Changed): Promise<PictureProof> {
  const { state } = work;
  if (state.count(PRESENT_WITH_ARTWORK) === 0) return NO_PICTURES;
  const again = changed !== undefined;
  const proven: ProvenPictures = new Map();
  const before = { png: 0, svg: 0 };
  const read: Read[] = [];
  const total = state.count(PRESENT_DONE_WITH_ARTWORK);
  const left = again ? total : state.count(PRESENT_DONE_UNPROVEN);
  const { findings: found } = await verifyArtwork(
    (function* remember() {
      for (const artwork of toArtworkFiles(work, again, { proven, before })) {
        if (work.signal.aborted) return;
        read.push({ key: artwork.key, name: artwork.name, file: artwork.file });
        showStage(work.on, "proof of pictures", proven.size, total);
        yield artwork;
      }
    })(),
    { prover: work.prover, among: left * work.job.output.files.length },
  );
  const findings = found.map((finding): Finding => {
    const row = again || finding.key === undefined ? undefined : state.row(finding.key);
    const judged = asWarning(finding);
    const leftOut = row === undefined || judged.severity === "warning" ? "" : toLeftOut(row);
    return { ...judged, message: `${finding.message}${leftOut}` };
  });
  const flawed = new Set(findings.map(({ file }) => file));
  for (const { key, name, file } of read) {
    if (!flawed.has(file)) proven.get(key)?.add(name);
  }
  state.pictures.setProven(proven);
  const errors = findings.filter(({ severity }) => severity === "error");
  await (again ? noteAnew(work, { changed, read, errors }) : takeAllAway(work, errors));
  const count = (files: readonly string[]): PictureCount => ({
    files: files.length,
    decoded: files.filter((file) => !flawed.has(file)).length,
  });
  const files = read.map(({ file }) => file);
  return {
    png: { ...count(files.filter((file) => !isSvg(file))), ...ofBefore(before.png) },
    svg: { ...count(files.filter(isSvg)), ...ofBefore(before.svg) },
    findings,
  };
}

export const pictureStage: Stage = {
  name: "proof of pictures",
  isTimed: true,
  make: async (work) => ({ pictureProof: await provePictures(work) }),
  /** The numbers come from the seal: counting would look at every row. */
  recall: () => ({}),
};
