import { spawn } from "node:child_process";

import { openDesk } from "../../desk/desk.ts";
import { untilAborted, type Call } from "../call.ts";
import { MOST_PORT, readWhole } from "../settings.ts";

/** The command of this system that opens an address in a browser. */
function openerOf(platform: NodeJS.Platform, url: string): readonly [string, readonly string[]] {
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", url]];
  return [platform === "darwin" ? "open" : "xdg-open", [url]];
}

/** A computer without a browser, such as a server, is fine: the link is printed as well. */
function openBrowser(url: string): void {
  const [command, args] = openerOf(process.platform, url);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

export async function desk(call: Call): Promise<void> {
  const { clock, ids, writer, env, program, signal } = call.context;
  const folder = call.resolve(call.input.argument ?? ".");
  const port = readWhole(call.given("port"), { least: 0, most: MOST_PORT }) ?? 0;
  const options = { folder, port, hasToken: call.has("mcp") };
  const opened = await openDesk({ ...options, clock, ids, writer, env, program });
  const { mcp, link: url } = opened;
  call.tell(
    "desk",
    { url, folder, mcp },
    `The desk is open on ${folder}.`,
    "Open this link in a browser on this computer; it works once:",
    `  ${url}`,
    ...(mcp === undefined
      ? []
      : [
          `Assistants use ${mcp.url} with the token`,
          `  ${mcp.token}`,
          "It is good until the desk is closed.",
        ]),
    "Stop with Ctrl-C. Runs that were begun go on.",
  );
  if (!call.has("noBrowser") && !call.isJson) openBrowser(url);
  await untilAborted(signal);
  await opened.close();
}
