/** What each kind of job makes of a spreadsheet's columns, as `init` proposes it. Pure. */
import { badUsage, type AppError } from "../../base/errors.ts";
import { quote } from "./manifest-lines.ts";
import { findAll, type ColumnBook, type DraftColumn } from "./columns.ts";
import type { Recipe } from "./draft.ts";
import type { Suggestion } from "./look.ts";

/** What was found out and chosen before a recipe is written. */
export interface Choices extends Pick<
  Suggestion,
  "keyBeside" | "keyAmong" | "labelBeside" | "sheetName" | "otherSheets"
> {
  readonly name: string;
  readonly book: ColumnBook;
  /** Named by the person, or the one that fits best. */
  readonly column: DraftColumn | undefined;
  readonly isDynamic: boolean;
}

/** For new codes; those in print keep what they are. */
export const COMPACT =
  "  compact: true  # smaller codes: level M, links in capitals, lean contacts";

/**
 * The spreadsheet lacks the column that the kind needs: names its columns, and where else to look.
 */
export function noColumn(what: string, { book, sheetName, otherSheets }: Choices): AppError {
  const place = sheetName === undefined ? "the spreadsheet" : `sheet ${quote(sheetName)}`;
  const headers = book.columns.map(({ header }) => quote(header.trim())).join(", ");
  const others = otherSheets.map(quote).join(", ");
  const elsewhere = others === "" ? "" : `read another sheet with --worksheet: ${others}; or `;
  return badUsage(
    `${place} must have a column of ${what}, got ${headers || "none"}`,
    `${elsewhere}name the column with --column, or choose another --kind`,
  );
}

const fill = (name: string): string => `{{ ${name} }}`;

/**
 * Uses the key columns, or a column that names a row for people; returns their names and the
 * label's text.
 */
function useNames(
  { book, keyBeside, labelBeside }: Choices,
  main: DraftColumn | undefined,
  found = keyBeside(main),
): { key: readonly string[]; label: string } {
  const key = found.map((column) => book.use(column, { isRequired: true }));
  const headers = found.map(({ header }) => quote(header.trim())).join(" and ");
  book.guesses.push(
    key.length === 0
      ? "no column tells all rows apart: all cells of a row together are its key"
      : `${key.length === 1 ? "column" : "columns"} ${headers} tell${key.length === 1 ? "s" : ""} the rows apart: source.key`,
  );
  const other = labelBeside(main) ?? main;
  const names = key.length > 0 || other === undefined ? key : [book.use(other)];
  return { key, label: names.map(fill).join(" / ") };
}

export function draftCodes(choices: Choices): Recipe {
  const { book, column, isDynamic } = choices;
  if (column === undefined) throw noColumn("what the codes hold", choices);
  const isLink = column.type === "url";
  const { key, label } = useNames(choices, column);
  if (isLink) book.say(column, "addresses", "code.qr_data");
  if (column.type === "gtin") book.say(column, "GTINs", "typed gtin, filled up to 14 digits");
  const payload = book.use(column, { isRequired: true });
  return {
    kind: "codes",
    key,
    caption: label,
    body: [
      "code:",
      `  type: ${isLink ? "Link" : "Text"}`,
      isDynamic
        ? "  dynamic: true  # a short link that can lead elsewhere later"
        : "  dynamic: false  # the text itself; can't be changed once it is printed",
      `  qr_data: "${fill(payload)}"`,
      `  display_name: "${label}"`,
      COMPACT,
    ],
  };
}

const CONTACT_FIELDS = [
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
] as const;

/** A website may lack https://: then it is a text like the others. */
const websiteType = ({ book }: Choices): "url" | "text" =>
  book.find("website")?.type === "url" ? "url" : "text";

/** Many people share a name or a company: the e-mail address tells them apart best. */
function findContactKey({ book, keyAmong }: Choices): readonly DraftColumn[] {
  const [email, first, last, mobile, number] = (
    ["email", "first_name", "last_name", "mobile_number", "person_number"] as const
  ).map((role) => book.find(role));
  const names = [first ?? book.find("full_name"), last].filter((one) => one !== undefined);
  const wishes = [[email], names, [mobile], [number]].map((wish) =>
    wish.filter((one) => one !== undefined),
  );
  return keyAmong(wishes.filter((wish) => wish.length > 0));
}

export function draftContacts(choices: Choices): Recipe {
  const { book, column } = choices;
  const found = findContactKey(choices);
  const first =
    book.take("first_name", "code.vcard.first_name", { isRequired: true }) ??
    book.take("full_name", "code.vcard.first_name", { isRequired: true }) ??
    (column && book.use(column, { isRequired: true, type: "text" })) ??
    "name";
  const others = CONTACT_FIELDS.flatMap((field) => {
    const type = field === "website" ? { type: websiteType(choices) } : {};
    const name = book.take(field, `code.vcard.${field}`, type);
    return name === undefined ? [] : [[field, name] as const];
  });
  const last = others.find(([field]) => field === "last_name")?.[1];
  const shown = [first, ...(last === undefined ? [] : [last])].map(fill).join(" ");
  const { key } = useNames(choices, undefined, found);
  return {
    kind: "codes",
    key,
    caption: shown,
    body: [
      "code:",
      "  type: vCard  # static: the contact is in the code",
      `  display_name: "${shown}"`,
      "  vcard:",
      `    first_name: "${fill(first)}"`,
      ...others.map(([field, name]) => `    ${field}: "${fill(name)}"`),
      "  design: { error_correction: L }  # contacts are long",
      COMPACT,
    ],
  };
}

export function draftProducts(choices: Choices): Recipe {
  const { book, column } = choices;
  const gtinColumn = column ?? book.find("gtin");
  if (gtinColumn === undefined) throw noColumn("GTINs", choices);
  book.say(gtinColumn, "GTINs", "typed gtin, filled up to 14 digits");
  const gtin = book.use(gtinColumn, { type: "gtin", isRequired: true });
  const lot = book.take("lot", "product.batch_lot");
  // No format of dates has YYMMDD: such cells stay as they are.
  const isGs1Date = book.find("expiry")?.isGs1Date === true;
  const expiry = book.take(
    "expiry",
    "product.expiry_date",
    isGs1Date ? { type: "text", looks: "dates as GS1 writes them, YYMMDD" } : { type: "date" },
  );
  const title = book.take("title", "title of the links") ?? gtin;
  const url = book.take("url", "product.links", { isRequired: true });
  if (url === undefined) {
    book.guesses.push("no column holds addresses: product.links leads to example.com, change that");
  }
  return {
    kind: "products",
    key: [gtin, ...(lot === undefined ? [] : [lot])],
    caption: fill(title),
    body: [
      "product:",
      '  identifier_type: "01"  # GTIN',
      `  identifier_value: "${fill(gtin)}"`,
      ...(lot === undefined ? [] : [`  batch_lot: "${fill(lot)}"`]),
      ...(expiry === undefined
        ? []
        : [`  expiry_date: "{{ ${expiry}${isGs1Date ? "" : " | date: YYMMDD"} }}"`]),
      "  links:  # one destination per link type; the first is where a plain scan leads",
      `    - { link_type: "gs1:pip", title: "${fill(title)}", destination_url: "${url === undefined ? `https://example.com/${fill(gtin)}` : fill(url)}" }`,
      `code: { display_name: "${fill(title)}" }  # leave out for products without codes`,
    ],
  };
}

export function draftLinks(choices: Choices): Recipe {
  const { book, column } = choices;
  const urlColumn = column ?? book.find("url");
  if (urlColumn === undefined) throw noColumn("addresses", choices);
  book.say(urlColumn, "addresses", "link.link");
  const { key, label } = useNames(choices, urlColumn);
  const url = book.use(urlColumn, { type: "url", isRequired: true });
  const slug = book.take("slug", "link.slug");
  return {
    kind: "links",
    key,
    caption: label,
    body: [
      "link:",
      `  link: "${fill(url)}"`,
      ...(slug === undefined ? [] : [`  slug: "${fill(slug)}"  # empty: the server makes one`]),
      `  display_name: "${label}"`,
    ],
  };
}

/** A folder of PDFs, or a column that names them. */
export function draftPdfs(choices: Choices): Recipe {
  const { book, column } = choices;
  const file = column ?? book.find("file");
  if (file === undefined) {
    return {
      kind: "pdfs",
      key: undefined,
      caption: "{{ name }}",
      body: ['code: { display_name: "{{ name }}" }'],
    };
  }
  book.say(file, "PDF files", "pdf.file");
  const { key, label } = useNames(choices, file);
  const name = book.use(file, { type: "text", isRequired: true });
  return {
    kind: "pdfs",
    key,
    caption: label,
    body: [
      `pdf: { file: "${fill(name)}" }  # relative to this manifest`,
      `code: { display_name: "${label}" }`,
    ],
  };
}

export function draftPages(choices: Choices): Recipe {
  const { book, column } = choices;
  const { key, label } = useNames(choices, column);
  const title = column
    ? book.use(column, { type: "text", isRequired: true })
    : book.take("title", "page.title", { isRequired: true });
  const about = book.take("about", "page.description");
  const addressed = findAll(book.columns, "website");
  const urls = book.columns.filter((one) => addressed.includes(one) && one !== column);
  const buttons = urls.map((url) => {
    book.say(url, "addresses", "a button of the page");
    const button = `{ url: "${fill(book.use(url, { type: "url" }))}", title: ${quote(url.header.trim())} }`;
    return `    - ${button}`;
  });
  return {
    kind: "pages",
    key,
    caption: title === undefined ? label : fill(title),
    body: [
      "page:",
      `  title: "${title === undefined ? label : fill(title)}"`,
      ...(about === undefined ? [] : [`  description: "${fill(about)}"`]),
      "  links:  # buttons, in this order; one without address is left out",
      ...(buttons.length > 0 ? buttons : ["    - { url: https://example.com/, title: Website }"]),
    ],
  };
}

/** Questions of a form whose spreadsheet has none. */
export const SAMPLE_FIELDS = [
  "    - { field_type: rating, label: How was it?, required: true }",
  "    - { field_type: textarea, label: What could be better? }",
] as const;

export function draftForms(choices: Choices): Recipe {
  const { book, column, name } = choices;
  if (book.columns.length === 0) {
    const title = name.replaceAll("-", " ");
    const body = ["form:", `  title: ${quote(title)}`, "  fields:", ...SAMPLE_FIELDS];
    return { kind: "forms", key: undefined, caption: title, body };
  }
  const { key, label } = useNames(choices, column);
  const questions: string[] = [];
  for (let at = book.find("question"); at !== undefined; at = book.find("question")) {
    book.say(at, "questions", "form.fields");
    questions.push(`    - { field_type: textarea, label: "${fill(book.use(at))}" }`);
  }
  const title = column === undefined ? label : fill(book.use(column));
  return {
    kind: "forms",
    key,
    caption: title,
    body: [
      "form:",
      `  title: "${title}"`,
      "  fields:  # a field whose label is empty in a row is left out",
      ...(questions.length > 0 ? questions : SAMPLE_FIELDS),
    ],
  };
}
