/** What a row of a spreadsheet may become, which columns that needs, and the lines that say so. Pure. */
import { linesOf } from "../../base/text/lines-of.ts";
import type { Kind } from "../../kinds/names.ts";
import { buttons, questions, type Role } from "./roles.ts";

/** What a row becomes. */
export const things = [
  "dynamic-link",
  "static-link",
  "text",
  "wifi",
  "contact",
  "product",
  "link",
  "pdf",
  "page",
  "form",
  "retarget",
] as const;
export type Thing = (typeof things)[number];

type Fields = Readonly<Partial<Record<Role, string>>>;

interface ThingFacts {
  readonly kind: Kind;
  /** Role -> what it fills: a field of the manifest. */
  readonly fields: Fields;
  /** Those that need a column; the first is the one that decides. */
  readonly needed: readonly [Role, ...Role[]];
  /** What `init` says where it writes the job without one of these. */
  readonly lacks?: Fields;
  readonly hasLabels: boolean;
}

const code: ThingFacts = {
  kind: "codes",
  fields: { payload: "code.qr_data" },
  needed: ["payload"],
  hasLabels: true,
};

const fieldsOf = (roles: readonly Role[], toField: (role: Role) => string): Fields =>
  Object.fromEntries(roles.map((role) => [role, toField(role)]));

const vcard = [
  "first_name",
  "last_name",
  "company_name",
  "position",
  "email",
  "mobile_number",
  "phone_number",
  "website",
  "street",
  "city",
  "post_code",
  "country",
  "state",
] as const satisfies readonly Role[];

const NO_TITLE = "no column holds titles: what tells the rows apart is the title, change that";

export const factsOf: Readonly<Record<Thing, ThingFacts>> = {
  "dynamic-link": code,
  "static-link": code,
  text: code,
  wifi: {
    ...code,
    fields: fieldsOf(["ssid", "wifi_password", "wifi_type"], () => "code.qr_data"),
    needed: ["ssid", "wifi_password"],
  },
  contact: {
    ...code,
    fields: fieldsOf(vcard, (role) => `code.vcard.${role}`),
    needed: ["last_name"],
  },
  product: {
    ...code,
    kind: "products",
    fields: {
      gtin: "typed gtin, filled up to 14 digits",
      lot: "product.batch_lot",
      serial: "product.serial_number",
      expiry: "product.expiry_date",
      title: "title of the links",
      payload: "product.links",
    },
    needed: ["gtin", "payload"],
    lacks: {
      payload:
        "no column holds addresses: product.links leads to the placeholder example.com, change that before anything is printed",
    },
  },
  link: { ...code, kind: "links", fields: { payload: "link.link", slug: "link.slug" } },
  pdf: { ...code, kind: "pdfs", fields: { file: "pdf.file" }, needed: ["file"] },
  page: {
    ...code,
    kind: "pages",
    fields: {
      title: "page.title",
      about: "page.description",
      ...fieldsOf(buttons, () => "a button of the page"),
    },
    needed: ["title"],
    lacks: { title: NO_TITLE },
  },
  form: {
    ...code,
    kind: "forms",
    fields: { title: "form.title", ...fieldsOf(questions, () => "form.fields") },
    needed: ["title"],
    lacks: { title: NO_TITLE },
  },
  retarget: {
    kind: "retarget",
    fields: { code: "match.value", new_url: "set.qr_data", old_url: "expect" },
    needed: ["new_url", "code"],
    lacks: {
      code: 'no column says which codes are meant: add one with their ids, short links or names, and name it in match.value instead of "code"',
    },
    hasLabels: false,
  },
};

export const rolesOf = (thing: Thing): Role[] => Object.keys(factsOf[thing].fields) as Role[];

/** What is known of the columns that were chosen. */
export interface ThingColumns {
  /** `{{ column }}` of a role, in quotes; undefined where it has none. */
  readonly template: (role: Role, filter?: string) => string | undefined;
  readonly header: (role: Role) => string | undefined;
  /** What a row is called, as a template in quotes. */
  readonly name: string;
  /** Some of its cells are empty. */
  readonly hasGaps: (role: Role) => boolean;
  readonly asked?: Asked | undefined;
}

/** As a manifest has it: names of columns, sheets and files are no variables of this computer. */
export const quote = (text: string): string =>
  JSON.stringify(text.replaceAll(/\$(?=[${])/gu, "$$$$"));

/** A line with a value; none without. */
export const field = (name: string, value: string | undefined, note = ""): string[] =>
  value === undefined ? [] : [`${name}: ${value}${note}`];

/** For new codes; those in print keep what they are. */
const COMPACT = "  compact: true  # smaller codes: level M, links in capitals, lean contacts";

export const SAFETY =
  "safety: { keep_previous: true, confirm_over: 20 }  # makeready undo puts it back";

/** Questions of a form whose spreadsheet has none; an empty one is left out. */
export interface Asked {
  /** Answered by stars. */
  readonly rating: string;
  /** Answered by a text. */
  readonly text: string;
}

const SAMPLE: Asked = { rating: "How was it?", text: "What could be better?" };

const askedLines = ({ rating, text }: Asked): string[] =>
  linesOf(
    rating !== "" && `    - { field_type: rating, label: ${quote(rating)}, required: true }`,
    text !== "" && `    - { field_type: textarea, label: ${quote(text)} }`,
  );

const codeLines =
  (type: "Link" | "Text", isDynamic: boolean) =>
  ({ template, name }: ThingColumns): string[] => [
    "code:",
    `  type: ${type}`,
    isDynamic
      ? "  dynamic: true  # a short link that can lead elsewhere later"
      : "  dynamic: false  # the text itself; can't be changed once it is printed",
    `  qr_data: ${template("payload") ?? ""}`,
    `  display_name: ${name}`,
    COMPACT,
  ];

/** What joins the network; one without a password is open. */
function toWifi({ template, hasGaps }: ThingColumns): string {
  const of = (role: Role, filter: string): string =>
    JSON.parse(template(role, filter) ?? '""') as string;
  const name = `S:${of("ssid", "wifi")};`;
  const type = template("wifi_type");
  if (type !== undefined)
    return `WIFI:T:${of("wifi_type", "default: WPA | wifi: type")};${name}P:${of("wifi_password", "wifi")};;`;
  return hasGaps("wifi_password")
    ? `WIFI:${name}${of("wifi_password", "wifi | prefix: 'T:WPA;P:' | default: 'T:nopass;P:'")};;`
    : `WIFI:T:WPA;${name}P:${of("wifi_password", "wifi")};;`;
}

const wifiLines = (columns: ThingColumns): string[] => [
  "code:",
  "  type: Text  # static: phones join the network; can't be changed once it is printed",
  `  qr_data: ${quote(toWifi(columns))}`,
  `  display_name: ${columns.name}`,
  COMPACT,
];

function contactLines({ template, name }: ThingColumns): string[] {
  // A contact can't be without a first name; where there is none, the last one stands for both.
  const isOneName = template("first_name") === undefined;
  const nameOf = (role: Role): string => (isOneName && role === "last_name" ? "first_name" : role);
  return [
    "code:",
    "  type: vCard  # static: the contact is in the code; can't be changed once it is printed",
    `  display_name: ${name}`,
    "  vcard:",
    ...vcard.flatMap((role) => field(`    ${nameOf(role)}`, template(role))),
    "  design: { error_correction: L }  # contacts are long",
    "  compact: true  # smaller codes: links in capitals, lean contacts",
  ];
}

function productLines({ template, name }: ThingColumns): string[] {
  const gtin = template("gtin") ?? "";
  const title = template("title") ?? gtin;
  const url = template("payload") ?? `"https://example.com/${gtin.slice(1)}`;
  return [
    "product:",
    '  identifier_type: "01"  # GTIN',
    `  identifier_value: ${gtin}`,
    ...field("  batch_lot", template("lot")),
    ...field("  serial_number", template("serial")),
    ...field("  expiry_date", template("expiry", "date: YYMMDD")),
    "  links:  # one destination per link type; the default is where a plain scan leads",
    `    - { link_type: "gs1:pip", title: ${title}, destination_url: ${url}, is_default: true }`,
    `code: { display_name: ${name} }  # leave out for products without codes`,
  ];
}

const linkLines = ({ template, name }: ThingColumns): string[] => [
  "link:",
  ...field("  link", template("payload")),
  ...field("  slug", template("slug"), "  # empty: the server makes one"),
  `  display_name: ${name}`,
];

const ownCode = ({ name }: ThingColumns): string => `code: { display_name: ${name} }`;

const pdfLines = (columns: ThingColumns): string[] => [
  `pdf: { file: ${columns.template("file") ?? ""} }  # relative to this manifest`,
  ownCode(columns),
];

function pageLines(columns: ThingColumns): string[] {
  const { template, header, name } = columns;
  const links = buttons.flatMap((role) => {
    const url = template(role);
    return url === undefined
      ? []
      : [`    - { url: ${url}, title: ${quote((header(role) ?? "").trim())} }`];
  });
  return [
    "page:",
    `  title: ${template("title") ?? name}`,
    ...field("  description", template("about")),
    ...(links.length === 0
      ? ["  # links: [{ url: https://example.com/, title: Website }]  # buttons"]
      : ["  links:  # buttons, in this order; one without address is left out", ...links]),
    ownCode(columns),
  ];
}

/** Without columns, too: a form needs no rows. */
export const formLines = (
  title: string,
  labels: readonly string[] = [],
  asked: Asked = SAMPLE,
): string[] => [
  "form:",
  `  title: ${title}`,
  labels.length === 0
    ? "  fields:"
    : "  fields:  # a field whose label is empty in a row is left out",
  ...(labels.length === 0
    ? askedLines(asked)
    : labels.map((label) => `    - { field_type: textarea, label: ${label} }`)),
];

const retargetLines = ({ template }: ThingColumns): string[] =>
  linesOf(
    `match: { by: [id, shortlink_url, display_name], value: ${template("code") ?? '"{{ code }}"'} }`,
    template("old_url") !== undefined &&
      `expect: ${template("old_url")}  # a row fails whose code leads elsewhere today`,
    `set: { qr_data: ${template("new_url") ?? ""} }`,
    SAFETY,
  );

/** The lines between source and output. */
export const thingLines: Readonly<Record<Thing, (columns: ThingColumns) => string[]>> = {
  "dynamic-link": codeLines("Link", true),
  "static-link": codeLines("Link", false),
  text: codeLines("Text", false),
  wifi: wifiLines,
  contact: contactLines,
  product: productLines,
  link: linkLines,
  pdf: pdfLines,
  page: pageLines,
  form: ({ template, name, asked }) =>
    formLines(
      template("title") ?? name,
      questions.flatMap((role) => template(role) ?? []),
      asked,
    ),
  retarget: retargetLines,
};
