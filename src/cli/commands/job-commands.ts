/** Commands about a job: its plan and runs, what they made, and what became of it in print. */
import {
  changeServerOption,
  changeUrlOption,
  jobOptions,
  jobOptionsBut,
  onOption,
  patienceOption,
  yesOption,
} from "../command-options.ts";
import type { Row } from "../command.ts";
import { settingOption } from "../settings.ts";

/** Of commands that make codes. */
const makeOptions = [...jobOptions, changeUrlOption, changeServerOption];

/** Of what becomes of printed codes (docs/ledger.md). */
const unitOptions = jobOptionsBut("--limits");
const chosen = [
  "--spoiled  the labels of spoiled.csv, as the last scan-back wrote it",
  "--key <key>...  a row by its key, as index.csv has it",
  "--lines <list>  rows by their lines of the last run, like 3,7-9",
  "--by <name>  who says so, for the ledger (default: who is logged in)",
];
const reasonOption = "--reason <text>  why, for the ledger";

export const jobCommands: readonly Row[] = [
  {
    name: "run",
    summary: "plan a job, do what is left to do, pack and prove it",
    arguments: ["<job>  the manifest, such as jobs/table-codes.yaml"],
    options: [
      ...makeOptions,
      "--plan <file>  carry out this saved plan, or refuse when it is stale",
      patienceOption,
      "--limit <n>  make at most this many codes in this run, whatever earlier runs have made",
      "--fresh  forget what was made before and make everything anew",
      yesOption,
      onOption,
    ],
    examples: ["jobs/table-codes.yaml", "jobs/table-codes.yaml --out /tmp/proof --limit 24"],
    exits: [3, 4, 5, 6, 7, 130],
    run: async (call) => (await import("./run.ts")).run(call),
  },
  {
    name: "plan",
    summary: "say what a run would do and cost; change nothing",
    arguments: ["<job>  the manifest"],
    options: [
      "--out <path>  a file that ends in .json: saves the plan there for `run --plan`; else the output folder",
      ...jobOptionsBut("--out"),
      changeUrlOption,
      changeServerOption,
      "--detailed-exitcode  exit 3 when there is something to do or to mend",
    ],
    examples: [
      "jobs/table-codes.yaml --out plan.json",
      "jobs/table-codes.yaml --json --detailed-exitcode",
    ],
    exits: [3, 6, 7],
    run: async (call) => (await import("./run.ts")).plan(call),
  },
  {
    name: "status",
    summary: "say where a job stands, or with --on who works on what",
    arguments: ["[job]  the manifest; not needed with --on"],
    options: [
      ...jobOptions,
      settingOption("on", "the database of run --on: its chunks, and the workers that are up"),
    ],
    examples: ["jobs/table-codes.yaml", "--on postgres://prints@db.example/prints"],
    exits: [4, 5, 6, 7],
    run: async (call) => (await import("./status.ts")).status(call),
  },
  {
    name: "retry",
    summary: "run a job and try the rows again that the server refused",
    arguments: ["<job>  the manifest"],
    options: [...makeOptions, patienceOption, yesOption, onOption],
    examples: ["jobs/table-codes.yaml", "jobs/table-codes.yaml --json"],
    exits: [3, 4, 5, 6, 7, 130],
    run: async (call) => (await import("./run.ts")).retry(call),
  },
  {
    name: "mend",
    summary: "take rows as they were mended in failed-rows.csv; the spreadsheet stays as it is",
    arguments: [
      "<job>  the manifest",
      "<list>  failed-rows.csv or failed-rows.xlsx, mended by hand, or a copy of it",
    ],
    options: jobOptions,
    examples: [
      "jobs/table-codes.yaml out/table-codes/failed-rows.csv",
      "jobs/table-codes.yaml mended.xlsx --json",
    ],
    exits: [3, 6, 7],
    run: async (call) => (await import("./mend.ts")).mend(call),
  },
  {
    name: "verify",
    summary: "open again what a run made and prove all of it",
    arguments: ["<job>  the manifest"],
    options: [...jobOptions, onOption],
    examples: ["jobs/table-codes.yaml", "jobs/table-codes.yaml --json"],
    exits: [3, 4, 5, 6, 7, 130],
    run: async (call) => (await import("./verify.ts")).verify(call),
  },
  {
    name: "scan",
    summary:
      "hold scans or photos of printed sheets against the job: good, damaged, missing, void labels",
    arguments: [
      "<job>  the manifest",
      "<images...>  scans or photos of printed sheets in any order and the right way up or not: PNG, JPEG, TIFF, WebP or PDF",
    ],
    options: jobOptionsBut("--base-url", "--limits"),
    examples: [
      "jobs/table-codes.yaml scans/page-1.png scans/page-2.png",
      "jobs/table-codes.yaml scans.tif --json",
    ],
    exits: [3, 6, 7, 130],
    run: async (call) => (await import("./scan.ts")).scan(call),
  },
  {
    name: "void",
    summary: "take codes out of use: noted in the ledger, and their short links say so",
    arguments: ["<job>  the manifest"],
    options: [...chosen, reasonOption, yesOption, ...unitOptions],
    examples: [
      'jobs/table-codes.yaml --lines 7 --reason "torn off" --yes',
      "jobs/passports.yaml --spoiled --yes",
    ],
    exits: [6, 7, 130],
    run: async (call) => (await import("./units.ts")).voidUnits(call),
  },
  {
    name: "replace",
    summary: "replace spoiled labels as the job says: the same again, or a fresh serial",
    arguments: ["<job>  the manifest"],
    options: [
      ...chosen,
      "--start <n>  first cell for labels that are printed again, on a part-used sheet",
      reasonOption,
      yesOption,
      ...unitOptions,
    ],
    examples: [
      "jobs/table-codes.yaml --spoiled --start 5",
      "jobs/passports.yaml --key 7K2M9QX3A1TZ --yes",
    ],
    exits: [3, 6, 7, 130],
    run: async (call) => (await import("./units.ts")).replace(call),
  },
  {
    name: "activate",
    summary: "note in the ledger that labels are on their goods",
    arguments: ["<job>  the manifest"],
    options: [...chosen.filter((option) => !option.startsWith("--spoiled ")), ...unitOptions],
    examples: [
      "jobs/passports.yaml --lines 1-500",
      "jobs/passports.yaml --key 7K2M9QX3A1TZ --by Anna",
    ],
    exits: [6, 7, 130],
    run: async (call) => (await import("./units.ts")).activate(call),
  },
  {
    name: "reconcile",
    summary: "account for every code and label of a job; write units.csv and EPCIS 2.0 events",
    arguments: ["<job>  the manifest"],
    options: unitOptions,
    examples: ["jobs/passports.yaml", "jobs/passports.yaml --json"],
    exits: [3, 6, 7, 130],
    run: async (call) => (await import("./units.ts")).reconcile(call),
  },
  {
    name: "check",
    summary: "check a certificate and the files that it names; needs no state, service or network",
    arguments: [
      "<certificate>  certificate.json of a run",
      "[files...]  only these files, wherever they lie (default: all that it names, beside it)",
    ],
    options: [
      "--key <hex>  refuse it unless this public key signed it",
      "--json  one JSON object on standard output",
    ],
    examples: ["out/table-codes/certificate.json", "certificate.json table-codes.pdf --json"],
    exits: [3, 6],
    run: async (call) => (await import("./check.ts")).check(call),
  },
  {
    name: "key",
    summary: "print the public key that certificates of a data folder are signed with",
    options: [settingOption("data"), "--json  one JSON object on standard output"],
    examples: ["", "--data /srv/makeready"],
    run: async (call) => (await import("./check.ts")).key(call),
  },
  {
    name: "undo",
    summary:
      "put back what the last redesign, retarget or retire replaced; runs with --limit count as one",
    arguments: ["<job>  the manifest"],
    options: [
      ...jobOptions,
      patienceOption,
      "--force  put back what somebody else has changed since, too",
      yesOption,
    ],
    examples: ["jobs/monthly-restyle.yaml", "jobs/menu-url-change.yaml --yes"],
    exits: [3, 4, 5, 6, 7, 130],
    run: async (call) => (await import("./run.ts")).undo(call),
  },
  {
    name: "retire",
    summary: "list codes whose rows the spreadsheet has no longer; file or delete them",
    arguments: ["<job>  the manifest"],
    options: [
      "--folder <path>  moves their codes to this folder; undo moves them back",
      "--delete  deletes their codes for good: those that are printed die",
      "--key <key>...  only this row, by its key in vanished-rows.csv",
      ...jobOptions,
      patienceOption,
      yesOption,
    ],
    examples: ["jobs/table-codes.yaml", "jobs/table-codes.yaml --folder Retired/2026 --yes"],
    exits: [3, 4, 5, 6, 7, 130],
    run: async (call) => (await import("./run.ts")).retire(call),
  },
  {
    name: "answers",
    summary: "fetch what respondents sent to a job's forms, as CSV, XLSX and images",
    arguments: ["<job>  a manifest of kind forms"],
    options: [...jobOptions, patienceOption],
    examples: ["jobs/room-forms.yaml", "jobs/room-forms.yaml --json"],
    exits: [3, 4, 5, 6, 7, 130],
    run: async (call) => (await import("./answers.ts")).answers(call),
  },
  {
    name: "validate",
    summary: "check a manifest, the header of its spreadsheet and all that it names",
    arguments: ["<job>  the manifest"],
    options: jobOptions,
    examples: ["jobs/table-codes.yaml", "jobs/table-codes.yaml --set output.dir=proof"],
    run: async (call) => (await import("./validate.ts")).validate(call),
  },
  {
    name: "config",
    summary: "show the final job, and where each of its values comes from",
    arguments: ["<job>  the manifest"],
    options: [
      "--resolved  with all defaults filled in; this is what is shown anyway",
      ...jobOptionsBut("--data", "--limits"),
    ],
    examples: [
      "--resolved jobs/table-codes.yaml",
      "jobs/table-codes.yaml --set output.dir=proof --json",
    ],
    run: async (call) => (await import("./config.ts")).config(call),
  },
  {
    name: "set",
    summary: "change fields of a manifest; its comments, order and other fields stay",
    arguments: [
      "<job>  the manifest",
      `[fields...]  FIELD=VALUE, such as output.dir=proof; values as in YAML; other names than plain words in quotes: 'source.columns["Item No."].type=text'`,
    ],
    options: [
      "--unset <field>...  takes a field out",
      settingOption("data"),
      "--json  one JSON object on standard output",
    ],
    examples: [
      "jobs/table-codes.yaml api.public_url=https://go.example.com",
      "jobs/table-codes.yaml schedule.paused=true --json",
    ],
    run: async (call) => (await import("./set.ts")).setFields(call),
  },
];
