/** A row -> the thing that its kind of job makes beside a code: product, link, PDF, page, form. */
import { isOpenableUrl } from "../api/fields.ts";
import { limits, ownLimits } from "../api/limits.ts";
import { isHexColor } from "../base/color.ts";
import type { FormsJob, LinksJob, PagesJob, PdfsJob, RowJob } from "../job/row-jobs.ts";
import type { Wanted, WantedField, WantedForm, WantedPage } from "../state/row.ts";
import { checkProductWish, toProduct } from "./product-wish.ts";

/** What was found out about a row's PDF before it is planned. */
export interface PdfFacts {
  /** Absolute; null when the row names no file. */
  readonly file: string | null;
  readonly sha256: string | null;
  readonly problems: readonly string[];
}

export const NO_PDF: PdfFacts = { file: null, sha256: null, problems: [] };

type Render = (template: string) => string;

/** The fields of a wish that only its kind has, and what is wrong with them. */
export interface Thing {
  readonly fields: Partial<Wanted>;
  readonly problems: readonly string[];
}

const orNull = (text: string): string | null => (text === "" ? null : text);
const got = (text: string): string => `got ${JSON.stringify(text)}`;

const SLUG = /^[A-Za-z0-9-]{1,100}$/u;

function checkSlug(slug: string | null): string[] {
  return slug === null || SLUG.test(slug)
    ? []
    : [`slug must be 1 to 100 letters, digits and hyphens, ${got(slug)}`];
}

const isWebUrl = (url: string): boolean => isOpenableUrl(url) && /^https?:/iu.test(url);

function checkColors(colors: Readonly<Record<string, string | null | undefined>>): string[] {
  return Object.entries(colors).flatMap(([field, color]) =>
    color === null || color === undefined || isHexColor(color)
      ? []
      : [`${field} must be a colour as #rgb or #rrggbb, ${got(color)}`],
  );
}

function toLinkThing(job: LinksJob, render: Render): Thing {
  const slug = orNull(render(job.slug ?? "").trim());
  return { fields: { link: { slug } }, problems: checkSlug(slug) };
}

function toPdfThing(job: PdfsJob, render: Render, facts: PdfFacts): Thing {
  const url = orNull(render(job.pdf.url ?? "").trim());
  const fileName = orNull(render(job.pdf.fileName ?? "").trim());
  const problems = [...facts.problems];
  if (facts.file !== null && url !== null) {
    problems.push("a row must name a file or a pdf_url, got both");
  } else if (facts.file === null && url === null && problems.length === 0) {
    problems.push("a row must name a file or a pdf_url, got neither");
  }
  if (url !== null && !isWebUrl(url)) {
    problems.push(`pdf_url must be an http or https URL, ${got(url)}`);
  }
  const { file, sha256 } = facts;
  return { fields: { pdf: { file, sha256, url, fileName } }, problems };
}

const tooLong = (field: string, text: string, most: number): string[] =>
  Array.from(text).length > most ? [`${field} must have at most ${most} characters`] : [];

function toPageThing({ page }: PagesJob, render: Render): Thing {
  const field = (template: string | undefined): string | null =>
    orNull(render(template ?? "").trim());
  const wanted: WantedPage = {
    title: render(page.title).trim(),
    description: field(page.description),
    links: page.links
      .map((link) => ({
        url: render(link.url).trim(),
        title: render(link.title ?? "").trim(),
        type: render(link.type ?? "").trim() || "Website",
      }))
      .filter(({ url }) => url !== ""),
    bg_color: field(page.bg_color),
    text_color: field(page.text_color),
    slug: field(page.slug),
  };
  const { links, title, slug, bg_color, text_color } = wanted;
  const problems = [
    ...(title === "" ? ["title of a page must not be empty"] : []),
    ...tooLong("title of a page", title, ownLimits.maxTitle),
    ...links
      .filter(({ url }) => !isOpenableUrl(url))
      .map(({ url }) => `url of a button must be a URL, ${got(url)}`),
    ...checkSlug(slug),
    ...checkColors({ bg_color, text_color }),
  ];
  return { fields: { page: wanted }, problems };
}

const SETTINGS = [
  "description",
  "redirect_url",
  "thank_you_message",
  "bg_color",
  "text_color",
  "button_color",
  "button_text_color",
] as const;

const COLORS = SETTINGS.filter((name) => name.endsWith("color"));

function toField(field: FormsJob["form"]["fields"][number], render: Render): WantedField {
  const options = field.options?.map((option) => {
    if (typeof option !== "string") {
      return { value: render(option.value).trim(), label: render(option.label).trim() };
    }
    const text = render(option).trim();
    return { value: text, label: text };
  });
  return {
    field_type: field.field_type,
    label: render(field.label).trim(),
    required: field.required,
    placeholder: orNull(render(field.placeholder ?? "").trim()),
    options: options?.filter(({ value }) => value !== "") ?? null,
  };
}

function checkField({ label, options, field_type: type }: WantedField): string[] {
  if (options === null) return [];
  const values = options.map(({ value }) => value);
  const twice = values.find((value, at) => values.indexOf(value) < at);
  return [
    ...(options.length === 0 ? [`options of "${label}" (${type}) must not all be empty`] : []),
    ...(twice === undefined ? [] : [`options of "${label}" must differ, ${got(twice)} twice`]),
  ];
}

function checkForm(form: WantedForm): string[] {
  const { title, fields, settings, logo, slug } = form;
  const redirect = settings["redirect_url"];
  return [
    ...(title === "" ? ["title of a form must not be empty"] : []),
    ...tooLong("title of a form", title, ownLimits.maxTitle),
    ...(fields.length === 0 ? ["a form must have fields, but every label is empty"] : []),
    ...fields.flatMap(checkField),
    ...checkColors(Object.fromEntries(COLORS.map((name) => [name, settings[name]]))),
    ...(redirect === undefined || isWebUrl(redirect)
      ? []
      : [`redirect_url must be an http or https URL, ${got(redirect)}`]),
    ...(logo === null || isWebUrl(logo)
      ? []
      : [`logo_url must be an http or https URL, ${got(logo)}`]),
    ...checkSlug(slug),
  ];
}

function toFormThing({ form }: FormsJob, render: Render): Thing {
  const settings = SETTINGS.map((name) => [name, render(form[name] ?? "").trim()] as const);
  const wanted: WantedForm = {
    title: render(form.title).trim(),
    settings: Object.fromEntries(settings.filter(([, text]) => text !== "")),
    fields: form.fields.map((field) => toField(field, render)).filter(({ label }) => label !== ""),
    logo: orNull(render(form.logo_url ?? "").trim()),
    slug: orNull(render(form.slug ?? "").trim()),
  };
  return { fields: { form: wanted }, problems: checkForm(wanted) };
}

/** What the row's kind makes of it; nothing for plain codes. */
export function toThing(job: RowJob, render: Render, facts: PdfFacts): Thing {
  switch (job.kind) {
    case "codes":
      return { fields: {}, problems: [] };
    case "products": {
      const product = toProduct(job, render);
      return { fields: { product }, problems: checkProductWish(product) };
    }
    case "links":
      return toLinkThing(job, render);
    case "pdfs":
      return toPdfThing(job, render, facts);
    case "pages":
      return toPageThing(job, render);
    case "forms":
      return toFormThing(job, render);
  }
}

/** PDFs larger than this are refused before they are sent (`api-v2.md` section 8). */
export const MAX_PDF_BYTES = limits.maxPdfBytes;
