/** Commands that serve, and those about what a service holds. */
import { changeUrlOption, scanOptions } from "../command-options.ts";
import type { Row } from "../command.ts";
import { settingOption } from "../settings.ts";

/** Known, so that the error can say what to do instead. */
const NO_STORE = settingOption(
  "store",
  "refused here: this command works on SQLite alone, and says what to do instead",
);

export const serviceCommands: readonly Row[] = [
  {
    name: "desk",
    summary: "open the jobs of a folder in the browser: new job, plan, run, result",
    arguments: ["[folder]  a folder of jobs (default: this one)"],
    options: [
      "--port <n>  port of this computer to listen on (default: any free one)",
      "--no-browser  print the link, open no browser",
      "--mcp  let in assistants (/mcp): print the address and a token for them",
      "--json  first line on standard output is one JSON object",
    ],
    examples: ["", "jobs --mcp"],
    exits: [130],
    run: async (call) => (await import("./desk.ts")).desk(call),
  },
  {
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
      "--new-token  replaces the token: all earlier ones of its account, also named ones, are refused from now on",
      "--render  renders labels at POST /render/sheets, for every good token",
      "--demo-accounts  a second account, for trying out isolation",
      "--json  first line on standard output is one JSON object",
    ],
    examples: [
      "",
      "--port 9000 --data /srv/makeready --public-url https://go.example.com --trust-proxy loopback",
    ],
    exits: [6, 7],
    run: async (call) => (await import("./serve.ts")).serve(call),
  },
  {
    name: "work",
    summary: "help other computers to prove and draw: takes chunks of run, retry and verify --on",
    options: [
      settingOption("on"),
      "--threads <n>  chunks that are proven at once (default: one per core)",
      "--json  one JSON object per line on standard output",
    ],
    examples: [
      "--on postgres://prints@db.example/prints",
      "MAKEREADY_ON=postgres://prints@db.example/prints makeready work --threads 4",
    ],
    exits: [4, 5, 6, 130],
    run: async (call) => (await import("./work.ts")).work(call),
  },
  {
    name: "accounts",
    summary: "list, make and revoke accounts, workspaces and tokens of your service",
    arguments: [
      "[action]  `list` (when left out), `create` an account with a workspace and a token, `workspace`: one more workspace, `token`: one more token, `revoke` a token",
      "[name]  what the new one is called; for `revoke` the token's name, or its id as `list` shows it",
    ],
    options: [
      settingOption("data"),
      settingOption("store"),
      "--account <name>  workspace, token: whose it becomes (default default)",
      "--read-only  create, token: may read; changes are refused with 403",
      "--expires <when>  create, token: is refused after a time such as 90d, or after a day such as 2027-01-31 (UTC)",
      "--json  one JSON object per line on standard output",
    ],
    examples: ["--data /srv/makeready", "token dashboard --read-only --expires 90d"],
    exits: [6],
    run: async (call) => (await import("./accounts.ts")).accounts(call),
  },
  {
    name: "webhooks",
    summary: "list, add and remove receivers of what happens in your service",
    arguments: [
      "[action]  `list` (when left out), `add` a receiver, `remove` one, `resume` one that is paused",
      "[receiver]  `add`: its address; else its id, as `list` shows it",
    ],
    options: [
      settingOption("data"),
      settingOption("store"),
      "--workspace <id>  whose events (default: the first one of the default account)",
      "--events <list>  add: what is reported: scan (default), form.submitted, or both with a comma",
      "--secret <secret>  add: key of x-signature (default: a new one, shown once)",
      "--json  one JSON object per line on standard output",
    ],
    examples: ["--data /srv/makeready", "add https://crm.example.com/in --events form.submitted"],
    exits: [6],
    run: async (call) => (await import("./webhooks.ts")).webhooks(call),
  },
  {
    name: "import-links",
    summary: "make the short links of another service's CSV export, under their slugs",
    arguments: [
      "<export>  the CSV or XLSX file: of Bitly, Dub, Shlink, Short.io, YOURLS, or with columns slug, destination, title, created",
    ],
    options: [
      settingOption("baseUrl"),
      settingOption("data"),
      settingOption("publicUrl"),
      "--column <role=header>...  which column it is, where its name doesn't say: slug, short (the whole short link), custom (further short links), destination, title or created",
      "--yes  make what the plan says, without a question",
      "--json  one JSON object per link on standard output",
    ],
    examples: ["bitly.csv", "old-links.csv --column slug=Code --column destination=Target --yes"],
    exits: [3, 4, 5, 6, 130],
    run: async (call) => (await import("./import-links.ts")).importLinksFile(call),
  },
  {
    name: "export-resolver",
    summary: "write all that a workspace answers as files and rules for plain web servers",
    arguments: [
      "<bundle>  a new or empty folder, or an older bundle, which this one replaces when it is whole",
    ],
    options: [
      NO_STORE,
      settingOption("data"),
      settingOption("publicUrl"),
      "--workspace <id>  which workspace (default: the first one of the default account)",
      "--target <server>...  files, nginx or caddy (default: rules for all of them)",
      "--root <path>  where the bundle will lie on the server (default: here)",
      "--json  one JSON object on standard output",
    ],
    examples: ["links --data /srv/makeready", "links --target nginx --root /var/www/links"],
    exits: [3, 6, 130],
    run: async (call) => (await import("./outlive.ts")).exportResolver(call),
  },
  {
    name: "drill",
    summary: "ask a bundle and the service the same questions, and count what differs",
    arguments: ["<bundle>  the folder that `export-resolver` wrote"],
    options: [
      NO_STORE,
      settingOption("data"),
      "--service <url>  ask the service that runs there instead of a data folder",
      "--at <url>  where the bundle is served (default: its own files are read)",
      "--json  one JSON object per difference on standard output",
    ],
    examples: [
      "links --data /srv/makeready",
      "links --at http://127.0.0.1:8080 --service http://127.0.0.1:8787",
    ],
    exits: [3, 5, 6, 130],
    run: async (call) => (await import("./outlive.ts")).drillBundle(call),
  },
  {
    name: "move",
    summary: "move a workspace into this service, with everything in it",
    arguments: ["<from>  the data folder of the other service, or a copy of it"],
    options: [
      NO_STORE,
      settingOption("data", "data folder that it goes to, made when missing (default .makeready)"),
      "--workspace <id>  which workspace (default: the first one of the default account)",
      "--account <name>  whose it becomes, made when missing (default default)",
      "--leave-slugs  leave slugs of deleted codes behind also where a code there has them: labels printed with them lead to it",
      "--yes  do what the plan says, without a question",
      "--json  one JSON object per line on standard output",
    ],
    examples: ["/mnt/old-server/makeready --data /srv/makeready", ".makeready --data export --yes"],
    exits: [3, 6],
    run: async (call) => (await import("./move.ts")).move(call),
  },
  {
    name: "move-store",
    summary: "move all data of your service from SQLite into PostgreSQL, or back",
    arguments: [
      "<to>  `postgres`: from the data folder into the database of --store, which must be empty; `sqlite`: from there into the data folder, made when missing, which must hold no store",
    ],
    options: [
      settingOption(
        "store",
        "the PostgreSQL database, such as postgres://user:password@host/makeready",
      ),
      settingOption("data"),
      "--json  one JSON object on standard output",
    ],
    examples: [
      "postgres --data /srv/makeready --store postgres://makeready@db/makeready",
      "sqlite --data /srv/makeready --store postgres://makeready@db/makeready",
    ],
    exits: [5, 6, 7],
    run: async (call) => (await import("./move-store.ts")).moveStore(call),
  },
  {
    name: "backup",
    summary: "copy the data folder of your service, also while it runs",
    arguments: [
      "<folder>  a new or empty folder, or an older backup, which this one replaces when it is whole",
    ],
    options: [NO_STORE, settingOption("data"), "--json  one JSON object on standard output"],
    examples: [
      "/mnt/backup/makeready --data /srv/makeready",
      "/mnt/backup/$(date +%F) --data /srv/makeready --json",
    ],
    exits: [6, 7, 130],
    run: async (call) => (await import("./backup.ts")).backup(call),
  },
  {
    name: "restore",
    summary: "prove a backup, and make a data folder of it",
    arguments: ["<backup>  the folder that `backup` wrote"],
    options: [
      NO_STORE,
      settingOption("data", "data folder that it becomes, new or empty (default .makeready)"),
      "--check  prove the backup only; write nothing",
      "--json  one JSON object on standard output",
    ],
    examples: ["/mnt/backup/makeready --check", "/mnt/backup/makeready --data /srv/makeready"],
    exits: [3, 6, 7, 130],
    run: async (call) => (await import("./backup.ts")).restore(call),
  },
];
