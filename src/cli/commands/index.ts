/** Every command, in the order of the help. What one does is imported when it runs: none waits for it. */
import { toCommand, type Command, type Row } from "../command.ts";
import { shells } from "../completion/shells.ts";
import { fileCommands } from "./file-commands.ts";
import { jobCommands } from "./job-commands.ts";
import { serviceCommands } from "./service-commands.ts";

const completion: Row = {
  name: "completion",
  summary: "print what lets bash, zsh or fish complete commands, options, files and sheets",
  arguments: [`<shell>  ${shells.join(", ")}`],
  options: [],
  examples: [
    "source <(makeready completion bash)",
    "makeready completion fish > ~/.config/fish/completions/makeready.fish",
  ],
  run: async (call) => (await import("./completion.ts")).complete(call, commands),
};

export const commands: readonly Command[] = [
  ...jobCommands,
  ...fileCommands,
  ...serviceCommands,
  completion,
].map(toCommand);

/** Commands that people may look for -> why they are not there. */
export const absentCommands: Readonly<Record<string, string>> = {
  worker: "it is called work: makeready work --on postgres://USER@HOST/DATABASE",
  ...Object.fromEntries(
    ["redesign", "retarget", "report", "export"].map((kind) => [
      kind,
      `it is a kind of job: makeready init --kind ${kind} writes one, and makeready run does it`,
    ]),
  ),
};

/** Options that people expect of a command, since another one has them: what to do instead. */
export const absentOptions: Readonly<Record<string, string>> = {
  "plan --limit":
    "plan is of the whole job and takes no --limit: run it with --limit, which says how many codes it takes",
};
