/**
 * Style and script, with names that change with their content: the only files that need no sign-in.
 */
import { sha256 } from "../base/ids.ts";
import { CONSOLE_STYLE } from "./view/console-style.ts";
import { LIVE_SCRIPT } from "./view/live-script.ts";

const HASH_LENGTH = 16;

export interface Assets {
  /** Paths below the console. */
  readonly style: string;
  readonly script: string;
  readonly files: ReadonlyMap<string, { readonly body: string; readonly type: string }>;
}

const nameOf = (body: string, end: string): string =>
  `/assets/${sha256(body).slice(0, HASH_LENGTH)}.${end}`;

export function makeAssets(): Assets {
  const style = nameOf(CONSOLE_STYLE, "css");
  const script = nameOf(LIVE_SCRIPT, "js");
  const files = new Map([
    [style, { body: CONSOLE_STYLE, type: "text/css; charset=utf-8" }],
    [script, { body: LIVE_SCRIPT, type: "text/javascript; charset=utf-8" }],
  ]);
  return { style, script, files };
}
