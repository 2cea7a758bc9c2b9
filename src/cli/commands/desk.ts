import { spawn } from "node:child_process";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { openDesk } from "../../desk/desk.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";

function readPort(input: Input): number {
  const text = readText(input, "port");
  const port = Number(text ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new AppError("bad-usage", `--port must be a number from 0 to 65535, got ${text}`);
}

/** The command of this system that opens an address in a browser. */
function openerOf(platform: NodeJS.Platform, url: string): readonly [string, readonly string[]] {
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", url]];
  return [platform === "darwin" ? "open" : "xdg-open", [url]];
}

/** A computer without a browser, such as a server, is no fault: the link is printed as well. */
function openBrowser(url: string): void {
  const [command, args] = openerOf(process.platform, url);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

export async function desk(context: CliContext, input: Input): Promise<number> {
  const { clock, ids, writer, env, signal, cwd } = context;
  const folder = path.resolve(cwd, input.argument ?? ".");
  const hasToken = readFlag(input, "mcp");
  const options = { folder, port: readPort(input), hasToken };
  const opened = await openDesk({ ...options, clock, ids, writer, env });
  const { mcp } = opened;
  if (readFlag(input, "json")) {
    context.out(`${JSON.stringify({ type: "desk", url: opened.link, folder, mcp })}\n`);
  } else {
    context.out(
      `The desk is open on ${folder}.\nOpen this link in a browser on this computer; it works once:\n  ${opened.link}\n${mcp === undefined ? "" : `Assistants use ${mcp.url} with the token\n  ${mcp.token}\nIt is good until the desk is closed.\n`}Stop with Ctrl-C. Runs that were begun go on.\n`,
    );
  }
  if (!readFlag(input, "noBrowser") && !readFlag(input, "json")) openBrowser(opened.link);
  if (!signal.aborted) {
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
  await opened.close();
  return 0;
}
