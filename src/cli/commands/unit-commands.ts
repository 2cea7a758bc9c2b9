/** Commands about what became of printed codes (docs/ledger.md). */
import { jobOptions, yesOption } from "../command-options.ts";
import type { Command, CommandOption } from "../context.ts";

const own = jobOptions.filter(({ flags }) => !/^--(?:limits)\b/u.test(flags));

const chosen: readonly CommandOption[] = [
  { flags: "--spoiled", says: "the labels of spoiled.csv, as the last scan-back wrote it" },
  { flags: "--key <key>", says: "a row by its key, as index.csv has it", repeats: true },
  { flags: "--lines <list>", says: "rows by their lines of the last run, like 3,7-9" },
  { flags: "--by <name>", says: "who says so, for the ledger (default: who is logged in)" },
];
const reasonOption = { flags: "--reason <text>", says: "why, for the ledger" } as const;

const voidCommand: Command = {
  name: "void",
  summary: "take codes out of use: noted in the ledger, and their short links say so",
  argument: { name: "job", says: "the manifest", required: true },
  options: [...chosen, reasonOption, yesOption, ...own],
  examples: [
    'makeready void jobs/table-codes.yaml --lines 7 --reason "torn off" --yes',
    "makeready void jobs/passports.yaml --spoiled --yes",
  ],
  exits: [6, 7, 130],
  run: async (context, input) => (await import("./units.ts")).voidUnits(context, input),
};

const replaceCommand: Command = {
  name: "replace",
  summary: "replace spoiled labels as the job says: the same again, or a fresh serial",
  argument: { name: "job", says: "the manifest", required: true },
  options: [...chosen, reasonOption, yesOption, ...own],
  examples: [
    "makeready replace jobs/table-codes.yaml --spoiled",
    "makeready replace jobs/passports.yaml --key 7K2M9QX3A1TZ --yes",
  ],
  exits: [3, 6, 7, 130],
  run: async (context, input) => (await import("./units.ts")).replace(context, input),
};

const activateCommand: Command = {
  name: "activate",
  summary: "note in the ledger that labels are on their goods",
  argument: { name: "job", says: "the manifest", required: true },
  options: [...chosen.filter(({ flags }) => flags !== "--spoiled"), ...own],
  examples: [
    "makeready activate jobs/passports.yaml --lines 1-500",
    "makeready activate jobs/passports.yaml --key 7K2M9QX3A1TZ --by Anna",
  ],
  exits: [6, 7, 130],
  run: async (context, input) => (await import("./units.ts")).activate(context, input),
};

const reconcileCommand: Command = {
  name: "reconcile",
  summary: "account for every code and label of a job; write units.csv and EPCIS 2.0 events",
  argument: { name: "job", says: "the manifest", required: true },
  options: own,
  examples: [
    "makeready reconcile jobs/passports.yaml",
    "makeready reconcile jobs/passports.yaml --json",
  ],
  exits: [3, 6, 7, 130],
  run: async (context, input) => (await import("./units.ts")).reconcile(context, input),
};

export const unitCommands: readonly Command[] = [
  voidCommand,
  replaceCommand,
  activateCommand,
  reconcileCommand,
];
