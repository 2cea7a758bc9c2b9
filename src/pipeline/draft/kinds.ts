/** Every kind of job that `init` writes a manifest for: a line each. Pure. */
import type { Kind } from "../../kinds/names.ts";
import { samples, type Sample } from "./samples.ts";
import { formLines, quote, SAFETY, type Asked, type Thing } from "./things.ts";

/** What a person wrote for a single form. */
export interface FormTexts {
  readonly title: string;
  readonly asked: Asked;
}

/** A job without a spreadsheet. */
export interface PlainJob {
  readonly body: (name: string, form?: FormTexts) => readonly string[];
  /** Text under its codes; undefined for jobs without labels. */
  readonly caption?: (name: string, form?: FormTexts) => string;
  /** Lines below `output`, where it has no labels. */
  readonly output?: (name: string) => readonly string[];
}

interface InitKind {
  /** What a row becomes, for the question. */
  readonly label: string;
  /** Undefined: the job reads no rows. */
  readonly thing?: Thing;
  readonly sample?: Sample;
  /** Asks for the column that decides, where several could be meant. */
  readonly question?: string;
  readonly plain?: PlainJob;
  readonly hasLabels: boolean;
}

const ALL_CODES =
  "select: {}  # all codes of the workspace; { folder: Tables, subfolders: true, tags: [tables] } are fewer";

const sayTitle = (name: string, form?: FormTexts): string =>
  quote(form?.title ?? name.replaceAll("-", " "));

export const initKinds = {
  codes: {
    label: "a code with a link or a text",
    thing: "text",
    sample: samples.shelves,
    question: "Which column do the codes hold?",
    hasLabels: true,
  },
  contacts: {
    label: "a code with a contact (vCard)",
    thing: "contact",
    sample: samples.contacts,
    hasLabels: true,
  },
  wifi: {
    label: "a code that joins a Wi-Fi network",
    thing: "wifi",
    sample: samples.wifi,
    hasLabels: true,
  },
  products: {
    label: "a GS1 product by its GTIN, and its code",
    thing: "product",
    sample: samples.products,
    question: "Which column holds the GTINs?",
    hasLabels: true,
  },
  links: {
    label: "a short link with its code",
    thing: "link",
    sample: samples.shelves,
    question: "Which column holds the addresses?",
    hasLabels: true,
  },
  pdfs: {
    label: "a hosted PDF with its code",
    thing: "pdf",
    sample: samples.pdfs,
    plain: {
      body: () => ['code: { display_name: "{{ name }}" }'],
      caption: () => quote("{{ name }}"),
    },
    hasLabels: true,
  },
  pages: {
    label: "a landing page with buttons, and its code",
    thing: "page",
    sample: samples.pages,
    hasLabels: true,
  },
  forms: {
    label: "a form with its code",
    thing: "form",
    sample: samples.forms,
    plain: {
      body: (name, form) => formLines(sayTitle(name, form), [], form?.asked),
      caption: sayTitle,
    },
    hasLabels: true,
  },
  retarget: {
    label: "another destination for a code that exists",
    thing: "retarget",
    sample: samples.retarget,
    question: "Which column holds the new addresses?",
    hasLabels: false,
  },
  redesign: {
    label: "no rows: another look for codes that exist",
    plain: {
      body: () => [
        ALL_CODES,
        'design: { primary_color: "#0a3d62" }  # what isn\'t named stays as it is',
        SAFETY,
      ],
      output: (name) => [`  dir: out/${name}`, "  files: [svg]", "  zip: true"],
    },
    hasLabels: false,
  },
  report: {
    label: "no rows: a report of scans",
    plain: {
      body: () => [
        ALL_CODES,
        "window: { days: 7, compare: previous }",
        "group_by: folder",
        "columns: [display_name, destination, scans, unique_scans, change]",
      ],
      output: (name) => [`  dir: "out/${name}/{{ date }}"`, "  formats: [xlsx, csv, html]"],
    },
    hasLabels: false,
  },
  export: {
    label: "no rows: files and sheets of codes that exist",
    plain: { body: () => [ALL_CODES], caption: () => quote("{{ display_name }}") },
    hasLabels: true,
  },
} as const satisfies Partial<Record<Kind | "contacts" | "wifi", InitKind>>;

export type InitKindName = keyof typeof initKinds;
export const initKindNames = Object.keys(initKinds) as readonly InitKindName[];
export const kindOf = (name: InitKindName): InitKind => initKinds[name];

/** The kind of `init` that makes this of a row. */
export const kindFor = (thing: Thing): InitKindName =>
  initKindNames.find((name) => kindOf(name).thing === thing) ?? "codes";

export const jobKindOf = (name: InitKindName): Kind =>
  name === "contacts" || name === "wifi" ? "codes" : name;
