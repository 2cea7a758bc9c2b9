/** The hot folder as a command (docs/hot-folder.md). */
import { patienceOption, publicUrlOption, yesOption } from "../command-options.ts";
import type { Command } from "../context.ts";
import { settingOption } from "../settings.ts";

export const watchCommand: Command = {
  name: "watch",
  summary: "run every spreadsheet that is put into a folder; each ends in ready/ or mend/",
  argument: {
    name: "folder",
    says: "the hot folder: spreadsheets go into in/, with NAME.yaml beside them or job.yaml in the folder",
    required: true,
  },
  options: [
    { flags: "--once", says: "ends when nothing is left in in/" },
    {
      flags: "--settle <time>",
      says: "a file that stays as it is for so long is whole (default 2s)",
    },
    settingOption("baseUrl"),
    publicUrlOption,
    settingOption("data", "data folder of the service (default: .makeready in the hot folder)"),
    { flags: "--limits <mode>", says: "limits of the embedded service: off (default) or hosted" },
    patienceOption,
    yesOption,
    { flags: "--json", says: "one JSON object per line on standard output" },
  ],
  examples: [
    "makeready watch orders --public-url https://go.example.com",
    "makeready watch orders --once --json",
  ],
  exits: [3, 7, 130],
  run: async (context, input) => (await import("./watch.ts")).watch(context, input),
};
