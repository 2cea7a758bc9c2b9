/**
 * The Ed25519 key (RFC 8032) of a data folder, which signs the certificates of its jobs. It is made
 * when it is first needed, and leaves the folder only in backups. `docs/certificates.md` says what a
 * signature proves.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";

import { PRIVATE_FILE, PRIVATE_FOLDER, TEMPORARY_SUFFIX } from "../files/atomic-file.ts";
import { AppError } from "../errors.ts";

/** Relative to the data folder: PKCS #8 as PEM, readable by its owner only. */
export const KEY_FILE = "certificate-key.pem";

/** Raw public keys have 32 bytes, at the end of their SPKI form (RFC 8410 section 4). */
const KEY_BYTES = 32;
const SPKI_HEAD = "302a300506032b6570032100";

/** 64 hex digits, lower case. */
export function toPublicHex(key: KeyObject): string {
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return spki.subarray(-KEY_BYTES).toString("hex");
}

/** The key of 64 hex digits. */
export const fromPublicHex = (hex: string): KeyObject =>
  createPublicKey({ key: Buffer.from(SPKI_HEAD + hex, "hex"), format: "der", type: "spki" });

function parseKey(pem: string, file: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
    throw new Error(`is a key of type ${key.asymmetricKeyType}`);
  } catch (cause) {
    throw new AppError("bad-usage", `${file} must hold an Ed25519 key, got something else`, {
      cause,
      hint: "put it back from a backup; or move it away: makeready then makes a new key, and you must give that one to your readers",
    });
  }
}

const readPem = (file: string): Promise<string | undefined> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

/** Writes a new key, unless another process was faster. */
async function makeKey(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync("ed25519");
  await mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  const temporary = `${file}.${process.pid}${TEMPORARY_SUFFIX}`;
  try {
    const handle = await open(temporary, "w", PRIVATE_FILE);
    try {
      await handle.writeFile(privateKey.export({ format: "pem", type: "pkcs8" }));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return undefined;
      // For file systems without hard links.
      return rename(temporary, file);
    });
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Reads the key of a data folder; undefined if there is none. */
export async function readSigningKey(dataDir: string): Promise<KeyObject | undefined> {
  const file = path.join(dataDir, KEY_FILE);
  try {
    const pem = await readPem(file);
    return pem === undefined ? undefined : parseKey(pem, file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("data-unwritable", `the key ${file} must be readable`, { cause: error });
  }
}

/** The same; makes it if there is none. */
export async function openSigningKey(dataDir: string): Promise<KeyObject> {
  const file = path.join(dataDir, KEY_FILE);
  const known = await readSigningKey(dataDir);
  if (known !== undefined) return known;
  try {
    await makeKey(file);
    return parseKey((await readPem(file)) ?? "", file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("data-unwritable", `the key ${file} must be made there`, { cause: error });
  }
}
