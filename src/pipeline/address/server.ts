/**
 * The server of a job: a remote one when a base URL is configured, else the service in this very
 * process, which the port opens.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

import { AppError, badUsage } from "../../base/errors.ts";
import { settings } from "../../base/settings.ts";
import { withoutEndSlash } from "../../base/text/url.ts";
import type { JobCode, JobCommon } from "../../job/job.ts";
import { EMBEDDED, type Pin } from "../../state/pin.ts";
import type { Access, Ports } from "../ports.ts";
import { nameSetting, type SettingNames } from "./setting-names.ts";

/** Where short links of the embedded service point by default: where `serve` listens. */
export const DEFAULT_PUBLIC_URL = "http://127.0.0.1:8787";

export interface ServerChoice {
  /** Undefined = embedded. */
  readonly baseUrl: string | undefined;
  readonly dataDir: string;
  readonly publicUrl: string;
  /** It was named, now or before; otherwise the one of the job's earlier runs holds. */
  readonly isPublicUrlGiven: boolean;
  /** The one that the data folder keeps. */
  readonly keptUrl: string | undefined;
  /** The data folder holds codes with an address in them. */
  readonly hasLinks: boolean;
  /** Codes are meant to get another address than they have. */
  readonly changesPublicUrl: boolean;
  /** The job may go on with its workspace at another base URL. */
  readonly changesServer?: boolean | undefined;
  readonly limits: "off" | "hosted";
  /** The embedded service may fetch logos and PDFs from private addresses. */
  readonly allowsPrivateFetch?: boolean | undefined;
}

export interface OpenServer extends SettingNames {
  readonly baseUrl: string;
  readonly token: string;
  /** Where a person has put the token: the variable, or the file; undefined for the embedded service. */
  readonly tokenFrom?: string | undefined;
  readonly workspace: string;
  /** `none`: it is ours and sends no limits, so nothing needs pacing. */
  readonly limits: "none" | "unknown";
  /** What the state is tied to. */
  readonly pinUrl: string;
  readonly isEmbedded: boolean;
  close(): Promise<void>;
}

/** The data folder of the embedded service: `.makeready/` beside `jobs/`, else beside the manifest. */
export function toDataDir(jobFile: string): string {
  const folder = path.dirname(jobFile);
  const root = path.basename(folder) === "jobs" ? path.dirname(folder) : folder;
  return path.join(root, ".makeready");
}

type ApiJob = Pick<JobCommon, "api"> & {
  /** Of jobs that make codes. */
  readonly code?: Pick<JobCode, "compact"> | undefined;
};

/** The credentials of a remote server. */
type Asker = { readonly access: Access };

const readWorkspace = (job: ApiJob, { access }: Asker): string | undefined =>
  access.workspace ?? job.api.workspace;

const noSetting = (what: string, setting: "token" | "workspace", { access }: Asker): AppError =>
  new AppError("setting-missing", `the ${what} must be set, got none`, {
    hint: `set ${access.nameOf === undefined ? "the environment variable " : ""}${nameSetting(access, setting)}, or ${settings[setting].key} in the manifest`,
  });

const noWorkspace = (asker: Asker): AppError => noSetting("workspace", "workspace", asker);
const noToken = (asker: Asker): AppError => noSetting("API token", "token", asker);

/** What a run of a remote server lacks; undefined where all is set. */
export function findUnset(job: ApiJob, choice: ServerChoice, asker: Asker): AppError | undefined {
  if (choice.baseUrl === undefined) return undefined;
  if (readWorkspace(job, asker) === undefined) return noWorkspace(asker);
  return (asker.access.token ?? job.api.tokenFile) === undefined ? noToken(asker) : undefined;
}

/** Reports missing settings of a remote server before anything is read. */
export function checkServer(job: ApiJob, choice: ServerChoice, asker: Asker): void {
  const unset = findUnset(job, choice, asker);
  if (unset !== undefined) throw unset;
}

/** What a state is tied to. Not the port: an embedded service has another one each time. */
export const toPinUrl = (choice: ServerChoice): string =>
  choice.baseUrl === undefined ? EMBEDDED : withoutEndSlash(choice.baseUrl);

/** The workspace of jobs in a data folder, as far as it is known. */
async function lookIntoData(
  { dataDir }: ServerChoice,
  { server }: Pick<Ports, "server">,
): Promise<string | undefined> {
  const { workspace } = await server.address(dataDir);
  return workspace === null ? `none: ${dataDir} holds no codes` : workspace;
}

/** The server as far as it is known before it is opened: see `State.refuseForeign`. */
export async function readPin(
  job: ApiJob,
  choice: ServerChoice,
  ports: Pick<Ports, "access" | "server">,
): Promise<Partial<Pin>> {
  const baseUrl = toPinUrl(choice);
  const isRemote = choice.baseUrl !== undefined;
  const workspace = isRemote ? readWorkspace(job, ports) : await lookIntoData(choice, ports);
  return workspace === undefined ? { baseUrl } : { baseUrl, workspace };
}

async function readToken(job: ApiJob, { access }: Asker): Promise<string | undefined> {
  const { token: given } = access;
  if (given !== undefined || job.api.tokenFile === undefined) return given;
  try {
    return (await readFile(job.api.tokenFile, "utf8")).trim() || undefined;
  } catch (cause) {
    throw new AppError(
      "setting-missing",
      `api.token_file must be readable, got ${job.api.tokenFile}`,
      {
        cause,
      },
    );
  }
}

/** What a remote server needs; empty texts where it is missing. */
export async function readRemote(
  job: ApiJob,
  asker: Asker,
): Promise<{ token: string; workspace: string; missing: ("token" | "workspace")[] }> {
  const token = (await readToken(job, asker)) ?? "";
  const workspace = readWorkspace(job, asker) ?? "";
  const missing = Object.entries({ token, workspace }).flatMap(([name, value]) =>
    value === "" ? [name as "token" | "workspace"] : [],
  );
  return { token, workspace, missing };
}

async function openRemote(
  job: ApiJob,
  choice: ServerChoice & { readonly baseUrl: string },
  asker: Asker,
): Promise<OpenServer> {
  const workspace = readWorkspace(job, asker);
  if (workspace === undefined) throw noWorkspace(asker);
  const token = await readToken(job, asker);
  if (token === undefined) throw noToken(asker);
  return {
    baseUrl: choice.baseUrl,
    token,
    tokenFrom:
      asker.access.token === undefined ? job.api.tokenFile : nameSetting(asker.access, "token"),
    nameOf: asker.access.nameOf,
    workspace,
    limits: "unknown",
    pinUrl: toPinUrl(choice),
    isEmbedded: false,
    close: () => Promise.resolve(),
  };
}

async function openEmbedded(
  job: ApiJob,
  choice: ServerChoice,
  ports: ServerPorts,
): Promise<OpenServer> {
  const { dataDir, publicUrl, limits, allowsPrivateFetch: allowPrivateFetch } = choice;
  const capitalLinks = job.code?.compact ?? false;
  const asked = { dataDir, publicUrl, limits, capitalLinks, allowPrivateFetch };
  const service = await ports.server.open(asked, ports);
  const { baseUrl, token, workspace } = service;
  return {
    baseUrl,
    token,
    workspace,
    limits: limits === "off" ? "none" : "unknown",
    pinUrl: toPinUrl(choice),
    isEmbedded: true,
    close: () => service.close(),
  };
}

type ServerPorts = Pick<Ports, "server" | "access" | "clock" | "ids">;

/** Opens the server that the choice names. Close it when the job is over. */
export async function openServer(
  job: ApiJob,
  choice: ServerChoice,
  ports: ServerPorts,
): Promise<OpenServer> {
  const { baseUrl } = choice;
  return baseUrl === undefined
    ? openEmbedded(job, choice, ports)
    : openRemote(job, { ...choice, baseUrl }, ports);
}

/** The store of the embedded service in its data folder, in which other files may lie, too. */
const STORE_FILE = "service.db";

/** True for an embedded service that was never used: asking it would make its store. */
export const isNothingThere = (choice: ServerChoice): boolean =>
  choice.baseUrl === undefined && !existsSync(path.join(choice.dataDir, STORE_FILE));

/** The error of a plan over a service that holds nothing yet. */
export const noCodesYet = (choice: ServerChoice): AppError =>
  badUsage(
    `${choice.dataDir} must hold codes to select from, got no data`,
    "run a job that makes codes first, or name a server with --base-url",
  );
