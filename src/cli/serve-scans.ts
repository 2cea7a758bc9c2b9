/** What `serve` is told about scans: where they come from, and whom they are reported to. */
import path from "node:path";

import { AppError } from "../base/errors.ts";
import { parseGeoHeaders } from "../service/scans/geo-headers.ts";
import type { ServiceOptions } from "../service/service.ts";
import { readText, type CliContext, type Input } from "./context.ts";

const MAX_FLUSH_MS = 10_000;

function readTrust(input: Input): ServiceOptions["trustProxy"] {
  const text = readText(input, "trustProxy");
  if (text === undefined) return input.options["trustProxy"] === true;
  return text.split(",").map((one) => one.trim());
}

function readFlushMs(input: Input): number | undefined {
  const text = readText(input, "scanFlush");
  if (text === undefined) return undefined;
  const ms = Number(text);
  if (Number.isInteger(ms) && ms >= 1 && ms <= MAX_FLUSH_MS) return ms;
  throw new AppError(
    "bad-usage",
    `--scan-flush must be milliseconds from 1 to ${MAX_FLUSH_MS}, got ${text}`,
  );
}

function readWebhook({ env }: CliContext, input: Input): ServiceOptions["webhook"] {
  const url = readText(input, "webhookUrl");
  if (url === "none") return "none";
  const secret = readText(input, "webhookSecret") ?? env["MAKEREADY_WEBHOOK_SECRET"];
  if (url === undefined) {
    if (readText(input, "webhookSecret") === undefined) return undefined;
    throw new AppError("bad-usage", "--webhook-secret must come with --webhook-url, got none");
  }
  if (secret === undefined || secret === "") {
    throw new AppError("bad-usage", "--webhook-url must come with a secret, got none", {
      hint: "set MAKEREADY_WEBHOOK_SECRET, or give --webhook-secret",
    });
  }
  return { url, secret };
}

/** Throws "bad-usage" for what can't be understood. */
export function readScanOptions(context: CliContext, input: Input): Partial<ServiceOptions> {
  const database = readText(input, "geoDatabase");
  const headers = readText(input, "geoHeaders");
  const trustProxy = readTrust(input);
  if (headers !== undefined && trustProxy === false) {
    throw new AppError("bad-usage", "--geo-headers must come with --trust-proxy, got none", {
      hint: "otherwise every visitor could tell the service any place",
    });
  }
  return {
    trustProxy,
    geoDatabase: database === undefined ? undefined : path.resolve(context.cwd, database),
    geoHeaders: headers === undefined ? undefined : parseGeoHeaders(headers),
    timeZone: readText(input, "timeZone"),
    scanFlushMs: readFlushMs(input),
    webhook: readWebhook(context, input),
  };
}
