/** Standard input, and what lies behind a web address. */
import { type Environment, settings } from "../base/settings.ts";
import { STANDARD_INPUT } from "../base/files/stream-name.ts";
import type { ReadStream } from "../pipeline/source/kept-source.ts";
import { readOnOff } from "./settings.ts";

const FETCH_MS = 60_000;
/** Commands of jobs have no flag for it. */
const NO_FLAGS = { argument: undefined, options: {} };

interface Stdin extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean;
}

async function readStdin(stdin: Stdin, maxBytes: number): Promise<Uint8Array | undefined> {
  // At a terminal nothing is piped into the program.
  if (stdin.isTTY === true) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the file must have at most ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return size === 0 ? undefined : Buffer.concat(chunks);
}

/** Standard input is read once; later calls get the same. */
export function makeReadStream(env: Environment, stdin: Stdin): ReadStream {
  let read: Promise<Uint8Array | undefined> | undefined;
  return async (from, maxBytes) => {
    if (from === STANDARD_INPUT) return (read ??= readStdin(stdin, maxBytes));
    const allowPrivate = readOnOff({ context: { env }, input: NO_FLAGS }, "allowPrivateFetch");
    const { fetchBytes } = await import("../service/http/guarded-fetch.ts");
    return fetchBytes(from, {
      maxBytes,
      allowPrivate,
      timeoutMs: FETCH_MS,
      isHttpsOnly: true,
      privateUnless: `unless ${settings.allowPrivateFetch.variable}=true is set`,
    });
  };
}
