/** The job that a command line names, and the ports of its steps. */
import { badUsage } from "../base/errors.ts";
import { readVariable, settings } from "../base/settings.ts";
import type { Job } from "../kinds/any-job.ts";
import { describeQuestion } from "../pipeline/checks/confirm.ts";
import { openJob as openEngineJob, type OpenJob, type OpenOptions } from "../pipeline/open.ts";
import type { Access, Ports } from "../pipeline/ports.ts";
import { wordsOfReport } from "../desk/words/report-languages.ts";
import { embeddedPort } from "../service/embedded/embedded.ts";
import type { Call } from "./call.ts";
import { tellEvent } from "./views/job-words.ts";
import { toNextCommand } from "../pipeline/standing/next-command.ts";
import { readDataDir, readDuration, readSetting } from "./settings.ts";

function readLimits(call: Call): "off" | "hosted" {
  const limits = call.text("limits") ?? "off";
  if (limits === "off" || limits === "hosted") return limits;
  throw badUsage(`--limits must be off or hosted, got ${limits}`);
}

/** The public address of the command line, and whether codes are to be moved to it. */
export function readAddress(call: Call): { publicUrl?: string; changesPublicUrl?: boolean } {
  const [named, other] = [call.text("publicUrl"), call.text("changePublicUrl")];
  if (named !== undefined && other !== undefined) {
    throw badUsage("one of --public-url and --change-public-url must be given, got both");
  }
  if (other !== undefined) return { publicUrl: other, changesPublicUrl: true };
  return named === undefined ? {} : { publicUrl: named };
}

/** The manifest that a person named, absolute. */
export const requireJob = (call: Call): string =>
  call.resolve(
    call.require("a job manifest", "name it behind the command, such as jobs/table-codes.yaml"),
  );

/** Flags and environment variables that win over a manifest. */
export const readOpenOptions = (call: Call): OpenOptions => ({
  env: call.context.env,
  set: call.list("set"),
  out: call.file("out"),
  baseUrl: call.text("baseUrl"),
  dataDir: readDataDir(call),
  ...readAddress(call),
  changesServer: call.has("changeServer"),
  limits: readLimits(call),
});

/** Opens the manifest that a person named. */
export const openJob = (
  call: Call,
  server: Pick<Ports["server"], "address"> = embeddedPort,
): Promise<OpenJob> =>
  openEngineJob(requireJob(call), readOpenOptions(call), {
    clock: call.context.clock,
    server: { ...embeddedPort, address: server.address },
  });

/** How long the server may be away. */
export const readPatience = (call: Call): number | undefined =>
  readDuration(readSetting(call, "patience"));

/** What the environment says of a remote server. */
export function readAccess({ context: { env } }: Pick<Call, "context">): Access {
  return { token: readVariable(env, "token"), workspace: readVariable(env, "workspace") };
}

/** What is typed once codes have their new address: it is not changed again. */
async function withAddressChanged(call: Call, publicUrl: string): Promise<Call> {
  const { changePublicUrl, ...options } = call.input.options;
  if (changePublicUrl === undefined) return call;
  const plain = call.with({ options });
  const { server } = await openJob(plain);
  // The manifest or the environment may still name the old one.
  return server.publicUrl === publicUrl ? plain : call.with({ options: { ...options, publicUrl } });
}

const LANGUAGES: readonly (string | undefined)[] = ["en", "de", undefined];

function readReportLanguage({ context: { env } }: Pick<Call, "context">): Ports["report"] {
  const language = readVariable(env, "language");
  if (LANGUAGES.includes(language)) return { language, words: wordsOfReport };
  throw badUsage(`${settings.language.variable} must be en or de, got ${language}`);
}

/** The engine's ports onto this process: events go to the view. */
export function makePorts(call: Call): Ports {
  let typed = call;
  const keepAddress: Ports["server"]["keepAddress"] = async (dataDir, publicUrl) => {
    await embeddedPort.keepAddress(dataDir, publicUrl);
    typed = await withAddressChanged(call, publicUrl);
  };
  const { clock, ids, signal, writer, transport, readStream, ask } = call.context;
  const { programFolder, mostDecodedAll } = call.context;
  const commandOf: Ports["commandOf"] = (...command) => toNextCommand(typed, ...command);
  return {
    clock,
    ids,
    signal,
    writer,
    programFolder,
    mostDecodedAll,
    transport,
    readStream,
    server: { ...embeddedPort, keepAddress },
    access: readAccess(call),
    report: readReportLanguage(call),
    confirm: ask && ((question) => ask(`${describeQuestion(question)}?`)),
    on: (event) => tellEvent(call.view, event, commandOf),
    commandOf,
  };
}

/** What to do with a job over codes that exist, where a command takes jobs that make codes of rows. */
export function sayInstead(job: Job, { commandOf }: Pick<Ports, "commandOf">): string {
  const [plan, run] = [commandOf("plan"), commandOf("run")];
  if (job.kind === "redesign")
    return `to see what would change: ${plan}; to change one code and look at it: ${commandOf("run", { more: ["--limit", "1"] })}; to print codes as they look today, a job of kind export: makeready init --kind export`;
  if (job.kind === "retarget")
    return `to see which codes would lead elsewhere: ${plan}; their looks stay as they are`;
  return `to see which codes it takes: ${plan}; to make its files, which changes no code: ${run}`;
}
