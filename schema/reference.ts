/** The reference pages of `docs/`, made from the tables and shapes that the program uses. */
import { errorCodes, errorKinds, type ErrorKind } from "../src/base/errors.ts";
import { settingTable } from "../src/base/settings.ts";
import { commands } from "../src/cli/commands/index.ts";
import type { Command } from "../src/cli/command.ts";
import { exitCodes } from "../src/base/exit-codes.ts";
import { filters } from "../src/job/template/filters.ts";
import { kindTable } from "../src/kinds/index.ts";
import { kinds, type Kind } from "../src/kinds/names.ts";
import { jobSchema } from "../src/kinds/schema.ts";

const NOTE = "This page is made from the program: `npm run schema` writes it anew.";

const escapeCell = (text: string): string => text.replaceAll("|", "\\|");

const toLine = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(" | ")} |`;

function makeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // Several forms of one thing share fields.
  const lines = new Set(rows.map(toLine));
  return [toLine(head), `|${"---|".repeat(head.length)}`, ...lines].join("\n");
}

const code = (text: string): string => `\`${text}\``;

function makeCommand(command: Command): string {
  const { name, summary, argument, second, options, examples, exits } = command;
  const given = [argument, second].filter((one) => one !== undefined);
  const typed = given.map((one) => ` ${one.typed}`).join("");
  const all = [0, 1, 2, ...exits] as (keyof typeof exitCodes)[];
  return [
    `## ${name}`,
    `${code(`makeready ${name}${typed} [options]`)}: ${summary}.`,
    ...given.map((one) => `${code(one.name)}: ${one.says}.`),
    makeTable(
      ["option", "does"],
      options.map(({ flags, says, repeats }) => [
        code(flags),
        repeats ? `${says}; may be given several times` : says,
      ]),
    ),
    `\`\`\`sh\n${examples.join("\n")}\n\`\`\``,
    `Exit codes: ${all.map((exit) => `${exit} (${exitCodes[exit]})`).join(", ")}.`,
  ].join("\n\n");
}

export function makeCommandsPage(): string {
  return `# Commands\n\n${NOTE}\n\n${commands.map(makeCommand).join("\n\n")}\n`;
}

export function makeErrorsPage(): string {
  const kinds = Object.keys(errorKinds) as ErrorKind[];
  const kindRows = kinds.map((kind) => {
    const { retry, stops, exit } = errorKinds[kind];
    return [code(kind), retry, stops, String(exit)];
  });
  const codeRows = Object.entries(errorCodes).map(([name, { kind, says }]) => [
    code(name),
    code(kind),
    says,
  ]);
  return [
    "# Errors",
    NOTE,
    "Every error has a code, and every code a kind. The kind says whether the same request is sent again, what stands still because of it, and the exit code of the program when it ends that way.",
    makeTable(["kind", "sent again", "stops", "exit code"], kindRows),
    makeTable(["code", "kind", "means"], codeRows),
    "",
  ].join("\n\n");
}

export function makeSettingsPage(): string {
  const readers = { jobs: "jobs", serve: "`serve`", "jobs and serve": "jobs, `serve`" };
  const rows = Object.values(settingTable).map(({ variable, flags, key, of, says }) => [
    code(variable),
    flags === undefined ? "" : code(flags),
    key === undefined ? "" : code(key),
    readers[of],
    says,
  ]);
  return [
    "# Settings",
    NOTE,
    "What a flag sets can be set in the environment as well, so that a container, a timer or a shell says it once. A flag wins over its variable, a variable over the manifest, the manifest over `makeready.config.yaml` ([which did](commands.md#config)). A variable that is empty says nothing. Switches such as `MAKEREADY_TRUST_PROXY` are `true` or `false`. `serve` and `doctor` name variables that begin with `MAKEREADY_` and are none of these.",
    "`jobs` are all commands that work on a manifest or on the codes of a server; `serve` is the service.",
    makeTable(["variable", "flag", "key in manifests", "read by", "means"], rows),
    "",
  ].join("\n\n");
}

/** The parts of JSON Schema (draft-7) that the manifest's schema uses. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  /** One for all, or one each for a list of fixed length. */
  readonly items?: Schema | readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

const isTuple = (items: Schema["items"]): items is readonly Schema[] => Array.isArray(items);

function toListText(items: Schema["items"] = {}): string {
  if (!isTuple(items)) return `list of ${toTypeText(items)}`;
  const [first = {}] = items;
  return `list of ${items.length} ${toTypeText(first)}s`;
}

function toTypeText(schema: Schema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined)
    return schema.enum.map((value) => code(JSON.stringify(value).replaceAll('"', ""))).join(", ");
  if (schema.anyOf !== undefined) {
    return [...new Set(schema.anyOf.map(toTypeText))].join(" or ");
  }
  if (schema.type === "array") return toListText(schema.items);
  const words: Readonly<Record<string, string>> = {
    string: "text",
    integer: "whole number",
    number: "number",
    boolean: "yes/no",
    object: "map",
  };
  return words[schema.type ?? ""] ?? "any";
}

function toDefaultText(schema: Schema, isRequired: boolean): string {
  if (isRequired) return "required";
  const { default: value } = schema;
  if (value === undefined || (typeof value === "object" && Object.keys(value ?? {}).length === 0)) {
    return "";
  }
  return code(JSON.stringify(value));
}

/** The content of a list's maps -> the path under which the page has described it. */
type ToldLists = Map<string, string>;

/** The maps in a list; undefined for other lists. */
function mapsOf(field: Schema): Schema | undefined {
  const list = [field, ...(field.anyOf ?? [])].find(({ type }) => type === "array");
  if (list?.items === undefined || isTuple(list.items)) return undefined;
  const { items } = list;
  return [items, ...(items.anyOf ?? [])].find(({ properties }) => properties !== undefined);
}

/** Rows for the maps of a list; one that the page has described already is only named. */
function listMaps(field: Schema, path: string, told: ToldLists): string[][] {
  const maps = mapsOf(field);
  if (maps === undefined) return [];
  const id = JSON.stringify(maps);
  const before = told.get(id);
  if (before === undefined) {
    told.set(id, path);
    return listFields(maps, `${path}[].`, told);
  }
  const same = `Fields as those of ${code(`${before}[]`)} above.`;
  return [[code(`${path}[]`), "map", "", same]];
}

/**
 * Rows for a map's fields, and for those below them with their path: `a.b`; for the maps of a list
 * `a[].b`.
 */
function listFields(schema: Schema, prefix: string, told: ToldLists): string[][] {
  const maps = [schema, ...(schema.anyOf ?? [])];
  return maps.flatMap(({ properties = {}, required = [], additionalProperties }) => [
    ...Object.entries(properties).flatMap(([name, field]) => {
      const path = `${prefix}${name}`;
      const isRequired = required.includes(name);
      const row = [
        code(path),
        toTypeText(field),
        toDefaultText(field, isRequired),
        field.description ?? "",
      ];
      return [row, ...listFields(field, `${path}.`, told), ...listMaps(field, path, told)];
    }),
    ...(typeof additionalProperties === "object"
      ? listFields(additionalProperties, `${prefix}NAME.`, told)
      : []),
  ]);
}

/** Fields that several kinds have in the same words, with these kinds. */
function findShared(): Map<string, { name: string; schema: Schema; kinds: Kind[] }> {
  const fields = new Map<string, { name: string; schema: Schema; kinds: Kind[] }>();
  for (const kind of kinds) {
    const { properties = {}, required = [] } = jobSchema(kind) as Schema;
    for (const [name, schema] of Object.entries(properties)) {
      const id = JSON.stringify([name, schema, required.includes(name)]);
      const field = fields.get(id) ?? { name, schema, kinds: [] };
      field.kinds.push(kind);
      fields.set(id, field);
    }
  }
  return new Map([...fields].filter(([, field]) => field.kinds.length > 1));
}

/** A table of some of a kind's fields, with everything below them. */
function tableOf(kind: Kind, names: readonly string[], told: ToldLists): string {
  const { properties = {}, required = [] } = jobSchema(kind) as Schema;
  const own = Object.entries(properties).filter(([name]) => names.includes(name));
  const schema = { properties: Object.fromEntries(own), required };
  return makeTable(["field", "holds", "default", "means"], listFields(schema, "", told));
}

function makeSharedSections(told: ToldLists): string[] {
  const groups = new Map<string, { kinds: readonly Kind[]; names: string[] }>();
  for (const { name, kinds: having } of findShared().values()) {
    const title = having.join(", ");
    const group = groups.get(title) ?? { kinds: having, names: [] };
    group.names.push(name);
    groups.set(title, group);
  }
  return [...groups.values()].flatMap(({ kinds: having, names }) => {
    const [first] = having;
    if (first === undefined) return [];
    const title = having.length === kinds.length ? "all kinds" : `kinds ${having.join(", ")}`;
    return [`## Fields of ${title}`, tableOf(first, names, told)];
  });
}

function makeKindSections(told: ToldLists): string[] {
  const shared = findShared();
  return kinds.flatMap((kind) => {
    const { properties = {}, required = [] } = jobSchema(kind) as Schema;
    const names = Object.keys(properties).filter((name) => {
      const field = [...shared.values()].find(
        (one) => one.name === name && one.kinds.includes(kind),
      );
      return field === undefined;
    });
    const others = Object.keys(properties)
      .filter((name) => !names.includes(name) && name !== "$schema")
      .map((name) => code(name) + (required.includes(name) ? " (required)" : ""));
    return [
      `## kind: ${kind}`,
      tableOf(kind, names, told),
      `Besides: ${others.join(", ")}, as described above.`,
    ];
  });
}

export function makeManifestPage(): string {
  const usages = Object.entries(filters).map(([name, { usage }]) => [
    code(name),
    usage
      .split(" or ")
      .map((one) => code(`{{ column | ${one} }}`))
      .join(" or "),
  ]);
  const told: ToldLists = new Map();
  return [
    "# Manifest",
    NOTE,
    "A job is one YAML file (JSON works, too). Paths are relative to it. `schema/job.v1.json` describes it to editors. Unknown fields are errors, with a suggestion.",
    makeTable(
      ["kind", "rows from", "makes of each", "calls per row, at best"],
      kinds.map((kind) => {
        const { rows, does, calls } = kindTable[kind];
        return [code(kind), rows, does, calls];
      }),
    ),
    ...makeSharedSections(told),
    ...makeKindSections(told),
    "## Templates",
    "`{{ column }}` takes a row's cell, through as many filters as needed. There are no expressions.",
    makeTable(["filter", "written"], usages),
    'A code that joins a Wi-Fi network: `code: { type: Text, qr_data: "WIFI:T:WPA;S:{{ ssid | wifi }};P:{{ password | wifi }};;" }`. The filter `wifi` puts a backslash before each `\\ ; , : "`, which would end a name or a password; `wifi: type` writes WPA, WEP or nopass for a word such as WPA2 or open. A plan warns of codes that join no network.',
    "Slugs drop accents: `Köln` becomes `koln`. With `source.language: de`, or `slug: de` in one template, it becomes `koeln`. The language of a job's first run stays: slugs and file names that were made never change, and a plan says so.",
    "## Project config",
    "What all jobs of a project share may stand once in `makeready.config.yaml`, beside the manifests or in a folder above: `api`, `run`, `safety`, `output` (not `output.dir`) and `code`, in the words of a manifest. Details of `code`, `output.zip` and `output.sheets` count for manifests that have these. Its paths are relative to itself. What wins: flags, then environment, then manifest, then project config, then default; `makeready config --resolved JOB.yaml` shows which did.",
    "## Environment",
    "In values, `${NAME}` takes an environment variable, `${NAME:-default}` gives a default, `${NAME:?message}` an error when it isn't set, and `$$` is a dollar sign. The token never stands in a manifest: it comes from `MAKEREADY_TOKEN` or `api.token_file`.",
    "",
  ].join("\n\n");
}
