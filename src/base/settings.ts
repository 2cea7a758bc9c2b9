/**
 * Everything that a flag, the environment or a file can set: one table for the help of the
 * commands, docs/settings.md and all code that reads settings.
 */

import { didYouMean } from "./text/suggest.ts";

/** `process.env`, or what stands for it. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting {
  /** On the command line; left out if a flag would show a secret, or there is none. */
  readonly flags?: `--${string}`;
  readonly variable: `MAKEREADY_${string}`;
  /** In a manifest or in `makeready.config.yaml`. */
  readonly key?: string;
  /** Who reads it. */
  readonly of: "jobs" | "serve" | "jobs and serve";
  readonly says: string;
}

export const settings = {
  baseUrl: {
    flags: "--base-url <url>",
    variable: "MAKEREADY_BASE_URL",
    key: "api.base_url",
    of: "jobs",
    says: "API to use, instead of the embedded service",
  },
  token: {
    variable: "MAKEREADY_TOKEN",
    key: "api.token_file",
    of: "jobs",
    says: "token of that API; the key names a file that holds it",
  },
  workspace: {
    variable: "MAKEREADY_WORKSPACE",
    key: "api.workspace",
    of: "jobs",
    says: "workspace of that API, by its id",
  },
  data: {
    flags: "--data <dir>",
    variable: "MAKEREADY_DATA",
    of: "jobs and serve",
    says: "data folder of the service (default .makeready: for jobs beside the manifest or its jobs/, else here)",
  },
  store: {
    flags: "--store <url>",
    variable: "MAKEREADY_STORE",
    of: "jobs and serve",
    says: "a PostgreSQL database such as postgres://user:password@host/makeready, which several processes may share (default: SQLite in the data folder); better in the variable, where nobody else sees the password; jobs don't open it, and say so",
  },
  publicUrl: {
    flags: "--public-url <url>",
    variable: "MAKEREADY_PUBLIC_URL",
    key: "api.public_url",
    of: "jobs and serve",
    says: "address under which short links are reached (default: the one that the data folder keeps)",
  },
  patience: {
    flags: "--patience <time>",
    variable: "MAKEREADY_PATIENCE",
    of: "jobs",
    says: "how long the server may be away before a run stops, such as 30s (default 15m)",
  },
  language: {
    variable: "MAKEREADY_LANGUAGE",
    of: "jobs",
    says: "language of report.html, of the page of a scan report and of a proof for a customer, en or de (default: that of the report before, else en); the desk takes that of its pages",
  },
  on: {
    flags: "--on <postgres-url>",
    variable: "MAKEREADY_ON",
    of: "jobs",
    says: "PostgreSQL database through which other computers help to prove and draw; a password belongs into the variable",
  },
  port: {
    flags: "--port <n>",
    variable: "MAKEREADY_PORT",
    of: "serve",
    says: "port to listen on, 0 for any free one (default 8787)",
  },
  host: {
    flags: "--host <address>",
    variable: "MAKEREADY_HOST",
    of: "serve",
    says: "address to listen on (default 127.0.0.1)",
  },
  limits: {
    flags: "--limits <mode>",
    variable: "MAKEREADY_LIMITS",
    of: "serve",
    says: "hosted (default: 120/60 a minute), off, or reads/writes",
  },
  plan: {
    flags: "--plan <plan>",
    variable: "MAKEREADY_PLAN",
    of: "serve",
    says: "what an account may have at most, such as dynamic_codes=500,pages=3,paid=off,webhooks=off, or a JSON file (default: no limits)",
  },
  trustProxy: {
    flags: "--trust-proxy [networks]",
    variable: "MAKEREADY_TRUST_PROXY",
    of: "serve",
    says: "proxies whose X-Forwarded-For counts: addresses and networks such as loopback,10.0.0.0/8; without any, exactly one proxy stands in front",
  },
  geoDatabase: {
    flags: "--geo-database <file>",
    variable: "MAKEREADY_GEO_DATABASE",
    of: "serve",
    says: "an MMDB file of cities, such as GeoLite2-City.mmdb: it says where scans come from",
  },
  geoHeaders: {
    flags: "--geo-headers <headers>",
    variable: "MAKEREADY_GEO_HEADERS",
    of: "serve",
    says: "headers in which the trusted proxy names the place of a visitor: cloudflare, cloudfront, or country=X-Country,region=...,city=...,zone=...",
  },
  timeZone: {
    flags: "--time-zone <zone>",
    variable: "MAKEREADY_TIME_ZONE",
    of: "serve",
    says: "time zone of scans whose place is unknown, by its IANA name (default UTC)",
  },
  scanFlush: {
    flags: "--scan-flush <ms>",
    variable: "MAKEREADY_SCAN_FLUSH",
    of: "serve",
    says: "how much is lost at most when the process is killed (default 100)",
  },
  webhookUrl: {
    flags: "--webhook-url <url>",
    variable: "MAKEREADY_WEBHOOK_URL",
    of: "serve",
    says: "address that gets the reports of scans; kept until you set another one; none removes it",
  },
  webhookEvents: {
    flags: "--webhook-events <list>",
    variable: "MAKEREADY_WEBHOOK_EVENTS",
    of: "serve",
    says: "events to report: scan (default), form.submitted, or both with a comma",
  },
  webhookSecret: {
    flags: "--webhook-secret <secret>",
    variable: "MAKEREADY_WEBHOOK_SECRET",
    of: "serve",
    says: "key of the header x-signature; better in the variable, where nobody else sees it",
  },
  accessLog: {
    flags: "--access-log",
    variable: "MAKEREADY_ACCESS_LOG",
    of: "serve",
    says: "a line in the log for every visit, too, not only for requests of the API",
  },
  metricsToken: {
    variable: "MAKEREADY_METRICS_TOKEN",
    of: "serve",
    says: "bearer token that may read GET /metrics (default: nobody may)",
  },
  allowPrivateFetch: {
    flags: "--allow-private-fetch",
    variable: "MAKEREADY_ALLOW_PRIVATE_FETCH",
    of: "jobs and serve",
    says: "lets logo_url, pdf_url and the https:// source of a job lead to private addresses, for closed networks",
  },
  capitalLinks: {
    flags: "--capital-links",
    variable: "MAKEREADY_CAPITAL_LINKS",
    of: "serve",
    says: "gives new dynamic codes links in capitals (HTTPS://GO.EXAMPLE.COM/AB2CDEFG), which make smaller codes; codes that exist keep theirs",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The table, for iterating over all of it. */
export const settingTable: Readonly<Record<SettingName, Setting>> = settings;

/** The value of a setting in the environment; an empty text counts as missing. */
export const readVariable = (env: Environment, name: SettingName): string | undefined =>
  env[settings[name].variable]?.trim() || undefined;

/** Variables that look like settings but aren't, such as misspelt ones, with the probable setting. */
export function findUnknownVariables(env: Environment): { name: string; hint: string }[] {
  const known = Object.values(settings).map(({ variable }): string => variable);
  return Object.keys(env)
    .filter((name) => name.startsWith("MAKEREADY_") && !known.includes(name) && env[name] !== "")
    .toSorted()
    .map((name) => ({ name, hint: didYouMean(name, known) }));
}
