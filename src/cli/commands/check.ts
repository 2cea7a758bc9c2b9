/** Checks a certificate, or prints the key that this folder's certificates are signed with. */
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { formatProblem } from "../../base/format-problem.ts";
import { openSigningKey, toPublicHex } from "../../base/signing-key.ts";
import { formatCount, formatMany } from "../../base/words.ts";
import { checkCertificate, type CheckResult } from "../../pipeline/check-certificate.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { requireDataDir } from "../settings.ts";
import { toPeople } from "../terminal.ts";

const PUBLIC_KEY = /^[0-9a-f]{64}$/u;

function readKey(input: Input): string | undefined {
  const text = readText(input, "key")?.toLowerCase();
  if (text === undefined || PUBLIC_KEY.test(text)) return text;
  throw new AppError("bad-usage", `--key must be 64 hex digits, got ${text}`, {
    hint: "makeready key prints the key of a data folder",
  });
}

function formatFacts({ statement }: CheckResult): string {
  const { counts, proof, press } = statement;
  const codes = `${formatMany(counts.codes, "code")} on ${formatMany(counts.pages, "page")}`;
  const { read, compared } = proof;
  const how =
    compared === undefined
      ? `${formatCount(read)} read back`
      : `sampled proof: ${formatCount(read)} read back, each module of ${formatCount(compared)} compared`;
  return `${codes}, ${how}; ${formatMany(press.warnings.length, "warning")}`;
}

function formatResult(result: CheckResult, cwd: string, isKeyGiven: boolean): string {
  const { statement, publicKey, refusals, checked, unchecked } = result;
  if (refusals.length > 0) {
    const why = refusals.map((problem) => `  ${formatProblem(problem, cwd)}\n`);
    return `${statement.job}: REFUSED\n${why.join("")}`;
  }
  const lines = [
    `${statement.job}: certified on ${statement.certifiedAt} by ${statement.program}`,
    `  ${formatFacts(result)}`,
    ...statement.press.warnings.map((warning) => `  warning   ${warning}`),
    `  files     ${formatMany(checked, "file")} as certified`,
    ...unchecked.map((file) => `  not here  ${path.relative(cwd, file)}: not checked`),
    `  signed by ${publicKey}`,
    ...(isKeyGiven
      ? []
      : ["  anybody can make a key: compare this one with what the sender told you (--key)"]),
  ];
  return `${lines.join("\n")}\n`;
}

export async function check(context: CliContext, input: Input): Promise<number> {
  const { cwd } = context;
  if (input.argument === undefined) {
    throw new AppError("bad-usage", "a certificate must be named, got none", {
      hint: "makeready check out/certificate.json",
    });
  }
  const publicKey = readKey(input);
  const result = await checkCertificate({
    certificate: path.resolve(cwd, input.argument),
    files: (input.others ?? []).map((file) => path.resolve(cwd, file)),
    publicKey,
  });
  const isHeld = result.refusals.length === 0;
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "summary", isHeld, ...result })}\n`);
  } else {
    toPeople(context).out(formatResult(result, cwd, publicKey !== undefined));
  }
  return isHeld ? 0 : new AppError("verify-failed", "").exitCode;
}

export async function key(context: CliContext, input: Input): Promise<number> {
  const publicKey = toPublicHex(await openSigningKey(requireDataDir(context, input)));
  context.out(
    readFlag(input, "json") ? `${JSON.stringify({ type: "key", publicKey })}\n` : `${publicKey}\n`,
  );
  return 0;
}
