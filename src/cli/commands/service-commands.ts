/** Commands about what a service holds. */
import type { Command } from "../context.ts";
import { settingOption } from "../settings.ts";

/** Known, so that whoever gives it learns what to do instead. */
const NO_STORE = settingOption(
  "store",
  "refused here: this works on SQLite alone; says what to do instead",
);

const accounts: Command = {
  name: "accounts",
  summary: "list, make and revoke accounts, workspaces and tokens of your service",
  argument: {
    name: "action",
    says: "`list` (when left out), `create` an account with a workspace and a token, `workspace`: one more workspace, `token`: one more token, `revoke` a token",
    required: false,
  },
  second: {
    name: "name",
    says: "what the new one is called; for `revoke` the token's name, or its id as `list` shows it",
    required: false,
  },
  options: [
    settingOption("data"),
    settingOption("store"),
    { flags: "--account <name>", says: "whose workspace or token it becomes (default default)" },
    { flags: "--read-only", says: "token: may read; changes are refused with 403" },
    {
      flags: "--expires <when>",
      says: "token: is refused after a time such as 90d, or after a day such as 2027-01-31 (UTC)",
    },
    { flags: "--json", says: "one JSON object per line on standard output" },
  ],
  examples: [
    "makeready accounts --data /srv/makeready",
    "makeready accounts token dashboard --read-only --expires 90d",
  ],
  exits: [6],
  run: async (context, input) => (await import("./accounts.ts")).accounts(context, input),
};

const webhooks: Command = {
  name: "webhooks",
  summary: "list, add and remove receivers of what happens in your service",
  argument: {
    name: "action",
    says: "`list` (when left out), `add` a receiver, `remove` one, `resume` one that is paused",
    required: false,
  },
  second: {
    name: "receiver",
    says: "`add`: its address; else its id, as `list` shows it",
    required: false,
  },
  options: [
    settingOption("data"),
    settingOption("store"),
    {
      flags: "--workspace <id>",
      says: "whose events (default: the first one of the default account)",
    },
    {
      flags: "--events <list>",
      says: "add: what is reported: scan (default), form.submitted, or both with a comma",
    },
    {
      flags: "--secret <secret>",
      says: "add: key of x-signature (default: a new one, shown once)",
    },
    { flags: "--json", says: "one JSON object per line on standard output" },
  ],
  examples: [
    "makeready webhooks --data /srv/makeready",
    "makeready webhooks add https://crm.example.com/in --events form.submitted",
  ],
  exits: [6],
  run: async (context, input) => (await import("./webhooks.ts")).webhooks(context, input),
};

const importLinks: Command = {
  name: "import-links",
  summary: "make the short links of another service's CSV export, under their slugs",
  argument: {
    name: "export",
    says: "the CSV or XLSX file: of Bitly, Dub, Shlink, Short.io, YOURLS, or with columns slug, destination, title, created",
    required: true,
  },
  options: [
    settingOption("baseUrl"),
    settingOption("data"),
    settingOption("publicUrl"),
    {
      flags: "--column <role=header>",
      says: "which column it is, where its name doesn't tell: slug, short (the whole short link), destination, title or created",
      repeats: true,
    },
    { flags: "--yes", says: "make what the plan says, without a question" },
    { flags: "--json", says: "one JSON object per link on standard output" },
  ],
  examples: [
    "makeready import-links bitly.csv",
    "makeready import-links old-links.csv --column slug=Code --column destination=Target --yes",
  ],
  exits: [3, 4, 5, 6, 130],
  run: async (context, input) =>
    (await import("./import-links.ts")).importLinksFile(context, input),
};

const move: Command = {
  name: "move",
  summary: "move a workspace into this service, with everything in it",
  argument: {
    name: "from",
    says: "the data folder of the other service, or a copy of it",
    required: true,
  },
  options: [
    NO_STORE,
    settingOption("data", "data folder that it goes to, made when missing (default .makeready)"),
    {
      flags: "--workspace <id>",
      says: "which workspace (default: the first one of the default account)",
    },
    { flags: "--account <name>", says: "whose it becomes, made when missing (default default)" },
    { flags: "--yes", says: "do what the plan says, without a question" },
    { flags: "--json", says: "one JSON object per line on standard output" },
  ],
  examples: [
    "makeready move /mnt/old-server/makeready --data /srv/makeready",
    "makeready move .makeready --data export --yes",
  ],
  exits: [3, 6],
  run: async (context, input) => (await import("./move.ts")).move(context, input),
};

const moveStore: Command = {
  name: "move-store",
  summary: "move all data of your service from SQLite into PostgreSQL, or back",
  argument: {
    name: "to",
    says: "`postgres`: from the data folder into the database of --store, which must be empty; `sqlite`: from there into the data folder, which must hold no store",
    required: true,
  },
  options: [
    settingOption(
      "store",
      "the PostgreSQL database, such as postgres://user:password@host/makeready",
    ),
    settingOption("data"),
    { flags: "--json", says: "one JSON object on standard output" },
  ],
  examples: [
    "makeready move-store postgres --data /srv/makeready --store postgres://makeready@db/makeready",
    "makeready move-store sqlite --data /srv/makeready --store postgres://makeready@db/makeready",
  ],
  exits: [5, 6, 7],
  run: async (context, input) => (await import("./move-store.ts")).moveStore(context, input),
};

const backup: Command = {
  name: "backup",
  summary: "copy the data folder of your service, also while it runs",
  argument: {
    name: "folder",
    says: "a new or empty folder, or an older backup, which this one replaces when it is whole",
    required: true,
  },
  options: [
    NO_STORE,
    settingOption("data"),
    { flags: "--json", says: "one JSON object on standard output" },
  ],
  examples: [
    "makeready backup /mnt/backup/makeready --data /srv/makeready",
    "makeready backup /mnt/backup/$(date +%F) --data /srv/makeready --json",
  ],
  exits: [6, 7, 130],
  run: async (context, input) => (await import("./backup.ts")).backup(context, input),
};

const restore: Command = {
  name: "restore",
  summary: "prove a backup, and make a data folder of it",
  argument: { name: "backup", says: "the folder that `backup` wrote", required: true },
  options: [
    NO_STORE,
    settingOption("data", "data folder that it becomes, new or empty (default .makeready)"),
    { flags: "--check", says: "prove the backup only; write nothing" },
    { flags: "--json", says: "one JSON object on standard output" },
  ],
  examples: [
    "makeready restore /mnt/backup/makeready --check",
    "makeready restore /mnt/backup/makeready --data /srv/makeready",
  ],
  exits: [3, 6, 7, 130],
  run: async (context, input) => (await import("./backup.ts")).restore(context, input),
};

const exportResolver: Command = {
  name: "export-resolver",
  summary: "write all that a workspace answers as files and rules for plain web servers",
  argument: {
    name: "bundle",
    says: "a new or empty folder, or an older bundle, which this one replaces when it is whole",
    required: true,
  },
  options: [
    NO_STORE,
    settingOption("data"),
    settingOption("publicUrl"),
    {
      flags: "--workspace <id>",
      says: "which workspace (default: the first one of the default account)",
    },
    {
      flags: "--target <server>",
      says: "files, nginx or caddy (default: rules for all of them)",
      repeats: true,
    },
    { flags: "--root <path>", says: "where the bundle will lie on the server (default: here)" },
    { flags: "--json", says: "one JSON object on standard output" },
  ],
  examples: [
    "makeready export-resolver links --data /srv/makeready",
    "makeready export-resolver links --target nginx --root /var/www/links",
  ],
  exits: [6, 130],
  run: async (context, input) => (await import("./outlive.ts")).exportResolver(context, input),
};

const drill: Command = {
  name: "drill",
  summary: "ask a bundle and the service the same questions, and count what differs",
  argument: { name: "bundle", says: "the folder that `export-resolver` wrote", required: true },
  options: [
    NO_STORE,
    settingOption("data"),
    { flags: "--service <url>", says: "ask the service that runs there instead of a data folder" },
    { flags: "--at <url>", says: "where the bundle is served (default: its own files are read)" },
    { flags: "--json", says: "one JSON object per difference on standard output" },
  ],
  examples: [
    "makeready drill links --data /srv/makeready",
    "makeready drill links --at http://127.0.0.1:8080 --service http://127.0.0.1:8787",
  ],
  exits: [3, 5, 6, 130],
  run: async (context, input) => (await import("./outlive.ts")).drillBundle(context, input),
};

export const serviceCommands: readonly Command[] = [
  accounts,
  webhooks,
  importLinks,
  exportResolver,
  drill,
  move,
  moveStore,
  backup,
  restore,
];
