/** Every command, in the order of the help. What one does is imported when it runs: none waits for it. */
import {
  changeUrlOption,
  DEFAULT_SHEET,
  jobOptions,
  NO_SHEET,
  onOption,
  patienceOption,
  PREVIEW_FOLDER,
  publicUrlOption,
  scanOptions,
  yesOption,
} from "../command-options.ts";
import { shells } from "../completion/shells.ts";
import type { Command } from "../context.ts";
import { EXIT_INTERRUPTED } from "../exit-codes.ts";
import { settingOption } from "../settings.ts";
import { afterCommands } from "./after-commands.ts";
import { serviceCommands } from "./service-commands.ts";
import { setCommand } from "./set-command.ts";
import { watchCommand } from "./watch-command.ts";

const run: Command = {
  name: "run",
  summary: "plan a job, do what is left to do, pack and prove it",
  argument: { name: "job", says: "the manifest, such as jobs/table-codes.yaml", required: true },
  options: [
    ...jobOptions,
    changeUrlOption,
    { flags: "--plan <file>", says: "carry out this saved plan, or refuse when it is stale" },
    patienceOption,
    { flags: "--limit <n>", says: "make at most this many codes now" },
    { flags: "--fresh", says: "forget what was made before and make everything anew" },
    yesOption,
    onOption,
  ],
  examples: [
    "makeready run jobs/table-codes.yaml",
    "makeready run jobs/table-codes.yaml --out /tmp/proof --limit 24",
  ],
  exits: [3, 4, 5, 6, 7, 130],
  run: async (context, input) => (await import("./run.ts")).run(context, input),
};

const plan: Command = {
  name: "plan",
  summary: "say what a run would do and cost; change nothing",
  argument: { name: "job", says: "the manifest", required: true },
  options: [
    {
      flags: "--out <path>",
      says: "a file that ends in .json: saves the plan there for `run --plan`; else the output folder",
    },
    ...jobOptions.filter(({ flags }) => !flags.startsWith("--out ")),
    changeUrlOption,
    { flags: "--detailed-exitcode", says: "exit 3 when there is something to do or to mend" },
  ],
  examples: [
    "makeready plan jobs/table-codes.yaml --out plan.json",
    "makeready plan jobs/table-codes.yaml --json --detailed-exitcode",
  ],
  exits: [3, 6, 7],
  run: async (context, input) => (await import("./plan.ts")).plan(context, input),
};

const status: Command = {
  name: "status",
  summary: "say where a job stands, or with --on who works on what",
  argument: { name: "job", says: "the manifest; not needed with --on", required: false },
  options: [
    ...jobOptions,
    settingOption("on", "the database of run --on: its chunks, and the workers that are up"),
  ],
  examples: [
    "makeready status jobs/table-codes.yaml",
    "makeready status --on postgres://prints@db.example/prints",
  ],
  exits: [4, 5, 6, 7],
  run: async (context, input) => (await import("./status.ts")).status(context, input),
};

const retry: Command = {
  name: "retry",
  summary: "run a job and try the rows again that the server refused",
  argument: { name: "job", says: "the manifest", required: true },
  options: [...jobOptions, changeUrlOption, patienceOption, yesOption, onOption],
  examples: [
    "makeready retry jobs/table-codes.yaml",
    "makeready retry jobs/table-codes.yaml --json",
  ],
  exits: [3, 4, 5, 6, 7, 130],
  run: async (context, input) => (await import("./retry.ts")).retry(context, input),
};

const validate: Command = {
  name: "validate",
  summary: "check a manifest, the header of its spreadsheet and all that it names",
  argument: { name: "job", says: "the manifest", required: true },
  options: jobOptions,
  examples: [
    "makeready validate jobs/table-codes.yaml",
    "makeready validate jobs/table-codes.yaml --set output.dir=proof",
  ],
  exits: [],
  run: async (context, input) => (await import("./validate.ts")).validate(context, input),
};

const config: Command = {
  name: "config",
  summary: "show the final job, and where each of its values comes from",
  argument: { name: "job", says: "the manifest", required: true },
  options: [
    { flags: "--resolved", says: "with all defaults filled in; this is what is shown anyway" },
    ...jobOptions.filter(({ flags }) => !/^--(?:data|limits)\b/u.test(flags)),
  ],
  examples: [
    "makeready config --resolved jobs/table-codes.yaml",
    "makeready config jobs/table-codes.yaml --set output.dir=proof --json",
  ],
  exits: [],
  run: async (context, input) => (await import("./config.ts")).config(context, input),
};

const columns: Command = {
  name: "columns",
  summary: "say what a spreadsheet holds: encoding, delimiter, header, columns, odd cells",
  argument: { name: "file", says: "the CSV or XLSX file", required: true },
  options: [
    { flags: "--sheet <name>", says: "sheet of a workbook, by name or position from 1" },
    {
      flags: "--header-row <n>",
      says: "line of the header, instead of the one that looks like it",
    },
    { flags: "--json", says: "one JSON object on standard output" },
  ],
  examples: ["makeready columns samples/tables.csv", "makeready columns gtins.xlsx --sheet Spring"],
  exits: [],
  run: async (context, input) => (await import("./columns.ts")).columns(context, input),
};

const previewCommand: Command = {
  name: "preview",
  summary: "draw one row's code and label, or a design, without any server",
  argument: { name: "job", says: "the manifest; not needed with --design", required: false },
  options: [
    { flags: "--line <n>", says: "line of the row in the spreadsheet (default: the first row)" },
    { flags: "--row <n>", says: "now --line, which counts lines as messages do" },
    {
      flags: "--design <name>",
      says: "a built-in design, or a JSON file, on a contact sheet of codes of four sizes",
    },
    { flags: "--out <dir>", says: `folder of the files (default ${PREVIEW_FOLDER})` },
    ...jobOptions.filter(({ flags }) => !/^--(?:out|limits)\b/u.test(flags)),
  ],
  examples: [
    "makeready preview jobs/table-codes.yaml --line 4",
    "makeready preview --design scan-card --out proof",
  ],
  exits: [3, 6, 7],
  run: async (context, input) => (await import("./preview.ts")).previewJob(context, input),
};

const sheets: Command = {
  name: "sheets",
  summary:
    "find label sheets, draw them, align a printer, prove labels for approval, print sheets again",
  argument: {
    name: "action",
    says: "`list` (when left out) all sheets or those that fit words: maker, number, page, size, count; `show` a sheet's geometry and where it is from, `draw` it, `align`: write its outlines with rulers, `labels`: templates of what stands on labels; of a job: `proof` for the customer's approval, `reprint` of sheets or labels",
    required: false,
  },
  second: {
    name: "what",
    says: "words to find sheets by; name of a sheet, or a .json file of your own; for `proof` and `reprint` the manifest",
    required: false,
    isList: true,
  },
  options: [
    {
      flags: "--out <file>",
      says: "file that is written; default: NAME.svg, align-NAME.pdf, proof-JOB.pdf, or the job's PDF with -reprint",
    },
    {
      flags: "--lines <list>",
      says: "proof, reprint: lines of the spreadsheet, as messages and index.csv have them, like 3,7-9; default of a proof: the longest captions",
    },
    { flags: "--rows <list>", says: "now --lines, which counts lines as messages do" },
    {
      flags: "--key <key>",
      says: "reprint: a row by its key, as sheet-map.json has it, in whichever PDF it lies; named twice, it is printed twice",
      repeats: true,
    },
    { flags: "--sheets <list>", says: "reprint: sheets as their slugs number them, like 12-14" },
    { flags: "--from <pdf>", says: "reprint: which PDF of the job, where it has several" },
    { flags: "--start <n>", says: "reprint: first cell for labels, on a part-used sheet" },
    {
      flags: "--dir <dir>",
      says: "proof, reprint: output folder of the job, where it was run with --out",
    },
    publicUrlOption,
    settingOption("data"),
    { flags: "--set <key=value>", says: "overrides one key of the manifest", repeats: true },
    { flags: "--json", says: "one JSON object per sheet on standard output" },
  ],
  examples: [
    "makeready sheets list herma 63.5x38.1",
    "makeready sheets reprint jobs/table-codes.yaml --sheets 3 --from tables-north.pdf",
  ],
  exits: [3, 7],
  run: async (context, input) => (await import("./sheets.ts")).sheets(context, input),
};

const initCommand: Command = {
  name: "init",
  summary: "write a manifest for your spreadsheet, or a sample to try, after a few questions",
  argument: { name: "name", says: "name of the job and its manifest", required: false },
  options: [
    {
      flags: "--kind <kind>",
      says: "what each row becomes: codes, contacts, products, links, pdfs, pages, forms, retarget; or a job over codes that exist: redesign, report, export (default: what the columns look like)",
    },
    {
      flags: "--source <file>",
      says: "the CSV or XLSX file, or a folder of PDFs; without one, a sample is written",
    },
    { flags: "--column <name>", says: "the column that decides: what codes hold, GTIN, address" },
    { flags: "--dynamic", says: "codes that can lead elsewhere later (default for addresses)" },
    { flags: "--static", says: "codes that hold the text itself" },
    { flags: "--sheet <name>", says: `label sheet, or ${NO_SHEET} (default ${DEFAULT_SHEET})` },
    { flags: "--yes", says: "asks nothing, takes what is offered" },
    {
      flags: "--as <thing>",
      says: "what the desk makes of each row, asking nothing: dynamic-link, static-link, text, contact, product, link, pdf, page, form, retarget",
    },
    {
      flags: "--use <role=column>",
      says: "with --as: which column is what, such as payload=Link",
      repeats: true,
    },
    { flags: "--key <column>", says: "with --as: tells the rows apart", repeats: true },
    { flags: "--caption <column>", says: "with --as: a line below the code", repeats: true },
    { flags: "--worksheet <name>", says: "sheet of a workbook (default: the first)" },
    { flags: "--json", says: "one JSON object on standard output" },
  ],
  examples: [
    "makeready init menus --source tables.xlsx --column Link --yes",
    "makeready init prices --kind products --source gtins.xlsx",
  ],
  exits: [EXIT_INTERRUPTED],
  run: async (context, input) => (await import("./init.ts")).initJob(context, input),
};

const doctor: Command = {
  name: "doctor",
  summary: "check this computer, the folder and the server before a job",
  argument: { name: "job", says: "the manifest; without one, the environment", required: false },
  options: jobOptions,
  examples: ["makeready doctor", "makeready doctor jobs/table-codes.yaml --json"],
  exits: [4, 5],
  run: async (context, input) => (await import("./doctor.ts")).doctor(context, input),
};

const schedule: Command = {
  name: "schedule",
  summary: "run the jobs that are due, or print timers that do",
  argument: {
    name: "action",
    says: "`list` (when left out) scheduled jobs, `run` what is due, or `print` timers for systemd or cron",
    required: false,
  },
  second: {
    name: "files",
    says: "manifests, or folders of them; default: jobs/",
    required: false,
    isList: true,
  },
  options: [
    { flags: "--once", says: "run: run what is due now and end (default)" },
    { flags: "--stay", says: "run: stay and run jobs whenever they are due, until Ctrl-C" },
    { flags: "--systemd", says: "print: service and timer of each job" },
    { flags: "--cron", says: "print: lines for crontab" },
    { flags: "--out <dir>", says: "print --systemd: write the files there" },
    { flags: "--yes", says: "run, print: answer what safety.confirm_over asks with yes" },
    settingOption("baseUrl"),
    publicUrlOption,
    settingOption("data", "data folder: of the embedded service, and of what ran when"),
    { flags: "--limits <mode>", says: "limits of the embedded service: off (default) or hosted" },
    patienceOption,
    { flags: "--json", says: "one JSON object per line on standard output" },
  ],
  examples: ["makeready schedule run jobs/", "makeready schedule print --systemd --out units/"],
  exits: [3, 4, 5, 6, 7, 130],
  run: async (context, input) => (await import("./schedule.ts")).schedule(context, input),
};

const desk: Command = {
  name: "desk",
  summary: "open the jobs of a folder in the browser: new job, plan, run, result",
  argument: { name: "folder", says: "a folder of jobs (default: this one)", required: false },
  options: [
    { flags: "--port <n>", says: "port of this computer to listen on (default: any free one)" },
    { flags: "--no-browser", says: "print the link, open no browser" },
    { flags: "--mcp", says: "let in assistants (/mcp): print the address and a token for them" },
    { flags: "--json", says: "first line on standard output is one JSON object" },
  ],
  examples: ["makeready desk", "makeready desk jobs --mcp"],
  exits: [130],
  run: async (context, input) => (await import("./desk.ts")).desk(context, input),
};

const serve: Command = {
  name: "serve",
  summary: "serve the API, the short links and the files of codes",
  options: [
    settingOption("port"),
    settingOption("host"),
    settingOption("data"),
    settingOption("store"),
    settingOption("publicUrl"),
    changeUrlOption,
    settingOption("limits"),
    settingOption("plan"),
    ...scanOptions,
    settingOption("allowPrivateFetch"),
    settingOption("accessLog"),
    settingOption("capitalLinks"),
    {
      flags: "--new-token",
      says: "replaces the token: all former ones of its account, also named ones, are refused from now on",
    },
    { flags: "--render", says: "renders labels at POST /render/sheets, for every good token" },
    { flags: "--demo-accounts", says: "a second account, for trying out isolation" },
    { flags: "--json", says: "first line on standard output is one JSON object" },
  ],
  examples: [
    "makeready serve",
    "makeready serve --port 9000 --data /srv/makeready --public-url https://go.example.com --trust-proxy loopback",
  ],
  exits: [6, 7],
  run: async (context, input) => (await import("./serve.ts")).serve(context, input),
};

const work: Command = {
  name: "work",
  summary: "help other computers to prove and draw: takes chunks of run, retry and verify --on",
  options: [
    settingOption("on"),
    { flags: "--threads <n>", says: "chunks that are proven at once (default: one per core)" },
    { flags: "--json", says: "one JSON object per line on standard output" },
  ],
  examples: [
    "makeready work --on postgres://prints@db.example/prints",
    "MAKEREADY_ON=postgres://prints@db.example/prints makeready work --threads 4",
  ],
  exits: [4, 5, 6, 130],
  run: async (context, input) => (await import("./work.ts")).work(context, input),
};

const completion: Command = {
  name: "completion",
  summary: "print what lets bash, zsh or fish complete commands, options, files and sheets",
  argument: { name: "shell", says: shells.join(", "), required: true },
  options: [],
  examples: [
    "source <(makeready completion bash)",
    "makeready completion fish > ~/.config/fish/completions/makeready.fish",
  ],
  exits: [],
  run: async (context, input) =>
    (await import("./completion.ts")).complete(context, input, commands),
};

export const commands: readonly Command[] = [
  run,
  plan,
  status,
  retry,
  ...afterCommands,
  validate,
  config,
  setCommand,
  columns,
  previewCommand,
  sheets,
  initCommand,
  doctor,
  schedule,
  watchCommand,
  desk,
  serve,
  work,
  ...serviceCommands,
  completion,
];

/** Commands that people may look for -> why they are not there. */
export const absentCommands: Readonly<Record<string, string>> = {
  worker: "it is called work: makeready work --on postgres://USER@HOST/DATABASE",
};
