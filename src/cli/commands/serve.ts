import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { makeLog, type Log } from "../../base/log.ts";
import { findUnknownVariables, settings } from "../../base/settings.ts";
import { didYouMean } from "../../base/suggest.ts";
import { toCommandLine } from "../../base/shell-words.ts";
import { BASE_URL_RULE, isBaseUrl } from "../../job/shapes/common-shapes.ts";
import { readProjectUrl } from "../../kinds/project-url.ts";
import {
  findOtherAddress,
  keepAddress,
  settleAddress,
  toAddressError,
} from "../../pipeline/public-address.ts";
import type { ServerChoice } from "../../pipeline/server.ts";
import { embeddedPort, toStorePort } from "../../service/embedded/embedded.ts";
import { parsePlan, type Plan } from "../../service/auth/plan.ts";
import { MCP_PATH, openService, type Service, type ServiceOptions } from "../../service/service.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { toProgram } from "../next-command.ts";
import { readAddress } from "../open-job.ts";
import { readScanOptions } from "../serve-scans.ts";
import { readOnOff, readSetting, requireDataDir } from "../settings.ts";

const DEFAULT_PORT = 8787;

function readPort(context: CliContext, input: Input): number {
  const given = readSetting(context, input, "port");
  const port = given === undefined ? DEFAULT_PORT : Number(given.text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new AppError(
    "bad-usage",
    `${given?.from} must be a number from 0 to 65535, got ${given?.text}`,
  );
}

/** `off`, `hosted`, or `reads/writes` a minute. */
function readLimits(context: CliContext, input: Input): NonNullable<ServiceOptions["limits"]> {
  const { text, from } = readSetting(context, input, "limits") ?? { text: "hosted", from: "" };
  if (text === "hosted") return text;
  if (text === "off") return "told";
  const [, reads, writes] = /^(\d{1,9})\/(\d{1,9})$/u.exec(text) ?? [];
  if (reads === undefined || writes === undefined || Number(reads) < 1 || Number(writes) < 1) {
    throw new AppError(
      "bad-usage",
      `${from} must be hosted, off or reads/writes such as 120/60, got ${text}`,
    );
  }
  return { reads: Number(reads), writes: Number(writes) };
}

/** A file, or the plan itself. */
function readPlan(context: CliContext, input: Input): Plan | undefined {
  const text = readSetting(context, input, "plan")?.text;
  if (text === undefined) return undefined;
  const file = path.resolve(context.cwd, text);
  return parsePlan(existsSync(file) ? readFileSync(file, "utf8") : text);
}

function announce(
  context: CliContext,
  service: Service,
  input: Input,
  urls: { publicUrl: string; baseUrl: string; mcpUrl: string },
): void {
  const { account, otherAccount } = service;
  if (readFlag(input, "json")) {
    const line = {
      base_url: urls.baseUrl,
      token: account.token,
      workspace_id: account.workspaceId,
      public_url: urls.publicUrl,
      mcp_url: urls.mcpUrl,
      ...(otherAccount !== undefined && {
        other_token: otherAccount.token,
        other_workspace_id: otherAccount.workspaceId,
      }),
    };
    context.out(`${JSON.stringify(line)}\n`);
    return;
  }
  context.out(
    `makeready serves the API at ${urls.baseUrl}\n  MAKEREADY_BASE_URL=${urls.baseUrl}\n  MAKEREADY_TOKEN=${account.token}\n  MAKEREADY_WORKSPACE=${account.workspaceId}\nShort links begin with ${urls.publicUrl}\nAssistants (MCP) are served at ${urls.mcpUrl}\nStop with Ctrl-C.\n`,
  );
}

async function untilStopped(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A misspelt variable changes nothing, and nobody would notice. */
function warnOfVariables({ env }: CliContext, log: Log): void {
  const known = Object.values(settings).map(({ variable }) => variable);
  for (const name of findUnknownVariables(env)) {
    log.warn({ name, hint: didYouMean(name, known) }, "no setting has this name");
  }
}

/** Flag > variable > project > the one that the data folder keeps. */
async function chooseAddress(
  context: CliContext,
  input: Input,
  { dataDir, server }: { readonly dataDir: string; readonly server: typeof embeddedPort },
): Promise<ServerChoice> {
  const { cwd, env } = context;
  const { publicUrl, changesPublicUrl = false } = readAddress(input);
  const named = readSetting(context, input, "publicUrl");
  const given = publicUrl ?? named?.text ?? (await readProjectUrl(cwd, env));
  if (given !== undefined && !isBaseUrl(given)) {
    const from = changesPublicUrl ? "--change-public-url" : (named?.from ?? "api.public_url");
    throw new AppError("bad-usage", `${from} ${BASE_URL_RULE}, got ${given}`);
  }
  const asked = { baseUrl: undefined, dataDir, given, changesPublicUrl, limits: "off" } as const;
  const choice = await settleAddress(asked, server);
  const other = findOtherAddress(choice);
  if (other !== undefined) {
    const data = readText(input, "data");
    const words = ["serve", ...(data === undefined ? [] : ["--data", data])];
    const change = [...toProgram(context), ...words, "--change-public-url", other.wanted];
    throw toAddressError(other, toCommandLine(change));
  }
  return choice;
}

export async function serve(context: CliContext, input: Input): Promise<number> {
  const log = makeLog({ to: { write: context.err } });
  warnOfVariables(context, log);
  const plan = readPlan(context, input);
  const host = readSetting(context, input, "host")?.text ?? "127.0.0.1";
  const where = { port: readPort(context, input), host };
  const dataDir = requireDataDir(context, input);
  const store = readSetting(context, input, "store")?.text;
  const server = store === undefined ? embeddedPort : toStorePort(store);
  const address = await chooseAddress(context, input, { dataDir, server });
  const publicUrl = address.isPublicUrlGiven ? address.publicUrl : undefined;
  const render = readFlag(input, "render")
    ? (await import("../../render/render.ts")).makeRender(context)
    : undefined;
  const { makeConsole } = await import("../../console/console.tsx");
  const service = await openService({
    console: makeConsole,
    render,
    dataDir,
    store,
    isSole: true,
    limits: readLimits(context, input),
    demoAccounts: readFlag(input, "demoAccounts"),
    renewToken: readFlag(input, "newToken"),
    ...readScanOptions(context, input),
    scanThread: true,
    capitalLinks: readOnOff(context, input, "capitalLinks"),
    allowPrivateFetch: readOnOff(context, input, "allowPrivateFetch"),
    accessLog: readOnOff(context, input, "accessLog"),
    metricsToken: readSetting(context, input, "metricsToken")?.text,
    clock: context.clock,
    ids: context.ids,
    log,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(plan !== undefined && { plan }),
  });
  let outdated: AppError | undefined;
  try {
    await keepAddress(address, { server });
    const urls = await service.listen(where);
    announce(context, service, input, {
      ...urls,
      publicUrl: publicUrl ?? urls.url,
      mcpUrl: `${urls.url}${MCP_PATH}`,
    });
    outdated = await Promise.race([untilStopped(context.signal), service.outdated]);
  } finally {
    await service.close();
  }
  if (outdated !== undefined) throw outdated;
  return 0;
}
