/** Checks a certificate, or prints the key that this folder's certificates are signed with. */
import path from "node:path";

import { errorKinds, badUsage } from "../../base/errors.ts";
import { formatProblem, toShortPath } from "../../base/text/format-problem.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { readSigningKey, toPublicHex } from "../../base/ids/signing-key.ts";
import { formatCount, formatMany } from "../../base/text/words.ts";
import { listSigned } from "../../pipeline/standing/check-certificate.ts";
import { checkCertificate, type CheckResult } from "../../pipeline/standing/check-certificate.ts";
import type { Call } from "../call.ts";
import { requireDataDir } from "../settings.ts";
import { toPeople } from "../terminal.ts";

const PUBLIC_KEY = /^[0-9a-f]{64}$/u;

function readKey(call: Call): string | undefined {
  const text = call.text("key")?.toLowerCase();
  if (text === undefined || PUBLIC_KEY.test(text)) return text;
  throw badUsage(
    `--key must be 64 hex digits, got ${text}`,
    "makeready key prints the key of a data folder",
  );
}

function formatFacts({ statement }: CheckResult): string {
  const { counts, proof, press } = statement;
  const warnings = formatMany(press.warnings.length, "warning");
  // A job without sheets has pictures alone.
  if (counts.pages === 0 && counts.pictures > 0)
    return `${formatMany(counts.pictures, "picture")}, ${formatCount(proof.picturesRead)} read back; ${warnings}`;
  // The code of a row that has several labels counts on each of them.
  const codes = `${formatMany(counts.codes, "printed code")} on ${formatMany(counts.pages, "page")}`;
  const { read, compared } = proof;
  const how =
    compared === undefined
      ? `${formatCount(read)} read back`
      : `sampled proof: ${formatCount(read)} read back, each module of ${formatCount(compared)} compared`;
  return `${codes}, ${how}; ${warnings}`;
}

function listResult(result: CheckResult, cwd: string, isKeyGiven: boolean): string[] {
  const { statement, publicKey, refusals, checked, unchecked } = result;
  if (refusals.length > 0) {
    const why = refusals.map((problem) => `  ${formatProblem(problem, cwd)}`);
    return [`${statement.job}: REFUSED`, ...why];
  }
  return linesOf(
    `${statement.job}: certified on ${statement.certifiedAt} by ${statement.program}`,
    `  ${formatFacts(result)}`,
    ...statement.press.warnings.map((warning) => `  warning   ${warning}`),
    `  files     ${formatMany(checked, "file")} as certified`,
    ...unchecked.map((file) => `  not here  ${path.relative(cwd, file)}: not checked`),
    `  signed by ${publicKey}`,
    !isKeyGiven &&
      "  anybody can make a key: compare this one with what the sender told you (--key)",
  );
}

export async function check(call: Call): Promise<number> {
  const certificate = call.require("a certificate", "makeready check out/certificate.json");
  const publicKey = readKey(call);
  const result = await checkCertificate({
    certificate: call.resolve(certificate),
    files: (call.input.others ?? []).map((file) => call.resolve(file)),
    publicKey,
  });
  const isHeld = result.refusals.length === 0;
  const lines = listResult(result, call.context.cwd, publicKey !== undefined);
  call.tell("summary", { isHeld, ...result }, ...lines);
  return isHeld ? 0 : errorKinds.input.exit;
}

const SHOWN = 3;

/** Throws `bad-usage` where a data folder has no key: one that signed nothing must not be handed out. */
export async function key(call: Call): Promise<void> {
  const dataDir = requireDataDir(call);
  const { cwd } = call.context;
  const signed = await listSigned(cwd);
  const own = await readSigningKey(dataDir);
  if (own === undefined) {
    const [first] = signed;
    const other =
      first === undefined
        ? ""
        : `; ${toShortPath(first.file, cwd)} was signed by ${first.publicKey}`;
    throw badUsage(
      `${dataDir} must hold a key, got none${other}`,
      "the key is made when a run first signs a certificate; name the data folder of the job, which is .makeready beside its manifest or what --data named: makeready key --data FOLDER",
    );
  }
  const publicKey = toPublicHex(own);
  const others = signed.filter((one) => one.publicKey !== publicKey);
  call.tell("key", { publicKey, ...(others.length > 0 && { others }) }, publicKey);
  if (call.isJson) return;
  const { err } = toPeople(call.context);
  for (const one of others.slice(0, SHOWN))
    err(
      `warning: ${toShortPath(one.file, cwd)} was signed by another key: ${one.publicKey} (for that one, name its data folder: makeready key --data FOLDER)\n`,
    );
  if (others.length > SHOWN)
    err(`warning: ${formatMany(others.length - SHOWN, "more certificate")} by other keys\n`);
}
