/** Commands about what a run has made. */
import { jobOptions, onOption, patienceOption, yesOption } from "../command-options.ts";
import type { Command } from "../context.ts";
import { settingOption } from "../settings.ts";
import { unitCommands } from "./unit-commands.ts";

const verify: Command = {
  name: "verify",
  summary: "open again what a run made and prove all of it",
  argument: { name: "job", says: "the manifest", required: true },
  options: [...jobOptions, onOption],
  examples: [
    "makeready verify jobs/table-codes.yaml",
    "makeready verify jobs/table-codes.yaml --json",
  ],
  exits: [3, 4, 5, 6, 7],
  run: async (context, input) => (await import("./verify.ts")).verify(context, input),
};

const undo: Command = {
  name: "undo",
  summary: "put back what the last redesign, retarget or retire replaced",
  argument: { name: "job", says: "the manifest", required: true },
  options: [
    ...jobOptions,
    patienceOption,
    { flags: "--force", says: "put back what somebody else has changed since, too" },
    yesOption,
  ],
  examples: [
    "makeready undo jobs/monthly-restyle.yaml",
    "makeready undo jobs/menu-url-change.yaml --yes",
  ],
  exits: [3, 4, 5, 6, 7, 130],
  run: async (context, input) => (await import("./undo.ts")).undo(context, input),
};

const retire: Command = {
  name: "retire",
  summary: "list codes whose rows the spreadsheet has no longer; file or delete them",
  argument: { name: "job", says: "the manifest", required: true },
  options: [
    { flags: "--folder <path>", says: "moves their codes to this folder; undo moves them back" },
    { flags: "--delete", says: "deletes their codes for good: those that are printed die" },
    { flags: "--key <key>", says: "only this row, by its key in vanished-rows.csv", repeats: true },
    ...jobOptions,
    patienceOption,
    yesOption,
  ],
  examples: [
    "makeready retire jobs/table-codes.yaml",
    "makeready retire jobs/table-codes.yaml --folder Retired/2026 --yes",
  ],
  exits: [3, 4, 5, 6, 7, 130],
  run: async (context, input) => (await import("./retire.ts")).retire(context, input),
};

const answers: Command = {
  name: "answers",
  summary: "fetch what respondents sent to a job's forms, as CSV, XLSX and images",
  argument: { name: "job", says: "a manifest of kind forms", required: true },
  options: [...jobOptions, patienceOption],
  examples: [
    "makeready answers jobs/room-forms.yaml",
    "makeready answers jobs/room-forms.yaml --json",
  ],
  exits: [3, 4, 5, 6, 7, 130],
  run: async (context, input) => (await import("./answers.ts")).answers(context, input),
};

const scan: Command = {
  name: "scan",
  summary: "hold scans or photos of printed sheets against the job: good, damaged, missing labels",
  argument: { name: "job", says: "the manifest", required: true },
  second: {
    name: "images",
    says: "scans or photos of printed sheets in any order and the right way up or not: PNG, JPEG, TIFF, WebP or PDF",
    required: true,
    isList: true,
  },
  options: jobOptions.filter(({ flags }) => !/^--(?:base-url|limits)\b/u.test(flags)),
  examples: [
    "makeready scan jobs/table-codes.yaml scans/page-1.png scans/page-2.png",
    "makeready scan jobs/table-codes.yaml scans.tif --json",
  ],
  exits: [3, 6, 7, 130],
  run: async (context, input) => (await import("./scan.ts")).scan(context, input),
};

const check: Command = {
  name: "check",
  summary: "check a certificate and the files that it names; needs no state, service or network",
  argument: { name: "certificate", says: "certificate.json of a run", required: true },
  second: {
    name: "files",
    says: "only these files, wherever they lie (default: all that it names, beside it)",
    required: false,
    isList: true,
  },
  options: [
    { flags: "--key <hex>", says: "refuse it unless this public key signed it" },
    { flags: "--json", says: "one JSON object on standard output" },
  ],
  examples: [
    "makeready check out/table-codes/certificate.json",
    "makeready check certificate.json table-codes.pdf --json",
  ],
  exits: [3, 6],
  run: async (context, input) => (await import("./check.ts")).check(context, input),
};

const key: Command = {
  name: "key",
  summary: "print the public key that certificates of a data folder are signed with",
  options: [settingOption("data"), { flags: "--json", says: "one JSON object on standard output" }],
  examples: ["makeready key", "makeready key --data /srv/makeready"],
  exits: [],
  run: async (context, input) => (await import("./check.ts")).key(context, input),
};

export const afterCommands: readonly Command[] = [
  verify,
  scan,
  ...unitCommands,
  check,
  key,
  undo,
  retire,
  answers,
];
