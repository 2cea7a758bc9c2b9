/** Every kind of job that `init` writes a manifest for: a line each. */
import { findAll, headerFits, type DraftColumn } from "./columns.ts";
import type { Recipe } from "./draft.ts";
import {
  draftCodes,
  draftContacts,
  draftForms,
  draftLinks,
  draftPages,
  draftPdfs,
  draftProducts,
  type Choices,
} from "./recipes.ts";
import { samples, type Sample } from "./samples.ts";
import { draftExport, draftRedesign, draftReport, draftRetarget } from "./select-recipes.ts";

interface InitKind {
  /** What a row becomes, for the question. */
  readonly label: string;
  readonly recipe: (choices: Choices) => Recipe;
  /** Undefined: the job reads no rows. */
  readonly sample: Sample | undefined;
  /** The column that decides, and which ones could be it; best first. */
  readonly asks?: {
    readonly question: string;
    readonly of: (columns: readonly DraftColumn[]) => readonly DraftColumn[];
  };
  /** Codes that may lead elsewhere later are offered. */
  readonly isDynamicAsked?: boolean;
  /** Labels are printed. */
  readonly hasLabels: boolean;
}

const urlsOf = (columns: readonly DraftColumn[]): DraftColumn[] =>
  columns.filter(({ type }) => type === "url");

/** Columns of addresses first; a single one is the only candidate. */
function payloadsOf(columns: readonly DraftColumn[]): readonly DraftColumn[] {
  const urls = urlsOf(columns);
  const others = columns.filter(({ type }) => type !== "url");
  return urls.length === 1 ? urls : [...urls, ...others];
}

/** A column that is called new beside addresses of today, also where some of its cells are none. */
function findBesideOld(columns: readonly DraftColumn[]): DraftColumn[] {
  const urls = urlsOf(columns);
  const areOld = urls.length > 0 && urls.every(({ header }) => headerFits(header, "old_url"));
  return areOld ? columns.filter(({ header }) => headerFits(header, "new_url")) : [];
}

const newUrlsOf = (columns: readonly DraftColumn[]): DraftColumn[] => {
  const found = (["new_url", "target"] as const).map((role) => urlsOf(findAll(columns, role)));
  return [...found, findBesideOld(columns)].find((some) => some.length > 0) ?? urlsOf(columns);
};

const addresses = { question: "Which column holds the addresses?", of: urlsOf };

export const initKinds = {
  codes: {
    label: "a code with a link or a text",
    recipe: draftCodes,
    sample: samples.shelves,
    asks: { question: "Which column do the codes hold?", of: payloadsOf },
    isDynamicAsked: true,
    hasLabels: true,
  },
  contacts: {
    label: "a code with a contact (vCard)",
    recipe: draftContacts,
    sample: samples.contacts,
    hasLabels: true,
  },
  products: {
    label: "a GS1 product by its GTIN, and its code",
    recipe: draftProducts,
    sample: samples.products,
    asks: {
      question: "Which column holds the GTINs?",
      of: (columns) => findAll(columns, "gtin"),
    },
    hasLabels: true,
  },
  links: {
    label: "a short link with its code",
    recipe: draftLinks,
    sample: samples.shelves,
    asks: addresses,
    hasLabels: true,
  },
  pdfs: {
    label: "a hosted PDF with its code",
    recipe: draftPdfs,
    sample: samples.pdfs,
    hasLabels: true,
  },
  pages: {
    label: "a landing page with buttons, and its code",
    recipe: draftPages,
    sample: samples.pages,
    hasLabels: true,
  },
  forms: {
    label: "a form with its code",
    recipe: draftForms,
    sample: samples.forms,
    hasLabels: true,
  },
  retarget: {
    label: "another destination for a code that exists",
    recipe: draftRetarget,
    sample: samples.retarget,
    asks: { question: "Which column holds the new addresses?", of: newUrlsOf },
    hasLabels: false,
  },
  redesign: {
    label: "no rows: another look for codes that exist",
    recipe: draftRedesign,
    sample: undefined,
    hasLabels: false,
  },
  report: {
    label: "no rows: a report of scans",
    recipe: draftReport,
    sample: undefined,
    hasLabels: false,
  },
  export: {
    label: "no rows: files and sheets of codes that exist",
    recipe: draftExport,
    sample: undefined,
    hasLabels: true,
  },
} as const satisfies Record<string, InitKind>;

export type InitKindName = keyof typeof initKinds;
export const initKindNames = Object.keys(initKinds) as readonly InitKindName[];
export const kindOf = (name: InitKindName): InitKind => initKinds[name];

const hasUrl = (columns: readonly DraftColumn[]): boolean =>
  columns.some(({ type }) => type === "url");

/** A name, an e-mail address and a phone number, and nothing that leads somewhere. */
const areContacts = (columns: readonly DraftColumn[]): boolean =>
  !hasUrl(columns) &&
  columns.some(({ type }) => type === "email") &&
  [["first_name", "full_name"] as const, ["phone_number", "mobile_number"] as const].every(
    (roles) => roles.some((role) => findAll(columns, role).length > 0),
  );

const nameOf = ({ header }: DraftColumn): string => JSON.stringify(header.trim());

/** What a spreadsheet is most likely for, and why. */
export function guessKind(columns: readonly DraftColumn[]): {
  readonly kind: InitKindName;
  readonly why: string | undefined;
} {
  const [gtin] = findAll(columns, "gtin").filter(({ type }) => type === "gtin");
  if (gtin !== undefined)
    return { kind: "products", why: `column ${nameOf(gtin)} looks like GTINs` };
  const [first] = findAll(columns, "first_name");
  if (first !== undefined && findAll(columns, "last_name").length > 0) {
    return { kind: "contacts", why: `column ${nameOf(first)} looks like first names` };
  }
  if (areContacts(columns))
    return {
      kind: "contacts",
      why: "the columns look like names, e-mail addresses and phone numbers",
    };
  const [question] = findAll(columns, "question");
  if (question !== undefined && !hasUrl(columns)) {
    return { kind: "forms", why: `column ${nameOf(question)} looks like questions` };
  }
  const [fresh] = [...urlsOf(findAll(columns, "new_url")), ...findBesideOld(columns)];
  if (fresh !== undefined && findAll(columns, "old_url").length > 0) {
    return { kind: "retarget", why: `column ${nameOf(fresh)} looks like new addresses` };
  }
  return { kind: "codes", why: undefined };
}
