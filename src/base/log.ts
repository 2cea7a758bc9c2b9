import { pino, type DestinationStream, type Logger } from "pino";

export type Log = Logger;

export interface LogOptions {
  readonly level?: string | undefined;
  /** A file (JSON lines, appended), a stream, or nowhere when left out. */
  readonly to?: string | DestinationStream | undefined;
}

/** Never let these leave the process, however deep they sit. */
const SECRETS = ["token", "authorization", "*.token", "*.authorization", "headers.authorization"];

/** JSON lines through pino. Secrets are removed. Without `to` nothing is written. */
export function makeLog(options: LogOptions = {}): Log {
  const settings = {
    level: options.to === undefined ? "silent" : (options.level ?? "info"),
    base: null,
    redact: { paths: SECRETS, censor: "[secret]" },
  };
  if (options.to === undefined) return pino(settings);
  return typeof options.to === "string"
    ? pino(settings, pino.destination({ dest: options.to, append: true, mkdir: true, sync: true }))
    : pino(settings, options.to);
}
