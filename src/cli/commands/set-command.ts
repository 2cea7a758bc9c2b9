import type { Command } from "../context.ts";
import { settingOption } from "../settings.ts";

export const setCommand: Command = {
  name: "set",
  summary: "change fields of a manifest; its comments, order and other fields stay",
  argument: { name: "job", says: "the manifest", required: true },
  second: {
    name: "fields",
    says: "FIELD=VALUE, such as output.dir=proof; values as in YAML",
    required: false,
    isList: true,
  },
  options: [
    { flags: "--unset <field>", says: "takes a field out", repeats: true },
    settingOption("data"),
    { flags: "--json", says: "one JSON object on standard output" },
  ],
  examples: [
    "makeready set jobs/table-codes.yaml api.public_url=https://go.example.com",
    "makeready set jobs/table-codes.yaml schedule.paused=true --json",
  ],
  exits: [],
  run: async (context, input) => (await import("./set.ts")).setFields(context, input),
};
