/**
 * `certificate.json`: inputs, results and proof of a job, signed with Ed25519. The signature is
 * over the canonical JSON (RFC 8785) of `statement`. `docs/certificates.md` has the fields.
 */
import { sign, verify, type KeyObject } from "node:crypto";

import { z } from "zod";

import { AppError } from "../base/errors.ts";
import { fromPublicHex, toPublicHex } from "../base/ids/signing-key.ts";

/** A makeready that knows the first version only must not take a sampled proof for a whole one. */
const VERSION = 2;
export const ALGORITHM = "Ed25519";

const hash = z.string().regex(/^[0-9a-f]{64}$/u);
const count = z.number().int().nonnegative();
/** Relative to the folder of the certificate, with `/`; nothing outside of it. */
const inside = z
  .string()
  .regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\\0]+$/u, "must be a file below the certificate");

const boundFile = z.strictObject({ file: inside, bytes: count, sha256: hash });

const statement = z.strictObject({
  /** 2: the proof was sampled. */
  version: z.union([z.literal(1), z.literal(VERSION)]),
  job: z.string(),
  kind: z.string(),
  /** ISO: when all of this was first found true. */
  certifiedAt: z.iso.datetime(),
  program: z.string(),
  /** Relative to the certificate. */
  manifest: z.strictObject({ file: z.string(), sha256: hash }),
  /** Null: codes that exist; `file` is null where the rows are in no file of their own. */
  source: z
    .strictObject({ name: z.string(), file: z.string().nullable(), sha256: hash })
    .nullable(),
  press: z.strictObject({
    verdict: z.enum(["ready", "ready-with-warnings", "ready-sampled"]),
    warnings: z.array(z.string()),
  }),
  counts: z.strictObject({
    rows: count,
    bad: count,
    failed: count,
    /** Rows whose files did not come; `failed` of older certificates has them. */
    withoutFiles: count.optional(),
    codes: count,
    pages: count,
    pictures: count,
  }),
  proof: z.strictObject({
    codes: count,
    read: count,
    /** Of a sampled proof: codes that were not read, but each of whose modules was compared. */
    compared: count.optional(),
    /** Of these, symbols beside codes. */
    symbols: count,
    pictures: count,
    picturesRead: count,
    rules: count,
    errors: count,
    warnings: count,
  }),
  /** Of the device that the PDFs are drawn for; null where there are none, or where it isn't named. */
  deviceDpi: count.nullable(),
  pdfs: z.array(
    z.strictObject({
      ...boundFile.shape,
      pages: count,
      codes: count,
      cells: count,
      /** Root of the hash tree over its cells in `sheet-map.json`. */
      cellsRoot: hash,
    }),
  ),
  zips: z.array(z.strictObject({ ...boundFile.shape, entries: count })),
  files: z.array(boundFile),
});

const shape = z.strictObject({
  statement,
  signature: z.strictObject({
    algorithm: z.literal(ALGORITHM),
    publicKey: hash,
    value: z.string().regex(/^[0-9a-f]{128}$/u),
  }),
});

export type Statement = z.infer<typeof statement>;
export type Certificate = z.infer<typeof shape>;

/** RFC 8785: no blanks, names sorted by their UTF-16 units. Of texts, whole numbers, lists and objects. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => toCanonicalJson(one)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${toCanonicalJson(one)}`).join(",")}}`;
}

const toSigned = (what: Statement): Buffer => Buffer.from(toCanonicalJson(what));

export function signStatement(what: Statement, key: KeyObject): Certificate {
  const value = sign(null, toSigned(what), key).toString("hex");
  return {
    statement: what,
    signature: { algorithm: ALGORITHM, publicKey: toPublicHex(key), value },
  };
}

/** The bytes of the file: there is one way to write a certificate. */
export const formatCertificate = (certificate: Certificate): string =>
  `${JSON.stringify(certificate, null, 2)}\n`;

const refuse = (message: string, cause?: unknown): AppError =>
  new AppError("verify-failed", message, { cause });

/** Reads the file. Throws `state-newer` for one of a newer makeready, `verify-failed` for anything else. */
export function parseCertificate(text: string): Certificate {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse("a certificate must be JSON, got something else", cause);
  }
  const { version } = (value as { statement?: { version?: unknown } } | null)?.statement ?? {};
  if (typeof version === "number" && version > VERSION) {
    throw new AppError(
      "state-newer",
      `the certificate must have version ${VERSION} or less, got ${version}`,
      { hint: "check it with the makeready that made it" },
    );
  }
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") ?? "";
    throw refuse(`a certificate must have the fields of one: ${field}: ${issue?.message}`);
  }
  // Doubled names, other blanks: a reader might see something that was not signed.
  if (formatCertificate(parsed.data) !== text) {
    throw refuse("the certificate must have the bytes that makeready wrote, got others");
  }
  return parsed.data;
}

/** True when its key signed its statement. */
export function isSigned({ statement: what, signature }: Certificate): boolean {
  try {
    const key = fromPublicHex(signature.publicKey);
    return verify(null, toSigned(what), key, Buffer.from(signature.value, "hex"));
  } catch {
    return false;
  }
}
