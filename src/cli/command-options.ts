/** Options that several commands take. */
import type { CommandOption } from "./context.ts";

/** Options that every command with a manifest takes. */
export const jobOptions = [
  { flags: "--out <dir>", says: "output folder, instead of output.dir of the manifest" },
  { flags: "--set <key=value>", says: "overrides one key of the manifest", repeats: true },
  { flags: "--base-url <url>", says: "API to use, instead of the embedded service" },
  { flags: "--data <dir>", says: "data folder of the embedded service" },
  { flags: "--limits <mode>", says: "limits of the embedded service: off (default) or hosted" },
  { flags: "--json", says: "one JSON object per line on standard output" },
] as const;

/** `--patience` of run and retry. */
export const patienceOption = {
  flags: "--patience <time>",
  says: "how long the server may be away before the run stops, such as 30s (default 15m)",
} as const;

/** `--yes` of run and retry. */
export const yesOption = { flags: "--yes", says: "answer every question with yes" } as const;

/** Of `serve`: where scans come from, and whom they are reported to. */
export const scanOptions: readonly CommandOption[] = [
  {
    flags: "--trust-proxy [networks]",
    says: "whose X-Forwarded-For is believed: addresses and networks such as loopback,10.0.0.0/8; without any, the service stands behind exactly one proxy",
  },
  {
    flags: "--geo-database <file>",
    says: "an MMDB file of cities, such as GeoLite2-City.mmdb: tells where scans come from",
  },
  {
    flags: "--geo-headers <headers>",
    says: "headers in which the trusted proxy tells it: cloudflare, cloudfront, or country=X-Country,region=...,city=...,zone=...",
  },
  {
    flags: "--time-zone <zone>",
    says: "IANA name: local time of scans whose place is not known (default UTC)",
  },
  {
    flags: "--scan-flush <ms>",
    says: "how much is lost at most when the process is killed (default 100)",
  },
  {
    flags: "--webhook-url <url>",
    says: "where every scan is reported to, kept until another one is set; none removes it",
  },
  {
    flags: "--webhook-secret <secret>",
    says: "key of the header x-signature; better in MAKEREADY_WEBHOOK_SECRET, where nobody else sees it",
  },
];

/** Of `preview`: where its files go. */
export const PREVIEW_FOLDER = "preview";

/** Of `init`: the label sheet that is offered, and what is said for none. */
export const DEFAULT_SHEET = "a4-24up-63.5x33.9";
export const NO_SHEET = "none";
