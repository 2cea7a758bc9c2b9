import { existsSync, readFileSync } from "node:fs";

import { badUsage, type AppError } from "../../base/errors.ts";
import { hidePassword } from "../../base/text/hide-password.ts";
import { makeLog, type Log } from "../../base/log.ts";
import { findUnknownVariables } from "../../base/settings.ts";
import { toCommandLine } from "../../base/text/shell-words.ts";
import { BASE_URL_RULE, isBaseUrl, sayBaseUrlFix } from "../../job/shapes/common-shapes.ts";
import { readProjectUrl } from "../../kinds/project-url.ts";
import {
  findOtherAddress,
  keepAddress,
  settleAddress,
  toAddressError,
} from "../../pipeline/address/public-address.ts";
import type { ServerChoice } from "../../pipeline/address/server.ts";
import { PLAN_HINT, parsePlan, type Plan } from "../../service/auth/plan.ts";
import { embeddedPort, toStorePort } from "../../service/embedded/embedded.ts";
import { MCP_PATH, openService, type Service, type ServiceOptions } from "../../service/service.ts";
import { untilAborted, type Call } from "../call.ts";
import { toProgram } from "../../base/text/program-words.ts";
import { readAddress } from "../open-job.ts";
import { readScanOptions } from "../serve-scans.ts";
import {
  MOST_PORT,
  readOnOff,
  readSetting,
  readWhole,
  requireDataDir,
  toFlag,
} from "../settings.ts";

const DEFAULT_PORT = 8787;

/** `off`, `hosted`, or `reads/writes` a minute. */
function readLimits(call: Call): NonNullable<ServiceOptions["limits"]> {
  const { text, from } = readSetting(call, "limits") ?? { text: "hosted", from: "" };
  if (text === "hosted") return text;
  if (text === "off") return "told";
  const [, reads = 0, writes = 0] = /^(\d{1,9})\/(\d{1,9})$/u.exec(text)?.map(Number) ?? [];
  if (reads >= 1 && writes >= 1) return { reads, writes };
  throw badUsage(`${from} must be hosted, off or reads/writes such as 120/60, got ${text}`);
}

/** A file, or the plan itself. */
function readPlan(call: Call): Plan | undefined {
  const given = readSetting(call, "plan");
  if (given === undefined) return undefined;
  const { text, from } = given;
  const file = call.resolve(text);
  if (existsSync(file)) return parsePlan(readFileSync(file, "utf8"));
  if (/[={]/u.test(text)) return parsePlan(text);
  throw badUsage(`${from} must name a file that is there, or be a plan, got ${text}`, PLAN_HINT);
}

interface Urls {
  readonly publicUrl: string;
  readonly baseUrl: string;
  readonly mcpUrl: string;
}

/** The first line of `--json` has no type: programs have read it so since the beginning. */
function announce(call: Call, { account, otherAccount }: Service, urls: Urls): void {
  const { publicUrl, baseUrl, mcpUrl } = urls;
  const { token, workspaceId } = account;
  if (!call.isJson) {
    return call.say(
      `makeready serves the API at ${baseUrl}`,
      `  MAKEREADY_BASE_URL=${baseUrl}`,
      `  MAKEREADY_TOKEN=${token}`,
      `  MAKEREADY_WORKSPACE=${workspaceId}`,
      `Short links begin with ${publicUrl}`,
      `Assistants (MCP) are served at ${mcpUrl}`,
      "Stop with Ctrl-C.",
    );
  }
  const other = otherAccount && {
    other_token: otherAccount.token,
    other_workspace_id: otherAccount.workspaceId,
  };
  const own = { base_url: baseUrl, token, workspace_id: workspaceId };
  const line = { ...own, public_url: publicUrl, mcp_url: mcpUrl, ...other };
  call.context.out(`${JSON.stringify(line)}\n`);
}

/** A misspelt variable changes nothing, and would go unnoticed. */
function warnOfVariables({ context }: Call, log: Log): void {
  for (const unknown of findUnknownVariables(context.env))
    log.warn(unknown, "no setting has this name");
}

/** Flag > variable > project > the one that the data folder keeps. */
async function chooseAddress(
  call: Call,
  dataDir: string,
  server: typeof embeddedPort,
): Promise<ServerChoice> {
  const { cwd, env } = call.context;
  const { publicUrl, changesPublicUrl = false } = readAddress(call);
  const named = readSetting(call, "publicUrl");
  const given = publicUrl ?? named?.text ?? (await readProjectUrl(cwd, env));
  if (given !== undefined && !isBaseUrl(given)) {
    const from = changesPublicUrl ? "--change-public-url" : (named?.from ?? "api.public_url");
    throw badUsage(`${from} ${BASE_URL_RULE}, got ${hidePassword(given)}`, sayBaseUrlFix(given));
  }
  const asked = { baseUrl: undefined, dataDir, given, changesPublicUrl, limits: "off" } as const;
  const choice = await settleAddress(asked, server);
  const other = findOtherAddress(choice);
  if (other === undefined) return choice;
  const change = [...repeatOptions(call), "--change-public-url", other.wanted];
  throw toAddressError(other, toCommandLine([...toProgram(call.context), "serve", ...change]));
}

/** What must not stand in a log; people put it in themselves. */
const HIDDEN: Readonly<Record<string, (text: string) => string>> = {
  webhookSecret: () => "SECRET",
  store: (text) => {
    const url = new URL(text);
    if (url.password === "") return text;
    url.password = "PASSWORD";
    return url.href;
  },
};

/** The options as they were typed, without the address. */
const repeatOptions = ({ input }: Call): string[] =>
  Object.entries(input.options).flatMap(([name, value]) => {
    if (name === "publicUrl" || name === "changePublicUrl") return [];
    if (value === true) return [toFlag(name)];
    return typeof value === "string" ? [toFlag(name), HIDDEN[name]?.(value) ?? value] : [];
  });

/** The settings of the service that the command line names. */
async function readService(call: Call) {
  const { context } = call;
  const { makeConsole } = await import("../../console/console.tsx");
  return {
    console: makeConsole,
    render: call.has("render")
      ? (await import("../../render/render.ts")).makeRender(context)
      : undefined,
    isSole: true,
    limits: readLimits(call),
    plan: readPlan(call),
    demoAccounts: call.has("demoAccounts"),
    renewToken: call.has("newToken"),
    ...readScanOptions(call),
    scanThread: true,
    capitalLinks: readOnOff(call, "capitalLinks"),
    allowPrivateFetch: readOnOff(call, "allowPrivateFetch"),
    accessLog: readOnOff(call, "accessLog"),
    metricsToken: readSetting(call, "metricsToken")?.text,
    clock: context.clock,
    ids: context.ids,
  } satisfies Partial<ServiceOptions>;
}

export async function serve(call: Call): Promise<void> {
  const { context } = call;
  const log = makeLog({ to: { write: context.err } });
  warnOfVariables(call, log);
  const range = { least: 0, most: MOST_PORT };
  const port = readWhole(readSetting(call, "port"), range) ?? DEFAULT_PORT;
  const host = readSetting(call, "host")?.text ?? "127.0.0.1";
  const dataDir = requireDataDir(call);
  const store = readSetting(call, "store")?.text;
  const options = await readService(call);
  const server = store === undefined ? embeddedPort : toStorePort(store);
  const address = await chooseAddress(call, dataDir, server);
  const publicUrl = address.isPublicUrlGiven ? address.publicUrl : undefined;
  const onWait = (): void =>
    context.err(`another process serves ${dataDir}; waiting up to ten seconds for it to stop\n`);
  const service = await openService({ ...options, dataDir, store, publicUrl, log, onWait });
  let outdated: AppError | undefined;
  try {
    await keepAddress(address, { server });
    const urls = await service.listen({ port, host });
    const mcpUrl = `${urls.url}${MCP_PATH}`;
    announce(call, service, { baseUrl: urls.baseUrl, publicUrl: publicUrl ?? urls.url, mcpUrl });
    outdated = await Promise.race([untilAborted(context.signal), service.outdated]);
  } finally {
    await service.close();
  }
  if (outdated !== undefined) throw outdated;
}
