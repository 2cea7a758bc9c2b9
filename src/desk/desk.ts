/** The desk: the whole pipeline in a browser, on this computer only. */
import { realpath, stat } from "node:fs/promises";
import type { AddressInfo } from "node:net";

import { serve, type ServerType } from "@hono/node-server";
import type { Clock } from "../base/clock.ts";
import { AppError, toMessage } from "../base/errors.ts";
import type { Ids } from "../base/ids.ts";
import { MCP_PATH } from "../service/addresses.ts";
import { makeApp } from "./app.tsx";
import { openAssets } from "./assets.ts";
import { makeKeys } from "./security.ts";
import type { BeginTask } from "./tasks/task.ts";

export interface DeskOptions {
  /** Folder of jobs, absolute. */
  readonly folder: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly writer: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command line that starts this program, without arguments; default: `makeready`. */
  readonly program?: readonly string[] | undefined;
  /** Lets in assistants that have the desk's token. */
  readonly hasToken?: boolean;
  /** How steps of jobs are begun. Default: each in a process of its own. */
  readonly begin?: BeginTask | undefined;
}

export interface Desk {
  readonly origin: string;
  /** Opens a session, once. */
  readonly link: string;
  /** For assistants, where they were let in: where they ask, and with which token. */
  readonly mcp: { readonly url: string; readonly token: string } | undefined;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
/** Longer than browsers keep idle connections: a form that is sent into a closing one is lost. */
const KEEP_ALIVE_MS = 305_000;

function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const serverOptions = { keepAliveTimeout: KEEP_ALIVE_MS };
    const server = serve({ fetch, hostname: HOST, port, serverOptions }, () => resolve(server));
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === "EADDRINUSE";
      reject(
        new AppError("bad-usage", `the desk must get its port, got ${toMessage(cause)}`, {
          hint: isTaken
            ? `another program uses port ${port}: leave --port out, and a free one is taken`
            : "choose another port with --port",
          cause,
        }),
      );
    });
  });
}

async function toFolder(folder: string): Promise<string> {
  const hint = "makeready desk FOLDER opens a folder of jobs; without one, the folder you are in";
  const found = await realpath(folder).catch((cause: unknown) => {
    const message = `the desk's folder must be there, got ${toMessage(cause)}`;
    throw new AppError("bad-usage", message, { hint, cause });
  });
  if ((await stat(found)).isDirectory()) return found;
  throw new AppError("bad-usage", `the desk must get a folder, got the file ${found}`, { hint });
}

/** Opens a desk on a folder. Throws `bad-usage` where the folder or the port can't be had. */
export async function openDesk({ port, hasToken = false, ...options }: DeskOptions): Promise<Desk> {
  const folder = await toFolder(options.folder);
  const keys = makeKeys(options.ids, hasToken);
  let bound = 0;
  const context = { ...options, folder, assets: await openAssets() };
  const { app, openPath, close } = makeApp(context, { keys, port: () => bound });
  const server = await listen(app.fetch, port);
  bound = (server.address() as AddressInfo).port;
  const origin = `http://${HOST}:${bound}`;
  return {
    origin,
    link: `${origin}${openPath}?key=${keys.link}`,
    mcp: keys.token === undefined ? undefined : { url: `${origin}${MCP_PATH}`, token: keys.token },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        // Pages that are told events hold their connections.
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
      await close();
    },
  };
}
