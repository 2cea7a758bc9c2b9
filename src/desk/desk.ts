/** The desk: the whole pipeline in a browser, on this computer only. */
import { realpath, stat } from "node:fs/promises";
import type { AddressInfo } from "node:net";

import { serve, type ServerType } from "@hono/node-server";
import { AppError, toMessage, badUsage } from "../base/errors.ts";
import { MCP_PATH } from "../service/addresses.ts";
import { makeApp } from "./app.tsx";
import { openAssets } from "./assets.ts";
import { makeKeys } from "./security.ts";
import type { DeskContext } from "./context.ts";

export interface DeskOptions extends Omit<DeskContext, "assets"> {
  /** 0 takes any free port. */
  readonly port: number;
  /** Lets in assistants that have the desk's token. */
  readonly hasToken?: boolean;
}

export interface Desk {
  readonly origin: string;
  /** Opens a session, once. */
  readonly link: string;
  /** For assistants, where they are let in: address and token. */
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
  throw badUsage(`the desk must get a folder, got the file ${found}`, hint);
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
        // Pages that follow events hold their connections open.
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
      await close();
    },
  };
}
