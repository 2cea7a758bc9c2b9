import { pino, type DestinationStream } from "pino";

/** Takes one line: what it is about, and what happened. */
type Write = (about: object, message: string) => void;

/** Messages for a program's operator; a pino logger is one. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

export interface LogOptions {
  readonly level?: string | undefined;
  /** A file (JSON lines, appended), a stream, or nowhere when left out. */
  readonly to?: string | DestinationStream | undefined;
}

/** These must never leave the process, at any depth. */
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
