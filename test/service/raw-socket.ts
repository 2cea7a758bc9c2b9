/** Connections that do what no HTTP client would. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import type { FakeClock } from "../help/fake-clock.ts";

export interface RawSocket {
  readonly socket: Socket;
  /** All that came, once the server closed the connection. */
  readonly closed: Promise<string>;
  /** All that came until it has `pattern`; also when the connection is closed. */
  readonly until: (pattern: RegExp) => Promise<string>;
}

/** Connects and sends `text`; the connection stays open. */
export async function openSocket(url: string, text: string | Uint8Array): Promise<RawSocket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let got = "";
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(got)));
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.on("data", (data) => (got += data.toString("latin1")));
  socket.write(text);
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(got) && !socket.destroyed) {
      await Promise.race([once(socket, "data"), closed]).catch(() => {});
    }
    return got;
  };
  return { socket, closed, until };
}

/** Sends `text` and leaves the connection open; answers what came until the server closed it. */
export const sendRaw = async (url: string, text: string): Promise<string> =>
  (await openSocket(url, text)).closed;

/** Moves time on, step by step, until `work` is done. */
export async function advanceUntil<T>(
  clock: FakeClock,
  stepMs: number,
  work: Promise<T>,
): Promise<T> {
  const state = { isOver: false };
  const done = work.finally(() => (state.isOver = true));
  while (!state.isOver) await clock.advance(stepMs);
  return done;
}

/** The head of a POST to `path`. */
export const toHead = (path: string, headers: Readonly<Record<string, string | number>>): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: a",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "\r\n",
  ].join("\r\n");

/** The status of an answer, 0 when there is none. */
export const toStatus = (text: string): number =>
  Number(/^HTTP\/1\.1 (?!100)(\d{3})/mu.exec(text)?.[1] ?? 0);
