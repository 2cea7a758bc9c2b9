/** The job that a command line names, and what its steps are handed of this program's world. */
import path from "node:path";

import { AppError } from "../base/errors.ts";
import { readVariable } from "../base/settings.ts";
import { openJob as openEngineJob, type OpenJob } from "../pipeline/open.ts";
import { describeQuestion } from "../pipeline/confirm.ts";
import type { Access, CommandOf, Ports } from "../pipeline/ports.ts";
import { embeddedPort } from "../service/embedded/embedded.ts";
import { readList, readText, type CliContext, type Input } from "./context.ts";
import { tellEvent } from "./job-words.ts";
import { readDataDir } from "./settings.ts";
import { toNextCommand } from "./next-command.ts";
import type { View } from "./view.ts";

export function readLimits(input: Input): "off" | "hosted" {
  const limits = readText(input, "limits") ?? "off";
  if (limits === "off" || limits === "hosted") return limits;
  throw new AppError("bad-usage", `--limits must be off or hosted, got ${limits}`);
}

/** The public address of the command line, and whether codes are to be moved to it. */
export function readAddress(input: Input): { publicUrl?: string; changesPublicUrl?: boolean } {
  const [named, other] = ["publicUrl", "changePublicUrl"].map((name) => readText(input, name));
  if (named !== undefined && other !== undefined) {
    throw new AppError(
      "bad-usage",
      "one of --public-url and --change-public-url must be given, got both",
    );
  }
  if (other !== undefined) return { publicUrl: other, changesPublicUrl: true };
  return named === undefined ? {} : { publicUrl: named };
}

/** Opens the manifest that a person named, with flags and environment over it. */
export async function openJob(context: CliContext, input: Input): Promise<OpenJob> {
  const { env, cwd, clock } = context;
  const file = input.argument;
  if (file === undefined) {
    throw new AppError("bad-usage", "a job manifest must be named, got none", {
      hint: "makeready run jobs/table-codes.yaml",
    });
  }
  const out = readText(input, "out");
  const options = {
    env,
    set: readList(input, "set"),
    out: out === undefined ? undefined : path.resolve(cwd, out),
    baseUrl: readText(input, "baseUrl"),
    dataDir: readDataDir(context, input),
    ...readAddress(input),
    limits: readLimits(input),
  };
  return openEngineJob(path.resolve(cwd, file), options, { clock, server: embeddedPort });
}

/** What the environment says of a remote server. */
export function readAccess({ env }: Pick<CliContext, "env">): Access {
  return { token: readVariable(env, "token"), workspace: readVariable(env, "workspace") };
}

/** The engine's ports onto this process: what happens goes to the view. */
export function makePorts(context: CliContext, view: View, input: Input): Ports {
  const { clock, ids, signal, writer, transport, readStream, ask } = context;
  const commandOf: CommandOf = (command, words) => toNextCommand(context, input, command, words);
  return {
    clock,
    ids,
    signal,
    writer,
    programFolder: context.programFolder,
    mostDecodedAll: context.mostDecodedAll,
    transport,
    readStream,
    server: embeddedPort,
    access: readAccess(context),
    confirm: ask && ((question) => ask(`${describeQuestion(question)}?`)),
    on: (event) => tellEvent(view, event, commandOf),
    commandOf,
  };
}
