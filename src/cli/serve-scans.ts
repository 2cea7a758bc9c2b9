/** What `serve` is told about scans: where they come from, and whom they are reported to. */
import path from "node:path";

import { AppError } from "../base/errors.ts";
import { settings } from "../base/settings.ts";
import { parseGeoHeaders } from "../service/scans/geo-headers.ts";
import type { ServiceOptions } from "../service/service.ts";
import { parseEvents } from "../service/webhooks/receivers.ts";
import { readText, type CliContext, type Input } from "./context.ts";
import { readSetting, readSwitch } from "./settings.ts";

const MAX_FLUSH_MS = 10_000;

function readTrust(context: CliContext, input: Input): ServiceOptions["trustProxy"] {
  const trust = readSwitch(context, input, "trustProxy");
  return typeof trust === "boolean" ? trust : trust.text.split(",").map((one) => one.trim());
}

function readFlushMs(context: CliContext, input: Input): number | undefined {
  const given = readSetting(context, input, "scanFlush");
  if (given === undefined) return undefined;
  const ms = Number(given.text);
  if (Number.isInteger(ms) && ms >= 1 && ms <= MAX_FLUSH_MS) return ms;
  throw new AppError(
    "bad-usage",
    `${given.from} must be milliseconds from 1 to ${MAX_FLUSH_MS}, got ${given.text}`,
  );
}

function readWebhook(context: CliContext, input: Input): ServiceOptions["webhook"] {
  const url = readSetting(context, input, "webhookUrl");
  if (url?.text === "none") return "none";
  const secret = readSetting(context, input, "webhookSecret");
  if (url === undefined) {
    // The variable may stand in a file that several services share.
    if (readText(input, "webhookSecret") === undefined) return undefined;
    throw new AppError("bad-usage", "--webhook-secret must come with --webhook-url, got none");
  }
  if (secret === undefined) {
    throw new AppError("bad-usage", `${url.from} must come with a secret, got none`, {
      hint: `set ${settings.webhookSecret.variable}, or give --webhook-secret`,
    });
  }
  const events = readSetting(context, input, "webhookEvents")?.text;
  const setting = { url: url.text, secret: secret.text };
  return events === undefined ? setting : { ...setting, events: parseEvents(events) };
}

/** Throws "bad-usage" for what can't be understood. */
export function readScanOptions(context: CliContext, input: Input): Partial<ServiceOptions> {
  const database = readSetting(context, input, "geoDatabase")?.text;
  const headers = readSetting(context, input, "geoHeaders");
  const trustProxy = readTrust(context, input);
  if (headers !== undefined && trustProxy === false) {
    throw new AppError("bad-usage", `${headers.from} must come with --trust-proxy, got none`, {
      hint: "otherwise every visitor could tell the service any place",
    });
  }
  return {
    trustProxy,
    geoDatabase: database === undefined ? undefined : path.resolve(context.cwd, database),
    geoHeaders: headers === undefined ? undefined : parseGeoHeaders(headers.text),
    timeZone: readSetting(context, input, "timeZone")?.text,
    scanFlushMs: readFlushMs(context, input),
    webhook: readWebhook(context, input),
  };
}
