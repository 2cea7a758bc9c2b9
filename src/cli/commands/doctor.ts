import path from "node:path";

import { findUnknownVariables, readVariable, settingTable, settings } from "../../base/settings.ts";
import { didYouMean } from "../../base/suggest.ts";
import { isUrl } from "../../base/url.ts";
import type { JobCommon } from "../../job/job.ts";
import { openTransport } from "../../client/transport.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { fail, ok, warn, type Check } from "../doctor/check.ts";
import {
  checkDisk,
  checkFolder,
  checkFonts,
  checkNode,
  nearestFolder,
} from "../doctor/local-checks.ts";
import { checkRemote } from "../doctor/server-checks.ts";
import { requireDataDir } from "../settings.ts";
import { toPeople } from "../terminal.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";
import { openJob, readAccess, readAddress } from "../open-job.ts";
import { findOtherAddress, settleAddress } from "../../pipeline/public-address.ts";
import { isLoopbackUrl, readRemote, type ServerChoice } from "../../pipeline/server.ts";
import { formatMany } from "../../base/words.ts";

/** What a job says, or the environment without one. */
interface Subject {
  readonly folder: string;
  readonly api: JobCommon["api"];
  /** The public address, where the embedded service makes the codes. */
  readonly server: ServerChoice;
}

async function readSubject(context: CliContext, input: Input): Promise<Subject> {
  if (input.argument !== undefined) {
    const { job, server } = await openJob(context, input);
    return { folder: job.output.dir, api: job.api, server };
  }
  const { env, cwd } = context;
  const baseUrl = readText(input, "baseUrl") ?? readVariable(env, "baseUrl");
  const { changesPublicUrl = false, publicUrl } = readAddress(input);
  const server = await settleAddress(
    {
      baseUrl,
      dataDir: requireDataDir(context, input),
      given: publicUrl ?? readVariable(env, "publicUrl"),
      changesPublicUrl,
      limits: "off",
    },
    embeddedPort,
  );
  const folder = path.resolve(cwd, readText(input, "out") ?? ".");
  return { folder, server, api: baseUrl === undefined ? {} : { baseUrl } };
}

function describeEmbedded(server: ServerChoice): Check {
  const { publicUrl, isPublicUrlGiven, keptUrl } = server;
  const other = findOtherAddress(server);
  if (other !== undefined) {
    const says = `codes ${other.of} have the public address ${other.had}, got ${other.wanted}`;
    return fail("server", says, "name the address that they have, or leave the other one away");
  }
  if (isPublicUrlGiven && !isLoopbackUrl(publicUrl)) {
    const kept = publicUrl === keptUrl ? ", as its data folder keeps" : "";
    return ok("server", `embedded service; short links begin with ${publicUrl}${kept}`);
  }
  const says =
    "embedded service, a rehearsal: short links lead to this computer until --public-url names an address";
  return ok("server", says);
}

/** A misspelt variable changes nothing, and nobody would notice. */
function checkVariables({ env }: CliContext): Check[] {
  const known = Object.values(settingTable).map(({ variable }) => variable);
  return findUnknownVariables(env).map((name) =>
    warn("environment", `${name} is no setting and changes nothing`, didYouMean(name, known)),
  );
}

async function checkServer(context: CliContext, { api, server }: Subject): Promise<Check[]> {
  const { baseUrl } = api;
  if (baseUrl === undefined) return [describeEmbedded(server)];
  if (!/^https?:\/\//u.test(baseUrl) || !isUrl(baseUrl)) {
    const says = "must be an http or https address";
    return [fail("base URL", says, "write it like https://api.example.com/api/v2")];
  }
  const { token, workspace, missing } = await readRemote({ api }, { access: readAccess(context) });
  if (missing.length > 0) {
    return missing.map((name) =>
      fail(name, "must be set, got none", `set ${settings[name].variable}`),
    );
  }
  const transport = context.transport ?? openTransport({ clock: context.clock });
  try {
    return await checkRemote({ baseUrl, token, workspace }, { transport, clock: context.clock });
  } finally {
    if (context.transport === undefined) await transport.close();
  }
}

async function checkAll(context: CliContext, input: Input): Promise<Check[]> {
  const subject = await readSubject(context, input);
  const folder = await nearestFolder(subject.folder);
  return [
    checkNode(process.versions.node),
    ...(await checkFolder(folder)),
    ...(await checkDisk(folder)),
    await checkFonts(),
    ...(await checkServer(context, subject)),
    ...checkVariables(context),
  ];
}

const SIGNS = { ok: "ok", warning: "warning", failed: "FAILED" } as const;

function show(context: CliContext, input: Input, checks: readonly Check[]): void {
  const count = (status: Check["status"]): number =>
    checks.filter((check) => check.status === status).length;
  const [warnings, failed] = [count("warning"), count("failed")];
  if (readFlag(input, "json")) {
    for (const { exit: _exit, ...check } of checks) {
      context.out(`${JSON.stringify({ type: "check", ...check })}\n`);
    }
    const exitCode = toExit(checks);
    context.out(
      `${JSON.stringify({ type: "summary", checks: checks.length, warnings, failed, exitCode })}\n`,
    );
    return;
  }
  const lines = checks.flatMap(({ name, status, says, fix }) => [
    `  ${SIGNS[status].padEnd(8)} ${name.padEnd(11)} ${says}`,
    ...(fix === undefined ? [] : [`           → ${fix}`]),
  ]);
  const verdict =
    failed > 0
      ? `${formatMany(failed, "check")} failed`
      : warnings > 0
        ? `ready, with ${formatMany(warnings, "warning")}`
        : "all is well";
  toPeople(context).out(`${[context.writer, ...lines, verdict].join("\n")}\n`);
}

/** Of what has failed, the first decides. */
const toExit = (checks: readonly Check[]): number =>
  checks.find(({ status }) => status === "failed")?.exit ?? 0;

export async function doctor(context: CliContext, input: Input): Promise<number> {
  const checks = await checkAll(context, input);
  show(context, input, checks);
  return toExit(checks);
}
