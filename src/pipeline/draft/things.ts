/** What a row of a spreadsheet may become, and which columns that needs. Pure. */
import { linesOf } from "../../base/lines-of.ts";
import type { Kind } from "../../kinds/names.ts";
import { quote } from "./manifest-lines.ts";
import { COMPACT, SAMPLE_FIELDS } from "./recipes.ts";

/** What a row becomes. */
export const things = [
  "dynamic-link",
  "static-link",
  "text",
  "contact",
  "product",
  "link",
  "pdf",
  "page",
  "form",
  "retarget",
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
  | "slug"
  | "file"
  | "about"
  | "button_1"
  | "button_2"
  | "button_3"
  | "button_4"
  | "question_1"
  | "question_2"
  | "question_3"
  | "question_4"
  | "code"
  | "new_url"
  | "old_url";

const buttons = ["button_1", "button_2", "button_3", "button_4"] as const;
const questions = ["question_1", "question_2", "question_3", "question_4"] as const;

interface ThingFacts {
  readonly kind: Kind;
  /** Columns that it needs. */
  readonly needed: readonly Role[];
  readonly more: readonly Role[];
  /** Labels are printed. */
  readonly hasLabels: boolean;
}

const codes = { kind: "codes", hasLabels: true } as const;

export const rolesOf: Readonly<Record<Thing, ThingFacts>> = {
  "dynamic-link": { ...codes, needed: ["payload"], more: [] },
  "static-link": { ...codes, needed: ["payload"], more: [] },
  text: { ...codes, needed: ["payload"], more: [] },
  contact: {
    ...codes,
    needed: ["last_name"],
    more: ["first_name", "company_name", "position", "email", "mobile_number", "website"],
  },
  product: {
    ...codes,
    kind: "products",
    needed: ["gtin", "payload"],
    more: ["title", "lot", "expiry"],
  },
  link: { ...codes, kind: "links", needed: ["payload"], more: ["slug"] },
  pdf: { ...codes, kind: "pdfs", needed: ["file"], more: [] },
  page: {
    ...codes,
    kind: "pages",
    needed: ["title"],
    more: ["about", ...buttons],
  },
  form: { ...codes, kind: "forms", needed: ["title"], more: questions },
  retarget: {
    kind: "retarget",
    needed: ["code", "new_url"],
    more: ["old_url"],
    hasLabels: false,
  },
};

const TYPES: Partial<Record<Role, string>> = {
  gtin: "gtin",
  expiry: "date",
  email: "email",
  website: "url",
  new_url: "url",
  old_url: "url",
  button_1: "url",
  button_2: "url",
  button_3: "url",
  button_4: "url",
};

const isLink = (thing: Thing): boolean => !["text", "contact"].includes(thing);

export function typeOf(role: Role, thing: Thing): string | undefined {
  return role === "payload" && isLink(thing) ? "url" : TYPES[role];
}

/** What is known of the columns that were chosen. */
export interface Chosen {
  /** `{{ column }}` of a role, in quotes; undefined where it has none. */
  readonly template: (role: Role, filter?: string) => string | undefined;
  readonly header: (role: Role) => string | undefined;
  /** What a row is called, as a template in quotes. */
  readonly name: string;
}

export const field = (indent: string, name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`${indent}${name}: ${value}`];

function contactLines({ template, name }: Chosen): string[] {
  const roles = [...rolesOf.contact.more, ...rolesOf.contact.needed];
  // A contact can't be without a first name; where there is none, the last one stands for both.
  const first = template("first_name") === undefined ? ["last_name" as const] : [];
  return [
    "code:",
    "  type: vCard  # static: the contact is in the code, no server is asked",
    "  vcard:",
    ...first.flatMap((role) => field("    ", "first_name", template(role))),
    ...roles
      .filter((role) => first.length === 0 || role !== "last_name")
      .flatMap((role) => field("    ", role, template(role))),
    `  display_name: ${name}`,
    COMPACT,
  ];
}

function productLines({ template, name }: Chosen): string[] {
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
    `  display_name: ${name}`,
  ];
}

const codeLines =
  (type: "Link" | "Text", isDynamic: boolean) =>
  ({ template, name }: Chosen): string[] => [
    "code:",
    `  type: ${type}`,
    isDynamic
      ? "  dynamic: true  # a short link that can lead elsewhere later"
      : "  dynamic: false  # the text itself; can't be changed once it is printed",
    `  qr_data: ${template("payload") ?? ""}`,
    `  display_name: ${name}`,
    COMPACT,
  ];

const linkLines = ({ template, name }: Chosen): string[] => [
  "link:",
  ...field("  ", "link", template("payload")),
  ...field("  ", "slug", template("slug")),
  `  display_name: ${name}`,
];

const ownCode = ({ name }: Chosen): string => `code: { display_name: ${name} }`;

const pdfLines = (chosen: Chosen): string[] => [
  `pdf: { file: ${chosen.template("file") ?? ""} }  # relative to this manifest`,
  ownCode(chosen),
];

function pageLines(chosen: Chosen): string[] {
  const { template, header } = chosen;
  const links = buttons.flatMap((role) => {
    const url = template(role);
    return url === undefined
      ? []
      : [`    - { url: ${url}, title: ${quote((header(role) ?? "").trim())} }`];
  });
  return [
    "page:",
    ...field("  ", "title", template("title")),
    ...field("  ", "description", template("about")),
    ...(links.length === 0
      ? []
      : ["  links:  # buttons, in this order; one without address is left out", ...links]),
    ownCode(chosen),
  ];
}

function formLines(chosen: Chosen): string[] {
  const { template } = chosen;
  const asked = questions.flatMap((role) => {
    const label = template(role);
    return label === undefined ? [] : [`    - { field_type: textarea, label: ${label} }`];
  });
  return [
    "form:",
    ...field("  ", "title", template("title")),
    "  fields:  # a field whose label is empty in a row is left out",
    ...(asked.length > 0 ? asked : SAMPLE_FIELDS),
  ];
}

const retargetLines = ({ template }: Chosen): string[] =>
  linesOf(
    `match: { by: [id, shortlink_url, display_name], value: ${template("code") ?? ""} }`,
    template("old_url") !== undefined &&
      `expect: ${template("old_url")}  # a row fails whose code leads elsewhere today`,
    `set: { qr_data: ${template("new_url") ?? ""} }`,
    "safety: { keep_previous: true, confirm_over: 20 }  # makeready undo puts it back",
  );

/** The lines between source and output. */
export const thingLines: Readonly<Record<Thing, (chosen: Chosen) => string[]>> = {
  "dynamic-link": codeLines("Link", true),
  "static-link": codeLines("Link", false),
  text: codeLines("Text", false),
  contact: contactLines,
  product: productLines,
  link: linkLines,
  pdf: pdfLines,
  page: pageLines,
  form: formLines,
  retarget: retargetLines,
};
