/** Settings of `serve` about scans: how their place is found, and where they are reported. */
import { badUsage } from "../base/errors.ts";
import { settings } from "../base/settings.ts";
import { parseGeoHeaders } from "../service/scans/geo-headers.ts";
import type { ServiceOptions } from "../service/service.ts";
import { parseEvents } from "../service/webhooks/receivers.ts";
import type { Call } from "./call.ts";
import { readSetting, readSwitch, readWhole, toFlag } from "./settings.ts";

const FLUSH_MS = { least: 1, most: 10_000, what: "milliseconds" };

function readTrust(call: Call): ServiceOptions["trustProxy"] {
  const trust = readSwitch(call, "trustProxy");
  return typeof trust === "boolean" ? trust : trust.text.split(",").map((one) => one.trim());
}

function readWebhook(call: Call): ServiceOptions["webhook"] {
  const url = readSetting(call, "webhookUrl");
  if (url?.text === "none") return "none";
  const secret = readSetting(call, "webhookSecret");
  if (url === undefined) {
    // The variables may stand in a file that several services share.
    const alone = (["webhookSecret", "webhookEvents"] as const).find(
      (name) => call.text(name) !== undefined,
    );
    if (alone === undefined) return undefined;
    throw badUsage(`${toFlag(alone)} must come with --webhook-url, got none`);
  }
  if (secret === undefined) {
    throw badUsage(
      `${url.from} must come with a secret, got none`,
      `set ${settings.webhookSecret.variable}, or give --webhook-secret`,
    );
  }
  const events = readSetting(call, "webhookEvents")?.text;
  const setting = { url: url.text, secret: secret.text };
  return events === undefined ? setting : { ...setting, events: parseEvents(events) };
}

/** Throws "bad-usage" for a value that can't be understood. */
export function readScanOptions(call: Call): Partial<ServiceOptions> {
  const database = readSetting(call, "geoDatabase")?.text;
  const headers = readSetting(call, "geoHeaders");
  const trustProxy = readTrust(call);
  if (headers !== undefined && trustProxy === false) {
    throw badUsage(
      `${headers.from} must come with --trust-proxy, got none`,
      "otherwise every visitor could claim any place",
    );
  }
  return {
    trustProxy,
    geoDatabase: database === undefined ? undefined : call.resolve(database),
    geoHeaders: headers === undefined ? undefined : parseGeoHeaders(headers.text),
    timeZone: readSetting(call, "timeZone")?.text,
    scanFlushMs: readWhole(readSetting(call, "scanFlush"), FLUSH_MS),
    webhook: readWebhook(call),
  };
}
