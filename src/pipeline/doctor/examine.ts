/** All that a job needs before it begins: this computer, its folder, its server. Changes nothing. */
import { findUnknownVariables, settings, type Environment } from "../../base/settings.ts";
import { errorKinds } from "../../base/errors.ts";
import { isLoopbackUrl, isUrl } from "../../base/text/url.ts";
import { openTransport } from "../../client/transport.ts";
import type { JobCommon } from "../../job/job.ts";
import type { ForeignProblem } from "../address/foreign-server.ts";
import type { Ports } from "../ports.ts";
import { findOtherAddress } from "../address/public-address.ts";
import { readRemote, type ServerChoice } from "../address/server.ts";
import { fail, ok, warn, type Check } from "./check.ts";
import {
  checkDisk,
  checkFolder,
  checkFonts,
  checkNode,
  findClosedData,
  nearestFolder,
} from "./local-checks.ts";
import { checkRemote } from "./server-checks.ts";

/** What a job says, or the environment without one. */
export interface Subject {
  readonly folder: string;
  readonly api: JobCommon["api"];
  /** The job makes or changes things; undefined without a job. */
  readonly writes?: boolean | undefined;
  /** The public address, where the embedded service makes the codes. */
  readonly server: ServerChoice;
  /** What was found of all that the manifest names; undefined without a job. */
  readonly named?: readonly Check[] | undefined;
  /** Another job has moved the codes of this one to another address, or the store is in a database. */
  readonly moved?: { readonly message: string; readonly hint: string } | undefined;
  /** The codes of the job lie at another server, or in another data folder. */
  readonly foreign?: ForeignProblem | undefined;
  /** Codes of the job that the embedded service no longer has. */
  readonly gone?: readonly Check[] | undefined;
  /** Whether a remote server still gives the codes of the job the address that they have. */
  readonly checkCodes?: (() => Promise<Check[]>) | undefined;
}

type World = Pick<Ports, "clock" | "access" | "transport">;

function describeEmbedded({ server, moved }: Subject): Check {
  if (moved !== undefined) return fail("server", moved.message, moved.hint);
  const { publicUrl, isPublicUrlGiven, keptUrl } = server;
  const other = findOtherAddress(server);
  if (other !== undefined) {
    const says = `codes ${other.of} have the public address ${other.had}, got ${other.wanted}`;
    return fail("server", says, "name the address that they have, or leave the other one out");
  }
  if (isPublicUrlGiven && !isLoopbackUrl(publicUrl)) {
    const kept = publicUrl === keptUrl ? ", as its data folder keeps" : "";
    return ok("server", `embedded service; short links begin with ${publicUrl}${kept}`);
  }
  const says =
    "embedded service, a rehearsal: short links lead to this computer until --public-url names an address";
  return ok("server", says);
}

/** A misspelt variable changes nothing, and would go unnoticed. */
const checkVariables = (env: Environment): Check[] =>
  findUnknownVariables(env).map(({ name, hint }) =>
    warn("environment", `${name} is no setting and changes nothing`, hint),
  );

async function checkEmbedded(subject: Subject): Promise<Check[]> {
  const { server, gone = [] } = subject;
  if (gone.some(({ status }) => status === "failed")) return [...gone];
  return [(await findClosedData(server.dataDir)) ?? describeEmbedded(subject), ...gone];
}

async function checkServer(subject: Subject, world: World): Promise<Check[]> {
  const { api, writes, foreign } = subject;
  const { baseUrl } = api;
  if (foreign !== undefined) {
    const { exit } = errorKinds.version;
    return [fail("server", foreign.message, foreign.hint, exit)];
  }
  if (baseUrl === undefined) return checkEmbedded(subject);
  if (!/^https?:\/\//u.test(baseUrl) || !isUrl(baseUrl)) {
    const says = "must be an http or https address";
    return [fail("base URL", says, "write it like https://api.example.com/api/v2")];
  }
  const { token, workspace, missing } = await readRemote({ api }, world);
  if (missing.length > 0) {
    return missing.map((name) =>
      fail(name, "must be set, got none", `set ${settings[name].variable}`),
    );
  }
  const { clock } = world;
  const transport = world.transport ?? openTransport({ clock });
  try {
    const checks = await checkRemote({ baseUrl, token, workspace, writes }, { transport, clock });
    return [...checks, ...((await subject.checkCodes?.()) ?? [])];
  } finally {
    if (world.transport === undefined) await transport.close();
  }
}

/** Looks at everything, in the order in which people mend it. */
export async function examine(
  subject: Subject,
  world: World & { readonly env: Environment },
): Promise<Check[]> {
  const folder = await nearestFolder(subject.folder);
  return [
    checkNode(process.versions.node),
    ...(await checkFolder(folder)),
    ...(await checkDisk(folder)),
    await checkFonts(),
    ...(subject.named ?? []),
    ...(await checkServer(subject, world)),
    ...checkVariables(world.env),
  ];
}

/** The first failed check decides. */
export const toExit = (checks: readonly Check[]): number =>
  checks.find(({ status }) => status === "failed")?.exit ?? 0;
