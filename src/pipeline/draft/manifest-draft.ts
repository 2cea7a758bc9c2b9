/** Manifests as a person would write them, for each thing that a row may become. Pure. */
import { toSlug } from "../../base/slug.ts";
import { nameColumns, quote, toKey, type NamedColumn } from "./column-names.ts";

/** What a row becomes. */
export const things = [
  "dynamic-link",
  "static-link",
  "text",
  "contact",
  "product",
  "link",
] as const;
export type Thing = (typeof things)[number];

/** What a column is good for, beside its own name. */
export type Role =
  | "payload"
  | "first_name"
  | "last_name"
  | "company_name"
  | "position"
  | "email"
  | "mobile_number"
  | "website"
  | "gtin"
  | "lot"
  | "expiry"
  | "title"
  | "slug";

/** The roles of each thing: the first ones are needed, the others may be left out. */
export const rolesOf: Readonly<Record<Thing, { needed: readonly Role[]; more: readonly Role[] }>> =
  {
    "dynamic-link": { needed: ["payload"], more: [] },
    "static-link": { needed: ["payload"], more: [] },
    text: { needed: ["payload"], more: [] },
    contact: {
      needed: ["last_name"],
      more: ["first_name", "company_name", "position", "email", "mobile_number", "website"],
    },
    product: { needed: ["gtin", "payload"], more: ["title", "lot", "expiry"] },
    link: { needed: ["payload"], more: ["slug"] },
  };

export interface ManifestDraft {
  /** Lower-case letters, digits, hyphens. */
  readonly name: string;
  /** As the manifest writes it. */
  readonly file: string;
  readonly sheetName?: string | undefined;
  readonly headerRow?: number | undefined;
  readonly thing: Thing;
  /** Role -> header of the spreadsheet. */
  readonly columns: Partial<Record<Role, string>>;
  /** Headers that tell rows apart. */
  readonly key: readonly string[];
  /** Headers of the lines under the code. */
  readonly caption: readonly string[];
  /** Label sheet; undefined: pictures and archive only. */
  readonly sheet?: string | undefined;
  /** Built-in design; undefined: black on white. */
  readonly design?: string | undefined;
}

const TYPES: Partial<Record<Role, string>> = {
  gtin: "gtin",
  expiry: "date",
  email: "email",
  website: "url",
};

const isLink = (thing: Thing): boolean => !["text", "contact"].includes(thing);

function typeOf(role: Role, thing: Thing): string | undefined {
  return role === "payload" && isLink(thing) ? "url" : TYPES[role];
}

/** `{{ column }}` of a role; undefined where it has none. */
type Template = (role: Role, filter?: string) => string | undefined;

const field = (indent: string, name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`${indent}${name}: ${value}`];

function contactLines(template: Template): string[] {
  const roles = [...rolesOf.contact.more, ...rolesOf.contact.needed];
  return [
    "code:",
    "  type: vCard  # static: the contact is in the code, no server is asked",
    "  vcard:",
    ...roles.flatMap((role) => field("    ", role, template(role))),
  ];
}

function productLines(template: Template): string[] {
  const title = template("title") ?? template("gtin") ?? "";
  return [
    "product:",
    '  identifier_type: "01"  # GTIN',
    ...field("  ", "identifier_value", template("gtin")),
    ...field("  ", "batch_lot", template("lot")),
    ...field("  ", "expiry_date", template("expiry", "date: YYMMDD")),
    "  links:",
    `    - { link_type: "gs1:pip", title: ${title}, destination_url: ${template("payload") ?? ""}, is_default: true }`,
    "code:",
  ];
}

function codeLines(thing: Thing, template: Template): string[] {
  const payload = template("payload") ?? "";
  return [
    "code:",
    `  type: ${thing === "text" ? "Text" : "Link"}`,
    thing === "dynamic-link"
      ? "  dynamic: true  # a short link that can lead elsewhere later"
      : "  dynamic: false  # the text itself; can't be changed once it is printed",
    `  qr_data: ${payload}`,
  ];
}

function thingLines(thing: Thing, template: Template, caption: string): string[] {
  if (thing === "contact") return contactLines(template);
  if (thing === "product") return productLines(template);
  if (thing !== "link") return codeLines(thing, template);
  return [
    "link:",
    ...field("  ", "link", template("payload")),
    ...field("  ", "slug", template("slug")),
    `  display_name: ${caption}`,
  ];
}

function columnLines(draft: ManifestDraft, columns: readonly NamedColumn[]): string[] {
  const roles = Object.entries(draft.columns) as [Role, string][];
  const { needed } = rolesOf[draft.thing];
  return columns.map(({ name, header }) => {
    const [role] = roles.find(([, of]) => of === header) ?? [];
    const type = role === undefined ? undefined : typeOf(role, draft.thing);
    const isNeeded = draft.key.includes(header) || (role !== undefined && needed.includes(role));
    const parts = [
      ...(type === undefined ? [] : [`type: ${type}`]),
      ...(isNeeded ? ["required: true"] : []),
      ...(name === header.trim() ? [] : [`aliases: [${quote(header.trim())}]`]),
    ];
    return `    ${toKey(name)}: ${parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`}`;
  });
}

/** The manifest, with a word on the lines that people change first. */
export function writeManifest(draft: ManifestDraft): string {
  const { thing, name } = draft;
  const used = [...draft.key, ...Object.values(draft.columns), ...draft.caption];
  const columns = nameColumns([...new Set(used)]);
  const nameOf = (header: string): string =>
    columns.find((column) => column.header === header)?.name ?? header;
  const template: Template = (role, filter) => {
    const header = draft.columns[role];
    if (header === undefined) return undefined;
    return quote(`{{ ${nameOf(header)}${filter === undefined ? "" : ` | ${filter}`} }}`);
  };
  const [first] = Object.values(draft.columns);
  const shown =
    [draft.caption, draft.key, first === undefined ? [] : [first]].find(
      (headers) => headers.length > 0,
    ) ?? [];
  const lines = shown.map((header) => quote(`{{ ${nameOf(header)} }}`));
  const caption = quote(shown.map((header) => `{{ ${nameOf(header)} }}`).join(" / "));
  const hasCode = thing !== "link";
  return `${[
    "# Made with the desk. Run it there, or with `makeready run`.",
    "version: 1",
    `name: ${toSlug(name)}`,
    `kind: ${thing === "product" ? "products" : thing === "link" ? "links" : "codes"}`,
    "source:",
    `  file: ${quote(draft.file)}`,
    ...field("  ", "sheet", draft.sheetName === undefined ? undefined : quote(draft.sheetName)),
    ...field("  ", "header_row", draft.headerRow?.toString()),
    ...(draft.key.length === 0
      ? ["  # key: [...]  # columns that identify a row, so that a change becomes an update"]
      : [
          `  key: [${draft.key.map((header) => toKey(nameOf(header))).join(", ")}]  # what identifies a row when you run again`,
        ]),
    "  columns:",
    ...columnLines(draft, columns),
    ...thingLines(thing, template, caption),
    ...(hasCode ? [`  display_name: ${caption}`] : []),
    ...(hasCode && draft.design !== undefined
      ? [`  design: { template: ${quote(draft.design)} }`]
      : []),
    "output:",
    `  dir: out/${toSlug(name)}`,
    "  files: [svg, png]",
    "  zip: true",
    ...(draft.sheet === undefined
      ? []
      : [
          `  sheets: { sheet: ${draft.sheet}, caption: [${lines.join(", ")}] }  # makeready sheets lists them`,
        ]),
    "  index: [csv, xlsx]",
  ].join("\n")}\n`;
}
