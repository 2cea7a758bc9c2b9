/** Commands about what a service holds. */
import type { Command } from "../context.ts";
import { settingOption } from "../settings.ts";

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

export const serviceCommands: readonly Command[] = [accounts];
