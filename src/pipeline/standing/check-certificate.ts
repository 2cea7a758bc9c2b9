/** Checks a certificate against the files beside it: no state, no service, no network. */

import { createReadStream, existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";

import { AppError, badUsage, type Problem } from "../../base/errors.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { isSigned, parseCertificate, type Statement } from "../../pack/certificate.ts";
import { readCellTrees } from "../../pack/sheet-map-cells.ts";
import { CERTIFICATE } from "../stages/certificate.ts";

/** Larger certificates name more files than one job makes. */
const MAX_BYTES = 64 * 1024 * 1024;
const PICTURES = "artwork.sha256";
const MAP = "sheet-map.json";

export interface CheckOrder {
  /** Absolute. */
  readonly certificate: string;
  /** Absolute: only these are checked; default: all that it names. */
  readonly files: readonly string[];
  /** 64 hex digits; a certificate that another key signed is refused. */
  readonly publicKey?: string | undefined;
}

export interface CheckResult {
  readonly statement: Statement;
  readonly publicKey: string;
  /** Why it is refused; empty when it holds. */
  readonly refusals: readonly Problem[];
  /** Files that have the bytes that were certified. */
  readonly checked: number;
  /** Inputs that are not here, so they were not checked. */
  readonly unchecked: readonly string[];
}

interface Bound {
  /** Its name in messages. */
  readonly file: string;
  readonly sha256: string;
  readonly bytes?: number;
  /** Manifest and spreadsheet: readers of the certificate need not have them. */
  readonly isInput?: boolean;
}

function listBound({ manifest, source, pdfs, zips, files }: Statement): Bound[] {
  const inputs: Bound[] = [{ ...manifest, isInput: true }];
  if (source !== null && source.file !== null) {
    inputs.push({ file: source.file, sha256: source.sha256, isInput: true });
  }
  return [...pdfs, ...zips, ...files, ...inputs];
}

class Check {
  readonly refusals: Problem[] = [];
  readonly unchecked: string[] = [];
  checked = 0;

  refuse(message: string, file: string): void {
    this.refusals.push({ message, where: { file } });
  }

  /** True when the file has the bytes that were certified. */
  async compare(
    { sha256: expected, bytes, isInput = false }: Bound,
    full: string,
  ): Promise<boolean> {
    const found = await stat(full).catch(() => undefined);
    if (found?.isFile() !== true) {
      if (isInput) this.unchecked.push(full);
      else this.refuse("file must be there, got none", full);
      return false;
    }
    const isSame = (bytes ?? found.size) === found.size && (await hashFile(full)) === expected;
    if (isSame) this.checked += 1;
    else if (bytes !== undefined && bytes !== found.size) {
      this.refuse(`file must have the ${bytes} bytes that were certified, got ${found.size}`, full);
    } else {
      this.refuse(
        isInput
          ? "file must be the one that the job was made from, got other bytes: it was changed since"
          : "file must have the bytes that were certified, got others",
        full,
      );
    }
    return isSame;
  }
}

/** Says which PDF's cells were changed in a map that is not the certified one. */
async function compareCells(check: Check, map: string, { pdfs }: Statement): Promise<void> {
  const trees = await readCellTrees(map).catch(() => undefined);
  if (trees === undefined) return;
  for (const { file, cells, cellsRoot } of pdfs) {
    const tree = trees.get(file);
    if (tree?.root() === cellsRoot) continue;
    const what =
      tree === undefined || tree.count !== cells
        ? `must list the ${cells} cells of ${file}, got ${tree?.count ?? 0}`
        : `must list the cells of ${file} that were certified, got others`;
    check.refuse(what, map);
  }
}

const LISTED = /^([0-9a-f]{64}) {2}(.+)$/u;

/** Every picture of the list; the list itself was checked before. */
async function comparePictures(check: Check, list: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(list, "utf8"), crlfDelay: Infinity });
  for await (const line of lines) {
    const [, sha256 = "", file = ""] = LISTED.exec(line) ?? [];
    await check.compare({ file, sha256 }, path.join(path.dirname(list), file));
  }
}

/** All that the certificate names. */
async function compareAll(check: Check, folder: string, statement: Statement): Promise<void> {
  for (const bound of listBound(statement)) {
    const full = path.resolve(folder, bound.file);
    const isSame = await check.compare(bound, full);
    if (bound.file === PICTURES && isSame) await comparePictures(check, full);
    if (bound.file === MAP && !isSame && existsSync(full)) {
      await compareCells(check, full, statement);
    }
  }
}

/** The files that were named, wherever they lie and whatever they are called. */
async function compareNamed(
  check: Check,
  files: readonly string[],
  statement: Statement,
): Promise<void> {
  const bound = listBound(statement);
  for (const full of files) {
    const hash = await hashFile(full).catch((cause: unknown) => {
      throw new AppError("bad-usage", `${full} must be a file that can be read`, { cause });
    });
    if (bound.some(({ sha256 }) => sha256 === hash)) check.checked += 1;
    else check.refuse("file must be one of those that were certified, got other bytes", full);
  }
}

/** Throws what `parseCertificate` throws, and `bad-usage` for a file that can't be read. */
export async function checkCertificate(order: CheckOrder): Promise<CheckResult> {
  const { certificate: file, files, publicKey } = order;
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) {
    throw badUsage(
      `${file} must be a certificate, got a folder`,
      `name the file: ${path.join(file, "certificate.json")}`,
    );
  }
  if (found?.isFile() !== true || found.size > MAX_BYTES) {
    throw badUsage(
      `${file} must be a certificate, got no such file`,
      "a run whose files are proven writes certificate.json into its output folder",
    );
  }
  const certificate = parseCertificate(await readFile(file, "utf8"));
  const { statement, signature } = certificate;
  const check = new Check();
  const done = (): CheckResult => ({
    statement,
    publicKey: signature.publicKey,
    refusals: check.refusals,
    checked: check.checked,
    unchecked: check.unchecked,
  });
  if (!isSigned(certificate)) {
    check.refuse("the statement must be the one that was signed, got another one", file);
    return done();
  }
  if (publicKey !== undefined && publicKey !== signature.publicKey) {
    check.refuse(`must be signed by ${publicKey}, got ${signature.publicKey}`, file);
    return done();
  }
  if (files.length > 0) await compareNamed(check, files, statement);
  else await compareAll(check, path.dirname(file), statement);
  return done();
}

/** Who signed a certificate that lies in a folder. */
interface SignedBy {
  /** Absolute. */
  readonly file: string;
  /** 64 hex digits. */
  readonly publicKey: string;
}

/** Jobs write to `out/NAME` unless they say otherwise. */
const DEPTH = 2;

/** Hold no output folder, and maybe very many files. */
const SKIPPED = /^(?:\.|node_modules$|artwork$)/u;

async function readKey(file: string): Promise<SignedBy[]> {
  try {
    const { signature } = parseCertificate(await readFile(file, "utf8"));
    return [{ file, publicKey: signature.publicKey }];
  } catch {
    // None, or one that `check` refuses.
    return [];
  }
}

/** Certificates of the folder and of output folders below it. */
export async function listSigned(folder: string, depth = DEPTH): Promise<SignedBy[]> {
  const found = await readKey(path.join(folder, CERTIFICATE));
  if (depth === 0) return found;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name));
  for (const { name } of names.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    found.push(...(await listSigned(path.join(folder, name), depth - 1)));
  return found;
}
